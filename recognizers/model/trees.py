"""Boosted trees, trained in advance and run by onnxruntime."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from onnxruntime import InferenceSession, SessionOptions

from recognizers.model.network import ModelError

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
        options = SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            return cls(InferenceSession(str(path), options, providers=["CPUExecutionProvider"]))
        except Exception as error:
            raise ModelError("model-altered", path.name, "reinstall the package") from error

    def log_odds(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """(rows): the natural logarithms of the odds."""
        found: NDArray[np.float32] = self._session.run(["log_odds"], {"rows": rows})[0][:, 0]
        return found
