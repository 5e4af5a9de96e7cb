"""Pages of today on stated rows beside the small worlds: use, demand, stranded spend, endpoints and training runs."""

from dataclasses import replace
from math import inf
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.brief import today_pages
from gpuplanner.domain.brief.pages import TableBlock, TextBlock
from gpuplanner.domain.model.amounts import NO_PARTS, PartSum
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, Window
from gpuplanner.domain.reports.serving import NamedSizing
from tests.domain import worlds
from tests.domain.audit.conftest import START_S, make_contract
from tests.domain.brief.small_plan import numbers, values
from tests.domain.reports.reported_results import ENDLESS, FITTING


def test_a_bridge_from_nothing_is_scaled_as_it_is() -> None:
    """Of no metered spend the audit's reading is $8 rounded, $7.60 less nothing."""
    audit = worlds.past().audit
    bridge = replace(
        audit.bridge, cost_per_month=10.4, allocated_per_month=5.3, idle_while_training=2.3, stranded_metered=0.0,
        stranded_audit=7.6, scaled_to_all_hours=4.4,
    )  # fmt: skip

    def texts(**changes: Any) -> list[str]:
        made = today_pages.bridge_chart(replace(audit, bridge=replace(bridge, **changes)))
        return [(numbers(bar.text) or [""])[0] for bar in made.bars]

    assert texts()[4] == "4"
    assert texts(stranded_metered=2.8, allocated_per_month=None) == ["10", "", "2", "3", "5", "8"]
    assert texts(stranded_metered=2.8, stranded_audit=0.0)[4] == "4"


def test_use_of_today_is_told_by_class() -> None:
    """4 x 20 + 8 x 10 GPU-h of training, 2 x 100 of inference and 3 x 50 of burst, of 510."""
    of = worlds.past().evaluation
    (block, *_), *_ = today_pages.today_page(of).rows
    shares = values(block.sentences[0])["classes"]
    assert numbers(shares) == ["31.4", "39.2", "29.4"]
    alone = replace(of.audit, classes={Pool.BURST: of.audit.classes[Pool.BURST]})
    (block, *_), *_ = today_pages.today_page(replace(of, audit=alone)).rows
    assert numbers(values(block.sentences[0])["classes"]) == ["29.4"]


def test_demand_is_dated_where_the_log_has_a_calendar() -> None:
    of = worlds.plan()
    undated = replace(of, project=replace(of.project, window=Window(0, 730)))
    assert today_pages.demand_chart(of).start_s == of.project.window.start_s
    assert today_pages.demand_chart(undated).start_s is None


def test_log_and_contracts_of_two_times_are_told_with_their_days() -> None:
    """A log of 1 and 2 July, contracts of 6 July on or to 9 July."""
    project = replace(worlds.past().project, window=Window(START_S, 48))

    def told(*spans: tuple[int, int | None]) -> list[str]:
        contracts = tuple(
            make_contract(
                f"k{at}",
                1,
                "1",
                start_s=START_S + begin * DAY_S,
                end_s=None if end is None else START_S + end * DAY_S,
            )
            for at, (begin, end) in enumerate(spans)
        )
        return [str(text) for text in today_pages.note_periods_apart(replace(project, contracts=contracts))]

    (endless,), (ended,) = told((5, None)), told((5, 7), (6, 9))
    assert numbers(endless) == ["1", "2026", "2", "2026", "6", "2026"]
    assert numbers(ended) == ["1", "2026", "2", "2026", "6", "2026", "9", "2026"]
    assert told((0, None)) == []
    undated = replace(project, window=Window(0, 48), contracts=(make_contract("k", 1, "1", start_s=START_S),))
    (text,) = today_pages.note_periods_apart(undated)
    assert numbers(text)[0] == "0"


def test_contracts_of_low_use_are_named_up_to_three() -> None:
    of = worlds.past().evaluation

    def sentence(count: int) -> str:
        row = of.audit.contracts[0]
        rows = tuple(
            replace(row, contract_id=f"k-{chr(97 + at)}", below_40_percent=True) for at in range(count)
        )
        rows += (replace(row, contract_id="fine", below_40_percent=False),)
        page = today_pages.today_page(replace(of, audit=replace(of.audit, contracts=rows)))
        (block, *_), *_ = page.rows
        texts = [str(text) for text in block.sentences if "k-a" in str(text)]
        return texts[0] if texts else ""

    assert sentence(0) == ""
    assert numbers(sentence(3)) == ["3", "40"] and "k-c" in sentence(3) and "fine" not in sentence(3)
    assert numbers(sentence(5)) == ["5", "40", "2"] and "k-c" in sentence(5) and "k-d" not in sentence(5)


