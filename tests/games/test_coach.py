"""The coaches of all games: every line of advice is given in some real decision, and is true of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any, Final, NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

from games import GAMES
from games.almost.coach import find_best_answer
from games.api import (
    Advice,
    Choice,
    Millis,
    OneOf,
    Outcome,
    Promise,
    Prompt,
    PromptId,
    Range,
    Seat,
    open_prompts,
)
from games.dice import Dice
from games.kit.coaching import numbers
from games.kit.promises import TO, judge, view_public
from games.shares.rules.pieces import uses
from games.subdivision.rules import scoring
from games.subdivision.rules.board import (
    all_neighbours,
    edge_neighbours,
    fits,
    name_of,
    put,
    square_at,
)
from games.subdivision.rules.values import Piece
from games.sucker.rules.values import GiveMove, Kill, Place
from games.takeover.rules.mergers import ways
from games.takeover.rules.values import Pass
from games.testing import random_play
from games.testing.conformance import list_cases
from games.testing.positions import Case
from games.testing.random_play import STYLES, AnyGame
from tests.games.shares import table as shares

CASES: Final = 40
"""The most random games of one kind that are played to see all of its advice."""
RARE: Final[Mapping[str, tuple[Case, ...]]] = {
    "almost": tuple(Case(8, {"maxBid": 2}, STYLES[0], b"out %d" % number) for number in range(4)),
    "sucker": (
        Case(4, {"timers": "off"}, STYLES[0], b"lose 9"),
        *(
            Case(4, {"timers": "off"}, STYLES[0], b"ally %d" % number)
            for number in (3, 7, 0, 1, 2, 4, 5, 6)  # those first that show most
        ),
    ),
}
"""Games in which advice occurs that is rare in others."""


FIRST: Final[Mapping[str, tuple[int, ...]]] = {
    "almost": (13, 15, 16),
    "shares": (10, 9, 20, 16, 24, 26, 0),
    "subdivision": (20, 37, 18, 33, 13, 0),
    "sucker": (13, 9),
    "takeover": (15, 7, 1, 3, 8),
}
"""The random games that every run plays first: they take a moment and show nearly all advice."""


class Given(NamedTuple):
    """Advice that was given in a real position."""

    game: AnyGame
    state: Any
    at: Millis
    seat: Seat
    prompt: Prompt
    advice: Advice
    promises: tuple[Promise, ...] = ()
    """What the seat has promised and not yet kept or broken."""

    @property
    def args(self) -> Mapping[str, Any]:
        return self.advice.args

    def play(self, move: Any) -> Any:
        """The state after this seat's move."""
        assert self.game.check(self.state, self.seat, self.prompt.id, move, self.at) is None
        return self.game.apply(self.state, self.seat, self.prompt.id, move, self.at, Dice(b"truth")).state


def list_advice(game: AnyGame, case: Case) -> Iterator[Given]:
    """All advice in one random game."""
    options = msgspec.convert(case.options, game.Options)
    count = 0
    for position in random_play.play(game, case.seats, options, case.seed, case.style, 400):
        prompts = game.prompts(position.state)
        if isinstance(prompts, Outcome):
            return
        for seat in map(Seat, range(case.seats)):
            asked = [prompt for prompt in open_prompts(prompts, seat) if prompt.kind not in ASIDES]
            if not asked:
                continue
            seen = random_play.observation(game, position.state, seat, case.seats)
            one = [(promise,) for promise in list_promises(game, position.state, seat)]
            two = list_pairs(promise for (promise,) in one)
            some = (*draw(one, count, PROMISED), *draw(two, count, 1))
            count += 1
            for prompt in asked:
                for promises in ((), *some):
                    advice = game.coach(replace(seen, promises=promises), prompt)
                    if advice is not None:
                        at = position.event.at
                        yield Given(game, position.state, at, seat, prompt, advice, promises)


def list_promises(game: AnyGame, state: Any, seat: Seat) -> list[Promise]:
    """Every promise that the seat may make to one other seat or, if it names none, to everybody."""
    if game.key not in MINDFUL or game.promises is None:
        return []
    return [
        Promise(
            "", seat, (Seat(values[TO]),) if TO in values else (), choice.move, _drop(values), Millis(0), 0
        )
        for choice in game.promises.choices(view_public(game, state), seat)
        for values in expand(choice)
    ]


