"""The trained model: a network that recognizes identifiers by the words around them, and trees.

It needs only onnxruntime to run. Its folder has a manifest with the hash of every file; a missing
or altered file stops the load, because no weaker engine may replace the model without the user's
request.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnxruntime import InferenceSession, SessionOptions

from recognizers.finding import LABELS
from recognizers.model.encoding import Encoded, Encoder, Window, windows

Probabilities = NDArray[np.float32]
SHIPPED = Path(__file__).parents[1] / "models"
TOKENIZER, MANIFEST = "tokenizer.json", "manifest.json"
DEFAULT, FAST = "default", "fast"
# The fused operator is several times slower than the two operators that it replaces.
SLOWER_FUSED = ["SkipLayerNormFusion"]
PROBED = 1000  # smaller numbers are valid word and cue numbers in every network
WINDOWS_KEPT = 512  # cached, about 14 kB each: letterheads and boilerplate are run only once


class ModelError(Exception):
    """The model cannot be used: a code, the file (`place`), and a hint on what to do."""

    exit_code = 2

    def __init__(self, code: str, place: str, hint: str = "reinstall the package") -> None:
        super().__init__(f"{code}: {place}; {hint}")
        self.code, self.place, self.hint = code, place, hint


def check_model_file(folder: Path, name: str, expected: str) -> None:
    """Check a file's SHA-256 (hex); raises `ModelError`: `model-missing` or `model-altered`."""
    path = folder / name
    if path.parent != folder or not path.is_file():
        raise ModelError("model-missing", name)
    if hashlib.sha256(path.read_bytes()).hexdigest() != expected:
        raise ModelError("model-altered", name)


@dataclass(frozen=True, slots=True)
class Fitted:
    """The files of a decision, its thresholds, and the weight of its rows beside the network."""

    trees: str
    rows: str
    words: str
    threshold: float
    beside: float
    row_weight: float


@dataclass(frozen=True, slots=True)
class Network:
    """One network of a model: its file, its windows, and the decision fitted to it.

    `content` is the number of pieces in a window; the next window repeats `overlap` of them.
    """

    file: str
    content: int
    overlap: int
    decision: Fitted | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.overlap < self.content:
            raise ValueError(f"windows of {self.content} pieces, {self.overlap} of them shared")

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Network:
        """The network from its row in the manifest."""
        fitted = Fitted(**row["decision"]) if "decision" in row else None
        return cls(row["file"], row["content"], row["overlap"], fitted)


@dataclass(frozen=True, slots=True)
class Manifest:
    """The description of a model's folder; `files` maps file names to SHA-256 in hex."""

    version: str
    labels: tuple[str, ...]
    networks: Mapping[str, Network]
    files: Mapping[str, str]

    def __post_init__(self) -> None:
        if unknown := set(self.labels) - set(LABELS):
            raise ValueError(f"{len(unknown)} labels belong to no identifier")
        if missing := {DEFAULT, FAST} - set(self.networks):
            raise ValueError(f"no network {', '.join(sorted(missing))}")
        needed = {TOKENIZER, *(network.file for network in self.networks.values())}
        if missing := needed - set(self.files):
            raise ValueError(f"no hash for {', '.join(sorted(missing))}")

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """The manifest of a folder, after checking the hash of each of its files."""
        try:
            row: dict[str, Any] = json.loads((folder / MANIFEST).read_text("utf-8"))
            networks = {name: Network.of(one) for name, one in row["networks"].items()}
            manifest = cls(row["version"], tuple(row["labels"]), networks, row["files"])
        except OSError as error:
            raise ModelError("model-missing", MANIFEST) from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ModelError("model-altered", MANIFEST) from error
        for name, expected in manifest.files.items():
            check_model_file(folder, name, expected)
        return manifest


