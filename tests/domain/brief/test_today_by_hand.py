"""Today, prices and other assumptions in the brief by hand, on stated rows beside the small worlds."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.brief import briefs, sensitivity_pages, today_pages
from gpuplanner.domain.brief.pages import TableBlock, TextBlock
from gpuplanner.domain.commitment.outlook_result import NOT_YET, Coverage, Uncertainty
from gpuplanner.domain.commitment.result import Check
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, Window
from gpuplanner.domain.reports.serving import NamedSizing
from tests.domain import worlds
from tests.domain.audit.conftest import START_S, make_contract
from tests.domain.brief.test_branches_by_hand import flip, numbers, values
from tests.domain.reports.reported_results import FITTING

PLAN_S = worlds.PLAN_S
TOTALS = worlds.plan().advised.totals
ORDERS = worlds.plan().advised.orders


# --- Today


def test_a_bridge_from_nothing_is_scaled_as_it_is() -> None:
    """Of no metered spend the audit's reading is $8 rounded, $7.60 less nothing."""
    audit = worlds.past().audit
    bridge = replace(
        audit.bridge, cost_per_month=10.4, allocated_per_month=5.3, idle_while_training=2.3, stranded_metered=0.0,
        stranded_audit=7.6, scaled_to_all_hours=4.4,
    )  # fmt: skip

    def texts(**changes: Any) -> list[str]:
        made = today_pages._bridge(replace(audit, bridge=replace(bridge, **changes)))
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
    assert today_pages._demand(of).start_s == of.project.window.start_s
    assert today_pages._demand(undated).start_s is None


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
        return [str(text) for text in today_pages._times(replace(project, contracts=contracts))]

    (endless,), (ended,) = told((5, None)), told((5, 7), (6, 9))
    assert numbers(endless) == ["1", "2026", "2", "2026", "6", "2026"]
    assert numbers(ended) == ["1", "2026", "2", "2026", "6", "2026", "9", "2026"]
    assert told((0, None)) == []
    undated = replace(project, window=Window(0, 48), contracts=(make_contract("k", 1, "1", start_s=START_S),))
    (text,) = today_pages._times(undated)
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
    known, unknown = (str(today_pages._training_usd(replace(FITTING, usd=usd))) for usd in (4000.0, None))
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
    free, bound = (today_pages._sentence(run("a", None, deadline_h)) for deadline_h in (None, 0.0))
    assert free.template != bound.template and "deadline" in bound.template


# --- Prices and other assumptions


def test_prices_are_told_where_the_plan_is_priced(monkeypatch: pytest.MonkeyPatch) -> None:
    of = worlds.plan()
    asked: list[bool] = []

    def flips(*_: Any, signs: bool) -> str:
        asked.append(signs)
        return "flips"

    monkeypatch.setattr(sensitivity_pages, "price_flip_words", flips)
    monkeypatch.setattr(sensitivity_pages.outlook_words, "paths_sentences", lambda *_: ["paths"])
    sensitivity = sensitivity_pages.Sensitivity((), ())
    checks = tuple(Check(code, "info", "s", f"{code} said") for code in ("terms_hang_on_prices", "other"))
    outlook = replace(NOT_YET, checks=checks, price_paths=worlds.evidence_of_trials().outlook.price_paths[:1])

    def texts(*given: Any) -> list[str]:
        (block,), *_ = sensitivity_pages.price_page(*given).rows
        return [str(text) for text in block.sentences]

    assert texts(of, outlook, TOTALS, sensitivity) == ["flips", "paths", "Terms_hang_on_prices said."]
    assert texts(of, None, TOTALS, sensitivity) == ["flips"] and texts(of, None, TOTALS, None) == []
    unpriced = replace(TOTALS, plan=None)
    (unknown, *more) = texts(of, outlook, unpriced, sensitivity)
    assert "unknown" in unknown and more == ["Terms_hang_on_prices said."]
    texts(replace(of, advice=None), None, TOTALS, sensitivity)
    bare = replace(of.advised, pools=tuple(replace(pool, layers=()) for pool in of.advised.pools))
    texts(replace(of, advice=bare), None, TOTALS, sensitivity)
    assert asked == [True, True, False, False]


