"""The documents are correct: the protocol is complete, its examples work, no setting or metric is missing."""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import msgspec
import pytest
from starlette.routing import Route

from games import GAMES
from games.api import Bound, Choice, Multiset, OneOf, Outcome, PerSeat, Range, Subset, TalkPolicy
from games.testing import conformance
from hub.config import Config, Exit
from hub.net.http import api, rooms, transfers
from hub.table import table_change
from hub.table.records import End, Header, Name, Names, Row
from hub.table.replay import EntryKind
from hub.telemetry.metrics import Metrics
from hub.wire import codec
from hub.wire import messages as m
from hub.wire.tickets import Signer
from tests.documents import OPERATIONS, PROTOCOL, ROOT, SECURITY_MODEL, SPEC, first_cells, parts, rows
from tests.harness.defaults import DEFAULTS, make_request_limits
from tests.toy import registry

TO_HUB: tuple[Any, ...] = get_args(m.ToHub)
TO_CLIENT: tuple[Any, ...] = get_args(m.ToClient)
KINDS: Mapping[str, Any] = {kind.__struct_config__.tag: kind for kind in (*TO_HUB, *TO_CLIENT)}


def fields(kind: Any) -> dict[str, msgspec.structs.FieldInfo]:
    return {field.encode_name: field for field in msgspec.structs.fields(kind)}


MESSAGES = parts(PROTOCOL, "####")
SOCKET = parts(PROTOCOL, "###")


# --- messages ---


def test_every_kind_of_message_has_a_part() -> None:
    assert set(MESSAGES) == set(KINDS)


@pytest.mark.parametrize("tag", KINDS)
def test_every_field_of_a_message_is_there(tag: str) -> None:
    text = MESSAGES[tag]
    table = text[: text.index("```")]
    assert first_cells(table) == set(fields(KINDS[tag]))
    for row in rows(table):
        if not row[0].startswith("`"):
            continue
        field = fields(KINDS[tag])[row[0].strip("`")]
        optional = field.default is not msgspec.NODEFAULT or field.default_factory is not msgspec.NODEFAULT
        said = "default" in row[1] or (tag in {k.__struct_config__.tag for k in TO_CLIENT} and row[2] != "")
        if tag in ("frame", "verdict") or KINDS[tag] in TO_HUB:
            assert said == optional, f"{tag}.{field.name}"


PROMISE = Choice("bid", {"number": Range(1, 10), "round": Range(2, 3)})
"""What may be promised in the example."""
EXAMPLES = re.findall(r"```msgpack\n(.+)\n((?:[0-9a-f ]+\n)+)```", PROTOCOL)


def test_every_kind_of_message_has_an_example() -> None:
    assert {json.loads(text)["t"] for text, _ in EXAMPLES} == set(KINDS)
    assert PROTOCOL.count("```msgpack") == len(EXAMPLES)
    for tag, text in MESSAGES.items():
        assert f'"t":"{tag}"' in text


def write_frame(members: Mapping[str, Any]) -> bytes:
    """A frame assembled from parts, the way the hub does it."""
    assert set(members) == {"n", "now", "sections"}
    parts = [
        msgspec.msgpack.encode(name) + msgspec.msgpack.encode(data)
        for name, data in members["sections"].items()
    ]
    number: int = members["n"]
    return codec.frame_before_number(members["now"], parts) + number.to_bytes(codec.NUMBER, "big")


@pytest.mark.parametrize(("text", "dump"), EXAMPLES, ids=lambda value: value[:24])
def test_examples_are_what_the_hub_reads_and_writes(text: str, dump: str) -> None:
    value = json.loads(text)
    kind = KINDS[value["t"]]
    data = bytes.fromhex(dump)
    if kind in TO_HUB:
        assert data.hex(" ") == msgspec.msgpack.encode(value).hex(" ")
        assert codec.decode(data) == msgspec.convert(value, kind)
    else:
        members = {name: part for name, part in value.items() if name != "t"}
        if kind is m.PromiseChoices:  # msgspec reads no union of two kinds of lists
            written = codec.encode(m.PromiseChoices(0, (PROMISE,)))
        else:
            written = write_frame(members) if kind is m.Frame else codec.encode(msgspec.convert(value, kind))
        assert data.hex(" ") == written.hex(" ")
        assert msgspec.msgpack.decode(data) == value


