"""The most notable results as sentences, for a designer to read first.

A seat is mentioned only if its interval, widened for the number of seats (Bonferroni), excludes the even
rate. About one in twenty perfectly balanced games still has a seat that is mentioned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple

from games.simulate import estimates, figures
from games.simulate.figures import BY_OPTION, Report, SideReport, format_value
from games.simulate.plan import format_option
from games.testing.positions import moves_of

MANY_FORCED: Final = 0.4
MANY_NOBODY: Final = 0.1
TELLING: Final = 0.05
"""An option that explains less variance than this is not worth a sentence."""
MAX_DIFFERENCES: Final = 5
COMPARED: Final = ("turns", "minutes", "tied", "nobody", "best", "margin", "limit", "stuck")
"""Figures whose difference is worth a sentence, in addition to the win rates of levels."""


class Finding(NamedTuple):
    """One sentence; `calm` if there is nothing to investigate."""

    tone: Literal["calm", "notable", "alarm"]
    text: str


def findings(report: Report) -> list[Finding]:
    """The findings for one side; for two, the clear differences, then notable results on either side."""
    if len(report.sides) == 1:
        return list(_side(report, report.sides[0]))
    differences = list(_differences(report))
    of_a, of_b = (
        [finding for finding in _side(report, side) if finding.tone != "calm"] for side in report.sides
    )
    return [
        *differences,
        *(Finding(tone, f"{'A and B' if (tone, text) in of_b else 'A'}: {text}") for tone, text in of_a),
        *(Finding(tone, f"B: {text}") for tone, text in of_b if (tone, text) not in of_a),
    ]


def _side(report: Report, side: SideReport) -> Iterator[Finding]:
    yield from _endings(side)
    if side.ended:
        yield from _seats(side)
        yield from _levels(side)
        if len(report.sides) == 1:  # with two sides, these are among the differences
            yield from _winners(side)
        yield from _time(report, side)
    yield from _talk(side)
    yield from _option_findings(side)
    yield from _moves(report, side)


def _endings(side: SideReport) -> Iterator[Finding]:
    stuck = sum(row.end == "stuck" for row in side.rows)
    limit = sum(row.end == "limit" for row in side.rows)
    if stuck:
        yield Finding(
            "alarm",
            f"{_games(stuck)} got stuck: every bot waited, but no window was running.",
        )
    if limit:
        yield Finding("alarm", f"{_games(limit)} did not end before the limit and {_were(limit)} abandoned.")
    if not stuck and not limit:
        yield Finding("calm", "Every game reached an outcome.")
    refused = sum(row.refused for row in side.rows)
    if refused:
        yield Finding("alarm", f"The rules refused {refused:,} of the bots' decisions: the bot is faulty.")


def _list_uneven_rates(side: SideReport, keys: Sequence[str]) -> list[tuple[str, float]]:
    """The win rates that differ significantly from the even rate."""
    outside = []
    for key in keys:
        figure = side.figures[key]
        n = figure.sample.n
        wide = estimates.proportion(figure.interval.value * n, n, estimates.z(comparisons=len(keys)))
        if not wide.low <= side.even <= wide.high:
            outside.append((figure.label.removesuffix(" wins"), figure.interval.value))
    return outside


def _seats(side: SideReport) -> Iterator[Finding]:
    keys = [key for key in side.figures if key.startswith("seat:")]
    outside = _list_uneven_rates(side, keys)
    for name, value in outside:
        more = "more" if value > side.even else "less"
        yield Finding(
            "notable",
            f"{name.capitalize()} wins {format_value('share', value)} of its games, {more} than the even "
            f"{format_value('share', side.even)}.",
        )
    if not outside:
        reach = max((side.figures[key].interval.high - side.figures[key].interval.low) / 2 for key in keys)
        yield Finding(
            "calm",
            f"No seat has a measurable edge in {len(side.ended):,} games: each rate is accurate to "
            f"about ±{100 * reach:.1f} points.",
        )


def _levels(side: SideReport) -> Iterator[Finding]:
    keys = sorted(
        (key for key in side.figures if key.startswith("level:")),
        key=lambda key: -side.figures[key].interval.value,
    )
    if len(keys) < 2:
        return
    best, worst = side.figures[keys[0]], side.figures[keys[-1]]
    apart = estimates.difference_of_proportions(worst.interval, best.interval)
    strong, weak = best.label.removesuffix(" wins"), worst.label.removesuffix(" wins")
    best_rate, worst_rate = (format_value("share", figure.interval.value) for figure in (best, worst))
    rates = f"{best_rate} of its games against {worst_rate}"
    if apart.low > 0:
        yield Finding("notable", f"Skill matters: {strong} wins {rates} for {weak}.")
    else:
        yield Finding("notable", f"Skill hardly matters: {strong} wins {rates} for {weak}, within chance.")


def _winners(side: SideReport) -> Iterator[Finding]:
    nobody, tied = side.figures["nobody"].interval.value, side.figures["tied"].interval.value
    if nobody:
        tone: Literal["notable", "calm"] = "notable" if nobody >= MANY_NOBODY else "calm"
        yield Finding(tone, f"Nobody wins in {format_value('share', nobody)} of the games.")
    if tied:
        yield Finding("calm", f"Several seats share the win in {format_value('share', tied)} of the games.")


def _time(report: Report, side: SideReport) -> Iterator[Finding]:
    spread = side.spread(figures.minutes)
    if spread is None or any(row.untimed for row in side.ended):
        return  # the rules do not limit untimed waits
    least, most = report.entry.game.minutes
    usual = spread.quantile(0.5)
    if usual > most:
        yield Finding(
            "calm",
            f"At full length, half the games would last more than {usual:.0f} minutes; the game states "
            f"{least} to {most}.",
        )
    elif usual < least:
        yield Finding(
            "notable",
            f"Even at full length, half the games end within {usual:.1f} minutes; the game states "
            f"{least} to {most}.",
        )


def _talk(side: SideReport) -> Iterator[Finding]:
    games = len(side.rows)
    exchanges = sum(row.exchanges for row in side.rows)
    if exchanges:
        yield Finding(
            "calm", f"In 100 games, {100 * exchanges / games:,.0f} proposals were answered by another seat."
        )
    promised = sum((Counter(row.promises) for row in side.rows), Counter[str]())
    if promised:
        yield Finding(
            "calm",
            f"In 100 games, {100 * promised['made'] / games:,.0f} promises were made. "
            f"In all, {promised['kept']:,} were kept, {promised['broken']:,} broken, "
            f"and {promised['lapsed']:,} lapsed.",
        )
    repeated = sum(row.repeated_lines for row in side.rows)
    if repeated:
        yield Finding("alarm", f"Bots said {repeated:,} lines that they had said before in the same game.")


def _option_findings(side: SideReport) -> Iterator[Finding]:
    for effect in side.effects:
        telling = sorted(
            zip(effect.explained, BY_OPTION, effect.figures, strict=True), key=lambda entry: -entry[0]
        )
        share, measure, row = telling[0]
        if share < TELLING:
            yield Finding(
                "calm",
                f"{effect.option} hardly matters: it explains almost none of the variation of any figure.",
            )
            continue
        values = ", ".join(
            f"{format_value(figure.kind, figure.interval.value)} at {format_option(value)}"
            for figure, value in zip(row, effect.values, strict=True)
            if figure is not None
        )
        yield Finding(
            "notable",
            f"{effect.option} matters most for “{measure.label}”: {values} "
            f"({100 * share:.0f}% of the variation between games).",
        )


def _moves(report: Report, side: SideReport) -> Iterator[Finding]:
    moves = [tag for tag in sorted(moves_of(report.entry.game)) if not figures.timing(tag)]
    never = [tag for tag in moves if not any(tag in row.move_counts for row in side.rows)]
    if never:
        yield Finding("notable", f"No bot ever made the move{'s' * (len(never) > 1)} {_and(never)}.")
    forced = side.figures.get("forced")
    if forced is not None and forced.interval.value >= MANY_FORCED:
        always = [tag for tag in moves if tag not in never and _is_always_forced(side, tag)]
        detail = f" ({_and(always)} always)" if always else ""
        part = format_value("part", forced.interval.value)
        yield Finding("notable", f"{part} of the moves were forced{detail}.")
    ran_out = side.figures["ran_out"].interval.value
    if ran_out:
        yield Finding(
            "notable", f"{format_value('number', ran_out)} windows ran out per game because no seat acted."
        )
    repeats = side.figures["repeats"].interval.value
    if repeats >= 0.01:
        yield Finding(
            "notable", f"{format_value('number', repeats)} moves per game led back to an earlier position."
        )


def _is_always_forced(side: SideReport, tag: str) -> bool:
    return all(row.move_counts.get(tag, 0) == row.forced.get(tag, 0) for row in side.rows)


def _differences(report: Report) -> Iterator[Finding]:
    clear = [
        difference
        for difference in report.differences
        if difference.clear and (difference.a.key in COMPARED or difference.a.key.startswith("level:"))
    ]
    if not clear:
        yield Finding("calm", "Length, wins and scores of A and B differ by no more than chance.")
        return

    def size(of: figures.Difference) -> float:
        return abs(of.interval.value) / max(of.interval.high - of.interval.value, 1e-12)

    for difference in sorted(clear, key=size, reverse=True)[:MAX_DIFFERENCES]:
        kind = difference.a.kind
        yield Finding(
            "notable",
            f"From A to B, {difference.a.label}: {format_value(kind, difference.a.interval.value)} to "
            f"{format_value(kind, difference.b.interval.value)} "
            f"({format_value(kind, difference.interval.value, sign=True)}).",
        )


def _games(count: int) -> str:
    return f"{count:,} game{'s' * (count != 1)}"


def _were(count: int) -> str:
    return "was" if count == 1 else "were"


def _and(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
