"""HTML fragments of the report: cards, rows with a chart, tables, legends and rounded numbers.

A card's title and a row's name are plain text; all other text passed in must already be HTML.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from games.simulate import charts
from games.simulate.figures import Report
from games.simulate.plan import SIDES


def key(index: int) -> str:
    """A marker in the colour of side `index`."""
    return f'<span class="key {charts.SIDES[index]}"></span>'


def legend(report: Report, *more: str) -> str:
    """A legend with the names of the sides and any other symbols in the chart."""
    sides = (
        [f"<span>{key(i)}{SIDES[i]}: {escape(side.title)}</span>" for i, side in enumerate(report.sides)]
        if len(report.sides) > 1
        else []
    )
    words = [*sides, *(f"<span>{word}</span>" for word in more)]
    return f'<div class="legend">{"".join(words)}</div>' if words else ""


def card(title: str, about: str, *body: str) -> str:
    paragraph = f"<p>{about}</p>" if about else ""
    return f'<section class="card"><h3>{escape(title)}</h3>{paragraph}{"".join(body)}</section>'


def row(name: str, chart: str, values: Sequence[tuple[str, str]]) -> str:
    """A chart between its name and its values; each value has a small note."""
    cells = "".join(f"<div>{value}{f'<small>{more}</small>' if more else ''}</div>" for value, more in values)
    value = f'<div class="value">{cells}</div>'
    return f'<div class="row"><div class="name">{escape(name)}</div>{chart}{value}</div>'


def table(heads: str, lines: Iterable[str], kind: str = "") -> str:
    """A table; `heads` are cells, `lines` are rows, and `kind` is a CSS class."""
    return (
        f'<div class="scroll"><table class="{kind}"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def rows(of: Iterable[str]) -> str:
    return f'<div class="rows">{"".join(of)}</div>'


def cards(of: Iterable[str], kind: str = "cards") -> str:
    return f'<div class="{kind}">{"".join(of)}</div>'


def format_number(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() or value >= 100 else f"{value:.1f}"


def format_share(share: float) -> str:
    """A rounded proportion; 100% only if it is exactly 1."""
    return "100%" if share == 1 else f"{min(99.9, 100 * share):.1f}%"
