"""Brings the catalogues of the window's texts up to date: a template, and each language with what is translated so far.

    python docs/list_texts.py

Writes translations/gpuplanner.ts (the template) and gpuplanner_LANGUAGE.ts, which Qt Linguist opens, and of each
language the resources/translations/gpuplanner_LANGUAGE.qm that the window loads; says what is not translated yet. A new
language begins as a copy of the template under its name. Texts with places or plural forms:
docs/decisions/0012-texts-for-translation.md.
"""

import ast
import csv
import subprocess
import sys
from collections.abc import Iterator, Mapping, Set
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple
from xml.etree import ElementTree
from xml.sax.saxutils import escape

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from gpuplanner.charts.kit.translation import CONTEXT, shorter_forms
from gpuplanner.domain.message import Message, Text
from gpuplanner.domain.model.book.offer import PriceCase
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.sources.issue_texts import ISSUE_TEXTS
from gpuplanner.files.system.user_files import resource_path
from gpuplanner.ui.words.commands import COMMANDS, MENUS

ROOT = Path(__file__).resolve().parent.parent / "gpuplanner"
NAMES_OF_TR = ("tr",)
"""What translates a text."""
TOLD_FIRST = (*NAMES_OF_TR, "worded", "worded_both", "Column", "Filled", "TraceColumn")
"""Whose first argument is a text: what is asked for, marked, or translates it itself (headings of columns)."""
IN_BOTH = ("worded_both",)
"""Whose second argument is the wording of the window."""
NOT_SHOWN = "files"
"""The layer whose columns are those of files."""
BY_NUMBER = ("by_count", "worded_count", "worded_whole")
"""Whose second and third argument are the English forms of one text; it is listed by the third."""
COUNTED = ("counted",)
"""What is told a noun, and its plural where that is not one with an s: `counted(3, "job")`."""
ASKING = ("ask", "ask_text", "Question")
"""What translates the answers that it is told."""
WORDS_OF_THE_MODEL: tuple[type[StrEnum], ...] = (Pool, PriceCase)
"""Enumerations whose values stand in sentences."""
COLUMNS_OF_WORDS = {
    "assumption_groups.csv": ("title",),
    "class_pods.csv": ("reason",),
    "class_rules.csv": ("subtype", "reason"),
    "class_scores.csv": ("subtype", "reason"),
    "date_verbs.csv": ("heading", "field", "button", "note"),
    "file_kinds.csv": ("title", "read_as"),
    "glossary.csv": ("term", "meaning"),
    "known_listings.csv": ("what", "remedy"),
    "named_words.csv": ("words",),
    "other_readings.csv": ("words", "meaning"),
    "plan_steps.csv": ("name", "note", "tip"),
    "question_figures.csv": ("title",),
    "report_words.csv": ("what", "remedy"),
    "request_forms.csv": ("why",),
    "sliders.csv": ("title", "short", "tip"),
    "stated_figures.csv": ("plural",),
    "view_keys.csv": ("place", "what", "keys"),
    "views.csv": ("title", "tip"),
}
"""Columns of resources/ that are shown: what a workload is called, and why; what is wrong with a file; what a listing
is that holds no jobs; how else a column may be read, and figures that files state."""


OWN_MEANING = frozenset(
    (
        *("Back", "Change…", "Demand", "Duration", "Edit…", "From", "Hide", "Hindsight"),
        *("Notice", "Open", "Owner", "Quote", "Steps", "To"),
    )
)
"""Texts with another meaning than their form in lower case or without dots."""


def texts() -> list[str]:
    """Every text that `tr` is asked for, in the order of the window, each once."""
    found: list[Text] = [*MENUS, TODAY]
    for command in COMMANDS:
        found += [command.parent, command.name, command.tip, command.also]
    found += [member.value for words in WORDS_OF_THE_MODEL for member in words]
    for what, remedy in ISSUE_TEXTS.values():
        found += [what, remedy, remedy.window]
    found += [*words_in_code().in_calls, *words_in_code().of_window, *words_in_tables(), *plurals()]
    templates = dict.fromkeys(text.template if isinstance(text, Message) else text for text in found)
    alone = templates.keys() - {*plurals()}
    shown = (text for text in templates if any(map(str.isalpha, text)) and not _is_name(text))
    return [text for text in shown if not _is_made(text, alone)]


def _is_name(text: str) -> bool:
    """Return whether a text is an option or a field, which is the same in every language: `--map-model`, `rate_usd`."""
    return text.startswith("--") or (text.isidentifier() and "_" in text)


def _is_made(text: str, alone: Set[str]) -> bool:
    """Whether the window makes a text from a shorter form that is listed. alone: the texts without plural forms."""
    forms = {*shorter_forms(text)} - {text}
    return text in alone and text not in OWN_MEANING and not forms.isdisjoint(alone)


def unlisted(asked: Set[str]) -> set[str]:
    """Those of `asked` that the catalogue has in no form."""
    listed = {*texts()}
    return {text for text in asked if listed.isdisjoint((text, *shorter_forms(text)))}


def plurals() -> list[str]:
    """Those of them that have a form for each number."""
    return list(dict.fromkeys(words_in_code().by_number))


class Written(NamedTuple):
    """Of all modules: the texts of calls, those with a form for each number, and wordings of the window."""

    in_calls: tuple[str, ...]
    by_number: tuple[str, ...]
    of_window: tuple[str, ...]


