"""The rounds of Almost: who wins a round, the score, and the sequence of phases."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from games.almost.rules.plans import make_no_plans
from games.almost.rules.values import AlmostState, Phase, Row, Score, Stage
from games.api import Dice, LogLine, Millis, Outcome, Seat, Step, WindowId
from games.kit import sealed as sealing
from games.kit import time_control as time_control
from games.kit.time_control import Timer
from games.kit.timed_game import count_missed

BID_TIME: Final = Millis(30_000)
REVEAL_TIME: Final = Millis(8_000)
NOBODY_WON: Final = LogLine("almost.nobodyWon", {}, None)

# --- winning ---


def lowest_unique(bids: tuple[int, ...]) -> Seat | None:
    """The seat with the lowest bid that no other seat made (ALM-3)."""
    for number in sorted(set(bids)):
        if bids.count(number) == 1:
            return Seat(bids.index(number))
    return None


def _is_scored_by_wins(stage: Stage) -> bool:
    return stage.target is None and stage.scoring == "roundsWon"


def deciding_scores(stage: Stage, points: tuple[int, ...], wins: tuple[int, ...]) -> tuple[int, ...]:
    """By seat, the score that decides the game: points or, by default in Banbury, the rounds won."""
    return wins if _is_scored_by_wins(stage) else points


def standing(stage: Stage, rows: tuple[Row, ...], points: tuple[int, ...], wins: tuple[int, ...]) -> Score:
    """The score after these rounds, and who can still win: each remaining round pays at most one seat."""
    scores = deciding_scores(stage, points, wins)
    bar = max(scores) if stage.target is None else stage.target
    pay = 1 if _is_scored_by_wins(stage) else stage.most
    rounds_left = stage.rounds - len(rows)
    needs = tuple(max(0, bar - score) for score in scores)
    can = tuple(need <= rounds_left * pay for need in needs)
    together = 0
    for need in sorted(needs):
        rounds_left -= -(-need // pay)
        together += rounds_left >= 0
    return Score(rows, points, wins, needs, can, together)


def outcome(state: AlmostState) -> Outcome:
    """The winners: all seats at the target (ALM-10, ALM-11), or in Banbury those in the lead (ALM-12)."""
    stage, score = state.stage, state.score
    scores = deciding_scores(stage, score.points, score.wins)
    bar = max(scores) if stage.target is None else stage.target
    return Outcome(tuple(Seat(seat) for seat, value in enumerate(scores) if value >= bar), scores)


# --- the sequence of phases ---


def _timer(state: AlmostState, phase: Phase, number: int, span: Millis | None, at: Millis) -> Timer:
    seats = tuple(Seat(seat) for seat in range(len(state.done)))
    return time_control.timer(state.time_control, WindowId(f"{phase}:{number}"), phase, seats, span, at)


def begin(state: AlmostState, number: int, at: Millis) -> Step[AlmostState]:
    """Begins round `number`, with the discussion if there is one."""
    options, seats = state.options, len(state.done)
    line = LogLine("almost.round", {"round": number, "rounds": state.stage.rounds}, None)
    fresh = replace(
        state,
        stage=replace(state.stage, phase="discuss", round=number),
        done=(False,) * seats,
        plans=make_no_plans(seats),
    )
    if options.discussion == "none":
        return Step(_open_bids(fresh, at), (line,))
    span = Millis(options.discussion_seconds * 1000) if options.discussion == "timed" else None
    return Step(replace(fresh, timer=_timer(fresh, "discuss", number, span, at)), (line,))


def _open_bids(state: AlmostState, at: Millis) -> AlmostState:
    seats = len(state.done)
    return replace(
        state,
        stage=replace(state.stage, phase="bid"),
        bids=sealing.make_sealed(seats),
        timer=_timer(state, "bid", state.stage.round, BID_TIME, at),
    )


def reveal(state: AlmostState, missed: tuple[Seat, ...], at: Millis) -> Step[AlmostState]:
    """Shows all bids at once (GEN-5) and scores the round. The rules bid for the `missed` seats (GEN-7)."""
    stage, score = state.stage, state.score
    bids = sealing.reveal(state.bids)
    winner = lowest_unique(bids)
    promised: list[int | None] = [None] * len(bids)
    for plan in state.plans.plans:
        for seat in (
            plan.behind if len(plan.behind) > 1 else ()
        ):  # nobody relies on a plan that one seat backs
            promised[seat] = plan.bids[seat]
    rows = (*score.rows, Row(bids, missed, tuple(promised), winner))
    points, wins = list(score.points), list(score.wins)
    if winner is not None:
        points[winner] += bids[winner]
        wins[winner] += 1
    state, away_lines = count_missed(state, missed)
    lines = [LogLine("almost.revealed", {"round": stage.round, "bids": list(bids)}, None)]
    if missed:
        lines.append(LogLine("almost.auto", {"seats": [int(seat) for seat in missed]}, None))
    if winner is None:
        lines.append(LogLine("almost.nobodyScored", {"round": stage.round}, None))
    else:
        result = {"seat": winner, "number": bids[winner], "round": stage.round}
        lines.append(LogLine("almost.scored", result, None))
    broke = [
        seat
        for seat, number in enumerate(promised)
        if number not in (None, bids[seat]) and Seat(seat) not in missed
    ]
    if broke:
        lines.append(LogLine("almost.broke", {"seats": broke}, None))
    after = replace(
        state,
        stage=replace(stage, phase="reveal"),
        done=(False,) * len(bids),
        bids=sealing.make_sealed(len(bids)),
        score=standing(stage, rows, tuple(points), tuple(wins)),
    )
    timer = _timer(after, "reveal", stage.round, REVEAL_TIME, at)
    return Step(replace(after, timer=timer), (*lines, *away_lines))


def _next_round(state: AlmostState, at: Millis) -> Step[AlmostState]:
    """Continues after a reveal: all rounds are always played (ALM-5)."""
    stage = state.stage
    if stage.round < stage.rounds:
        return begin(state, stage.round + 1, at)
    over = replace(state, stage=replace(stage, phase="end"), timer=None)
    winners = outcome(over).winners
    if not winners:
        return Step(over, (NOBODY_WON,))
    return Step(over, (LogLine("almost.won", {"seats": [int(seat) for seat in winners]}, None),))


def go_on(state: AlmostState, at: Millis) -> Step[AlmostState]:
    """Ends a discussion or a reveal because time is up or all seats are ready or have continued (GEN-6)."""
    return Step(_open_bids(state, at)) if state.stage.phase == "discuss" else _next_round(state, at)


def list_missed(state: AlmostState) -> tuple[Seat, ...]:
    """The seats for which the rules bid: those that have not locked, and those that are away."""
    control = state.time_control
    return tuple(
        Seat(seat)
        for seat, locked in enumerate(state.bids.locked)
        if not locked or time_control.is_away(control, Seat(seat))
    )


def default_bid(state: AlmostState, dice: Dice, seat: Seat) -> int:
    """A random bid for a seat without a draft: 1 to the highest number, or to N+2 in Banbury (ALM-4)."""
    highest = state.stage.most if state.stage.target is not None else len(state.done) + 2
    return 1 + dice.below(f"bid:{state.stage.round}:{seat}", highest)
