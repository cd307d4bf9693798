"""Blackmail cards: taking, knowing, playing and losing them (2b step 4, SLS-18 to SLS-28)."""

from __future__ import annotations

from typing import Final, NamedTuple

from msgspec.structs import replace

from games.api import EVERYONE, LogLine, Refusal, Seat
from games.kit.memo import memoize
from games.kit.tuples import replace_at
from games.sucker.rules import hands as chips_of
from games.sucker.rules.values import KINDS, Colour, Hands, Kind, Stage, SuckerState, Taken
from games.sucker.rules.views import Card, Cards, Known
from games.sucker.texts import MUST_PLACE, NAME_A_COLOUR, NO_EFFECT, NOT_YOUR_CARD, OTHER_CARD

TRIBUTES: Final = KINDS.count("tribute")


class Own(NamedTuple):
    """A card a seat holds: its id, what it does, and to whom."""

    id: int
    kind: Kind
    token: Seat


# --- who knows what ---


def deck_of(state: SuckerState) -> tuple[Kind, ...]:
    """The cards of the round, or between rounds of the one that is over (2c: then all are shown)."""
    return state.deck if state.stage.mover is not None else state.match.results[-1].deck


def shown(state: SuckerState, number: int) -> bool:
    """Whether everybody may know the kind of a taken card: played, or held with open faces (SLS-18)."""
    status = state.taken[number].status
    open_faces = status == "held" and state.options.blackmail_faces == "public"
    return status == "played" or open_faces or state.stage.mover is None


def knows(state: SuckerState, seat: Seat | None, number: int) -> bool:
    """Whether a viewer may know the kind: everybody may, or it is held, and concerns the viewer."""
    card = state.taken[number]
    return shown(state, number) or (card.status == "held" and seat in (card.owner, card.token))


@memoize
def _cards(left: int, taken: tuple[Taken, ...], kinds: tuple[Kind | None, ...]) -> Cards:
    return Cards(
        left,
        tuple(
            Card(number, card.owner, card.token, card.status, kind)
            for number, (card, kind) in enumerate(zip(taken, kinds, strict=True))
        ),
    )


def section(state: SuckerState) -> Cards:
    deck, taken = deck_of(state), state.taken
    kinds = tuple(deck[number] if shown(state, number) else None for number in range(len(taken)))
    return _cards(len(deck) - len(taken), taken, kinds)


def known(state: SuckerState, seat: Seat) -> tuple[Known, ...]:
    """The held cards whose kind this seat knows and not everybody."""
    return tuple(
        Known(number, state.deck[number])
        for number in range(len(state.taken))
        if knows(state, seat, number) and not shown(state, number)
    )


def own(state: SuckerState, seat: Seat) -> tuple[Own, ...]:
    """The cards a seat may play. Each was taken on an earlier turn: a turn ends with the taking (SLS-22)."""
    return tuple(
        Own(number, state.deck[number], card.token)
        for number, card in enumerate(state.taken)
        if card.status == "held" and card.owner == seat
    )


def might_save(state: SuckerState, needy: Seat) -> bool:
    """Whether, for all that everybody knows, a card of the needy seat could bring it chips (SLS-23).

    By public facts alone, for it opens the rescue to the needy seat.
    """
    played = sum(
        card.status == "played" and state.deck[number] == "tribute" for number, card in enumerate(state.taken)
    )
    return any(
        card.status == "held"
        and card.owner == needy
        and state.stage.alive[card.token]
        and chips_of.prisoners(state.hands)[card.token] > 0
        and (state.deck[number] == "tribute" if shown(state, number) else played < TRIBUTES)
        for number, card in enumerate(state.taken)
    )


# --- taking and losing ---


