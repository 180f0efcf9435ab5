"""Charts as SVG text, without a drawing library: bars, and curves on logarithmic axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import ceil, floor, log10

_WIDTH, _HEIGHT = 640, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 16, 30, 48
_LEAST, _MOST = 1e-6, 1e13
_COLORS = ("#1f5fa8", "#b5472f", "#3d8a55", "#8157a6", "#a8801f", "#4a4a4a")


def bars(
    title: str,
    values: Mapping[str, float],
    unit: str,
    x_label: str = "",
    *,
    logarithmic: bool = False,
    intervals: Mapping[str, tuple[float, float]] | None = None,
) -> str:
    """One bar per label, with its interval if it has one. On a logarithmic axis, zero has no
    bar."""
    if not values:
        return ""
    positive = [value for value in values.values() if value > 0]
    most = max((high for _, high in (intervals or {}).values()), default=0.0)
    top = max(*positive, most) if positive else 1.0
    low = 10.0 ** floor(log10(min(positive, default=1.0) / 1.5)) if logarithmic else 0.0
    span = _WIDTH - _LEFT - _RIGHT
    step = span / len(values)
    parts = [_frame(title, x_label, unit)]
    parts += _ticks_y(low, top, logarithmic)
    every = max(1, ceil(len(values) / 14))
    room = max(4, int(step / 6.2))
    for i, (label, value) in enumerate(values.items()):
        x = _LEFT + i * step
        height = _height(value, low, top, logarithmic)
        parts.append(
            f'<rect x="{x + step * 0.12:.1f}" y="{_HEIGHT - _BOTTOM - height:.1f}" '
            f'width="{step * 0.76:.1f}" height="{height:.1f}" fill="{_COLORS[0]}">'
            f"<title>{escape(label)}: {value:,.6g}</title></rect>"
        )
        if intervals and label in intervals:
            ends = [_height(end, low, top, logarithmic) for end in intervals[label]]
            parts.append(_whisker(x + step / 2, *(_HEIGHT - _BOTTOM - end for end in ends)))
        if i % every == 0:
            at = f'x="{x + step / 2:.1f}" y="{_HEIGHT - _BOTTOM + 16}"'
            parts.append(
                f'<text {at} text-anchor="middle">{escape(_shortened(label, room))}</text>'
            )
    return _svg(title, parts)


def curves(
    title: str,
    series: Mapping[str, Sequence[tuple[float, float]]],
    x_label: str,
    y_label: str,
) -> str:
    """Lines through points on two logarithmic axes. Points outside 1e-6 to 1e13, zero included, are
    left out. The legend is below the chart."""
    kept = {
        name: [(x, y) for x, y in points if x > 0 and _LEAST <= y <= _MOST]
        for name, points in series.items()
    }
    kept = {name: points for name, points in kept.items() if points}
    if not kept:
        return ""
    xs = [x for points in kept.values() for x, _ in points]
    ys = [y for points in kept.values() for _, y in points]
    low_x, top_x = min(xs), max(max(xs), min(xs) * 10)
    low_y, top_y = min(ys), max(max(ys), min(ys) * 1.01)
    parts = [_frame(title, x_label, y_label), *_ticks_y(low_y, top_y, True)]
    span = _WIDTH - _LEFT - _RIGHT
    for power in range(ceil(log10(low_x) - 1e-9), floor(log10(top_x) + 1e-9) + 1):
        x = _LEFT + span * (power - log10(low_x)) / (log10(top_x) - log10(low_x))
        parts.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{_HEIGHT - _BOTTOM}" class="grid"/>'
            f'<text x="{x:.1f}" y="{_HEIGHT - _BOTTOM + 16}" text-anchor="middle">'
            f"{_tick_label(10.0**power)}</text>"
        )
    for i, (name, points) in enumerate(kept.items()):
        points_text = " ".join(
            f"{_LEFT + span * (log10(x) - log10(low_x)) / (log10(top_x) - log10(low_x)):.1f},"
            f"{_HEIGHT - _BOTTOM - _height(y, low_y, top_y, True):.1f}"
            for x, y in points
        )
        color = _COLORS[i % len(_COLORS)]
        parts.append(
            f'<polyline points="{points_text}" fill="none" stroke="{color}" stroke-width="2"/>'
        )
        parts.append(
            f'<rect x="{_LEFT}" y="{_HEIGHT + 16 * i - 2}" width="14" height="3" fill="{color}"/>'
            f'<text x="{_LEFT + 20}" y="{_HEIGHT + 16 * i + 3}">{escape(name)}</text>'
        )
    return _svg(title, parts, below=16 * len(kept))


def scatter(
    title: str,
    points: Sequence[tuple[float, float]],
    marked: Sequence[tuple[float, float, str]],
    x_label: str,
    y_label: str,
    *,
    limit: float | None = None,
) -> str:
    """Points on two linear axes from zero, and marked ones joined by a line, each with a tooltip.
    `limit` is drawn across as a dashed line."""
    if not marked:
        return ""
    every = [*points, *((x, y) for x, y, _ in marked)]
    top_x = max(x for x, _ in every) or 1.0
    top_y = max(y for _, y in every) or 1.0
    span, room = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM

    def at(x: float, y: float) -> tuple[float, float]:
        return _LEFT + span * x / top_x, _HEIGHT - _BOTTOM - room * y / top_y

    parts = [_frame(title, x_label, y_label), *_ticks_y(0.0, top_y, False)]
    for mark in round_marks(0.0, top_x):
        x, bottom = at(mark, 0.0)
        parts.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{bottom:.1f}" y2="{bottom + 5:.1f}" '
            f'class="axis"/><text x="{x:.1f}" y="{bottom + 17:.1f}" text-anchor="middle">'
            f"{_tick_label(mark)}</text>"
        )
    parts += [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="1.6" class="dot"/>'
        for x, y in sorted({(round(x, 1), round(y, 1)) for x, y in (at(*p) for p in points)})
    ]
    if limit is not None and limit <= top_y:
        _, y = at(0.0, limit)
        parts.append(
            f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" class="limit"/>'
        )
    line = " ".join("{:.1f},{:.1f}".format(*at(x, y)) for x, y, _ in marked)
    parts.append(f'<polyline points="{line}" fill="none" stroke="{_COLORS[1]}" stroke-width="2"/>')
    for x, y, told in marked:
        cx, cy = at(x, y)
        parts.append(
            f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="4" fill="{_COLORS[1]}">'
            f"<title>{escape(told)}</title></circle>"
        )
    return _svg(title, parts)


def round_marks(low: float, top: float) -> list[float]:
    """Four to eight multiples of 1, 2 or 5 times a power of ten from `low` to `top`."""
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


def _height(value: float, low: float, top: float, logarithmic: bool) -> float:
    room = _HEIGHT - _TOP - _BOTTOM
    if not logarithmic:
        return room * value / top if top else 0.0
    if value <= 0 or low >= top:
        return 0.0 if value <= 0 else room
    return max(1.0, room * (log10(max(value, low)) - log10(low)) / (log10(top) - log10(low)))


def _ticks_y(low: float, top: float, logarithmic: bool) -> list[str]:
    if logarithmic:
        powers = range(ceil(log10(low) - 1e-9), floor(log10(top) + 1e-9) + 1)
        step = max(1, len(powers) // 6)
        marks = [10.0**power for power in powers[::step]]
        if len(powers) <= 2:
            marks = [m * mark for mark in (low_power(low), *marks) for m in (1, 2, 5)]
            marks = [mark for mark in dict.fromkeys(marks) if low <= mark <= top]
    else:
        marks = [mark for mark in round_marks(low, top) if mark > 0]
    parts = []
    for mark in marks:
        y = _HEIGHT - _BOTTOM - _height(mark, low, top, logarithmic)
        parts.append(
            f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" class="grid"/>'
            f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{_tick_label(mark)}</text>'
        )
    return parts


def _frame(title: str, x_label: str, y_label: str) -> str:
    return (
        f'<text x="{_LEFT}" y="18" class="title">{escape(title)}</text>'
        f'<text x="{_WIDTH / 2:.0f}" y="{_HEIGHT - 10}" text-anchor="middle">'
        f"{escape(x_label)}</text>"
        f'<text x="14" y="{_HEIGHT / 2:.0f}" text-anchor="middle" '
        f'transform="rotate(-90 14 {_HEIGHT / 2:.0f})">{escape(y_label)}</text>'
        f'<line x1="{_LEFT}" x2="{_LEFT}" y1="{_TOP}" y2="{_HEIGHT - _BOTTOM}" class="axis"/>'
        f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{_HEIGHT - _BOTTOM}" '
        f'y2="{_HEIGHT - _BOTTOM}" class="axis"/>'
    )


def _svg(title: str, parts: list[str], below: int = 0) -> str:
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT + below}" role="img" aria-label="{escape(title)}" '
        f'xmlns="http://www.w3.org/2000/svg">{"".join(parts)}</svg>'
    )


def low_power(low: float) -> float:
    """The power of ten at or below a number."""
    return float(10.0 ** floor(log10(low) + 1e-9))


def _tick_label(value: float) -> str:
    if not value:
        return "0"
    if value > 1e5 or value < 1e-3:
        return f"{value:.0e}".replace("e+0", "e").replace("e-0", "e-")
    return f"{value:,.6g}"


def _shortened(label: str, room: int) -> str:
    return label if len(label) <= room else label[: room - 1] + "…"
