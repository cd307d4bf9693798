"""Advice for beginners (`Game.coach`), from what their seat sees."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from games.api import Advice, Observation, Prompt, Seat
from games.kit.coaching import list_choices, list_promises, numbers
from games.kit.observations import optional, part
from games.sucker.rules.values import Hands, Stage
from games.sucker.rules.views import Cards, Mine, Piles, PileView, Rescue

HIGH: Final = 3
"""The fewest chips in a pile that a rival should not have."""


def advise(observation: Observation, prompt: Prompt) -> Advice | None:
    """Advice about a turn, a choice, a capture or a rescue; None for what is open at any time.

    Where the seat's own promise is at stake, the advice says so.
    """
    match prompt.kind:
        case "turn" if list_choices(observation, prompt, "place"):
            return _placing(observation, prompt)
        case "choose":
            return _giving_turn(observation)
        case "kill":
            return _killing(observation)
        case "rescue" if list_choices(observation, prompt, "refuse"):
            return _rescuing(observation)
        case _:
            return None


def _placing(observation: Observation, prompt: Prompt) -> Advice | None:
    seat, piles = observation.seat, part(observation, "piles", Piles).piles
    chips = part(observation, "hands", Hands).chips[seat]
    if chips[seat]:
        spared = {promise.terms["pile"] for promise in list_promises(observation, "spare_pile")}
        capturable = [pile for pile in piles if _height_for(pile, seat)]
        free = [pile for pile in capturable if pile.id not in spared]
        best = max(free, key=lambda pile: _height_for(pile, seat), default=None)
        if best is not None and len(best.chips) > 1:  # a single chip of its own is no gain
            return Advice("turn.capture", {"pile": best.id, "count": len(best.chips)})
        if capturable and best is None:
            return Advice("turn.promised", {"pile": capturable[0].id})
    if sum(chips) == 1:
        return Advice("turn.last")
    note = _explain_row(observation) or _explain_card(observation, prompt)
    if note is not None:
        return note
    if not piles:
        return Advice("turn.opening")
    prisoners = [colour for colour, count in enumerate(chips) if count and colour != seat]
    promised = _list_promised(observation, "pass_move")
    for pile in piles:
        for colour in prisoners:
            outlook = pile.outlook[colour]
            if outlook.what == "free" and seat in outlook.seats and not promised & set(outlook.seats):
                return Advice("turn.again", {"colour": colour, "pile": pile.id})
    if not chips[seat]:
        return Advice("turn.prisoners", {"count": sum(chips)})
    return _placing_own(observation, piles)


def _list_promised(observation: Observation, kind: str) -> set[Seat]:
    """The seats to which the seat has promised something of this kind."""
    return {promise.to[0] for promise in list_promises(observation, kind)}


def _explain_row(observation: Observation) -> Advice | None:
    """Who the secret enemy and ally are, and what that means, before the seat has placed a chip."""
    seat, hands = observation.seat, part(observation, "hands", Hands)
    private = optional(observation, "mine", Mine)
    if private is None or private.enemy is None or private.under != (private.ally,):
        return None
    is_placed = any(seat in pile.chips for pile in part(observation, "piles", Piles).piles)
    if is_placed or any(hands.dead) or part(observation, "stage", Stage).round > 1:
        return None
    return Advice("turn.row", {"enemy": private.enemy, "ally": private.under[0]})


def _explain_card(observation: Observation, prompt: Prompt) -> Advice | None:
    """What a blackmail card is for that the seat may play now."""
    cards = optional(observation, "cards", Cards)
    choices = (*list_choices(observation, prompt, "playCard"), *list_choices(observation, prompt, "place"))
    playable = {card for choice in choices for card in numbers(choice, "card")}
    held = () if cards is None else cards.cards
    card = next((card for card in held if card.id in playable), None)
    return None if card is None else Advice("turn.card", {"other": card.token})


def _placing_own(observation: Observation, piles: tuple[PileView, ...]) -> Advice | None:
    """Advice about placing a chip of the seat's own colour, which captures nothing."""
    seat = observation.seat
    danger = _find_danger(observation, range(observation.seats))
    if danger is not None:
        other, pile = danger
        return Advice("turn.cover", {"other": other, "pile": pile.id, "count": len(pile.chips)})
    for pile in piles:
        outlook = pile.outlook[seat]
        if outlook.what == "forced" and seat not in outlook.seats:
            return Advice("turn.forced", {"pile": pile.id, "other": outlook.seats[0]})
    for pile in piles:
        outlook = pile.outlook[seat]
        if outlook.what == "free" and len(outlook.seats) > 1:
            return Advice("turn.free", {"pile": pile.id, "seats": outlook.seats})
    if len(part(observation, "piles", Piles).fresh[seat].seats) > 1:
        return Advice("turn.new")
    return None


