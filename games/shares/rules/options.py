"""The options of Share and Share Alike (section 1a). The number of seats, four in the text, is not one."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from games.kit.options import about
from games.kit.time_control import Timers


class SharesOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """Section 1a; all combine freely. Options for `strict` talk or for one variant are otherwise ignored."""

    rounds: Annotated[
        Literal["15", "10", "5"],
        about("Rounds", "Fifteen, or a shorter game.", "game", "seed", official="15"),
    ] = "15"
    talk: Annotated[
        Literal["strict", "looseLips", "wholeTruth"],
        about(
            "Talk of shares",
            "Strict: not of your own. Loose Lips: you may, true or not. The Whole Truth: you may show your "
            "tracker, too, and the hub vouches for it.",
            "variants",
            "seed",
        ),
    ] = "strict"
    open_market: Annotated[
        bool,
        about(
            "Open Market",
            "For an action and a royal card (J, Q, K, A) you trade shares for 30 seconds.",
            "variants",
            "seed",
        ),
    ] = False
    lowball: Annotated[
        bool,
        about(
            "Lowball",
            "Who starts a round is not drawn: everybody offers a card, and the highest starts.",
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
            "Private: that there was one. Public: which shares.",
            "variants",
            "SSA-31",
        ),
    ] = "private"
    strict_chat: Annotated[
        Literal["phrasesOnly", "honour"],
        about(
            "Talk in strict play",
            "Honour: you may say what you like, and keep your own shares to yourself. Phrases only: nothing "
            "but ready-made phrases.",
            "variants",
            "SSA-29",
            order=["honour", "phrasesOnly"],
            private="honour",
        ),
    ] = "phrasesOnly"
    company_metric: Annotated[
        Literal["floors", "pips"],
        about(
            "What ranks a company",
            "Floors: how many. Pips: large floors count 3, medium 2, small 1.",
            "scoring",
            "SSA-1",
        ),
    ] = "floors"
    company_tie: Annotated[
        Literal["average", "high", "low"],
        about(
            "Companies that tie",
            "Average: they share the prizes of their places. High: each gets the best of these. Low: the "
            "worst.",
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
            "Two cards by Chance",
            "Deck: from the Draw Deck. Either: from the Discard Pile, too.",
            "chance",
            "SSA-15",
        ),
    ] = "deck"
    chance4_draw: Annotated[
        bool,
        about(
            "Drawing up for free",
            "The free action of Chance may be drawing up to five cards.",
            "chance",
            "SSA-16",
        ),
    ] = False
    timers: Timers = "normal"
