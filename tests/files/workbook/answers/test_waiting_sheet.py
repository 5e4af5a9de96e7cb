"""The sheet Waiting and the page of the brief say what a replay found; without one the sheet says why."""

from dataclasses import replace

import openpyxl
import pytest

from gpuplanner.domain.brief import briefs
from gpuplanner.domain.brief.briefs import brief_of
from gpuplanner.domain.brief.pages import page_words
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.queue.frontier import FrontierPoint
from gpuplanner.domain.queue.rows import Fragment, QueueRow
from gpuplanner.domain.queue.sentences import trust_words, wait_lines
from gpuplanner.domain.queue.waiting import Waiting, WindowWaits
from gpuplanner.domain.queue.waits import Waits
from gpuplanner.files.brief.sheets import given_beside
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.evaluations import two_clusters_evaluated

AT_S = 1_767_916_800


def row(p90_h: float, model: str | None = None) -> QueueRow:
    return QueueRow(
        pool=Pool.TRAINING,
        gpu_model=model,
        waits=Waits(jobs=100, share_over_1h=0.2, mean_h=1.5, p50_h=0.25, p90_h=p90_h, p99_h=40.0),
        sent_out_jobs=0,
        sent_out_gpu_hours=0.0,
        sent_out_usd=0.0,
        utilization=0.75,
        waited_with_room=0.125,
    )


AGAIN = PlannedWork(
    name="again", pool=Pool.TRAINING, gpu_model="H100", gpus=64.0, length_hours=40, every_hours=168
)
FOUND = Waiting(
    submit_known=1.0,
    limit_known=1.0,
    measured=(row(9.5),),
    today=(row(12.5),),
    replayed=(row(3.5),),
    by_model=(row(3.5, "H100"),),
    calibrated={},
    frontier=(
        FrontierPoint(
            pool=Pool.TRAINING,
            gpu_model="H100",
            gpus=8,
            usd_per_month=1_460.0,
            waits=Waits(jobs=98, share_over_1h=0.2, mean_h=1.5, p50_h=0.25, p90_h=7.75, p99_h=40.0),
            never=2,
            likely=None,
            marks=("plan",),
        ),
        FrontierPoint(
            pool=Pool.TRAINING,
            gpu_model="H100",
            gpus=16,
            usd_per_month=2_920.0,
            waits=Waits(jobs=100, share_over_1h=0.0, mean_h=0.0, p50_h=0.0, p90_h=0.0, p99_h=0.0),
            never=0,
        ),
    ),
    target=None,
    never_fit=(),
    is_planned=True,
    begins_cold=False,
    is_capacity_guessed=False,
    fragments=(Fragment(cluster="a", gpu_model="H100", pool=None, gpu_hours=24.0, usd=48.0),),
    loose=(row(1.0),),
    windows=(
        WindowWaits(
            work=AGAIN,
            waits=Waits(jobs=13, share_over_1h=0.2, mean_h=1.5, p50_h=0.25, p90_h=42.5, p99_h=43.0),
            never=0,
            usd=4_000.0,
        ),
    ),
)


def rows_of(path):
    sheet = openpyxl.load_workbook(path, data_only=True)["Studies"]
    return [[cell for cell in line if cell is not None] for line in sheet.iter_rows(values_only=True)]


@pytest.mark.long
def test_the_sheet_has_plan_today_measured_and_sizes(tmp_path):
    write_workbook(two_clusters_evaluated(), tmp_path / "book.xlsx", AT_S, waiting=FOUND)
    rows = rows_of(tmp_path / "book.xlsx")
    at = {line[0]: place for place, line in enumerate(rows) if len(line) == 1}
    for heading, p90_h in (
        ("Replaying the log on the plan's GPUs", 3.5),
        ("Replaying the log on today's GPUs", 12.5),
        ("As measured in the log", 9.5),
    ):
        assert p90_h in rows[at[heading] + 2]
    sizes = at["Sizes of one pool and GPU model: GPUs, cost and waits"]
    assert rows[sizes + 2][:5] == ["Training", "H100", 8, 1_460, 2]  # two jobs never start on 8
    assert "the plan" in rows[sizes + 2] and rows[sizes + 3][2] == 16
    again = rows[at["Recurring runs without own hours"] + 2]
    assert again[:5] == ["again", "H100", 64, 40, 168] and 42.5 in again
    assert {str(one) for one in trust_words(FOUND)} <= {str(line[0]) for line in rows if line}


@pytest.mark.parametrize("waiting", [FOUND, None])
def test_the_brief_has_a_page_of_it_where_it_is_known(waiting, monkeypatch):
    monkeypatch.setattr(briefs, "MOST_PAGES", 99)  # else it stands below another
    evaluation = two_clusters_evaluated()
    brief = brief_of(evaluation, AT_S, "1", **given_beside(evaluation, AT_S, waiting))
    found = [page for page in brief.pages if page.key == "waiting"]
    assert len(found) == (waiting is not None)
    if waiting is not None:
        keys = [page.key for page in brief.pages]
        assert keys[keys.index("stranded") + 1] == "waiting"  # asked for right after what is unused
        words = f"{found[0].title} {page_words(found[0])}"
        assert len(found[0].rows[-1][0].sentences) == 1  # a paragraph: lines of their own ran over the foot
        for said in (
            "P90 wait, Training, replayed: 12.5 \u2192 3.5 h",
            "Replaying the log on today's GPUs",
            "Actual waits",
            "Sizes of one pool and GPU model: GPUs, cost and waits",
            "Recurring runs without own hours",
            "a H100 24 GPU-h, $48",
            "Without node fragmentation, P90 would be: Training 1.0 h instead of 3.5 h.",
        ):
            assert said in words


def test_what_stands_in_the_headline_needs_submit_times():
    lines = [
        str(one) for one in wait_lines(FOUND)
    ]  # both replayed: a plan that changes nothing has the same wait
    assert ["replayed" in line for line in lines] == [True, False, False]
    assert ["Training: " in line or "Training, " in line for line in lines] == [True, True, False]
    assert all(line.endswith(" 12.5 \u2192 3.5 h") for line in lines)
    in_log = str(wait_lines(replace(FOUND, is_planned=False))[0])
    assert "in the log" in in_log and in_log.endswith("Training: 9.5 h")
    assert wait_lines(replace(FOUND, measured=())) == ()
