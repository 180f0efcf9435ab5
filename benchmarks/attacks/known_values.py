"""Attacks with known values in another form."""

from __future__ import annotations

from benchmarks.attacks.lab import Lab


def attack_known_name_in_capitals(lab: Lab) -> bool:
    """Write a patient's name, known from a table, in capitals in a note."""
    table = lab.write("patients.csv", "patient_id,first_name,last_name\nP1,Zebulon,Quartermaine\n")
    notes = lab.write(
        "notes.jsonl", '{"id": "1", "patient": "P1", "text": "QUARTERMAINE is well."}\n'
    )
    run = lab.scrub(notes, "--known", table, "--patient-key", "patient_id")
    return run.code == 0 and lab.absent("quartermaine", run=run)
