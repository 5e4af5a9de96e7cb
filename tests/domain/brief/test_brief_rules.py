"""Rules of a whole brief: pages without advice, empty blocks, the lookback period, and the room of columns."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.brief import briefs, pages
from gpuplanner.domain.brief.briefs import plan_brief
from gpuplanner.domain.brief.pages import (
    Bar,
    BridgeChart,
    Line,
    MonthsChart,
    TableBlock,
    TextBlock,
    TimelineChart,
)
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, Window
from tests.domain import worlds
from tests.domain.audit.conftest import START_S
from tests.domain.brief.small_plan import PLAN_S, numbers


def test_pages_without_advice_say_that_they_are_of_today_or_wait() -> None:
    of = worlds.plan()
    today, waits = (
        briefs.page_without_advice(replace(of, scenario=name), "year", "K") for name in ("Today", of.scenario)
    )
    assert "Today" in str(today.title) and "Today" not in str(waits.title)
    assert today.rows != waits.rows and (today.key, today.kicker) == ("year", "K")


def test_a_brief_needs_advice() -> None:
    with pytest.raises(ValueError, match="advice"):
        briefs.brief_of(replace(worlds.plan(), advice=None), PLAN_S, "1")


@pytest.mark.parametrize(
    ("block", "is_empty"),
    [
        (TableBlock(title="T", columns=(), rows=(), total=(), note=""), True),
        (TableBlock(title="T", columns=(), rows=(("x",),), total=(), note=""), False),
        (TimelineChart(title="T", rows=(), begin_s=0, end_s=9, written_s=0), True),
        (TextBlock("T", ()), True),
        (TextBlock("T", ("a",)), False),
        (MonthsChart("T", ("m",), (Line("P", (None,)), Line("Q", (None,)))), True),
        (MonthsChart("T", ("m",), (Line("P", (None,)), Line("Q", (0.0,)))), False),
        (
            BridgeChart(
                "T",
                (
                    Bar(name="A", note="", usd=0.0, kind="step", text=""),
                    Bar(name="B", note="", usd=None, kind="step", text=""),
                ),
            ),
            True,
        ),
        (
            BridgeChart(
                "T",
                (
                    Bar(name="A", note="", usd=0.0, kind="step", text=""),
                    Bar(name="B", note="", usd=-1.0, kind="step", text=""),
                ),
            ),
            False,
        ),
        (pages.DemandChart("T", None, ((Pool.BURST, np.array([])),)), False),
    ],
)
def test_what_has_nothing_to_show_is_left_out(block: Any, *, is_empty: bool) -> None:
    assert briefs.is_block_empty(block) is is_empty
    page = pages.Page(key="k", kicker="K", title="T", rows=((block,), (TextBlock("", ("a",)), block)))
    assert len(briefs.drop_empty_blocks(page).rows) == (1 if is_empty else 2)
    assert len(briefs.drop_empty_blocks(page).rows[-1]) == (1 if is_empty else 2)


def test_a_log_is_told_by_its_days_or_its_length() -> None:
    assert numbers(briefs.write_lookback_period(Window(START_S, 48))) == ["1", "2026", "2", "2026"]
    assert numbers(briefs.write_lookback_period(Window(0, 60))) == ["2"]  # 2.5 days, to the even one
    assert numbers(briefs.write_lookback_period(Window(0, 70))) == ["3"]


def test_a_brief_of_today_has_pages_of_the_past_and_says_so() -> None:
    of = worlds.plan()
    today = plan_brief(replace(of, scenario="Today", advice=None), PLAN_S, "1")
    plan = plan_brief(of, PLAN_S, "1")
    assert "Today" in str(today.head) and "Plan A" in str(plan.head) and "Plan A" not in str(today.head)
    without = plan_brief(replace(of, advice=None), PLAN_S, "1")
    assert [page.key for page in without.pages] == [page.key for page in plan.pages]
    assert not any(isinstance(block, TableBlock) for row in without.pages[-1].rows for block in row)
    texts = [block for row in plan.pages[0].rows for block in row if isinstance(block, TextBlock)]
    assert len(texts) == 1
    later = replace(of.project, plan_from_s=PLAN_S + DAY_S - PLAN_S % DAY_S)
    dated = plan_brief(replace(of, project=later), PLAN_S, "1")
    assert len(numbers(dated.foot)) > len(numbers(plan.foot))


def test_tables_give_more_room_to_long_columns() -> None:
    """Of each table the shares that are not one, by page."""
    of = worlds.outlook_of(worlds.plan)
    brief = briefs.plan_brief(of, PLAN_S, "1")
    shares = {
        page.key: [
            sorted(column.share for column in block.columns if column.share != 1)
            for row in page.rows
            for block in row
            if isinstance(block, TableBlock)
        ]
        for page in brief.pages
    }
    assert shares["question"][-1] == [2.0, 2.0, 3.0]
    assert shares["today"] == [[1.2, 1.4, 1.4, 2.2], [1.2, 1.2, 1.4, 1.8]]
    assert shares["stranded"] == [[0.8, 1.6, 1.9, 4.2]]
    assert shares["plan"] == [[1.2, 1.2, 1.2, 2.0], [1.2], [1.5, 3.0]]
    assert shares["year"] == [[0.8, 1.2, 1.2, 2.4], [1.2]]
    assert shares["savings"] == [[1.4], []]
    assert shares["rates"] == [[2.0], [1.2, 1.2]]
    assert shares["sensitivity"][0] == [0.7, 1.5, 1.6]
