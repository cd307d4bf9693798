"""Metadata about options for the new-table form; their titles and descriptions are in texts/en.json."""

from __future__ import annotations

import msgspec


def option_metadata(group: str, **more: object) -> msgspec.Meta:
    """An option's metadata: `group` is its part of the form.

    `more` are hints for the form, such as `only="almost"` for an option of one mode, or `official="10"`. The
    hub applies one of them: `private` is the default at a table that is not open.
    """
    return msgspec.Meta(extra_json_schema={"group": group, **more})


def number_metadata(least: int, most: int, group: str, **more: object) -> msgspec.Meta:
    """The metadata for an option that is a whole number from `least` to `most`."""
    return msgspec.Meta(ge=least, le=most, extra_json_schema={"group": group, **more})
