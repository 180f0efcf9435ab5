"""Charts as SVG text, without a drawing library: bars, points and curves.

The page's style sheet colors them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

_WIDTH, _HEIGHT = 640, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 16, 30, 48
_SPAN, _FLOOR = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _BOTTOM
_LEAST, _MOST = 1e-6, 1e13
#: The number of color classes in the style sheet, and line dashes for people who see or print no
#: color.
_COLORS = 6
_LINE_DASHES = ("", "7 4", "2 3")


@dataclass(frozen=True)
class _Scale:
    """The scale of an axis, from `low` at the bottom of the chart to `top` at its upper end."""

    low: float
    top: float
    logarithmic: bool = False

    def y(self, value: float) -> float:
        """The vertical position of a value in units of the drawing, measured from the top."""
        if self.logarithmic:
            share = log10(max(value, self.low) / self.low) / log10(self.top / self.low)
        else:
            share = (value - self.low) / (self.top - self.low)
        return _FLOOR - (_FLOOR - _TOP) * share


def bars(
    title: str,
    values: Mapping[str, float],
    unit: str,
    x_label: str = "",
    *,
    intervals: Mapping[str, tuple[float, float]] | None = None,
    before: Mapping[str, float] | None = None,
) -> str:
    """Draw a chart with one bar per label, starting at zero.

    Above each bar is its value, or an interval if it has one. `before` adds a second bar beside
    each bar, and a legend below. If all values are zero, the result is empty.
    """
    series = {"after": values} if before is None else {"before": before, "after": values}
    most = max((high for _, high in (intervals or {}).values()), default=0.0)
    top = max([most, *(value for named in series.values() for value in named.values())])
    if not top:
        return ""
    scale = _Scale(0.0, _end_of_axis(top))
    step = _SPAN / len(values)
    parts = [_frame(title, x_label, unit), *_ticks_y(scale)]
    every = max(1, ceil(len(values) / 14))
    room = max(4, int(every * step / 6.2))
    for i, label in enumerate(values):
        left, width = _LEFT + (i + 0.12) * step, step * 0.76 / len(series)
        for j, named in enumerate(series.values()):
            color = "c0" if before is None or j else "c1"
            parts.append(_bar(left + j * width, width, scale.y(named[label]), color, label, named))
            if not intervals and len(values) <= 14:
                middle = left + (j + 0.5) * width
                parts.append(_text(middle, scale.y(named[label]) - 4, _bar_label(named[label])))
        if intervals and label in intervals:
            parts.append(_whisker(_LEFT + (i + 0.5) * step, *map(scale.y, intervals[label])))
        if i % every == 0:
            parts.append(_text(_LEFT + (i + 0.5) * step, _FLOOR + 16, _shortened(label, room)))
    if before is None:
        return _svg(title, parts)
    for i, (name, color) in enumerate((("before", "c1"), ("after", "c0"))):
        parts.append(
            f'<rect x="{_LEFT + 90 * i}" y="{_HEIGHT - 4}" width="12" height="12" class="{color}"/>'
            f'<text x="{_LEFT + 90 * i + 18}" y="{_HEIGHT + 6}">{name}</text>'
        )
    return _svg(title, parts, below=16)


def _bar(
    x: float, width: float, y: float, color: str, label: str, values: Mapping[str, float]
) -> str:
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{_FLOOR - y:.1f}" '
        f'class="{color}"><title>{escape(label)}: {values[label]:,.6g}</title></rect>'
    )


def horizontal_bars(
    title: str, values: Mapping[str, float], unit: str, *, limit: float | None = None
) -> str:
    """Draw a chart with one bar per line, with the value after the bar.

    It is for labels that are too long to fit below a bar. `limit` is drawn as a vertical dashed
    line; a bar that extends beyond this line has another color.
    """
    top = _end_of_axis(max([*values.values(), limit or 0.0]) or 1.0)
    left, height = _WIDTH * 0.42, 20 * len(values)
    span = _WIDTH - left - 4 * _RIGHT
    parts = [f'<text x="{_RIGHT}" y="18" class="title">{escape(title)}</text>']
    floor = _TOP + height
    for mark in round_marks(0.0, top):
        x = left + span * mark / top
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{floor}" class="grid"/>')
        parts.append(_text(x, floor + 15, _tick_label(mark)))
    parts.append(_text(left + span / 2, floor + 32, unit))
    for i, (label, value) in enumerate(values.items()):
        y, width = _TOP + 20 * i, span * value / top
        color = "c1" if limit is not None and value > limit * (1 + 1e-9) else "c0"
        parts.append(
            f'<text x="{left - 6:.1f}" y="{y + 14}" text-anchor="end">'
            f"{escape(_shortened(label, 44))}</text>"
            f'<rect x="{left:.1f}" y="{y + 3}" width="{width:.1f}" height="14" class="{color}">'
            f"<title>{escape(label)}: {value:,.6g}</title></rect>"
            f'<text x="{left + width + 4:.1f}" y="{y + 14}">{value:,.3g}</text>'
        )
    if limit is not None:
        x = left + span * limit / top
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{floor}" class="limit"/>')
    return _svg(title, parts, below=floor + 40 - _HEIGHT)


def magnitudes(title: str, values: Mapping[str, float], unit: str) -> str:
    """Draw a chart with one point per label on a logarithmic axis.

    It is for values of different orders of magnitude: the length of a bar would have no meaning on
    such an axis. A zero has no point.
    """
    positive = [value for value in values.values() if value >= _LEAST]
    if not positive:
        return ""
    scale = _Scale(*_powers_around(positive), logarithmic=True)
    step = _SPAN / len(values)
    parts = [_frame(title, "", unit), *_ticks_y(scale)]
    every = max(1, ceil(len(values) / 14))
    room = max(4, int(every * step / 6.2))
    for i, (label, value) in enumerate(values.items()):
        middle = _LEFT + (i + 0.5) * step
        if value >= _LEAST:
            parts.append(
                f'<circle cx="{middle:.1f}" cy="{scale.y(value):.1f}" r="4.5" class="c0">'
                f"<title>{escape(label)}: {value:,.6g}</title></circle>"
            )
            parts.append(_text(middle, scale.y(value) - 8, f"{value:,.3g}"))
        if i % every == 0:
            parts.append(_text(middle, _FLOOR + 16, _shortened(label, room)))
    return _svg(title, parts)


def curves(
    title: str,
    series: Mapping[str, Sequence[tuple[float, float]]],
    x_label: str,
    y_label: str,
    *,
    shares: bool = False,
) -> str:
    """Draw lines through points on two logarithmic axes.

    Points outside 1e-6 to 1e13, zero included, are left out. The legend is below the chart. If
    `shares` is True, the values are cumulative percentages: the y axis is linear from 0 to 100, and
    each percentage holds until the next x.
    """
    kept = {
        name: [(x, y) for x, y in points if x > 0 and (shares or _LEAST <= y <= _MOST)]
        for name, points in series.items()
    }
    kept = {name: points for name, points in kept.items() if points}
    if not kept:
        return ""
    xs = [x for points in kept.values() for x, _ in points]
    low_x, top_x = min(xs), max(max(xs), min(xs) * 10)
    ys = [y for points in kept.values() for _, y in points]
    scale = _Scale(0.0, 100.0) if shares else _Scale(*_powers_around(ys), logarithmic=True)
    parts = [_frame(title, x_label, y_label), *_ticks_y(scale)]

    def across(x: float) -> float:
        return _LEFT + _SPAN * (log10(x) - log10(low_x)) / (log10(top_x) - log10(low_x))

    for power in range(ceil(log10(low_x) - 1e-9), floor(log10(top_x) + 1e-9) + 1):
        x = across(10.0**power)
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{_FLOOR}" class="grid"/>')
        parts.append(_text(x, _FLOOR + 16, _tick_label(10.0**power)))
    for i, (name, points) in enumerate(kept.items()):
        drawn = _in_steps(points, low_x, top_x) if shares else points
        line = " ".join(f"{across(x):.1f},{scale.y(y):.1f}" for x, y in drawn)
        color = f'class="line c{i % _COLORS}"'
        dash = (
            f' stroke-dasharray="{_LINE_DASHES[i % len(_LINE_DASHES)]}"'
            if i % len(_LINE_DASHES)
            else ""
        )
        parts.append(f'<polyline points="{line}" {color}{dash}/>')
        y = _HEIGHT + 16 * i
        parts.append(
            f'<line x1="{_LEFT}" x2="{_LEFT + 26}" y1="{y}" y2="{y}" {color}{dash}/>'
            f'<text x="{_LEFT + 32}" y="{y + 4}">{escape(name)}</text>'
        )
    return _svg(title, parts, below=16 * len(kept))


def _in_steps(
    points: Sequence[tuple[float, float]], low: float, top: float
) -> list[tuple[float, float]]:
    """The corners of a step curve that starts at 0 and ends level at its last percentage."""
    found, share = [(low, 0.0)], 0.0
    for x, y in points:
        found += [(x, share), (x, y)]
        share = y
    return [*found, (top, share)]


def scatter(
    title: str,
    points: Sequence[tuple[float, float]],
    marked: Sequence[tuple[float, float, str]],
    x_label: str,
    y_label: str,
    *,
    limit: float | None = None,
) -> str:
    """Draw points on two linear axes that start at zero.

    The marked points are joined by steps in the order of x, because no points lie between them, and
    have tooltips. `limit` is drawn as a horizontal dashed line.
    """
    if not marked:
        return ""
    every = [*points, *((x, y) for x, y, _ in marked)]
    top_x = _end_of_axis(max(x for x, _ in every) or 1.0)
    scale = _Scale(0.0, _end_of_axis(max(y for _, y in every) or 1.0))

    def at(x: float, y: float) -> tuple[float, float]:
        return _LEFT + _SPAN * x / top_x, scale.y(y)

    parts = [_frame(title, x_label, y_label), *_ticks_y(scale)]
    for mark in round_marks(0.0, top_x):
        x, _ = at(mark, 0.0)
        parts.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{_FLOOR}" y2="{_FLOOR + 5}" class="axis"/>'
        )
        parts.append(_text(x, _FLOOR + 17, _tick_label(mark)))
    parts += [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="1.6" class="dot"/>'
        for x, y in sorted({(round(x, 1), round(y, 1)) for x, y in (at(*p) for p in points)})
    ]
    if limit is not None and limit <= scale.top:
        y = scale.y(limit)
        parts.append(
            f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" class="limit"/>'
        )
    corners = _in_steps([(x, y) for x, y, _ in marked], marked[0][0], top_x)
    line = " ".join("{:.1f},{:.1f}".format(*at(x, y)) for x, y in corners[2:])
    parts.append(f'<polyline points="{line}" class="line c1"/>')
    for x, y, told in marked:
        cx, cy = at(x, y)
        parts.append(
            f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="4" class="c1">'
            f"<title>{escape(told)}</title></circle>"
        )
    return _svg(title, parts)


def round_marks(low: float, top: float) -> list[float]:
    """Axis marks from `low` to `top`: four to eight multiples of 1, 2 or 5 times a power of ten."""
    if top <= low:
        return [low]
    step = 10.0 ** floor(log10((top - low) / 4))
    step *= max(m for m in (1, 2, 5) if m == 1 or step * m <= (top - low) / 4 + 1e-12)
    first = ceil(low / step - 1e-9)
    return [round(i * step, 12) for i in range(first, floor(top / step + 1e-9) + 1)]


def _whisker(x: float, low: float, high: float) -> str:
    return (
        f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{low:.1f}" y2="{high:.1f}" class="whisker"/>'
        + "".join(
            f'<line x1="{x - 4:.1f}" x2="{x + 4:.1f}" y1="{y:.1f}" y2="{y:.1f}" class="whisker"/>'
            for y in (low, high)
        )
    )


def _end_of_axis(top: float) -> float:
    """The first round mark at or above the greatest value, with room for a label above a bar."""
    marks = round_marks(0.0, top)
    step = marks[1] if len(marks) > 1 else top
    return step * ceil(top / step - 1e-9)


def _powers_around(values: Sequence[float]) -> tuple[float, float]:
    """The powers of ten below the least and above the greatest value."""
    low, top = floor(log10(min(values)) + 1e-9), ceil(log10(max(values)) - 1e-9)
    return 10.0**low, 10.0 ** max(top, low + 1)


def _ticks_y(scale: _Scale) -> list[str]:
    if scale.logarithmic:
        powers = range(round(log10(scale.low)), round(log10(scale.top)) + 1)
        marks = [10.0**power for power in powers[:: max(1, len(powers) // 6)]]
    else:
        marks = round_marks(scale.low, scale.top)
    parts = []
    for mark in marks:
        y = scale.y(mark)
        parts.append(
            f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" class="grid"/>'
            f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{_tick_label(mark)}</text>'
        )
    return parts


def _text(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle">{escape(text)}</text>'


def _bar_label(value: float) -> str:
    """Format the value with one decimal; a value that is not zero is never shown as zero."""
    if 0 < value < 0.05:
        return "<0.1"
    return f"{value:,.0f}" if value in (0, 100) or value >= 1000 else f"{value:.1f}"


def _frame(title: str, x_label: str, y_label: str) -> str:
    return (
        f'<text x="{_LEFT}" y="18" class="title">{escape(title)}</text>'
        f'<text x="{_WIDTH / 2:.0f}" y="{_HEIGHT - 10}" text-anchor="middle">'
        f"{escape(x_label)}</text>"
        f'<text x="14" y="{_HEIGHT / 2:.0f}" text-anchor="middle" '
        f'transform="rotate(-90 14 {_HEIGHT / 2:.0f})">{escape(y_label)}</text>'
        f'<line x1="{_LEFT}" x2="{_LEFT}" y1="{_TOP}" y2="{_FLOOR}" class="axis"/>'
        f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{_FLOOR}" '
        f'y2="{_FLOOR}" class="axis"/>'
    )


def _svg(title: str, parts: list[str], below: int = 0) -> str:
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT + below}" role="img" aria-label="{escape(title)}" '
        f'xmlns="http://www.w3.org/2000/svg">{"".join(parts)}</svg>'
    )


def _tick_label(value: float) -> str:
    if not value:
        return "0"
    if value > 1e7:
        return f"{value:.0e}".replace("e+0", "e").replace("e+", "e")
    return f"{value:,.0f}" if value >= 1e5 else f"{value:,.6f}".rstrip("0").rstrip(".")


def _shortened(label: str, room: int) -> str:
    return label if len(label) <= room else label[: room - 1] + "…"
