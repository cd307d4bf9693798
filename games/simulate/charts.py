"""Charts as inline SVG, with widths as percentages and heights in pixels: text keeps its size on any screen.

Colours are CSS classes (`report.css`): `a` and `b` for the sides, `line`, `even`. Every chart has a label for
screen readers, and every bar has a title as its tooltip.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final, NamedTuple

from games.simulate.estimates import Bins, Interval
from games.simulate.figures import Spread

SIDES: Final = ("a", "b")
QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
_BARS: Final = 120
"""The height of a histogram's bars in pixels."""


class Series(NamedTuple):
    """One side of a histogram: the counts of its bars, and the distribution drawn below."""

    counts: Sequence[int]
    spread: Spread


def _percent(part: float) -> str:
    return f"{100 * part:.2f}%"


def _number(value: float) -> str:
    return f"{value:,.10g}"


def _svg(height: int, label: str, body: Sequence[str], kind: str) -> str:
    return (
        f'<svg class="{kind}" width="100%" height="{height}" role="img" aria-label="{escape(label)}">'
        f"{''.join(body)}</svg>"
    )


def histogram(bars: Bins, series: Sequence[Series], label: str, unit: str) -> str:
    """The share of games per value, above a box of the 5, 25, 50, 75 and 95% quantiles."""
    shares = [[count / max(1, sum(side.counts)) for count in side.counts] for side in series]
    highest = max(max(side_shares) for side_shares in shares)
    slots = max(bars.size, 9)  # so that a few bars do not become too wide
    margin = (slots - bars.size) / 2
    width = 1 / slots
    body = []
    for index, (side, parts) in enumerate(zip(series, shares, strict=True)):
        thin = 0.78 * width / len(series)
        for place, part in enumerate(parts):
            if not part:
                continue
            x = (margin + place) * width + 0.11 * width + index * thin
            height = max(1.5, _BARS * part / highest)
            low = bars.low + place * bars.width
            span = _number(low) if bars.whole else f"{_number(low)} to {_number(low + bars.width)}"
            body.append(
                f'<rect class="{SIDES[index]}" x="{_percent(x)}" width="{_percent(thin)}" '
                f'y="{8 + _BARS - height:.1f}" height="{height:.1f}" rx="2"><title>{span} {escape(unit)}: '
                f"{100 * part:.1f}% ({side.counts[place]:,})</title></rect>"
            )
    base = 8 + _BARS
    body.append(f'<line class="line" x1="0" x2="100%" y1="{base}" y2="{base}"/>')
    step = max(1, -(-bars.size // 7))
    for place in range(0, bars.size if bars.whole else bars.size + 1, step):
        x = (margin + place + (0.5 if bars.whole else 0)) * width
        anchor = "start" if x < 0.03 else "end" if x > 0.97 else "middle"
        body.append(
            f'<text x="{_percent(x)}" y="{base + 18}" text-anchor="{anchor}">'
            f"{_number(bars.low + place * bars.width)}</text>"
        )

    def place_of(value: float) -> float:
        return (margin + (value - bars.low) / bars.width + (0.5 if bars.whole else 0)) * width

    y = base + 36
    for index, side in enumerate(series):
        p5, p25, p50, p75, p95 = (_percent(place_of(side.spread.quantile(q))) for q in QUANTILES)
        kind = SIDES[index]
        body.append(
            f'<g class="{kind}"><title>half the games: {_number(round(side.spread.quantile(0.25), 2))} to '
            f"{_number(round(side.spread.quantile(0.75), 2))} {escape(unit)}</title>"
            f'<line class="thin" x1="{p5}" x2="{p95}" y1="{y}" y2="{y}"/>'
            f'<line class="thick" x1="{p25}" x2="{p75}" y1="{y}" y2="{y}"/>'
            f'<circle class="dot" cx="{p50}" cy="{y}" r="5"/></g>'
        )
        y += 16
    return _svg(y - 4, label, body, "histogram")


def intervals(sides: Sequence[Interval | None], most: float, even: Sequence[float], label: str) -> str:
    """An estimate with its interval for each side, on a scale from 0 to `most`; the even rate is dashed."""
    height = 16 * len(sides) + 8
    body = [f'<rect class="track" x="0" y="4" width="100%" height="{16 * len(sides)}" rx="4"/>']
    for index, interval in enumerate(sides):
        y = 12 + 16 * index
        if index < len(even):
            x = _percent(even[index] / most)
            body.append(f'<line class="even" x1="{x}" x2="{x}" y1="{y - 8}" y2="{y + 8}"/>')
        if interval is None:
            continue
        low, value, high = (_percent(part / most) for part in (interval.low, interval.value, interval.high))
        body.append(
            f'<g class="{SIDES[index]}"><line class="thick" x1="{low}" x2="{high}" y1="{y}" y2="{y}"/>'
            f'<circle class="dot" cx="{value}" cy="{y}" r="5"/></g>'
        )
    return _svg(height, label, body, "strip")


def bars(parts: Sequence[tuple[float, float]], most: float, label: str) -> str:
    """A bar for each side on a scale from 0 to `most`; the second number is the size of its pale part."""
    body = []
    for index, (value, pale) in enumerate(parts):
        y, kind = 3 + 15 * index, SIDES[index]
        body.append(f'<rect class="track" x="0" y="{y}" width="100%" height="12" rx="3"/>')
        body.append(
            f'<rect class="{kind}" x="0" y="{y}" width="{_percent(value / most)}" height="12" rx="3"/>'
        )
        if pale:
            body.append(
                f'<rect class="pale" x="{_percent((value - pale) / most)}" y="{y}" '
                f'width="{_percent(pale / most)}" height="12" rx="3"/>'
            )
    return _svg(15 * len(parts) + 3, label, body, "strip")


def stack(parts: Sequence[tuple[str, str, float]], label: str) -> str:
    """One bar divided into named shares: (class, name, share)."""
    body, x = [], 0.0
    for kind, name, share in parts:
        if share:
            body.append(
                f'<rect class="{kind}" x="{_percent(x)}" y="0" width="{_percent(share)}" height="26">'
                f"<title>{escape(name)}: {100 * share:.1f}%</title></rect>"
            )
        x += share
    return _svg(26, label, body, "stack")


def change(of: Interval, clear: bool, label: str) -> str:
    """A difference with its interval, on its own scale around 0."""
    reach = max(abs(of.low), abs(of.high), 1e-12) * 1.1
    low, value, high = (_percent(0.5 + part / (2 * reach)) for part in (of.low, of.value, of.high))
    kind = "clear" if clear else "unclear"
    body = [
        '<rect class="track" x="0" y="4" width="100%" height="16" rx="4"/>',
        '<line class="zero" x1="50%" x2="50%" y1="1" y2="23"/>',
        f'<g class="{kind}"><line class="thick" x1="{low}" x2="{high}" y1="12" y2="12"/>'
        f'<circle class="dot" cx="{value}" cy="12" r="5"/></g>',
    ]
    return _svg(24, label, body, "strip")


def columns(names: Sequence[str], series: Sequence[Sequence[int]], label: str) -> str:
    """Small labelled columns: how often each value was chosen."""
    shares = [[count / max(1, sum(counts)) for count in counts] for counts in series]
    highest = max(max(side_shares) for side_shares in shares) or 1.0
    slots = max(len(names), 6)
    width = 1 / slots
    interval = max(1, -(-len(names) // 12))
    body = []
    for index, parts in enumerate(shares):
        thin = 0.8 * width / len(series)
        for place, part in enumerate(parts):
            height = max(1.0, 64 * part / highest) if part else 0
            x = (place + 0.1) * width + index * thin
            body.append(
                f'<rect class="{SIDES[index]}" x="{_percent(x)}" width="{_percent(thin)}" '
                f'y="{70 - height:.1f}" height="{height:.1f}" rx="2">'
                f"<title>{escape(names[place])}: {100 * part:.1f}%</title></rect>"
            )
    body.append(f'<line class="line" x1="0" x2="{_percent(len(names) * width)}" y1="70" y2="70"/>')
    body += [
        f'<text x="{_percent((place + 0.5) * width)}" y="86" text-anchor="middle">{escape(name)}</text>'
        for place, name in enumerate(names)
        if place % interval == 0
    ]
    return _svg(92, label, body, "columns")
