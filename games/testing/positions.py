"""The checks on a single position: consistency, declared types, legality, and secrecy for every viewer (G4).

`games.testing.conformance` runs them over many positions; `Hidden` performs the checks that need many
positions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import islice, permutations
from typing import Any, Final, NamedTuple

import msgspec

from games.api import Advice, LogLine, Outcome, Prompt, Refusal, Running, Seat, Step, open_prompts
from games.dice import Dice
from games.kit import choices as kit_choices
from games.kit import time_control
from games.kit.moves import kinds_of
from games.testing import visibility
from games.testing.random_play import AnyGame, Position, Style, may_know, observation

MAX_BYTES: Final = 14_336
"""The maximum size of one audience's view, without the hub's sections (G8.8)."""

_ENCODER: Final = msgspec.msgpack.Encoder(order="deterministic")
_PLAIN: Final = msgspec.msgpack.Encoder()


class Broken(AssertionError):
    """The game breaks the contract."""


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
    return kinds_of(game.Move)


@cache
def _kinds(game: type[AnyGame]) -> tuple[Mapping[str, type[msgspec.Struct]], Mapping[str, list[str]]]:
    """The structs of a game's moves and the wire names of their fields, both by tag."""
    kinds = moves_of(game)
    return kinds, {
        tag: [field.encode_name for field in msgspec.structs.fields(kind)] for tag, kind in kinds.items()
    }


# --- everything a viewer sees ---


def encode_everything(game: AnyGame, state: Any, viewer: Seat | None) -> bytes:
    """Everything a viewer sees, encoded: sections, prompts or outcome, windows, choices, talk policy."""
    prompts = game.prompts(state)
    sections = dict(game.public(state))
    if viewer is not None:
        sections.update(game.private(state, viewer))
    visible_prompts: Any = (
        prompts
        if isinstance(prompts, Outcome)
        else [prompt for prompt in prompts if may_know(prompt.to, viewer)]
    )
    windows = [window for window in game.windows(state) if may_know(window.to, viewer)]
    choices = None if viewer is None else game.choices(state, viewer)
    return _ENCODER.encode((sections, visible_prompts, windows, choices, game.talk_policy(state, viewer)))


def lines_to(lines: Iterable[LogLine], viewer: Seat | None) -> bytes:
    """The log lines that a viewer may read, encoded."""
    return _ENCODER.encode([(line.key, line.args) for line in lines if may_know(line.to, viewer)])


class Try(NamedTuple):
    """A move to try for a prompt: `raw` as a client sends it, `move` decoded (None if it is not a move)."""

    prompt: Prompt
    raw: kit_choices.RawMove
    move: Any
    covered: bool
    """Whether the seat's choices include it."""

    @property
    def tag(self) -> str:
        return str(self.raw["move"])

    def __str__(self) -> str:
        return f"{dict(self.raw)} for {self.prompt.id}"


NO_MOVE: Final = Refusal("NO_MOVE", "-")


