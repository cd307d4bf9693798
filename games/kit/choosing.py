"""Moves made from `Choices`, and choices held against moves: for random players and for fuzzing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias, TypeGuard

from games.api import AskId, Choice, Choices, Dice, Domain, Each, Pick, Range, Subset

Value: TypeAlias = int | str | Sequence[int | str]
RawMove: TypeAlias = Mapping[str, Value]
"""A move as a client sends it."""

STOCK: tuple[Value, ...] = (-1, 0, 1, 7, "", "x", [], [1], [1, 1, 1, 1])
"""Values that hardly fit anywhere."""


def some(choices: Choices, seats: int, dice: Dice) -> tuple[AskId, RawMove] | None:
    """A random legal move: a random ask, a random choice under it, a random value for each field."""
    asks = sorted(ask for ask, found in choices.items() if found)
    if not asks:
        return None
    ask = asks[dice.below("ask", len(asks))]
    found = choices[ask]
    return ask, fill(found[dice.below("choice", len(found))], seats, dice)


def fill(choice: Choice, seats: int, dice: Dice) -> RawMove:
    """A random move of this kind."""
    move: dict[str, Value] = {"move": choice.move}
    for name, domain in choice.fields.items():
        move[name] = inside(domain, seats, dice)
    return move


def inside(domain: Domain, seats: int, dice: Dice) -> Value:
    """A random value of the domain, its ends more often than the rest."""
    match domain:
        case Range(least=least, most=most):
            return _between(least, most, dice)
        case Pick(of=of):
            return of[dice.below("pick", len(of))]
        case Subset(of=of, least=least, most=most):
            order = dice.shuffle("subset", range(len(of)))
            chosen = sorted(order[: least + dice.below("size", most - least + 1)])
            return [of[index] for index in chosen]
        case Each(least=least, most=most):
            return [_between(least, most, dice) for _ in range(seats)]


def _between(least: int, most: int, dice: Dice) -> int:
    match dice.below("end", 8):
        case 0:
            return least
        case 1:
            return most
        case 2:
            return least + dice.below("low", min(most - least, 4) + 1)
        case _:
            return least + dice.below("between", most - least + 1)


def edges(domain: Domain, seats: int) -> Iterator[Value]:
    """Values at the ends of a domain, and just outside."""
    match domain:
        case Range(least=least, most=most):
            yield from (least - 1, least, most, most + 1)
        case Pick(of=of):
            yield from (of[0], of[-1], _beyond(of))
        case Subset(of=of, least=least, most=most):
            for size in (least - 1, least, most, most + 1):
                if 0 <= size <= len(of):
                    yield list(of[:size])
            yield [*of[:1], *of[:1]]
            yield [*of[: max(0, least - 1)], _beyond(of)]
        case Each(least=least, most=most):
            for number in (least - 1, least, most, most + 1):
                yield [least] * (seats - 1) + [number]
            yield [least] * (seats - 1)
            yield [least] * (seats + 1)


def _beyond(of: tuple[int, ...] | tuple[str, ...]) -> int | str:
    numbers = [value for value in of if isinstance(value, int)]
    return max(numbers) + 1 if numbers else "nowhere"


def _whole(value: Value) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def covers(domain: Domain, value: Value, seats: int) -> bool:
    """Whether the value is one of the domain."""
    match domain:
        case Range(least=least, most=most):
            return _whole(value) and least <= value <= most
        case Pick(of=of):
            return value in of
        case Subset(of=of, least=least, most=most):
            if isinstance(value, int | str) or not least <= len(value) <= most:
                return False
            return len(set(value)) == len(value) and all(one in of for one in value)
        case Each(least=least, most=most):
            if isinstance(value, int | str) or len(value) != seats:
                return False
            return all(_whole(one) and least <= one <= most for one in value)


def allows(choices: Sequence[Choice], move: RawMove, seats: int) -> bool:
    """Whether one of the choices covers the move."""
    return any(
        choice.move == move["move"]
        and set(choice.fields) == set(move) - {"move"}
        and all(covers(domain, move[name], seats) for name, domain in choice.fields.items())
        for choice in choices
    )


def attempts(
    kinds: Mapping[str, Sequence[str]], choices: Sequence[Choice], seats: int, dice: Dice
) -> Iterator[RawMove]:
    """Moves of every kind for one ask: some within the choices, some at their edges, some far off.

    `kinds` maps a move's tag to the names of its fields.
    """
    for tag, names in kinds.items():
        mine = [choice for choice in choices if choice.move == tag]
        for choice in mine:
            for _ in range(3):
                yield fill(choice, seats, dice)
        pools: list[tuple[str, list[Value | None]]] = []
        for name in names:
            near = [choice.fields[name] for choice in mine if name in choice.fields]
            pools.append((name, [None, *(value for one in near for value in edges(one, seats)), *STOCK]))
        if len(pools) == 1:
            yield from (_assembled(tag, [(pools[0][0], value)]) for value in pools[0][1])
            continue
        for _ in range(16 if pools else 1):
            yield _assembled(tag, [(name, pool[dice.below("edge", len(pool))]) for name, pool in pools])


def _assembled(tag: str, values: Sequence[tuple[str, Value | None]]) -> RawMove:
    """The move with these fields; None leaves a field out."""
    return {"move": tag, **{name: value for name, value in values if value is not None}}
