from __future__ import annotations

from pathlib import Path

import pytest
from small_extract import write_extract


@pytest.fixture
def extract(tmp_path: Path) -> Path:
    return write_extract(tmp_path / "in")