def list_pairs(promises: Iterable[Promise]) -> list[tuple[Promise, ...]]:
    """Each two of these that promise the same to different seats."""
    alike: dict[tuple[str, str], list[Promise]] = {}
    for promise in promises:
        alike.setdefault((promise.kind, str(promise.terms)), []).append(promise)
    return [pair for some in alike.values() for pair in combinations(some, 2)]


def draw(cases: Sequence[tuple[Promise, ...]], turn: int, number: int) -> list[tuple[Promise, ...]]:
    """Some of these cases: the next ones with each turn."""
    return [cases[(turn * number + more) % len(cases)] for more in range(number if cases else 0)]


def expand(choice: Choice) -> Iterator[dict[str, Any]]:
    """The values that the fields of a choice may have together."""
    domains = [
        domain.of if isinstance(domain, OneOf) else range(domain.least, min(domain.most, HIGHEST) + 1)
        for domain in choice.fields.values()
        if isinstance(domain, OneOf | Range)
    ]
    for values in product(*domains):
        yield dict(zip(choice.fields, values, strict=True))


def _drop(values: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: value for name, value in values.items() if name != TO}


MINDFUL: Final = frozenset({"almost", "sucker", "takeover"})
"""The games whose coaches mind what their seat has promised."""
HIGHEST: Final = 30
"""The highest number that is tried: in Banbury, there are far too many."""
PROMISED: Final = 4
"""How many promises are tried at each decision, one at a time, besides a pair of them."""


ASIDES: Final = frozenset({"extend", "lastCall", "trade", "offer", "prisoners", "plan", "show"})
"""Kinds of prompts about which no coach says anything."""


# --- what advice states, by its key: checked by the rules, not as the coach found it ---


def plan_of(given: Given) -> tuple[int, ...]:
    bids = next(plan.bids for plan in given.state.plans.plans if plan.number == given.args["plan"])
    assert isinstance(bids, tuple)
    return bids


def backers_of(given: Given) -> tuple[Seat, ...]:
    return next(tuple(plan.behind) for plan in given.state.plans.plans if plan.number == given.args["plan"])


def scorer_of(bids: tuple[int, ...]) -> int | None:
    alone = sorted(bid for bid in bids if bids.count(bid) == 1)
    return bids.index(alone[0]) if alone else None


def with_bid(given: Given, number: int) -> tuple[int, ...]:
    bids = plan_of(given)
    return (*bids[: given.seat], number, *bids[given.seat + 1 :])


def scores_nothing(given: Given) -> bool:
    most = min(given.state.stage.most, 200)
    return all(scorer_of(with_bid(given, number)) != given.seat for number in range(1, most + 1))


def square_of(given: Given) -> int:
    size = given.state.board.size
    return next(square for square in range(size * size) if name_of(square, size) == given.args["square"])


def totals_after(given: Given, pips: int) -> tuple[Any, Any]:
    """The parts of all scores before and after a pyramid of this seat is placed."""
    state, seats = given.state, len(given.state.stash.left)
    after = put(state.board, square_of(given), Piece(given.seat, pips))
    before = scoring.score(state.board, seats, state.options).totals
    return before, scoring.score(after, seats, state.options).totals


def fewer_groups(given: Given) -> bool:
    before, after = totals_after(given, 2)
    saved = before[given.seat].groups - after[given.seat].groups
    return bool(saved == given.args["saved"] == given.args["count"] - 1 and brings_that_much(given))


def brings_that_much(given: Given) -> bool:
    """Whether the placement changes the seat's total by as many points as the advice says."""
    before, after = totals_after(given, given.args["pips"])
    return bool(after[given.seat].total - before[given.seat].total == given.args["points"])


def list_gains(given: Given) -> list[int]:
    """What each placement would do to the seat's total."""
    state = given.state
    return [
        after[given.seat].total - before[given.seat].total
        for choice in given.game.choices(state, given.seat)[given.prompt.id]
        for pips, square in product(numbers(choice, "pips"), numbers(choice, "square"))
        for before, after in [
            totals_after(
                given._replace(
                    advice=Advice(given.advice.key, {"square": name_of(square, state.board.size)})
                ),
                pips,
            )
        ]
    ]


def brings_most(given: Given) -> bool:
    return brings_that_much(given) and max(list_gains(given)) == given.args["points"]


