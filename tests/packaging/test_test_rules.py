"""The rules of tests: what breaks the budget, and what counts as quoting a sentence."""

import ast
from types import ModuleType

import pytest

from tests.packaging.scripts import load_script


@pytest.fixture(scope="module")
def rules() -> ModuleType:
    return load_script("test_rules")


def row(test: str, processor_s: float, reason: str = "") -> dict[str, str]:
    return {"test": test, "processor_s": str(processor_s), "reason": reason}


def test_a_cheap_test_in_a_measured_file_breaks_nothing(rules: ModuleType) -> None:
    rows = [row("tests/a.py::test_a", 0.34), row("fixture tests/a.py::window", 2.0)]
    assert rules.broken_budget(rows, ["tests/a.py"]) == []


@pytest.mark.parametrize(
    ("rows", "names"),
    [
        ([row("tests/b.py::test_b", 0.1)], "tests/a.py"),
        ([row("tests/a.py::test_a", 0.35)], "test_a costs 0.35"),
        ([row("fixture tests/a.py::demo", 601.0)], "601"),
        ([row(f"tests/a.py::test_{n}", 0.35, "a law of all worlds") for n in range(151)], "151"),
    ],
)
def test_each_rule_of_the_budget_can_break(rules: ModuleType, rows: list[dict[str, str]], names: str) -> None:
    (line,) = rules.broken_budget(rows, ["tests/a.py"])
    assert names in line


def test_150_expensive_tests_with_a_reason_are_in_the_budget(rules: ModuleType) -> None:
    rows = [row(f"tests/a.py::test_{n}", 0.35, "a law of all worlds") for n in range(150)]
    assert rules.broken_budget(rows, ["tests/a.py"]) == []


SENTENCE = "the contract ends soon"


@pytest.mark.parametrize(
    ("body", "is_quoting"),
    [
        (f"assert text == {SENTENCE!r}", True),
        (f"assert {SENTENCE!r} in text", True),
        (f"assert text.startswith({SENTENCE!r})", True),
        (f"assert text == f'{SENTENCE} {{day}}'", True),
        (f"expected = [{SENTENCE!r}]\n    assert texts == expected", True),
        (f"with raises(ValueError, match={SENTENCE!r}):\n        pass", True),
        ("assert text == 'the contract ends'", False),
        ("assert text == 'H100 GPU-hours $716,525 PO-108004'", False),
        (f"assert ask({SENTENCE!r}).status == 0", False),
        (f"ask({SENTENCE!r})", False),
        (f"assert rows[{SENTENCE!r}] == 4", False),
    ],
)
def test_what_quotes_a_sentence(rules: ModuleType, body: str, is_quoting: bool) -> None:
    names = rules.quoting_tests(ast.parse(f"def test_it():\n    {body}\n"))
    assert names == (["test_it"] if is_quoting else [])


def test_only_so_many_test_functions_quote_a_sentence(rules: ModuleType) -> None:
    assert rules.too_many_sentences(["test"] * rules.QUOTING_TESTS) == []
    assert len(rules.too_many_sentences(["test"] * (rules.QUOTING_TESTS + 1))) == 1
