"""The cards of the report, one per subject: a title, a sentence, and charts and tables as HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from html import escape
from typing import Final

from games.simulate import charts, estimates, figures, markup
from games.simulate.charts import Series
from games.simulate.figures import (
    BY_OPTION,
    GROUPS,
    Difference,
    Effect,
    Figure,
    Report,
    SideReport,
    ValueCounts,
    format_interval,
    format_value,
)
from games.simulate.plan import SIDES, format_option
from games.simulate.playing import Row
from games.testing.positions import moves_of

MAX_VALUES: Final = 40
"""Fields with more values than this are described in a sentence instead of a chart."""


# --- length and score ---


def _spread_card(
    report: Report, title: str, about: str, unit: str, of: Callable[[SideReport], tuple[float, ...]], key: str
) -> str:
    """A histogram with the quantiles and the mean, over the games that reached an outcome."""
    values = [of(side) for side in report.sides]
    pooled = [value for side_values in values for value in side_values]
    if min(pooled) == max(pooled):
        return markup.card(title, about, f"<p>Always {markup.format_number(pooled[0])} {escape(unit)}.</p>")
    bins = estimates.bins(pooled)
    spreads = [figures.Spread(tuple(sorted(side_values))) for side_values in values]
    series = [
        Series(bins.fill(side_values), spread) for side_values, spread in zip(values, spreads, strict=True)
    ]
    chart = charts.histogram(bins, series, f"{title}: how often each value occurred", unit)
    heads = "".join(f"<th>{head}</th>" for head in ("mean", "5%", "25%", "half", "75%", "95%"))
    lines = []
    for index, (side, spread) in enumerate(zip(report.sides, spreads, strict=True)):
        mark = markup.key(index) if len(report.sides) > 1 else ""
        figure = side.figures[key].interval
        cells = "".join(f"<td>{format_value('number', spread.quantile(q))}</td>" for q in charts.QUANTILES)
        half = format_value("number", (figure.high - figure.low) / 2)
        mean = f"{mark}{format_value('number', figure.value)} <small>±{half}</small>"
        lines.append(f"<tr><th>{mean}</th>{cells}</tr>")
    table = markup.table(heads, lines, "quantiles")
    return markup.card(title, about, chart, markup.legend(report), table)


def turns(report: Report) -> str:
    return _spread_card(
        report,
        "Turns",
        "The number of steps in which at least one seat moved.",
        "turns",
        lambda side: tuple(figures.turns(row) for row in side.ended),
        "turns",
    )


def minutes(report: Report) -> str:
    least, most = report.entry.game.minutes
    untimed = any(row.untimed for side in report.sides for row in side.ended)
    note = " Untimed waits are not counted." if untimed else ""
    return _spread_card(
        report,
        "Minutes at full length",
        f"The duration if every timer ran out; the game states {least} to {most} minutes.{note}",
        "minutes",
        lambda side: tuple(figures.minutes(row) for row in side.ended),
        "minutes",
    )


def scores(report: Report) -> str:
    return _spread_card(
        report,
        "Scores",
        "The final scores of all seats.",
        "points",
        lambda side: tuple(score for row in side.ended for score in row.scores),
        "score",
    )


def margins(report: Report) -> str:
    return _spread_card(
        report,
        "Winning margin",
        "The lead of the best score over the second.",
        "points",
        lambda side: tuple(figures.margin(row) for row in side.ended),
        "margin",
    )


# --- winning ---


def _rates(report: Report, start: str, title: str, about: str) -> str:
    figures_by_key = {
        key: [side.figures.get(key) for side in report.sides]
        for side in report.sides
        for key in side.figures
        if key.startswith(start)
    }
    highest = max(
        figure.interval.high for row in figures_by_key.values() for figure in row if figure is not None
    )
    most = max(highest * 1.05, *(side.even * 1.3 for side in report.sides), 0.02)
    even = [side.even for side in report.sides]
    rows = []
    for row in figures_by_key.values():
        intervals = [None if figure is None else figure.interval for figure in row]
        name = next(figure.label for figure in row if figure is not None).removesuffix(" wins")
        values = [_format(figure) for figure in row if figure is not None]
        chart = charts.intervals(intervals, most, even, f"{name}: {'; '.join(value for value, _ in values)}")
        rows.append(markup.row(name, chart, values))
    evens = " / ".join(dict.fromkeys(format_value("share", rate) for rate in even))
    return markup.card(
        title, about, markup.rows(rows), markup.legend(report, f'<i class="dash"></i>even: {evens}')
    )


def _format(figure: Figure) -> tuple[str, str]:
    value, interval = format_value(figure.kind, figure.interval.value), figure.interval
    return value, format_interval(figure.kind, interval.low, interval.high)


def seats(report: Report) -> str:
    return _rates(report, "seat:", "By seat", "Each seat's win rate with its 95% interval.")


def levels(report: Report) -> str:
    rates = _rates(report, "level:", "By level", "The win rate of one seat of each level.")
    lines = []
    for index, side in enumerate(report.sides):
        nobody, tied = side.figures["nobody"].interval.value, side.figures["tied"].interval.value
        single = max(0.0, 1 - nobody - tied)
        colour = charts.SIDES[index]
        parts = (
            (colour, "one winner", single),
            (f"{colour}-soft", "several", tied),
            ("none", "nobody", nobody),
        )
        summary = ", ".join(f"{name} {format_value('share', part)}" for _, name, part in parts)
        if len(report.sides) > 1:
            lines.append(f'<div class="legend"><span>{SIDES[index]}: {escape(side.title)}</span></div>')
        lines.append(charts.stack(parts, f"Who wins: {summary}"))
        lines.append(
            '<div class="legend">'
            + "".join(
                f'<span><span class="key {kind}"></span>{name} {format_value("share", part)}</span>'
                for kind, name, part in parts
            )
            + "</div>"
        )
    return rates.replace("</section>", f"<h3>How games end</h3>{''.join(lines)}</section>")


def characters(report: Report) -> str:
    return _rates(
        report,
        "character:",
        "By character",
        "Each character's win rate: the three of a level should be equally strong.",
    )


# --- options ---


def effect(report: Report, index: int, option: Effect) -> str:
    """Figures for each value of one option, with bars for the variance it explains."""
    heads = "".join(f"<th>{escape(format_option(value))}</th>" for value in option.values)
    lines = [
        f"<tr><th>games</th>{''.join(f'<td>{count:,}</td>' for count in option.games)}<td></td></tr>",
    ]
    for measure, row, share in zip(BY_OPTION, option.figures, option.explained, strict=True):
        cells = "".join("<td>–</td>" if figure is None else _interval_cell(figure) for figure in row)
        bar = charts.bars([(share, 0.0)], 1.0, f"explains {100 * share:.0f}%")
        lines.append(
            f'<tr><th>{escape(measure.label)}</th>{cells}<td class="wide"><div>{bar}'
            f"<small>{100 * share:.0f}%</small></div></td></tr>"
        )
    side = f", side {SIDES[index]}" if len(report.sides) > 1 else ""
    table = markup.table(f"<th></th>{heads}<th>explained</th>", lines, "effects")
    return markup.card(f"{option.option}{side}", "Over all games, for all values of other options.", table)


def _interval_cell(figure: Figure) -> str:
    """A table cell with the interval as its tooltip."""
    value, interval = _format(figure)
    return f'<td title="{escape(interval)}">{value}</td>'


# --- moves ---


def _count_moves(row: Row) -> Mapping[str, int]:
    return row.move_counts


def _count_forced(row: Row) -> Mapping[str, int]:
    return row.forced


def _count_ran_out(row: Row) -> Mapping[str, int]:
    return row.ran_out


def _per_game(report: Report, of: Callable[[Row], Mapping[str, int]], name: str) -> list[float]:
    """The mean of a count per game, on each side."""
    return [sum(of(row).get(name, 0) for row in side.rows) / len(side.rows) for side in report.sides]


def moves(report: Report) -> str:
    tags = sorted(moves_of(report.entry.game))
    move_counts = {tag: _per_game(report, _count_moves, tag) for tag in tags}
    most = max((max(values) for values in move_counts.values()), default=0.0) or 1.0
    rows = []
    for tag in sorted(tags, key=lambda tag: -max(move_counts[tag])):
        if not max(move_counts[tag]):
            continue
        parts = list(zip(move_counts[tag], _per_game(report, _count_forced, tag), strict=True))
        used = [sum(tag in row.move_counts for row in side.rows) / len(side.rows) for side in report.sides]
        values = [
            (format_value("number", value), f"in {markup.format_share(share)} of games")
            for value, share in zip(move_counts[tag], used, strict=True)
        ]
        rows.append(markup.row(tag, charts.bars(parts, most, f"{tag}: {values[0][0]} per game"), values))
    never = [tag for tag in tags if not max(move_counts[tag]) and not figures.timing(tag)]
    unused = f"<p>Never made: {escape(', '.join(never))}.</p>" if never else ""
    pale = '<span class="key pale"></span>pale: forced'
    return markup.card(
        "How often moves are made", "Mean per game.", markup.rows(rows), markup.legend(report, pale), unused
    )


def value_cards(report: Report) -> Iterator[str]:
    """A card for each field of a move, with the values that were chosen."""
    sides = [{counts.field: counts for counts in figures.count_values(side.rows)} for side in report.sides]
    for field in sorted({name for side in sides for name in side}):
        counted = [side.get(field, ValueCounts(field, {})) for side in sides]
        values = list(dict.fromkeys(value for entry in counted for value in entry.counts))
        values.sort(key=lambda value: (isinstance(value, str), value))
        if len(values) < 2:
            continue
        tag, _, name = field.partition(".")
        if len(values) > MAX_VALUES:
            totals = {value: sum(entry.counts.get(value, 0) for entry in counted) for value in values}
            common = sorted(values, key=lambda value: -totals[value])[:8]
            summary = f"{len(values):,} different values; most often {escape(', '.join(map(str, common)))}."
            yield markup.card(f"{tag}: {name}", summary)
            continue
        counts = [[entry.counts.get(value, 0) for value in values] for entry in counted]
        names = [str(value) for value in values]
        chart = charts.columns(names, counts, f"{tag}, {name}: how often each value was chosen")
        total = sum(map(sum, counts))
        yield markup.card(f"{tag}: {name}", f"The bots' {total:,} choices.", chart, markup.legend(report))


# --- dead ends ---


def dead_ends(report: Report) -> str:
    keys = [measure.key for measure in figures.DEAD_ENDS]
    heads = "".join(
        f"<th>{markup.key(i)}{SIDES[i]}</th>" if len(report.sides) > 1 else "<th>mean</th>"
        for i in range(len(report.sides))
    )
    lines = []
    for key in keys:
        row = [side.figures.get(key) for side in report.sides]
        label = next((figure.label for figure in row if figure is not None), None)
        if label is None:
            continue
        cells = "".join(
            "<td>–</td>"
            if figure is None
            else f"<td>{_format(figure)[0]} <small>{_format(figure)[1]}</small></td>"
            for figure in row
        )
        unit = (
            " <small>per game</small>"
            if next(figure for figure in row if figure is not None).kind == "number"
            else ""
        )
        lines.append(f"<tr><th>{escape(label)}{unit}</th>{cells}</tr>")
    table = markup.table(f"<th></th>{heads}", lines)
    limit = f"A game is abandoned after {report.plan.limit:,} events."
    return markup.card("Where games get stuck", limit, table)


def windows(report: Report) -> str:
    kinds = sorted({kind for side in report.sides for row in side.rows for kind in row.ran_out})
    if not kinds:
        return markup.card("Windows that ran out", "None: every window was answered in time.")
    means = {kind: _per_game(report, _count_ran_out, kind) for kind in kinds}
    most = max(max(values) for values in means.values())
    rows = [
        markup.row(
            kind,
            charts.bars([(value, 0.0) for value in means[kind]], most, f"{kind} ran out"),
            [(format_value("number", value), "per game") for value in means[kind]],
        )
        for kind in kinds
    ]
    return markup.card(
        "Windows that ran out",
        "No bot answered, so the rules moved on.",
        markup.rows(rows),
        markup.legend(report),
    )


# --- two sides ---


def differences(report: Report) -> str:
    lines = []
    for group in GROUPS:
        rows = [
            difference
            for difference in report.differences
            if difference.a.group == group and (difference.a.interval.value or difference.b.interval.value)
        ]
        if rows:
            lines.append(f'<tr class="group"><th colspan="5">{group}</th></tr>')
        lines += [_difference(difference) for difference in rows]
    sides = "".join(f"<th>{markup.key(index)}{name}</th>" for index, name in enumerate(SIDES))
    heads = f"<th></th>{sides}<th>B − A</th><th>95% interval around 0</th>"
    about = (
        "Green: the interval excludes 0, so the difference is more than chance. Each row has its own scale."
    )
    return markup.card(
        "Every difference", about, markup.table(heads, lines, "differences"), markup.legend(report)
    )


def _difference(difference: Difference) -> str:
    kind, interval = difference.a.kind, difference.interval
    value = format_value(kind, interval.value, sign=True)
    ends = format_interval(kind, interval.low, interval.high, sign=True)
    chart = charts.change(interval, difference.clear, f"{difference.a.label}: {value}, {ends}")
    row = '<tr class="clear">' if difference.clear else "<tr>"
    return (
        f"{row}<th>{escape(difference.a.label)}</th>"
        f"<td>{format_value(kind, difference.a.interval.value)}</td>"
        f"<td>{format_value(kind, difference.b.interval.value)}</td>"
        f'<td class="delta">{value}</td><td class="wide"><div>{chart}<small>{ends}</small></div></td></tr>'
    )
