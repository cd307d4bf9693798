"""One position of a game, looked at: what goes on, what fits, and what each viewer may not notice (G4).

The parts of `games.testing.conformance` that look at a single position, and what they gather over many.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import islice, permutations
from typing import Any, Final, NamedTuple, get_args

import msgspec

from games.api import LogLine, Outcome, Prompt, Refusal, Running, Seat, Step, open_prompts
from games.dice import Dice
from games.kit import choices as kit_choices
from games.testing import visibility
from games.testing.random_play import AnyGame, Position, Style, may_know

MOST_BYTES: Final = 14_336
"""Of one audience's whole view, as far as the game fills it (G8.8)."""

_ENCODER: Final = msgspec.msgpack.Encoder(order="deterministic")
_PLAIN: Final = msgspec.msgpack.Encoder()


class Broken(AssertionError):
    """The game does not keep the contract."""


def require(holds: bool, fault: str) -> None:
    if not holds:
        raise Broken(fault)


class Case(NamedTuple):
    """One game to play."""

    seats: int
    options: Mapping[str, Any]
    style: Style
    seed: bytes

    def __str__(self) -> str:
        return f"{self.seats} seats, options {dict(self.options)}, {self.style.name}, seed {self.seed!r}"


def moves_of(game: AnyGame | type[AnyGame]) -> Mapping[str, type[msgspec.Struct]]:
    """The structs of a game's moves, by tag."""
    kinds = get_args(game.Move) or (game.Move,)
    return {str(kind.__struct_config__.tag): kind for kind in kinds}


@cache
def _kinds(game: type[AnyGame]) -> tuple[Mapping[str, type[msgspec.Struct]], Mapping[str, list[str]]]:
    """The same, and the names of each one's fields as clients send them."""
    kinds = moves_of(game)
    return kinds, {
        tag: [field.encode_name for field in msgspec.structs.fields(kind)] for tag, kind in kinds.items()
    }


# --- one viewer's everything ---


def everything(game: AnyGame, state: Any, viewer: Seat | None) -> bytes:
    """All a viewer has of a position, as bytes: sections, prompts, windows, choices, talk policy, outcome."""
    prompts = game.prompts(state)
    sections = dict(game.public(state))
    if viewer is not None:
        sections.update(game.private(state, viewer))
    seen: Any = (
        prompts
        if isinstance(prompts, Outcome)
        else [prompt for prompt in prompts if may_know(prompt.to, viewer)]
    )
    windows = [window for window in game.windows(state) if may_know(window.to, viewer)]
    choices = None if viewer is None else game.choices(state, viewer)
    return _ENCODER.encode((sections, seen, windows, choices, game.talk_policy(state, viewer)))


def lines_to(lines: Iterable[LogLine], viewer: Seat | None) -> bytes:
    return _ENCODER.encode([(line.key, line.args) for line in lines if may_know(line.to, viewer)])


class Try(NamedTuple):
    """A move to try for a prompt: as a client sends it, and as the game takes it; None: no move at all."""

    prompt: Prompt
    raw: kit_choices.RawMove
    move: Any
    covered: bool
    """Whether the seat's choices offer it."""

    @property
    def tag(self) -> str:
        return str(self.raw["move"])

    def __str__(self) -> str:
        return f"{dict(self.raw)} for {self.prompt.id}"


NO_MOVE: Final = Refusal("NO_MOVE", "-")


