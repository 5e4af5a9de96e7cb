"""Words that only those who made the program would know are not written for those who plan."""

import re
from pathlib import Path

import pytest

import gpuplanner
from docs.list_texts import texts

ROOT = Path(gpuplanner.__path__[0])
JARGON = re.compile(r"\b(regrets?|released when done|audit stay|month 0 counts for)\b", re.I)
WRITTEN_FOR_READERS = ("domain/brief", "cli", "files/workbook")


def test_no_text_of_the_window_has_them() -> None:
    assert [text for text in texts() if JARGON.search(text)] == []


@pytest.mark.parametrize("folder", WRITTEN_FOR_READERS)
def test_neither_have_the_brief_the_command_line_and_the_workbook(folder: str) -> None:
    found = []
    for path in sorted((ROOT / folder).rglob("*.py")):
        source = re.sub(r'""".*?"""', "", path.read_text(encoding="utf-8"), flags=re.S)
        found += [text for text in re.findall(r'"[^"\n]*"', source) if JARGON.search(text) and " " in text]
    assert found == []