def test_every_act_is_there() -> None:
    acts = {kind.__struct_config__.tag: kind for kind in get_args(m.Act)}
    described = {row[0].strip("`"): row[1] for row in rows(MESSAGES["manage"]) if row[0].strip("`") in acts}
    assert set(described) == set(acts)
    for tag, kind in acts.items():
        assert set(re.findall(r"`([^`]+)`", described[tag])) == set(fields(kind))


# --- sections, codes ---


def test_every_section_and_its_fields_are_there() -> None:
    text = SOCKET["Sections"]
    described = {row[0].strip("`"): row[1] for row in rows(text) if row[0].startswith("`")}
    assert set(described) == set(m.HUB_SECTIONS)
    for name, kind in m.HUB_SECTIONS.items():
        missing = {field for field in fields(kind) if f"`{field}`" not in described[name]}
        assert not missing, name
    inner: dict[Any, str] = {
        m.SeatInfo: text,
        m.PromptInfo: described["prompts"],
        m.WindowInfo: described["windows"],
    }
    inner |= {Outcome: described["result"], TalkPolicy: described["talk_policy"]}
    inner |= dict.fromkeys((Range, OneOf, Subset, PerSeat, Multiset, Bound), text)
    for kind, place in inner.items():
        assert all(f"`{field}`" in place for field in fields(kind)), kind
    domains: tuple[Any, ...] = (Range, OneOf, Subset, PerSeat, Multiset)
    for domain in domains:
        assert f"`{domain.__struct_config__.tag}`" in text


def test_bounds() -> None:
    text = SOCKET["Frames"]
    assert f"at most {m.MAX_FRAME} bytes" in text
    assert f"at most {codec.MAX_DEPTH} deep" in text
    assert f"at most {codec.MAX_VALUES} values" in text
    assert m.SUBPROTOCOL in SOCKET["Opening"]


# --- HTTP ---


def handlers() -> api.Api:
    missing: Any = None
    return api.Api(
        missing, registry(), Signer(bytes(32), DEFAULTS.token_days), Metrics(), limits=make_request_limits()
    )


def test_every_route_is_there() -> None:
    http = parts(PROTOCOL, "##")["HTTP"]
    documented = {
        (method, path)
        for method, path in re.findall(r"`(GET|POST) (/[^` ]*)`", http)
        if not path.startswith("/api/rooms/BCD")
    }
    missing: Any = None
    transfer_api = transfers.TransfersApi(*[missing] * 8, token_seconds=0)
    routes = {
        (method, re.sub(r":\w+", "", route.path))
        for route in (*handlers().routes(), *transfer_api.routes())
        if isinstance(route, Route)
        for method in route.methods or ()
        if method != "HEAD"
    }
    assert routes <= documented
    assert documented <= routes


def test_every_field_of_a_request_is_there() -> None:
    http = parts(PROTOCOL, "##")["HTTP"]
    bodies = {row[0]: row[1] for row in rows(http) if len(row) == 3}
    for request, kind in (
        ("`POST /api/people`", api.NewPerson),
        ("`POST /api/rooms` **token**", rooms.NewRoom),
        ("`POST /api/transfers` **token**", transfers.NewTransfer),
    ):
        assert all(f"`{field}`" in bodies[request] for field in fields(kind))


def test_records() -> None:
    text = parts(PROTOCOL, "##")["Records"]
    for kind in (Header, Row, End, Name, Names):
        assert all(f"`{field}`" in text for field in fields(kind)), kind
    assert set(get_args(EntryKind)) == {row[0].strip("`") for row in rows(text) if row[0].startswith("`")}


# --- operations ---


def test_every_setting_is_there() -> None:
    """Its default too: as a value in backticks, or in words if it is not one value."""
    table = parts(OPERATIONS, "##")["Settings"]
    documented = {row[0].strip("`"): row[2] for row in rows(table) if row[0].startswith("`")}
    assert set(documented) == {f"PARLEY_{name.upper()}" for name in Config.model_fields}
    for name, field in Config.model_fields.items():
        cell = documented[f"PARLEY_{name.upper()}"]
        if field.is_required() or field.default in (None, ()):
            assert not re.fullmatch("`[^`]*`", cell), f"{name} has no such default"
        else:
            assert cell == f"`{write_default(field.default)}`", name