class Inspection:
    """One position, looked at."""

    def __init__(self, game: AnyGame, case: Case, position: Position) -> None:
        self.game, self.case, self.position = game, case, position
        self.state, self.at = position.state, position.event.at
        self.seats = [Seat(seat) for seat in range(case.seats)]
        self.viewers: list[Seat | None] = [None, *self.seats]
        self.dice = Dice(case.seed + b" look", position.counter * 1_000_003)
        self.kinds, self.fields = _kinds(type(game))
        self._tries: dict[Seat, list[Try]] = {}
        prompts = game.prompts(self.state)
        self.prompts: tuple[Prompt, ...] = () if isinstance(prompts, Outcome) else prompts

    # at a glance

    def at_a_glance(self) -> None:
        self._goes_on()
        self._fits()
        self._speaks()
        self._survives()

    def _goes_on(self) -> None:
        game, state = self.game, self.state
        prompts, windows = game.prompts(state), game.windows(state)
        ids = [window.id for window in windows]
        require(len(set(ids)) == len(ids), "windows: one id twice")
        if isinstance(prompts, Outcome):
            require(not windows, "outcome: a window is still open")
            require(not any(game.choices(state, seat) for seat in self.seats), "outcome: moves are left")
            require(len(prompts.scores) == len(self.seats), "outcome: a score for each seat")
            require(set(prompts.winners) <= set(self.seats) and prompts.over >= 1, "outcome: winners")
            return
        running = any(isinstance(window.clock, Running) for window in windows)
        require(running or any(prompt.seats for prompt in prompts), "nothing is asked and no window runs")
        named = [prompt.id for prompt in prompts]
        require(len(set(named)) == len(named), "prompts: one id twice")
        for prompt in prompts:
            require(
                prompt.window is None or prompt.window in ids, f"prompts: {prompt.id} names no open window"
            )
            require(prompt.seats <= set(self.seats), f"prompts: {prompt.id} is open to no seat of the table")
            require(
                prompt.to is None or prompt.seats <= prompt.to,
                f"prompts: {prompt.id} is unknown to who may answer",
            )
        for window in windows:
            require(
                window.extend is None or window.extend in named, f"windows: {window.id} extends by no prompt"
            )
            require(window.to is None or window.concerns <= window.to, f"windows: {window.id} is unknown")
            late = isinstance(window.clock, Running) and window.clock.end < self.at
            require(not late, f"windows: {window.id} has already ended")

    def _fits(self) -> None:
        game, state = self.game, self.state
        shown = {(window.id, name) for window in game.windows(state) for name in window.sections}
        public = game.public(state)
        for viewer in self.viewers:
            own = {} if viewer is None else game.private(state, viewer)
            require(not set(public) & set(own), "sections: a name both public and private")
            for name, section in {**public, **own}.items():
                fits = type(section.data) is game.sections.get(name)
                require(fits, f"sections: {name} is not of the declared type")
                bound = section.peek is None or (section.peek, name) in shown
                require(bound, f"sections: no window {section.peek} shows {name}")
            size = len(everything(game, state, viewer))
            require(size <= MOST_BYTES, f"view of {viewer}: {size} bytes")

    def _speaks(self) -> None:
        game, texts = self.game, self.game.texts
        for line in self.position.lines:
            names = texts.lines.get(line.key)
            require(names is not None, f"texts: line {line.key} is not declared")
            require(set(names or ()) == set(line.args), f"texts: arguments of {line.key}")
        for viewer in self.viewers:
            talk_policy = game.talk_policy(self.state, viewer)
            require(set(talk_policy.phrases) <= set(texts.phrases), "texts: a phrase is not declared")
        require(
            {prompt.kind for prompt in self.prompts} <= texts.prompts,
            "texts: a kind of prompt is not declared",
        )
        offered = [game.choices(self.state, seat) for seat in self.seats]
        tags = {choice.move for mine in offered for found in mine.values() for choice in found}
        require(tags <= set(self.kinds), "choices: an unknown move")
        kinds = {window.kind for window in game.windows(self.state)}
        require(kinds <= texts.windows, "texts: a kind of window is not declared")

    def _survives(self) -> None:
        game, state = self.game, self.state
        packed = _PLAIN.encode(state)
        again = msgspec.msgpack.decode(packed, type=game.State)
        require(again == state and _PLAIN.encode(again) == packed, "state: it does not survive storing")
        stored = msgspec.msgpack.decode(packed)
        require(game.upgrade(game.version, stored) == state, "upgrade: the version of today")

    # closely

    def closely(self, hidden: Hidden) -> None:
        before = _PLAIN.encode(self.state)
        hidden.note(self)
        self._choices()
        self._expires()
        self._extends()
        self._silence()
        self._closings()
        for viewer in self.viewers:
            for _ in range(4):
                self._blind(viewer, hidden)
        require(_PLAIN.encode(self.state) == before, "state: it was changed in place")

    def tries(self, seat: Seat) -> list[Try]:
        """Moves of all kinds for every prompt open to a seat."""
        if seat not in self._tries:
            self._tries[seat] = list(self._make_tries(seat))
        return self._tries[seat]

    def _make_tries(self, seat: Seat) -> Iterator[Try]:
        choices = self.game.choices(self.state, seat)
        for prompt in open_prompts(self.prompts, seat):
            mine = choices.get(prompt.id, ())
            for raw in kit_choices.attempts(self.fields, mine, len(self.seats), self.dice):
                try:  # one kind of move converts far more quickly than the union of all
                    move = msgspec.convert(raw, self.kinds[str(raw["move"])])
                except msgspec.ValidationError:
                    move = None
                yield Try(prompt, raw, move, kit_choices.allows(mine, raw, len(self.seats)))

    def refuse(self, state: Any, seat: Seat, one: Try) -> Refusal | None:
        return NO_MOVE if one.move is None else self.game.check(state, seat, one.prompt.id, one.move, self.at)

    def make(self, state: Any, seat: Seat, one: Try) -> Step[Any]:
        return self.game.apply(state, seat, one.prompt.id, one.move, self.at, Dice(self.case.seed, 99))

    def _choices(self) -> None:
        """Choices are sound and complete against `check`; refusals are declared; samples are legal."""
        game, state = self.game, self.state
        for seat in self.seats:
            offered = game.choices(state, seat)
            opened = {prompt.id for prompt in open_prompts(self.prompts, seat)}
            require(set(offered) <= opened, f"choices: seat {seat} is offered a prompt not open to it")
            for one in self.tries(seat):
                verdict = self.refuse(state, seat, one)
                if verdict is not None and verdict is not NO_MOVE:
                    named = game.texts.refusals.get(verdict.code)
                    require(named is not None, f"texts: refusal {verdict.code} is not declared")
                    require(set(named or ()) == set(verdict.args), f"texts: arguments of {verdict.code}")
                    require(bool(verdict.rule), f"refusal {verdict.code} names no rule")
                if one.covered and verdict is not None:
                    raise Broken(f"choices: seat {seat} is offered {one}, which is refused: {verdict}")
                if not one.covered and verdict is None:
                    raise Broken(f"choices: seat {seat} is not offered {one}, which is not refused")
            found = game.sample(state, seat, self.dice)
            if found is None:
                require(not any(offered.values()), f"sample: seat {seat} has choices, but no sample")
                continue
            legal = found[0] in opened and game.check(state, seat, found[0], found[1], self.at) is None
            require(legal, f"sample: seat {seat} may not {found[1]} for {found[0]}")

    def _expires(self) -> None:
        """Whatever window ends, at whatever time from now, the game goes on without it."""
        for window in self.game.windows(self.state):
            end = max(self.at, window.clock.end) if isinstance(window.clock, Running) else self.at
            step = self.game.expire(self.state, window.id, end, Dice(self.case.seed, 7))
            left = {one.id for one in self.game.windows(step.state)}
            require(window.id not in left, f"expire: {window.id} is still there")

    def _extends(self) -> None:
        """What `extension` gives is legal, and lengthens the window; what it refuses stays refused."""
        windows = {window.id: window for window in self.game.windows(self.state)}
        prompts = {prompt.id: prompt for prompt in self.prompts}
        for window in windows.values():
            for seat in self.seats:
                move = self.game.extension(self.state, seat, window.id)
                if move is None:
                    continue
                require(window.extend is not None, f"extension: {window.id} names no prompt to extend by")
                prompt = prompts[window.extend] if window.extend is not None else self.prompts[0]
                require(seat in prompt.seats, f"extension: {prompt.id} is not open to seat {seat}")
                refused = self.game.check(self.state, seat, prompt.id, move, self.at)
                require(refused is None, f"extension: refused: {refused}")
                step = self.game.apply(self.state, seat, prompt.id, move, self.at, Dice(self.case.seed, 7))
                longer = {one.id: one for one in self.game.windows(step.state)}.get(window.id)
                require(longer is not None, f"extension: {window.id} is gone")
                if longer and isinstance(longer.clock, Running) and isinstance(window.clock, Running):
                    require(longer.clock.end > window.clock.end, f"extension: {window.id} is no longer")

    def _silence(self) -> None:
        """Silent moves are noticed by nobody else; and a line never tells more than the views around it."""
        game, state = self.game, self.state
        for seat in self.seats:
            told: dict[tuple[str, str], list[Step[Any]]] = defaultdict(list)
            for one in self.tries(seat):
                if not one.covered or len(told[one.prompt.id, one.tag]) >= 6:
                    continue
                step = self.make(state, seat, one)
                told[one.prompt.id, one.tag].append(step)
                silent = one.tag in game.silent and not self._closes(seat, one.prompt, step.state)
                for viewer in self.viewers:
                    if silent and viewer != seat:
                        same = everything(game, step.state, viewer) == everything(game, state, viewer)
                        require(same, f"silent: viewer {viewer} sees that seat {seat} did {one}")
                        heard = any(may_know(line.to, viewer) for line in step.lines)
                        require(not heard, f"silent: viewer {viewer} reads that seat {seat} did {one}")
                self._keeps(seat, step)
            for (_, tag), steps in told.items():
                for viewer in self.viewers:
                    if viewer != seat:
                        for step in steps[1:]:
                            self._same_lines(steps[0], step, viewer, f"seat {seat}: {tag}")

    def _closes(self, seat: Seat, prompt: Prompt, after: Any) -> bool:
        """Whether the seat gave the last answer that a prompt of several seats waited for."""
        if not self._ends(prompt, after):
            return False
        others = prompt.seats - {seat}
        return bool(others) and not any(self.game.choices(self.state, one).get(prompt.id) for one in others)

    def _closings(self) -> None:
        """Silent moves that end a wait tell that all have answered, never who was last: in every order of
        the answers, all viewers have the same in the end, and have read the same."""
        for prompt in self.prompts:
            answers = [one for seat in sorted(prompt.seats) if (one := self._silent_answer(seat, prompt))]
            if len(answers) < 2 or not self._ends(prompt, self._answered(answers)[0]):
                continue
            ends = [self._answered(order) for order in islice(permutations(answers), 24)]
            for viewer in self.viewers:
                seen = {everything(self.game, state, viewer) for state, _ in ends}
                read = {lines_to(lines, viewer) for _, lines in ends}
                require(
                    len(seen) == len(read) == 1, f"silent: viewer {viewer} sees who answered {prompt.id} last"
                )

    def _silent_answer(self, seat: Seat, prompt: Prompt) -> tuple[Seat, Try] | None:
        tries = (one for one in self.tries(seat) if one.covered and one.prompt.id == prompt.id)
        return next(((seat, one) for one in tries if one.tag in self.game.silent), None)

    def _answered(self, answers: Iterable[tuple[Seat, Try]]) -> tuple[Any, list[LogLine]]:
        """The state after these answers, as far as they are still asked for, and the lines of all of them."""
        state, lines = self.state, list[LogLine]()
        for seat, one in answers:
            if not self._ends(one.prompt, state):
                step = self.make(state, seat, one)
                state, lines = step.state, [*lines, *step.lines]
        return state, lines

    def _ends(self, prompt: Prompt, state: Any) -> bool:
        """Whether this prompt is no longer open in the state."""
        prompts = self.game.prompts(state)
        return isinstance(prompts, Outcome) or all(one.id != prompt.id for one in prompts)

    def _keeps(self, seat: Seat, step: Step[Any]) -> None:
        """While prompts and windows stay, so do rights to talk and note; and a step touches what it says."""
        game, state, after = self.game, self.state, step.state
        if (game.prompts(after), game.windows(after)) != (game.prompts(state), game.windows(state)):
            require(
                step.affected_seats is None,
                f"affected_seats: seat {seat} changed prompts or windows, which is everybody's",
            )
            return
        for viewer in self.viewers:
            kept = game.talk_policy(after, viewer) == game.talk_policy(state, viewer)
            require(
                kept, f"talk_policy: those of viewer {viewer} change though neither prompts nor windows do"
            )
        if step.affected_seats is None:
            return
        for other in self.seats:
            if other not in step.affected_seats:
                then, now = ((game.private(s, other), game.choices(s, other)) for s in (state, after))
                require(
                    _ENCODER.encode(then) == _ENCODER.encode(now),
                    f"affected_seats: {other} is not named, though {seat} changed what it sees or may do",
                )

    def _same_lines(self, one: Step[Any], other: Step[Any], viewer: Seat | None, what: str) -> None:
        """Two steps that leave a viewer the same view must have told it the same."""
        if lines_to(one.lines, viewer) == lines_to(other.lines, viewer):
            return
        alike = everything(self.game, one.state, viewer) == everything(self.game, other.state, viewer)
        require(not alike, f"G4: a line tells viewer {viewer} what its view does not ({what})")

    def _blind(self, viewer: Seat | None, hidden: Hidden) -> None:
        """A state this viewer cannot tell from this one gives it byte-identical everything (G4)."""
        game, state = self.game, self.state
        other = game.resample(state, viewer, self.dice)
        hidden.compare(self, viewer, other)
        same = everything(game, state, viewer) == everything(game, other, viewer)
        require(same, f"G4: viewer {viewer} sees what is hidden from it")
        if viewer is not None:
            for one in self.tries(viewer):
                verdict = self.refuse(state, viewer, one)
                told = f"G4: a refusal tells viewer {viewer} what is hidden from it ({one})"
                require(verdict == self.refuse(other, viewer, one), told)
                if one.covered:
                    self._previews(viewer, other, one)
        for window in game.windows(state):
            end = max(self.at, window.clock.end) if isinstance(window.clock, Running) else self.at
            this, that = (game.expire(s, window.id, end, Dice(self.case.seed, 7)) for s in (state, other))
            self._same_lines(this, that, viewer, f"expiry of {window.id}")
        for seat in self.seats:
            legal = (one for one in self.tries(seat) if one.covered and not self.refuse(other, seat, one))
            for one in islice(legal, self.dice.below("legal", 8), None, 8):
                this, that = (self.make(s, seat, one) for s in (state, other))
                self._same_lines(this, that, viewer, f"seat {seat}: {one}")

    def _previews(self, seat: Seat, other: Any, one: Try) -> None:
        this, that = (self.game.preview(s, seat, one.move) for s in (self.state, other))
        same = _ENCODER.encode(this) == _ENCODER.encode(that)
        require(same, f"G4: a preview tells seat {seat} what is hidden from it ({one})")


