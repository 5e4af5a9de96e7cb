"""No word of a widget passes the translator by, alone or with figures in it; none is asked for too early."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import gpuplanner
from docs.list_texts import NAMES_OF_TR, constants_of, texts
from gpuplanner.domain.message import Message
from gpuplanner.ui.importing.columns_page import FIELD_WORDS
from gpuplanner.ui.kit.term_values import TERM_TITLES

ROOT = Path(gpuplanner.__path__[0])
MODULES = sorted([*(ROOT / "ui").rglob("*.py"), *(ROOT / "charts").rglob("*.py")])
TAKE_WORDS = frozenset(
    (
        "PlainLabel", "QPushButton", "QToolButton", "QCheckBox", "QRadioButton", "QGroupBox", "setText",
        "setAccessibleName", "FigureTable", "RowList", "setAccessibleDescription", "setPlaceholderText",
        "setWindowTitle", "addItem", "setTitle", "addMenu", "heading_label", "muted_label",
    )
)  # fmt: skip
"""Widgets and their functions whose first argument is seen or spoken."""
NAMES_OF_WORDS = ("title", "text", "words", "label", "tip", "question", "answer", "heading")
"""Parameters of them that take such words by name."""
TAKE_WORDS_AT = {
    "ask": (1, 2), "ask_text": (1, 2), "Question": (1, 2), "ProgressDialog": (0,), "_show_progress_of": (0,),
    "say": (0,), "getOpenFileName": (1, 3), "getOpenFileNames": (1, 3), "getSaveFileName": (1, 3),
    "getExistingDirectory": (1,), "open_file": (1, 2), "open_files": (1, 2), "save_file": (1, 3), "open_folder": (1,),
    "addTab": (1,), "setTabText": (1,), "setTabToolTip": (1,), "setItemText": (1,), "addAction": (0,), "set_tip": (1,),
    "show_tip_at": (1,), "ask_fields": (1, 2),
    "setStatusTip": (0,), "setWhatsThis": (0,), "setSuffix": (0,), "setPrefix": (0,), "setSpecialValueText": (0,),
}  # fmt: skip
"""Others, and at which places they take such words: titles, sentences, filters of files."""
ID, OPTION = "the name of a gesture, which nobody reads", "an option of the command line"
AS_THEY_ARE = {
    ("ui/window/application.py", "gpuplanner: {}"): "printed where there is no window",
    ("ui/plans/assumptions_dialog.py", "--set {}=VALUE"): OPTION,
    ("ui/flows/session.py", "level {} {} {}"): ID,
    ("ui/flows/what_if_flow.py", "what if {}"): ID,
    (
        "ui/window/main_window.py",
        "{}[*] \u2013 gpuplanner",
    ): "a file and our name, with Qt's mark of what is not saved",
}
"""File and words that stay in English, and why."""


FILE_DIALOGS = (
    "getOpenFileName",
    "getOpenFileNames",
    "getSaveFileName",
    "getExistingDirectory",
    "open_file",
    "open_files",
    "save_file",
    "open_folder",
)
"""Qt's own functions: what is only marked (`worded`) is English to them."""


def bare_words(tree: ast.Module) -> Iterator[str]:
    """Words that a widget is told without a translation; a place for a figure is {}."""
    named, marked = constants_of(tree), marked_in(tree)
    helpers = _helpers(tree)
    for node in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        called = _called(node)
        if called in NAMES_OF_TR:
            continue
        told = node.args[:1] if called in TAKE_WORDS else []
        if called in TAKE_WORDS or called in TAKE_WORDS_AT:
            told += [keyword.value for keyword in node.keywords if keyword.arg in NAMES_OF_WORDS]
        places = (*helpers.get(called, ()), *TAKE_WORDS_AT.get(called, ()))
        told += [node.args[at] for at in places if at < len(node.args)]
        known = named | marked if called in FILE_DIALOGS else named
        for one in told:
            yield from (word for word in _bare(one, known) if re.search("[A-Za-z]{2}", word))


def marked_in(tree: ast.Module) -> dict[str, str]:
    """Names at the top of a module, or taken from another, that are in capitals and stand for marked words."""
    found = {}
    for line in tree.body:
        if isinstance(line, ast.Assign | ast.AnnAssign) and isinstance(line.value, ast.Call):
            targets = line.targets if isinstance(line, ast.Assign) else [line.target]
            if _called(line.value) == "worded":
                found |= {
                    one.id: ast.unparse(line.value.args[0]) for one in targets if isinstance(one, ast.Name)
                }
    for line in (line for line in ast.walk(tree) if isinstance(line, ast.ImportFrom)):
        found |= {one.name: one.name for one in line.names if one.name.isupper()}
    return found


