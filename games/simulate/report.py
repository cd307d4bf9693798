"""One HTML file with everything in it: no script, no font, no picture from anywhere, light and dark.

Its bytes depend on the rows alone. Sections: what stands out, (of two sides) every difference, length,
winning, score, options, moves, dead ends, how to read it, and the command that plays the same games again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

from games.simulate import charts, estimates, figures
from games.simulate.charts import Series
from games.simulate.figures import (
    BY_OPTION,
    GROUPS,
    Difference,
    Effect,
    Figure,
    Report,
    Said,
    SideReport,
    between,
    shown,
)
from games.simulate.findings import findings
from games.simulate.plan import SIDES, command, written
from games.simulate.plan import spread as options_of
from games.simulate.playing import Row

STYLE: Final = Path(__file__).parent / "report.css"
SIGNS: Final = {"calm": "✓", "look": "→", "alarm": "!"}
MOST_VALUES: Final = 40
"""Fields with more values than this are told in a sentence, not drawn."""

READING: Final = (
    (
        "Turn",
        "A time at which at least one seat moved. All seats that are asked at once, as for sealed choices, "
        "move in one turn.",
    ),
    (
        "Minutes",
        "Bots need no time to think. “If all take their time” is how long a game lasts when every window "
        "runs to its end: the longest the rules allow, extensions and waits without a clock aside.",
    ),
    ("Win", "A win shared by several seats is split: each of k winners counts 1/k."),
    (
        "Even rate",
        "What every seat would win if all were equal: the games somebody won, divided by the seats.",
    ),
    (
        "Interval",
        "95 %: Wilson’s for shares, the normal one for means. Differences: Newcombe’s for shares, Welch’s "
        "for means. Of twenty such intervals about one misses the truth. pp: percentage points.",
    ),
    (
        "Explained",
        "How much of what differs between games goes with an option (epsilon squared, 0 to 100 %). What "
        "chance alone would give is taken off.",
    ),
    ("Forced", "A move made when nothing else was offered, timers aside."),
    ("Seats", "They are numbered clockwise from 0. Levels move on by one seat from game to game."),
)


def page(report: Report, version: str) -> str:
    """The whole file. `version` is that of Parley, for the foot of the page."""
    title = report.entry.game.title
    body = "\n".join(_sections(report))
    made = f"Parley {version}, rules of {report.entry.game.key} version {report.entry.game.version}"
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
<footer>{escape(made)}. This page is one file and needs no network.</footer>
</main>
</body>
</html>
"""


# --- pieces ---


def _header(report: Report) -> str:
    plan = report.plan
    chips = []
    for index, side in enumerate(report.sides):
        words = [f"{side.seats} seats", ", ".join(dict.fromkeys(side.levels)), *_options(report, index)]
        mark = _key(index) + f"<b>{SIDES[index]}</b> " if len(report.sides) > 1 else ""
        first, *more = words
        chips.append(f"<li>{mark}{escape(first)}</li>")
        chips += [f"<li>{escape(word)}</li>" for word in more]
        if index + 1 < len(report.sides):
            chips.append("</ul><ul class='chips'>")
    if len(report.sides) > 1:
        lead = (
            f"<b>{report.games:,}</b> games of bots against bots: "
            f"A, {escape(report.sides[0].title)}, against B, {escape(report.sides[1].title)}"
        )
    else:
        lead = f"<b>{report.games:,}</b> games of bots against bots"
    unfinished = "" if report.games == plan.total else f" of the {plan.total:,} that were asked for"
    return (
        f'<header><div><p class="eyebrow">Simulation</p><h1>{escape(report.entry.game.title)}</h1>'
        f'<p class="lead">{lead}{unfinished}</p><ul class="chips">{"".join(chips)}</ul></div></header>'
    )


def _options(report: Report, index: int) -> list[str]:
    given = options_of(report.plan.sides[index])
    return given.split(",") if given else ["usual options"]


def _key(index: int) -> str:
    return f'<span class="key {charts.SIDES[index]}"></span>'


def _legend(report: Report, *more: str) -> str:
    """Which side is which, and further words of a chart."""
    sides = (
        [f"<span>{_key(i)}{SIDES[i]}: {escape(side.title)}</span>" for i, side in enumerate(report.sides)]
        if len(report.sides) > 1
        else []
    )
    words = [*sides, *(f"<span>{word}</span>" for word in more)]
    return f'<div class="legend">{"".join(words)}</div>' if words else ""


