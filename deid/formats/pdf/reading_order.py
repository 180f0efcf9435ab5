"""Finds the reading order: columns of prose one after the other, rows of tables line by line.

A page is cut along its blank horizontal strips. Neighboring strips that share a gutter with prose
on both sides are columns. In all other strips, the text on one line is read as one line, so that a
value follows its label and a table keeps its rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from deid.formats.pdf.words import LineSegment, PageWord, segments_of

CELL_GAP = "   "
_NARROWEST_GUTTER = 8.0
_LEAST_COLUMN_LINES = 3
# The lines of a column of prose fill at least this share of its width and have as many words.
_PROSE_WIDTH, _PROSE_WORDS = 0.55, 3
_MOST_SEGMENTS, _DEEPEST_COLUMNS = 3000, 6
_BLANK_LINE = 1.55
_TIGHT = 0.15
# Words with spread letters: the fewest pieces, the largest deviation of a step from whole letters,
# and the largest ratio between two gaps within the word.
_LEAST_SPREAD, _SAME_PITCH, _SPREAD_GAP = 3, 0.05, 1.5
FreeInterval = tuple[float, float]
Strip = list[LineSegment]


def read_in_order(words: Sequence[PageWord]) -> list[tuple[str, PageWord]]:
    """The words of a page in reading order, each with the separator before it.

    Upright text comes first, then text in each other direction.
    """
    found: list[tuple[str, PageWord]] = []
    angles = sorted({word.angle for word in words})
    for angle in angles:
        segments = segments_of([word for word in words if word.angle == angle])
        for lines in _reading_blocks(segments, 0):
            found += _block_words(lines, bool(found))
    return found


def _reading_blocks(
    segments: Sequence[LineSegment], depth: int
) -> Iterator[list[list[LineSegment]]]:
    """Blocks of lines in reading order. A line is a list of segments from left to right."""
    strips = _strips(segments)
    if depth >= _DEEPEST_COLUMNS or len(segments) > _MOST_SEGMENTS:
        yield _segment_lines(segments)
        return
    left, right = (
        min((s.start for s in segments), default=0),
        max((s.end for s in segments), default=0),
    )
    plain: list[LineSegment] = []
    place = 0
    while place < len(strips):
        size, gutter = _column_band(strips[place:], left, right)
        if not size:
            plain += strips[place]
            place += 1
            continue
        if plain:
            yield _segment_lines(plain)
            plain = []
        band = [segment for strip in strips[place : place + size] for segment in strip]
        yield from _reading_blocks([s for s in band if s.end <= gutter], depth + 1)
        yield from _reading_blocks([s for s in band if s.end > gutter], depth + 1)
        place += size
    if plain:
        yield _segment_lines(plain)


def _strips(segments: Sequence[LineSegment]) -> list[Strip]:
    """Groups of segments between blank horizontal strips, from the top down."""
    strips: list[Strip] = []
    bottom = 0.0
    for segment in sorted(segments, key=lambda s: s.top):
        # Descenders are ignored because lines may be set close together.
        if not strips or segment.top + 0.25 * segment.size >= bottom:
            strips.append([])
            bottom = segment.base
        strips[-1].append(segment)
        bottom = max(bottom, segment.base)
    return strips


def _column_band(strips: Sequence[Strip], left: float, right: float) -> tuple[int, float]:
    """How many strips from the first on share a gutter of columns, and the gutter's middle."""
    free: list[FreeInterval] = [(left, right)]
    size = 0
    for strip in strips:
        rest = _common_gaps(free, strip)
        if not rest:
            break
        free, size = rest, size + 1
    for low, high in sorted(free, key=lambda gap: gap[0] - gap[1]):
        if found := _prose_strips(strips[:size], (low + high) / 2):
            return found, (low + high) / 2
    return 0, 0.0


def _prose_strips(strips: Sequence[Strip], gutter: float) -> int:
    """Return how many strips have prose on both sides; a table below the columns ends them."""
    ends = [n for n in range(1, len(strips)) if _stands_apart(strips[n - 1], strips[n])]
    taken = 0
    sides: tuple[Strip, Strip] = ([], [])
    for end in (*ends, len(strips)):
        parts = [segment for strip in strips[taken:end] for segment in strip]
        more = [s for s in parts if s.end <= gutter], [s for s in parts if s.start >= gutter]
        wider = sides[0] + more[0], sides[1] + more[1]
        if not all(_fills(part, whole) for part, whole in zip(more, wider, strict=True)):
            break
        sides, taken = wider, end
    return taken if all(len(side) >= _LEAST_COLUMN_LINES for side in sides) else 0


