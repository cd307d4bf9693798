"""Random promises in random games, to compare a game's judge with a second one (R30).

The second judge is slow and simple: it sees everything that everybody saw, from the promise to the end of the
game, and decides once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from games.api import (
    Choice,
    Judgement,
    LogLine,
    Millis,
    NewPromise,
    Outcome,
    Promise,
    PromiseRules,
    PublicView,
    Seat,
    Step,
    Struct,
)
from games.dice import Dice
from games.kit import choices as kit_choices
from games.kit.promises import CONTRADICTION, TO, judge, list_open, refuse, view_private, view_public
from games.testing import random_play
from games.testing.conformance import list_cases
from games.testing.positions import Broken, Case, require
from games.testing.random_play import AnyGame

PROMISING: Final = 25
"""How many events out of 100 are followed by an attempt to promise something."""


class Moment(Struct, frozen=True):
    """What everybody sees after an event of a game, and the log lines for everybody about it."""

    view: PublicView
    lines: tuple[LogLine, ...]


ReferenceJudge: TypeAlias = Callable[[Promise, Sequence[Moment]], Judgement]
"""Decides on a promise from all moments since it was made, the first of which is the one it was made in. The
last one is the end of the game."""

Exclusion: TypeAlias = Callable[[Promise, Promise, Moment], bool]
"""Whether two promises of one seat cannot both be kept, whatever happens after this moment."""


def make_random_promise(
    rules: PromiseRules, view: PublicView, seats: int, entry: int, fate: Dice
) -> Promise | None:
    """A random promise that a random seat may make; None if that seat may promise nothing."""
    by = Seat(fate.below("by", seats))
    offered = rules.choices(view, by)
    if not offered:
        return None
    choice = offered[fate.below("kind", len(offered))]
    terms = _draw_terms(choice, seats, fate)
    others = [Seat(seat) for seat in range(seats) if seat != by]
    some = fate.shuffle("to", others)[: fate.below("count", len(others) + 1)]
    to = (Seat(int(terms.pop(TO))),) if TO in choice.fields else tuple(sorted(some))
    private = bool(to) and not fate.below("private", 2)
    new = NewPromise(choice.move, terms, to, private, told=not fate.below("told", 2))
    return new.promise(f"promise {entry}", by, Millis(entry), entry)


def _draw_terms(choice: Choice, seats: int, fate: Dice) -> dict[str, int | str]:
    terms: dict[str, int | str] = {}
    for name, domain in choice.fields.items():
        value = kit_choices.sample_value(domain, seats, fate)
        require(isinstance(value, int | str), f"promises: the term {name} is not a number or a name")
        assert isinstance(value, int | str)
        terms[name] = value
    return terms


def check_promises(
    game: AnyGame,
    reference: ReferenceJudge,
    games: int,
    limit: int = 3_000,
    *,
    exclusion: Exclusion | None = None,
) -> dict[str, int]:
    """Plays random games with random promises, and compares the judgements with those of a second judge.

    With an `exclusion`, the game must refuse exactly those promises that cannot be kept beside an open one.

    Returns how often each kind had each judgement, as `<kind> <judgement>`, and how often a promise of that
    kind was refused because it contradicted another one, as `<kind> contradiction`: a test should expect
    some. Raises Broken for a disagreement or a promise that cannot be made, judged or told.
    """
    rules = game.promises
    require(rules is not None, f"{game.key} has no promises")
    assert rules is not None
    _check_texts(game, rules)
    counts: dict[str, int] = {}
    for case in list_cases(game, games):
        try:
            for name in _play(game, rules, reference, case, limit, exclusion):
                counts[name] = counts.get(name, 0) + 1
        except Exception as fault:
            raise Broken(f"{game.key}: {type(fault).__name__}: {fault} ({case})") from fault
    return counts


def _check_texts(game: AnyGame, rules: PromiseRules) -> None:
    require(set(rules.kinds) == set(game.texts.promises), "promises: a kind without a text, or the reverse")


def _play(
    game: AnyGame,
    rules: PromiseRules,
    reference: ReferenceJudge,
    case: Case,
    limit: int,
    exclusion: Exclusion | None,
) -> Iterator[str]:
    """What became of each promise, as in `check_promises`."""
    options = msgspec.convert(case.options, game.Options)
    fate = Dice(case.seed + b" promises")
    promises: tuple[Promise, ...] = ()
    contradicting_pairs: list[tuple[Promise, Promise]] = []
    moments: list[Moment] = []
    before: Any = None
    for entry, position in enumerate(
        random_play.play(game, case.seats, options, case.seed, case.style, limit)
    ):
        over = isinstance(game.prompts(position.state), Outcome)
        if before is not None:
            step = Step(position.state, position.lines)
            promises, _ = judge(game, promises, before, step, over=over)
        before = position.state
        view = view_public(game, position.state)
        moments.append(Moment(view, tuple(line for line in position.lines if line.to is None)))
        if not over and fate.below("promising", 100) < PROMISING:
            promise = make_random_promise(rules, view, case.seats, entry, fate)
            if promise is not None:
                _check_terms(game, promise)
                private = view_private(game, position.state, promise.by)
                refusal = refuse(rules, promises, view, promise, case.seats, private=private)
                if refusal is None:
                    _check_is_new(promises, promise)
                promise = rules.complete(promise, view)
                if exclusion is not None and (refusal is None or refusal.code == CONTRADICTION.code):
                    _compare_contradictions(rules, exclusion, promises, moments[-1], promise)
                if refusal is None:
                    promises = (*promises, promise)
                elif refusal.code == CONTRADICTION.code:
                    contradicting_pairs += _list_contradicted(rules, promises, view, promise)
                    yield f"{promise.kind} contradiction"
    is_over = isinstance(game.prompts(before), Outcome)
    if is_over:
        for pair in contradicting_pairs:
            is_kept = all(reference(promise, moments[promise.entry :]) == "kept" for promise in pair)
            require(not is_kept, f"promises: {pair} do not contradict one another")
    for promise in promises:
        if promise.judgement is None:  # the game was cut off at the limit
            continue
        expected = reference(promise, moments[promise.entry :])
        if promise.judgement != expected and is_over:
            raise Broken(f"{promise} should be {expected}")
        yield f"{promise.kind} {promise.judgement}"


def _list_contradicted(
    rules: PromiseRules, promises: Sequence[Promise], view: PublicView, promise: Promise
) -> Iterator[tuple[Promise, Promise]]:
    """A new promise with each open one that it contradicts."""
    for other in list_open(promises, promise.by):
        contradicts = rules.contradicts(promise, other, view)
        is_mutual = contradicts == rules.contradicts(other, promise, view)
        require(is_mutual, "promises: `contradicts` depends on the order")
        if contradicts:
            yield promise, other


def _compare_contradictions(
    rules: PromiseRules,
    exclusion: Exclusion,
    promises: Sequence[Promise],
    moment: Moment,
    promise: Promise,
) -> None:
    """Compares what a new promise contradicts with what cannot be kept beside it."""
    for other in list_open(promises, promise.by):
        excludes = exclusion(promise, other, moment)
        if rules.contradicts(promise, other, moment.view) != excludes:
            verb = "cannot" if excludes else "can"
            raise Broken(f"promises: {promise} and {other} {verb} both be kept")


def _check_is_new(promises: Sequence[Promise], promise: Promise) -> None:
    """R30: nobody to whom it is made has it already, in the terms that its seat gives."""
    for other in list_open(promises, promise.by):
        is_shared = not other.to or not promise.to or bool({*other.to} & {*promise.to})
        given = {name: other.terms.get(name) for name in promise.terms}
        is_same = (other.kind, given) == (promise.kind, dict(promise.terms))
        require(not (is_same and is_shared), f"promises: {promise} has been made as {other}")


def _check_terms(game: AnyGame, promise: Promise) -> None:
    known = set(game.texts.promises[promise.kind])
    require(
        set(promise.terms) <= known,
        f"promises: the text of {promise.kind} does not tell all of {promise.terms}",
    )
