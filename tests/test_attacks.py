"""Every attack of `benchmarks/attacks` is refused or reported: the claim says no more than is
shown.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.attacks import Attack, attacks
from benchmarks.attacks.lab import Lab


@pytest.mark.parametrize("attack", attacks(), ids=lambda attack: f"{attack.part}-{attack.name}")
def test_attack_held(attack: Attack, tmp_path: Path) -> None:
    assert attack.run(Lab(tmp_path)), attack.summary
