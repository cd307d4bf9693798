"""Runs So Long Sucker and its reference version side by side, and compares them after every event.

The reference is given all random draws. It does not model who is ready between rounds, and knows nothing
about clocks except that they run out. `told_by` and `found_by` list what is compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from games import api
from games.api import Choice, Millis, OneOf, Outcome, PromptId, Range, Seat, WindowId, open_prompts
from games.dice import Dice
from games.kit import choices as kit_choices
from games.kit.moves import convert_move
from games.sucker.rules import actions, blackmail, legal
from games.sucker.rules.game import SUCKER, Sucker
from games.sucker.rules.turn_flow import mover_of
from games.sucker.rules.values import (
    GiveMove,
    Kill,
    KillPrisoners,
    Place,
    PlayCard,
    Refuse,
    Relent,
    RescueWith,
    SuckerMove,
    SuckerOptions,
    SuckerState,
    Transfer,
)
from games.sucker.rules.views import Cards, Mine
from games.testing import random_play
from tests.games.sucker import reference
from tests.games.sucker import reference_table as table
from tests.games.sucker.reference import Event

PHASES: Final = {
    "turn": "move",
    "choose": "choose",
    "kill": "kill",
    "rescue": "rescue",
    "review": "roundOver",
    "end": "over",
}
RULES: Final[Mapping[str, frozenset[str]]] = {
    "NO_CHIP": frozenset({"2b MOVE", "SLS-10"}),
    "NO_PILE": frozenset({"SLS-29"}),
    "NO_CAPTURE": frozenset({"SLS-26"}),
    "OWN_COLOUR": frozenset({"SLS-13", "SLS-26"}),
    "NOT_YOUR_CARD": frozenset({"SLS-22", "SLS-26"}),
    "OTHER_CARD": frozenset({"SLS-22", "SLS-23", "SLS-26"}),
    "NO_EFFECT": frozenset({"SLS-24", "SLS-25"}),
    "NAME_A_COLOUR": frozenset({"SLS-24", "SLS-25"}),
    "NOT_NEXT": frozenset({"SLS-4"}),
    "OUT_ALREADY": frozenset({"SLS-4"}),
    "NOT_IN_PILE": frozenset({"SLS-9"}),
    "DEFEATED": frozenset({"SLS-12", "SLS-10"}),
    "TO_YOURSELF": frozenset({"SLS-10"}),
    "MUST_PLACE": frozenset({"2b RESCUE"}),
    "ALREADY_REFUSED": frozenset({"SLS-15"}),
    "NOT_REFUSED": frozenset({"SLS-15"}),
    "OTHER_PROMPT": frozenset({"SLS-22"}),
}
"""For each of the game's refusal codes, the rules under which the reference may refuse the same move."""
NOWHERE: Final = 99
"""The index of a pile that does not exist."""
LONGEST: Final = 40_000
"""The number of events after which a game is assumed to be endless."""
NOW: Final = Millis(0)
"""An arbitrary time: legality does not depend on the clock."""
TRIED: Final = 2
"""Number of random moves compared at every step."""
SAMPLED: Final = 40
"""One in this many steps compares all legal moves."""


def options_of(options: SuckerOptions) -> table.Options:
    names = (field.name for field in msgspec.structs.fields(SuckerOptions))
    return table.Options(**{name: getattr(options, name) for name in names if name != "timers"})


def event_of(state: SuckerState, seat: int, move: SuckerMove) -> Event | None:
    """The reference's event for a move; None if there is none."""
    places = {pile.id: place for place, pile in enumerate(state.piles)}
    match move:
        case Place(colour=colour, pile=pile, card=card):
            return "place", (seat, colour, None if pile is None else places.get(pile, NOWHERE), card)
        case PlayCard(card=card, colour=colour):
            return "play_card", (seat, card, colour)
        case GiveMove(to=to):
            return "give_move", (seat, to)
        case Kill(colour=colour):
            return "kill", (seat, colour)
        case RescueWith(colour=colour, count=count):
            return "transfer", (seat, colour, count, mover_of(state))
        case Refuse():
            return "refuse", (seat,)
        case Relent():
            return "unrefuse", (seat,)
        case Transfer(colour=colour, count=count, to=to):
            return "transfer", (seat, colour, count, to)
        case KillPrisoners(colour=colour, count=count):
            return "kill_prisoner", (seat, colour, count)
        case _:
            return None