class Inspection:
    """The checks of one position; each raises Broken."""

    def __init__(self, game: AnyGame, case: Case, position: Position) -> None:
        self.game, self.case, self.position = game, case, position
        self.state, self.at = position.state, position.event.at
        self.seats = [Seat(seat) for seat in range(case.seats)]
        self.viewers: list[Seat | None] = [None, *self.seats]
        self.dice = Dice(case.seed + b" look", position.counter * 1_000_003)
        self.kinds, self.fields = _kinds(type(game))
        self._tries: dict[Seat, list[Try]] = {}
        self._refusals: dict[Seat, list[Refusal | None]] = {}
        self._views: dict[Seat | None, bytes] = {}
        prompts = game.prompts(self.state)
        self.prompts: tuple[Prompt, ...] = () if isinstance(prompts, Outcome) else prompts

    # quick checks

    def check_quickly(self) -> None:
        """Runs the quick checks, at every position."""
        self._check_prompts_and_windows()
        self._check_sections()
        self._check_texts()
        self._check_storage()

    def _check_prompts_and_windows(self) -> None:
        game, state = self.game, self.state
        prompts, windows = game.prompts(state), game.windows(state)
        ids = [window.id for window in windows]
        require(len(set(ids)) == len(ids), "windows: duplicate id")
        if isinstance(prompts, Outcome):
            require(not windows, "outcome: a window is still open")
            require(not any(game.choices(state, seat) for seat in self.seats), "outcome: moves are offered")
            require(len(prompts.scores) == len(self.seats), "outcome: not one score per seat")
            require(set(prompts.winners) <= set(self.seats) and prompts.over >= 1, "outcome: winners")
            return
        running = any(isinstance(window.clock, Running) for window in windows)
        require(
            running or any(prompt.seats for prompt in prompts), "no seat may act and no window is running"
        )
        prompt_ids = [prompt.id for prompt in prompts]
        require(len(set(prompt_ids)) == len(prompt_ids), "prompts: duplicate id")
        for prompt in prompts:
            require(
                prompt.window is None or prompt.window in ids, f"prompts: {prompt.id} names no open window"
            )
            require(prompt.seats <= set(self.seats), f"prompts: {prompt.id} is open to an unknown seat")
            asked = prompt.kind not in time_control.PROMPTS and prompt.seats & game.out_seats(state)
            require(not asked, f"out_seats: {prompt.id} is open to a seat that is out")
            require(
                prompt.to is None or prompt.seats <= prompt.to,
                f"prompts: {prompt.id} is hidden from seats that may answer it",
            )
        for window in windows:
            require(
                window.extend is None or window.extend in prompt_ids,
                f"windows: {window.id} is extended by a prompt that is not open",
            )
            require(
                window.to is None or window.concerns <= window.to,
                f"windows: {window.id} is hidden from seats that it concerns",
            )
            late = isinstance(window.clock, Running) and window.clock.end < self.at
            require(not late, f"windows: {window.id} has already ended")

    def _check_sections(self) -> None:
        game, state = self.game, self.state
        peeks = {(window.id, name) for window in game.windows(state) for name in window.sections}
        public = game.public(state)
        for viewer in self.viewers:
            private = {} if viewer is None else game.private(state, viewer)
            require(not set(public) & set(private), "sections: a name is both public and private")
            require(game.private_sections >= set(private), "sections: `private_sections` lacks one")
            require(not game.private_sections & set(public), "sections: a public one in `private_sections`")
            for name, section in {**public, **private}.items():
                declared = type(section.data) is game.sections.get(name)
                require(declared, f"sections: {name} is not of the declared type")
                bound = section.peek is None or (section.peek, name) in peeks
                require(bound, f"sections: no window {section.peek} shows {name}")
            size = len(encode_everything(game, state, viewer))
            require(size <= MAX_BYTES, f"view of {viewer}: {size} bytes")

    def _check_texts(self) -> None:
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
        tags = {choice.move for choices in offered for entries in choices.values() for choice in entries}
        require(tags <= set(self.kinds), "choices: an unknown move")
        kinds = {window.kind for window in game.windows(self.state)}
        require(kinds <= texts.windows, "texts: a kind of window is not declared")

    def _check_storage(self) -> None:
        game, state = self.game, self.state
        packed = _PLAIN.encode(state)
        decoded = msgspec.msgpack.decode(packed, type=game.State)
        require(decoded == state and _PLAIN.encode(decoded) == packed, "state: does not survive storage")
        stored = msgspec.msgpack.decode(packed)
        require(
            game.upgrade(game.version, stored) == state, "upgrade: changes a state of the current version"
        )

    # close inspection

    def check_closely(self, hidden: Hidden) -> None:
        """Runs the expensive checks, at a sample of positions."""
        packed = _PLAIN.encode(self.state)
        hidden.record(self)
        self._check_choices()
        self._check_coach()
        self._check_expiry()
        self._check_extensions()
        self._check_silence()
        self._check_last_answers()
        for viewer in self.viewers:
            for _ in range(4):
                self._check_secrecy(viewer, hidden)
        require(_PLAIN.encode(self.state) == packed, "state: was changed in place")

    def tries(self, seat: Seat) -> list[Try]:
        """Moves of all kinds, legal or not, for every prompt open to a seat."""
        if seat not in self._tries:
            self._tries[seat] = list(self._make_tries(seat))
        return self._tries[seat]

    def _make_tries(self, seat: Seat) -> Iterator[Try]:
        choices = self.game.choices(self.state, seat)
        for prompt in open_prompts(self.prompts, seat):
            entries = choices.get(prompt.id, ())
            for raw in kit_choices.attempts(self.fields, entries, len(self.seats), self.dice):
                try:  # converting to one kind of move is much faster than converting to the union
                    move = msgspec.convert(raw, self.kinds[str(raw["move"])])
                except msgspec.ValidationError:
                    move = None
                yield Try(prompt, raw, move, kit_choices.allows(entries, raw, len(self.seats)))

    def refuse(self, state: Any, seat: Seat, attempt: Try) -> Refusal | None:
        """The refusal of a move in a state, or None; NO_MOVE if it is not a move."""
        if attempt.move is None:
            return NO_MOVE
        return self.game.check(state, seat, attempt.prompt.id, attempt.move, self.at)

    def _list_refusals(self, seat: Seat) -> list[Refusal | None]:
        """The refusals of a seat's tries in this position, which is compared with several others."""
        if seat not in self._refusals:
            self._refusals[seat] = [self.refuse(self.state, seat, attempt) for attempt in self.tries(seat)]
        return self._refusals[seat]

    def _encode_view(self, viewer: Seat | None) -> bytes:
        """What a viewer sees in this position, encoded."""
        if viewer not in self._views:
            self._views[viewer] = encode_everything(self.game, self.state, viewer)
        return self._views[viewer]

    def make(self, state: Any, seat: Seat, attempt: Try) -> Step[Any]:
        """Makes a legal move in a state."""
        return self.game.apply(
            state, seat, attempt.prompt.id, attempt.move, self.at, Dice(self.case.seed, 99)
        )

    def _check_choices(self) -> None:
        """Checks that choices agree with `check` both ways, refusals are declared and samples are legal."""
        game, state = self.game, self.state
        for seat in self.seats:
            offered = game.choices(state, seat)
            open_ids = {prompt.id for prompt in open_prompts(self.prompts, seat)}
            require(set(offered) <= open_ids, f"choices: seat {seat} is offered a prompt not open to it")
            for attempt in self.tries(seat):
                refusal = self.refuse(state, seat, attempt)
                if refusal is not None and refusal is not NO_MOVE:
                    arguments = game.texts.refusals.get(refusal.code)
                    require(arguments is not None, f"texts: refusal {refusal.code} is not declared")
                    require(set(arguments or ()) == set(refusal.args), f"texts: arguments of {refusal.code}")
                    require(bool(refusal.rule), f"refusal {refusal.code} names no rule")
                if attempt.covered and refusal is not None:
                    raise Broken(f"choices: seat {seat} is offered {attempt}, which is refused: {refusal}")
                if not attempt.covered and refusal is None:
                    raise Broken(f"choices: seat {seat} is not offered {attempt}, which is not refused")
            sample = game.sample(state, seat, self.dice)
            if sample is None:
                require(not any(offered.values()), f"sample: seat {seat} has choices, but no sample")
                continue
            prompt_id, move = sample
            legal = prompt_id in open_ids and game.check(state, seat, prompt_id, move, self.at) is None
            require(legal, f"sample: seat {seat} may not {move} for {prompt_id}")

    def _check_coach(self) -> None:
        """Checks that advice is declared, and follows from what its seat sees (G4)."""
        for seat in self.seats:
            for prompt in open_prompts(self.prompts, seat):
                advice = self._advise(self.state, seat, prompt)
                if advice is None:
                    continue
                names = self.game.texts.coach.get(advice.key)
                require(names is not None, f"texts: advice {advice.key} is not declared")
                require(set(names or ()) == set(advice.args), f"texts: arguments of advice {advice.key}")

    def _advise(self, state: Any, seat: Seat, prompt: Prompt) -> Advice | None:
        return self.game.coach(observation(self.game, state, seat, self.case.seats), prompt)

    def _check_expiry(self) -> None:
        """Checks that a window is gone once it has ended; a held window may be ended at any time."""
        for window in self.game.windows(self.state):
            end = max(self.at, window.clock.end) if isinstance(window.clock, Running) else self.at
            step = self.game.expire(self.state, window.id, end, Dice(self.case.seed, 7))
            open_ids = {remaining.id for remaining in self.game.windows(step.state)}
            require(window.id not in open_ids, f"expire: {window.id} is still open")

    def _check_extensions(self) -> None:
        """Checks that the move returned by `extension` is legal and lengthens the window."""
        windows = {window.id: window for window in self.game.windows(self.state)}
        prompts = {prompt.id: prompt for prompt in self.prompts}
        for window in windows.values():
            for seat in self.seats:
                move = self.game.extension(self.state, seat, window.id)
                if move is None:
                    continue
                require(window.extend is not None, f"extension: {window.id} names no prompt")
                prompt = prompts[window.extend] if window.extend is not None else self.prompts[0]
                require(seat in prompt.seats, f"extension: {prompt.id} is not open to seat {seat}")
                refusal = self.game.check(self.state, seat, prompt.id, move, self.at)
                require(refusal is None, f"extension: refused: {refusal}")
                step = self.game.apply(self.state, seat, prompt.id, move, self.at, Dice(self.case.seed, 7))
                after = {window.id: window for window in self.game.windows(step.state)}.get(window.id)
                require(after is not None, f"extension: {window.id} is gone")
                if after and isinstance(after.clock, Running) and isinstance(window.clock, Running):
                    require(after.clock.end > window.clock.end, f"extension: {window.id} does not end later")

    def _check_silence(self) -> None:
        """Checks that others do not notice silent moves, and that log lines reveal no more than the views."""
        game, state = self.game, self.state
        for seat in self.seats:
            steps_by_kind: dict[tuple[str, str], list[Step[Any]]] = defaultdict(list)
            for attempt in self.tries(seat):
                if not attempt.covered or len(steps_by_kind[attempt.prompt.id, attempt.tag]) >= 6:
                    continue
                step = self.make(state, seat, attempt)
                steps_by_kind[attempt.prompt.id, attempt.tag].append(step)
                silent = attempt.tag in game.silent and not self._is_last_answer(
                    seat, attempt.prompt, step.state
                )
                for viewer in self.viewers:
                    if silent and viewer != seat:
                        equal = encode_everything(game, step.state, viewer) == encode_everything(
                            game, state, viewer
                        )
                        require(equal, f"silent: viewer {viewer} sees that seat {seat} did {attempt}")
                        logged = any(may_know(line.to, viewer) for line in step.lines)
                        require(not logged, f"silent: viewer {viewer} reads that seat {seat} did {attempt}")
                self._check_affected_seats(seat, step)
            for (_, tag), steps in steps_by_kind.items():
                for viewer in self.viewers:
                    if viewer != seat:
                        for step in steps[1:]:
                            self._compare_lines(steps[0], step, viewer, f"seat {seat}: {tag}")

    def _is_last_answer(self, seat: Seat, prompt: Prompt, after: Any) -> bool:
        """Returns whether the seat gave the last answer that a prompt for several seats was waiting for."""
        if not self._is_closed(prompt, after):
            return False
        opponents = prompt.seats - {seat}
        return bool(opponents) and not any(
            self.game.choices(self.state, opponent).get(prompt.id) for opponent in opponents
        )

    def _check_last_answers(self) -> None:
        """Checks that silent answers that close a prompt never reveal who was last.

        Whatever the order of the answers, every viewer must end up with the same view and the same lines.
        """
        for prompt in self.prompts:
            answers = [
                answer for seat in sorted(prompt.seats) if (answer := self._find_silent_answer(seat, prompt))
            ]
            if len(answers) < 2 or not self._is_closed(prompt, self._answer(answers)[0]):
                continue
            ends = [self._answer(order) for order in islice(permutations(answers), 24)]
            for viewer in self.viewers:
                views = {encode_everything(self.game, state, viewer) for state, _ in ends}
                logs = {lines_to(lines, viewer) for _, lines in ends}
                require(
                    len(views) == len(logs) == 1,
                    f"silent: viewer {viewer} sees who answered {prompt.id} last",
                )

    def _find_silent_answer(self, seat: Seat, prompt: Prompt) -> tuple[Seat, Try] | None:
        for attempt in self.tries(seat):
            if attempt.covered and attempt.prompt.id == prompt.id and attempt.tag in self.game.silent:
                return seat, attempt
        return None

    def _answer(self, answers: Iterable[tuple[Seat, Try]]) -> tuple[Any, list[LogLine]]:
        """Gives the answers whose prompts are still open; returns the state and all log lines."""
        state, lines = self.state, list[LogLine]()
        for seat, attempt in answers:
            if not self._is_closed(attempt.prompt, state):
                step = self.make(state, seat, attempt)
                state, lines = step.state, [*lines, *step.lines]
        return state, lines

    def _is_closed(self, prompt: Prompt, state: Any) -> bool:
        """Returns whether the prompt is not open in the state."""
        prompts = self.game.prompts(state)
        return isinstance(prompts, Outcome) or all(candidate.id != prompt.id for candidate in prompts)

    def _check_affected_seats(self, seat: Seat, step: Step[Any]) -> None:
        """Checks that only the seats a step names change, and talk policies only with prompts or windows."""
        game, state, after = self.game, self.state, step.state
        if (game.prompts(after), game.windows(after)) != (game.prompts(state), game.windows(state)):
            require(
                step.affected_seats is None,
                f"affected_seats: seat {seat} changed prompts or windows, which affects all seats",
            )
            return
        for viewer in self.viewers:
            require(
                game.talk_policy(after, viewer) == game.talk_policy(state, viewer),
                f"talk_policy: viewer {viewer}'s changes though neither prompts nor windows do",
            )
        if step.affected_seats is None:
            return
        for bystander in self.seats:
            if bystander not in step.affected_seats:
                old, new = ((game.private(s, bystander), game.choices(s, bystander)) for s in (state, after))
                require(
                    _ENCODER.encode(old) == _ENCODER.encode(new),
                    f"affected_seats: {bystander} is not named, though {seat} changed what it sees or may do",
                )

    def _compare_lines(self, a: Step[Any], b: Step[Any], viewer: Seat | None, source: str) -> None:
        """Checks that two steps that lead to the same view for a viewer also give it the same log lines."""
        if lines_to(a.lines, viewer) == lines_to(b.lines, viewer):
            return
        equal = encode_everything(self.game, a.state, viewer) == encode_everything(self.game, b.state, viewer)
        require(not equal, f"G4: a line shows viewer {viewer} what its view does not ({source})")

    def _check_secrecy(self, viewer: Seat | None, hidden: Hidden) -> None:
        """Checks that a resampled state looks (byte for byte) and behaves the same to the viewer (G4)."""
        game, state = self.game, self.state
        resampled = game.resample(state, viewer, self.dice)
        hidden.compare(self, viewer, resampled)
        equal = self._encode_view(viewer) == encode_everything(game, resampled, viewer)
        require(equal, f"G4: viewer {viewer} sees what is hidden from it")
        equal = game.out_seats(state) == game.out_seats(resampled)
        require(equal, f"G4: who is out shows viewer {viewer} what is hidden from it")
        if viewer is not None:
            for attempt, refusal in zip(self.tries(viewer), self._list_refusals(viewer), strict=True):
                if refusal != self.refuse(resampled, viewer, attempt):
                    raise Broken(f"G4: a refusal shows viewer {viewer} what is hidden from it ({attempt})")
                if attempt.covered:
                    self._check_preview(viewer, resampled, attempt)
            for prompt in open_prompts(self.prompts, viewer):
                first, second = (self._advise(s, viewer, prompt) for s in (state, resampled))
                equal = _ENCODER.encode(first) == _ENCODER.encode(second)
                require(equal, f"G4: advice shows seat {viewer} what is hidden from it ({prompt.id})")
        for window in game.windows(state):
            end = max(self.at, window.clock.end) if isinstance(window.clock, Running) else self.at
            a, b = (game.expire(s, window.id, end, Dice(self.case.seed, 7)) for s in (state, resampled))
            self._compare_lines(a, b, viewer, f"expiry of {window.id}")
        for seat in self.seats:
            legal = (
                attempt
                for attempt in self.tries(seat)
                if attempt.covered and not self.refuse(resampled, seat, attempt)
            )
            for attempt in islice(legal, self.dice.below("legal", 8), None, 8):
                a, b = (self.make(s, seat, attempt) for s in (state, resampled))
                self._compare_lines(a, b, viewer, f"seat {seat}: {attempt}")

    def _check_preview(self, seat: Seat, resampled: Any, attempt: Try) -> None:
        a, b = (self.game.preview(s, seat, attempt.move) for s in (self.state, resampled))
        if _ENCODER.encode(a) != _ENCODER.encode(b):
            raise Broken(f"G4: a preview shows seat {seat} what is hidden from it ({attempt})")