def crowds(given: Given) -> bool:
    before, after = totals_after(given, 1)
    other, seat = given.args["seat"], given.seat
    costs = after[other].crowded - before[other].crowded
    size = given.state.board.size
    threes = [square_at(name, size) for name in given.args["squares"]]
    near = all_neighbours(size)[square_of(given)]
    is_meant = all(three in near and given.state.board.squares[three] == Piece(other, 3) for three in threes)
    is_whole = costs == given.args["count"] == len(set(threes)) > 0
    harmless = after[seat].crowded == before[seat].crowded
    is_worth_it = given.args["points"] + costs >= max(list_gains(given))
    starts = after[seat].groups > before[seat].groups
    return bool(
        (is_meant and is_whole and other != seat and harmless and is_worth_it)
        and (brings_that_much(given) and given.args["pips"] == 1)
        and (starts or given.args["points"] > 0)
    )


def grows(given: Given) -> bool:
    before, after = totals_after(given, given.args["pips"])
    return bool(after[given.seat].groups == before[given.seat].groups and brings_most(given))


def starts(given: Given) -> bool:
    before, after = totals_after(given, given.args["pips"])
    return bool(after[given.seat].groups > before[given.seat].groups and brings_most(given))


def blocks(given: Given) -> bool:
    """Whether a pyramid there would join that many groups of the other seat, on a square that is free."""
    other = given._replace(seat=given.args["seat"])
    before, after = totals_after(other, 2)
    saved = before[other.seat].groups - after[other.seat].groups
    is_free = given.state.board.squares[square_of(given)] is None
    is_worth_it = given.args["points"] + saved >= max(list_gains(given))
    is_whole = is_free and saved == given.args["count"] - 1
    return bool(other.seat != given.seat and is_whole and is_worth_it and brings_that_much(given))


def others_fit_there(given: Given) -> bool:
    """Whether another seat has a pyramid that fits where a 3 of this seat does."""
    board, stashes = given.state.board, given.state.stash.left
    room = set(fits(board, given.seat, 3))
    return any(
        seat != given.seat and stash[pips - 1] > 0 and not room.isdisjoint(fits(board, seat, pips))
        for seat, stash in enumerate(stashes)
        for pips in (1, 2, 3)
    )


def guards(given: Given) -> bool:
    """Whether the seat's 3 loses nothing by the 1s near it that it would not lose again by one more."""
    board, three = given.state.board, square_of(given)
    ones = sum(
        piece is not None and piece.pips == 1
        for piece in (board.squares[near] for near in all_neighbours(board.size)[three])
    )
    return bool(board.squares[three] == Piece(given.seat, 3) and 1 <= ones <= 3)


def starts_group(given: Given) -> bool:
    """Whether no legal placement is beside a pyramid of the seat."""
    board = given.state.board
    choices = given.game.choices(given.state, given.seat)[given.prompt.id]
    squares = {square for choice in choices for square in numbers(choice, "square")}
    beside = {near for square in squares for near in edge_neighbours(board.size)[square]}
    return all(board.squares[near] is None or board.squares[near].seat != given.seat for near in beside)


def place_own(given: Given, colour: int | None = None) -> Any:
    own = given.seat if colour is None else colour
    return given.play(Place(own, given.args["pile"]))


def list_suggested(given: Given) -> list[Any]:
    """The moves of So Long Sucker and Takeover that the advice speaks for, if it names them wholly."""
    key, args, seat = given.advice.key, given.args, given.seat
    match key:
        case "turn.capture" | "turn.cover" | "turn.forced" | "turn.free":
            return [Place(seat, args["pile"])]
        case "turn.again":
            return [Place(args["colour"], args["pile"])]
        case "choose.empty" | "choose.fewest":
            return [GiveMove(args["seat"])]
        case "choose.yourself":
            return [GiveMove(seat)]
        case "choose.danger":
            return [GiveMove(other) for other in given.state.stage.next if other != args["seat"]]
        case "choose.level":
            return [GiveMove(other) for other in args["seats"]]
        case "turn.save":
            return [Pass()]
        case _:
            return []


def breaks_promise(given: Given) -> bool:
    """Whether the advice speaks for a move that breaks a promise of the seat's, and does not say so."""
    if not given.promises or given.advice.key.split(".")[-1].startswith("promised"):
        return False
    if given.advice.key in ("turn.grow", "turn.jump") and given.game.key == "takeover":
        return any(
            promise.kind in ("spare", "grow") and promise.terms["coin"] == given.args["onto"]
            for promise in given.promises
        )
    return any(is_broken(given, move) for move in list_suggested(given))


def is_broken(given: Given, move: Any) -> bool:
    """Whether a move breaks a promise."""
    return count_broken(given, move) > 0


