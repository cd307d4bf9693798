"""A second version of Share and Share Alike, slow and simple, written from the rulings (section 1) alone.

It follows games played by the rules, and disagrees with them where one of the two versions is wrong. It
shares no code with the game itself and does not try to be fast. Scoring is in reference_scoring.py.

*Events.* `feed(game, name, ...)` returns the state after an event, or the id of the rule that forbids it (a
string); the given state is never changed. The events by phase, where `seat` is the one that acts:

    select       select(seat, company), lock(seat), unlock(seat)
    lowball      offer_card(seat, card), lock(seat), unlock(seat); no_card(seat) when time is up
    action       play(seat, card), discard(seat, cards), draw_up(seat), open_market(seat, card),
                 end_turn(seat)
    hearts       add(seat, company), done(seat)
    spades       remove(seat, company), done(seat)
    clubs, spy   spy(seat, target, "hand" or "tracker"), done(seat); stop_peeking(seat)
    adjust       adjust(seat, by)
    chance1      target(seat, other); then phase "peek": take(seat, card)
    chance2      swap(seat, a, b)
    chance3      from_deck(seat), from_discard(seat, card); only where the Discard Pile may be chosen
    chance4      play, discard, open_market, draw_up, where they are free; decline(seat)
    chance6      target(seat, other)
    draw         from_deck(seat), from_discard(seat, card), done(seat)
    market       propose(by, to, give, take), accept, decline_offer, cancel_offer(seat, number),
                 close_market(seat)
    any          show(seat, to) with wholeTruth

*Chance events* are fed when they are due: the deal in `start`; in phase "start" `begin(seat)` with the seat
chosen at random; in phase "roll" `roll(face)` for `decider`. Sixes that are rolled again may be fed too, but
need not be. Cards are drawn from the deck in its order. So feed an event and then, while the phase is
"start" or "roll", feed the other game's random result.

*Time-outs.* `expire(game, drawn)` applies the phase's default; `drawn` are the events the rules chose
at random: "select" for each seat without a draft (and no other); "target" and "take" in chance1, "take" in
peek, "swap" in chance2, "target" in chance6. When time is up for only one seat, feed the result: in SELECT
its select and lock, in LOWBALL its no_card.

*Simultaneous events.* Drafts, locks, offers and shows are fed in the hub's order; a lock that carries its
choice is fed as the choice and then the lock.

*State* (`Game`) is compared field by field: `marks` and `delta` give `holdings(game, seat)`; it is
`active`'s turn, `decider` acts, and the seats in `waiting(game)` must act. `actions` and `out` are reset at
SELECT; a seat that has spent all its actions is not `out`. A card being resolved is in no hand and not in the
deck. The order of a hand does not matter; the order of the deck (top first) and of the Discard Pile (last on
top) does. Offers are numbered in the order they were made.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations

from tests.games.shares.reference_cards import (
    add,
    adjust,
    decline,
    discard,
    done,
    draw_up,
    from_deck,
    from_discard,
    play,
    remove,
    roll,
    spy,
    stop_peeking,
    swap,
    take,
    target,
)
from tests.games.shares.reference_market import (
    accept,
    cancel_offer,
    close_market,
    decline_offer,
    open_market,
    propose,
    show,
)
from tests.games.shares.reference_round import (
    begin,
    effect_over,
    end_turn,
    lock,
    no_card,
    offer_card,
    select,
    unlock,
)
from tests.games.shares.reference_table import COMPANIES, Game, fresh, waiting

Event = tuple[str, tuple[object, ...]]

FEED: dict[str, Callable[..., str | None]] = {
    "select": select,
    "lock": lock,
    "unlock": unlock,
    "offer_card": offer_card,
    "no_card": no_card,
    "begin": begin,
    "end_turn": end_turn,
    "play": play,
    "discard": discard,
    "draw_up": draw_up,
    "add": add,
    "remove": remove,
    "spy": spy,
    "stop_peeking": stop_peeking,
    "done": done,
    "roll": roll,
    "adjust": adjust,
    "target": target,
    "take": take,
    "swap": swap,
    "decline": decline,
    "from_deck": from_deck,
    "from_discard": from_discard,
    "open_market": open_market,
    "propose": propose,
    "accept": accept,
    "decline_offer": decline_offer,
    "cancel_offer": cancel_offer,
    "close_market": close_market,
    "show": show,
}

PHASES = {
    "select": ["select", "lock", "unlock"],
    "lowball": ["offer_card", "lock", "unlock"],
    "action": ["play", "discard", "draw_up", "open_market", "end_turn"],
    "hearts": ["add", "done"],
    "spades": ["remove", "done"],
    "clubs": ["spy", "done"],
    "spy": ["stop_peeking"],
    "adjust": ["adjust"],
    "chance1": ["target"],
    "peek": ["take"],
    "chance2": ["swap"],
    "chance3": ["from_deck", "from_discard"],
    "chance4": ["play", "discard", "draw_up", "open_market", "decline"],
    "chance6": ["target"],
    "draw": ["from_deck", "from_discard", "done"],
    "market": ["accept", "decline_offer", "cancel_offer", "close_market"],
}
"""The events that `legal` tries, by phase."""

DRAWN = {
    "chance1": ["target", "take"],
    "peek": ["take"],
    "chance2": ["swap"],
    "chance6": ["target"],
}
"""The events that the rules choose at random when time is up, in addition to companies."""


def feed(game: Game, name: str, *arguments: object) -> Game | str:
    """The state after this event, or the rule that forbids it."""
    after = fresh(game)
    reason = FEED[name](after, *arguments)
    return after if reason is None else reason


def feed_all(game: Game, events: Sequence[Event]) -> Game | str:
    after: Game | str = game
    for name, arguments in events:
        if isinstance(after, Game):
            after = feed(after, name, *arguments)
    return after


def legal(game: Game) -> list[Event]:
    """The events that may be fed now, for every seat, except chance events.

    Tries discards of single cards and whole hands only, and no offers or shows, so more may be legal.
    """
    return [
        (name, (seat, *rest))
        for name in PHASES.get(game.phase, [])
        for seat in range(game.seats)
        for rest in conceivable(game, name, seat)
        if isinstance(feed(game, name, seat, *rest), Game)
    ]


def conceivable(game: Game, name: str, seat: int) -> Sequence[tuple[object, ...]]:
    """All arguments that could follow the seat in an event of this name."""
    seats = range(game.seats)
    if name in ("select", "add", "remove"):
        return [(company,) for company in range(COMPANIES)]
    if name in ("offer_card", "play", "open_market"):
        return [(card,) for card in game.hands[seat]]
    if name == "discard":
        single = [([card],) for card in game.hands[seat]]
        return single if len(single) == 1 else [*single, (list(game.hands[seat]),)]
    if name == "spy":
        return [(other, what) for other in seats for what in ("hand", "tracker")]
    if name == "adjust":
        return [(by,) for by in range(-2, 3)]
    if name == "target":
        return [(other,) for other in seats]
    if name == "take":
        return [(card,) for hand in game.hands for card in hand]
    if name == "swap":
        return tuple(permutations(seats, 2))
    if name == "from_discard":
        return [(card,) for card in game.discards]
    if name in ("accept", "decline_offer", "cancel_offer"):
        return [(offer.number,) for offer in game.offers]
    return [()]


def expire(game: Game, drawn: Sequence[Event] = ()) -> Game | str:
    """The state after the phase's default (GEN-7) and the rules' random choices, or the rule broken."""
    if game.phase == "select":
        return expire_selection(game, drawn)
    if [name for name, _ in drawn] != DRAWN.get(game.phase, []):
        return "GEN-7"
    if drawn:
        return feed_all(game, drawn)
    if game.phase == "lowball":
        return feed_all(game, [("no_card", (seat,)) for seat in waiting(game)])
    if game.phase in ("draw", "chance3"):
        return expire_drawing(game)
    defaults: dict[str, Event] = {
        "action": ("end_turn", (game.decider,)),
        "hearts": ("done", (game.decider,)),
        "spades": ("done", (game.decider,)),
        "clubs": ("done", (game.decider,)),
        "spy": ("stop_peeking", (game.decider,)),
        "adjust": ("adjust", (game.decider, 0)),
        "chance4": ("decline", (game.decider,)),
        "market": ("close_market", (game.decider,)),
    }
    return feed_all(game, [defaults[game.phase]]) if game.phase in defaults else "GEN-7"


def expire_selection(game: Game, drawn: Sequence[Event]) -> Game | str:
    """The state after locking all drafts, and random companies for seats without one (SSA-8)."""
    without = [seat for seat in range(game.seats) if game.drafts[seat] is None]
    if sorted(str(rest[0]) for name, rest in drawn if name == "select") != [str(seat) for seat in without]:
        return "SSA-8"
    return feed_all(game, [*drawn, *(("lock", (seat,)) for seat in waiting(game))])


def expire_drawing(game: Game) -> Game | str:
    """The state after drawing from the deck as long as it lasts."""
    after = fresh(game)
    while after.phase == game.phase and after.deck and game.decider is not None:
        from_deck(after, game.decider)
    if after.phase == game.phase:
        effect_over(after)
    return after
