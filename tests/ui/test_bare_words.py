"""No word of a widget passes the translator by: what is written out goes through `said`, or stands in a short list."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import gpuplanner
from docs.list_texts import NAMES_OF_SAID, constants_of, texts
from gpuplanner.charts.world_map import HELP

ROOT = Path(gpuplanner.__path__[0])
MODULES = sorted([*(ROOT / "ui").rglob("*.py"), *(ROOT / "charts").rglob("*.py")])
TAKE_WORDS = frozenset(
    (
        "QLabel", "QPushButton", "QToolButton", "QCheckBox", "QRadioButton", "QGroupBox", "setText", "setToolTip",
        "setAccessibleName", "FigureTable", "RowList", "setAccessibleDescription", "setPlaceholderText",
        "setWindowTitle", "addItem", "setTitle", "addMenu", "heading_label", "muted_label",
    )
)  # fmt: skip
"""Widgets and their functions whose first argument is seen or spoken."""
LEVEL = "Top edge of the layer. Up and Down change it by one block, with Shift by 8; Escape cancels a drag."
TOLD = "charts know no catalogue; their words are few"
AS_THEY_ARE = {
    ("charts/heatmap.py", "Heatmap of the week"): TOLD,
    ("charts/layer_handle.py", LEVEL): TOLD,
    ("charts/world_map.py", HELP): TOLD,
}
"""File and words that stay in English, and why."""


def bare_words(tree: ast.Module) -> Iterator[str]:
    """Words that a widget is told without a translation; those of sentences with figures in them are not found."""
    named = constants_of(tree)
    helpers = _helpers(tree)
    for node in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        called = _called(node)
        if called in NAMES_OF_SAID:
            continue
        told = node.args[:1] if called in TAKE_WORDS else []
        told += [node.args[at] for at in helpers.get(called, ()) if at < len(node.args)]
        for one in told:
            yield from (word for word in _bare(one, named) if re.search("[A-Za-z]{2}", word))


def _called(node: ast.Call) -> str:
    of = node.func
    return of.id if isinstance(of, ast.Name) else of.attr if isinstance(of, ast.Attribute) else ""


def _bare(node: ast.AST, named: dict[str, str]) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.Name) and node.id in named:
        yield named[node.id]
    elif isinstance(node, ast.IfExp):
        yield from _bare(node.body, named)
        yield from _bare(node.orelse, named)


def _helpers(tree: ast.Module) -> dict[str, set[int]]:
    """A module's own functions that hand an argument on to a widget: name -> places of such arguments."""
    found: dict[str, set[int]] = {}
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        told = [one.arg for one in function.args.args if one.arg != "self"]
        places = {
            told.index(node.args[0].id)
            for node in ast.walk(function)
            if isinstance(node, ast.Call) and node.args and _called(node) in TAKE_WORDS
            if isinstance(node.args[0], ast.Name) and node.args[0].id in told
        }
        if places and function.name.startswith("_") and function.name != "__init__":
            found[function.name] = places
    return found


def test_no_word_of_a_widget_passes_the_translator_by() -> None:
    found = [
        (name, word)
        for path in MODULES
        for name in (path.relative_to(ROOT).as_posix(),)
        for word in bare_words(ast.parse(path.read_text(encoding="utf-8")))
        if (name, word) not in AS_THEY_ARE
    ]
    assert len(MODULES) > 150 and found == []


def test_what_is_let_through_is_still_there() -> None:
    for name, word in AS_THEY_ARE:
        assert word in bare_words(ast.parse((ROOT / name).read_text(encoding="utf-8"))), (name, word)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('button.setToolTip("Close (Esc)")', ["Close (Esc)"]),
        ('button.setToolTip(said("Close (Esc)"))', []),
        ('NOTHING = "Nothing yet"\nlabel.setText(NOTHING if empty else "")', ["Nothing yet"]),
        ('def _tool(words):\n    return QPushButton(words)\n_tool("Keep")', ["Keep"]),
        ('label.setText("%")', []),
    ],
)
def test_bare_words_are_found(source: str, found: list[str]) -> None:
    assert list(bare_words(ast.parse(source))) == found


def test_the_catalogue_has_the_words_of_dialogs_and_panels() -> None:
    assert {"Cancel", "Merge", "Take apart", "Copy as text", "Rates that count"} <= set(texts())