def count_broken(given: Given, move: Any) -> int:
    """How many promises a move breaks, or a choice of oneself that it leads to."""
    game, dice = given.game, Dice(b"truth")
    assert given.promises
    for prompt in open_prompts(game.prompts(given.state), given.seat):
        if game.check(given.state, given.seat, prompt.id, move, given.at) is None:
            step = game.apply(given.state, given.seat, prompt.id, move, given.at, dice)
            over = isinstance(game.prompts(step.state), Outcome)
            judged, _ = judge(game, given.promises, given.state, step, over=over)
            if given.advice.key == "turn.again" and step.state.stage.phase == "choose":
                return count_broken(given._replace(state=step.state), GiveMove(given.seat))
            return sum(promise.judgement == "broken" for promise in judged)
    return 0


def promised(given: Given, *kinds: str) -> Promise:
    """What has been promised, to whichever seat."""
    assert given.promises
    assert given.promises[0].kind in kinds
    return given.promises[0]


def is_promised(given: Given, kind: str, seats: Iterable[int]) -> bool:
    """Whether each of these seats has been promised something of this kind."""
    told = {seat for promise in given.promises if promise.kind == kind for seat in promise.to}
    return told >= set(seats)


def is_due(given: Given, kind: str) -> bool:
    """Whether the promise is broken unless it is kept on this turn."""
    promise = promised(given, kind)
    return all(
        promise.terms.get(name, value) == value for name, value in given.args.items() if name != "seat"
    ) and (promise.terms["turn"] == given.state.stage.number + 1)


def gets_turn(given: Given) -> bool:
    """Whether the seat gets the turn; without chips, or help, it is defeated at once."""
    stage, other = place_own(given).stage, given.args["other"]
    return bool(stage.mover == other or not stage.alive[other])


def may_go_again(given: Given) -> bool:
    stage = place_own(given, given.args["colour"]).stage
    return bool(given.seat in stage.next or stage.mover == given.seat)


def can_take(given: Given, seat: int) -> bool:
    """Whether a seat of So Long Sucker can capture the pile that the advice names, with all its chips."""
    pile = next(pile for pile in given.state.piles if pile.id == given.args["pile"])
    holds = given.state.hands.chips[seat][seat] > 0
    return bool(holds and pile.chips[-1] == seat != given.seat and given.args["count"] == len(pile.chips))


def captures(given: Given) -> bool:
    pile = next(pile for pile in given.state.piles if pile.id == given.args["pile"])
    return bool(pile.chips[-1] == given.seat and given.state.hands.chips[given.seat][given.seat])


def passes_ends(given: Given) -> bool:
    return isinstance(given.game.prompts(given.play(Pass())), Outcome)


def best_of(cards: Iterable[str]) -> str:
    ranks = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
    return max((card[:-1] for card in cards), key=ranks.index)


def holdings(given: Given) -> tuple[int, ...]:
    held: tuple[int, ...] = given.game.private(given.state, given.seat)["tracker"].data.holdings  # type: ignore[attr-defined]
    return held


def standing(given: Given, name: str = "company") -> Any:
    towers: Any = given.game.public(given.state)["towers"].data
    return towers.companies["ABCDE".index(given.args[name])]


def owns_most(given: Given) -> bool:
    return holdings(given)["ABCDE".index(given.args["company"])] == max(holdings(given)) > 0


def held_of(given: Given, name: str) -> int:
    """How many shares of the company with this name in the advice the seat has."""
    return holdings(given)["ABCDE".index(given.args[name])]


def leads_with_a_floor(given: Given) -> bool:
    """Whether one more floor makes this company first alone."""
    move = msgspec.convert({"move": "add", "tower": given.args["company"]}, given.game.Move)
    after = standing(given._replace(state=given.play(move)))
    return bool((after.place, after.tied) == (1, 1) and standing(given).tied > 1)


def has_most_cards(given: Given) -> bool:
    cards = [len(hand) for seat, hand in enumerate(given.state.hands) if seat != given.seat]
    seat = given.args["seat"]
    tied = cards.count(max(cards)) == given.args["tied"]
    return bool(
        tied and seat != given.seat and len(given.state.hands[seat]) == given.args["count"] == max(cards)
    )


def highest_in_hand(given: Given) -> bool:
    return best_of([given.args["card"]]) == best_of(given.state.hands[given.seat])


