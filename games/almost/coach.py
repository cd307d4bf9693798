"""Advice for beginners (`Game.coach`), from what their seat sees."""

from __future__ import annotations

from typing import Final

from games.almost.rules.rounds import lowest_unique
from games.almost.rules.values import Plan, Plans, Score, Stage
from games.api import Advice, Observation, Prompt, Seat
from games.kit.coaching import list_choices
from games.kit.observations import part

TRIED: Final = 100
"""In Banbury, where any number may be bid, those up to this one are considered."""


def advise(observation: Observation, prompt: Prompt) -> Advice | None:
    """Advice about talking or bidding; None once the seat is ready or has locked its number."""
    if list_choices(observation, prompt, "ready"):
        return _before_bidding(observation)
    if list_choices(observation, prompt, "lock"):
        return _bidding(observation)
    return None


def _before_bidding(observation: Observation) -> Advice | None:
    stage, plan = part(observation, "stage", Stage), _most_backed(observation)
    needs = part(observation, "score", Score).needs[observation.seat]
    if stage.target is not None and not needs:
        return Advice("ready.won", {"target": stage.target})
    if plan is not None:
        scorer = lowest_unique(plan.bids)
        if scorer is None:
            return Advice("ready.nobody", {"plan": plan.number})
        if scorer == observation.seat:
            if _has_offered(observation, scorer, stage.round):
                return None
            return Advice("ready.you", {"plan": plan.number})
        key = "ready.other" if stage.round < stage.rounds else "ready.unpaid"
        return Advice(key, {"plan": plan.number, "seat": scorer})
    if stage.round == stage.rounds:
        return Advice("ready.last")
    if stage.round == 1:
        return Advice("ready.first", {"rounds": stage.rounds})
    return Advice("ready.later", {"needs": needs}) if stage.target is not None else None


def _has_offered(observation: Observation, seat: Seat, number: int) -> bool:
    """Whether a seat has promised something for the next round."""
    return any(
        promise.by == seat and promise.judgement is None and promise.terms["round"] == number + 1
        for promise in observation.promises
    )


def _bidding(observation: Observation) -> Advice:
    stage, score = part(observation, "stage", Stage), part(observation, "score", Score)
    seat, plan = observation.seat, _most_backed(observation)
    needs = score.needs[seat]
    if stage.target is not None and not needs:
        return Advice("bid.won", {"target": stage.target})
    clash = _find_clash(observation, stage.round)
    if clash is not None:
        return clash
    if stage.target is not None and not score.can[seat]:
        return Advice("bid.out")
    if stage.target is not None and stage.round == stage.rounds and needs:
        return Advice("bid.last", {"needs": needs})
    if plan is not None:
        if lowest_unique(plan.bids) == seat:
            return Advice("bid.keep", {"plan": plan.number, "number": plan.bids[seat]})
        if find_best_answer(plan.bids, seat, stage.most) is not None:
            return Advice("bid.betray", {"plan": plan.number})
        if seat in plan.behind:
            return Advice("bid.follow", {"plan": plan.number})
        return _cannot_score(plan, seat, min(stage.most, TRIED))
    if not score.rows:
        return Advice("bid.first")
    last = score.rows[-1]
    if last.winner is None:
        return Advice("bid.shared", {"number": min(last.bids)})
    return Advice("bid.copied", {"seat": last.winner, "number": last.bids[last.winner]})


def _find_clash(observation: Observation, number: int) -> Advice | None:
    """For a seat that has promised another number than the plan that it backs asks for."""
    plans = part(observation, "plans", Plans).plans
    plan = next((plan for plan in plans if observation.seat in plan.behind), None)
    if plan is None:
        return None
    planned = plan.bids[observation.seat]
    promised = [
        promise.terms["number"]
        for promise in observation.promises
        if promise.by == observation.seat
        and promise.judgement is None
        and (promise.kind, promise.terms["round"]) == ("bid", number)
        and promise.terms["number"] != planned
    ]
    if not promised:
        return None
    return Advice("bid.clash", {"plan": plan.number, "number": planned, "promised": promised[0]})


def _cannot_score(plan: Plan, seat: Seat, most: int) -> Advice:
    """For a seat that does not back a plan, and scores with no number if the others keep to it."""
    number = plan.bids[seat]
    scorer = lowest_unique(plan.bids)
    if scorer is None:
        return Advice("bid.nobody", {"plan": plan.number, "number": number})
    others = [other for other in range(1, most + 1) if other != number]
    stops_all = all(lowest_unique(_with_bid(plan.bids, seat, other)) != scorer for other in others)
    helps = {"plan": plan.number, "number": number, "seat": scorer, "any": "yes" if stops_all else "no"}
    return Advice("bid.stop", {**helps, "spoiler": plan.bids[scorer]})  # two of them cannot be unique


def _with_bid(bids: tuple[int, ...], seat: Seat, number: int) -> tuple[int, ...]:
    return (*bids[:seat], number, *bids[seat + 1 :])


def _most_backed(observation: Observation) -> Plan | None:
    """The plan that most seats back, the newest of these; None if there is none."""
    plans = part(observation, "plans", Plans).plans
    return max(plans, key=lambda plan: (len(plan.behind), plan.number), default=None)


def find_best_answer(bids: tuple[int, ...], seat: Seat, most: int) -> int | None:
    """The highest number that would score for the seat if all others keep to these bids."""
    others = [bid for other, bid in enumerate(bids) if other != seat]
    lowest = min((bid for bid in others if others.count(bid) == 1), default=most + 1)
    return next((number for number in range(lowest - 1, 0, -1) if number not in others), None)
