"""A second implementation of Takeover, slow but simple, written from the rulings alone for comparison.

A tile or coin is named by suit letter and value, such as `S5`. A square is (column, row), 0 to 5 and 0 to 3.
`stacks` holds the squares that are not empty, each with its tiles bottom to top. Nothing here is shared
with `games.takeover`.
"""

from __future__ import annotations

Square = tuple[int, int]
Stacks = dict[Square, list[str]]


def reference_scores(stacks: Stacks, stocks: list[list[str]], cash: list[list[str]]) -> list[int]:
    """Each seat's score under 5d, from its stocks and its cash.

    A stock is worth its tile's value plus the number of tiles under it. Raises ValueError if its tile is not
    on top of a stack.
    """
    scores = []
    for own_stocks, own_cash in zip(stocks, cash, strict=True):
        score = 0
        for stock in own_stocks:
            found = [stack for stack in stacks.values() if stack[-1] == stock]
            if len(found) != 1:
                raise ValueError(f"{stock} is a stock, but not the top of one stack")
            score += value_of(stock) + len(found[0]) - 1
        for coin in own_cash:
            score += value_of(coin)
        scores.append(score)
    return scores


def reference_merge(stacks: Stacks, a: Square, b: Square) -> tuple[Stacks, str, int]:
    """Moves the stack on a onto the one on b; returns the new stacks, the covered corporation and the cost.

    The covered top is subsumed (TKO-7), the merged stack is on b (TKO-8), and the cost is the value printed
    on the covered top (TKO-9), or nothing if both tops are of the same industry (TKO-10). Ignores reach.
    Raises ValueError if a and b are not two stacks (TKO-30).
    """
    if a == b or a not in stacks or b not in stacks:
        raise ValueError(f"{a} and {b} are not two corporations")
    covered = stacks[b][-1]
    covering = stacks[a][-1]
    cost = 0 if suit_of(covered) == suit_of(covering) else value_of(covered)
    after = {}
    for square, stack in stacks.items():
        if square == b:
            after[square] = stack + stacks[a]
        elif square != a:
            after[square] = list(stack)
    return after, covered, cost


def reference_can_merge(
    stacks: Stacks, a: Square, b: Square, coins_cash: list[int], nulls: int
) -> tuple[bool, int | None]:
    """Returns whether a reaches b, and the cost if it can be paid (otherwise None): a merger needs both.

    a reaches b if they share a side, or if they are in the same row or column, with anything in between, and
    there is a value-up null (TKO-15, TKO-16). The cost can be paid if the cash adds up to at least that much
    (TKO-12). Returns (False, None) if a and b are not two corporations (TKO-30).
    """
    if a == b or a not in stacks or b not in stacks:
        return False, None
    across = abs(a[0] - b[0])
    up = abs(a[1] - b[1])
    touching = across + up == 1
    in_line = across == 0 or up == 0
    reaches = touching or (in_line and nulls > 0)
    cost = reference_merge(stacks, a, b)[2]
    return reaches, cost if sum(coins_cash) >= cost else None


def reference_over(stacks: Stacks, cash_values: list[int], nulls: int) -> bool:
    """Returns whether no corporations can be merged with this pool of cash and value-up nulls (TKO-17)."""
    for a in stacks:
        for b in stacks:
            reaches, payable = reference_can_merge(stacks, a, b, cash_values, nulls)
            if reaches and payable is not None:
                return False
    return True


def reference_cash_out(
    stocks: list[list[str]], cash: list[list[str]], covered: str
) -> tuple[list[list[str]], list[list[str]]]:
    """Each seat's stocks and cash after `covered` was subsumed: its stock, if held, becomes cash (TKO-20)."""
    stocks_after = []
    cash_after = []
    for own_stocks, own_cash in zip(stocks, cash, strict=True):
        stocks_after.append([coin for coin in own_stocks if coin != covered])
        cash_after.append(own_cash + [coin for coin in own_stocks if coin == covered])
    return stocks_after, cash_after


def reference_draft(seats: int) -> list[int]:
    """The seats that pick the 24 coins, in order, when seat 0 begins: there and back again (TKO-2)."""
    order: list[int] = []
    forward = True
    while len(order) < 24:
        order += range(seats) if forward else reversed(range(seats))
        forward = not forward
    return order[:24]


def value_of(name: str) -> int:
    return int(name[1])


def suit_of(name: str) -> str:
    return name[0]
