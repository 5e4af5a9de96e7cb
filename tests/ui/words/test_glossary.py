"""One word for each thing that is paid and does nothing: in tips, in Help, and the same in the guide."""

import re
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QLabel

import gpuplanner
from docs.list_texts import texts
from gpuplanner.ui.window.about import GlossaryDialog
from gpuplanner.ui.words.glossary import INACTIVE, UNUSED, WORDS, meaning

ROOT = Path(gpuplanner.__path__[0])
GUIDE = (ROOT.parent / "docs" / "guide.md").read_text(encoding="utf-8")
SYNONYMS = re.compile(
    r"[\"\'][^\"\'\n]*\b(unallocated|paid and not used|paid, not used|wasted?|leftover)\b[^\"\'\n]*[\"\']",
    re.I,
)


def test_the_guide_says_every_word_as_the_window_does() -> None:
    section = GUIDE.split("## Words\n", 1)[1].split("\n## ", 1)[0]
    rows = dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", section, flags=re.M))
    assert {str(word): rows.get(str(word)) for word in WORDS} == {
        str(word): str(said) for word, said in WORDS.items()
    }


def test_help_lists_every_word_and_all_can_be_translated(qapp: QApplication) -> None:
    dialog = GlossaryDialog()
    told = {label.text() for label in dialog.findChildren(QLabel)}
    assert set(map(str, {*WORDS, *WORDS.values()})) <= told
    assert set(map(str, {*WORDS, *WORDS.values()})) <= set(texts())


def test_a_tip_is_made_of_the_same_sentences() -> None:
    assert meaning(UNUSED, INACTIVE) == f"Unused: {WORDS[UNUSED]}\nInactive: {WORDS[INACTIVE]}"


FOUND_BY = ROOT / "ui" / "frame" / "palette_entries.py"
"""Holds what people may type to find a command: their words, not ours."""


@pytest.mark.parametrize(
    "path", sorted({*(ROOT / "ui").rglob("*.py")} - {FOUND_BY}), ids=lambda path: path.stem
)
def test_no_other_word_is_written_for_them(path: Path) -> None:
    source = re.sub(r'""".*?"""', "", path.read_text(encoding="utf-8"), flags=re.S)
    found = [hit.group(0) for hit in SYNONYMS.finditer(source) if "_" not in hit.group(0)]
    assert found == []