def write_default(value: object) -> str:
    """A default as the environment would give it."""
    if isinstance(value, tuple):
        return "/".join(map(str, value))
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def test_every_exit_code_is_there() -> None:
    table = parts(OPERATIONS, "##")["Exit codes"]
    assert {int(row[0]) for row in rows(table) if row[0].isdigit()} == set(Exit)


def test_every_figure_is_there() -> None:
    figures = set(re.findall(r"^# TYPE (\w+)", Metrics().text().decode(), flags=re.M))
    assert first_cells(parts(OPERATIONS, "##")["Metrics"]) == figures


# --- the specification ---

RULE = re.compile(r"(?<![\w-])([GRTVHCLMO]\d+(?:\.\d+)?)(?![\w-])")


def spec_ids() -> list[str]:
    return re.findall(r"^(?:##|-) \**([A-Z]\d+(?:\.\d+)?)\b", SPEC, flags=re.M)


def cited(source: str, known: set[str]) -> set[str]:
    """Every other rule id in a docstring of a file; only a file that has such a word at all is parsed."""
    if set(RULE.findall(source)) <= known:
        return set()
    documented = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)
    nodes = (node for node in ast.walk(ast.parse(source)) if isinstance(node, documented))
    return {rule for node in nodes for rule in RULE.findall(ast.get_docstring(node) or "")} - known


def test_rules_have_one_id_each() -> None:
    ids = spec_ids()
    assert len(ids) > 80
    assert len(set(ids)) == len(ids)


def test_tests_cite_rules_there_are() -> None:
    known = set(spec_ids())
    assert set(RULE.findall(SECURITY_MODEL)) <= known
    files = {path.name: cited(path.read_text(), known) for path in sorted((ROOT / "tests").rglob("*.py"))}
    assert {name: rules for name, rules in files.items() if rules} == {}


def test_a_rule_that_is_not_there_is_found() -> None:
    source = 'class Play:\n    def test(self):\n        """G2 and G3."""\n        a = "G4"\n'
    assert cited(source, {"G2"}) == {"G3"}
    assert cited(source, {"G2", "G3"}) == set()


# --- the security model ---

CITED_TEST = re.compile(r"`([^`]+\.(?:py|ts))::([^`]+)`")


def has_test(path: str, name: str) -> bool:
    """True if a test is there: a function of tests/, or a title of client-js/tests/."""
    file = ROOT / path if path.startswith("client-js/") else ROOT / "tests" / path
    text = file.read_text() if file.is_file() else ""
    pattern = rf"def {name}\(" if path.endswith(".py") else rf"\b(?:test|scene)\(\s*'{re.escape(name)}'"
    return re.search(pattern, text) is not None


def test_every_threat_has_tests_there_are() -> None:
    threats = [row for row in rows(SECURITY_MODEL) if row[0] != "threat"]
    assert len(threats) > 40
    for threat, _, tests in threats:
        assert CITED_TEST.findall(tests), f"{threat}: no test"
        missing = [f"{path}::{name}" for path, name in CITED_TEST.findall(tests) if not has_test(path, name)]
        assert not missing, f"{threat}: {missing}"


def test_a_test_that_is_not_there_is_found() -> None:
    assert has_test("test_docs.py", "test_a_test_that_is_not_there_is_found")
    assert not has_test("test_docs.py", "test_a_test")
    assert not has_test("test_nothing.py", "test_a_test")
    assert has_test("client-js/tests/unit/salts.test.ts", "is revealed once, when every hash is shown")
    assert not has_test("client-js/tests/unit/salts.test.ts", "is")
    assert not has_test("client-js/tests/unit/salts.test.ts", "commit_salt")  # a text in it


# --- the rules pages ---


@pytest.mark.parametrize("key", GAMES)
def test_a_rules_page_calls_the_options_what_the_form_calls_them(key: str) -> None:
    page = (ROOT / "games" / key / "RULES.md").read_text()
    catalogue = GAMES[key].game.texts.catalogue
    titles = [option["title"] for option in catalogue["options"].values()]
    header, *options = rows(parts(page, "##")["Options"])
    assert header[0] == "option"
    assert [title for title, *_ in options] == titles


REFUSAL = re.compile(r'Refusal\(\s*"\w+",\s*"([^"]+)"|^    ruling(?:: \w+)? = "([^"]+)"', flags=re.M)