def _height_for(pile: PileView, seat: int) -> int:
    """The number of chips in a pile that the seat's own chip would capture; 0 if it would not."""
    return len(pile.chips) if pile.outlook[seat].what == "capture" else 0


def _find_danger(observation: Observation, seats: Iterable[int]) -> tuple[int, PileView] | None:
    """Which of these other seats could capture the highest pile, and that pile, if it is high."""
    hands, alive = part(observation, "hands", Hands).chips, part(observation, "stage", Stage).alive
    dangers = [
        (len(pile.chips), seat, pile)
        for seat in seats
        for pile in part(observation, "piles", Piles).piles
        if seat != observation.seat and alive[seat] and hands[seat][seat] and pile.chips[-1] == seat
    ]
    height, seat, pile = max(dangers, key=lambda danger: danger[:2], default=(0, 0, None))
    return None if pile is None or height < HIGH else (seat, pile)


def _giving_turn(observation: Observation) -> Advice | None:
    following = part(observation, "stage", Stage).next
    promised = sorted(_list_promised(observation, "pass_move") & set(following))
    if len(promised) > 1:
        return Advice("choose.promisedSeveral", {"seats": promised})
    if promised:
        return Advice("choose.promised", {"seat": promised[0]})
    held = [sum(chips) for chips in part(observation, "hands", Hands).chips]
    others = [seat for seat in following if seat != observation.seat]
    fewest = min(others, key=lambda seat: (held[seat], seat), default=None)
    if fewest is not None and held[fewest] == 0:
        return Advice("choose.empty", {"seat": fewest})
    danger = _find_danger(observation, following) if len(following) > 1 else None
    if danger is not None:
        seat, pile = danger
        return Advice("choose.danger", {"seat": seat, "pile": pile.id, "count": len(pile.chips)})
    if observation.seat in following:
        return Advice("choose.yourself", {"count": held[observation.seat]})
    if fewest is None:
        return None
    level = [seat for seat in others if held[seat] == held[fewest]]
    if len(level) > 1:
        return Advice("choose.level", {"seats": level, "count": held[fewest]})
    return Advice("choose.fewest", {"seat": fewest, "count": held[fewest]})


def _killing(observation: Observation) -> Advice:
    stage, piles = part(observation, "stage", Stage), part(observation, "piles", Piles).piles
    chips = next((pile.chips for pile in piles if pile.id == stage.pile), ())
    promised = sorted(_list_promised(observation, "spare_chips") & set(chips))
    if promised:
        return Advice("kill.promised", {"seats": promised})
    count = chips.count(observation.seat)
    return Advice("kill.spare", {"count": count}) if 2 * count >= len(chips) else Advice("kill.prisoners")


def _rescuing(observation: Observation) -> Advice | None:
    rescue, private = part(observation, "rescue", Rescue), optional(observation, "mine", Mine)
    needy = rescue.needy
    if needy == observation.seat:
        return None
    if needy in _list_promised(observation, "save"):
        return Advice("rescue.promised", {"seat": needy})
    if private is not None:
        living = _list_others(observation, needy)
        if private.enemy == needy and not living:
            return Advice("rescue.lose", {"seat": needy})
        if private.enemy is not None and living == [private.enemy]:
            return Advice("rescue.enemy", {"seat": needy, "other": private.enemy})
    if private is not None and needy in private.under:
        return Advice("rescue.ally", {"seat": needy})
    if rescue.back is None:
        return Advice("rescue.last", {"seat": needy})
    if rescue.back == observation.seat:
        return Advice("rescue.you", {"seat": needy})
    return Advice("rescue.back", {"seat": needy, "other": rescue.back})


def _list_others(observation: Observation, needy: int) -> list[int]:
    """The living seats beside this one and the one in need."""
    alive = part(observation, "stage", Stage).alive
    return [seat for seat, lives in enumerate(alive) if lives and seat not in (needy, observation.seat)]
