"""The figures as text, for a 100-column terminal."""

from __future__ import annotations

from collections.abc import Iterator

from games.simulate import figures
from games.simulate.figures import (
    BY_OPTION,
    GROUPS,
    Effect,
    Figure,
    Report,
    SideReport,
    Spread,
    format_interval,
    format_value,
)
from games.simulate.findings import findings
from games.simulate.plan import SIDES, format_option, spread

BAR = 24
MARKS = {"calm": "·", "notable": "→", "alarm": "!"}


def text(report: Report) -> str:
    """The complete output, ending with a newline."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    title = report.entry.game.title
    yield f"{title}: {report.games:,} games between bots, seed {report.plan.seed}"
    for index, side in enumerate(report.sides):
        mark = f"  {SIDES[index]}  " if len(report.sides) > 1 else "  "
        options = spread(report.plan.sides[index]) or "usual options"
        yield f"{mark}{len(side.rows):,} games, {side.seats} seats, {', '.join(side.levels)}; {options}"
    yield ""
    yield "What stands out"
    for finding in findings(report):
        yield f"  {MARKS[finding.tone]} {finding.text}"
    if len(report.sides) == 2:
        yield ""
        yield from _compare(report)
        return
    for side in report.sides:
        yield from _side(side)


# --- one side ---


def _side(side: SideReport) -> Iterator[str]:
    spreads = {
        "turns": side.spread(figures.turns),
        "minutes": side.spread(figures.minutes),
        "score": side.scores,
        "margin": side.spread(figures.margin),
    }
    most = max(
        (figure.interval.high for figure in side.figures.values() if figure.group == "Winning"), default=1.0
    )
    for group in GROUPS:
        rows = [figure for figure in side.figures.values() if figure.group == group]
        if group == "Moves":
            rows = [figure for figure in rows if figure.interval.value]
        if not rows:
            continue
        yield ""
        yield _head(group, side)
        for figure in rows:
            value = format_value(figure.kind, figure.interval.value)
            line = f"  {figure.label:<32}{value:>9}  {_interval(figure):<17}"
            if group == "Winning":
                yield f"{line} {'█' * round(BAR * figure.interval.value / most)}".rstrip()
            elif (values := spreads.get(figure.key)) is not None:
                yield f"{line} {_quantiles(figure, values)}"
            else:
                yield line.rstrip()
    for effect in side.effects:
        yield ""
        yield from _effect(effect)


def _head(group: str, side: SideReport) -> str:
    head = {
        "Winning": f"Winning (even: {format_value('share', side.even)} per seat)",
        "Moves": "Moves per game",
    }
    quantiles = group in ("Length", "Score")
    columns = f"{'mean' if group != 'Winning' else '':>9}  {'95% interval':<17}"
    ends = f"{'5%':>8}{'25%':>8}{'half':>8}{'75%':>8}{'95%':>8}" if quantiles else ""
    return f"{head.get(group, group):<34}{columns} {ends}".rstrip()


def _interval(figure: Figure) -> str:
    return format_interval(figure.kind, figure.interval.low, figure.interval.high)


def _quantiles(figure: Figure, values: Spread) -> str:
    return "".join(
        f"{format_value(figure.kind, values.quantile(q)):>8}" for q in (0.05, 0.25, 0.5, 0.75, 0.95)
    )


def _effect(effect: Effect) -> Iterator[str]:
    heads = "".join(f"{format_option(value)[:11]:>12}" for value in effect.values)
    yield f"{'By ' + effect.option:<34}{heads}   explains"
    yield f"  {'games':<32}{''.join(f'{count:>12,}' for count in effect.games)}"
    for measure, row, share in zip(BY_OPTION, effect.figures, effect.explained, strict=True):
        cells = "".join(
            f"{'-' if figure is None else format_value(figure.kind, figure.interval.value):>12}"
            for figure in row
        )
        yield f"  {measure.label:<32}{cells}{100 * share:>10.0f}%"


# --- two sides ---


def _compare(report: Report) -> Iterator[str]:
    yield f"{'Figure':<34}{'A':>9}{'B':>10}{'B - A':>10}  95% interval"
    for group in GROUPS:
        rows = [difference for difference in report.differences if difference.a.group == group]
        rows = [
            difference for difference in rows if difference.a.interval.value or difference.b.interval.value
        ]
        if rows:
            yield f" {group}"
        for difference in rows:
            kind, interval = difference.a.kind, difference.interval
            yield (
                f"  {difference.a.label:<32}{format_value(kind, difference.a.interval.value):>9}"
                f"{format_value(kind, difference.b.interval.value):>10}"
                f"{format_value(kind, interval.value, sign=True):>10}"
                f"  {format_interval(kind, interval.low, interval.high, sign=True)}"
                f"{' *' if difference.clear else ''}"
            )
    yield "  * the interval excludes 0"
    for index, side in enumerate(report.sides):
        for effect in side.effects:
            yield ""
            yield f"Side {SIDES[index]}"
            yield from _effect(effect)
