"""What stands directly beside a part of a value belongs to it; what does not, stays."""

from __future__ import annotations

import pytest

from recognizers import ENTITIES, Finding
from recognizers.decide.edges import bridged, completed


def found(text: str, entity: str) -> Finding:
    """The part between angle brackets as a finding in the text without them."""
    start = text.index("<")
    end = text.index(">") - 1
    return Finding(start, end, ENTITIES[entity], entity, 0.9, "model")


@pytest.mark.parametrize(
    ("entity", "text", "whole"),
    [
        ("PERSON", "cooks at <Nonna>'s. Burn", "Nonna's"),
        ("PERSON", "seen at <St. Okar>'s ED", "St. Okar's"),
        ("PERSON", "records from <Okar>'s reviewed", "Okar"),
        ("PERSON", "labs from <Okar>'s, low", "Okar's"),
        ("PERSON", "works at <Okar>'s house", "Okar"),
        ("PERSON", "brought by <Tolland> PD, cuffed", "Tolland PD"),
        ("PERSON", "<Tolland> FD on scene", "Tolland FD"),
        ("PERSON", "by <Tolland> PD cath today", "Tolland"),
        ("CITY", "held by <Tolland> PD.", "Tolland PD"),
        ("CITY", "in <Tolland> PD 1500 mL", "Tolland"),
        ("COUNTY", "per <Tolland> SO, calm", "Tolland SO"),
        ("FACILITY", "plan at <Okar> DC home", "Okar"),
        ("FACILITY", "CT. Tolland <Memorial> read it", "Tolland Memorial"),
        ("FACILITY", "Admit <Memorial> patient", "Memorial"),
        ("FACILITY", "sent houston <Methodist> notes", "houston Methodist"),
        ("FACILITY", "called <Methodist> today", "Methodist"),
        ("EMPLOYER", "hauls for A.C. <Mills> now", "A.C. Mills"),
        ("EMPLOYER", "at 5 P.M. <Mills> called", "Mills"),
        ("FACILITY", "day program at The <Arc> of Elm", "The Arc"),
        ("PERSON", "2230  stent, <harold> 91m", "harold"),
        ("PERSON", "Today, <Frances> came", "Frances"),
        ("PERSON", "with Sister Pope, <Frances> came", "Frances"),
        ("PERSON", "seen by <Imani> Early in March", "Imani"),
        ("PERSON", "told <ortiz>, a friend", "ortiz"),
        ("PERSON", "read by <Broadus Hensley>, M.D.", "Broadus Hensley"),
        ("PERSON", "with <Kim>, A good historian", "Kim"),
        ("PERSON", "The patient <Ocampo> denies pain", "Ocampo"),
        ("FACILITY", "mail at Transition <Projects> now", "Transition Projects"),
        ("FACILITY", "deployed on USS <Mesa Verde>;", "USS Mesa Verde"),
        ("FACILITY", "seen at <Rosedale> clinic today", "Rosedale"),
        ("FACILITY", "seen at <Mercy> on Monday", "Mercy"),
        ("CITY", "visited our <Dallas> clinic on", "Dallas clinic"),
        ("CITY", "moved to <Dallas> clinicians say", "Dallas"),
        ("STREET_ADDRESS", "<90 Elk Rd>, fire no. 90, Odell", "90 Elk Rd, fire no. 90"),
        ("STREET_ADDRESS", "at <90 Elk Rd>, last house call Tuesday", "90 Elk Rd"),
        ("STREET_ADDRESS", "at <90 Elk Rd>, with her mother by the store", "90 Elk Rd"),
        ("STREET_ADDRESS", "hit a deer on <Hwy 7> near the bridge", "Hwy 7"),
        ("PERSON", "sent home to <Okar>'s; call", "Okar"),
        ("PERSON", "stayed at <Okar>'s; call", "Okar"),
        ("PERSON", "she drives to <Okar>'s only", "Okar's"),
        ("FACILITY", "MV301188  MultiCare <Odum Memorial>  Sept", "MultiCare Odum Memorial"),
        ("STREET_ADDRESS", "to <305 Western Ave> no. 14, and", "305 Western Ave no. 14"),
        ("STREET_ADDRESS", "Home: Lot 12, <Bahia Vista>, off", "Lot 12, Bahia Vista"),
        ("STREET_ADDRESS", "mail to <hc 61 box 44> no more", "hc 61 box 44"),
        ("OTHER_ID", "in OR <4410927> on", "4410927"),
        ("MEDICAL_RECORD_NUMBER", "CASE <4410927> on", "4410927"),
        ("OTHER_ID", "to fax LMN <503-555-0142> today", "503-555-0142"),
        ("OTHER_ID", "grade BQ <24>, then home", "24"),
        ("LICENSE_NUMBER", "Surgeon lic OH <35.088214>", "35.088214"),
        ("PHONE_NUMBER", "at <508-555-0149>, ext. 23.", "508-555-0149, ext. 23"),
        ("PHONE_NUMBER", "shared: <802-555-01>\n39.", "802-555-01\n39"),
        ("PHONE_NUMBER", "faxed <866 555 7428> x 22 pp", "866 555 7428"),
    ],
)
def test_a_finding_takes_in_what_belongs_to_it(entity: str, text: str, whole: str) -> None:
    plain = text.replace("<", "").replace(">", "")
    part = found(text, entity)
    value = completed(plain, part)
    assert plain[value.start : value.end] == whole
    assert value.start <= part.start and value.end >= part.end


def test_parts_of_one_house_are_one_finding_and_two_houses_are_two() -> None:
    text = "at Avalon at the Square, then Mercy. Then Ridge"
    spans = [(3, 9, "FACILITY"), (17, 23, "FACILITY"), (30, 35, "FACILITY"), (42, 47, "FACILITY")]
    parts = [Finding(a, b, ENTITIES[e], e, 0.8, "model") for a, b, e in spans]
    assert [text[f.start : f.end] for f in bridged(text, parts)] == [
        "Avalon at the Square",
        "Mercy",
        "Ridge",
    ]
