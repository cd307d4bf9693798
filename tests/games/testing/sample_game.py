"""A game made for the tests, not for play: cards, a hidden deck, a timed peek at another seat's hand.

It has what Almost lacks: secrets that nobody knows, a turn timer that stops, a section bound to a peek,
and lines for a single seat.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec.structs import replace

from games.api import (
    Choice,
    Choices,
    Dice,
    Game,
    LogLine,
    Millis,
    MoveBase,
    OneOf,
    Outcome,
    OwnerOnly,
    Prompt,
    PromptId,
    Public,
    Refusal,
    Running,
    Seat,
    Secret,
    Section,
    Step,
    Struct,
    TalkPolicy,
    Texts,
    Window,
    WindowId,
)
from games.kit import choices as kit_choices
from games.kit import time_control as time_control
from games.kit.texts import kit_texts
from games.kit.time_control import Extend, LastCall, TimeControl, Timer, Timers

ABOUT = {"group": "game"}
Hands: TypeAlias = tuple[tuple[int, ...], ...]

CLOCKS = kit_texts("time_control")


class SampleOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cards: Annotated[int, msgspec.Meta(ge=1, le=3, extra_json_schema=ABOUT)] = 2
    timers: Timers = "normal"


class SampleState(Struct, frozen=True):
    deck: Secret[tuple[int, ...]]
    hands: OwnerOnly[Hands]
    played: Public[Hands]
    turn: Public[int]
    peeks: Public[int]
    peeked_at: Public[Seat | None]
    peek: Public[Timer | None]
    timer: Public[Timer]
    time_control: Public[TimeControl]


class Board(Struct, frozen=True):
    played: Hands
    cards: tuple[int, ...]
    deck: int
    peeked_at: Seat | None


class Hand(Struct, frozen=True):
    cards: tuple[int, ...]


class Play(MoveBase, frozen=True, tag="play", forbid_unknown_fields=True):
    card: int


class Peek(MoveBase, frozen=True, tag="peek", forbid_unknown_fields=True):
    seat: int


class Stop(MoveBase, frozen=True, tag="stop", forbid_unknown_fields=True):
    pass


SampleMove: TypeAlias = Play | Peek | Stop | Extend | LastCall


class Sample(Game[SampleState, SampleMove, SampleOptions]):
    key = "sample"
    title = "Sample"
    version = 1
    seats = range(2, 5)
    minutes = (1, 2)
    Options = SampleOptions
    State = SampleState
    Move = SampleMove
    silent = frozenset()
    sections: Mapping[str, type[msgspec.Struct]] = {
        "board": Board,
        "time_control": TimeControl,
        "hand": Hand,
        "peeked": Hand,
    }
    private_sections = frozenset({"hand", "peeked"})
    texts = Texts(
        title=title,
        lines={
            "sample.played": ("seat", "card"),
            "sample.drew": ("card",),
            "sample.looks": ("seat", "at"),
            **CLOCKS.lines,
        },
        refusals={"NOT_YOURS": (), "NOT_THERE": (), "OTHER_PROMPT": ()},
        phrases=(),
        prompts=frozenset({"turn", "peek"}) | CLOCKS.prompts,
        windows=frozenset({"turn", "peek"}) | CLOCKS.windows,
    )

    def refuse_options(self, seats: int, options: SampleOptions) -> Refusal | None:
        return None

    def setup(self, seats: int, options: SampleOptions, at: Millis, dice: Dice) -> Step[SampleState]:
        cards = dice.shuffle("deck", range(1, 17))
        dealt = tuple(tuple(sorted(cards[i * options.cards : (i + 1) * options.cards])) for i in range(seats))
        control = time_control.start(seats, options.timers)
        return Step(
            SampleState(
                cards[seats * options.cards :][:5],
                dealt,
                ((),) * seats,
                0,
                0,
                None,
                None,
                self._turn_timer(control, 0, seats, at),
                control,
            )
        )

    def _turn_timer(self, control: TimeControl, turn: int, seats: int, at: Millis) -> Timer:
        active = Seat(turn % seats)
        return time_control.timer(control, WindowId(f"turn:{turn}"), "turn", (active,), Millis(20_000), at)

    def _active(self, state: SampleState) -> Seat:
        return Seat(state.turn % len(state.hands))

    def prompts(self, state: SampleState) -> tuple[Prompt, ...] | Outcome:
        if not any(state.hands):
            scores = tuple(sum(cards) for cards in state.played)
            return Outcome(tuple(Seat(i) for i, one in enumerate(scores) if one == max(scores)), scores)
        active = frozenset({self._active(state)})
        if state.peek is not None:
            return (Prompt(PromptId(state.peek.id), "peek", active, state.peek.id, None),)
        more = time_control.prompt(state.time_control, state.timer)
        window = None if state.timer.clock is None else state.timer.id
        turn = Prompt(PromptId(f"turn:{state.turn}:{state.peeks}"), "turn", active, window, None)
        return (turn,) if more is None else (turn, more.prompt)

    def windows(self, state: SampleState) -> tuple[Window, ...]:
        if not any(state.hands):
            return ()
        nobody = (False,) * len(state.hands)
        peek = () if state.peek is None else time_control.windows(state.time_control, state.peek, nobody)
        timer = state.timer
        if state.peek is not None:  # a stopped timer cannot be extended
            timer = replace(timer, fixed=True)
        return peek + time_control.windows(state.time_control, timer, nobody)

    def check(
        self, state: SampleState, seat: Seat, prompt: PromptId, move: SampleMove, at: Millis
    ) -> Refusal | None:
        kind = prompt.partition(":")[0]
        match move:
            case Play(card=card):
                if kind != "turn":
                    return Refusal("OTHER_PROMPT", "GEN-4")
                return None if card in state.hands[seat] else Refusal("NOT_YOURS", "SAMPLE-1")
            case Peek(seat=other):
                if kind != "turn":
                    return Refusal("OTHER_PROMPT", "GEN-4")
                there = 0 <= other < len(state.hands) and other != seat
                return None if there else Refusal("NOT_THERE", "SAMPLE-2")
            case Stop():
                return None if kind == "peek" else Refusal("OTHER_PROMPT", "GEN-4")
            case Extend():
                return None if kind == "extend" else Refusal("OTHER_PROMPT", "GEN-4")
            case LastCall():
                return None if kind == "lastCall" else Refusal("OTHER_PROMPT", "GEN-4")

    def apply(
        self, state: SampleState, seat: Seat, prompt: PromptId, move: SampleMove, at: Millis, dice: Dice
    ) -> Step[SampleState]:
        match move:
            case Extend():
                control, timer, lines = time_control.extend(state.time_control, state.timer, seat)
                return Step(replace(state, time_control=control, timer=timer), lines)
            case LastCall():
                control, timer, lines = time_control.last_call(state.time_control, state.timer, seat, at)
                return Step(replace(state, time_control=control, timer=timer), lines)
            case _:
                control = time_control.reset_misses(state.time_control, seat)
                back = time_control.list_away_lines(state.time_control, control)
                step = self._act(replace(state, time_control=control), seat, move, at)
                return Step(step.state, (*back, *step.lines))

    def _act(self, state: SampleState, seat: Seat, move: Play | Peek | Stop, at: Millis) -> Step[SampleState]:
        match move:
            case Play(card=card):
                return self._play(state, card, at)
            case Peek(seat=other):
                peek = WindowId(f"peek:{state.peeks}")
                line = LogLine("sample.looks", {"seat": seat, "at": other}, None)
                after = replace(
                    state,
                    peeks=state.peeks + 1,
                    peeked_at=Seat(other),
                    peek=time_control.make_fixed_timer(
                        peek, "peek", (seat,), Millis(30_000), at, ("peeked",)
                    ),
                    timer=time_control.hold(state.timer, at),
                )
                return Step(after, (line,))
            case Stop():
                return Step(self._peeked(state, at))

    def _peeked(self, state: SampleState, at: Millis) -> SampleState:
        return replace(state, peek=None, peeked_at=None, timer=time_control.release(state.timer, at))

    def _play(self, state: SampleState, card: int, at: Millis) -> Step[SampleState]:
        seat, seats = self._active(state), len(state.hands)
        hand = tuple(one for one in state.hands[seat] if one != card)
        lines = [LogLine("sample.played", {"seat": seat, "card": card}, None)]
        deck = state.deck
        if deck:
            hand, deck = tuple(sorted((*hand, deck[0]))), deck[1:]
            lines.append(LogLine("sample.drew", {"card": state.deck[0]}, frozenset({seat})))
        hands = (*state.hands[:seat], hand, *state.hands[seat + 1 :])
        played = (*state.played[:seat], (*state.played[seat], card), *state.played[seat + 1 :])
        turn = state.turn + 1
        while any(hands) and not hands[turn % seats]:
            turn += 1
        timer = self._turn_timer(state.time_control, turn, seats, at)
        after = replace(state, deck=deck, hands=hands, played=played, turn=turn, timer=timer)
        return Step(after, tuple(lines))

    def expire(self, state: SampleState, window: WindowId, at: Millis, dice: Dice) -> Step[SampleState]:
        if state.peek is not None and window == state.peek.id:
            return Step(self._peeked(state, at))
        seat = self._active(state)
        control = time_control.add_misses(state.time_control, [seat])
        quiet = replace(state, time_control=control, peek=None, peeked_at=None)
        step = self._play(quiet, state.hands[seat][0], at)
        return Step(step.state, (*step.lines, *time_control.list_away_lines(state.time_control, control)))

    def extension(self, state: SampleState, seat: Seat, window: WindowId) -> SampleMove | None:
        if state.peek is not None or window != state.timer.id or not any(state.hands):
            return None
        spendable = isinstance(state.timer.clock, Running) and time_control.spendable(
            state.time_control, state.timer, seat
        )
        return Extend() if spendable else None

    def public(self, state: SampleState) -> dict[str, Section]:
        counts = tuple(len(hand) for hand in state.hands)
        board = Board(state.played, counts, len(state.deck), state.peeked_at)
        return {"board": Section(board), "time_control": Section(state.time_control)}

    def private(self, state: SampleState, seat: Seat) -> dict[str, Section]:
        sections = {"hand": Section(Hand(state.hands[seat]))}
        if state.peek is not None and state.peeked_at is not None and seat == self._active(state):
            sections["peeked"] = Section(Hand(state.hands[state.peeked_at]), state.peek.id)
        return sections

    def choices(self, state: SampleState, seat: Seat) -> Choices:
        prompts = self.prompts(state)
        if isinstance(prompts, Outcome):
            return {}
        others = tuple(i for i in range(len(state.hands)) if i != seat)
        offers = {
            "turn": (
                Choice("play", {"card": OneOf(state.hands[seat])}),
                Choice("peek", {"seat": OneOf(others)}),
            ),
            "peek": (Choice("stop"),),
            "extend": time_control.EXTEND,
            "lastCall": time_control.CALL,
        }
        return {prompt.id: offers[prompt.kind] for prompt in prompts if seat in prompt.seats}

    def preview(self, state: SampleState, seat: Seat, move: SampleMove) -> Section | None:
        if not isinstance(move, Play):
            return None
        return Section(Hand(tuple(one for one in state.hands[seat] if one != move.card)))

    def sample(self, state: SampleState, seat: Seat, dice: Dice) -> tuple[PromptId, SampleMove] | None:
        return kit_choices.sample(self.choices(state, seat), len(state.hands), SampleMove, dice)

    def talk_policy(self, state: SampleState, seat: Seat | None) -> TalkPolicy:
        peeks = state.peek is not None and seat == self._active(state)
        return TalkPolicy("open", notes_locked=peeks)

    def resample(self, state: SampleState, viewer: Seat | None, dice: Dice) -> SampleState:
        """Redeals all cards that this viewer cannot see."""
        known = {viewer}
        if state.peek is not None and viewer == self._active(state):
            known.add(state.peeked_at)
        unseen = [card for seat, hand in enumerate(state.hands) if seat not in known for card in hand]
        pool = iter(dice.shuffle("resample", (*state.deck, *unseen)))
        deck = tuple(next(pool) for _ in state.deck)
        hands = tuple(
            hand if seat in known else tuple(sorted(next(pool) for _ in hand))
            for seat, hand in enumerate(state.hands)
        )
        return replace(state, deck=deck, hands=hands)

    def upgrade(self, version: int, data: Mapping[str, Any]) -> SampleState | None:
        return msgspec.convert(data, SampleState) if version == self.version else None


# --- variants with one fault each ---


class DrawToAll(Sample):
    """The log shows everybody which card was drawn."""

    def _play(self, state: SampleState, card: int, at: Millis) -> Step[SampleState]:
        step = super()._play(state, card, at)
        return Step(step.state, tuple(replace(line, to=None) for line in step.lines))


class PeekStaysOpen(Sample):
    """The hand that a peek showed stays in the view after the peek."""

    def private(self, state: SampleState, seat: Seat) -> dict[str, Section]:
        sections = super().private(state, seat)
        if state.peeks:
            sections["peeked"] = Section(Hand(state.hands[(seat + 1) % len(state.hands)]))
        return sections


class PeekNamesNothing(Sample):
    """A client that loses its connection in the middle of a peek would not know what to forget."""

    def windows(self, state: SampleState) -> tuple[Window, ...]:
        return tuple(replace(window, sections=()) for window in super().windows(state))


class RefusalKnowsTheDeck(Sample):
    """A card that cannot be played is refused differently if it is in the deck."""

    texts = replace(Sample.texts, refusals={**Sample.texts.refusals, "IN_DECK": ()})

    def check(
        self, state: SampleState, seat: Seat, prompt: PromptId, move: SampleMove, at: Millis
    ) -> Refusal | None:
        refusal = super().check(state, seat, prompt, move, at)
        known = refusal is not None and isinstance(move, Play) and move.card in state.deck
        return Refusal("IN_DECK", "SAMPLE-1") if known else refusal


class PreviewKnowsTheDeck(Sample):
    """Previewing a play shows the card that would be drawn."""

    def preview(self, state: SampleState, seat: Seat, move: SampleMove) -> Section | None:
        preview = super().preview(state, seat, move)
        return preview if preview is None else Section(Hand((*state.hands[seat], *state.deck[:1])))


class DeckInThePrompt(Sample):
    """The id of a prompt depends on the order of the deck."""

    def prompts(self, state: SampleState) -> tuple[Prompt, ...] | Outcome:
        prompts = super().prompts(state)
        if isinstance(prompts, Outcome) or not state.deck:
            return prompts
        return tuple(
            replace(prompt, id=PromptId(f"{prompt.id}:{state.deck[0] % 2}"))
            if prompt.kind == "turn"
            else prompt
            for prompt in prompts
        )


class BackInTheGame(Sample):
    """Everybody whose turn it is not is out."""

    def out_seats(self, state: SampleState) -> frozenset[Seat]:
        return frozenset(map(Seat, range(len(state.hands)))) - {self._active(state)}


class OutByTheDeck(Sample):
    """Whether somebody is out depends on the last card of the deck."""

    def out_seats(self, state: SampleState) -> frozenset[Seat]:
        return frozenset({Seat(99)} if state.deck and state.deck[-1] % 2 else ())


class DeckNeverDrawn(Sample):
    """Resampling leaves the deck as it is, so leaks of it would go unnoticed."""

    def resample(self, state: SampleState, viewer: Seat | None, dice: Dice) -> SampleState:
        return replace(super().resample(replace(state, deck=()), viewer, dice), deck=state.deck)
