"""Advice for beginners (`Game.coach`), from what their seat sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.api import Advice, Observation, Prompt
from games.kit.coaching import list_choices, list_promises, words
from games.kit.observations import part
from games.takeover.rules.mergers import is_adjacent
from games.takeover.rules.promises import could_keep
from games.takeover.rules.values import (
    LAPSES,
    Board,
    Draft,
    Hand,
    Merger,
    Mergers,
    Name,
    Passes,
    Stage,
    value_of,
)

DUE: Final = ("pass", "give", "cover", "grow")
"""Kinds of promises that are broken on their last turn unless the seat keeps them then."""
HIGH: Final = 4
"""Coins of at least this value are cash, unless their company can swallow a neighbour for nothing."""
COST_OF_NULL: Final = 1
"""What a 0 coin that a jump takes is worth in the advice, in money."""


def advise(observation: Observation, prompt: Prompt) -> Advice | None:
    """Advice about taking a coin, choosing stocks or merging; None for trades, and once it has locked.

    Where the seat's own promise is at stake, the advice says so.
    """
    hand = part(observation, "hand", Hand)
    match prompt.kind:
        case "draft":
            return _drafting(observation, hand, part(observation, "draft", Draft))
        case "flip" if list_choices(observation, prompt, "lock"):
            return _choosing_stocks(hand, part(observation, "board", Board))
        case "turn":
            return _merging(observation, prompt, hand)
        case _:
            return None


def _drafting(observation: Observation, hand: Hand, draft: Draft) -> Advice | None:
    """Advice about the first coin, about a 0 coin while the seat has none, and about a promise at stake."""
    for promise in list_promises(observation, "pick"):
        value = int(promise.terms["value"])
        if promise.terms["number"] == len(draft.picks) + 1 and draft.left[value]:
            return Advice("draft.promised", {"value": value})
    if not hand.coins:
        highest = max(value for value, count in enumerate(draft.left) if count)
        return Advice("draft.first", {"value": highest})
    values = sorted(value_of(coin.name) for coin in hand.coins)
    if draft.left[0] and 0 not in values and len(values) > 1:
        return Advice("draft.zero")
    return None


def _choosing_stocks(hand: Hand, board: Board) -> Advice:
    """Names all coins to make stocks as `stocks`, which the client marks for whoever asks for that."""
    names = sorted((coin.name for coin in hand.coins), key=lambda name: (value_of(name), name), reverse=True)
    neighbours = {name: _find_free_neighbour(board, name) for name in names if value_of(name)}
    highest = names[0]
    free = next((name for name, neighbour in neighbours.items() if neighbour is not None), None)
    if value_of(highest) < HIGH:
        return Advice("flip.cash", {"stocks": choose_stocks(neighbours)})
    if free is not None:
        stocks = choose_stocks(neighbours, free)
        return Advice("flip.free", {"coin": free, "onto": neighbours[free], "stocks": stocks})
    stocks = choose_stocks(neighbours)
    return Advice("flip.high", {"coin": highest, "stocks": stocks})


def choose_stocks(neighbours: Mapping[Name, Name | None], advised: Name | None = None) -> list[Name]:
    """Low coins, and those with a neighbour to swallow for nothing; one other than `advised` stays cash.

    `neighbours` has all coins to choose from, highest first.
    """
    stocks = [name for name, onto in neighbours.items() if value_of(name) < HIGH or onto is not None]
    others = [name for name in stocks if name != advised]
    if others and len(stocks) == len(neighbours):
        stocks.remove(next((name for name in others if neighbours[name] is None), others[0]))
    return stocks


def _find_free_neighbour(board: Board, name: Name) -> Name | None:
    """The highest company of the same industry that touches this one: it could swallow that for nothing."""
    tops = [None if stack is None else stack.tiles[-1] for stack in board.stacks]
    square = tops.index(name)
    beside = [top for other, top in enumerate(tops) if top is not None and is_adjacent(square, other)]
    return max((top for top in beside if top[0] == name[0]), key=value_of, default=None)


def _merging(observation: Observation, prompt: Prompt, hand: Hand) -> Advice:
    seat, passes = observation.seat, part(observation, "passes", Passes)
    legal = {pair for choice in list_choices(observation, prompt, "merge") for pair in words(choice, "pair")}
    due = _find_due(observation) if legal else None
    if due is not None:
        return due
    passed = (one or lapsed >= LAPSES for one, lapsed in zip(passes.passed, passes.lapses, strict=True))
    if all(one for other, one in enumerate(passed) if other != seat):
        return Advice("turn.end")
    if not legal:
        return Advice("turn.broke")
    mergers = part(observation, "mergers", Mergers).mergers
    growing = [merger for merger in mergers if merger.pair in legal and _gain(merger, hand) > 0]
    spared = {promise.terms["coin"] for promise in list_promises(observation, "spare", "grow")}
    free = [merger for merger in growing if merger.pair.split(">")[1] not in spared]
    if growing and not free:
        return Advice("turn.promised", {"coin": growing[0].pair.split(">")[1]})
    if free:
        best = max(free, key=lambda merger: (_gain(merger, hand), merger.touch, merger.pair))
        coin, onto = best.pair.split(">")
        cost = _compute_payment(best, hand)
        about: Mapping[str, str | int] = {"coin": coin, "onto": onto, "worth": best.worth, "cost": cost}
        return Advice("turn.grow" if best.touch else "turn.jump", about)
    stocks = {coin.name for coin in hand.coins if coin.stock}
    for merger in mergers:
        source, covered = merger.pair.split(">")
        if merger.touch and covered in stocks and source not in stocks:
            return Advice("turn.threat", {"coin": covered, "source": source})
    return Advice("turn.save")


def _find_due(observation: Observation) -> Advice | None:
    """What the seat has promised by the end of this turn and could still keep; None if there is nothing."""
    number = part(observation, "stage", Stage).number + 1
    due = [
        promise
        for promise in list_promises(observation, *DUE)
        if promise.terms["turn"] == number
        and (promise.kind not in ("cover", "grow") or could_keep(promise, observation.sections))
    ]
    promise = min(due, key=lambda promise: DUE.index(promise.kind), default=None)
    if promise is None:
        return None
    if promise.kind == "pass":
        return Advice("turn.promisedPass")
    if promise.kind == "give":
        return Advice("turn.promisedGive", {"seat": promise.to[0], "count": promise.terms["count"]})
    return Advice(
        "turn.promisedCover" if promise.kind == "cover" else "turn.promisedGrow",
        {"coin": promise.terms["coin"]},
    )


def _gain(merger: Merger, hand: Hand) -> int:
    """What the merger adds to the seat's total; at most 0 if it swallows a stock."""
    source, covered = merger.pair.split(">")
    stocks = {coin.name: coin.worth for coin in hand.coins if coin.stock}
    if source not in stocks or covered in stocks:
        return 0
    paid = _compute_payment(merger, hand) + (0 if merger.touch else COST_OF_NULL)
    return merger.worth - stocks[source] - paid


def _compute_payment(merger: Merger, hand: Hand) -> int:
    """What the seat pays for a merger that it can pay for: no change is given."""
    return sum(map(value_of, hand.pay[merger.cost] or ()))