def test_the_nearest_flips_of_other_assumptions_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sensitivity_pages, "flip_sentence", lambda point: f"{point.at:g}")
    monkeypatch.setattr(sensitivity_pages, "coverage_sentences", lambda _: ["c 1.", "c 2."])
    monkeypatch.setattr(sensitivity_pages, "npv_sentence", lambda usd, months: f"npv {usd:g} {months}")
    of = worlds.plan()

    def texts(outlook: Any, totals: Any, sensitivity: Any) -> list[str]:
        page = sensitivity_pages.sensitivity_page(of, outlook, totals, sensitivity)
        return [str(text) for text in page.rows[0][0].sentences]

    flips = (*map(flip, (9.0, 3.0, -4.0, 1.0, 5.0)), flip(0.02, "delta"))
    found = sensitivity_pages.Sensitivity((), flips)
    assert texts(None, TOTALS, found) == ["1.", "3.", "-4.", "5."]
    prices = replace(found, flips=flips[-1:])
    (none,) = texts(None, TOTALS, prices)
    assert numbers(none) == [] and texts(None, replace(TOTALS, plan=None), prices) == []
    assert texts(None, TOTALS, None) == []
    known = replace(NOT_YET, npv_usd=7.0)
    months = of.project.assumptions_in(of.figures.basis.plan).horizon_months
    assert texts(known, TOTALS, None) == [f"npv 7 {months}"]
    covered = replace(known, coverage=Coverage(*[None] * len(Coverage.__slots__)))
    assert texts(covered, TOTALS, None) == ["c 1.", "c 2.", f"npv 7 {months}"]


@pytest.mark.parametrize(("at", "words"), [(-0.015, ["1.5"]), (0.0, []), (None, [])])
def test_prices_that_fall_less_rise_or_stay(at: float | None, words: list[str]) -> None:
    below = None if at is None else flip(at, "delta")
    assert numbers(sensitivity_pages._less(below)) == words
    assert bool(str(sensitivity_pages._less(below))) is (at is not None)
    assert not str(sensitivity_pages._more(None))


def test_months_that_were_tested_are_told_once_there_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sensitivity_pages.outlook_words, "coverage_words", lambda _: "tested")
    known, unknown = (sensitivity_pages.tested_words(Uncertainty(coverage=share)) for share in (0.5, None))
    assert str(unknown) == "Tested" and "week" in str(known)


def test_ranges_of_sizes_are_rows_where_there_are_some() -> None:
    band = worlds.outlook_of(worlds.plan).outlook
    assert band is not None
    sizes = tuple(
        SimpleNamespace(
            size=size, p10_usd_per_month=1.0 + at, p50_usd_per_month=20.0, p90_usd_per_month=300.0
        )
        for at, size in enumerate(sensitivity_pages.outlook_words.SIZE_NAMES)
    )
    table = sensitivity_pages._sizes(replace(NOT_YET, uncertainty=Uncertainty(1.0, 2.0, 3.0, sizes=sizes)))  # type: ignore[arg-type]
    assert table is not None
    assert [[str(cell) for cell in row[1:]] for row in table.rows] == [
        [str(1 + at), "20", "300"] for at in range(len(sizes))
    ]
    assert sensitivity_pages._sizes(None) is sensitivity_pages._sizes(NOT_YET) is None


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
    assert shares["question"] == [[4.0]]
    assert shares["today"] == [[1.2, 1.4, 1.4, 2.2], [1.2, 1.2, 1.4, 1.8]]
    assert shares["stranded"] == [[0.8, 1.6, 1.9, 4.2]]
    assert shares["plan"] == [[1.2, 1.2, 1.2, 2.0]]
    assert shares["year"] == [[1.2], [0.8, 1.2, 1.2, 2.4]]
    assert shares["savings"] == [[1.2], [1.5, 3.0]]
    assert shares["rates"] == [[2.0], [1.2, 1.2]]
    assert shares["sensitivity"][0] == [0.7, 1.5, 1.6]
    assert {share for row in shares["sign"] + shares["later"] for share in row} <= {1.1, 1.2, 1.5, 1.6, 1.8}


def test_price_cases_give_more_room_to_names() -> None:
    case = SimpleNamespace(
        case=next(iter(sensitivity_pages.CASE_NAMES)),
        plan_usd_per_month=1.0,
        do_nothing_usd_per_month=1.0,
        savings_vs_do_nothing_usd_per_month=1.0,
        changed_layers=(),
    )
    table = sensitivity_pages._cases(SimpleNamespace(cases=(case,)))  # type: ignore[arg-type]
    assert table is not None
    assert [(column.is_number, column.share) for column in table.columns] == [
        (False, 1.4),
        (True, 1.0),
        (True, 1.0),
        (True, 1.0),
        (True, 1.1),
    ]