def refusal_rulings(package: Path) -> set[str]:
    """The rulings that the refusals in a package cite, those of its `Trading` included."""
    text = "\n".join(file.read_text() for file in package.rglob("*.py"))
    return {refusal or trading for refusal, trading in REFUSAL.findall(text)}


@pytest.mark.parametrize("key", GAMES)
def test_a_rules_page_cites_the_ruling_behind_each_refusal(key: str) -> None:
    """The button "Why?" beside a refusal opens the rules at that ruling."""
    rulings = refusal_rulings(ROOT / "games" / key)
    page = set(re.findall(r"[A-Z]{3}-\d+", (ROOT / "games" / key / "RULES.md").read_text()))
    assert {ruling for ruling in rulings - page if not ruling.startswith("GEN-")} == set()


REFUSED = re.compile(r'Refusal\(\s*"(\w+)"')


@pytest.mark.parametrize("key", GAMES)
def test_a_rules_page_marks_the_answers_to_refusals_that_exist(key: str) -> None:
    """`<!-- why: ... -->` leads "Why?" to a passage, by the refusal's code (client-js/build/rules.ts)."""
    packages = ("kit", key)
    sources = [file.read_text() for name in packages for file in (ROOT / "games" / name).rglob("*.py")]
    refused = {code for source in sources for code in REFUSED.findall(source)}
    page = (ROOT / "games" / key / "RULES.md").read_text()
    marks = re.findall(r"<!-- (.*?) -->", page)
    assert [mark for mark in marks if not re.fullmatch(r"why:( [A-Z_]+)+", mark)] == []
    assert {code for mark in marks for code in mark.split()[1:]} - refused == set()


def test_the_rulings_of_refusals_are_found(tmp_path: Path) -> None:
    (tmp_path / "texts.py").write_text(
        'LOW = Refusal("LOW", "HAM-3")\nHIGH = Refusal(\n    "HIGH", "HAM-4", {}\n)\n'
    )
    (tmp_path / "deals.py").write_text('class Coins(Trading):\n    ruling = "HAM-5"\n')
    assert refusal_rulings(tmp_path) == {"HAM-3", "HAM-4", "HAM-5"}


def test_the_kits_refusals_cite_only_rulings_that_hold_in_every_game() -> None:
    assert refusal_rulings(ROOT / "games" / "kit") == {"GEN-4", "GEN-5"}


# --- the example game ---


def example() -> ModuleType:
    text = (ROOT / "docs" / "ADD_A_GAME.md").read_text()
    (source,) = re.findall(r"```python\n(.*?)```", text, flags=re.S)
    module = ModuleType("odd_one_out")
    sys.modules[module.__name__] = module
    exec(compile(source, "docs/ADD_A_GAME.md", "exec"), vars(module))
    return module


def test_the_example_of_a_game_conforms() -> None:
    conformance.conform(example().GAME, cases=20, limit=20)


def test_the_example_of_a_game_is_short() -> None:
    text = (ROOT / "docs" / "ADD_A_GAME.md").read_text()
    (source,) = re.findall(r"```python\n(.*?)```", text, flags=re.S)
    assert len(source.splitlines()) <= 120


# --- links ---


PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "deploy").rglob("*.md")),
]


@pytest.mark.parametrize("page", [str(path.relative_to(ROOT)) for path in PAGES])
def test_links_lead_somewhere(page: str) -> None:
    path = ROOT / page
    text = re.sub(r"```.*?```", "", path.read_text(), flags=re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith("http"):
            continue
        file, _, anchor = target.partition("#")
        there = (path.parent / file).resolve() if file else path
        assert there.exists(), target
        if anchor:
            titles = re.findall(r"^#+ (.*)", there.read_text(), flags=re.M)
            slugs = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
            assert anchor in slugs, target


def test_decisions_are_numbered_without_gaps() -> None:
    files = sorted((ROOT / "docs" / "adr").glob("*.md"))
    for number, file in enumerate(files, start=1):
        assert file.name.startswith(f"{number:04}-"), file.name
        assert file.read_text().startswith(f"# {number}. "), file.name


def test_every_line_of_the_table_is_there() -> None:
    text = MESSAGES["view"]
    for key in table_change.TEXTS:
        assert f"`{key.removeprefix('table.')}`" in text, key