def accepted(game: table.Game | str) -> table.Game:
    """The game after an event that the reference must not refuse."""
    assert isinstance(game, table.Game), game
    return game


def alone(game: table.Game) -> table.Game:
    """Kills a chip if the captured pile is all one colour, as the game does without a prompt (SLS-28)."""
    while game.phase == "kill" and len(set(game.piles[game.captured])) == 1:
        game = accepted(reference.kill(game, game.captor, game.piles[game.captured][0]))
    return game


# --- the values to compare ---


def told_by(state: SuckerState) -> dict[str, Any]:
    """The values to compare, from the game."""
    stage, match, need = state.stage, state.match, state.need
    over = match.results[-1] if stage.mover is None else None
    deck = blackmail.deck_of(state)
    waits = stage.phase not in ("review", "end")
    prompts = SUCKER.prompts(state)
    return {
        "phase": PHASES[stage.phase],
        "round": stage.round,
        "first": stage.first,
        "mover": stage.mover,
        "waiting": sorted(actions.list_awaited(state)) if waits else [],
        "chips": [list(chips) for chips in state.hands.chips],
        "dead": list(state.hands.dead),
        "piles": [list(pile.chips) for pile in state.piles],
        "alive": list(stage.alive),
        "out": list(stage.out),
        "trail": list(state.trail),
        "next": list(stage.next),
        "at stake": next((list(one.chips) for one in state.piles if one.id == stage.pile), None)
        if stage.phase == "kill"
        else None,
        "bound": stage.bound,
        "cards": [(one.status, deck[number], one.owner, one.token) for number, one in enumerate(state.taken)],
        "deck": list(deck[len(state.taken) :]),
        "refused": [seat for seat, no in enumerate(need.refused) if no] if need is not None else [],
        "award": need.award if need is not None else None,
        "rows": [list(row) for row in (state.rows if over is None else over.rows)],
        "began with": list(match.chips),
        "points": list(match.points),
        "won": list(over.winners) if over is not None else [],
        "outcome": list(prompts.winners) if isinstance(prompts, Outcome) else None,
    }


def found_by(game: table.Game) -> dict[str, Any]:
    """The values to compare, from the reference."""
    over = game.phase in ("roundOver", "over")
    kills = game.phase == "kill"
    cards = [
        (one.number, status, one.kind, one.owner, one.token)
        for status, ones in (("held", game.cards), ("played", game.played), ("void", game.void))
        for one in ones
    ]
    return {
        "phase": game.phase,
        "round": game.round,
        "first": game.first,
        "mover": None if over else game.captor if kills else table.holder(game),
        "waiting": sorted(table.waiting(game)),
        "chips": game.chips,
        "dead": game.killed,
        "piles": game.piles,
        "alive": game.alive,
        "out": game.eliminated,
        "trail": [*game.stack, game.captor] if kills else game.stack,
        "next": game.eligible,
        "at stake": game.piles[game.captured] if kills else None,
        "bound": game.bound,
        "cards": [one[1:] for one in sorted(cards)],
        "deck": game.deck,
        "refused": sorted(game.refused) if game.phase == "rescue" else [],
        "award": game.award_to if game.deck else None,
        "rows": game.rows,
        "began with": game.started_with,
        "points": game.points,
        "won": game.round_winners,
        "outcome": table.outcome(game),
    }


def offered(state: SuckerState) -> set[Event]:
    """All moves that the game offers to any seat, as events for the reference."""
    events = set()
    for seat in range(len(state.stage.alive)):
        for choices in SUCKER.choices(state, Seat(seat)).values():
            for choice in choices:
                for move in _moves(choice):
                    event = event_of(state, seat, move)
                    if event is not None:
                        events.add(event)
    return events


def _moves(choice: Choice) -> Iterator[SuckerMove]:
    fields: list[dict[str, int]] = [{}]
    for name, domain in choice.fields.items():
        assert isinstance(domain, OneOf | Range)
        values = domain.of if isinstance(domain, OneOf) else range(domain.least, domain.most + 1)
        fields = [{**some, name: int(value)} for some in fields for value in values]
    for some in fields:
        move: SuckerMove = convert_move({"move": choice.move, **some}, SUCKER.Move)
        yield move