class Hidden:
    """A check that `resample` redraws everything that can vary and nothing that its viewer knows."""

    def __init__(self, game: AnyGame) -> None:
        self._fields = visibility.fields(game.State)
        self._values: defaultdict[tuple[Any, ...], set[bytes]] = defaultdict(set)
        self._varied: set[tuple[Any, ...]] = set()

    def _leaves(
        self, inspection: Inspection, state: Any, viewer: Seat | None
    ) -> Iterator[tuple[tuple[Any, ...], bytes]]:
        """The values hidden from the viewer, each with a key: field, entry, seats, kinds of open prompts."""
        kinds = frozenset(prompt.kind for prompt in inspection.prompts)
        for field in self._fields:
            value = field.read(state)
            if field.visibility == "hidden":
                yield (field.name, None, inspection.case.seats, kinds), _PLAIN.encode(value)
            elif field.visibility == "owner":
                for seat, entry in enumerate(value or ()):
                    if seat != viewer:
                        yield (field.name, seat, inspection.case.seats, kinds), _PLAIN.encode(entry)

    def record(self, inspection: Inspection) -> None:
        """Records the hidden values in a position."""
        for key, value in self._leaves(inspection, inspection.state, None):
            self._values[key].add(value)

    def compare(self, inspection: Inspection, viewer: Seat | None, resampled: Any) -> None:
        """Records which values were redrawn. Raises Broken if the viewer knows any of them."""
        hidden = dict(self._leaves(inspection, resampled, viewer))
        for key, value in self._leaves(inspection, inspection.state, viewer):
            if hidden[key] != value:
                self._varied.add(key)
        for field in self._fields:
            before, after = field.read(inspection.state), field.read(resampled)
            if field.visibility == "public":
                require(before == after, f"resample: {field.name} is public, but was redrawn")
            elif field.visibility == "owner" and viewer is not None and before:
                require(before[viewer] == after[viewer], f"resample: {field.name} is known to seat {viewer}")

    def check(self) -> None:
        """Raises Broken if values that differ between positions were never redrawn."""
        for key, values in self._values.items():
            name, seat, seats, kinds = key
            situation = f"entry {seat}, {seats} seats, prompts {sorted(kinds)}"
            require(len(values) < 2 or key in self._varied, f"resample: never redraws {name}, {situation}")