def counts_most_often(given: Given) -> bool:
    """Whether no card but a spade without a target counts more often than the advised one."""
    targets = [tower for held, tower in zip(holdings(given), given.state.towers, strict=True) if not held]
    cards = [card for card in given.state.hands[given.seat] if card[-1] != "S" or any(targets)]
    return uses(given.args["card"]) == max(map(uses, cards))


def counts_most_often_as_said(given: Given) -> bool:
    return counts_most_often(given) and uses(given.args["card"]) == given.args["count"]


def holds_all_towers(given: Given) -> bool:
    """Whether there are floors, and only where the seat has shares."""
    towers = given.state.towers
    return any(towers) and all(held for held, tower in zip(holdings(given), towers, strict=True) if tower)


def stocks(given: Given) -> list[str]:
    return [coin.name for coin in given.state.hands[given.seat] if coin.stock]


def grows_stock(given: Given, *, touch: bool) -> bool:
    """Whether this merger of Takeover, of stacks that touch or not, puts a stock on another company."""
    coin, onto, cost = given.args["coin"], given.args["onto"], given.args["cost"]
    way = ways(given.state.grid)[f"{coin}>{onto}"]
    is_own = coin in stocks(given) and onto not in stocks(given)
    cash = [int(one.name[1]) for one in given.state.hands[given.seat] if not one.stock]
    sums = {sum(coins) for count in range(len(cash) + 1) for coins in combinations(cash, count)}
    least = min(paid for paid in sums if paid >= way.cost)
    return bool(is_own and (least, way.touch) == (cost, touch))


def leaves_cash(given: Given) -> bool:
    """Whether the advised stocks are the seat's own coins, none of them a 0, and leave it some cash."""
    money = {coin.name for coin in given.state.hands[given.seat] if coin.name[1] != "0"}
    advised = set(given.args["stocks"])
    return advised < money or (advised == money and len(money) < 2)


