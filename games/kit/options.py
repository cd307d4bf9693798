"""Metadata about options for the new-table form; their titles and descriptions are in texts/en.json."""

from __future__ import annotations

import msgspec


def option_metadata(group: str, source: str, **more: object) -> msgspec.Meta:
    """An option's metadata: `group` is its part of the form, and `source` is a ruling or "house rule".

    `more` are hints for the form, such as `only="almost"` for an option of one mode, or `official="10"`.
    """
    extra: dict[str, object] = {"group": group, "source": source, **more}
    return msgspec.Meta(extra_json_schema=extra)


def number_metadata(least: int, most: int, group: str, source: str, **more: object) -> msgspec.Meta:
    """The metadata for an option that is a whole number from `least` to `most`."""
    extra: dict[str, object] = {"group": group, "source": source, **more}
    return msgspec.Meta(ge=least, le=most, extra_json_schema=extra)
