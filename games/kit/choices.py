"""Builds moves from `Choices` and checks moves against them: for random players and for fuzzing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeGuard, TypeVar

from games.api import Choice, Choices, Dice, Domain, Multiset, OneOf, PerSeat, PromptId, Range, Subset
from games.kit.moves import convert_move

T = TypeVar("T")
Value: TypeAlias = int | str | Sequence[int | str]
RawMove: TypeAlias = Mapping[str, Value]
"""A move as a client sends it."""

STOCK: tuple[Value, ...] = (-1, 0, 1, 7, "", "x", [], [1], [1, 1, 1, 1])
"""Values that hardly any field accepts."""


def sample_raw_move(choices: Choices, seats: int, dice: Dice) -> tuple[PromptId, RawMove] | None:
    """A random legal move: a random prompt, a random choice under it, a random value for each field."""
    prompts = sorted(prompt for prompt, offered in choices.items() if offered)
    if not prompts:
        return None
    prompt = prompts[dice.below("ask", len(prompts))]
    offered = choices[prompt]
    return prompt, fill(offered[dice.below("choice", len(offered))], seats, dice)


def sample(choices: Choices, seats: int, move: Any, dice: Dice) -> tuple[PromptId, Any] | None:
    """A random legal move, converted to `move`, the game's union of moves."""
    raw = sample_raw_move(choices, seats, dice)
    return None if raw is None else (raw[0], convert_move(raw[1], move))


def fill(choice: Choice, seats: int, dice: Dice) -> RawMove:
    """A random move of this kind."""
    move: dict[str, Value] = {"move": choice.move}
    for name, domain in choice.fields.items():
        move[name] = sample_value(domain, seats, dice)
    return move


def sample_value(domain: Domain, seats: int, dice: Dice) -> Value:
    """A random value from the domain; values near its ends are more likely."""
    match domain:
        case Range(least=least, most=most):
            return _sample_number(least, most, dice)
        case OneOf(of=of):
            return of[dice.below("pick", len(of))]
        case Subset(of=of, least=least, most=most):
            order = dice.shuffle("subset", range(len(of)))
            chosen = sorted(order[: least + dice.below("size", most - least + 1)])
            return [of[index] for index in chosen]
        case PerSeat(least=least, most=most):
            return [_sample_number(least, most, dice) for _ in range(seats)]
        case Multiset():
            packed = _sample_multiset(domain, dice)
            if packed is None:
                raise ValueError(f"no multiset fits these bounds: {domain}")
            return packed


def _sample_number(least: int, most: int, dice: Dice) -> int:
    match dice.below("end", 8):
        case 0:
            return least
        case 1:
            return most
        case 2:
            return least + dice.below("low", min(most - least, 4) + 1)
        case _:
            return least + dice.below("between", most - least + 1)


def _worths(bag: Multiset) -> list[tuple[int, ...]]:
    """The worth of each item under each bound."""
    return [(1,) * len(bag.of) if bound.worth is None else bound.worth for bound in bag.bounds]


def _sample_multiset(bag: Multiset, dice: Dice) -> list[int | str] | None:
    """A random multiset of random size; None if no multiset is within the bounds."""
    worths, times = _worths(bag), bag.times or (1,) * len(bag.of)
    order = dice.shuffle("bag", range(len(bag.of)))
    thrift = dice.below("thrift", 4)
    counts = [0] * len(bag.of)
    hopeless: set[tuple[int, ...]] = set()
    most_left = [[0] * len(worths)]  # how much the remaining items can add to each sum, the last item first
    for item in reversed(order):
        most_left.append(
            [rest + worth[item] * times[item] for rest, worth in zip(most_left[-1], worths, strict=True)]
        )

    def pack(place: int, sums: tuple[int, ...]) -> bool:
        rest = most_left[len(order) - place]
        for bound, total, more in zip(bag.bounds, sums, rest, strict=True):
            if total > bound.most or total + more < bound.least:
                return False
        if place == len(order):
            return True
        if (place, *sums) in hopeless:
            return False
        item = order[place]
        some = dice.below("count", times[item] + 1) if dice.below("take", 4) > thrift else 0
        for count in (some, *(other for other in range(times[item] + 1) if other != some)):
            counts[item] = count
            if pack(place + 1, tuple(s + w[item] * count for s, w in zip(sums, worths, strict=True))):
                return True
        counts[item] = 0
        hopeless.add((place, *sums))
        return False

    if not pack(0, (0,) * len(bag.bounds)):
        return None
    chosen = [item for item, count in enumerate(counts) for _ in range(count)]
    while bag.tight and (needless := _needless(bag, chosen)):
        del chosen[needless[dice.below("needless", len(needless))]]
    return [bag.of[item] for item in chosen]


