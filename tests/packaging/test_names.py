"""The check of names in changed lines: which lines are changed, which names are refused."""

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
def names() -> ModuleType:
    return load_script("names")


def test_changed_lines_are_those_of_the_new_side(names: ModuleType) -> None:
    assert names.changed_lines(DIFF) == {"gpuplanner/a.py": {1, 5, 6}, "gpuplanner/b.py": {1, 2, 3}}


def test_variables_and_parameters_are_names_and_attributes_are_none(names: ModuleType) -> None:
    text = "def rate(one, other):\n    found = [it for it in other.said]\n    return found\n"
    assert list(names.names_in(text)) == [(1, "one"), (2, "found"), (2, "it")]


def test_only_changed_lines_are_refused(names: ModuleType) -> None:
    texts = {"a.py": "one = 1\ntwo = 2\nway = 3\n"}
    assert names.refused(texts, {"a.py": {2}}) == []
    (line,) = names.refused(texts, {"a.py": {2, 3}})
    assert line.startswith("a.py:3:") and "'way'" in line
