"""The exported graphs compute what the networks compute; skipped without the training packages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")

from onnxruntime import InferenceSession  # noqa: E402

from recognizers.model.encoding import CUES_PER_KIND, KIND_COUNT  # noqa: E402
from training.graph import skimmer_graph, tagger_graph  # noqa: E402
from training.network import HEAD, HEADS, Skimmer, Tagger, narrower, smaller  # noqa: E402
from training.ranges import BINS, REACH, Count, ranges  # noqa: E402
from training.restore import restored, restored_skimmer  # noqa: E402
from training.usage import head_use, neuron_use  # noqa: E402

WORDS, LENGTH, SKIMMED = 50, 40, 32


@pytest.fixture(autouse=True)
def seeded() -> Iterator[None]:
    torch.manual_seed(3)
    with torch.no_grad():
        yield


def inputs() -> dict[str, np.ndarray]:
    chance = np.random.default_rng(3)
    return {
        "ids": chance.integers(0, WORDS, (1, LENGTH)),
        "cues": chance.integers(0, CUES_PER_KIND * KIND_COUNT, (1, LENGTH)),
    }


def said(path: Path) -> np.ndarray:
    return np.log(InferenceSession(str(path)).run(["shares"], inputs())[0])


def expected(network: torch.nn.Module) -> np.ndarray:
    ids, cues = (torch.from_numpy(value) for value in inputs().values())
    return network.eval()(ids, cues, torch.ones_like(ids)).log_softmax(-1).numpy()


def listed(network: torch.nn.Module) -> torch.nn.Module:
    """A tagger with rows for the word lists, which are zero at first."""
    torch.nn.init.normal_(network.cues.kinds.weight, std=0.02)
    return network


def test_an_exported_tagger_computes_the_same(tmp_path: Path) -> None:
    tagger = listed(Tagger([64, 32], WORDS, heads=[12, 3]))
    onnx.save(tagger_graph(tagger), tmp_path / "a.onnx")
    assert np.abs(said(tmp_path / "a.onnx") - expected(tagger)).max() < 0.1


def exported_skimmer(path: Path) -> Skimmer:
    skimmer = listed(Skimmer(torch.randn(WORDS, 384), SKIMMED))
    for mix in skimmer.mixes:
        torch.nn.init.normal_(mix.bias)
    batch = tuple(torch.from_numpy(value) for value in inputs().values())
    seen = ranges(skimmer.eval(), [(*batch, torch.ones_like(batch[0]))])
    onnx.save(skimmer_graph(skimmer, seen), path)
    return skimmer


def test_an_exported_skimmer_computes_the_same(tmp_path: Path) -> None:
    skimmer = exported_skimmer(tmp_path / "a.onnx")
    assert np.abs(said(tmp_path / "a.onnx") - expected(skimmer)).max() < 0.1


def test_an_exported_skimmer_can_be_restored(tmp_path: Path) -> None:
    skimmer = exported_skimmer(tmp_path / "a.onnx")
    again = restored_skimmer(tmp_path / "a.onnx", skimmer.words.weight)
    assert np.abs(expected(again) - said(tmp_path / "a.onnx")).max() < 0.1


def test_padding_does_not_widen_a_range() -> None:
    skimmer = Skimmer(torch.randn(WORDS, 384), SKIMMED).eval()
    ids, cues = (torch.from_numpy(value) for value in inputs().values())
    alone = ranges(skimmer, [(ids, cues, torch.ones_like(ids))])
    ids, cues = (torch.cat([value, value * 0 + 1], dim=1) for value in (ids, cues))
    mask = (torch.arange(2 * LENGTH) < LENGTH).long()[None]
    for held, lone in zip(ranges(skimmer, [(ids, cues, mask)]), alone, strict=True):
        assert held.taken == lone.taken
        assert np.allclose(held.given, lone.given)


def test_a_range_leaves_out_one_number_in_a_million() -> None:
    count, step = Count(), 2 * REACH / BINS
    count.add(torch.cat([torch.linspace(-1, 2, 1_000_000), torch.tensor([60.0])]))
    low, high = count.range()
    assert -1 <= low < -1 + 2 * step and 2 - 2 * step < high <= 2 + step


def test_an_exported_tagger_can_be_restored(tmp_path: Path) -> None:
    tagger = listed(Tagger([64, 32], WORDS, heads=[2, 12]))
    onnx.save(tagger_graph(tagger), tmp_path / "a.onnx")
    again = restored(tmp_path / "a.onnx")
    assert (again.widths, again.heads) == ([64, 32], [2, 12])
    assert np.abs(expected(again) - said(tmp_path / "a.onnx")).max() < 0.1


def test_a_smaller_tagger_with_all_layers_and_neurons_computes_the_same() -> None:
    tagger = Tagger([64, 64], WORDS)
    use = [torch.ones(64)] * 2
    assert np.allclose(expected(smaller(tagger, [0, 1], 64, use)), expected(tagger), atol=1e-5)
    assert smaller(tagger, [1], 16, use).widths == [16]


def test_neurons_that_are_never_active_are_removed_first() -> None:
    tagger = Tagger([64], WORDS)
    tagger.layers[0].up.weight[10:] = 0
    tagger.layers[0].up.bias[10:] = 0
    ids, cues = (torch.from_numpy(value) for value in inputs().values())
    use = neuron_use(tagger, [(ids, cues, torch.ones_like(ids))])
    assert np.allclose(expected(smaller(tagger, [0], 10, use)), expected(tagger), atol=1e-5)


def test_a_tagger_with_all_its_heads_computes_the_same() -> None:
    tagger = Tagger([64, 64], WORDS)
    same = narrower(tagger, [torch.rand(HEADS) for _ in range(2)], 2 * HEADS)
    assert np.allclose(expected(same), expected(tagger), atol=1e-5)


def test_heads_without_effect_are_removed_first() -> None:
    tagger = Tagger([64, 64], WORDS)
    tagger.layers[0].out.weight[:, 2 * HEAD :] = 0
    tagger.layers[1].out.weight[:, : 7 * HEAD] = 0
    ids, cues = (torch.from_numpy(value) for value in inputs().values())
    with torch.enable_grad():
        use = head_use(tagger, [(ids, cues, torch.ones_like(ids), torch.ones_like(ids))])
    fewer = narrower(tagger, use, 7)
    assert fewer.heads == [2, 5]
    assert np.allclose(expected(fewer), expected(tagger), atol=1e-5)
