"""The sheet Training and the page of the brief say of a stated run what `train --json` says."""

from dataclasses import replace

import openpyxl
import pytest

from gpuplanner.domain.brief import briefs
from gpuplanner.domain.brief.briefs import brief_of
from gpuplanner.domain.brief.pages import TableBlock, page_words
from gpuplanner.domain.model.trained import StatedRun
from gpuplanner.domain.reports.report import entries
from gpuplanner.domain.reports.training import TRAINING_RUNS
from gpuplanner.files.system.resources import model_of_catalogue
from gpuplanner.files.system.training import answers_in
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.evaluations import two_clusters_evaluated

AT_S = 1_767_916_800


@pytest.fixture(scope="module")
def stated():
    evaluation = two_clusters_evaluated()
    runs = (
        StatedRun(model=model_of_catalogue("Llama-3-70B"), tokens=1e11, deadline_h=900.0),
        StatedRun(model=model_of_catalogue("Llama-3-8B"), tokens=1e11),
    )
    return replace(evaluation, project=replace(evaluation.project, runs=runs))


@pytest.mark.long
def test_the_sheet_has_the_figures_of_the_command_line(stated, tmp_path):
    write_workbook(stated, tmp_path / "book.xlsx", AT_S)
    sheet = openpyxl.load_workbook(tmp_path / "book.xlsx", data_only=True)["Studies"]
    rows = [[cell for cell in row if cell is not None] for row in sheet.iter_rows(values_only=True)]
    answers = answers_in(stated.project, stated.scenario, AT_S)
    assert len(answers) == 2 and all(one.choices for one in answers)
    for one in answers:
        at = rows.index([one.stated.called]) + 2
        for said, row in zip(entries(TRAINING_RUNS, one.choices), rows[at:], strict=False):
            assert row[:3] == [said["gpu_model"], said["gpus"], said["nodes"]]
            numbers = {cell for cell in row if isinstance(cell, int | float)}
            for name in (
                "memory_gib",
                "hours",
                "hours_low",
                "hours_high",
                "usd",
                "usd_high",
                "kwh",
                "interval_h",
            ):
                assert said[name] is None or any(found == pytest.approx(said[name]) for found in numbers), (
                    name
                )


def test_the_brief_has_a_page_of_them_and_else_none(stated, monkeypatch):
    monkeypatch.setattr(briefs, "MOST_PAGES", 99)  # else it stands below another
    answers = answers_in(stated.project, stated.scenario, AT_S)
    pages = {page.key: page for page in brief_of(stated, AT_S, "1", training=answers).pages}
    tables = [block for row in pages["training"].rows for block in row if isinstance(block, TableBlock)]
    assert [table.title for table in tables] == [one.stated.called for one in answers]
    words = str(page_words(pages["training"]))
    for one in answers:
        assert one.best is not None and f"{one.best.run.gpus:,} \u00d7" in words
        assert f"${one.best.usd:,.0f}" in words
    assert (
        str(pages["training"].title) == f"2 training runs cost ${sum(one.best.usd for one in answers):,.0f}"
    )
    (alone,) = [
        page for page in brief_of(stated, AT_S, "1", training=answers[:1]).pages if page.key == "training"
    ]
    assert str(alone.title).startswith("Llama-3-70B, 100B tokens: ")
    late = answers_in(
        replace(stated.project, runs=(replace(answers[0].stated, deadline_h=0.5),)), "Today", AT_S
    )
    (page,) = [page for page in brief_of(stated, AT_S, "1", training=late).pages if page.key == "training"]
    assert "no tested GPUs meet the deadline" in str(page.title)
    large = replace(answers[0].stated, deadline_h=None, gpu_model="H100", gpus=8)
    of_red = answers_in(replace(stated.project, runs=(large,)), "Today", AT_S)
    (page,) = [page for page in brief_of(stated, AT_S, "1", training=of_red).pages if page.key == "training"]
    title = str(page.title)  # no time was asked for
    assert "meet the deadline" not in title and "no tested GPU can train it" in title
    assert "training" not in {page.key for page in brief_of(stated, AT_S, "1").pages}