@cache  # to read every module takes seconds
def words_in_code() -> Written:
    """The words that are written out, or named by a constant of the module, where they are translated or marked."""
    in_calls: list[str] = []
    by_number: list[str] = []
    of_window: list[str] = []
    for path in sorted(ROOT.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        named = constants_of(tree)
        for node in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            in_calls += _told(node, named, path.relative_to(ROOT).parts)
            by_number += _plurals(node)
            if called_in(node) in IN_BOTH and len(node.args) > 1:
                of_window += _words(node.args[1], named)
    return Written(tuple(in_calls), tuple(by_number), tuple(of_window))


def _told(node: ast.Call, named: dict[str, str], parts: tuple[str, ...]) -> Iterator[str]:
    called = called_in(node)
    if called in TOLD_FIRST and not (called == "Column" and NOT_SHOWN in parts):
        is_column = called.endswith(("Column", "Filled"))
        titles = [word.value for word in node.keywords if is_column and word.arg in ("title", "heading")]
        for text in (*node.args[:1], *titles):
            yield from _words(text, named)
    elif called in ASKING and "ui" in parts:
        for one in node.args[1:]:
            yield from (word for each in ast.walk(one) for word in _words(each, named))


def words_in_tables() -> Iterator[str]:
    """What columns of resources say."""
    for name, columns in COLUMNS_OF_WORDS.items():
        with resource_path(name).open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                yield from (row[column] for column in columns)


def called_in(node: ast.Call) -> str:
    """The name of what is called: `counted` of `numbers.counted(...)`."""
    of = node.func
    return of.id if isinstance(of, ast.Name) else of.attr if isinstance(of, ast.Attribute) else ""


def _plurals(node: ast.Call) -> Iterator[str]:
    called, told = called_in(node), [_literal(one) for one in node.args]
    if called in BY_NUMBER and len(told) > 2 and told[2]:
        yield told[2]
    elif called in COUNTED and len(told) > 1 and told[1]:
        yield "{count} " + ((told[2] if len(told) > 2 else "") or told[1] + "s")


def _literal(node: ast.AST) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def constants_of(tree: ast.Module) -> dict[str, str]:
    """Texts that a module names at its top."""
    found: dict[str, str] = {}
    for line in tree.body:
        if isinstance(line, ast.Assign | ast.AnnAssign) and isinstance(line.value, ast.Constant):
            targets = line.targets if isinstance(line, ast.Assign) else [line.target]
            if isinstance(line.value.value, str):
                found |= {one.id: line.value.value for one in targets if isinstance(one, ast.Name)}
    return found


def _words(node: ast.AST, named: dict[str, str]) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.Name) and node.id in named:
        yield named[node.id]


CATALOGUES: Final = ROOT.parent / "translations"
COMPILED: Final = ROOT.parent / "resources" / "translations"
Forms = tuple[str, ...]
"""A text in another language: in each of its forms, where the text has one for each number; else alone."""


def ts(language: str = "", translated: Mapping[str, Forms] | None = None) -> str:
    """A catalogue with what is translated; what is not stands there unfinished. language: none of the template."""
    many = set(plurals())
    messages = "\n".join(_message(text, text in many, (translated or {}).get(text, ())) for text in texts())
    of = f' language="{language}"' if language else ""
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n'
        f'<TS version="2.1"{of} sourcelanguage="en_US">\n<context>\n  <name>{CONTEXT}</name>\n'
        f"{messages}\n</context>\n</TS>\n"
    )


def _message(text: str, has_forms: bool, forms: Forms) -> str:
    is_done = len(forms) == 1 + has_forms and all(forms)
    escaped = [escape(form) for form in (forms if is_done else ("",) * (1 + has_forms))]
    inside = "".join(f"<numerusform>{form}</numerusform>" for form in escaped) if has_forms else escaped[0]
    numerus, unfinished = ' numerus="yes"' if has_forms else "", "" if is_done else ' type="unfinished"'
    translation = f"<translation{unfinished}>{inside}</translation>"
    return f"  <message{numerus}><source>{escape(text)}</source>{translation}</message>"


def translated_in(catalogue: Path) -> dict[str, Forms]:
    """What a catalogue has words for: text -> its forms."""
    found = {}
    for message in ElementTree.parse(catalogue).iter("message"):
        translation = message.find("translation")
        assert translation is not None
        forms = tuple(form.text or "" for form in translation.iter("numerusform")) or (
            translation.text or "",
        )
        if all(forms):
            found[message.findtext("source", "")] = forms
    return found


def main() -> None:
    """Write them all; each language says what it has no words for yet."""
    (CATALOGUES / "gpuplanner.ts").write_text(ts(), encoding="utf-8")
    for catalogue in sorted(CATALOGUES.glob("gpuplanner_*.ts")):
        translated = translated_in(catalogue)
        catalogue.write_text(ts(catalogue.stem.partition("_")[2], translated), encoding="utf-8")
        tool = Path(sys.executable).with_name("pyside6-lrelease")
        compiled = COMPILED / f"{catalogue.stem}.qm"
        subprocess.run([tool, "-silent", catalogue, "-qm", compiled], check=True)
        missing = [text for text in texts() if text not in translated]
        print(
            f"{catalogue.name}: {len(texts()):,} texts, {len(missing):,} without words",
            *missing[:20],
            sep="\n  ",
        )


if __name__ == "__main__":
    main()