TRUTHS: Final[Mapping[str, Mapping[str, Callable[[Given], bool]]]] = {
    "almost": {
        "ready.first": lambda given: given.args["rounds"] == given.state.stage.rounds,
        "ready.later": lambda given: (
            given.state.score.points[given.seat] + given.args["needs"] == 10 or given.state.stage.target != 10
        ),
        "ready.won": lambda given: (
            given.state.score.points[given.seat] >= given.args["target"] == given.state.stage.target
        ),
        "bid.won": lambda given: given.state.score.points[given.seat] >= given.state.stage.target,
        "bid.clash": lambda given: (
            given.seat in backers_of(given)
            and plan_of(given)[given.seat] == given.args["number"] != given.args["promised"]
            and any(
                promise.terms == {"number": given.args["promised"], "round": given.state.stage.round}
                for promise in given.promises
            )
        ),
        "ready.last": lambda given: given.state.stage.round == given.state.stage.rounds,
        "ready.you": lambda given: scorer_of(plan_of(given)) == given.seat,
        "ready.other": lambda given: (
            scorer_of(plan_of(given)) == given.args["seat"] != given.seat
            and given.state.stage.round < given.state.stage.rounds
        ),
        "ready.unpaid": lambda given: given.state.stage.round == given.state.stage.rounds,
        "ready.nobody": lambda given: scorer_of(plan_of(given)) is None,
        "bid.first": lambda given: given.state.plans.plans == (),
        "bid.keep": lambda given: (
            plan_of(given)[given.seat] == given.args["number"] and scorer_of(plan_of(given)) == given.seat
        ),
        "bid.betray": lambda given: any(
            scorer_of(with_bid(given, number)) == given.seat
            for number in range(1, min(given.state.stage.most, 100) + 1)
        ),
        "bid.follow": lambda given: scores_nothing(given) and given.seat in backers_of(given),
        "bid.stop": lambda given: (
            scores_nothing(given)
            and given.seat not in backers_of(given)
            and scorer_of(with_bid(given, given.args["number"])) == given.args["seat"]
            and scorer_of(with_bid(given, given.args["spoiler"])) != given.args["seat"]
            and (given.args["any"] == "yes")
            == all(
                scorer_of(with_bid(given, number)) != given.args["seat"]
                for number in range(1, min(given.state.stage.most, HIGHEST) + 1)
                if number != given.args["number"]
            )
        ),
        "bid.nobody": lambda given: (
            scores_nothing(given) and scorer_of(with_bid(given, given.args["number"])) is None
        ),
        "bid.shared": lambda given: (
            given.state.score.rows[-1].winner is None
            and given.args["number"] == min(given.state.score.rows[-1].bids)
        ),
        "bid.copied": lambda given: (
            given.state.score.rows[-1].bids[given.args["seat"]] == given.args["number"]
        ),
        "bid.last": lambda given: (
            given.state.stage.round == given.state.stage.rounds
            and given.state.score.points[given.seat] + given.args["needs"] == given.state.stage.target
        ),
        "bid.out": lambda given: (
            given.state.score.points[given.seat]
            + given.state.stage.most * (given.state.stage.rounds - given.state.stage.round + 1)
            < given.state.stage.target
        ),
    },
    "subdivision": {
        "park.first": lambda given: given.state.board.parks == (),
        "park.beside": lambda given: square_of(given) in given.state.board.parks,
        "park.private": lambda given: given.state.options.private_parks,
        "place.first": lambda given: all(
            piece is None or piece.seat != given.seat for piece in given.state.board.squares
        ),
        "place.join": fewer_groups,
        "place.crowd": crowds,
        "place.hurry": lambda given: (
            others_fit_there(given)
            and given.args["count"]
            == sum(
                given.game.check(
                    given.state,
                    given.seat,
                    given.prompt.id,
                    msgspec.convert({"move": "place", "pips": 3, "square": square}, given.game.Move),
                    given.at,
                )
                is None
                for square in range(given.state.board.size**2)
            )
        ),
        "place.grow": grows,
        "place.block": blocks,
        "place.guard": guards,
        "place.start": starts,
        "place.apart": starts_group,
    },
    "takeover": {
        "draft.first": lambda given: (
            given.state.draft.left[given.args["value"]] > 0
            and not any(given.state.draft.left[given.args["value"] + 1 :])
        ),
        "draft.zero": lambda given: all(coin.name[1] != "0" for coin in given.state.hands[given.seat]),
        "flip.free": lambda given: (
            given.args["coin"] in given.args["stocks"]
            and (way := ways(given.state.grid)[f"{given.args['coin']}>{given.args['onto']}"]).cost == 0
            and way.touch
            and leaves_cash(given)
        ),
        "flip.cash": lambda given: leaves_cash(given),
        "flip.high": lambda given: (
            given.args["coin"] in [coin.name for coin in given.state.hands[given.seat]]
            and given.args["coin"] not in given.args["stocks"]
            and leaves_cash(given)
        ),
        "turn.grow": lambda given: grows_stock(given, touch=True),
        "turn.jump": lambda given: grows_stock(given, touch=False),
        "turn.threat": lambda given: (
            given.args["coin"] in stocks(given) and given.args["source"] not in stocks(given)
        ),
        "draft.promised": lambda given: (
            promised(given, "pick").terms
            == {"value": given.args["value"], "number": len(given.state.draft.picks) + 1}
        ),
        "turn.promised": lambda given: promised(given, "spare", "grow").terms["coin"] == given.args["coin"],
        "turn.promisedPass": lambda given: is_due(given, "pass"),
        "turn.promisedCover": lambda given: is_due(given, "cover") and is_broken(given, Pass()),
        "turn.promisedGrow": lambda given: is_due(given, "grow") and is_broken(given, Pass()),
        "turn.promisedGive": lambda given: is_due(given, "give"),
        "turn.broke": lambda given: all(
            choice.move != "merge" for choice in given.game.choices(given.state, given.seat)[given.prompt.id]
        ),
        "turn.end": passes_ends,
    },
    "sucker": {
        "turn.opening": lambda given: given.state.piles == (),
        "turn.row": lambda given: (
            given.state.rows[given.seat][0] == given.args["enemy"]
            and given.state.rows[given.seat][-1] == given.args["ally"] != given.args["enemy"]
            and all(given.state.stage.alive)
        ),
        "turn.card": lambda given: any(
            card.owner == given.seat and card.token == given.args["other"] and card.status == "held"
            for card in given.state.taken
        ),
        "turn.capture": lambda given: (
            captures(given)
            and given.args["count"]
            == next(len(pile.chips) for pile in given.state.piles if pile.id == given.args["pile"])
        ),
        "turn.cover": lambda given: can_take(given, given.args["other"]),
        "choose.danger": lambda given: (
            can_take(given, given.args["seat"])
            and given.args["seat"] in given.state.stage.next
            and len(given.state.stage.next) > 1
        ),
        "rescue.lose": lambda given: (
            sum(given.state.stage.alive) == 2 and given.state.rows[given.seat][0] == given.args["seat"]
        ),
        "rescue.enemy": lambda given: (
            sum(given.state.stage.alive) == 3
            and given.state.stage.alive[given.args["other"]]
            and given.state.rows[given.seat][0] == given.args["other"] != given.args["seat"]
        ),
        "turn.promised": lambda given: (
            promised(given, "spare_pile").terms == given.args
            and is_broken(given, Place(given.seat, given.args["pile"]))
        ),
        "turn.new": lambda given: len(given.play(Place(given.seat)).stage.next) > 1,
        "turn.prisoners": lambda given: (
            given.state.hands.chips[given.seat][given.seat] == 0
            and sum(given.state.hands.chips[given.seat]) == given.args["count"]
        ),
        "choose.promised": lambda given: (
            is_promised(given, "pass_move", [given.args["seat"]])
            and all(
                is_broken(given, GiveMove(seat)) == (seat != given.args["seat"])
                for seat in given.state.stage.next
            )
        ),
        "choose.promisedSeveral": lambda given: (
            is_promised(given, "pass_move", given.args["seats"])
            and set(given.args["seats"]) <= set(given.state.stage.next)
            and all(
                count_broken(given, GiveMove(seat))
                == len(given.args["seats"]) - (seat in given.args["seats"])
                for seat in given.state.stage.next
            )
        ),
        "choose.level": lambda given: (
            {sum(given.state.hands.chips[seat]) for seat in given.args["seats"]} == {given.args["count"]}
            and set(given.args["seats"]) <= set(given.state.stage.next)
        ),
        "kill.promised": lambda given: (
            is_promised(given, "spare_chips", given.args["seats"])
            and all(is_broken(given, Kill(seat)) for seat in given.args["seats"])
        ),
        "rescue.promised": lambda given: is_promised(given, "save", [given.args["seat"]]),
        "turn.last": lambda given: sum(given.state.hands.chips[given.seat]) == 1,
        "turn.again": may_go_again,
        "turn.forced": gets_turn,
        "turn.free": lambda given: place_own(given).stage.next == given.args["seats"],
        "choose.empty": lambda given: (
            sum(given.state.hands.chips[given.args["seat"]]) == 0
            and given.args["seat"] in given.state.stage.next
        ),
        "choose.yourself": lambda given: (
            given.seat in given.state.stage.next
            and sum(given.state.hands.chips[given.seat]) == given.args["count"]
        ),
        "choose.fewest": lambda given: (
            sum(given.state.hands.chips[given.args["seat"]])
            == given.args["count"]
            == min(sum(given.state.hands.chips[seat]) for seat in given.state.stage.next)
        ),
        "kill.spare": lambda given: (
            next(pile.chips for pile in given.state.piles if pile.id == given.state.stage.pile).count(
                given.seat
            )
            == given.args["count"]
        ),
        "rescue.ally": lambda given: given.state.rows[given.seat][-1] == given.args["seat"],
        "rescue.last": lambda given: sum(given.state.stage.alive) == 2,
        "rescue.back": lambda given: given.state.stage.alive[given.args["other"]],
    },
    "shares": {
        "select.more": lambda given: owns_most(given) and max(holdings(given)) == given.args["count"],
        "select.tallest": lambda given: (
            (standing(given).place, standing(given).tied) == (1, 1)
            and standing(given).prize == given.args["prize"]
        ),
        "select.tied": lambda given: (
            standing(given, "rival").place == 1
            and given.args["company"] != given.args["rival"]
            and (standing(given).place, standing(given).tied) == (1, given.args["tied"])
            and standing(given).prize == given.args["prize"]
        ),
        "lowball": highest_in_hand,
        "turn.draw": lambda given: len(given.state.hands[given.seat]) == given.args["count"],
        "turn.hearts": counts_most_often_as_said,
        "turn.spades": lambda given: (
            counts_most_often(given) and bool(standing(given).floors) and not held_of(given, "company")
        ),
        "turn.wait": holds_all_towers,
        "turn.early": lambda given: not any(given.state.towers),
        "turn.enough": lambda given: (
            given.state.turns.spent > 0
            and given.state.turns.actions[given.seat] == given.args["count"] > 0
            and any(
                actions and not out
                for seat, (actions, out) in enumerate(
                    zip(given.state.turns.actions, given.state.turns.out, strict=True)
                )
                if seat != given.seat
            )
        ),
        "turn.clubs": counts_most_often_as_said,
        "turn.diamonds": counts_most_often,
        "hearts.raise": lambda given: (
            standing(given).place > 1 and held_of(given, "company") == given.args["count"]
        ),
        "hearts.first": lambda given: (
            leads_with_a_floor(given) and held_of(given, "company") == given.args["count"]
        ),
        "hearts.ahead": lambda given: (
            (standing(given).place, standing(given).tied) == (1, 1)
            and held_of(given, "company") == given.args["count"]
        ),
        "spades.rival": lambda given: (
            (standing(given).place, standing(given).tied) == (1, 1)
            and held_of(given, "company") == given.args["count"]
        ),
        "spades.tied": lambda given: (
            standing(given).place == 1 < standing(given).tied
            and held_of(given, "company") == given.args["count"]
        ),
        "spades.other": lambda given: (
            owns_most(given)
            and (standing(given).place, standing(given).tied) == (1, given.args["tied"])
            and not held_of(given, "rival")
        ),
        "spades.own": holds_all_towers,
        "clubs.hand": lambda given: sum(map(len, given.state.hands)) > len(given.state.hands[given.seat]),
        "clubs.tracker": lambda given: sum(map(len, given.state.hands)) == len(given.state.hands[given.seat]),
        "draw": lambda given: (
            given.args["card"] in given.state.discard
            and best_of([given.args["card"]]) == best_of(given.state.discard)
        ),
        "chance1": has_most_cards,
        "chance2": has_most_cards,
        "adjust": lambda given: (
            1 <= given.args["least"] <= given.state.scene.roll.rolled <= given.args["most"] <= 6
        ),
    },
}


