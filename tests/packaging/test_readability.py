"""The check of changed lines: which lines are changed, and which places are refused by each rule."""

from types import ModuleType

import pytest

from tests.packaging.scripts import load_script

DIFF = """diff --git a/gpuplanner/a.py b/gpuplanner/a.py
--- a/gpuplanner/a.py
+++ b/gpuplanner/a.py
@@ -1 +1 @@ class Plan:
@@ -4,0 +5,2 @@
@@ -9,3 +11,0 @@
diff --git a/gpuplanner/b.py b/gpuplanner/b.py
--- /dev/null
+++ b/gpuplanner/b.py
@@ -0,0 +1,3 @@
"""


@pytest.fixture(scope="module")
def readability() -> ModuleType:
    return load_script("readability")


def test_changed_lines_are_those_of_the_new_side(readability: ModuleType) -> None:
    assert readability.changed_lines(DIFF) == {"gpuplanner/a.py": {1, 5, 6}, "gpuplanner/b.py": {1, 2, 3}}


@pytest.mark.parametrize(
    ("rule", "text", "lines"),
    [
        ("unnamed_arguments", "Order(1, 2, 3, 4, 5)\n", [1]),
        ("unnamed_arguments", "\nresult._Layer(\n    1, 2, 3, 4, 5\n)\n", [2]),
        ("unnamed_arguments", "Order(1, 2, 3, 4, gpus=5)\n", []),
        ("unnamed_arguments", "Order(1, 2, 3, 4, *rest)\n", []),
        ("unnamed_arguments", "order(1, 2, 3, 4, 5)\n", []),
        ("unnamed_arguments", "Signal(str, str, int, int, float)\n", []),
        ("nested_conditionals", "rate = 1 if a else 2 if b else 3\n", [1]),
        ("nested_conditionals", "rate = (1 if a else 2) if b else 3\n", [1]),
        ("nested_conditionals", "rate = 1 if (a if b else c) else 3\n", [1]),
        ("nested_conditionals", "rate = 1 if a else 3\nterm = [2 if b else 4]\n", []),
        ("kept_from_formatter", "rows = [\n    1,\n]  # fmt: skip\n", [3]),
        ("kept_from_formatter", "text = '# fmt: skip'\n", []),
        ("empty_names", "def rate(one, other):\n    found = [it for it in other.said]\n", [1, 2, 2]),
        ("empty_names", "for at, contract in rows:\n    rate = contract.of\n", [1]),
    ],
)
def test_a_rule_yields_its_places(readability: ModuleType, rule: str, text: str, lines: list[int]) -> None:
    assert [fault.first_line for fault in getattr(readability, rule)(text)] == lines


def test_only_changed_lines_are_refused(readability: ModuleType) -> None:
    texts = {"a.py": "one = 1\ntwo = 2\nway = 3\n"}
    assert readability.refused(texts, {"a.py": {2}}) == []
    (line,) = readability.refused(texts, {"a.py": {2, 3}})
    assert line.startswith("a.py:3:") and "'way'" in line


def test_a_call_is_refused_when_any_of_its_lines_changed(readability: ModuleType) -> None:
    texts = {"a.py": "order = Order(\n    1,\n    2,\n    3,\n    4,\n    5,\n)\n"}
    (line,) = readability.refused(texts, {"a.py": {4}})
    assert line.startswith("a.py:1:") and "Order" in line