def _card(title: str, about: str, *body: str) -> str:
    told = f"<p>{about}</p>" if about else ""
    return f'<section class="card"><h3>{escape(title)}</h3>{told}{"".join(body)}</section>'


def _row(name: str, chart: str, values: Sequence[tuple[str, str]]) -> str:
    told = "".join(f"<div>{value}{f'<small>{more}</small>' if more else ''}</div>" for value, more in values)
    return (
        f'<div class="row"><div class="name">{escape(name)}</div>{chart}<div class="value">{told}</div></div>'
    )


def _table(heads: str, lines: Iterable[str], kind: str = "") -> str:
    return (
        f'<div class="scroll"><table class="{kind}"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def _rows(rows: Iterable[str]) -> str:
    return f'<div class="rows">{"".join(rows)}</div>'


def _cards(cards: Sequence[str], kind: str = "cards") -> str:
    return f'<div class="{kind}">{"".join(cards)}</div>'


def _sections(report: Report) -> Iterator[str]:
    yield _tiles(report)
    signs = "".join(
        f'<li class="{one.tone}"><span class="sign" aria-hidden="true">{SIGNS[one.tone]}</span>'
        f"<span>{escape(one.text)}</span></li>"
        for one in findings(report)
    )
    yield f'<section class="card"><h3>What stands out</h3><ul class="findings">{signs}</ul></section>'
    if len(report.sides) > 1:
        yield "<h2>A against B</h2>"
        yield _differences(report)
    if all(side.ended for side in report.sides):
        yield "<h2>Length</h2>"
        yield _cards([_turns(report), _minutes(report)])
        yield "<h2>Winning</h2>"
        yield _cards([_seats(report), _levels(report)])
        yield "<h2>Score</h2>"
        yield _cards([_scores(report), _margins(report)])
    effects = [(index, one) for index, side in enumerate(report.sides) for one in side.effects]
    if effects:
        yield "<h2>What the options do</h2>"
        yield _cards([_effect(report, index, one) for index, one in effects])
    yield "<h2>Moves</h2>"
    yield _cards([_moves(report), *_said(report)], "flow")
    yield "<h2>Dead ends</h2>"
    yield _cards([_dead_ends(report), _windows(report)])
    yield "<h2>How to read this</h2>"
    yield _reading(report)


# --- at a glance ---


class Glance(NamedTuple):
    """What a tile says of one side."""

    value: str
    more: str


def _tiles(report: Report) -> str:
    least, most = report.entry.game.minutes
    tiles: list[tuple[str, Callable[[SideReport], Glance | None]]] = [
        ("Turns in a game", lambda side: _middle(side, figures.turns)),
        (
            "Minutes, if all take their time",
            lambda side: _middle(side, figures.minutes, f"the game says {least}–{most}"),
        ),
        ("Somebody wins", _somebody),
        ("Best seat", lambda side: _best(side, "seat:")),
        ("Best level", lambda side: _best(side, "level:") if len(set(side.levels)) > 1 else None),
        ("Came to an outcome", _finished),
    ]
    shown_tiles = []
    for name, of in tiles:
        found = [
            (index, glance) for index, side in enumerate(report.sides) if (glance := of(side)) is not None
        ]
        if not found:
            continue
        lines = "".join(
            f'<span class="value">{_key(index) if len(report.sides) > 1 else ""}{glance.value}</span>'
            f'<span class="more">{escape(glance.more)}</span>'
            for index, glance in found
        )
        shown_tiles.append(f'<div class="tile"><span class="name">{name}</span>{lines}</div>')
    return f'<div class="tiles">{"".join(shown_tiles)}</div>'


def _middle(side: SideReport, of: Callable[[Row], float], more: str | None = None) -> Glance | None:
    spread = side.spread(of)
    if spread is None:
        return None
    low, high = _brief(spread.at(0.05)), _brief(spread.at(0.95))
    usual = f"always {low}" if low == high else f"most: {low}–{high}"
    return Glance(_brief(spread.at(0.5)), more if more is not None else usual)


def _brief(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() or value >= 100 else f"{value:.1f}"


def _whole(share: float) -> str:
    """A share in few digits: 100 % only where it is all."""
    return "100 %" if share == 1 else f"{min(99.9, 100 * share):.1f} %"


def _somebody(side: SideReport) -> Glance | None:
    nobody, tied = side.figures.get("nobody"), side.figures.get("tied")
    if nobody is None or tied is None:
        return None
    return Glance(_whole(1 - nobody.interval.value), f"together: {shown('share', tied.interval.value)}")


def _best(side: SideReport, start: str) -> Glance | None:
    found = [one for key, one in side.figures.items() if key.startswith(start)]
    if not found:
        return None
    best = max(found, key=lambda one: one.interval.value)
    name = best.label.removesuffix(" wins")
    return Glance(shown("share", best.interval.value), f"{name}; even: {shown('share', side.even)}")


def _finished(side: SideReport) -> Glance:
    left = len(side.rows) - len(side.ended)
    return Glance(_whole(len(side.ended) / len(side.rows)), f"{left:,} did not" if left else "every game")


# --- length and score ---


def _spread_card(
    report: Report, title: str, about: str, unit: str, of: Callable[[SideReport], tuple[float, ...]], key: str
) -> str:
    """A histogram with its quantiles and mean, of values of the games that ended."""
    values = [of(side) for side in report.sides]
    every = [value for one in values for value in one]
    if min(every) == max(every):
        return _card(title, about, f"<p>Always {_brief(every[0])} {escape(unit)}.</p>")
    bins = estimates.bins(every)
    spreads = [figures.Spread(tuple(sorted(one))) for one in values]
    series = [Series(bins.fill(one), spread) for one, spread in zip(values, spreads, strict=True)]
    chart = charts.histogram(bins, series, f"{title}: how often each value came", unit)
    heads = "".join(f"<th>{head}</th>" for head in ("mean", "5 %", "25 %", "half", "75 %", "95 %"))
    lines = []
    for index, (side, spread) in enumerate(zip(report.sides, spreads, strict=True)):
        mark = _key(index) if len(report.sides) > 1 else ""
        figure = side.figures[key].interval
        cells = "".join(f"<td>{shown('number', spread.at(q))}</td>" for q in charts.QUANTILES)
        half = shown("number", (figure.high - figure.low) / 2)
        mean = f"{mark}{shown('number', figure.value)} <small>±{half}</small>"
        lines.append(f"<tr><th>{mean}</th>{cells}</tr>")
    table = _table(heads, lines, "quantiles")
    return _card(title, about, chart, _legend(report), table)


def _turns(report: Report) -> str:
    return _spread_card(
        report,
        "Turns",
        "How many times the table moved on.",
        "turns",
        lambda side: tuple(figures.turns(row) for row in side.ended),
        "turns",
    )


def _minutes(report: Report) -> str:
    least, most = report.entry.game.minutes
    untimed = any(row.untimed for side in report.sides for row in side.ended)
    aside = " Waits without a clock are not counted." if untimed else ""
    return _spread_card(
        report,
        "Minutes, if all take their time",
        f"The longest a game can last, by its timers; the game says {least} to {most} minutes.{aside}",
        "minutes",
        lambda side: tuple(figures.minutes(row) for row in side.ended),
        "minutes",
    )


def _scores(report: Report) -> str:
    return _spread_card(
        report,
        "Scores",
        "Of all seats at the end.",
        "points",
        lambda side: tuple(score for row in side.ended for score in row.scores),
        "score",
    )


def _margins(report: Report) -> str:
    return _spread_card(
        report,
        "Lead of the first",
        "How far the best score is above the second.",
        "points",
        lambda side: tuple(figures.margin(row) for row in side.ended),
        "margin",
    )


# --- winning ---


def _rates(report: Report, start: str, title: str, about: str) -> str:
    found = {
        key: [side.figures.get(key) for side in report.sides]
        for side in report.sides
        for key in side.figures
        if key.startswith(start)
    }
    highest = max(one.interval.high for row in found.values() for one in row if one is not None)
    most = max(highest * 1.05, *(side.even * 1.3 for side in report.sides), 0.02)
    even = [side.even for side in report.sides]
    rows = []
    for row in found.values():
        intervals = [None if one is None else one.interval for one in row]
        name = next(one.label for one in row if one is not None).removesuffix(" wins")
        values = [_told(one) for one in row if one is not None]
        chart = charts.intervals(intervals, most, even, f"{name}: {'; '.join(value for value, _ in values)}")
        rows.append(_row(name, chart, values))
    evens = " / ".join(dict.fromkeys(shown("share", one) for one in even))
    return _card(title, about, _rows(rows), _legend(report, f'<i class="dash"></i>even: {evens}'))


def _told(one: Figure) -> tuple[str, str]:
    value, interval = shown(one.kind, one.interval.value), one.interval
    return value, between(one.kind, interval.low, interval.high)


def _seats(report: Report) -> str:
    return _rates(report, "seat:", "By seat", "How often each seat wins, with its 95 % interval.")


def _levels(report: Report) -> str:
    rates = _rates(report, "level:", "By level", "How often one seat of this level wins.")
    lines = []
    for index, side in enumerate(report.sides):
        nobody, tied = side.figures["nobody"].interval.value, side.figures["tied"].interval.value
        one = max(0.0, 1 - nobody - tied)
        mine = charts.SIDES[index]
        parts = ((mine, "one winner", one), (f"{mine}-soft", "several", tied), ("none", "nobody", nobody))
        told = ", ".join(f"{name} {shown('share', part)}" for _, name, part in parts)
        if len(report.sides) > 1:
            lines.append(f'<div class="legend"><span>{SIDES[index]}: {escape(side.title)}</span></div>')
        lines.append(charts.stack(parts, f"Who wins: {told}"))
        lines.append(
            '<div class="legend">'
            + "".join(
                f'<span><span class="key {kind}"></span>{name} {shown("share", part)}</span>'
                for kind, name, part in parts
            )
            + "</div>"
        )
    return rates.replace("</section>", f"<h3>How games end</h3>{''.join(lines)}</section>")


# --- options ---


def _effect(report: Report, index: int, effect: Effect) -> str:
    """Figures by the values of one option, with a bar for how much of each it explains."""
    heads = "".join(f"<th>{escape(written(value))}</th>" for value in effect.values)
    lines = [
        f"<tr><th>games</th>{''.join(f'<td>{count:,}</td>' for count in effect.games)}<td></td></tr>",
    ]
    for measure, row, share in zip(BY_OPTION, effect.figures, effect.explained, strict=True):
        cells = "".join(
            "<td>–</td>"
            if one is None
            else f'<td title="{escape(between(one.kind, one.interval.low, one.interval.high))}">'
            f"{shown(one.kind, one.interval.value)}</td>"
            for one in row
        )
        bar = charts.bars([(share, 0.0)], 1.0, f"explains {100 * share:.0f} %")
        lines.append(
            f'<tr><th>{escape(measure.label)}</th>{cells}<td class="wide"><div>{bar}'
            f"<small>{100 * share:.0f} %</small></div></td></tr>"
        )
    side = f", side {SIDES[index]}" if len(report.sides) > 1 else ""
    table = _table(f"<th></th>{heads}<th>explained</th>", lines, "effects")
    return _card(f"{effect.option}{side}", "Whatever the other options are: all games are counted.", table)


# --- moves ---


def _made(row: Row) -> Mapping[str, int]:
    return row.made


def _forced(row: Row) -> Mapping[str, int]:
    return row.forced


def _ran_out(row: Row) -> Mapping[str, int]:
    return row.ran_out


def _per_game(report: Report, of: Callable[[Row], Mapping[str, int]], name: str) -> list[float]:
    """The mean of a count, on each side."""
    return [sum(of(row).get(name, 0) for row in side.rows) / len(side.rows) for side in report.sides]


def _moves(report: Report) -> str:
    tags = sorted(report.entry.game.texts.moves)
    made = {tag: _per_game(report, _made, tag) for tag in tags}
    most = max((max(values) for values in made.values()), default=0.0) or 1.0
    rows = []
    for tag in sorted(tags, key=lambda one: -max(made[one])):
        if not max(made[tag]):
            continue
        parts = list(zip(made[tag], _per_game(report, _forced, tag), strict=True))
        used = [sum(tag in row.made for row in side.rows) / len(side.rows) for side in report.sides]
        values = [
            (shown("number", value), f"in {_whole(share)} of games")
            for value, share in zip(made[tag], used, strict=True)
        ]
        rows.append(_row(tag, charts.bars(parts, most, f"{tag}: {values[0][0]} a game"), values))
    never = [tag for tag in tags if not max(made[tag]) and not figures.timing(tag)]
    told = f"<p>Never made: {escape(', '.join(never))}.</p>" if never else ""
    pale = '<span class="key pale"></span>pale: the only thing to do'
    return _card("How often each is made", "Mean of a game.", _rows(rows), _legend(report, pale), told)


def _said(report: Report) -> Iterator[str]:
    """A card for each field of a move: which values were given."""
    sides = [{one.field: one for one in figures.said(side.rows)} for side in report.sides]
    for field in sorted({name for side in sides for name in side}):
        found = [side.get(field, Said(field, {})) for side in sides]
        values = list(dict.fromkeys(value for one in found for value in one.counts))
        values.sort(key=lambda value: (isinstance(value, str), value))
        if len(values) < 2:
            continue
        tag, _, name = field.partition(".")
        if len(values) > MOST_VALUES:
            common = sorted(values, key=lambda value: -sum(one.counts.get(value, 0) for one in found))[:8]
            told = f"{len(values):,} different values; most often {escape(', '.join(map(str, common)))}."
            yield _card(f"{tag}: {name}", told)
            continue
        counts = [[one.counts.get(value, 0) for value in values] for one in found]
        names = [str(value) for value in values]
        chart = charts.columns(names, counts, f"{tag}, {name}: how often each value was given")
        total = sum(map(sum, counts))
        yield _card(f"{tag}: {name}", f"What the bots chose, {total:,} times.", chart, _legend(report))


# --- dead ends ---


def _dead_ends(report: Report) -> str:
    keys = [measure.key for measure in figures.DEAD_ENDS]
    heads = "".join(
        f"<th>{_key(i)}{SIDES[i]}</th>" if len(report.sides) > 1 else "<th>mean</th>"
        for i in range(len(report.sides))
    )
    lines = []
    for key in keys:
        found = [side.figures.get(key) for side in report.sides]
        label = next((one.label for one in found if one is not None), None)
        if label is None:
            continue
        cells = "".join(
            "<td>–</td>" if one is None else f"<td>{_told(one)[0]} <small>{_told(one)[1]}</small></td>"
            for one in found
        )
        unit = " <small>a game</small>" if next(o for o in found if o is not None).kind == "number" else ""
        lines.append(f"<tr><th>{escape(label)}{unit}</th>{cells}</tr>")
    table = _table(f"<th></th>{heads}", lines)
    limit = f"A game is given up after {report.plan.limit:,} events."
    return _card("Where games do not get on", limit, table)


def _windows(report: Report) -> str:
    kinds = sorted({kind for side in report.sides for row in side.rows for kind in row.ran_out})
    if not kinds:
        return _card(
            "Windows that ran out", "None: in every window somebody did what was asked, before its end."
        )
    means = {kind: _per_game(report, _ran_out, kind) for kind in kinds}
    most = max(max(values) for values in means.values())
    rows = [
        _row(
            kind,
            charts.bars([(value, 0.0) for value in means[kind]], most, f"{kind} ran out"),
            [(shown("number", value), "a game") for value in means[kind]],
        )
        for kind in kinds
    ]
    return _card(
        "Windows that ran out",
        "No bot did what was asked, and the rules played on.",
        _rows(rows),
        _legend(report),
    )


# --- two sides ---


def _differences(report: Report) -> str:
    lines = []
    for group in GROUPS:
        found = [
            one
            for one in report.differences
            if one.one.group == group and (one.one.interval.value or one.other.interval.value)
        ]
        if found:
            lines.append(f'<tr class="group"><th colspan="5">{group}</th></tr>')
        lines += [_difference(one) for one in found]
    heads = f"<th></th><th>{_key(0)}A</th><th>{_key(1)}B</th><th>B − A</th><th>95 % interval around 0</th>"
    about = "Green where the interval leaves 0 out: more than chance. Each line has a scale of its own."
    return _card("Every difference", about, _table(heads, lines, "differences"), _legend(report))


def _difference(one: Difference) -> str:
    kind, interval = one.one.kind, one.interval
    value = shown(kind, interval.value, sign=True)
    ends = between(kind, interval.low, interval.high, sign=True)
    chart = charts.change(interval, one.clear, f"{one.one.label}: {value}, {ends}")
    row = '<tr class="clear">' if one.clear else "<tr>"
    return (
        f"{row}<th>{escape(one.one.label)}</th>"
        f"<td>{shown(kind, one.one.interval.value)}</td><td>{shown(kind, one.other.interval.value)}</td>"
        f'<td class="delta">{value}</td><td class="wide"><div>{chart}<small>{ends}</small></div></td></tr>'
    )


# --- the end ---


def _reading(report: Report) -> str:
    terms = "".join(f"<div><dt>{name}</dt><dd>{text}</dd></div>" for name, text in READING)
    return (
        f'<section class="card"><h3>Terms</h3><dl class="fine">{terms}</dl>'
        f"<h3>Play the same games again</h3><pre>{escape(command(report.plan))}</pre></section>"
    )
