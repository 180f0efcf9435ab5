"""Whether another processor gives the same findings: the corpora, natively and under an emulator.

    apt-get install qemu-user
    .venv/bin/python benchmarks/processors.py [CPU ...]
    EVERY=1 .venv/bin/python benchmarks/processors.py   # all documents: an hour

CPU are models that `qemu-x86_64 -cpu help` lists, by default Haswell (AVX2 and FMA, neither
AVX-512 nor VNNI) and SandyBridge (AVX alone). Writes `processors.md`: for each processor the
digests of the network's shares and of all findings on the shipped corpora and the demo's notes. The
digest of onnxruntime's own softmax shows whether other kernels ran.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import numpy as np  # noqa: E402
from onnxruntime import InferenceSession  # noqa: E402

from benchmarks.floors import REFERENCE, corpora  # noqa: E402
from corpora import demo  # noqa: E402
from recognizers import Finder, arithmetic  # noqa: E402
from recognizers.model.network import MANIFEST, SHIPPED  # noqa: E402

# A graph of a single softmax over rows of 200 numbers.
SOFTMAX = base64.b64decode(
    "CAkSADpoCi0KBHJvd3MSBnNoYXJlcyIHU29mdG1heCoUCgRheGlzGP///////////wGgAQISAXNa"
    "GAoEcm93cxIQCg4IARIKCgMSAW4KAwjIAWIaCgZzaGFyZXMSEAoOCAESCgoDEgFuCgMIyAFCBAoA"
    "EBQ="
)
STATED = json.loads((SHIPPED / MANIFEST).read_text("utf-8"))["networks"]
COUNT = re.compile(r"([\d,]+) identifiers")
EVERY = int(os.environ.get("EVERY", "12"))
EMULATED = ("Haswell", "SandyBridge")
HEAD = f"""# The same findings on every processor

Made by `.venv/bin/python benchmarks/processors.py` under qemu's user emulation.

Each row is a processor, and the columns hold digests (the first 12 hex digits of SHA-256).
*Arithmetic* is the digest of the network's answers to made-up pieces. Every job records it, and it
must not differ between processors. *Findings* is the digest of all findings with their offsets,
entities and scores, in one document of {EVERY} of the shipped corpora. *Softmax* is the digest of
onnxruntime's softmax, which the graphs do not use; rows in which it differs ran other kernels. The
demo runs completely.
"""


def digest(parts: Iterable[bytes]) -> str:
    made = hashlib.sha256()
    for part in parts:
        made.update(part)
    return made.hexdigest()[:12]


def texts() -> list[str]:
    return [text for corpus in corpora() for text in corpus.texts][::EVERY]


def told() -> dict[str, str]:
    """The digests of this processor."""
    row = {"softmax": softmax()}
    for name, fast in (("default", False), ("fast", True)):
        row[f"{name}: arithmetic"] = arithmetic(fast=fast)[:12]
        if arithmetic(fast=fast) != STATED[name]["arithmetic"]:
            return row  # a job would refuse to resume here
        found = Finder.load(reference_date=REFERENCE, fast=fast).find_all(texts())
        row[f"{name}: findings"] = digest(repr(one).encode() for one in found)
        row[f"{name}: count"] = f"{sum(map(len, found)):,}"
    return row | {"identifiers of `make demo`": demonstrated()}


def demonstrated() -> str:
    """The number of removed identifiers that the demo prints."""
    with contextlib.redirect_stdout(io.StringIO()) as said:
        demo.main()
    return COUNT.findall(said.getvalue())[0]


def softmax() -> str:
    rows = np.random.default_rng(5).normal(0, 4, (64, 200)).astype(np.float32)
    return digest([InferenceSession(SOFTMAX).run(None, {"rows": rows})[0].tobytes()])


def under(cpu: str) -> dict[str, str]:
    """The digests of an emulated processor."""
    command = ["qemu-x86_64", "-cpu", cpu, sys.executable, str(Path(__file__)), "--tell"]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    row: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    return row


def main(asked: list[str]) -> None:
    if asked == ["--tell"]:
        print(json.dumps(told()))
        return
    rows = {"this machine": told()} | {f"qemu {cpu}": under(cpu) for cpu in asked or EMULATED}
    heads = list(rows["this machine"])
    lines = [HEAD, "| processor | " + " | ".join(heads) + " |", "|---" * (len(heads) + 1) + "|"]
    lines += [
        f"| {name} | " + " | ".join(row.get(head, "refused") for head in heads) + " |"
        for name, row in rows.items()
    ]
    (HERE / "processors.md").write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
