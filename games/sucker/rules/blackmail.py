"""Blackmail cards: who knows them, and how they are awarded, voided and played (2b step 4, SLS-18 to -28)."""

from __future__ import annotations

from typing import Final, NamedTuple

from msgspec.structs import replace

from games.api import EVERYONE, LogLine, Refusal, Seat
from games.kit.memo import memoize
from games.kit.tuples import replace_at
from games.sucker.rules import hands as hand_rules
from games.sucker.rules.values import KINDS, Colour, Hands, Kind, Stage, SuckerState, Taken
from games.sucker.rules.views import Card, Cards, Known
from games.sucker.texts import MUST_PLACE, NAME_A_COLOUR, NO_EFFECT, NOT_YOUR_CARD, OTHER_CARD

TRIBUTES: Final = KINDS.count("tribute")


class OwnCard(NamedTuple):
    """A card that a seat holds; `token` is the seat it names."""

    id: int
    kind: Kind
    token: Seat


# --- who knows which kind ---


def deck_of(state: SuckerState) -> tuple[Kind, ...]:
    """The kinds of all cards in the round or, between rounds, in the last one, when they are public (2c)."""
    return state.deck if state.stage.mover is not None else state.match.results[-1].deck


def is_public(state: SuckerState, number: int) -> bool:
    """Whether everybody may know a taken card's kind: it was played, or cards are held face up (SLS-18)."""
    status = state.taken[number].status
    open_faces = status == "held" and state.options.blackmail_faces == "public"
    return status == "played" or open_faces or state.stage.mover is None


def knows(state: SuckerState, seat: Seat | None, number: int) -> bool:
    """Whether a viewer may know the kind: it is public, or the card is held and concerns the viewer."""
    card = state.taken[number]
    return is_public(state, number) or (card.status == "held" and seat in (card.owner, card.token))


@memoize
def _cards(stack_size: int, cards: tuple[Taken, ...], kinds: tuple[Kind | None, ...]) -> Cards:
    return Cards(
        stack_size,
        tuple(
            Card(number, card.owner, card.token, card.status, kind)
            for number, (card, kind) in enumerate(zip(cards, kinds, strict=True))
        ),
    )


def section(state: SuckerState) -> Cards:
    """Section `cards`."""
    deck, cards = deck_of(state), state.taken
    kinds = tuple(deck[number] if is_public(state, number) else None for number in range(len(cards)))
    return _cards(len(deck) - len(cards), cards, kinds)


def list_known(state: SuckerState, seat: Seat) -> tuple[Known, ...]:
    """The held cards whose kind is known to this seat but not to everybody."""
    return tuple(
        Known(number, state.deck[number])
        for number in range(len(state.taken))
        if knows(state, seat, number) and not is_public(state, number)
    )


def list_own_cards(state: SuckerState, seat: Seat) -> tuple[OwnCard, ...]:
    """The cards a seat may play; all were taken in earlier turns, since taking one ends a turn (SLS-22)."""
    return tuple(
        OwnCard(number, state.deck[number], card.token)
        for number, card in enumerate(state.taken)
        if card.status == "held" and card.owner == seat
    )


def might_save(state: SuckerState, needy: Seat) -> bool:
    """Whether a card held by the seat in need could bring it chips, judging by public facts (SLS-23).

    This decides whether that seat must answer, which everybody sees, so only public facts may count.
    """
    public_tributes = sum(
        card.status == "played" and state.deck[number] == "tribute" for number, card in enumerate(state.taken)
    )
    return any(
        card.status == "held"
        and card.owner == needy
        and state.stage.alive[card.token]
        and hand_rules.prisoner_counts(state.hands)[card.token] > 0
        and (state.deck[number] == "tribute" if is_public(state, number) else public_tributes < TRIBUTES)
        for number, card in enumerate(state.taken)
    )


# --- awarding and voiding ---


