"""Promises between seats: made from parts, judged by what everybody sees, and binding nobody (R30).

A promise is open until the game's `PromiseRules` find that it was kept or broken, or that it has lapsed. They
see only what everybody sees, so neither a judgement nor its time tells anything else (G4). The hub keeps each
game's promises beside its state, since they change nothing in the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from hashlib import sha256
from itertools import product
from math import prod
from operator import contains, itemgetter
from typing import Any, Final, TypeVar

import msgspec
from msgspec.structs import replace

from games.api import (
    Audience,
    Choice,
    Domain,
    Game,
    Judgement,
    LogLine,
    Millis,
    NewPromise,
    OneOf,
    Promise,
    PromiseEvent,
    PromiseRules,
    PublicView,
    Range,
    Refusal,
    Seat,
    Spoken,
    Step,
)

RULING: Final = "R30"
MAX_OPEN: Final = 3
"""The number of promises that a seat may have open at a time."""
MAX_AT_TABLE: Final = 60
"""The number of promises at a table, which its seats share equally: views are bounded."""
CONTRADICTION: Final = Refusal("CONTRADICTION", RULING)
"""The seat has promised something else that it could not keep as well; it knows all its promises (G4)."""
MAX_COMBINATIONS: Final = 1_000
"""The most promises of a kind that are compared with the open ones to find which terms to offer."""
TO: Final = "to"
"""The field of a choice that says to which seats such a promise may be made."""
EMPTY: Final[PublicView] = {}


def max_made(seats: int) -> int:
    """The number of promises that a seat may make in a game with this number of seats."""
    return MAX_AT_TABLE // seats


def view_public(rules: Game[Any, Any, Any], state: Any) -> PublicView:
    """What everybody sees of a state, whatever windows are running."""
    return {name: section.data for name, section in rules.public(state).items() if section.peek is None}


def view_private(rules: Game[Any, Any, Any], state: Any, seat: Seat) -> PublicView:
    """What only a seat sees of a state."""
    return {name: section.data for name, section in rules.private(state, seat).items()}


_encode = msgspec.msgpack.Encoder(order="deterministic").encode
PART = TypeVar("PART", bound=msgspec.Struct)


def section(view: PublicView, name: str, kind: type[PART]) -> PART:
    """A section of what everybody sees. Raises KeyError if there is none, TypeError for another type."""
    data = view[name]
    if not isinstance(data, kind):
        raise TypeError(f"section {name} is not a {kind.__name__}")
    return data


def name_promise(promise: Promise, earlier: Iterable[Promise] = (), holders: int = 0) -> Promise:
    """A new promise with its id, which depends on nothing that is hidden from whoever sees it.

    `earlier`: promises that everybody who may see this one may see as well. `holders`: how often its seats
    have changed hands. Without these, one that was made twice at the same moment would have one id.
    """
    content = replace(promise, id="", entry=0)
    same = sum(_strip(other) == content for other in earlier)
    numbered = replace(content, entry=holders * (MAX_AT_TABLE + 1) + same)
    return replace(promise, id=sha256(_encode(numbered)).hexdigest()[:16])


def _strip(promise: Promise) -> Promise:
    """A promise as it was made, apart from its id and its place in the log."""
    return replace(
        promise,
        id="",
        entry=0,
        judgement=None,
        excused=False,
        cost=None,
        hindered=False,
        offers_by_substitute=(),
        tempted=False,
    )


def name_as_logged(
    promise: Promise, completed: Promise, earlier: Sequence[Promise], holders: int, lines: Iterable[LogLine]
) -> Promise:
    """A promise of which these log lines tell: completed if they name it so, otherwise as its seat made it.

    An id depends on the terms, so it tells whether the rules that were played then have added any.
    """
    named = name_promise(completed, earlier, holders)
    if any(line.args.get("promise") == named.id for line in lines):
        return named
    return name_promise(promise, earlier, holders)


def audience(promise: Promise) -> Audience:
    """Who may know of a promise while the game runs, unless a seat changes hands; None for everybody."""
    return frozenset((promise.by, *promise.to)) if promise.private else None


# --- making ---


def refuse(
    rules: PromiseRules,
    promises: Sequence[Promise],
    view: PublicView,
    promise: Promise,
    seats: int,
    *,
    private: PublicView = EMPTY,
    holder: int = 1,
    find_audience: Callable[[Promise], Audience] = audience,
) -> Refusal | None:
    """Why a seat may not make this promise, based on what that seat may see; None if it may.

    `promises` must have only those of the seat that its present holder has made: an answer that counted
    others would tell a latecomer of private ones. `holder` is 1 for the first to hold the seat in this game,
    2 for the next, and so on: later ones have a smaller share, so that all remain bounded. `private` are the
    seat's private sections, and `find_audience` says who may know of a promise by now.
    """
    to = promise.to
    if any(not 0 <= seat < seats or seat == promise.by for seat in to) or list(to) != sorted(set(to)):
        return Refusal("NO_SUCH_SEAT", RULING)
    if promise.private and not to:
        return Refusal("BAD_MOVE", RULING)
    if not any(_offers(choice, promise) for choice in rules.choices(view, promise.by)):
        return Refusal("NO_SUCH_PROMISE", RULING)
    earlier = [other for other in promises if other.by == promise.by]
    still_open = list_open(promises, promise.by)
    if any(_repeats(promise, other, find_audience(other)) for other in still_open):
        return Refusal("PROMISED_ALREADY", RULING)
    completed = rules.complete(promise, view)
    if any(rules.contradicts(completed, other, view) for other in still_open):
        return CONTRADICTION
    refusal = rules.refuse(promise, private)
    if refusal is not None:
        return refusal
    if len(still_open) >= MAX_OPEN:
        return Refusal("TOO_MANY_OPEN", RULING, {"most": MAX_OPEN})
    most = max(MAX_OPEN, max_made(seats) // holder)
    return Refusal("TOO_MANY_PROMISES", RULING, {"most": most}) if len(earlier) >= most else None


def list_open(promises: Sequence[Promise], seat: Seat) -> tuple[Promise, ...]:
    """The promises that a seat has made and that are not judged yet, the oldest first."""
    return tuple(promise for promise in promises if promise.by == seat and promise.judgement is None)


def has_room(promises: Sequence[Promise], seat: Seat, seats: int) -> bool:
    """Whether a seat has neither too many promises open nor made too many to make another."""
    count = sum(promise.by == seat for promise in promises)
    return len(list_open(promises, seat)) < MAX_OPEN and count < max_made(seats)


def may_add(
    rules: PromiseRules,
    promises: Sequence[Promise],
    view: PublicView,
    seat: Seat,
    new: NewPromise,
    seats: int,
) -> bool:
    """Whether a seat's other promises allow this one: there is room for it, none of the seats that it is made
    to has it already, and it contradicts none of them."""
    if not has_room(promises, seat, seats) or contradicts_own(rules, promises, view, seat, new):
        return False
    promise = new.promise("", seat, Millis(0), 0)
    return not any(_repeats(promise, other, audience(other)) for other in list_open(promises, seat))


def contradicts_own(
    rules: PromiseRules, promises: Sequence[Promise], view: PublicView, seat: Seat, new: NewPromise
) -> bool:
    """Whether a seat could not keep a new promise and one of its open ones, whoever they were made to.

    A bot's public promise must not be able to contradict its private one (G4): the hub drops what a bot says
    with a promise that it refuses.
    """
    promise = rules.complete(new.promise("", seat, Millis(0), 0), view)
    return any(rules.contradicts(promise, other, view) for other in list_open(promises, seat))


def list_makeable(
    rules: PromiseRules, promises: Sequence[Promise], view: PublicView, seat: Seat
) -> tuple[Choice, ...]:
    """What a seat may promise beside its open promises, without terms that always contradict one of them.

    Terms that contradict one only together with others stay, and so do all terms of a kind with more than
    `MAX_COMBINATIONS`. `promises` as in `refuse`.
    """
    choices = rules.choices(view, seat)
    if not list_open(promises, seat):
        return choices
    narrowed = (_narrow(rules, promises, view, seat, choice) for choice in choices)
    return tuple(choice for choice in narrowed if choice is not None)


def _narrow(
    rules: PromiseRules, promises: Sequence[Promise], view: PublicView, seat: Seat, choice: Choice
) -> Choice | None:
    """A choice with the values that some promise without contradiction has; None if none is left.

    A choice of more than `MAX_COMBINATIONS` stays whole.
    """
    values = [_list_values(domain) for domain in choice.fields.values()]
    if prod(map(len, values)) > MAX_COMBINATIONS:
        return choice
    kept: list[set[int | str]] = [set() for _ in values]
    for combination in product(*values):
        if all(map(contains, kept, combination)):
            continue  # it would add nothing
        terms = dict(zip(choice.fields, combination, strict=True))
        to = (Seat(int(terms.pop(TO))),) if TO in terms else ()
        if not contradicts_own(rules, promises, view, seat, NewPromise(choice.move, terms, to)):
            for kept_values, value in zip(kept, combination, strict=True):
                kept_values.add(value)
    if not all(kept):
        return None
    parts = zip(choice.fields.items(), kept, strict=True)
    fields = {name: _restrict_domain(domain, kept_values) for (name, domain), kept_values in parts}
    return replace(choice, fields=fields)


def _list_values(domain: Domain) -> Sequence[int | str]:
    match domain:
        case Range(least=least, most=most):
            return range(least, most + 1)
        case OneOf(of=of):
            return of
        case _:
            raise _unfit(domain)


def _restrict_domain(domain: Domain, kept: Set[int | str]) -> Domain:
    """A domain with these of its values, as a range if they are one."""
    match domain:
        case Range(least=least, most=most):
            numbers = tuple(number for number in range(least, most + 1) if number in kept)
            is_range = numbers[-1] - numbers[0] < len(numbers)
            return Range(numbers[0], numbers[-1]) if is_range else OneOf(numbers)
        case OneOf(of=of):
            if isinstance(of[0], int):  # the same for both types, which are checked apart
                return OneOf(tuple(value for value in of if value in kept))
            return OneOf(tuple(value for value in of if value in kept))
        case _:
            raise _unfit(domain)


def _repeats(new: Promise, other: Promise, known_to: Audience) -> bool:
    """Whether a new promise says what somebody to whom it is made has been promised already.

    Only the terms that its seat has given count, not those that `other` was completed with. Of a private one,
    only those seats have it that may still know of it.
    """
    if new.kind != other.kind or not new.terms.items() <= other.terms.items():
        return False
    if known_to is None:
        return not new.to or not other.to or not set(new.to).isdisjoint(other.to)
    readers = known_to & set(other.to)
    return bool(readers) if not new.to else not readers.isdisjoint(new.to)


def _offers(choice: Choice, promise: Promise) -> bool:
    """Whether a choice has this kind, these terms and these recipients."""
    if choice.move != promise.kind:
        return False
    given: dict[str, int | str] = dict(promise.terms)
    if TO in given or set(given) != choice.fields.keys() - {TO}:
        return False
    if TO in choice.fields:
        if len(promise.to) != 1:
            return False
        given[TO] = promise.to[0]
    return all(_holds(choice.fields[name], value) for name, value in given.items())


def _holds(domain: object, value: int | str) -> bool:
    if isinstance(value, bool):
        return False
    match domain:
        case Range(least=least, most=most):
            return isinstance(value, int) and least <= value <= most
        case OneOf(of=of):
            return value in of
        case _:
            raise _unfit(domain)


def _unfit(domain: object) -> ValueError:
    return ValueError(f"the terms of a promise are ranges or one of several, not {domain}")


def report_making(promise: Promise) -> LogLine:
    """The log line about a new promise; the client fills in its words."""
    return _report(promise, "made", audience(promise))


def hear(promises: Iterable[Promise], seat: Seat) -> tuple[Spoken, ...]:
    """What the bot in a seat that knows of these promises has heard: `promise.<kind>`.

    The arguments are the terms and, for a promise to one seat, `to`. A private promise is a whisper: to the
    bot's seat or, if it is the bot's own, to the first of its seats.
    """
    return tuple(
        Spoken(
            promise.by,
            _choose_listener(promise, seat),
            f"promise.{promise.kind}",
            promise.terms if len(promise.to) != 1 else {**promise.terms, TO: promise.to[0]},
            promise.at,
            promise.bot,
        )
        for promise in promises
    )


def _choose_listener(promise: Promise, seat: Seat) -> Seat | None:
    if not promise.private:
        return None
    return promise.to[0] if promise.by == seat else seat


def merge_heard(messages: tuple[Spoken, ...], promises: Sequence[Promise], seat: Seat) -> tuple[Spoken, ...]:
    """What the bot in a seat has heard, oldest first; without promises, the same messages.

    Table time stands still while bots think, so a promise may have the time of what it answers. At the same
    time it comes after what others have said and before what its own seat says about it. Whispers decide
    about the order of private promises alone.
    """
    if not promises:
        return messages
    first: dict[tuple[Seat, Millis, Seat | None], int] = {}
    for number, said in enumerate(messages):
        first.setdefault((said.seat, said.at, said.to), number)
    last = len(messages)
    keyed = [(said.at, number, 1, said) for number, said in enumerate(messages)]
    for promised in hear(promises, seat):
        places = (first.get((promised.seat, promised.at, to), last) for to in (None, promised.to))
        keyed.append((promised.at, min(places), 0, promised))
    return tuple(said for *_, said in sorted(keyed, key=itemgetter(0, 1, 2)))


# --- judging ---


LOGGED: Final[Mapping[str, Judgement]] = {
    "promise.kept": "kept",
    "promise.broken": "broken",
    "promise.broken_by_bot": "broken",
    "promise.lapsed": "lapsed",
}
"""The judgements that log lines tell."""


def _never(promise: Promise) -> bool:
    return False


def judge(
    rules: Game[Any, Any, Any],
    promises: tuple[Promise, ...],
    before: Any,
    step: Step[Any],
    *,
    over: bool,
    is_substituted: Callable[[Promise], bool] = _never,
    has_left: Callable[[Promise], bool] = _never,
    find_audience: Callable[[Promise], Audience] = audience,
    logged_lines: Sequence[LogLine] | None = None,
) -> tuple[tuple[Promise, ...], tuple[LogLine, ...]]:
    """The promises once a step has led on from the state `before`, and log lines about those it decided.

    `is_substituted`: whether a substitute plays in the place of the promise's maker; `has_left`: whether
    somebody else has taken its maker's seat. `find_audience`: who may read what became of it. `logged_lines`:
    in a replay, what was logged about the step; the judgements there count, which may be of older rules.
    Returns the same promises if none has changed.
    """
    judging = rules.promises
    if judging is None or all(promise.judgement is not None for promise in promises):
        return promises, ()
    seen_before, seen = view_public(rules, before), view_public(rules, step.state)
    lines = tuple(line for line in step.lines if line.to is None)
    event = PromiseEvent(seen_before, seen, lines, over)
    judged: list[Promise] = []
    reports: list[LogLine] = []
    for promise in promises:
        if promise.judgement is None:
            promise = _follow(judging, promise, event, is_substituted, has_left)
            if logged_lines is None:
                judgement = _decide(judging, promise, event)
            else:
                judgement = _read_judgement(promise, logged_lines)
            if judgement is not None:
                cost = _measure(judging, seen_before, seen) if judgement == "broken" else None
                promise = replace(promise, judgement=judgement, cost=cost)
                reports.append(_report(promise, judgement, find_audience(promise)))
        judged.append(promise)
    changed = any(a is not b for a, b in zip(promises, judged, strict=True))
    return (tuple(judged) if changed else promises), tuple(reports)


def _decide(rules: PromiseRules, promise: Promise, event: PromiseEvent) -> Judgement | None:
    judgement = rules.judge(promise, event) or ("lapsed" if event.over else None)
    return "lapsed" if judgement == "broken" and promise.hindered else judgement


def _read_judgement(promise: Promise, lines: Iterable[LogLine]) -> Judgement | None:
    """The judgement on a promise that log lines tell of; None if they tell of none."""
    about = (line.key for line in lines if line.args.get("promise") == promise.id)
    return next((LOGGED[key] for key in about if key in LOGGED), None)


def _follow(
    rules: PromiseRules,
    promise: Promise,
    event: PromiseEvent,
    is_substituted: Callable[[Promise], bool],
    has_left: Callable[[Promise], bool],
) -> Promise:
    """An open promise with who answers for it, and whether its seat was kept from it or could break it."""
    excused = promise.excused
    if has_left(promise):
        excused = True
    elif rules.acts(promise, event):
        excused = is_substituted(promise)
    hindered = promise.hindered or rules.hinders(promise, event)
    tempted = promise.tempted or rules.tempts(promise, event)
    if (excused, hindered, tempted) == (promise.excused, promise.hindered, promise.tempted):
        return promise
    return replace(promise, excused=excused, hindered=hindered, tempted=tempted)


def _measure(rules: PromiseRules, before: PublicView, after: PublicView) -> tuple[int, ...]:
    standings = zip(rules.standing(before), rules.standing(after), strict=True)
    return tuple(later - earlier for earlier, later in standings)


def _report(promise: Promise, event: str, to: Audience) -> LogLine:
    key = f"promise.{event}{'_by_bot' if event == 'broken' and promise.excused else ''}"
    args: Mapping[str, int | str | Sequence[int]] = {"seat": promise.by, "promise": promise.id}
    return LogLine(key, args, to)
