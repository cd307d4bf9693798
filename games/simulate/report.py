"""The report as one self-contained HTML file without scripts or external resources, in light and dark.

Its bytes depend only on the rows. Sections: what stands out, all differences (for two sides), length,
winning, score, options, moves, dead ends, reading notes, and the command that replays the same games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

from games.simulate import cards, figures, markup
from games.simulate.figures import Report, SideReport, format_value
from games.simulate.findings import findings
from games.simulate.plan import SIDES, command
from games.simulate.plan import spread as options_of
from games.simulate.playing import Row

STYLE: Final = Path(__file__).parent / "report.css"
SIGNS: Final = {"calm": "✓", "notable": "→", "alarm": "!"}

READING: Final = (
    (
        "Turn",
        "A step in which at least one seat moved. Seats that are asked at the same time, as for sealed "
        "choices, move in the same turn.",
    ),
    (
        "Minutes",
        "Bots need no time to think. “At full length” is how long a game lasts if every window runs to its "
        "end: the maximum under the rules, apart from extensions and untimed waits.",
    ),
    ("Win", "A win shared by several seats is split: each of k winners counts 1/k."),
    (
        "Even rate",
        "Every seat’s win rate if all were equal: the share of games with a winner, divided by the seats.",
    ),
    (
        "Interval",
        "95% confidence: Wilson’s for proportions, the normal interval for means; for differences, "
        "Newcombe’s and Welch’s. About one in twenty such intervals misses the true value. "
        "pp: percentage points.",
    ),
    (
        "Explained",
        "The share of the variation between games that an option accounts for (epsilon squared, 0 to 100%), "
        "corrected for chance.",
    ),
    ("Forced", "A move made when no other was possible, apart from moves that only affect timers."),
    ("Seats", "Numbered clockwise from 0. The levels rotate by one seat from game to game."),
)


def page(report: Report, version: str) -> str:
    """The HTML file. `version` is Parley's, for the footer."""
    title = report.entry.game.title
    body = "\n".join(_sections(report))
    source = f"Parley {version}, rules of {report.entry.game.key} version {report.entry.game.version}"
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{escape(title)}: {report.games:,} simulated games</title>
<style>
{STYLE.read_text(encoding="utf-8")}</style>
</head>
<body>
{_header(report)}
<main>
{body}
<footer>{escape(source)}. This page is a single file and needs no network.</footer>
</main>
</body>
</html>
"""


def _header(report: Report) -> str:
    plan = report.plan
    chips = []
    for index, side in enumerate(report.sides):
        words = [f"{side.seats} seats", ", ".join(dict.fromkeys(side.levels)), *_option_chips(report, index)]
        mark = markup.key(index) + f"<b>{SIDES[index]}</b> " if len(report.sides) > 1 else ""
        first, *more = words
        chips.append(f"<li>{mark}{escape(first)}</li>")
        chips += [f"<li>{escape(word)}</li>" for word in more]
        if index + 1 < len(report.sides):
            chips.append("</ul><ul class='chips'>")
    if len(report.sides) > 1:
        lead = (
            f"<b>{report.games:,}</b> games between bots: "
            f"A, {escape(report.sides[0].title)}, against B, {escape(report.sides[1].title)}"
        )
    else:
        lead = f"<b>{report.games:,}</b> games between bots"
    unfinished = "" if report.games == plan.total else f" of the {plan.total:,} requested"
    return (
        f'<header><div><p class="eyebrow">Simulation</p><h1>{escape(report.entry.game.title)}</h1>'
        f'<p class="lead">{lead}{unfinished}</p><ul class="chips">{"".join(chips)}</ul></div></header>'
    )


def _option_chips(report: Report, index: int) -> list[str]:
    options = options_of(report.plan.sides[index])
    return options.split(",") if options else ["usual options"]


def _sections(report: Report) -> Iterator[str]:
    yield _tiles(report)
    signs = "".join(
        f'<li class="{finding.tone}"><span class="sign" aria-hidden="true">{SIGNS[finding.tone]}</span>'
        f"<span>{escape(finding.text)}</span></li>"
        for finding in findings(report)
    )
    yield f'<section class="card"><h3>What stands out</h3><ul class="findings">{signs}</ul></section>'
    if len(report.sides) > 1:
        yield "<h2>A against B</h2>"
        yield cards.differences(report)
    if all(side.ended for side in report.sides):
        yield "<h2>Length</h2>"
        yield markup.cards([cards.turns(report), cards.minutes(report)])
        yield "<h2>Winning</h2>"
        yield markup.cards([cards.seats(report), cards.levels(report)])
        if all(any(key.startswith("character:") for key in side.figures) for side in report.sides):
            yield "<h2>Characters</h2>"
            yield markup.cards([cards.characters(report)])
        yield "<h2>Score</h2>"
        yield markup.cards([cards.scores(report), cards.margins(report)])
    effects = [(index, effect) for index, side in enumerate(report.sides) for effect in side.effects]
    if effects:
        yield "<h2>The effect of options</h2>"
        yield markup.cards([cards.effect(report, index, effect) for index, effect in effects])
    yield "<h2>Moves</h2>"
    yield markup.cards([cards.moves(report), *cards.value_cards(report)], "flow")
    yield "<h2>Dead ends</h2>"
    yield markup.cards([cards.dead_ends(report), cards.windows(report)])
    yield "<h2>How to read this</h2>"
    yield _reading(report)


# --- at a glance ---


class Glance(NamedTuple):
    """The content of a tile for one side."""

    value: str
    more: str


def _tiles(report: Report) -> str:
    least, most = report.entry.game.minutes
    tiles: list[tuple[str, Callable[[SideReport], Glance | None]]] = [
        ("Turns per game", lambda side: _middle(side, figures.turns)),
        (
            "Minutes at full length",
            lambda side: _middle(side, figures.minutes, f"the game states {least}–{most}"),
        ),
        ("Games with a winner", _count_won),
        ("Best seat", lambda side: _best(side, "seat:")),
        ("Best level", lambda side: _best(side, "level:") if len(set(side.levels)) > 1 else None),
        ("Reached an outcome", _count_finished),
    ]
    shown_tiles = []
    for name, of in tiles:
        glances = [
            (index, glance) for index, side in enumerate(report.sides) if (glance := of(side)) is not None
        ]
        if not glances:
            continue
        lines = "".join(
            f'<span class="value">{markup.key(index) if len(report.sides) > 1 else ""}{glance.value}</span>'
            f'<span class="more">{escape(glance.more)}</span>'
            for index, glance in glances
        )
        shown_tiles.append(f'<div class="tile"><span class="name">{name}</span>{lines}</div>')
    return f'<div class="tiles">{"".join(shown_tiles)}</div>'


def _middle(side: SideReport, of: Callable[[Row], float], more: str | None = None) -> Glance | None:
    spread = side.spread(of)
    if spread is None:
        return None
    low, high = markup.format_number(spread.quantile(0.05)), markup.format_number(spread.quantile(0.95))
    usual = f"always {low}" if low == high else f"usually {low}–{high}"
    return Glance(markup.format_number(spread.quantile(0.5)), more if more is not None else usual)


def _count_won(side: SideReport) -> Glance | None:
    nobody, tied = side.figures.get("nobody"), side.figures.get("tied")
    if nobody is None or tied is None:
        return None
    return Glance(
        markup.format_share(1 - nobody.interval.value),
        f"shared: {format_value('share', tied.interval.value)}",
    )


def _best(side: SideReport, start: str) -> Glance | None:
    candidates = [figure for key, figure in side.figures.items() if key.startswith(start)]
    if not candidates:
        return None
    best = max(candidates, key=lambda figure: figure.interval.value)
    name = best.label.removesuffix(" wins")
    return Glance(
        format_value("share", best.interval.value), f"{name}; even: {format_value('share', side.even)}"
    )


def _count_finished(side: SideReport) -> Glance:
    unfinished = len(side.rows) - len(side.ended)
    return Glance(
        markup.format_share(len(side.ended) / len(side.rows)),
        f"{unfinished:,} did not" if unfinished else "every game",
    )


# --- the end ---


def _reading(report: Report) -> str:
    terms = "".join(f"<div><dt>{name}</dt><dd>{text}</dd></div>" for name, text in READING)
    return (
        f'<section class="card"><h3>Terms</h3><dl class="fine">{terms}</dl>'
        f"<h3>Play the same games again</h3><pre>{escape(command(report.plan))}</pre></section>"
    )
