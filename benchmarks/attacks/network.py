"""Attacks by network calls that packages make, or that an input causes because it names a host."""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

import duckdb

from benchmarks.attacks.lab import Lab
from benchmarks.attacks.syscalls import environment, start

ROOT = Path(__file__).resolve().parents[2]
HOST = "https://canary.example/file"
NOTE = f"Seen 03/14/2023 by Dr. Ana Ruiz, ana.ruiz@clinic.example, {HOST}, file://{HOST[6:]}."
XML = f"""<?xml version="1.0"?><?xml-stylesheet href="{HOST}.xsl" type="text/xsl"?>
<ClinicalDocument xmlns="urn:hl7-org:v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
 xsi:schemaLocation="urn:hl7-org:v3 {HOST}.xsd"><title>x</title>
<component><nonXMLBody><text mediaType="text/html"><reference value="{HOST}.html"/></text>
</nonXMLBody></component></ClinicalDocument>"""
DTD = f'<!DOCTYPE a [<!ENTITY e SYSTEM "{HOST}"><!ENTITY % p SYSTEM "{HOST}.dtd">%p;]>'
REGISTRY = """
supported_languages: [en]
global_regex_flags: 26
recognizers:
  - {name: EmailRecognizer, type: predefined, supported_languages: [{language: en}]}
"""
ADAPTER = """
import sys, recognizers
from pathlib import Path
engine = recognizers.analyzer(recognizers.read_registry(Path(sys.argv[1])))
sys.exit(0 if engine.analyze("ana.ruiz@clinic.example", language="en") else 1)
"""


def _is_quiet(lab: Lab, command: Sequence[str | Path], codes: Sequence[int] = (0,)) -> bool:
    """Whether the command opens no inet socket, and writes only below the lab's `work` and
    `tmp`.
    """
    home, temporary, work = (lab.here / name for name in ("home", "tmp", "work"))
    for folder in (home, temporary, work):
        folder.mkdir(exist_ok=True)
    environ = environment(home, temporary, PYTHONPATH=str(ROOT))
    watched = start([sys.executable, *command], environ, lab.here)
    code, _, _ = watched.wait(300)
    quiet = not watched.sockets and not watched.outside(work, temporary)
    return quiet and code in codes and not any(home.iterdir())


def attack_packages_that_call_home(lab: Lab) -> bool:
    """Let the model's runtime send telemetry or write below HOME, in parent and workers."""
    for number in range(3):
        lab.write(f"notes/{number}.txt", NOTE)
    out = lab.here / "work" / "out"
    return _is_quiet(lab, ["-m", "deid", "scrub", "notes", "-o", out, "--workers", "2"])


def attack_inputs_that_name_hosts(lab: Lab) -> bool:
    """Give inputs whose views, entities, style sheets and links lead to another host."""
    lab.write("in/note.html", f'<html><img src="{HOST}.png"><link href="{HOST}.css">Ana Ruiz')
    lab.write("in/document.xml", XML)
    lab.write("in/entity.xml", DTD + "<a>&e;</a>")
    lab.write(
        "in/svg.xml", f'<svg xmlns:x="http://www.w3.org/2001/XInclude"><x:include href="{HOST}"/>'
    )
    lab.write("in/urls.csv", f"patient_id,attachment\nP1,{HOST}\nP2,s3://canary/x.parquet\n")
    attachment = {"contentType": "text/plain", "url": HOST}
    resource = {
        "resourceType": "DocumentReference",
        "id": "1",
        "meta": {"profile": [HOST]},
        "implicitRules": HOST,
        "content": [{"attachment": attachment}],
    }
    lab.write("in/DocumentReference.ndjson", json.dumps(resource) + "\n")
    lab.write("in/message.hl7", f"MSH|^~\\&|A|B|C|D|20230314||ORU^R01|1|P|2.5\rOBX|1|RP|||{HOST}\r")
    lab.write("in/dump.sql", f"ATTACH '{HOST}' AS far;\nINSERT INTO t VALUES ('{HOST}');\n")
    _workbook(lab.here / "in" / "linked.xlsx")
    with duckdb.connect(str(lab.here / "in" / "views.duckdb")) as database:
        database.execute("create table people as select 'P1' as patient_id, 22 as age")
        database.execute(f"create macro far(name) as table select '{HOST}', * from read_text(name)")
        database.execute("create view near as select * from read_text('/etc/hostname')")
    out = lab.here / "work" / "out"
    return _is_quiet(lab, ["-m", "deid", "scrub", "in", "-o", out], codes=(0, 4))


def _workbook(path: Path) -> None:
    """A minimal workbook with a sheet that is a link to another host's workbook."""
    package = "http://schemas.openxmlformats.org/package/2006/"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}content-types"/>',
        "_rels/.rels": f'<Relationships xmlns="{package}relationships"><Relationship Id="a" '
        f'Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}relationships">'
        f'<Relationship Id="b" Type="{office}/externalLink" Target="{HOST}.xlsx" '
        'TargetMode="External"/></Relationships>',
        "xl/workbook.xml": DTD + f'<workbook xmlns:r="{office}"><externalReferences>'
        '<externalReference r:id="b"/></externalReferences></workbook>',
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


def attack_registry_that_downloads(lab: Lab) -> bool:
    """Give a registry with Presidio's e-mail recognizer, which downloads a list of domains."""
    registry = lab.write("registry.yaml", REGISTRY)
    return _is_quiet(lab, ["-c", ADAPTER, registry])
