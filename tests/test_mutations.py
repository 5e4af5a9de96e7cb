"""Random mutations: what is drawn, what each kind changes, and how survivors are reported."""

from pathlib import Path

import pytest

from tests.mutations import (
    OUT_OF_TIME,
    RED,
    ROOT,
    SURVIVED,
    Mutation,
    Tree,
    computing_modules,
    draw,
    mutations,
    room_tests,
    tried,
)

MODULE = "gpuplanner/domain/limits.py"


def changes(source: str) -> set[str]:
    return {mutation.change for mutation in mutations(MODULE, source.encode())}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a < b", {"< → <=", "< → >="}),
        ("a >= b", {">= → >", ">= → <"}),
        ("a == b != c", {"== → !=", "!= → =="}),
        ("a is b", {"is → is not"}),
        ("a not in b", {"not in → in"}),
        ("a + b * c", {"+ → -", "* → /"}),
        ("a // b", {"// → *"}),
        ("a | b", {"| → &"}),
        ("a -= b", {"-= → +="}),
        ("(a and\n b) and c", {"and → or"}),
        ("not a", {"not →"}),
        ("-a", {"- → +"}),
        ("a = 7", {"7 → 8"}),
        ("a = 0.5", {"0.5 → 1.0"}),
        ("a = True", {"True → False"}),
        ("b if a else c", {"a → (not (a))"}),
        ("[b for b in c if b]", {"b → (not (b))"}),
        ("def f():\n    return a", {"a → None"}),
    ],
)
def test_each_kind_of_code_has_its_changes(source: str, expected: set[str]) -> None:
    assert changes(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        '"""Texts with 7 < 8."""',
        "f'{a + 1}'",
        "'a' + b",
        "raise ValueError(7)",
        "assert a < 7",
        "if TYPE_CHECKING:\n    a = 7",
        "Row = dict[str, int] | None",
        "a: tuple[int, int] | None",
        "def f(a: int | None) -> str | None: ...",
        "class A:\n    def __repr__(self): return 7",
        "@cache(7)\ndef f(): ...",
        "zip(a, b, strict=True)",
        "def f():\n    return None",
    ],
)
def test_texts_types_and_guards_have_none(source: str) -> None:
    assert changes(source) == set()


def test_every_mutation_compiles_to_other_code() -> None:
    for path in ("gpuplanner/domain/model/window.py", "gpuplanner/files/tables/layout.py"):
        source = (ROOT / path).read_bytes()
        code = compile(source, path, "exec")
        found = mutations(path, source)
        assert len(found) > 30
        assert all(compile(mutation.applied(source), path, "exec") != code for mutation in found)


def test_a_draw_depends_on_its_seed_alone() -> None:
    path = "gpuplanner/files/tables/layout.py"
    drawn = draw(1, 20, only=path)
    assert drawn == draw(1, 20, only=path) != draw(2, 20, only=path)
    assert len({(mutation.path, mutation.start) for mutation in drawn}) == 20
    assert all(mutation.path.startswith(path) for mutation in drawn)


def test_modules_that_compute_are_drawn_from() -> None:
    paths = computing_modules()
    assert {"gpuplanner/domain/evaluation.py", "gpuplanner/files/values/numbers.py"} <= set(paths)
    without = ("gpuplanner/ui/", "gpuplanner/files/workbook/", "gpuplanner/domain/message.py")
    assert not [path for path in paths if path.startswith(without) or path.endswith("__init__.py")]


def test_the_likely_tests_of_a_room_come_first() -> None:
    likely, others = room_tests("gpuplanner/files/tables/json_table.py", ROOT)
    assert likely[0] == "tests/files/tables/test_json_table.py"
    assert "tests/files/tables/test_delimited.py" in others


# --- A project of one room

LIMITS = '''"""Limits."""


def is_over(gpus: int, limit: int = 8) -> bool:
    """Return whether there are more GPUs than a limit."""
    return gpus > limit


def count(limit: int) -> int:
    gpus = 0
    while gpus < limit:
        gpus += 1
    return gpus
'''
TEST = """from gpuplanner.domain.limits import count, is_over


def test_limit():
    assert is_over(9) and not is_over(7)
    assert count(3) == 3
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("project")
    for folder, name, text in (("gpuplanner", "limits.py", LIMITS), ("tests", "test_limits.py", TEST)):
        (root / folder / "domain").mkdir(parents=True)
        (root / folder / "domain" / name).write_text(text)
    for package in ("gpuplanner", "gpuplanner/domain"):  # else the installed package would be imported
        (root / package / "__init__.py").touch()
    (root / "pyproject.toml").write_text("[tool.pytest.ini_options]\naddopts = ['--import-mode=importlib']\n")
    return root


def of_limits(line: int, after: str) -> Mutation:
    (mutation,) = [
        mutation
        for mutation in mutations(MODULE, LIMITS.encode())
        if (mutation.line, mutation.after) == (line, after)
    ]
    return mutation


@pytest.mark.long
def test_a_survivor_is_reported_and_the_tree_is_as_before(project: Path, tmp_path: Path) -> None:
    """Nothing tests exactly eight GPUs, so that the other bound survives; the opposite is caught."""
    tree = Tree(tmp_path, project)
    drawn = [of_limits(6, ">="), of_limits(6, "<=")]
    rows: list[str] = []
    survivor, caught = tried(drawn, [tree], 60.0, lambda trial: rows.append(trial.row()))
    assert (survivor.caught_by, survivor.is_caught) == (SURVIVED, False)
    assert (caught.caught_by, caught.is_caught) == ("tests/domain/test_limits.py::test_limit", True)
    assert [row.split("\t")[:3] for row in rows] == [
        [f"{MODULE}:6", "> → >=", SURVIVED],
        [f"{MODULE}:6", "> → <=", "tests/domain/test_limits.py::test_limit"],
    ]
    assert (tree.root / MODULE).read_text() == (project / MODULE).read_text() == LIMITS


@pytest.mark.long
def test_an_endless_loop_is_caught_by_the_time_limit(project: Path, tmp_path: Path) -> None:
    assert Tree(tmp_path, project).caught_by(of_limits(12, "-="), 5.0) == OUT_OF_TIME


@pytest.mark.long
def test_a_test_that_fails_without_a_mutation_catches_nothing(project: Path, tmp_path: Path) -> None:
    tree = Tree(tmp_path, project)
    (tree.root / "tests/domain/test_limits.py").write_text(TEST.replace("== 3", "== 4"))
    (trial,) = tried([of_limits(6, ">=")], [tree], 60.0, lambda trial: None)
    assert trial.caught_by == f"tests/domain/test_limits.py::test_limit {RED}"
    assert not trial.is_caught