def order_cases(key: str) -> Iterator[Case]:
    """All games, those first that show most advice."""
    cases = list(list_cases(GAMES[key].game, CASES))
    yield from (cases[number] for number in FIRST.get(key, ()))
    yield from RARE.get(key, ())
    yield from (case for number, case in enumerate(cases) if number not in FIRST.get(key, ()))


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize(
    "every", [pytest.param(False, id="some"), pytest.param(True, id="all", marks=pytest.mark.at_length)]
)
def test_every_line_of_advice_is_given_and_true(key: str, every: bool) -> None:
    """Plays all games, or stops once all advice has been given."""
    game, unseen, untrue = GAMES[key].game, set(GAMES[key].game.texts.coach), list[Any]()
    assert unseen >= set(TRUTHS[key])
    for case in order_cases(key):
        for given in list_advice(game, case):
            unseen.discard(given.advice.key)
            truth = TRUTHS[key].get(given.advice.key)
            if (truth is not None and not truth(given)) or breaks_promise(given):
                untrue.append((given.advice, given.seat, str(case)))
        assert untrue[:3] == []
        if not unseen and not every:
            break
    assert unseen == set()


def test_the_best_answer_to_a_plan() -> None:
    assert find_best_answer((1, 1, 10), Seat(0), 10) is None  # the 1 of Bot B is alone then
    assert find_best_answer((2, 2, 5), Seat(2), 10) == 10
    assert find_best_answer((4, 4, 2), Seat(0), 10) == 1


