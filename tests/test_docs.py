"""The documents are correct: the protocol is complete, its examples work, no setting or metric is missing."""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import msgspec
import pytest
from starlette.routing import Route

from games import GAMES
from games.api import Bound, Multiset, OneOf, Outcome, PerSeat, Range, Subset, TalkPolicy
from games.testing import conformance
from hub.config import Config, Exit
from hub.net.http import api, rooms
from hub.runtime import placement
from hub.table import table_change
from hub.table.records import End, Header, Name, Names, Row
from hub.table.replay import EntryKind
from hub.telemetry.metrics import Metrics
from hub.wire import codec
from hub.wire import messages as m
from hub.wire.limits import Limiter
from hub.wire.tickets import Signer
from tests.harness.defaults import DEFAULTS, make_request_limits
from tests.toy import registry

ROOT = Path(__file__).resolve().parent.parent
PROTOCOL = (ROOT / "docs" / "PROTOCOL.md").read_text()
SPEC = (ROOT / "docs" / "SPEC.md").read_text()
OPERATIONS = (ROOT / "docs" / "OPERATIONS.md").read_text()

TO_HUB: tuple[Any, ...] = get_args(m.ToHub)
TO_CLIENT: tuple[Any, ...] = get_args(m.ToClient)
KINDS: Mapping[str, Any] = {kind.__struct_config__.tag: kind for kind in (*TO_HUB, *TO_CLIENT)}


def parts(text: str, level: str) -> dict[str, str]:
    """The text under each heading of a level, up to the next heading of that level or above."""
    sections = {}
    for piece in re.split(rf"^(?={level} )", text, flags=re.M)[1:]:
        title, _, body = piece.partition("\n")
        above = re.search(rf"^#{{1,{len(level)}}} ", body, flags=re.M)
        sections[title.removeprefix(level).strip().strip("`")] = body[: above.start()] if above else body
    return sections


