"""The generated TypeScript: each Python type has one form, and a stale file is detected."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NewType

import msgspec
import pytest

from games.api import Struct
from tools import typescript
from tools.typescript import NoTypeScript, Writer

Length = NewType("Length", int)


class Leaf(Struct, frozen=True):
    """A leaf. Nothing more."""

    size: Length
    near: Annotated[int, msgspec.Meta(ge=0)] | None = None


class Sparse(msgspec.Struct, frozen=True, omit_defaults=True, rename="camel"):
    plain_name: str = ""


class Pair(msgspec.Struct, frozen=True, array_like=True):
    first: int
    second: tuple[str, ...]


class Tagged(msgspec.Struct, frozen=True, tag_field="t", tag="tagged"):
    pass


class Ring(msgspec.Struct, frozen=True):
    next: Ring | None


def declared(kind: Any, *, to_hub: bool) -> str:
    writer = Writer()
    writer.expression(kind, to_hub=to_hub)
    return "\n".join(writer.declarations())


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        (int, "number"),
        (float, "number"),
        (Length, "number"),
        (Any, "unknown"),
        (bytes, "Uint8Array"),
        (str | None, "string | null"),
        (int | float, "number"),
        (Literal["a", 2], '"a" | 2'),
        (tuple[int, ...], "readonly number[]"),
        (frozenset[Length], "readonly number[]"),
        (list[int | None], "readonly (number | null)[]"),
        (tuple[tuple[int, ...], ...], "readonly (readonly number[])[]"),
        (tuple[int, str], "readonly [number, string]"),
        (Mapping[str, int], "Readonly<Record<string, number>>"),
    ],
)
def test_each_type_has_one_form(kind: Any, wanted: str) -> None:
    assert Writer().expression(kind, to_hub=False) == wanted


def test_fields_from_the_hub_are_required_unless_defaults_are_omitted() -> None:
    leaf = "/** A leaf. Nothing more. */\nexport interface Leaf {\n  readonly size: number\n"
    assert declared(Leaf, to_hub=False) == leaf + "  readonly near: number | null\n}\n"
    assert declared(Sparse, to_hub=False) == "export interface Sparse {\n  readonly plainName?: string\n}\n"


def test_fields_to_the_hub_with_defaults_are_optional() -> None:
    assert "readonly near?: number | null" in declared(Leaf, to_hub=True)


def test_arrays_tags_and_recursive_structs() -> None:
    pair = "export type Pair = readonly [first: number, second: readonly string[]]\n"
    assert declared(Pair, to_hub=False) == pair
    assert declared(Tagged, to_hub=False) == 'export interface Tagged {\n  readonly t: "tagged"\n}\n'
    assert declared(Ring, to_hub=False) == "export interface Ring {\n  readonly next: Ring | null\n}\n"


def test_a_type_without_a_form_is_an_error() -> None:
    with pytest.raises(NoTypeScript, match="complex"):
        Writer().expression(complex, to_hub=False)


def test_one_name_means_one_struct() -> None:
    writer = Writer()
    writer.expression(Leaf, to_hub=False)
    with pytest.raises(NoTypeScript, match="travels both ways"):
        writer.expression(Leaf, to_hub=True)
    other = msgspec.defstruct("Leaf", [("size", int)])
    with pytest.raises(NoTypeScript, match="both have a struct Leaf"):
        writer.expression(other, to_hub=False)


def test_the_generated_file_is_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    assert typescript.main(["--check"]) == 0, f"run `{typescript.COMMAND}`"


@pytest.mark.parametrize("name", ["TARGET", "KEYS"])
@pytest.mark.parametrize("stale", ["// of yesterday\n", None])
def test_a_stale_or_missing_file_fails_and_names_the_command(
    name: str,
    stale: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    target = tmp_path / "sdk" / "wire.gen.ts"
    monkeypatch.setattr(typescript, name, target)
    if stale is not None:
        target.parent.mkdir()
        target.write_text(stale)
    assert typescript.main(["--check"]) == 1
    assert "python -m tools.typescript" in capsys.readouterr().err
    assert typescript.main([]) == 0
    assert typescript.main(["--check"]) == 0


def test_an_unknown_argument_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert typescript.main(["--chek"]) == 2
    assert "usage" in capsys.readouterr().err