def awarded(state: SuckerState, owner: Seat, token: Seat) -> tuple[SuckerState, tuple[LogLine, ...]]:
    """The owner takes the top card; it names the token, and the two see it (SLS-18, SLS-19)."""
    kind = state.deck[len(state.taken)]
    to = EVERYONE if state.options.blackmail_faces == "public" else frozenset({owner, token})
    lines = (
        LogLine("sucker.tookCard", {"seat": owner, "other": token}, EVERYONE),
        LogLine("sucker.cardKind", {"seat": owner, "other": token, "kind": kind}, to),
    )
    return replace(state, taken=(*state.taken, Taken(owner, token))), lines


def available(state: SuckerState, owner: Seat, token: Seat) -> bool:
    """Whether a forced move brings a card (SLS-19, SLS-20, SLS-27)."""
    return len(state.taken) < len(state.deck) and (owner != token or state.options.self_blackmail)


def voided(state: SuckerState, fallen: Seat) -> tuple[SuckerState, tuple[LogLine, ...]]:
    """Cards of the fallen leave the game unseen; those that name it too, unless they are kept (SLS-25).

    They are kept whatever they do, or those that stay would be known to be captures.
    """
    keep = state.options.dead_cards == "keepCapture"

    def lost(card: Taken) -> bool:
        return card.status == "held" and (card.owner == fallen or (card.token == fallen and not keep))

    count = sum(map(lost, state.taken))
    if not count:
        return state, ()
    taken = tuple(Taken(card.owner, card.token, "void") if lost(card) else card for card in state.taken)
    line = LogLine("sucker.voided", {"seat": fallen, "count": count}, EVERYONE)
    return replace(state, taken=taken), (line,)


def played(taken: tuple[Taken, ...], number: int) -> tuple[Taken, ...]:
    card = taken[number]
    return replace_at(taken, number, Taken(card.owner, card.token, "played"))


# --- playing ---


def returnable(hands: Hands, token: Seat) -> int:
    """How many chips of the token's colour others hold."""
    return sum(own[token] for seat, own in enumerate(hands.chips) if seat != token)


def payable(hands: Hands, card: Own, owner: Seat) -> tuple[Colour, ...]:
    """The colours of which the token player has prisoners to hand over; never from oneself (SLS-24)."""
    if card.token == owner:
        return ()
    return tuple(
        colour for colour, count in enumerate(hands.chips[card.token]) if count and colour != card.token
    )


def keeps(hands: Hands, card: Own, owner: Seat) -> bool:
    """Whether the owner of a return card has a chip after playing it."""
    return card.token == owner or chips_of.held(hands)[owner] > hands.chips[owner][card.token]


def refuse_play(
    hands: Hands, stage: Stage, cards: tuple[Own, ...], seat: Seat, number: int, colour: int | None
) -> Refusal | None:
    """Why a seat with these cards may not play one of return or tribute."""
    card = next((one for one in cards if one.id == number), None)
    if card is None:
        return NOT_YOUR_CARD
    if card.kind == "capture":
        return OTHER_CARD
    if (colour is None) != (card.kind == "return"):
        return NAME_A_COLOUR
    if not stage.alive[card.token]:
        return NO_EFFECT  # kept only for captures (SLS-25)
    if card.kind == "return":
        if not returnable(hands, card.token):
            return NO_EFFECT
        return MUST_PLACE if stage.bound and not keeps(hands, card, seat) else None
    return None if colour in payable(hands, card, seat) else NO_EFFECT


def returned(hands: Hands, token: Seat) -> tuple[Hands, int]:
    """Everybody gives the token player its chips back, and one of them dies (SLS-28); how many there were."""
    count = returnable(hands, token)
    for seat, chips in enumerate(hands.chips):
        if seat != token:
            hands = chips_of.given(hands, Seat(seat), token, token, chips[token])
    return chips_of.died(chips_of.gained(hands, token, token, -1), token, 1), count


def paid(hands: Hands, token: Seat, owner: Seat, colour: Colour) -> tuple[Hands, int]:
    """The token player gives the owner all its prisoners of a colour."""
    count = hands.chips[token][colour]
    return chips_of.given(hands, token, owner, colour, count), count