def _holds(bag: Multiset, value: Sequence[int | str]) -> bool:
    places = {name: item for item, name in enumerate(bag.of)}
    if any(isinstance(item, bool) or item not in places for item in value):
        return False
    chosen = [places[item] for item in value]
    times = bag.times or (1,) * len(bag.of)
    if any(chosen.count(item) > times[item] for item in set(chosen)):
        return False
    return _is_within_bounds(bag, chosen) and not (bag.tight and _needless(bag, chosen))


def _is_within_bounds(bag: Multiset, chosen: Sequence[int]) -> bool:
    """Whether these items, given by their positions in `of`, are within every bound."""
    return all(
        bound.least <= sum(worth[item] for item in chosen) <= bound.most
        for bound, worth in zip(bag.bounds, _worths(bag), strict=True)
    )


def _needless(bag: Multiset, chosen: Sequence[int]) -> list[int]:
    """The positions in `chosen` of items that could be left out."""
    return [
        place
        for place in range(len(chosen))
        if _is_within_bounds(bag, [*chosen[:place], *chosen[place + 1 :]])
    ]


def feasible(bag: Multiset) -> bool:
    """Whether any multiset is within the bounds: a choice that no move can satisfy must not be offered."""
    return _sample_multiset(bag, _First()) is not None


class _First:
    """Dice that always pick the first option."""

    def below(self, label: str, sides: int) -> int:
        return 0

    def shuffle(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        return tuple(items)


def edges(domain: Domain, seats: int) -> Iterator[Value]:
    """Values at the ends of a domain and just outside."""
    match domain:
        case Range(least=least, most=most):
            yield from (least - 1, least, most, most + 1)
        case OneOf(of=of):
            yield from (of[0], of[-1], _value_outside(of))
        case Subset(of=of, least=least, most=most):
            for size in (least - 1, least, most, most + 1):
                if 0 <= size <= len(of):
                    yield list(of[:size])
            yield [*of[:1], *of[:1]]
            yield [*of[: max(0, least - 1)], _value_outside(of)]
        case PerSeat(least=least, most=most):
            for number in (least - 1, least, most, most + 1):
                yield [least] * (seats - 1) + [number]
            yield [least] * (seats - 1)
            yield [least] * (seats + 1)
        case Multiset(of=of, times=times):
            yield []
            yield [*of]
            names: Sequence[int | str] = of
            for limit, name in zip(times or (1,) * len(of), names, strict=True):
                for count in (1, limit, limit + 1):
                    alike: list[int | str] = [name] * count
                    yield alike
            yield [*of, _value_outside(of)]


def _value_outside(of: tuple[int, ...] | tuple[str, ...]) -> int | str:
    numbers = [value for value in of if isinstance(value, int)]
    return max(numbers) + 1 if numbers else "nowhere"


def _is_whole(value: Value) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def contains(domain: Domain, value: Value, seats: int) -> bool:
    """Whether the value is in the domain."""
    match domain:
        case Range(least=least, most=most):
            return _is_whole(value) and least <= value <= most
        case OneOf(of=of):
            return value in of
        case Subset(of=of, least=least, most=most):
            if isinstance(value, int | str) or not least <= len(value) <= most:
                return False
            return len(set(value)) == len(value) and all(item in of for item in value)
        case PerSeat(least=least, most=most):
            if isinstance(value, int | str) or len(value) != seats:
                return False
            return all(_is_whole(item) and least <= item <= most for item in value)
        case Multiset():
            return not isinstance(value, int | str) and _holds(domain, value)


def allows(choices: Sequence[Choice], move: RawMove, seats: int) -> bool:
    """Whether one of the choices allows the move."""
    return any(
        choice.move == move["move"]
        and set(choice.fields) == set(move) - {"move"}
        and all(contains(domain, move[name], seats) for name, domain in choice.fields.items())
        for choice in choices
    )


def attempts(
    kinds: Mapping[str, Sequence[str]], choices: Sequence[Choice], seats: int, dice: Dice
) -> Iterator[RawMove]:
    """Moves of every kind for one prompt: some within the choices, some at their edges, some far outside.

    `kinds` maps a move's tag to the names of its fields.
    """
    for tag, names in kinds.items():
        offered = [choice for choice in choices if choice.move == tag]
        for choice in offered:
            for _ in range(3):
                yield fill(choice, seats, dice)
        pools: list[tuple[str, list[Value | None]]] = []
        for name in names:
            domains = [choice.fields[name] for choice in offered if name in choice.fields]
            values = [value for domain in domains for value in edges(domain, seats)]
            pools.append((name, [None, *values, *STOCK]))
        if len(pools) == 1:
            yield from (_assemble_move(tag, [(pools[0][0], value)]) for value in pools[0][1])
            continue
        for _ in range(16 if pools else 1):
            yield _assemble_move(tag, [(name, pool[dice.below("edge", len(pool))]) for name, pool in pools])


def _assemble_move(tag: str, values: Sequence[tuple[str, Value | None]]) -> RawMove:
    """The move with these fields; None leaves a field out."""
    return {"move": tag, **{name: value for name, value in values if value is not None}}