class Model:
    """A network that recognizes identifiers by their context. Load it once per process."""

    def __init__(self, folder: Path, manifest: Manifest, network: Network, threads: int) -> None:
        self.labels, self.folder = manifest.labels, folder
        self._network = network
        self._session = open_session(folder / network.file, threads)
        self._encoder = Encoder.read(folder / TOKENIZER)
        self._seen: dict[bytes, Probabilities] = {}

    @classmethod
    def load(cls, folder: Path | None = None, threads: int = 1, *, fast: bool = False) -> Model:
        """The model of `folder`, by default the shipped one; `fast`: its smaller network.

        Raises `ModelError`: `model-missing` or `model-altered`.
        """
        folder = SHIPPED if folder is None else folder
        manifest = Manifest.read(folder)
        return cls(folder, manifest, manifest.networks[FAST if fast else DEFAULT], threads)

    @property
    def decision(self) -> Fitted:
        """The decision fitted to this network; without one, raises `model-altered`."""
        if self._network.decision is None:
            raise ModelError("model-altered", MANIFEST)
        return self._network.decision

    def encode_all(self, texts: Sequence[str]) -> list[Encoded]:
        """The pieces of each text, for `probabilities`."""
        return self._encoder.encode_all(texts)

    def probabilities(self, encoded: Encoded) -> Probabilities:
        """Return (pieces, 1 + labels): the probability of no identifier, then of each label."""
        rows = np.empty((len(encoded), 1 + len(self.labels)), np.float32)
        for window in windows(len(encoded), self._network.content, self._network.overlap):
            kept = slice(window.keep_start - window.start, window.keep_end - window.start)
            rows[window.keep_start : window.keep_end] = self._window(encoded, window)[kept]
        return rows

    def _window(self, encoded: Encoded, window: Window) -> Probabilities:
        part = slice(window.start, window.end)
        rows = np.zeros((2, window.end - window.start + 2), np.int64)
        rows[0, 0], rows[0, -1] = self._encoder.start_id, self._encoder.end_id
        rows[0, 1:-1], rows[1, 1:-1] = encoded.ids[part], encoded.cues[part]
        key = hashlib.blake2b(rows.tobytes(), digest_size=16).digest()
        shares = self._seen.get(key)
        if shares is None:
            shares = self._run(rows)
            if len(self._seen) >= WINDOWS_KEPT:
                self._seen.pop(next(iter(self._seen)), None)
            self._seen[key] = shares
        return shares

    def _run(self, rows: NDArray[np.int64]) -> Probabilities:
        # One window per call: int8 scales are computed over the whole call, so a window's
        # result would depend on the windows run with it.
        feed = {"ids": rows[:1], "cues": rows[1:]}
        shares: Probabilities = self._session.run(["shares"], feed)[0][0, 1:-1]
        if not np.isfinite(shares).all():
            raise ValueError("the network returned values that are not finite")
        return shares


def open_session(file: Path, threads: int = 1) -> InferenceSession:
    """A network's graph, ready to run; raises `ModelError` (`model-altered`) if it is invalid."""
    options = SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        only_cpu = ["CPUExecutionProvider"]
        return InferenceSession(
            str(file), options, providers=only_cpu, disabled_optimizers=SLOWER_FUSED
        )
    except Exception as error:
        raise ModelError("model-altered", file.name) from error


@cache
def arithmetic(*, fast: bool = False) -> str:
    """A digest (16 hex digits) of the network's exact output for made-up pieces on this processor.

    All processors with AVX2 and FMA give the digest in the model's manifest. Others round
    differently, so findings may differ: no job mixes two processors with different digests.
    """
    network = Manifest.read(SHIPPED).networks[FAST if fast else DEFAULT]
    return probed(open_session(SHIPPED / network.file), network.content)


def probed(session: InferenceSession, content: int) -> str:
    """Return the digest of a network's output for `content` made-up pieces."""
    numbers = np.arange(content, dtype=np.int64)[None]
    feed = {"ids": numbers * 37 % PROBED, "cues": numbers * 11 % PROBED}
    return hashlib.sha256(session.run(["shares"], feed)[0].tobytes()).hexdigest()[:16]


@dataclass(frozen=True, eq=False)
class ModelOutput:
    """`offsets` (pieces, 2) in code points, the number of each piece's word, and `shares`
    (pieces, 1 + labels), of which column 0 is "no identifier"."""

    offsets: NDArray[np.int32]
    words: NDArray[np.int32]
    shares: NDArray[np.float32]


def read_all(model: Model, texts: Sequence[str]) -> list[ModelOutput]:
    """The model's output for each text."""
    return [
        ModelOutput(encoded.offsets, encoded.words, model.probabilities(encoded))
        for encoded in model.encode_all(texts)
    ]


# The key in the file's metadata for the names of the features, and the separator of the names.
NAMES, PARTED_BY = "features", "\n"


class Trees:
    """Trees that give log odds for rows of features; `features` are the feature names in order."""

    def __init__(self, session: InferenceSession) -> None:
        self._session = session
        told = session.get_modelmeta().custom_metadata_map.get(NAMES, "")
        self.features = tuple(told.split(PARTED_BY))

    @classmethod
    def load(cls, path: Path) -> Trees:
        """The trees of a file; raises `ModelError` (`model-altered`) if it is invalid."""
        return cls(open_session(path))

    def log_odds(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """(rows): the natural logarithms of the odds."""
        found: NDArray[np.float32] = self._session.run(["log_odds"], {"rows": rows})[0][:, 0]
        return found
