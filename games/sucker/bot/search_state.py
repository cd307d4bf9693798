"""A position as a bot thinks it through: what is public of it, and the cards it knows; what moves lead to.

Small and without log or clock, so that thousands can be looked at; `tests/games/sucker/test_bot.py` holds
it against the rules. Piles stand in the order they were begun, and have no other names.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, TypeAlias

from games.sucker.rules import piles, turn_flow
from games.sucker.rules.values import KINDS, Colour, Counts, Hands, Kind, Stage
from games.sucker.rules.views import Cards, Mine, Piles, Rescue, Trail

Chips: TypeAlias = tuple[Colour, ...]
Where: TypeAlias = Literal["turn", "choose", "kill", "rescue", "over"]
NEW: Final = -1
"""In place of a pile: begin one."""


class Held(NamedTuple):
    """A blackmail card in somebody's hand; `kind` None where the bot cannot tell."""

    id: int
    owner: int
    token: int
    kind: Kind | None


class Scene(NamedTuple):
    """A position.

    `way`: the living seats in the order they had the move last, the mover at the end. That is all the trail
    decides: where the move rebounds to. `fallen` is the last one defeated. `pile` is the one to choose or
    kill by, `next` are those the mover may choose among. `refused` by seat, `award` takes a card if the
    mover is rescued. `stack` are the cards nobody took: their kinds, as far as the bot can tell. Once it is
    "over", `mover` is the survivor.
    """

    where: Where
    mover: int
    alive: tuple[bool, ...]
    hands: tuple[Counts, ...]
    piles: tuple[Chips, ...]
    way: tuple[int, ...]
    fallen: int | None
    cards: tuple[Held, ...]
    stack: tuple[Kind | None, ...]
    pile: int = NEW
    next: tuple[int, ...] = ()
    refused: tuple[bool, ...] = ()
    award: int | None = None


# --- chips ---


def _more(hands: tuple[Counts, ...], seat: int, colour: Colour, count: int) -> tuple[Counts, ...]:
    own = hands[seat]
    own = (*own[:colour], own[colour] + count, *own[colour + 1 :])
    return (*hands[:seat], own, *hands[seat + 1 :])


def _without(table: tuple[Chips, ...], index: int) -> tuple[Chips, ...]:
    return table[:index] + table[index + 1 :]


def holders(scene: Scene) -> Iterator[int]:
    """The living seats that have prisoners."""
    for seat, own in enumerate(scene.hands):
        if scene.alive[seat] and sum(own) > own[seat]:
            yield seat


# --- how the move goes round ---


def _moved(way: tuple[int, ...], to: int) -> tuple[int, ...]:
    if to not in way:
        return (*way, to)
    place = way.index(to)
    return (*way[:place], *way[place + 1 :], to)


def received(scene: Scene, award: int | None = None) -> Scene:
    """The last of the way has the move: it may move, or be rescued, or falls (2b step 3)."""
    return _received(scene, scene.hands, scene.piles, scene.way, award)


def _received(
    scene: Scene, hands: tuple[Counts, ...], table: tuple[Chips, ...], way: tuple[int, ...], award: int | None
) -> Scene:
    """The same, with these hands, piles and way."""
    mover = way[-1]
    where: Where = "turn" if any(hands[mover]) else "rescue"
    cards, stack = scene.cards, scene.stack
    if where == "rescue":
        answers = (False,) * len(hands)
        scene = Scene(
            where, mover, scene.alive, hands, table, way, scene.fallen, cards, stack, NEW, (), answers, award
        )
        return scene if asked(scene) else fell(scene)
    if award is not None and stack:
        cards = (*cards, Held(len(KINDS) - len(stack), award, mover, stack[0]))
        stack = stack[1:]
    return Scene(where, mover, scene.alive, hands, table, way, scene.fallen, cards, stack)


def fell(scene: Scene) -> Scene:
    """The mover is defeated: the move rebounds, to be tested anew; or one is left (SLS-16)."""
    gone = scene.mover
    alive = (*scene.alive[:gone], False, *scene.alive[gone + 1 :])
    if sum(alive) == 1:
        return scene._replace(where="over", mover=alive.index(True), alive=alive, fallen=gone)
    way = turn_flow.rebound(scene.way, alive, gone)  # type: ignore[arg-type]
    cards = tuple(card for card in scene.cards if gone not in (card.owner, card.token))
    return received(scene._replace(alive=alive, fallen=gone, way=way, cards=cards))


# --- moves ---


def placed(scene: Scene, colour: Colour, index: int, card: int | None = None) -> Scene:
    """A chip of the mover's on a pile, or on a NEW one; `card`: it captures by that one (2b, resolve)."""
    mover, alive, way = scene.mover, scene.alive, scene.way
    hands = _more(scene.hands, mover, colour, -1)
    below = () if index == NEW else scene.piles[index]
    if index == NEW:
        index, table = len(scene.piles), (*scene.piles, (colour,))
    else:
        table = (*scene.piles[:index], (*below, colour), *scene.piles[index + 1 :])
    if card is not None:
        cards = tuple(one for one in scene.cards if one.id != card)
        return _captured(scene._replace(cards=cards), hands, table, mover, index)
    found = piles.forecast(below, colour, alive)
    what, seats = found.what, found.seats
    if what == "capture":
        return _captured(scene, hands, table, colour, index)
    if what == "dies":
        return _received(scene, hands, _without(table, index), way, None)
    if what == "forced":
        (to,) = seats
        return _received(scene, hands, table, _moved(way, to), mover if to != mover else None)
    if len(seats) == 1:
        return _received(scene, hands, table, _moved(way, seats[0]), None)
    cards, stack = scene.cards, scene.stack
    return Scene("choose", mover, alive, hands, table, way, scene.fallen, cards, stack, index, seats)