def rows(text: str) -> Iterator[list[str]]:
    """The rows of every table in some Markdown, without the header rows."""
    for line in text.splitlines():
        if line.startswith("|") and not set(line) <= set("|- "):
            yield [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def first_cells(text: str) -> set[str]:
    """The names in backticks in the first column of the tables in some Markdown."""
    return {name for row in rows(text) for name in re.findall(r"`([^`]+)`", row[0])}


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


def test_close_codes() -> None:
    documented = {int(row[0]): row[1] for row in rows(SOCKET["Close codes"]) if row[0].isdigit()}
    assert documented == dict(m.CLOSE_CODES)


def test_every_code_is_sent_somewhere() -> None:
    """Each code is in the hub's sources: a close code as a number, a refusal's in the call that refuses."""
    files = sorted(file for file in (ROOT / "hub").rglob("*.py") if file.name != "messages.py")
    source = "".join(file.read_text() for file in files)
    closing = {int(number) for number in re.findall(r"\b[14]\d{3}\b", source)}
    refusing = set(re.findall(r'(?:Refusal|_refuse)\([^")]*"([A-Z_]+)"', source))
    assert set(m.CLOSE_CODES) <= closing
    assert set(m.HUB_REFUSALS) <= refusing


def test_refusals() -> None:
    documented = {row[0].strip("`"): row[1] for row in rows(SOCKET["Refusals"]) if row[0].startswith("`")}
    assert documented == dict(m.HUB_REFUSALS)


def test_errors() -> None:
    """The codec's errors with their close codes, and those a connection sends, found in its source."""
    source = (ROOT / "hub" / "net" / "connection.py").read_text()
    in_code = {code: int(close) for close, code in re.findall(r'_fail\((\d+), "([A-Z_]+)"', source)}
    assert in_code
    expected = {**codec.BAD_FRAMES, **in_code}
    documented = {
        row[0].strip("`"): int(row[1]) if row[1] else None
        for row in rows(SOCKET["Errors"])
        if row[0].startswith("`")
    }
    assert documented == {**expected, "BAD_TICKET": 4003}
    assert set(expected.values()) <= {*m.CLOSE_CODES, None}


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
    routes = {
        (method, re.sub(r":\w+", "", route.path))
        for route in handlers().routes()
        if isinstance(route, Route)
        for method in route.methods or ()
        if method != "HEAD"
    }
    assert routes <= documented
    assert documented <= routes


def test_every_http_error_is_there() -> None:
    """Each code found in the source of the API; only operators' own page and command see theirs."""
    table = parts(PROTOCOL, "###")["Errors over HTTP"]
    documented = {
        (int(row[0]), code)
        for row in rows(table)
        if row[0].isdigit()
        for code in re.findall(r"`([A-Z_]+)`", row[1])
    }
    files = sorted((ROOT / "hub" / "net" / "http").glob("*.py"))
    source = "".join(file.read_text() for file in files if not file.name.startswith("admin"))
    in_code = {
        (int(status), code)
        for status, code in re.findall(r'(?:ApiError|error_response)\(\s*(\d+),\s*"([A-Z_]+)"', source)
    }
    assert len(in_code) > 15
    assert in_code <= documented
    unknown = set(re.findall(r'authentication_error\("([A-Z_]+)"', source))
    assert unknown
    assert {(401, code) for code in unknown} <= documented
    refused = re.findall(r"[A-Z_]{5,}", placement.RefusedPlace.__doc__ or "")
    assert set(refused) <= {code for _, code in documented}
    assert {(404, "NOT_FOUND"), (405, "METHOD_NOT_ALLOWED")} <= documented


def test_every_field_of_a_request_is_there() -> None:
    http = parts(PROTOCOL, "##")["HTTP"]
    bodies = {row[0]: row[1] for row in rows(http) if len(row) == 3}
    for request, kind in (
        ("`POST /api/people`", api.NewPerson),
        ("`POST /api/rooms` **token**", rooms.NewRoom),
    ):
        assert all(f"`{field}`" in bodies[request] for field in fields(kind))


def test_limits() -> None:
    limits = make_request_limits(lambda: 0)
    numbers = {
        name: (limiter._rate, limiter._burst)
        for name, limiter in vars(limits).items()
        if isinstance(limiter, Limiter)
    }
    assert numbers == {
        "_requests": (20, 200),
        "_people": (0.5, 40),
        "_places": (2, 60),
        "_tables": (0.2, 20),
        "_network_tables": (2, 40),
        "_reports": (5 / 3600, 5),
        "_site_reports": (10 / 3600, 10),
        "_site_wrong_codes": (100 / 3600, 100),
        "_hub_reports": (100 / 3600, 100),
        "_network_wrong_codes": (30 / 3600, 30),
        "_wrong_codes": (1000 / 3600, 1000),
    }, "docs/PROTOCOL.md, Limits, names these numbers"


def test_records() -> None:
    text = parts(PROTOCOL, "##")["Records"]
    for kind in (Header, Row, End, Name, Names):
        assert all(f"`{field}`" in text for field in fields(kind)), kind
    assert set(get_args(EntryKind)) == {row[0].strip("`") for row in rows(text) if row[0].startswith("`")}


# --- operations ---


def test_every_setting_is_there() -> None:
    table = parts(OPERATIONS, "##")["Settings"]
    assert first_cells(table) == {f"PARLEY_{name.upper()}" for name in Config.model_fields}
    for row in rows(table):
        field = Config.model_fields.get(row[0].strip("`").removeprefix("PARLEY_").lower())
        if field is not None and isinstance(field.default, tuple) and field.default:
            assert row[2] == f"`{'/'.join(map(str, field.default))}`"
        if field is not None and isinstance(field.default, str | int | float) and field.default is not None:
            assert (
                row[2] == f"`{field.default:g}`" if isinstance(field.default, float) else f"`{field.default}`"
            )


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


def cited() -> dict[str, set[str]]:
    """Every rule id in a docstring of a test, with the files that cite it."""
    citations: dict[str, set[str]] = {}
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
                for rule in RULE.findall(ast.get_docstring(node) or ""):
                    citations.setdefault(rule, set()).add(path.name)
    return citations


def test_rules_have_one_id_each() -> None:
    ids = spec_ids()
    assert len(ids) > 80
    assert len(set(ids)) == len(ids)


def test_tests_cite_rules_there_are() -> None:
    known = set(spec_ids())
    assert set(RULE.findall(SECURITY_MODEL)) <= known
    assert {rule: files for rule, files in cited().items() if rule not in known} == {}


# --- the security model ---

SECURITY_MODEL = (ROOT / "docs" / "SECURITY_MODEL.md").read_text()
CITED_TEST = re.compile(r"`([^`]+\.(?:py|ts))::([^`]+)`")


def has_test(path: str, name: str) -> bool:
    """True if a test is there: a function of tests/, or a title of client-js/tests/."""
    file = ROOT / path if path.startswith("client-js/") else ROOT / "tests" / path
    text = file.read_text() if file.is_file() else ""
    pattern = rf"def {name}\(" if path.endswith(".py") else rf"'{re.escape(name)}'"
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
    assert not has_test("client-js/tests/unit/salts.test.ts", "is")


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
