"""The rules contract: what a game provides to the hub, and nothing else.

A game is pure, synchronous and deterministic: frozen typed values in, frozen typed values out. It imports
nothing from the hub and uses no clock, no `random` and no environment. All time is passed in as `at` (table
time, in milliseconds), and all randomness as `Dice` (G7, GEN-2).

There is no default view. `public(state)` is what everybody may see; `private(state, seat)` is what one seat
sees in addition; both start empty, and a game adds sections. A spectator gets only `public`, so it can never
hold the union of what seats know (GEN-8), and sections that all viewers share are computed and encoded once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Generic, Literal, NewType, Protocol, TypeAlias, TypeVar

import msgspec

Seat = NewType("Seat", int)
"""A player's place, numbered clockwise from 0 (GEN-1)."""
Millis = NewType("Millis", int)
"""A duration or a point in table time, in milliseconds."""
PromptId = NewType("PromptId", str)
WindowId = NewType("WindowId", str)

Audience: TypeAlias = frozenset[Seat] | None
"""Who may know about something: these seats, or `EVERYONE` (all seats and all spectators)."""
EVERYONE: Final[Audience] = None


class Struct(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Base of every value that crosses the contract: frozen, strict and acyclic (hence `gc=False`)."""


# --- who may see a state field ---

T = TypeVar("T")
Public = Annotated[T, msgspec.Meta(extra={"seen": "public"})]
"""Everybody may see this field."""
OwnerOnly = Annotated[T, msgspec.Meta(extra={"seen": "owner"})]
"""A tuple indexed by seat: only seat i may see entry i."""
Secret = Annotated[T, msgspec.Meta(extra={"seen": "hidden"})]
"""Nobody may see this field itself, only what `public` and `private` derive from it."""


# --- values ---

Argument: TypeAlias = int | str | Sequence[int | str] | None


class LogLine(Struct, frozen=True):
    """One sentence of the table's log: a catalogue key with its arguments, and who may read it.

    The client replaces these arguments with the names of the players seated there: `seat`, `other`, `by`,
    `a`, `b`, `colour`, `enemy` and `ally` are one seat each, and `seats` is a list of seats. No other
    argument is a seat. It shows each number of `bids`, one for each seat, with that seat's name.
    """

    key: str
    args: Mapping[str, Argument]
    to: Audience


class Prompt(Struct, frozen=True):
    """Something that some seats may currently do. Its id changes only with public events (GEN-4)."""

    id: PromptId
    kind: str
    seats: frozenset[Seat]
    window: WindowId | None
    to: Audience


class Running(Struct, frozen=True, tag="running"):
    end: Millis


class Held(Struct, frozen=True, tag="held"):
    """The clock of a paused window, with the time left on it (SSA-39)."""

    left: Millis


class Window(Struct, frozen=True):
    """A timed span of the game, with an id that is never reused. `span` is its total length, for the ring.

    `extend` names the open prompt that lets a seat the window concerns extend it (GEN-6); at expiry the hub
    answers that prompt with `Game.extension` for a disconnected seat. `sections` names the private sections
    bound to the window: a client that has lost its connection discards them.
    """

    id: WindowId
    kind: str
    to: Audience
    concerns: frozenset[Seat]
    clock: Running | Held
    span: Millis
    extend: PromptId | None = None
    sections: tuple[str, ...] = ()


class Section(Struct, frozen=True):
    """A named part of a view. With `peek`, it is shown only while that window is running and not paused."""

    data: msgspec.Struct
    peek: WindowId | None = None


class Outcome(Struct, frozen=True):
    """The end of a game: who won (GEN-10: all tied players win), and exact scores as `scores[i] / over`."""

    winners: tuple[Seat, ...]
    scores: tuple[int, ...]
    over: int = 1


class Refusal(Struct, frozen=True):
    """Why a move was not applied: a stable code and a rule id, based only on what the seat sees (GEN-3)."""

    code: str
    rule: str
    args: Mapping[str, Argument] = {}


class TalkPolicy(Struct, frozen=True):
    """Who may currently talk, and how. `mode` is for the table channel; `phrases` are catalogue keys."""

    mode: Literal["open", "phrases", "closed"]
    phrases: tuple[str, ...] = ()
    whispers: bool = False
    notes_locked: bool = False


# --- legal moves as data ---


class Range(Struct, frozen=True, tag="range"):
    """An integer from `least` to `most`, both included."""

    least: int
    most: int


class OneOf(Struct, frozen=True, tag="one_of"):
    """One of the values in `of`."""

    of: tuple[int, ...] | tuple[str, ...]


class Subset(Struct, frozen=True, tag="subset"):
    """Between `least` and `most` of the values in `of`, each at most once."""

    of: tuple[int, ...] | tuple[str, ...]
    least: int
    most: int


class PerSeat(Struct, frozen=True, tag="per_seat"):
    """One integer for every seat."""

    least: int
    most: int


class Bound(Struct, frozen=True):
    """The total worth of the items in a multiset is between `least` and `most`.

    `worth` has one number, 0 or more, for each item in the multiset's `of`; if it is None, each counts as 1.
    """

    worth: tuple[int, ...] | None
    least: int
    most: int


class Multiset(Struct, frozen=True, tag="multiset"):
    """Some of the values in `of`, in any order and within every bound, such as a payment or an order.

    Item i may occur up to `times[i]` times, or once if `times` is None. If the multiset is `tight`, leaving
    out any chosen item would violate a bound.
    """

    of: tuple[int, ...] | tuple[str, ...]
    times: tuple[int, ...] | None
    bounds: tuple[Bound, ...]
    tight: bool = False


Domain: TypeAlias = Range | OneOf | Subset | PerSeat | Multiset


class MoveBase(Struct, frozen=True, tag_field="move"):
    """Base of every move: its tag is in the field `move`."""


class Choice(Struct, frozen=True):
    """One kind of legal move: the move's tag, and the domain of each of its fields.

    A field that is not named here is left out of the move. A prompt may have several choices for the same
    move. A field called `seat`, `to` or `seats` takes seats.
    """

    move: str
    fields: Mapping[str, Domain] = {}

    def __hash__(self) -> int:
        return hash((self.move, frozenset(self.fields.items())))


Choices: TypeAlias = Mapping[PromptId, tuple[Choice, ...]]


# --- randomness ---


class Dice(Protocol):
    """All randomness in a game. Each draw is HMAC(seed, label, counter); see games/dice.py."""

    def below(self, label: str, sides: int) -> int:
        """A uniform integer in 0..sides-1. Raises ValueError unless sides >= 1."""
        ...

    def shuffle(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        """The items in uniformly random order."""
        ...


# --- texts ---


class Texts(Struct, frozen=True):
    """Every key a game may ever send, as listed in its `texts/en.json` (games/kit/texts/ reads it).

    `lines`, `refusals`, `remarks` and `coach` map a key to the names of its arguments; the rest are just
    keys. Phrases are in the order in which people are offered them; `remarks` are what only bots say.
    """

    title: str
    lines: Mapping[str, tuple[str, ...]]
    refusals: Mapping[str, tuple[str, ...]]
    phrases: tuple[str, ...]
    prompts: frozenset[str]
    windows: frozenset[str]
    promises: Mapping[str, tuple[str, ...]] = {}
    """Each kind of promise, with the terms that its text names."""
    coach: Mapping[str, tuple[str, ...]] = {}
    """As `lines`: the advice that `Game.coach` may give."""
    catalogue: Mapping[str, Any] = {}
    """The messages themselves, by group and key: what `GET /api/games` serves."""
    remarks: Mapping[str, tuple[str, ...]] = {}


# --- lessons ---


class LessonStep(Struct, frozen=True):
    """One move of a lesson, and what the learner reads about it.

    `prompt` is the kind of the prompt that it answers, and `move` the move as clients send it. `task` tells
    the learner what to do and why, before a move of their own; without one, their move follows by itself.
    `then` says what the move has done, or why a bot made it. `quick` moves
    teach nothing new: more than three in a row are played almost at once. The next text should say what they
    led to.

    A step whose prompt is `PROMISE` makes a promise instead: `move` is a `NewPromise`. If it is the
    learner's, its task asks for it, and one button makes it. A bot's step whose prompt is `SAY` says
    something in the chat: `move` is a `Remark`.
    """

    seat: Seat
    prompt: str
    move: Mapping[str, Any]
    task: str | None = None
    then: str | None = None
    quick: bool = False


class Lesson(Struct, frozen=True):
    """A whole game whose deal and moves are fixed, from the first decision to its end (docs/ADD_A_GAME.md).

    The learner has seat 0, bots have the others. `about` follows the game's goal and a colon, and says how it
    is reached. The dice follow from `seed`, any text. `steps` are all moves of the game, in order; no window
    ends by time.
    """

    seats: int
    options: Mapping[str, Any]
    seed: str
    about: str
    steps: tuple[LessonStep, ...]


PROMISE: Final = "promise"
"""In place of a prompt's kind in a lesson: the step is a promise."""
SAY: Final = "say"
"""In place of a prompt's kind in a lesson: the step is a bot's remark."""
LEARNER: Final = Seat(0)
"""The learner's seat in every lesson."""


# --- promises ---

PublicView: TypeAlias = Mapping[str, msgspec.Struct]
"""The values of the sections that everybody sees, by name, without those bound to a peek."""
Judgement: TypeAlias = Literal["kept", "broken", "lapsed"]
"""What became of a promise. It has lapsed if its occasion never came, or if its holders released it."""


class Promise(Struct, frozen=True):
    """A promise of one seat to others, made from parts; it binds nobody (R30).

    `kind` and `terms` are the tag and the fields of one of the choices in `PromiseRules.choices`. `to` are
    the seats it was made to, in order; empty for everybody. Only they and `by` know of a `private` one until
    the game is over, and then everybody if it is `told`. `entry` counts the log's entries before it.

    `bot`: the seat's own bot made it. `judgement` is None as long as it is open. `excused`: what the seat has
    last done about it was done by a substitute, or somebody else has taken the seat since, so that whoever
    made it did not break it. `hindered`: others have kept the seat from it, so it can only be kept or lapse.
    `tempted`: the seat has had an occasion to break it.
    `cost`: what the step that broke it has added to each seat's standing. `offers_by_substitute`: its
    seat's open offers that a substitute has made since; whoever made an offer answers for the trade.
    """

    id: str
    by: Seat
    to: tuple[Seat, ...]
    kind: str
    terms: Mapping[str, int | str]
    at: Millis
    entry: int
    private: bool = False
    told: bool = True
    bot: bool = False
    judgement: Judgement | None = None
    excused: bool = False
    cost: tuple[int, ...] | None = None
    hindered: bool = False
    offers_by_substitute: tuple[PromptId, ...] = ()
    tempted: bool = False


class NewPromise(Struct, frozen=True):
    """A promise as its seat sends it, and as the log and the record have it (see `Promise`)."""

    kind: str
    terms: Mapping[str, int | str]
    to: tuple[Seat, ...] = ()
    private: bool = False
    told: bool = True
    bot: bool = False

    def promise(self, id: str, by: Seat, at: Millis, entry: int) -> Promise:
        """The open promise that this seat makes at a table time, after this many entries of the log."""
        return Promise(id, by, self.to, self.kind, self.terms, at, entry, self.private, self.told, self.bot)


class PromiseEvent(Struct, frozen=True):
    """Something that has happened in the game, as everybody has seen it.

    `lines` are the log lines for everybody, and `over` says whether the game has ended with it.
    """

    before: PublicView
    after: PublicView
    lines: tuple[LogLine, ...]
    over: bool


class PromiseRules(Protocol):
    """What may be promised in a game, and what becomes of it, according to what everybody sees (R30)."""

    kinds: tuple[str, ...]
    """Every kind of promise, in the order in which they are offered; each has a text in group `promises`."""

    def choices(self, view: PublicView, seat: Seat) -> tuple[Choice, ...]:
        """What the seat may currently promise; the domain of each term is a `Range` or a `OneOf`.

        A field `to` is no term: such a promise is made to exactly one of the seats in that domain.
        """
        ...

    def complete(self, promise: Promise, view: PublicView) -> Promise:
        """A new promise with the terms that follow from when it is made, such as where its turns end.

        No choice offers these terms, and the promise's text does not tell them. Whoever has a promise open
        cannot make it again, whatever it would be completed with.
        """
        return promise

    def judge(self, promise: Promise, event: PromiseEvent) -> Judgement | None:
        """The judgement on an open promise that follows from this event, or None if it stays open.

        A promise that is open when the game is over has lapsed, unless this says otherwise. Nothing that the
        dice or other seats do breaks a promise: one that its seat could not keep has lapsed.
        """
        ...

    def breaks(self, promise: Promise, move: Any, view: PublicView) -> bool:
        """Whether this move of its seat will break an open promise once it is shown, which is later."""
        return False

    def acts(self, promise: Promise, event: PromiseEvent) -> bool:
        """Whether in this event its seat, or the clock for it, does something that may decide a promise.

        Whoever plays the seat at the last such event answers for it.
        """
        return any(line.args.get("seat") == promise.by for line in event.lines)

    def hinders(self, promise: Promise, event: PromiseEvent) -> bool:
        """Whether others keep its seat, from this event on, from a promise whose occasion ends later.

        It may still be kept; what would otherwise break it lets it lapse.
        """
        return False

    def tempts(self, promise: Promise, event: PromiseEvent) -> bool:
        """Whether its seat could break it in this event; the judge may read `Promise.tempted`."""
        return False

    def refuse(self, promise: Promise, private: PublicView) -> Refusal | None:
        """Why a seat may not promise this at present, from its private sections; only that seat is told."""
        return None

    def contradicts(self, promise: Promise, other: Promise, view: PublicView) -> bool:
        """Whether one seat cannot keep both of these open promises, whatever others do and the dice show."""
        return False

    def standing(self, view: PublicView) -> tuple[int, ...]:
        """By seat, how well it is doing in whole units that everybody can count, such as points."""
        ...


# --- advice ---


class Advice(Struct, frozen=True):
    """One sentence for a beginner about a decision: a key in `Texts.coach`, and its arguments.

    They are shown like those of a `LogLine`.
    """

    key: str
    args: Mapping[str, Argument] = {}


# --- the game ---

S = TypeVar("S", bound=msgspec.Struct)
M = TypeVar("M", bound=msgspec.Struct)
O = TypeVar("O", bound=msgspec.Struct)  # noqa: E741 - the options


class Step(Struct, Generic[S], frozen=True):
    """The result of a move: the next state, and the log lines about the move."""

    state: S
    lines: tuple[LogLine, ...] = ()
    affected_seats: frozenset[Seat] | None = None
    """Seats whose `private` or `choices` may have changed, if prompts and windows have not.

    If None, prompts, windows and any seat's view may have changed. The hub checks only the seats named here,
    so a command at a table of ten costs no more than at a table of two.
    """


class Game(Protocol[S, M, O]):
    """One game's rules. Every method is total for reachable states, or documents what it raises."""

    key: str
    title: str
    version: int
    """Increased whenever an old log would replay differently."""
    seats: range
    minutes: tuple[int, int]
    Options: type[O]
    State: type[S]
    Move: Any
    """The closed union of moves: structs tagged by the field `move`."""
    silent: frozenset[str]
    """Tags of moves that only their own seat may notice (drafts): they add no line and change no other view.

    A silent move may be the last answer to a prompt and end the wait. Others then learn that every seat has
    answered, but nothing that depends on the order of the answers.
    """
    sections: Mapping[str, type[msgspec.Struct]]
    """Every section name that `public` or `private` may return, with its type (for the client's types)."""
    private_sections: frozenset[str] = frozenset()
    """Every section name that `private` may return. Clients can hide these from others who see the screen."""
    texts: Texts
    lesson: Lesson | None = None
    """The game's lesson, if it has one (games/kit/lessons.py)."""
    promises: PromiseRules | None = None
    """What seats may promise one another, if anything (games/kit/promises.py)."""

    def refuse_options(self, seats: int, options: O) -> Refusal | None:
        """Why this combination of seats and options cannot be played, or None."""
        ...

    def setup(self, seats: int, options: O, at: Millis, dice: Dice) -> Step[S]:
        """The first state, at table time `at`, for seats and options that `refuse_options` allowed."""
        ...

    def prompts(self, state: S) -> tuple[Prompt, ...] | Outcome:
        """Everything that any seat may currently do, or the outcome."""
        ...

    def out_seats(self, state: S) -> frozenset[Seat]:
        """The seats whose play in this game, or in this round of it, is over: whatever happens, the rules ask
        them nothing more.

        Everybody may know it, and it changes only when `prompts` do. Such a seat may still be asked about
        time. By default, no seat is ever out.
        """
        return frozenset()

    def windows(self, state: S) -> tuple[Window, ...]:
        """Every open window; windows that end in the same millisecond expire in this order."""
        ...

    def check(self, state: S, seat: Seat, prompt: PromptId, move: M, at: Millis) -> Refusal | None:
        """Why this move may not be made, or None. The hub has checked that `prompt` is open to `seat`."""
        ...

    def apply(self, state: S, seat: Seat, prompt: PromptId, move: M, at: Millis, dice: Dice) -> Step[S]:
        """The step that a move allowed by `check` leads to."""
        ...

    def expire(self, state: S, window: WindowId, at: Millis, dice: Dice) -> Step[S]:
        """Applies the default of a window that has run out (GEN-7) and closes that window."""
        ...

    def extension(self, state: S, seat: Seat, window: WindowId) -> M | None:
        """The move that extends this window at its end for a disconnected seat, or None (GEN-6)."""
        ...

    def public(self, state: S) -> dict[str, Section]:
        """The sections that everybody sees; spectators get nothing else (GEN-8).

        The hub sends a section when its value differs from the one it sent last. Never modify a returned
        section in place; the same applies to the methods below. Returning the same object as before costs the
        hub nothing: see `games.kit.memo` where that matters.
        """
        ...

    def private(self, state: S, seat: Seat) -> dict[str, Section]:
        """The sections that this seat sees in addition to `public`; no name is in both."""
        ...

    def choices(self, state: S, seat: Seat) -> Choices:
        """The seat's legal moves, by open prompt, computed from what it may see."""
        ...

    def preview(self, state: S, seat: Seat, move: M) -> Section | None:
        """The effect of this move, based on what the seat may see; None if the game has no preview."""
        ...

    def coach(self, observation: Observation, prompt: Prompt) -> Advice | None:
        """Advice to this seat about its decision, true of what it sees; None if there is nothing to say.

        `prompt` is open to the seat. It is a function of the observation alone, so it cannot tell the seat
        anything that is hidden from it. By default, a game has no coach.
        """
        return None

    def sample(self, state: S, seat: Seat, dice: Dice) -> tuple[PromptId, M] | None:
        """A random legal move for this seat: for fuzzing, and for the simplest bot."""
        ...

    def talk_policy(self, state: S, seat: Seat | None) -> TalkPolicy:
        """The rights to talk and take notes; they change only when `prompts` or `windows` do."""
        ...

    def resample(self, state: S, viewer: Seat | None, dice: Dice) -> S:
        """A state that this viewer cannot tell apart from `state`, with everything hidden from it redrawn."""
        ...

    def upgrade(self, version: int, data: Mapping[str, Any]) -> S | None:
        """A state stored by an older version, in the current form; None if it cannot be converted."""
        ...


# --- bots ---


class Temper(Struct, frozen=True):
    """How a character deals with others: percentages from 0 to 100, which affect no character's strength."""

    honesty: int
    """How often it keeps a promise that does not pay."""
    boldness: int
    """How often it threatens, and insists on the better half of a deal."""
    warmth: int
    """How often it thanks and praises, and favours those who have helped it."""
    grudge: int
    """How long it remembers a wrong: 0 is one turn, 100 the whole game."""
    chatter: int
    """How often it speaks where it could as well be silent."""


class Character(Struct, frozen=True):
    """Who a bot is at its table: one of those in games/kit/characters.py, or the substitute."""

    key: str
    name: str
    level: str
    """One of the bot's levels."""
    temper: Temper

    @property
    def is_substitute(self) -> bool:
        """Whether it continues somebody else's game: it promises nothing, and threatens nobody."""
        return not self.name


class SeenLine(LogLine, frozen=True):
    """A log line as one seat reads it: `to` is only that seat, or everybody."""

    at: Millis


class Spoken(Struct, frozen=True):
    """Something said at the table in parts: a phrase of a person, or a remark of a bot. Free text never is.

    `to` is the seat that a whisper is for; None if everybody hears it. `addressee` is the seat that it speaks
    to, aloud or in a whisper; None if it speaks to the whole table.
    """

    seat: Seat
    to: Seat | None
    key: str
    args: Mapping[str, Argument]
    at: Millis
    bot: bool = False
    """Whether a bot said it."""

    @property
    def addressee(self) -> Seat | None:
        addressed = self.args.get("to", self.to)
        return Seat(addressed) if isinstance(addressed, int) else None


class Observation(Struct, frozen=True):
    """Everything a bot may know: what would be sent to its seat's socket."""

    seat: Seat
    seats: int
    prompts: tuple[Prompt, ...]
    choices: Choices
    sections: Mapping[str, msgspec.Struct]
    """`public` and `private` together."""
    talk_policy: TalkPolicy
    promises: tuple[Promise, ...] = ()
    """The promises that it may know of, the oldest first."""
    lines: tuple[SeenLine, ...] = ()
    """The log lines that its seat may read, oldest first: the last `MAX_LINES_SEEN` of all, and the last
    `MAX_LINES_SEEN` public ones."""
    messages: tuple[Spoken, ...] = ()
    """What was said so that its seat hears it, its own remarks included, oldest first: at most
    `MAX_MESSAGES_SEEN` of each speaker to each audience. At the same `at`, lines come before messages. A bot
    keeps no other memory."""
    may_speak: bool = True
    """Whether a remark would be heard now. If not, a decision must not have one, nor wait for it."""
    people: tuple[Seat, ...] = ()
    """The seats that people play at present, as everybody at the table sees."""


MAX_LINES_SEEN: Final = 200
MAX_MESSAGES_SEEN: Final = 100


class Remark(Struct, frozen=True):
    """Something for a bot to say: a key of the catalogue's `remarks` with its arguments, or of `phrases`.

    Arguments are like those of log lines; the argument `to` is the seat that the remark addresses. `to`, the
    field, makes it a whisper that only this seat hears, where the talk policy allows whispers.
    """

    key: str
    args: Mapping[str, Argument] = {}
    to: Seat | None = None


class Decision(Struct, Generic[M], frozen=True):
    """A bot's decision: a move in answer to a prompt, a remark, or both; the remark follows the move."""

    prompt: PromptId | None = None
    move: M | None = None
    """None exactly if `prompt` is: then the bot only speaks."""
    remark: Remark | None = None
    promise: NewPromise | None = None
    """What it promises before the move; a substitute promises nothing (R30)."""
    after: Millis | None = None
    """The shortest time the bot appears to think; the hub keeps it within bounds. If None, the hub chooses.

    Everybody can see it, so it may depend only on public information and dice.
    """

    @property
    def answer(self) -> tuple[PromptId, M] | None:
        """The prompt and the move; None if the bot only speaks."""
        return None if self.prompt is None or self.move is None else (self.prompt, self.move)


class Bot(Protocol[M]):
    """A pure function of a seat's observation and the bot's own random stream (never the rules' dice)."""

    levels: tuple[str, ...]
    slow: frozenset[str] = frozenset()
    """Levels that may think for more than 2 ms: the hub lets them decide in a separate process.

    The bot and its decisions must therefore be picklable: instances of module-level classes without state.
    """
    proposals: frozenset[str] = frozenset()
    """What it proposes with: tags of moves, and keys of remarks, phrases and promises (`promise.<kind>`)."""
    answers: frozenset[str] = frozenset()
    """What it answers proposals with, likewise. Only `parley simulate` reads the two: it counts exchanges."""
    quick: frozenset[str] = frozenset()
    """Kinds of prompts that it answers in a third of the usual time: nobody has to follow each answer."""
    remarkable: frozenset[str] = frozenset()
    """Keys of public log lines after which characters are asked even if they have nothing to decide."""

    def decide(self, observation: Observation, character: Character, dice: Dice) -> Decision[M] | None:
        """The next decision of this character, or None to wait for others.

        It is also asked when somebody has spoken; then its seat may have nothing to decide.
        """
        ...


class Registration(Struct, frozen=True):
    """One entry in the registry: a game and its bot."""

    game: Game[Any, Any, Any]
    bot: Bot[Any]


def open_prompts(prompts: tuple[Prompt, ...] | Outcome, seat: Seat) -> tuple[Prompt, ...]:
    """The prompts open to a seat."""
    if isinstance(prompts, Outcome):
        return ()
    return tuple(prompt for prompt in prompts if seat in prompt.seats)
