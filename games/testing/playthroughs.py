"""Text playthroughs: a scripted game, with what every viewer sees after each move.

    python -m games.testing.playthroughs            # compares every playthrough with the current rules
    python -m games.testing.playthroughs --write    # rewrites them; read the diff before committing it

A file contains a script (lines that begin with `#` or `>`) and its output (all other lines). The first
command is `> game`. The output of a command lists the sections, prompts, windows, choices and talk policies
that changed: those that everybody may see, including spectators, under `all`, the others under their seat.

    > game seats=4 seed="one" options={"mode":"banbury"}    sets up the game; the first command
    > 2 bid:1 lock number=7                                 seat 2 answers prompt bid:1; fields are JSON
    > time 5000                                             five seconds pass
    > expire                                                time passes until the next window ends
    > extend 2                                              the same, but extends it for seat 2 (GEN-6)
    > bots hard normal easy easy                            bots play to the end; one level per seat
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from games import GAMES
from games.api import (
    Audience,
    Bot,
    Decision,
    LogLine,
    Millis,
    Outcome,
    Refusal,
    Registration,
    Seat,
    Step,
    TalkPolicy,
    open_prompts,
)
from games.dice import Dice
from games.kit.characters import cast_levels
from games.kit.moves import convert_move
from games.testing import random_play
from games.testing.random_play import AnyGame, may_know

COMMAND: Final = "python -m games.testing.playthroughs --write"
START: Final = Millis(0)

_JSON: Final = msgspec.json.Encoder(order="deterministic")


class Script(ValueError):
    """The script of a playthrough cannot be played."""


def _json(value: Any) -> str:
    return _JSON.encode(value).decode()


def _fields(words: Iterable[str]) -> dict[str, Any]:
    """`name=json` words as a mapping."""
    fields: dict[str, Any] = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not sign:
            raise Script(f"{word!r} is not name=value")
        fields[name] = msgspec.json.decode(value)
    return fields


class Playthrough:
    """The state of a script while it is being played."""

    def __init__(self, entry: Registration, setting: Mapping[str, Any]) -> None:
        self._game: AnyGame = entry.game
        self._bot: Bot[Any] = entry.bot
        self._seats = [Seat(seat) for seat in range(setting["seats"])]
        self._seed = str(setting["seed"]).encode()
        self._dice = Dice(self._seed)
        self._at = START
        self._last_views: dict[Seat | None, dict[str, str]] = {}
        """The texts last shown to each viewer, by name."""
        options = msgspec.convert(setting.get("options", {}), self._game.Options)
        refusal = self._game.refuse_options(len(self._seats), options)
        if refusal is not None:
            raise Script(f"refused: {refusal}")
        self._options = options
        self._state: Any = None

    def begin(self) -> Iterator[str]:
        yield f"  options {_json(self._options)}"
        yield from self._follow(self._game.setup(len(self._seats), self._options, self._at, self._dice))

    def run(self, words: list[str]) -> Iterator[str]:
        """Carries out one command and yields its output."""
        match words:
            case ["time", span]:
                self._at = Millis(self._at + int(span))
                due = random_play.first_due(self._game.windows(self._state))
                if due is not None and due[1] <= self._at:
                    raise Script(f"window {due[0].id} ends before then: use expire")
            case ["expire"]:
                yield from self._expire()
            case ["extend", seat]:
                yield from self._extend(Seat(int(seat)))
            case ["bots", *levels]:
                if len(levels) != len(self._seats):
                    raise Script(f"bots: {len(levels)} levels for {len(self._seats)} seats")
                for level in levels:
                    if level not in self._bot.levels:
                        raise Script(f"bots: no level {level!r} among {', '.join(self._bot.levels)}")
                yield from self._play_on(levels)
            case [seat, prompt, tag, *fields]:
                raw = {"move": tag, **_fields(fields)}
                yield from self._move(Seat(int(seat)), prompt, convert_move(raw, self._game.Move))
            case _:
                raise Script(f"unknown command: {' '.join(words)}")

    def _due(self) -> tuple[Any, Millis]:
        due = random_play.first_due(self._game.windows(self._state))
        if due is None:
            raise Script("no window is running")
        return due

    def _expire(self) -> Iterator[str]:
        window, self._at = self._due()
        yield f"  {window.id} ends"
        yield from self._follow(self._game.expire(self._state, window.id, self._at, self._dice))

    def _extend(self, seat: Seat) -> Iterator[str]:
        window, self._at = self._due()
        move = self._game.extension(self._state, seat, window.id)
        if move is None or window.extend is None:
            raise Script(f"seat {seat} cannot extend {window.id}")
        yield from self._move(seat, window.extend, move)

    def _move(self, seat: Seat, prompt: str, move: Any) -> Iterator[str]:
        open_ids = (candidate.id for candidate in open_prompts(self._game.prompts(self._state), seat))
        prompt_id = next((open_id for open_id in open_ids if open_id == prompt), None)
        if prompt_id is None:
            yield "  refused: STALE_PROMPT (GEN-4)"
            return
        refusal: Refusal | None = self._game.check(self._state, seat, prompt_id, move, self._at)
        if refusal is not None:
            yield f"  refused: {refusal.code} ({refusal.rule}) {_json(refusal.args)}"
            return
        yield from self._follow(self._game.apply(self._state, seat, prompt_id, move, self._at, self._dice))

    def _play_on(self, levels: list[str]) -> Iterator[str]:
        moment = 0
        characters = cast_levels(levels, self._seed)
        while not isinstance(self._game.prompts(self._state), Outcome):
            moment += 1
            for seat in self._seats:
                stream = Dice(b"%s bot %d %d" % (self._seed, seat, moment))
                observation = random_play.observation(self._game, self._state, seat, len(self._seats))
                decision: Decision[Any] | None = self._bot.decide(observation, characters[seat], stream)
                if decision is not None and decision.answer is not None:
                    prompt, move = decision.answer
                    remark = "" if decision.remark is None else f" and says {decision.remark.key}"
                    yield f"  seat {seat}: {prompt} {_json(move)}{remark}"
                    yield from self._move(seat, prompt, move)
                    break
            else:
                yield from self._expire()

    # output

    def _follow(self, step: Step[Any]) -> Iterator[str]:
        self._state = step.state
        yield f"  -- {self._at / 1000:g} s"
        for viewer in (None, *self._seats):
            heading = "all" if viewer is None else f"seat {viewer}"
            output = [*self._log(step.lines, viewer), *self._changes(viewer)]
            yield from (f"  {heading:7} {line}" for line in output)

    def _log(self, lines: Iterable[LogLine], viewer: Seat | None) -> Iterator[str]:
        """The log lines for a viewer; for a seat, only those that are not public."""
        for line in lines:
            if _belongs(line.to, viewer):
                yield f"log {line.key} {_json(line.args)}"

    def _changes(self, viewer: Seat | None) -> Iterator[str]:
        view = self._view(viewer)
        last_view, self._last_views[viewer] = self._last_views.get(viewer, {}), view
        for name in sorted({*view, *last_view}):
            text = view.get(name)
            if text is None:
                yield f"{name} is gone"
            elif last_view.get(name) != text:
                yield f"{name} {text}"

    def _view(self, viewer: Seat | None) -> dict[str, str]:
        """Everything a viewer sees, by name; for a seat, only what is not public."""
        game, state = self._game, self._state
        prompts = game.prompts(state)
        windows = game.windows(state)
        sections = game.public(state) if viewer is None else game.private(state, viewer)
        view = {
            name: _json(section.data) + ("" if section.peek is None else f" while {section.peek} runs")
            for name, section in sections.items()
        }
        if isinstance(prompts, Outcome):
            if viewer is None:
                view["outcome"] = _json(prompts)
        else:
            for prompt in prompts:
                if _belongs(prompt.to, viewer):
                    view[f"prompt {prompt.id}"] = f"({prompt.kind}) of {sorted(prompt.seats)}"
        for window in windows:
            if _belongs(window.to, viewer):
                extend = "" if window.extend is None else f" extended by {window.extend}"
                view[f"window {window.id}"] = f"({window.kind}) {_json(window.clock)}{extend}"
        if viewer is None:
            view["talk of watchers"] = _talk(game.talk_policy(state, None))
            return view
        view["talk"] = _talk(game.talk_policy(state, viewer))
        for prompt_id, choices in game.choices(state, viewer).items():
            texts = [f"{choice.move}{_json(choice.fields) if choice.fields else ''}" for choice in choices]
            view[f"may {prompt_id}"] = ", ".join(texts) or "nothing"
        return view


def _belongs(to: Audience, viewer: Seat | None) -> bool:
    """Returns whether output for this audience belongs under this viewer; public output only under `all`."""
    return may_know(to, viewer) and (viewer is None or to is not None)


def _talk(talk_policy: TalkPolicy) -> str:
    whispers = ", whispers" if talk_policy.whispers else ""
    notes = ", notes locked" if talk_policy.notes_locked else ""
    return f"{talk_policy.mode}, {len(talk_policy.phrases)} phrases{whispers}{notes}"


def render(entry: Registration, text: str, file: str | Path = "playthrough") -> str:
    """Plays the script in `text` and returns it with its output; output that is in `text` is ignored.

    Raises Script with the file and line of a command that cannot be played.
    """
    return "\n".join(render_lines(entry, text, file)) + "\n"


def render_lines(entry: Registration, text: str, file: str | Path = "playthrough") -> Iterator[str]:
    """Yields the lines of `render` while the game is played. Raises Script as `render` does."""
    playing: Playthrough | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            yield line
        elif line.startswith(">"):
            yield line
            try:
                playing, output = _run(entry, playing, line[1:].split())
                yield from output
            except (ValueError, KeyError, IndexError) as fault:
                raise Script(f"{file}:{number}: {fault}") from fault


def _run(
    entry: Registration, playing: Playthrough | None, words: list[str]
) -> tuple[Playthrough, Iterator[str]]:
    """Runs a command; returns the playthrough, created by `> game`, and the command's output."""
    if playing is not None:
        return playing, playing.run(words)
    if words[:1] != ["game"]:
        raise Script("the first command must be `> game`")
    playing = Playthrough(entry, _fields(words[1:]))
    return playing, playing.begin()


def files() -> Iterator[tuple[Registration, Path]]:
    """Every playthrough of every game in the registry."""
    for key, entry in GAMES.items():
        for path in sorted((Path(__file__).parent.parent / key / "playthroughs").glob("*.txt")):
            yield entry, path


def stale() -> list[Path]:
    """The files whose output differs from what the current rules produce."""
    return [path for entry, path in files() if path.read_text() != render(entry, path.read_text(), path)]


def main(arguments: list[str]) -> int:
    """Checks or rewrites the files. Returns 1 if any are stale and `--write` was not given."""
    stale_files = stale()
    for entry, path in files():
        if path in stale_files and "--write" in arguments:
            path.write_text(render(entry, path.read_text(), path))
    for path in stale_files:
        print(f"{'written' if '--write' in arguments else 'stale'}: {path}")
    if stale_files and "--write" not in arguments:
        print(f"To rewrite them: {COMMAND}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
