"""The options of Share and Share Alike (section 1a). The number of seats is not an option."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from games.kit.options import about
from games.kit.time_control import Timers


class SharesOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """Options combine freely (1a). An option for `strict` talk or for one variant is ignored otherwise."""

    rounds: Annotated[
        Literal["15", "10", "5"],
        about("Rounds", "Fifteen, or a shorter game.", "game", "seed", official="15"),
    ] = "15"
    talk: Annotated[
        Literal["strict", "looseLips", "wholeTruth"],
        about(
            "Talk about shares",
            "Strict: you must not talk about your own shares. Loose Lips: you may, truthfully or not. "
            "The Whole Truth: you may also show your tracker, and the hub vouches for it.",
            "variants",
            "seed",
        ),
    ] = "strict"
    open_market: Annotated[
        bool,
        about(
            "Open Market",
            "For an action and a royal card (J, Q, K, A), you can trade shares for 30 seconds.",
            "variants",
            "seed",
        ),
    ] = False
    lowball: Annotated[
        bool,
        about(
            "Lowball",
            "Everybody offers a card, and the highest starts the round. Otherwise the starting "
            "player is chosen at random.",
            "variants",
            "seed",
        ),
    ] = False
    lowball_card: Annotated[
        Literal["return", "discard", "bottom"],
        about(
            "Lowball cards",
            "Return: back to the hand. Discard: onto the Discard Pile. Bottom: under the Draw Deck.",
            "variants",
            "SSA-24",
        ),
    ] = "return"
    market_log: Annotated[
        Literal["private", "public"],
        about(
            "What others see of a trade",
            "Private: only that a trade was made. Public: which shares.",
            "variants",
            "SSA-31",
        ),
    ] = "private"
    strict_chat: Annotated[
        Literal["phrasesOnly", "honour"],
        about(
            "Talk in strict play",
            "Honour: you may say what you like, but keep your own shares to yourself. Phrases only: "
            "ready-made phrases and nothing else.",
            "variants",
            "SSA-29",
            order=["honour", "phrasesOnly"],
            private="honour",
        ),
    ] = "phrasesOnly"
    company_metric: Annotated[
        Literal["floors", "pips"],
        about(
            "How companies are ranked",
            "Floors: by the number of floors. Pips: large floors count as 3, medium ones as 2 and small "
            "ones as 1.",
            "scoring",
            "SSA-1",
        ),
    ] = "floors"
    company_tie: Annotated[
        Literal["average", "high", "low"],
        about(
            "Companies that tie",
            "Average: they share the prizes for their places equally. High: each gets the highest of these "
            "prizes. Low: each gets the lowest.",
            "scoring",
            "SSA-2",
        ),
    ] = "average"
    rounding: Annotated[
        Literal["exact", "nearest", "floor"],
        about(
            "The value of a share",
            "Exact: fractions count. Nearest: rounded to the nearest whole number, halves to even. Floor: "
            "rounded down.",
            "scoring",
            "SSA-4",
        ),
    ] = "exact"
    chance3_source: Annotated[
        Literal["deck", "either"],
        about(
            "Two cards from Chance",
            "Deck: from the Draw Deck. Either: from either pile.",
            "chance",
            "SSA-15",
        ),
    ] = "deck"
    chance4_draw: Annotated[
        bool,
        about(
            "Drawing up for free",
            "The free action from Chance may be used to draw up to five cards.",
            "chance",
            "SSA-16",
        ),
    ] = False
    timers: Timers = "normal"