def sentences(tree: ast.Module) -> Iterator[str]:
    """Sentences that are put together with figures, wherever they stand: at least two words around a place.

    What names a thing (no space in it), what a shortcut is, and faults of the program are none.
    """
    faults = {
        id(one)
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise | ast.Assert)
        for one in ast.walk(node)
    }
    for node in (
        node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) and id(node) not in faults
    ):
        text = next(_bare(node, {}))
        plain = re.sub(r"<[^>]*>|&\w+;|\{\}", " ", text)
        if (
            " " in text.strip()
            and len(re.findall("[A-Za-z]{2,}", plain)) > 0
            and not re.match("(Ctrl|Alt)", text)
        ):
            yield text


def said_early(tree: ast.Module) -> Iterator[str]:
    """What is asked of the translator while a module is loaded, when no language is yet."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            waiting += [*node.args.defaults, *(one for one in node.args.kw_defaults if one is not None)]
            continue
        if isinstance(node, ast.Call) and _called(node) in (*NAMES_OF_TR, "spoken", "by_count"):
            yield ast.unparse(node)
        waiting += ast.iter_child_nodes(node)


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
    elif isinstance(node, ast.BoolOp):
        for one in node.values:
            yield from _bare(one, named)
    elif isinstance(node, ast.JoinedStr):
        yield "".join(one.value if isinstance(one, ast.Constant) else "{}" for one in node.values)
    elif isinstance(node, ast.BinOp):
        yield from _bare(node.left, named)
        yield from _bare(node.right, named)
    elif (
        isinstance(node, ast.Call)
        and _called(node) in ("format", "join")
        and isinstance(node.func, ast.Attribute)
    ):
        yield from _bare(node.func.value, named)


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


@pytest.fixture(scope="module")
def trees() -> dict[str, ast.Module]:
    """Each module, parsed, by its path."""
    return {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text("utf-8")) for path in MODULES}


@pytest.mark.long
def test_no_word_of_a_widget_passes_the_translator_by(trees: dict[str, ast.Module]) -> None:
    found = {(name, word) for name, tree in trees.items() for word in bare_words(tree)}
    assert len(MODULES) > 140 and found - set(AS_THEY_ARE) == set()


def test_what_is_let_through_is_still_there(trees: dict[str, ast.Module]) -> None:
    for name, word in AS_THEY_ARE:
        assert word in {*bare_words(trees[name]), *sentences(trees[name])}, (name, word)


@pytest.mark.long
def test_no_sentence_is_put_together_from_pieces(trees: dict[str, ast.Module]) -> None:
    found = {(name, text) for name, tree in trees.items() for text in sentences(tree)}
    assert found - set(AS_THEY_ARE) == set()


def test_nothing_is_said_before_a_language_is_loaded(trees: dict[str, ast.Module]) -> None:
    found = {name: [*said_early(tree)] for name, tree in trees.items()}
    assert {name: early for name, early in found.items() if early} == {}
    assert [*said_early(ast.parse('def f(x=tr("a")):\n    return tr("b")\nTEXT = tr("c")'))] == [
        "tr('c')",
        "tr('a')",
    ]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('set_tip(button, "Close (Esc)")', ["Close (Esc)"]),
        ('set_tip(button, tr("Close (Esc)"))', []),
        ('NOTHING = "Nothing yet"\nlabel.setText(NOTHING if empty else "")', ["Nothing yet"]),
        ('def _tool(words):\n    return QPushButton(words)\n_tool("Keep")', ["Keep"]),
        ('label.setText("%")', []),
        ('label.setText(f"{count} jobs")', ["{} jobs"]),
        ('label.setText("about " + left)', ["about "]),
        ('label.setText("{} jobs".format(count))', ["{} jobs"]),
        ('label.setText(tr("{count} jobs", count=count))', []),
        ('ask(self, "Really?", tr("All is lost."), ("Cancel", "Lose it"))', ["Really?"]),
        ('QFileDialog.getOpenFileName(self, tr("Open"), "", "Tables (*.csv)")', ["Tables (*.csv)"]),
        ('OF = worded("All (*)")\nQFileDialog.getOpenFileName(self, tr("Open"), "", OF)', ["'All (*)'"]),
        ('from a import OF\nQFileDialog.getOpenFileName(self, tr("Open"), "", OF)', ["OF"]),
        ('from a import OF\nQFileDialog.getOpenFileName(self, tr("Open"), "", tr(OF))', []),
    ],
)
def test_bare_words_are_found(source: str, found: list[str]) -> None:
    assert list(bare_words(ast.parse(source))) == found


def test_the_catalogue_has_the_words_of_dialogs_and_panels() -> None:
    assert {"Cancel", "Merge", "Take apart", "Copy as text", "Rates that count"} <= set(texts())


def test_the_names_of_fields_are_marked_for_the_translator() -> None:
    named = {**FIELD_WORDS, **{name: title for name, (title, _) in TERM_TITLES.items()}}
    assert [field for field, words in named.items() if not isinstance(words, Message)] == []