def month(name: str, used: float, *, is_cut: bool = False) -> Any:
    return SimpleNamespace(
        month=name,
        is_cut=is_cut,
        utilization=used,
        usd_share=lambda pool: used / 2 if pool is Pool.INFERENCE else 0.0,
        figures={"paid_per_month": 1.0, "stranded_audit": 2.0, "stranded_metered": 3.0},
    )


def test_months_compare_the_first_whole_one_and_the_last(tables: list[Any]) -> None:
    of = worlds.past().evaluation

    def page(*rows: Any) -> Any:
        return today_pages.months_page(replace(of, months=rows))

    assert page() == page(month("1", 0.5)) == () and today_pages.months_page(replace(of, months=None)) == ()
    rows = [
        month("1", 0.1, is_cut=True),
        month("2", 0.2),
        month("3", 0.4),
        month("4", 0.6),
        month("5", 0.9, is_cut=True),
    ]
    (made,) = page(*rows)
    assert numbers(made.title) == ["10.0", "30.0", "20.0", "60.0"]
    (chart,), *_ = made.rows
    assert [(line.usd[0], line.is_main) for line in chart.lines] == [(1.0, False), (2.0, True), (3.0, False)]
    assert list(map(str, chart.months)) == list("12345")
    (alone,) = page(*rows[:2])
    assert alone.title == today_pages.NO_TWO_WHOLE
    (two,) = page(*rows[1:3])
    assert numbers(two.title) == ["10.0", "20.0", "20.0", "40.0"]
    (last,) = page(*(month(f"m{at}", 0.5) for at in range(14)))
    assert [str(name) for name in last.rows[0][0].months] == [f"m{at}" for at in range(2, 14)]
    assert [widths for _, widths in tables[:2]] == [{"month_name": 1.6}, {"title": 2.2, "source": 2.2}]