class Hidden:
    """Whether `resample` draws anew all that can vary, and nothing its viewer knows."""

    def __init__(self, game: AnyGame) -> None:
        self._fields = visibility.fields(game.State)
        self._values: defaultdict[tuple[Any, ...], set[bytes]] = defaultdict(set)
        self._varied: set[tuple[Any, ...]] = set()

    def _leaves(
        self, inspection: Inspection, state: Any, viewer: Seat | None
    ) -> Iterator[tuple[tuple[Any, ...], bytes]]:
        """What is hidden from the viewer, each entry by itself, with the situation it was found in."""
        kinds = frozenset(prompt.kind for prompt in inspection.prompts)
        for field in self._fields:
            value = field.of(state)
            if field.seen == "hidden":
                yield (field.name, None, inspection.case.seats, kinds), _PLAIN.encode(value)
            elif field.seen == "owner":
                for seat, entry in enumerate(value or ()):
                    if seat != viewer:
                        yield (field.name, seat, inspection.case.seats, kinds), _PLAIN.encode(entry)

    def note(self, inspection: Inspection) -> None:
        for key, value in self._leaves(inspection, inspection.state, None):
            self._values[key].add(value)

    def compare(self, inspection: Inspection, viewer: Seat | None, other: Any) -> None:
        """Note what was drawn anew. Raises Broken where something known to the viewer was."""
        hidden = dict(self._leaves(inspection, other, viewer))
        for key, value in self._leaves(inspection, inspection.state, viewer):
            if hidden[key] != value:
                self._varied.add(key)
        for field in self._fields:
            before, after = field.of(inspection.state), field.of(other)
            if field.seen == "public":
                require(before == after, f"resample: {field.name} is public, but was drawn anew")
            elif field.seen == "owner" and viewer is not None and before:
                require(before[viewer] == after[viewer], f"resample: {field.name} is known to seat {viewer}")

    def check(self) -> None:
        for key, values in self._values.items():
            name, seat, seats, kinds = key
            where = f"{name}, entry {seat}, {seats} seats, while asked for {sorted(kinds)}"
            require(len(values) < 2 or key in self._varied, f"resample: never draws anew {where}")
