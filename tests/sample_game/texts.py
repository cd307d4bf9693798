"""Every key Under the Hammer may ever send."""

from __future__ import annotations

from typing import Final

from games.api import Texts
from games.kit import pace

TEXTS: Final = Texts(
    lines={
        **pace.LINES,
        "hammer.lot": ("number", "lots", "kind", "worth"),
        "hammer.auto": ("seats",),
        "hammer.sold": ("seat", "coins", "kind", "worth"),
        "hammer.returned": ("kind", "worth"),
    },
    refusals={"WRONG_ASK": (), "LOCKED": (), "NOT_LOCKED": (), "NO_DRAFT": (), "TOO_MUCH": ("coins",)},
    phrases=frozenset(),
    asks=pace.ASKS | {"bid"},
    windows=pace.WINDOWS | {"bidding"},
    moves=pace.MOVES | {"draft", "lock", "unlock"},
)
