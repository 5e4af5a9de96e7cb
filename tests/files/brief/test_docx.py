"""The brief for Word: every page from a new sheet on, native tables, amounts as in the other media."""

import zipfile
from dataclasses import replace
from datetime import datetime

import pytest
from docx import Document

from gpuplanner.domain.brief.briefs import brief_of
from gpuplanner.domain.brief.pages import TableBlock, TextBlock
from gpuplanner.domain.model.errors import Cancelled, PlannerError
from gpuplanner.files.brief.docx import PAPERS_IN, write_brief_docx
from gpuplanner.files.brief.sheets import AMBER, AMBER_GROUND, RED
from tests.files.workbook.evaluations import two_clusters_evaluated

WRITTEN_S = 1_767_916_800
"""The day that the plan of the project begins."""


@pytest.fixture(scope="module")
def brief():
    """The pages that are signed; the others are written in the same way."""
    made = brief_of(two_clusters_evaluated(), WRITTEN_S, "1.2.3")
    return replace(made, pages=tuple(page for page in made.pages if page.is_whole))


@pytest.fixture(scope="module")
def path(brief, tmp_path_factory):
    path = tmp_path_factory.mktemp("word") / "brief.docx"
    write_brief_docx(brief, path)
    return path


@pytest.fixture(scope="module")
def document(path):
    """The same, read; nobody changes it."""
    return Document(str(path))


def rows_of(table):
    return [[cell.text for cell in row.cells] for row in table.rows]


def test_every_table_is_native_and_whole(brief, document):
    blocks = [block for page in brief.pages for row in page.rows for block in row]
    tables = [block for block in blocks if isinstance(block, TableBlock)]
    wanted = [
        [[str(column.heading) for column in block.columns], *([*map(str, row)] for row in block.rows)]
        + ([[*map(str, block.total)]] if block.total else [])
        for block in tables
    ]
    written = [rows_of(table) for table in document.tables]
    assert [table for table in written if table in wanted] == wanted and len(wanted) > 5


def test_every_page_begins_a_sheet_with_its_title(brief, document):
    titles = [one for one in document.paragraphs if one.style.name == "Heading 1"]
    assert [one.text for one in titles] == [page.title for page in brief.pages]
    assert [one.paragraph_format.page_break_before for one in titles] == [False, True, True]
    said = {one.text for one in document.paragraphs}
    texts = [
        block for page in brief.pages for row in page.rows for block in row if isinstance(block, TextBlock)
    ]
    assert {str(text) for block in texts for text in block.sentences} <= said
    (figures,) = rows_of(document.tables[0])
    assert [cell.split("\n")[2] for cell in figures] == [figure.text for figure in brief.pages[0].figures]


def test_a_warning_and_a_day_within_two_weeks_have_their_colours(path):
    with zipfile.ZipFile(path) as parts:
        body = parts.read("word/document.xml").decode()
    assert f'w:fill="{AMBER_GROUND[1:]}"' in body
    assert f'<w:color w:val="{AMBER[1:]}"/>' in body and f'<w:color w:val="{RED[1:]}"/>' in body


@pytest.mark.parametrize("paper", PAPERS_IN)
def test_sheets_lie_across_and_no_table_is_wider(brief, tmp_path, paper):
    write_brief_docx(brief, tmp_path / "brief.docx", paper=paper)
    written = Document(str(tmp_path / "brief.docx"))
    section = written.sections[0]
    size = section.page_width.inches, section.page_height.inches
    assert size == pytest.approx(PAPERS_IN[paper], abs=0.01)
    inside = section.page_width - section.left_margin - section.right_margin
    assert all(sum(column.width for column in table.columns) <= inside * 1.001 for table in written.tables)


def test_nothing_of_the_template_is_told(document, path):
    about = document.core_properties
    assert (about.author, about.last_modified_by, about.comments) == ("gpuplanner", "gpuplanner", "")
    assert about.created == about.modified and about.created.replace(tzinfo=None) == datetime(2026, 1, 9)
    with zipfile.ZipFile(path) as parts:
        names = parts.namelist()
        everything = b"".join(map(parts.read, names))
    assert not [name for name in names if "thumbnail" in name]
    assert b"python-docx" not in everything and b"/home/" not in everything


def test_names_from_logs_are_harmless(brief, tmp_path):
    table = next(block for row in brief.pages[1].rows for block in row if isinstance(block, TableBlock))
    hostile = ("=1+1", "a\x00b\x1b[31m", "<w:t>x</w:t>", "\ud800", "x" * 40_000)
    rows = tuple((name, *table.rows[0][1:]) for name in hostile)
    page = replace(brief.pages[1], rows=((replace(table, rows=rows, total=()),),))
    write_brief_docx(replace(brief, pages=(page,)), tmp_path / "brief.docx")
    (written,) = Document(str(tmp_path / "brief.docx")).tables
    names = [row[0] for row in rows_of(written)[1:]]
    assert names[0] == "=1+1" and names[2] == "<w:t>x</w:t>"
    assert len(names) == len(hostile) and max(map(len, names)) < 200


def test_cancelling_leaves_what_was_there(brief, tmp_path):
    path = tmp_path / "brief.docx"
    path.write_bytes(b"the last one")
    calls = iter(range(100))
    with pytest.raises(Cancelled):
        write_brief_docx(brief, path, is_cancelled=lambda: next(calls) >= 2)
    assert (path.read_bytes(), list(tmp_path.iterdir())) == (b"the last one", [path])


def test_a_brief_that_is_open_elsewhere_is_left_alone(brief, tmp_path):
    path = tmp_path / "brief.docx"
    path.write_bytes(b"open there")
    (tmp_path / ".~lock.brief.docx#").write_bytes(b"")
    with pytest.raises(PlannerError, match="file_unreadable"):
        write_brief_docx(brief, path)
    assert path.read_bytes() == b"open there"