@pytest.mark.parametrize(("built", "tied"), [(("LL", "LL", "L"), 2), (("LL", "L", "L"), 1)])
def test_a_tallest_tower_of_its_own_is_said_to_be_tied_if_it_is(built: tuple[str, ...], tied: int) -> None:
    table = shares.Table(state=shares.position("10S", "3S", "4H", built=built, marks={0: "AB"}))
    table.do(0, "turn", "play", card="10S")
    (prompt,) = [one for one in table.prompts if one.kind == "spades"]
    seen = random_play.observation(GAMES["shares"].game, table.state, Seat(0), 3)
    expected = Advice("spades.other", {"company": "A", "rival": "C", "tied": tied})
    assert GAMES["shares"].game.coach(seen, prompt) == expected


def test_nothing_is_said_about_what_is_answered() -> None:
    """GEN-5: a seat that has locked its number gets no advice to change it."""
    game = GAMES["almost"].game
    state = game.setup(3, game.Options(discussion="none"), Millis(0), Dice(b"locked")).state
    (bid, *_) = open_prompts(game.prompts(state), Seat(0))
    move = msgspec.convert({"move": "lock", "number": 3}, game.Move)
    after = game.apply(state, Seat(0), PromptId(bid.id), move, Millis(0), Dice(b"locked")).state
    for seat, expected in ((0, None), (1, Advice("bid.first"))):
        assert game.coach(random_play.observation(game, after, Seat(seat), 3), bid) == expected
