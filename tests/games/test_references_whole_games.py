"""The reference versions on their own: every game ends, and nothing gets lost along the way."""

from __future__ import annotations

import random

import pytest

from tests.games.shares import reference as shares
from tests.games.shares import reference_table as shares_table
from tests.games.shares.reference_scoring import PRIZES
from tests.games.sucker import reference as sucker
from tests.games.sucker import reference_table as sucker_table

# --- So Long Sucker ---


def sucker_deal(
    dice: random.Random, seats: int, options: sucker_table.Options
) -> tuple[list[list[int]], list[str]]:
    """The rows and the blackmail stack for a round."""
    rows = [[other for other in range(seats) if other != seat] for seat in range(seats)]
    for row in rows:
        dice.shuffle(row)
    deck = dice.sample(sucker_table.KINDS * 2, 6) if options.blackmail else []
    return (rows if options.blind_ally else [[] for _ in rows]), deck


def sucker_options(dice: random.Random) -> sucker_table.Options:
    return sucker_table.Options(
        blind_ally=dice.random() < 0.8,
        blackmail=dice.random() < 0.8,
        rounds=dice.choice([1, 2, 3]),
        chip_adjust=dice.choice(["fromBase", "cumulative", "off"]),
        first_player=dice.choice(["random", "lastOut", "rotate"]),
        blackmail_faces=dice.choice(["private", "public"]),
        self_blackmail=dice.random() < 0.5,
        dead_cards=dice.choice(["void", "keepCapture"]),
    )


def check_sucker(game: sucker_table.Game) -> None:
    """Checks the invariants of every state."""
    for colour in range(game.seats):
        lying = sum(pile.count(colour) for pile in game.piles)
        held = sum(hand[colour] for hand in game.chips)
        assert lying + held + game.killed[colour] == game.started_with[colour]
    every = len(game.cards) + len(game.played) + len(game.void) + len(game.deck)
    assert every == (6 if game.options.blackmail else 0)
    assert len(game.eliminated) == game.alive.count(False)
    assert all(sucker_table.chips_of(game, seat) == 0 for seat in game.eliminated)
    holder = sucker_table.holder(game)
    assert game.alive[holder]
    assert (game.award_to is None) or game.phase == "rescue"
    assert (game.captor == sucker_table.NOBODY) is (game.phase != "kill")
    if game.phase == "move":
        assert sucker_table.chips_of(game, holder) > 0
    if game.phase == "rescue":
        assert sucker_table.chips_of(game, holder) == 0
        assert sucker_table.waiting(game)


def sucker_round_after(
    game: sucker_table.Game, dice: random.Random, options: sucker_table.Options
) -> sucker_table.Game:
    drawn = dice.randrange(game.seats) if options.first_player == "random" else None
    result = sucker.next_round(game, *sucker_deal(dice, game.seats, options), drawn)
    assert isinstance(result, sucker_table.Game)
    assert result.points == game.points
    assert result.started_with == sucker_table.next_chips(game)
    first = {"lastOut": game.eliminated[-1], "rotate": (game.first + 1) % game.seats, "random": drawn}
    assert result.stack == [first[options.first_player]]
    return result


@pytest.mark.parametrize(
    "seed", [seed if seed < 9 else pytest.param(seed, marks=pytest.mark.at_length) for seed in range(24)]
)
def test_sucker(seed: int) -> None:
    dice = random.Random(seed)
    seats = 4 + seed % 3
    options = sucker_options(dice)
    game = sucker_table.start(seats, options, *sucker_deal(dice, seats, options), dice.randrange(seats))
    assert game.started_with == [{4: 7, 5: 6, 6: 5}[seats]] * seats
    steps = 0
    while game.phase != "over":
        steps += 1
        assert steps < 3000
        check_sucker(game)
        if game.phase == "roundOver":
            game = sucker_round_after(game, dice, options)
            continue
        may = sucker.legal(game)
        assert all(event in may for event in sucker.defaults(game))
        if dice.random() < 0.05:
            result = sucker.expire(game)
        else:
            ahead = [one for one in may if one[0] not in ("transfer", "kill_prisoner", "unrefuse")]
            name, arguments = dice.choice(ahead if ahead and dice.random() < 0.8 else may)
            before = sucker_table.fresh(game)
            result = sucker.feed(game, name, *arguments)
            assert game == before  # a state is never changed
        assert isinstance(result, sucker_table.Game)
        game = result
    check_sucker(game)
    assert sum(game.alive) == 1