def given(scene: Scene, to: int) -> Scene:
    return _received(scene, scene.hands, scene.piles, _moved(scene.way, to), None)


def _captured(
    scene: Scene, hands: tuple[Counts, ...], table: tuple[Chips, ...], captor: int, index: int
) -> Scene:
    way = _moved(scene.way, captor)
    scene = scene._replace(where="kill", mover=captor, hands=hands, piles=table, way=way, pile=index)
    chips = table[index]
    return killed(scene, chips[0]) if len(set(chips)) == 1 else scene


def killed(scene: Scene, colour: Colour) -> Scene:
    """One chip of the colour dies, the captor has the others."""
    captor = scene.mover
    own = list(scene.hands[captor])
    for chip in scene.piles[scene.pile]:
        own[chip] += 1
    own[colour] -= 1
    hands = (*scene.hands[:captor], tuple(own), *scene.hands[captor + 1 :])
    return _received(scene, hands, _without(scene.piles, scene.pile), scene.way, None)


def handed(scene: Scene, seat: int, colour: Colour, count: int, to: int | None) -> Scene:
    """A seat gives prisoners to another, or (`to` None) kills them."""
    hands = _more(scene.hands, seat, colour, -count)
    scene = scene._replace(hands=hands if to is None else _more(hands, to, colour, count))
    return settled(scene)


def played(scene: Scene, number: int, colour: Colour | None) -> Scene:
    """The mover plays a card of return, or of tribute for a colour."""
    (card,) = [one for one in scene.cards if one.id == number]
    hands, token = scene.hands, card.token
    if colour is None:
        back = sum(own[token] for seat, own in enumerate(hands) if seat != token)
        for seat in range(len(hands)):
            count = hands[seat][token]
            hands = _more(hands, seat, token, back - 1 if seat == token else -count)
    else:
        count = hands[token][colour]
        hands = _more(_more(hands, token, colour, -count), card.owner, colour, count)
    cards = tuple(one for one in scene.cards if one.id != number)
    return settled(scene._replace(hands=hands, cards=cards))


# --- the rescue ---


def payable(scene: Scene, seat: int) -> Iterator[tuple[int, Colour]]:
    """The cards of tribute a seat is known to hold, with each colour they could bring."""
    for card in scene.cards:
        if card.owner == seat and card.kind == "tribute" and card.token != seat and scene.alive[card.token]:
            for colour, count in enumerate(scene.hands[card.token]):
                if count and colour != card.token:
                    yield card.id, colour


def asked(scene: Scene) -> tuple[int, ...]:
    """Who may still save the mover: holders of prisoners, and itself where it has a card for it."""
    able = list(holders(scene))
    if able and any(True for _ in payable(scene, scene.mover)):
        able.append(scene.mover)
    return tuple(seat for seat in able if not scene.refused[seat])


def refused(scene: Scene, seat: int) -> Scene:
    answers = (*scene.refused[:seat], True, *scene.refused[seat + 1 :])
    return settled(scene._replace(refused=answers))


def settled(scene: Scene) -> Scene:
    """After chips changed hands, or an answer: whether the mover is in need, saved, or lost."""
    has = sum(scene.hands[scene.mover])
    if scene.where == "turn" and not has:
        return received(scene)
    if scene.where != "rescue":
        return scene
    if has:
        return received(scene, scene.award)
    able = {scene.mover, *holders(scene)}  # the answer of who has no prisoners any more lapses (SLS-15)
    scene = scene._replace(refused=tuple(no and seat in able for seat, no in enumerate(scene.refused)))
    return scene if asked(scene) else fell(scene)


# --- what a bot sees ---


def seen(
    stage: Stage,
    hands: Hands,
    table: Piles,
    trail: Trail,
    mine: Mine,
    cards: Cards | None,
    need: Rescue | None,
) -> Scene:
    """The scene of a turn, a choice, a capture or a rescue. Raises ValueError where nobody has the move."""
    if stage.mover is None or stage.phase == "review" or stage.phase == "end":
        raise ValueError("nobody has the move")
    last = {int(seat): place for place, seat in enumerate(trail.seats)}
    way = sorted((seat for seat in last if stage.alive[seat]), key=last.__getitem__)
    if trail.earlier:
        way = [seat for seat, living in enumerate(stage.alive) if living and seat not in last] + way
    known = {one.id: one.kind for one in mine.kinds}
    taken = () if cards is None else cards.cards
    kinds = {card.id: card.kind or known.get(card.id) for card in taken}
    pool = list(KINDS)
    for kind in kinds.values():
        if kind is not None:
            pool.remove(kind)
    alike = pool[0] if len(set(pool)) == 1 else None
    held = tuple(
        Held(card.id, card.owner, card.token, kinds[card.id] or alike)
        for card in taken
        if card.status == "held"
    )
    index = next((place for place, pile in enumerate(table.piles) if pile.id == stage.pile), NEW)
    answers = {int(one.seat): one.refused for one in need.answers} if need else {}
    return Scene(
        stage.phase,
        stage.mover,
        stage.alive,
        hands.chips,
        tuple(pile.chips for pile in table.piles),
        tuple(way),
        stage.out[-1] if stage.out else None,
        held,
        (alike,) * (0 if cards is None else cards.left),
        index,
        tuple(map(int, stage.next)),
        tuple(answers.get(seat, False) for seat in range(len(stage.alive))) if need else (),
        None if need is None else need.award,
    )