def _stands_apart(above: Strip, below: Strip) -> bool:
    gap = min(s.top for s in below) - max(s.base for s in above)
    return gap > 0.7 * max(s.size for s in below)


def _fills(part: Strip, side: Strip) -> bool:
    """Whether the lines of a part are prose as wide as their column, or the part has no lines."""
    if not part:
        return True
    width = max(s.end for s in side) - min(s.start for s in side)
    filled = median(s.end - s.start for s in part) >= _PROSE_WIDTH * width
    return filled and median(len(s.words) for s in part) >= _PROSE_WORDS


def _common_gaps(free: Sequence[FreeInterval], strip: Sequence[LineSegment]) -> list[FreeInterval]:
    """The parts of the gaps that no segment of the strip covers."""
    gaps = list(free)
    for segment in strip:
        cut = []
        for low, high in gaps:
            if segment.end <= low or segment.start >= high:
                cut.append((low, high))
                continue
            cut += [(low, segment.start), (segment.end, high)]
        gaps = [(low, high) for low, high in cut if high - low >= _NARROWEST_GUTTER]
    return gaps


def _segment_lines(segments: Sequence[LineSegment]) -> list[list[LineSegment]]:
    lines: list[list[LineSegment]] = []
    for segment in sorted(segments, key=lambda s: s.base):
        last = lines[-1][-1] if lines else None
        if last is None or segment.base - last.base > 0.3 * min(segment.size, last.size):
            lines.append([])
        lines[-1].append(segment)
    return [sorted(line, key=lambda s: s.start) for line in lines]


def _block_words(
    lines: Sequence[Sequence[LineSegment]], after: bool
) -> Iterator[tuple[str, PageWord]]:
    bases = [max(line, key=lambda s: s.size).base for line in lines]
    steps = [low - high for high, low in pairwise(bases)]
    pitch = median(steps) if steps else 0.0
    for number, line in enumerate(lines):
        joint = ("\n\n" if not number else "\n") if after or number else ""
        if number:
            size = max(segment.size for segment in line)
            step = steps[number - 1]
            joint = "\n\n" if step > _BLANK_LINE * max(pitch, size) else "\n"
        yield from _line_words(line, joint)


def _line_words(line: Sequence[LineSegment], joint: str) -> Iterator[tuple[str, PageWord]]:
    for segment in line:
        before: PageWord | None = None
        spread = _spread_letters(segment.words)
        for number, word in enumerate(segment.words):
            if before is not None:
                tight = not word.spaced and word.start - before.end < _TIGHT * word.size
                joint = "" if tight or number in spread else " "
            yield joint, word
            before = word
        joint = CELL_GAP


def _spread_letters(words: Sequence[PageWord]) -> set[int]:
    """Return the indexes of the words that only continue the word before.

    These are letters that are printed apart (`T i t l e`) or at a pitch other than their font's,
    without a space between them in the file.
    """
    found: set[int] = set()
    for run in _letter_runs(words):
        pairs = list(pairwise(run))
        steps = [words[after].start - words[before].start for before, after in pairs]
        lengths = [len(words[before].text) for before, _ in pairs]
        gaps = [words[after].start - words[before].end for before, after in pairs]
        pitch = min(step / length for step, length in zip(steps, lengths, strict=True))
        # Separate words of equal length in a monospaced font have even steps, too.
        even = pitch > 0 and (len(set(lengths)) > 1 or set(lengths) == {1})
        if even and all(abs(s / pitch - round(s / pitch)) < _SAME_PITCH for s in steps):
            joins = [round(s / pitch) == length for s, length in zip(steps, lengths, strict=True)]
        elif set(lengths) == {1}:
            joins = [gap <= _SPREAD_GAP * min(gaps) for gap in gaps]
        else:
            continue
        found |= {after for (_, after), joined in zip(pairs, joins, strict=True) if joined}
    return found


def _letter_runs(words: Sequence[PageWord]) -> Iterator[list[int]]:
    """Indexes of runs of three or more words without digits and without spaces in the file."""
    run: list[int] = []
    for place, word in enumerate(words):
        digits = any(char.isdigit() for char in word.text)
        if word.spaced or digits:
            if len(run) >= _LEAST_SPREAD:
                yield run
            run = []
        if not digits:
            run.append(place)
    if len(run) >= _LEAST_SPREAD:
        yield run