def award_card(state: SuckerState, owner: Seat, token: Seat) -> tuple[SuckerState, tuple[LogLine, ...]]:
    """Gives the owner the top card, which names the token; both see its kind (SLS-18, SLS-19)."""
    kind = state.deck[len(state.taken)]
    to = EVERYONE if state.options.blackmail_faces == "public" else frozenset({owner, token})
    lines = (
        LogLine("sucker.tookCard", {"seat": owner, "other": token}, EVERYONE),
        LogLine("sucker.cardKind", {"seat": owner, "other": token, "kind": kind}, to),
    )
    return replace(state, taken=(*state.taken, Taken(owner, token))), lines


def is_available(state: SuckerState, owner: Seat, token: Seat) -> bool:
    """Whether forcing the token earns the owner a card (SLS-19, SLS-20, SLS-27)."""
    return len(state.taken) < len(state.deck) and (owner != token or state.options.self_blackmail)


def void_cards(state: SuckerState, seat: Seat) -> tuple[SuckerState, tuple[LogLine, ...]]:
    """Removes, without revealing them, a defeated seat's cards and, unless kept, those that name it (SLS-25).

    Cards of every kind are kept: if only captures stayed, keeping a card would reveal its kind.
    """
    keep = state.options.dead_cards == "keepCapture"

    def is_void(card: Taken) -> bool:
        return card.status == "held" and (card.owner == seat or (card.token == seat and not keep))

    count = sum(map(is_void, state.taken))
    if not count:
        return state, ()
    cards = tuple(Taken(card.owner, card.token, "void") if is_void(card) else card for card in state.taken)
    line = LogLine("sucker.voided", {"seat": seat, "count": count}, EVERYONE)
    return replace(state, taken=cards), (line,)


def mark_played(cards: tuple[Taken, ...], number: int) -> tuple[Taken, ...]:
    """The taken cards after this one has been played."""
    card = cards[number]
    return replace_at(cards, number, Taken(card.owner, card.token, "played"))


# --- playing ---


def count_returnable(hands: Hands, token: Seat) -> int:
    """The number of chips of the token's colour that other seats hold."""
    return sum(hand[token] for seat, hand in enumerate(hands.chips) if seat != token)


def list_payable(hands: Hands, card: OwnCard, owner: Seat) -> tuple[Colour, ...]:
    """The colours of prisoners that a tribute card can demand; none if it names its own owner (SLS-24)."""
    if card.token == owner:
        return ()
    return tuple(
        colour for colour, count in enumerate(hands.chips[card.token]) if count and colour != card.token
    )


def keeps_chip(hands: Hands, card: OwnCard, owner: Seat) -> bool:
    """Whether the owner of a return card still has a chip after playing it."""
    return card.token == owner or hand_rules.chip_counts(hands)[owner] > hands.chips[owner][card.token]


def refuse_play(
    hands: Hands, stage: Stage, cards: tuple[OwnCard, ...], seat: Seat, card_id: int, colour: int | None
) -> Refusal | None:
    """The reason a holder of these cards may not play this one as a return or tribute; None if it may."""
    card = next((card for card in cards if card.id == card_id), None)
    if card is None:
        return NOT_YOUR_CARD
    if card.kind == "capture":
        return OTHER_CARD
    if (colour is None) != (card.kind == "return"):
        return NAME_A_COLOUR
    if not stage.alive[card.token]:
        return NO_EFFECT  # such cards are kept only for captures (SLS-25)
    if card.kind == "return":
        if not count_returnable(hands, card.token):
            return NO_EFFECT
        return MUST_PLACE if stage.bound and not keeps_chip(hands, card, seat) else None
    return None if colour in list_payable(hands, card, seat) else NO_EFFECT


def return_chips(hands: Hands, token: Seat) -> tuple[Hands, int]:
    """The hands after the token's chips were returned and one has died (SLS-28), and the number returned."""
    count = count_returnable(hands, token)
    for seat, chips in enumerate(hands.chips):
        if seat != token:
            hands = hand_rules.transfer(hands, Seat(seat), token, token, chips[token])
    return hand_rules.bury(hand_rules.add(hands, token, token, -1), token, 1), count


def pay_tribute(hands: Hands, token: Seat, owner: Seat, colour: Colour) -> tuple[Hands, int]:
    """The hands after the token gave the owner all its prisoners of a colour, and the number given."""
    count = hands.chips[token][colour]
    return hand_rules.transfer(hands, token, owner, colour, count), count