# --- Share and Share Alike ---


def shares_options(dice: random.Random) -> shares_table.Options:
    return shares_table.Options(
        talk=dice.choice(["strict", "looseLips", "wholeTruth"]),
        open_market=dice.random() < 0.5,
        lowball=dice.random() < 0.5,
        company_metric=dice.choice(["floors", "pips"]),
        company_tie=dice.choice(["average", "high", "low"]),
        rounding=dice.choice(["exact", "nearest", "floor"]),
        lowball_card=dice.choice(["return", "discard", "bottom"]),
        chance3_source=dice.choice(["deck", "either"]),
        chance4_draw=dice.random() < 0.5,
        rounds=5,
    )


def check_shares(game: shares_table.Game) -> None:
    """Checks the invariants of every state."""
    cards = [card for hand in game.hands for card in hand] + game.deck + game.discards
    assert sorted(cards + [played.card for played in game.resolving]) == sorted(shares_table.CARDS)
    for size, left in game.supply.items():
        assert left + sum(tower.count(size) for tower in game.towers) == 20
        assert left >= 0
    every = [shares_table.holdings(game, seat) for seat in range(game.seats)]
    assert min(min(counts) for counts in every) >= 0
    for seat in range(game.seats):
        assert 0 <= game.actions[seat] <= 3
        assert len(game.marks[seat]) == game.round - (game.phase == "select")
    assert sum(sum(counts) for counts in every) == game.seats * len(game.marks[0])
    if game.phase == "action":
        assert game.active is not None
        assert not game.out[game.active]
        assert game.actions[game.active] > 0
        assert game.resolving == []
    assert len(game.resolving) <= 2


def shares_event(game: shares_table.Game, dice: random.Random) -> shares.Event:
    """A random event, possibly a roll of the die; an offer need not be legal."""
    if game.phase == "start":
        return "begin", (dice.randrange(game.seats),)
    if game.phase == "roll":
        return "roll", (dice.randint(1, 6),)
    if game.phase == "market" and dice.random() < 0.7:
        by, to = dice.sample(range(game.seats), 2)
        give, take = ([dice.choice([0, 0, 1]) for _ in range(5)] for _ in range(2))
        return "propose", (by, to, give, take)
    assert shares_table.waiting(game)
    may = shares.legal(game)
    ahead = [event for event in may if event[0] != "unlock"]
    return dice.choice(ahead if ahead and dice.random() < 0.9 else may)


@pytest.mark.parametrize(
    "seed", [seed if seed < 4 else pytest.param(seed, marks=pytest.mark.at_length) for seed in range(12)]
)
def test_shares(seed: int) -> None:
    dice = random.Random(seed)
    seats = 3 + seed % 4
    options = shares_options(dice)
    cards = dice.sample(shares_table.CARDS, 52)
    hands = [cards[5 * seat : 5 * seat + 5] for seat in range(seats)]
    game = shares_table.start(options, hands, cards[5 * seats :])
    steps = 0
    while game.phase != "over":
        steps += 1
        assert steps < 3000
        check_shares(game)
        if game.phase in ("action", "hearts", "spades") and dice.random() < 0.05:
            result = shares.expire(game)
            assert isinstance(result, shares_table.Game)
            game = result
            continue
        event = shares_event(game, dice)
        before = shares_table.fresh(game)
        result = shares.feed(game, event[0], *event[1])
        assert game == before  # a state is never changed
        if isinstance(result, str):
            assert event[0] == "propose"
        else:
            game = result
    check_shares(game)
    assert game.round == options.rounds
    end = shares_table.score(game)
    if options.company_tie == "average":
        assert sum(end.prizes) == sum(PRIZES)
    if options.rounding == "exact":
        assert sum(end.scores) == sum(
            prize for prize, number in zip(end.prizes, end.claimed, strict=True) if number
        )
