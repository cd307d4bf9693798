"""What the form of a new table needs to know of an option."""

from __future__ import annotations

import msgspec


def about(title: str, description: str, group: str, source: str, **more: object) -> msgspec.Meta:
    """An option of the form: its part is `group`, its `source` a ruling or "house rule".

    `more` are the hints of the form, as `only="almost"` for an option of one mode or `official="10"`.
    """
    extra: dict[str, object] = {"group": group, "source": source, **more}
    return msgspec.Meta(title=title, description=description, extra_json_schema=extra)


def whole(
    least: int, most: int, title: str, description: str, group: str, source: str, **more: object
) -> msgspec.Meta:
    """The same, of a whole number between `least` and `most`."""
    extra: dict[str, object] = {"group": group, "source": source, **more}
    return msgspec.Meta(ge=least, le=most, title=title, description=description, extra_json_schema=extra)