class Hesitant(Sucker):
    """A game whose random players rescue late: they refuse, change their minds, and trade meanwhile."""

    def sample(self, state: SuckerState, seat: Seat, dice: api.Dice) -> tuple[PromptId, SuckerMove] | None:
        if state.stage.phase != "rescue" or not dice.below("rescue", 3):
            return super().sample(state, seat, dice)
        offered = {
            prompt: tuple(one for one in moves if one.move != "rescue")
            for prompt, moves in self.choices(state, seat).items()
        }
        return kit_choices.sample(offered, len(state.stage.alive), self.Move, dice)


HESITANT: Final = Hesitant()


class Abreast:
    """One match played by both versions: `state` is the game's, and `reference` is the reference's."""

    def __init__(self, seats: int, options: SuckerOptions, seed: int, style: random_play.Style) -> None:
        self.seats, self.options = seats, options
        self.fate = Dice(b"abreast %d" % seed)
        self.met: Counter[str] = Counter()
        """The number of times that each thing was compared."""
        self._positions = random_play.play(
            HESITANT if seed % 2 else SUCKER, seats, options, b"game %d" % seed, style, LONGEST
        )
        self.state: SuckerState = next(self._positions).state
        self.reference = table.start(seats, options_of(options), *self._dealt())

    def play(self) -> None:
        """Plays to the end, event by event. Raises AssertionError if the two disagree."""
        self._compare()
        for position in self._positions:
            before, self.state = self.state, position.state
            self.reference = self._follow(before, position.event)
            self._compare()
        assert isinstance(SUCKER.prompts(self.state), Outcome)
        self.met["games"] += 1

    def _dealt(self) -> tuple[list[list[int]], list[str], int]:
        """The rows, the deck and the first seat drawn for this round."""
        return [list(row) for row in self.state.rows], list(self.state.deck), self.state.stage.first

    def _follow(self, before: SuckerState, event: random_play.Event) -> table.Game:
        """The reference after this event, which led the game from `before` to `self.state`."""
        self.met["events"] += 1
        if self.state.stage.round != before.stage.round:
            self.met["rounds"] += 1
            return accepted(reference.next_round(self.reference, *self._dealt()))
        if event.kind == "expire":
            assert event.window is not None
            return self._time_up(before, event.window)
        assert event.seat is not None
        move = convert_move(event.move, SUCKER.Move)
        done = event_of(before, event.seat, move)
        if done is None:
            return self.reference
        self.met[str(event.move and event.move["move"])] += 1
        return alone(accepted(reference.feed(self.reference, done[0], *done[1])))

    def _time_up(self, before: SuckerState, ended: WindowId) -> table.Game:
        """Refuses a rescue for the window's seats; in other phases, finds the default the game chose."""
        phase = before.stage.phase
        self.met[f"{phase} expired"] += 1
        if phase == "review":
            return self.reference
        if phase == "rescue":
            (window,) = [one for one in SUCKER.windows(before) if one.id == ended]
            game = self.reference
            silent = [seat for seat in table.waiting(game) if seat in window.concerns]
            for seat in silent:
                game = accepted(reference.feed(game, "refuse", seat))
            return alone(game)
        chosen = (
            alone(accepted(reference.feed(self.reference, name, *to)))
            for name, to in reference.defaults(self.reference)
        )
        wanted = told_by(self.state)
        return next(game for game in chosen if found_by(game) == wanted)

    def _compare(self) -> None:
        need = self.state.need
        self.met["bound"] += self.state.stage.bound
        self.met["pleads"] += need is not None and self.state.stage.mover in actions.list_awaited(self.state)
        first, second = told_by(self.state), found_by(self.reference)
        differs = {name: (first[name], second[name]) for name in first if first[name] != second[name]}
        assert not differs
        for _ in range(TRIED):
            self._try_anything()
        if not self.fate.below("all", SAMPLED):
            self._all()

    def _all(self) -> None:
        """Compares all legal moves, and the kinds of cards that each viewer knows."""
        self.met["all legal moves"] += 1
        assert offered(self.state) == set(reference.legal(self.reference))
        if self.state.stage.mover is None:
            return
        shown = SUCKER.public(self.state).get("cards")
        cards = shown.data.cards if shown and isinstance(shown.data, Cards) else ()
        public = {one.id: one.kind for one in cards if one.status == "held" and one.kind}
        assert public == table.known_kinds(self.reference, None)
        for seat in map(Seat, range(self.seats)):
            section = SUCKER.private(self.state, seat)["mine"].data
            assert isinstance(section, Mine)
            known = public | {one.id: one.kind for one in section.kinds}
            assert known == table.known_kinds(self.reference, seat)

    # --- moves that may be illegal ---

    def _try_anything(self) -> None:
        """Tries any move by any seat: both must agree on whether it is legal and, if not, on the rule."""
        seat, move = self._anything()
        done = event_of(self.state, seat, move)
        assert done is not None
        second = reference.FEED[done[0]][1](self.reference, *done[1])
        kinds = (legal.kind_for(move), *(["rescue"] if isinstance(move, PlayCard) else []))
        prompts = [one for one in open_prompts(SUCKER.prompts(self.state), seat) if one.kind in kinds]
        if not prompts:
            self.met["not asked"] += 1
            assert second is not None, (seat, move)
            return
        first = SUCKER.check(self.state, seat, prompts[0].id, move, NOW)
        if first is None:
            self.met["may be made"] += 1
            assert second is None, (seat, move, second)
        else:
            self.met[first.code] += 1
            assert second in RULES[first.code], (seat, move, first, second)

    def _anything(self) -> tuple[Seat, SuckerMove]:
        """A random move, usually of a kind that the table is waiting for, by a seat with an open prompt."""
        stage = self.state.stage
        to, card = self.fate.below("to", 6), self.fate.below("card", 6)
        colour, count = self.fate.below("colour", self.seats), 1 + self.fate.below("count", 2)
        pile = self.state.piles[self.fate.below("pile", len(self.state.piles))].id if self.state.piles else 0
        pile = pile + (not self.fate.below("elsewhere", 8))
        card = self._own_card(card)
        plays = (PlayCard(card), PlayCard(card, colour))
        kinds: dict[str, tuple[SuckerMove, ...]] = {
            "turn": (Place(colour), Place(colour, pile), self._by_card(colour, pile, card), *plays),
            "choose": (GiveMove(to),),
            "kill": (Kill(colour),),
            "prisoners": (Transfer(colour, count, to), KillPrisoners(colour, count)),
            "rescue": (Refuse(), Relent(), *plays),
        }
        if stage.phase == "rescue":  # at any other time it is a transfer to the mover
            kinds["rescue"] = (*kinds["rescue"], RescueWith(colour, count))
        listed = SUCKER.prompts(self.state)
        prompts = () if isinstance(listed, Outcome) else tuple(one for one in listed if one.kind in kinds)
        if prompts and self.fate.below("asked", 5):
            prompt = prompts[self.fate.below("ask", len(prompts))]
            moves, seats = kinds[prompt.kind], sorted(prompt.seats)
        else:
            moves, seats = sum(kinds.values(), ()), [Seat(seat) for seat in range(self.seats)]
        seat = seats[self.fate.below("seat", len(seats))]
        return seat, moves[self.fate.below("move", len(moves))]

    def _own_card(self, card: int) -> int:
        """Usually a card that the mover holds, if it holds any."""
        mover, cards = self.state.stage.mover, self.state.taken
        own_cards = [
            number for number, one in enumerate(cards) if one.owner == mover and one.status == "held"
        ]
        return own_cards[card % len(own_cards)] if own_cards and self.fate.below("mine", 4) else card

    def _by_card(self, colour: int, pile: int, card: int) -> SuckerMove:
        """A placement with the card, often one that captures if the card is of the right kind."""
        if card < len(self.state.taken) and self.fate.below("fits", 2):
            colour = self.state.taken[card].token
            pile = next((one.id for one in self.state.piles if one.chips[-1] == colour), pile)
        return Place(colour, pile, card)