def test_endpoints_that_are_sized_come_by_cost_with_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a plan with its own assumptions and offers; of today with those of the project."""
    costs = {"a": 5.0, "b": None, "c": 9.0, "d": 5.0, "": 1.0, "none": 0.0}
    asked = []

    def size(_: Any, key: str, assumptions: Any, offers: Any, tables: Any) -> Any:
        asked.append((assumptions, offers, tables))
        if key == "none":
            return None
        usd = costs[key]
        return SimpleNamespace(key=key, drawn=None if usd is None else SimpleNamespace(cost_per_month=usd))

    monkeypatch.setattr(today_pages, "size_endpoint", size)
    of = worlds.plan()
    works = (replace(of.project.workloads[0], key="a", name="chat"),)
    project = replace(of.project, serving=dict.fromkeys(costs), workloads=works)
    rows = today_pages.sized_endpoints(replace(of, project=project), "tables")  # type: ignore[arg-type]
    assert [row.sizing.key for row in rows] == ["c", "a", "d", "", "b"]
    assert [str(row.name) for row in rows] == ["c", "chat", "d", str(today_pages.BESIDE_THE_LOG), "b"]
    scenario = project.scenario(of.scenario)
    assert asked[0] == (project.assumptions_in(scenario), project.offers_in(scenario), "tables")
    today = today_pages.sized_endpoints(replace(of, project=project, scenario="Today"), "tables")  # type: ignore[arg-type]
    assert [row.sizing.key for row in today] == [row.sizing.key for row in rows]
    assert asked[-1][0] is project.assumptions and asked[-1][1] is project.offers


def test_the_first_endpoint_has_its_sentences_where_it_is_sized(
    tables: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(today_pages, "sentences_of", lambda *_: ("s 1.",))
    drawn = SimpleNamespace(gpus_peak=4, cost_per_month=10.0)
    sized, unsized = (NamedSizing("n", SimpleNamespace(drawn=of)) for of in (drawn, None))  # type: ignore[arg-type]
    first = today_pages.inference_page([sized, unsized])
    assert numbers(first.title) == ["4", "2", "$10"]
    assert len(first.rows) == 2 and first.rows[1][0] == TextBlock("n", ("s 1.",))
    assert len(today_pages.inference_page([unsized, sized]).rows) == 1
    assert tables[0][1:] == ({"name": 2.0, "sized_on": 1.6}, 8)


def run(name: str, best: Any = FITTING, deadline_h: float | None = None) -> Any:
    return SimpleNamespace(
        best=best,
        best_of_each={"x": best},
        stated=SimpleNamespace(called=name),
        asked=SimpleNamespace(deadline_h=deadline_h),
    )


def test_a_price_that_is_unknown_is_told_in_words() -> None:
    known, unknown = (
        str(today_pages.write_training_cost(replace(FITTING, usd=usd))) for usd in (4000.0, None)
    )
    assert known == "$4,000" and "unknown" in unknown


def test_training_runs_have_a_table_each_and_sentences_where_there_are_several(tables: list[Any]) -> None:
    alone = today_pages.training_page([run("a")])
    (notes,), table = alone.rows[0], alone.rows[1:]
    assert len(notes.sentences) == 1 and len(table) == 1
    assert str(alone.title).startswith("a") and numbers(alone.title)[0] == "16"
    assert not str(notes.sentences[0]).startswith("a")
    many = today_pages.training_page([run(name) for name in "abcde"])
    (notes,), table = many.rows[0], many.rows[1:]
    assert [str(text)[0] for text in notes.sentences[:5]] == list("abcde")
    assert len(notes.sentences) == 6 and len(table) == 3
    assert notes.sentences[-1] == alone.rows[0][0].sentences[0]
    assert numbers(many.title) == ["5", "$20,000"]
    assert tables[0][1:3] == ({"gpu_model": 1.4, "light": 1.4}, 5)
    free, bound = (today_pages.describe_training(run("a", None, deadline_h)) for deadline_h in (None, 0.0))
    assert free.template != bound.template and "deadline" in bound.template


def test_the_bridge_adds_up_in_whole_dollars() -> None:
    """$10.40 are paid, $5.30 allocated and $2.30 idle while training ran: 10 - 5 - 2 = 3 of $2.80 stranded."""
    audit = worlds.past().audit
    bridge = replace(
        audit.bridge, cost_per_month=10.4, allocated_per_month=5.3, idle_while_training=2.3, stranded_metered=2.8,
        stranded_audit=7.6, scaled_to_all_hours=4.8,
    )  # fmt: skip

    def bars(**changes: Any) -> list[tuple[float | None, list[str]]]:
        made = today_pages.bridge_chart(replace(audit, bridge=replace(bridge, **changes)))
        return [(bar.usd, numbers(bar.text)) for bar in made.bars]

    assert bars() == [(10.4, ["10"]), (-5.3, ["5"]), (-2.3, ["2"]), (2.8, ["3"]), (4.8, ["5"]), (7.6, ["8"])]
    assert [texts for _, texts in bars(stranded_audit=7.4)][4] == ["4"]  # 7 less 3
    assert [texts for _, texts in bars(stranded_metered=None)][1:5] == [["5"], ["3"], [], ["5"]]
    assert bars(allocated_per_month=None)[1][0] is None
    assert [texts for _, texts in bars(stranded_audit=None)][4:] == [["5"], []]


def test_what_is_stranded_is_said_in_both_readings_or_why_not() -> None:
    of = worlds.past().evaluation

    def title(**changes: Any) -> Any:
        audit = replace(of.audit, bridge=replace(of.audit.bridge, **changes))
        return today_pages.stranded_title(replace(of, audit=audit))

    unused = of.audit.unused_per_month
    assert unused is not None
    both = title(stranded_metered=100.0, stranded_audit=unused)
    assert numbers(both)[:2] == ["$100", f"${unused:,.0f}"]
    above = title(stranded_metered=100.0, stranded_audit=unused + 1)
    unread = title(stranded_metered=100.0, stranded_audit=None)
    assert above.template != both.template and str(unread).startswith(str(above)) and above != unread
    assert title(stranded_metered=100.0, stranded_audit=unused + 0.5).template == both.template
    bare = replace(of, project=replace(of.project, contracts=()))
    unlogged = replace(bare, project=replace(bare.project, workloads=(), intake=()))
    texts = {
        str(today_pages.stranded_title(item))
        for item in (
            bare,
            unlogged,
            replace(of, audit=replace(of.audit, bridge=replace(of.audit.bridge, stranded_metered=None))),
        )
    }
    assert len(texts) == 3


def test_what_is_spent_now_is_whole_at_least_or_unknown() -> None:
    of = worlds.past().evaluation

    def text(
        spend: float | None, parts: PartSum = NO_PARTS, project: Any = of.project, asked: bool = False
    ) -> Any:
        audit = SimpleNamespace(spend=spend, spend_parts=parts, asked_contracts=asked)
        return today_pages.describe_spend(SimpleNamespace(project=project, audit=audit))  # type: ignore[arg-type]

    parts = PartSum(500.0, 2, ("k2",))
    assert numbers(text(1234.0)) == ["$1,234"]
    assert numbers(text(None, parts)) == ["$500", "2"] and "k2" in str(text(None, parts))
    unknown = text(None, PartSum(0.0, 2, ("k2",)))
    assert numbers(unknown) == [] and text(None, parts, asked=True).template == unknown.template
    bare = replace(of.project, contracts=())
    on_demand, nothing = text(7.0, parts, bare), text(None, parts, bare)
    assert numbers(on_demand) == ["$7"] and on_demand.template != text(7.0).template
    assert len({unknown.template, nothing.template, on_demand.template}) == 3


def test_demand_is_a_mean_of_days_and_of_the_hours_of_the_last() -> None:
    """Of 730 hours the last day has 10: training is 8 in all of them, inference 4 and then 2."""
    chart = today_pages.demand_chart(worlds.plan())
    series = dict(chart.series)
    assert [len(values) for values in series.values()] == [31] * 3
    assert set(series[Pool.TRAINING].tolist()) == {8.0}
    assert (series[Pool.INFERENCE][0], series[Pool.INFERENCE][-1]) == (4.0, 2.0)
    assert series[Pool.INFERENCE][15] == pytest.approx((4 * 5 + 2 * 19) / 24)  # 365 h are 15 days and 5 h
    assert chart.title != today_pages.demand_chart(replace(worlds.plan(), scenario="Today")).title


def test_endpoints_cost_together_or_at_least() -> None:
    def sized(gpus: int | None, usd: float | None) -> Any:
        return SimpleNamespace(
            sizing=SimpleNamespace(drawn=SimpleNamespace(gpus_peak=gpus, cost_per_month=usd))
        )

    undrawn: Any = SimpleNamespace(sizing=SimpleNamespace(drawn=None))
    both = today_pages.serving_title([sized(4, 10.0), sized(2, 5.0)])
    assert numbers(both) == ["6", "2", "$15"]
    least = today_pages.serving_title([sized(1, 10.0), sized(None, None), undrawn])
    assert numbers(least) == ["1", "3", "$10"] and least.template != both.template
    assert today_pages.serving_usd(undrawn) is None and today_pages.serving_usd(sized(1, 3.0)) == 3.0


def test_a_training_run_is_done_in_hours_for_dollars_or_not_at_all() -> None:
    """The run of 16 GPUs takes 100 h and costs $4,000."""

    def answer(best: Any, deadline_h: float | None = None) -> Any:
        return SimpleNamespace(
            best=best, stated=SimpleNamespace(called="run"), asked=SimpleNamespace(deadline_h=deadline_h)
        )

    sentence = today_pages.describe_training(answer(FITTING))
    assert numbers(sentence)[0] == "16" and numbers(sentence)[-1] == "$4,000" and "100" in numbers(sentence)
    unpriced = today_pages.describe_training(answer(replace(FITTING, usd=None)))
    assert "$" not in str(unpriced)
    free, bound = (
        today_pages.describe_training(answer(None)),
        today_pages.describe_training(answer(None, 5.0)),
    )
    assert str(free) != str(bound)
    assert FITTING.finish is not None
    endless = replace(FITTING, finish=replace(FITTING.finish, hours=inf))
    for best in (endless, ENDLESS, replace(FITTING, finish=None)):
        assert str(today_pages.describe_training(answer(best))) == str(free)
    whole = today_pages.training_title([answer(FITTING), answer(FITTING)])
    part = today_pages.training_title([answer(FITTING), answer(None)])
    assert numbers(whole) == ["2", "$8,000"] and numbers(part) == ["2"]


def test_the_page_of_waits_has_marked_sizes_on_which_somebody_waits() -> None:
    of = worlds.waiting()
    page = today_pages.waiting_page(of)
    tables = [block for (block,) in page.rows if isinstance(block, TableBlock)]
    marked = [point for point in of.frontier if point.marks and point.waits.p90_h]
    assert sum(len(table.rows) for table in tables[3:]) == len(marked) > 0
    today = today_pages.waiting_page(worlds.waiting(is_planned=False))
    assert len([block for (block,) in today.rows if isinstance(block, TableBlock)]) == len(tables) - 1
    bare = today_pages.waiting_page(replace(of, frontier=()))
    assert len(page.rows) - len(bare.rows) == len(tables[3:])
