"""Pages of the brief of the small plan (`worlds.plan`): the numbers of titles and tables.

K1 is $5,840 a month, K2 $8,760, K3 $3,650; training is 8 H100, inference 3 in the mean, bursts 1.5. Doing nothing pays
for what K1 does not serve 4 x 730 x $4 = $11,680, and once K2 has ended for inference $8,760 by use. In the plan y1
costs $7,543.33 and $3,771.67 a month, and q3 $10,220 once K1 has ended; one GPU of inference stays by use, $2,920.
"""

from functools import cache
from typing import Any

import pytest

from gpuplanner.domain.brief import plan_pages, today_pages
from gpuplanner.domain.brief.briefs import brief_of
from gpuplanner.domain.brief.pages import BridgeChart, DemandChart, MonthsChart, Page, TableBlock, block_words
from tests.domain import worlds
from tests.domain.brief.small_plan import numbers


@cache
def pages(*, has_outlook: bool = False) -> dict[str, Page]:
    of = worlds.outlook_of(worlds.plan) if has_outlook else worlds.plan()
    return {page.key: page for page in brief_of(of, worlds.PLAN_S, "1").pages}


def blocks(key: str, kind: type, *, has_outlook: bool = False) -> list[Any]:
    rows = pages(has_outlook=has_outlook)[key].rows
    return [block for row in rows for block in row if isinstance(block, kind)]


def cells(table: TableBlock) -> list[list[str]]:
    """Numbers of each row."""
    return [[number for cell in row for number in numbers(cell)] for row in table.rows]


@pytest.mark.parametrize(
    ("key", "result"),
    [
        ("question", ["$135,780", "31", "2026", "2", "18", "2026"]),
        ("today", ["2", "$18,250", "50.0"]),  # 8.5 of 17 GPUs are used
        ("stranded", ["$8,030", "$5,475"]),  # 5 idle of K2, and 3.5 of K3 at $1
        ("plan", ["4", "12"]),
        ("year", ["$27,153", "1", "$28,105", "12"]),
        ("sign", ["2", "6", "31", "2026", "1"]),
        ("savings", ["$320,248", "12", "$73,952"]),
    ],
)
def test_a_title_has_the_numbers_of_its_page(key: str, result: list[str]) -> None:
    assert numbers(pages()[key].title) == result


def test_horizons_are_the_first_month_the_last_and_all() -> None:
    _, table = blocks("year", TableBlock)
    assert cells(table) == [
        ["29,930", "27,153", "2,777"],
        ["12", "35,770", "28,105", "7,665"],
        ["12", "394,200", "320,248", "73,952"],
    ]


def test_calendar_months_are_shares_of_plan_months() -> None:
    """The plan begins on 31 January at 10:00: that month has 14 of 730 hours, 29,930 x 14 / 730 = 574."""
    table, cash = blocks("savings", TableBlock)
    assert cells(table)[0][-4:] == ["574", "521", "53", "53"]
    assert [str(cell).replace(",", "") for cell in table.total[1:4]] == ["394200", "320248", "73952"]
    assert cells(table)[-1][-1] == "73,952" and len(table.rows) == 13
    (chart,) = blocks("savings", MonthsChart)
    assert len(chart.months) == 11, "whole months alone"
    assert [line.is_main for line in chart.lines] == [False, True]
    assert sum(int(str(row[3]).replace(",", "")) for row in cash.rows) == int(
        str(cash.total[3]).replace(",", "")
    )


def test_clusters_and_contracts_of_today_stand_with_their_use() -> None:
    """5.5 of 9 are 61.1%; a contract breaks even where its rate is that share of what on demand costs."""
    clusters, contracts = blocks("today", TableBlock)
    assert cells(clusters)[:2] == [
        ["1", "9", "61.1", "9,490", "0"],
        ["2", "8", "37.5", "37.5", "8,760", "5,475", "5,475"],
    ]
    assert cells(contracts) == [
        ["2", "2", "8", "37.5", "37.5", "40", "5,475"],
        ["3", "1", "5", "30.0", "50.0", "40", "2,555"],
        ["1", "1", "4", "100.0", "50.0", "0"],
    ]
    (chart,) = blocks("today", DemandChart)
    assert numbers(block_words(chart)) == ["8", "3.0", "1.5"]
    assert numbers(today_pages.today_title(worlds.past().evaluation)) == ["2", "$13,140", "44.0"]


def test_the_bridge_goes_from_the_bill_to_what_is_stranded() -> None:
    """K1 all, 3 of K2 and 1.5 of K3 are held by jobs: 5,840 + 3,285 + 1,095; of K3 $2,555 idle while training ran."""
    (chart,) = blocks("stranded", BridgeChart)
    assert [numbers(bar.text) for bar in chart.bars] == [["18,250"], ["10,220"], ["2,555"], ["5,475"], [], []]
    (leaks,) = blocks("stranded", TableBlock)
    assert [row[:3] for row in cells(leaks)[:2]] == [["1", "11,680", "11,680"], ["1", "002", "1,095"]]


def test_layers_of_the_first_month_cost_what_they_hold() -> None:
    """Existing H100 are 12 GPUs for $14,600, $1.67 an hour."""
    tables = blocks("plan", TableBlock)
    rows = cells(tables[0])
    assert ["100", "1.5", "100.0", "1.00", "1,095"] in rows
    assert ["100", "3", "100.0", "1.67", "3,650"] in rows
    assert ["100", "4", "100.0", "1.67", "4,867"] in rows


def test_orders_now_and_later_have_their_days_and_dollars() -> None:
    """A year of y1 is $22,630 a GPU, $730 of it at once; three months of q3 are $7,665."""
    orders, contracts = blocks("sign", TableBlock)
    money = [[str(row[at]) for at in (10, 11, 12)] for row in orders.rows]
    assert money[0] == ["1,460", "45,260", "0"] and money[1] == ["2,920", "90,520", "0"]
    assert money[2] == ["4,380", "135,780", "0"] and orders.subtotals == {2, 4}
    assert money[3][1:] == ["0", "61,320"], "two quarters of q3"
    assert [str(cell) for cell in orders.total[11:13]] == ["135,780", "61,320"]
    assert len(contracts.rows) == 3
    months = blocks("year", TableBlock)[0]
    assert [row[1] for row in cells(months)][:3] == ["27,153", "29,565", "23,725"]
    assert len(months.rows) == 12


def test_savings_are_steps_of_the_first_month() -> None:
    of = worlds.outlook_of(worlds.plan)
    (page,) = plan_pages.steps_page(of.advised, of.outlook, of.audit, True)
    assert numbers(page.title) == ["$73,952", "$2,777"]
    ((chart,), *_) = page.rows
    assert isinstance(chart, BridgeChart)
    assert [numbers(bar.text) for bar in chart.bars] == [
        ["2,777"],
        ["0"],
        ["0"],
        ["2,777"],
        ["0"],
        ["0"],
        ["2,777"],
    ]
    assert [bar.kind for bar in chart.bars] == ["step"] * 3 + ["result"] + ["step"] * 2 + ["result"]
