"""The board brief: every figure in it is the evaluation's, and columns of dollars add up as they are written."""

import re
from dataclasses import replace

import pytest

from gpuplanner.domain.audit.quarter import flat_rates
from gpuplanner.domain.audit.series import ClassMonth, MonthRow
from gpuplanner.domain.audit.unit_costs.audited_past import past_of
from gpuplanner.domain.audit.utilization.paid_contracts import paid_contracts
from gpuplanner.domain.brief import briefs
from gpuplanner.domain.brief.briefs import MOST_PAGES, brief_of, plan_brief
from gpuplanner.domain.brief.pages import (
    BridgeChart,
    DemandChart,
    DurationChart,
    MonthsChart,
    Page,
    TableBlock,
    TextBlock,
    TimelineChart,
    listed,
    page_words,
)
from gpuplanner.domain.brief.sensitivity_pages import sensitivity_of
from gpuplanner.domain.brief.today_pages import NO_TWO_WHOLE, months_page, stranded_page, today_title
from gpuplanner.domain.commitment.asked_rows import usual_days
from gpuplanner.domain.commitment.calendar_costs import calendar_costs
from gpuplanner.domain.commitment.plan.comparison import Horizon, horizon_row
from gpuplanner.domain.commitment.plan.layers import layer_dollars, layer_key, order_dollars
from gpuplanner.domain.commitment.result import Unserved, Verdict
from gpuplanner.domain.commitment.savings import separation_rows
from gpuplanner.domain.commitment.words.plan_costs import by_the_hour
from gpuplanner.domain.commitment.words.price_paths import WAYS, worst_regret
from gpuplanner.domain.commitment.words.verdicts import VERDICTS
from gpuplanner.domain.edits.dates import plan_work, stop_workloads
from gpuplanner.domain.evaluation import evaluate
from gpuplanner.domain.figures import typed
from gpuplanner.domain.figures.clusters import CLUSTER
from gpuplanner.domain.figures.writing import ENGLISH
from gpuplanner.domain.model.book.contract import in_force
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, MONTH_S
from gpuplanner.domain.reports.clusters import MONEY
from gpuplanner.files.system.resources import read_tables
from tests.files.workbook.evaluations import (
    evaluated,
    evaluation_of,
    two_clusters_evaluated,
    two_clusters_sensitivity,
    two_clusters_with_layers,
)
from tests.oracle.crafted import daily
from tests.oracle.projects import Case, random_case
from tests.some_of import some_of

dollars, gpus, whole = ENGLISH.amount, ENGLISH.gpus, ENGLISH.whole
WRITTEN_S = 1_767_916_800
"""The day that the plans of these projects begin."""


def test_what_leaves_demand_to_nobody_saves_an_unknown_amount(evaluation) -> None:
    totals = evaluation.advice.totals
    hidden = replace(evaluation.advice, totals=replace(totals, savings=None, savings_vs_do_nothing=None))
    given = replace(evaluation, advice=hidden)
    page = next(one for one in brief_of(given, WRITTEN_S, "1").pages if one.key == "question")
    (figure,) = [one for one in page.figures if "savings" in one.key]
    assert figure.amount is None and "unserved" in figure.note


@pytest.fixture(scope="module")
def evaluation():
    return two_clusters_evaluated()


@pytest.fixture(scope="module")
def brief(evaluation):
    return brief_of(evaluation, WRITTEN_S, "1.2.3", two_clusters_sensitivity())


def blocks(brief, kind):
    return [block for page in brief.pages for row in page.rows for block in row if isinstance(block, kind)]


def table(brief, title):
    return next(block for block in blocks(brief, TableBlock) if str(block.title).startswith(title))


def column(block, heading):
    return next(place for place, one in enumerate(block.columns) if str(one.heading) == heading)


def amount(text):
    return int(text.replace(",", "").replace("−", "-"))


def test_each_page_answers_one_question(brief):
    assert [page.key for page in brief.pages] == [
        "question",
        "sign",
        "savings",
        "year",
        "today",
        "stranded",
        "rates",
        "plan",
        "sensitivity",
    ]
    assert all(
        page.title and page.title[0].isupper() | (page.title[0] in "$0123456789") for page in brief.pages
    )
    assert "gpuplanner 1.2.3" in brief.foot


def test_a_brief_has_ten_pages_at_most_and_loses_no_block(evaluation):
    """Of too many each of FOLDED goes below another, with what it is about as a heading."""
    keys = [
        "question",
        "sign",
        "savings",
        "year",
        "steps",
        "today",
        "stranded",
        "months",
        "waiting",
        "latency",
    ]
    keys += ["rates", "inference", "plan", "prices", "sensitivity", "training"]
    many = tuple(
        Page(key=key, kicker=key.upper(), title=f"Of {key}", rows=((TextBlock(key, (key,)),),))
        for key in keys
    )
    folded = briefs.fold_pages(many)
    assert len(folded) == MOST_PAGES and folded[0] == many[0]
    named = [str(block.title) for page in folded for row in page.rows for block in row]
    assert set(keys) <= {*named} and "STEPS: Of steps" in named
    assert briefs.fold_pages(many[:9]) == many[:9]


def test_large_figures_are_the_evaluations(brief, evaluation):
    figures = {figure.key: figure for page in brief.pages for figure in page.figures}
    assert set(figures) == {
        "liability_now",
        "due_at_once_now",
        "later_commitments",
        "plan_12_months",
        "savings_12_months",
        "unused_plan",
        "effective_utilization_plan",
        "lock_in_months",
    }
    for key, figure in figures.items():
        assert figure.amount == getattr(evaluation.totals, key, figure.amount), key
    plan, saved = figures["plan_12_months"], figures["savings_12_months"]
    year = horizon_row(Horizon.TWELVE_MONTHS, evaluation.advice, None)
    assert (plan.amount, saved.amount) == (pytest.approx(year.plan), year.saved)
    totals = evaluation.totals
    assert plan.note == f"next month {dollars(totals.plan)}; today {dollars(totals.today)} per month"


def test_every_amount_of_a_sentence_is_an_amount_of_the_evaluation(brief, evaluation):
    """What is in dollars in titles and sentences, to the whole dollar."""
    totals, audit, band = evaluation.totals, evaluation.audit, evaluation.outlook.uncertainty
    nothing = sum(month.do_nothing_usd for month in evaluation.advice.comparison)
    regrets = {way: worst_regret(evaluation.outlook.price_paths, way).usd for way in WAYS}
    known = [
        *(value for value in map(totals.__getattribute__, totals.__slots__) if isinstance(value, float)),
        round(totals.do_nothing) - round(totals.plan),
        round(totals.today) - round(totals.plan),
        *map(audit.bridge.__getattribute__, audit.bridge.__slots__),
        *(row.usd_per_month for row in flat_rates(past_of(evaluation.project, audit))),
        *(value for value in (band.p10_usd_per_month, band.p90_usd_per_month) if value is not None),
        evaluation.advice.comparison[0].plan_usd,
        evaluation.advice.comparison[-1].plan_usd,
        nothing,
        sum(month.plan_usd for month in evaluation.advice.comparison),
        round(nothing - sum(month.plan_usd for month in evaluation.advice.comparison)),
        *(round(usd) - round(regrets["advice_usd"]) for usd in regrets.values()),
        evaluation.outlook.npv_usd,
        evaluation.wait_for_quotes(usual_days(WRITTEN_S)).usd,
        sum(month.use_usd or 0.0 for month in evaluation.advice.comparison),
        totals.liability - totals.liability_now,
        evaluation.outlook.coverage.extra_usd_per_month,
        *(value for value in (band.year_p10_usd, band.year_p90_usd) if value is not None),
        *(step.usd_per_month for step in evaluation.outlook.savings_steps),
        *regrets.values(),
        audit.premium.usd_per_month,
        sum(
            one.cost_per_month
            for one in in_force(paid_contracts(evaluation.project), evaluation.project.window.end_s)
        ),
        *(one.savings_vs_do_nothing_usd_per_month for one in two_clusters_sensitivity().cases),
    ]
    written = {abs(round(value)) for value in known if value is not None}
    texts = [page.title for page in brief.pages]
    texts += [text for block in blocks(brief, TextBlock) for text in block.sentences]
    texts += [f"{figure.text} {figure.note}" for page in brief.pages for figure in page.figures]
    said = {amount(found) for text in texts for found in re.findall(r"\$([\d,]*\d)", str(text))}
    assert said
    assert said <= written


def test_dollars_of_a_table_add_up_to_its_total_as_written(brief, evaluation):
    for title, headings in (
        ("Clusters", tuple(str(CLUSTER[key].heading(", ")) for key in MONEY)),
        ("First-month layers", ("Cost, $ per month",)),
    ):
        block = table(brief, title)
        for heading in headings:
            at = column(block, heading)
            total, known = str(block.total[at]), [row[at] for row in block.rows if row[at] != "—"]
            assert total.startswith("\u2265 ") == (0 < len(known) < len(block.rows)), heading
            if total != "—":
                assert sum(map(amount, known)) == amount(total.removeprefix("\u2265 ")), heading
    assert table(brief, "First-month layers").total[-1] == whole(evaluation.totals.plan)


@pytest.mark.long
def test_the_bridge_adds_up_as_written():
    metered_known = audit_known = 0
    for seed in range(12):
        evaluation = evaluation_of(random_case(seed))
        (bridge,) = (
            one for row in stranded_page(evaluation).rows for one in row if isinstance(one, BridgeChart)
        )
        paid, served, idle, metered, scaled, audit = bridge.bars
        assert metered.usd == evaluation.audit.bridge.stranded_metered
        if None not in (paid.usd, served.usd, idle.usd, metered.usd):
            metered_known += 1
            assert amount(str(paid.text)) + amount(str(served.text)) + amount(str(idle.text)) == amount(
                str(metered.text)
            )
        if None not in (metered.usd, scaled.usd, audit.usd):
            audit_known += 1
            assert amount(str(metered.text)) + amount(str(scaled.text)) == amount(str(audit.text))
    assert metered_known > 2
    assert audit_known


def test_charts_show_what_the_evaluation_holds(brief, evaluation):
    (months,) = blocks(brief, MonthsChart)
    nothing, plan = months.lines
    whole_months = [row for row in calendar_costs(evaluation.advice) if not row.is_cut]
    assert plan.usd == tuple(row.plan_usd for row in whole_months)
    assert nothing.usd == tuple(row.do_nothing_usd for row in whole_months)
    assert all(chart.plan in evaluation.advice.pools for chart in blocks(brief, DurationChart))
    (demand,) = blocks(brief, DemandChart)
    total = sum(float(values.sum()) for _, values in demand.series)
    hours = evaluation.project.window.hours
    assert hours % 24 == 0
    assert total * 24 == pytest.approx(evaluation.project.cube.total / 3_600_000)
    (timeline,) = blocks(brief, TimelineChart)
    assert timeline.written_s == WRITTEN_S


def test_orders_stand_by_their_day_with_their_money(brief, evaluation):
    orders = sorted(evaluation.advice.orders, key=lambda order: (order.order_by_s, order.start_s))
    block = table(brief, "Orders")
    listed = [row for place, row in enumerate(block.rows) if place not in block.subtotals]
    assert orders and len(listed) == len(orders)
    assert all(any(gpus(order.gpus) == row[3] for row in listed) for order in orders)
    offers = {offer.offer_id: offer.rate for offer in evaluation.project.offers}
    for order in orders:  # a month of it, whatever day it starts
        expected = 730 * order.gpus * offers[order.offer_id]
        assert order_dollars(order, evaluation.advice) == pytest.approx(expected, abs=2)


def test_the_first_page_names_what_is_bought_by_the_hour(evaluation):
    told = by_the_hour(evaluation.advice, evaluation.project.offers)
    said = page_words(brief_of(evaluation, WRITTEN_S, "1").pages[0])
    assert told is not None and str(told) in str(said)
    months = [replace(month, use_usd=0.0) for month in evaluation.advice.comparison]
    less = replace(evaluation, advice=replace(evaluation.advice, comparison=tuple(months)))
    assert "On demand:" not in str(page_words(brief_of(less, WRITTEN_S, "1").pages[0]))


def test_that_all_on_demand_would_cost_less_than_today_is_said_where_it_is_so(evaluation):
    """It was in the workbook alone."""
    for on_demand, is_said in ((900.0, True), (1_000.0, False), (None, False), (0.0, False)):
        totals = replace(evaluation.advice.totals, on_demand_equivalent=on_demand, today=1_000.0)
        made = brief_of(replace(evaluation, advice=replace(evaluation.advice, totals=totals)), WRITTEN_S, "1")
        said = str(table(made, "Step by step").note)
        words = "All on demand would cost $900 per month, $100 less than today; commitments are paid to their end."
        assert (words in said) is is_said  # what is paid by use has none


def test_a_day_that_has_passed_is_said(evaluation):
    late_s = WRITTEN_S + 2 * DAY_S
    late = brief_of(evaluation, late_s, "1")
    assert "overdue" in late.pages[1].title and "overdue" in late.pages[0].title
    assert str(table(late, "Orders").rows[0][1]) == "overdue"
    gone = brief_of(evaluation, WRITTEN_S + 10**9, "1")
    assert "have passed" in gone.pages[1].title and "have passed" in gone.pages[0].title
    assert not any(str(block.title) == "Orders" for block in blocks(gone, TableBlock))
    assert "; 5 are over, $" in str(gone.pages[0].figures[2].note)
    first_s = min(order.order_by_s for order in evaluation.advice.orders)
    on_the_day = brief_of(
        evaluation, first_s // DAY_S * DAY_S + DAY_S - 1, "1"
    )  # as in the window: due today
    assert "overdue" not in on_the_day.pages[1].title
    assert not any("overdue" in str(row[1]) for row in table(on_the_day, "Orders").rows)
    early = brief_of(evaluation, 0, "1")
    assert "overdue" not in early.pages[1].title


@pytest.mark.parametrize("seed", some_of(range(8), quick=3))
def test_projects_of_every_kind_have_a_brief(seed):
    made = brief_of(evaluation_of(random_case(seed)), WRITTEN_S, "1")
    for block in blocks(made, TableBlock):
        widths = {len(row) for row in (*block.rows, *([block.total] if block.total else []))}
        assert widths <= {len(block.columns)}, block.title
    words = [text for block in blocks(made, TextBlock) for text in block.sentences]
    assert not any(word in str(text).split() for text in words for word in ("None", "nan", "inf"))


def test_without_contracts_and_prices_what_is_unknown_is_said():
    case = Case(100)
    case.workload("alpha", "chat", "inference", daily(100, 1, 5))
    made = brief_of(evaluation_of(case), WRITTEN_S, "1")
    assert "unknown" in made.pages[0].title
    assert "No contract" in next(page.title for page in made.pages if page.key == "today")
    assert {figure.text for figure in made.pages[0].figures} == {"—"}


def test_without_advice_there_is_no_brief(evaluation):
    with pytest.raises(ValueError, match="no advice"):
        brief_of(replace(evaluation, advice=None), WRITTEN_S, "1")


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (typed.amount(612_031.6), "$612,032"),
        (typed.amount(-2303.2), "−$2,303"),
        (typed.amount(None), "—"),
        (typed.change(128_480), "+128,480"),
        (typed.change(-0.2), "0"),
        (typed.of_unit(0.3899, "share"), "39.0%"),
        (typed.of_unit(-0.05, "share"), "−5.0%"),
        (typed.of_unit(None, "rate"), "quote needed"),
        (typed.of_unit(2.5, "rate"), "2.50"),
        (typed.gpus(64.0), "64"),
        (typed.gpus(4.555), "4.6"),
        (typed.gpus(0.25), "0.25"),
        (listed(["a", "b", "c"]), "a, b and c"),
    ],
)
def test_figures_in_words(written, text):
    assert str(written) == text


def test_layers_are_written_in_the_dollars_of_the_window_and_add_up(brief, evaluation):
    """A row is within a dollar of its exact amount, which is what a cell of the workbook holds; totals are the same."""
    advice, totals = evaluation.advice, evaluation.totals
    (table,) = [one for one in blocks(brief, TableBlock) if str(one.title).startswith("First-month layers")]
    written = [amount(row[-1]) for row in table.rows]
    assert sum(written) == round(totals.plan) == amount(table.total[-1])
    if len(table.rows) == len(shown_layers := [one for plan in advice.pools for one in plan.layers]):
        of_window = layer_dollars(advice)
        keys = [layer_key(plan, layer) for plan in advice.pools for layer in plan.layers]
        assert written == [of_window[key] for key in keys]
        assert all(
            abs(usd - layer.cost_per_month) < 2 for usd, layer in zip(written, shown_layers, strict=True)
        )


def test_gpus_to_sign_are_told_apart_by_when(brief, evaluation):
    orders = evaluation.advice.orders
    soon = [order for order in orders if order.order_by_s <= WRITTEN_S + MONTH_S]
    now = sum(order.bought_gpus for order in soon)
    assert brief.pages[1].title.startswith(f"Place {len(soon)} orders for {gpus(now)} GPUs, ")
    note = brief.pages[0].figures[0].note
    assert note.startswith(f"{len(soon)} orders (O") and "), due by " in note


def test_without_contracts_page_1_compares_with_all_on_demand():
    case = two_clusters_with_layers()
    project = replace(case.project, contracts=(), scenarios=(replace(case.scenario, pools=dict(case.pools)),))
    bare = evaluated(project, case.classifications)
    brief = brief_of(bare, WRITTEN_S, "1.2.3")
    question, by_key = brief.pages[0], {page.key: page for page in brief.pages}
    words = [question.title.split(": ")[1], *(figure.note for figure in question.figures)]
    assert "all on demand" in question.figures[3].note
    assert not [text for text in words if re.search(r"\b(now|today)\b", text)]
    assert "existing contracts" not in by_key["plan"].title
    assert "Spend today" not in " ".join(map(str, by_key["today"].rows[0][0].sentences))
    saved = next(figure for figure in question.figures if figure.key.startswith("savings"))
    assert str(saved.title) == "Savings" and str(saved.note).endswith("of doing nothing, $1,163,517")
    clusters = table(brief, "Clusters")
    paid = [column(clusters, heading) for heading in ("Mean paid GPUs", "Cost, $ per month")]
    written = [row[place] for row in (*clusters.rows, clusters.total) for place in (*paid, *range(6, 8))]
    assert set(written) == {"\u2014"}  # nobody said what is paid: that is not 0


def test_a_cluster_that_no_contract_is_of_is_unknown_beside_one_that_is_paid():
    case = two_clusters_with_layers()
    kept = tuple(one for one in case.project.contracts if one.cluster == case.project.contracts[0].cluster)
    assert len(kept) < len(case.project.contracts)
    project = replace(case.project, contracts=kept)
    clusters = table(brief_of(evaluated(project, case.classifications), WRITTEN_S, "1"), "Clusters")
    place = column(clusters, "Cost, $ per month")
    by_cluster = {row[0]: row[place] for row in clusters.rows}
    known = amount(by_cluster.pop(kept[0].cluster))
    assert known > 0 and set(by_cluster.values()) == {"\u2014"}
    assert amount(clusters.total[place]) == known


def test_clusters_of_which_a_contract_has_no_rate_cost_at_least_what_is_known():
    """One of each cluster lacks its rate: the title of the page had a dash, or less than the sentence below it."""
    case = two_clusters_with_layers()
    of_first = case.project.contracts[0].cluster
    bare = [
        replace(one, rate_usd_per_gpu_hour=None) for one in case.project.contracts if one.cluster == of_first
    ][:1]
    more = [replace(case.project.contracts[0], contract_id="another")]
    kept = [one for one in case.project.contracts if one.contract_id != bare[0].contract_id]
    project = replace(case.project, contracts=(*bare, *more, *kept))
    given = evaluated(project, case.classifications)
    (today,) = [page for page in brief_of(given, WRITTEN_S, "1").pages if page.key == "today"]
    known = given.audit.spend_parts.known
    assert known and f"cost \u2265 ${known:,.0f} per month" in str(today.title)
    assert f"at least ${known:,.0f} per month" in " ".join(map(str, today.rows[0][0].sentences))


def test_an_audit_reading_above_all_that_is_idle_is_explained(evaluation):
    first, *others = evaluation.audit.clusters
    above = replace(first, stranded_metered=10.0, stranded_audit=90.0, unallocated_per_month=50.0)
    given = replace(evaluation, audit=replace(evaluation.audit, clusters=(above, *others)))
    (page,) = [page for page in brief_of(given, WRITTEN_S, "1.2.3").pages if page.key == "stranded"]
    (text,) = [block for row in page.rows for block in row if isinstance(block, TextBlock)]
    assert f"{first.cluster}: the audit estimate exceeds" in " ".join(map(str, text.sentences))


def test_contracts_of_another_time_are_said_and_count_as_no_spend_of_today(evaluation):
    later_s = 20 * 365 * DAY_S
    contracts = tuple(
        replace(one, start_s=one.start_s + later_s, end_s=None if one.end_s is None else one.end_s + later_s)
        for one in evaluation.project.contracts
    )
    project = replace(
        evaluation.project, contracts=contracts, plan_from_s=evaluation.project.window.end_s + later_s
    )
    apart = brief_of(evaluated(project, two_clusters_with_layers().classifications), WRITTEN_S, "1.2.3")
    question, today, stranded = (
        page for page in apart.pages if page.key in ("question", "today", "stranded")
    )
    assert "all on demand" in question.figures[3].note
    assert not [figure for figure in question.figures if figure.note.startswith("today")]
    assert today.title.startswith("No contract overlaps the log")
    (text,) = [block for row in today.rows for block in row if isinstance(block, TextBlock)]
    assert any("today's figures" in str(sentence) for sentence in text.sentences)
    assert "no contract overlaps the log" in stranded.title
    (timeline,) = blocks(apart, TimelineChart)
    assert timeline.begin_s == project.plan_window.start_s


def test_a_reading_above_all_that_is_unused_is_no_headline(evaluation):
    bridge = replace(evaluation.audit.bridge, stranded_audit=2e5, stranded_metered=6e3)
    for unused, title in (
        (1e5, "Of $100,000 idle cost per month, $6,000 is stranded (metered)"),
        (3e5, "$6,000 per month is stranded (metered), the audit estimate $200,000"),
    ):
        audit = replace(evaluation.audit, bridge=bridge, unused_per_month=unused)
        assert str(stranded_page(replace(evaluation, audit=audit)).title).startswith(title)


@pytest.mark.parametrize(("verdict", "is_to_notice"), [("end", True), ("renew", False)])
def test_notice_is_to_be_given_on_what_ends_and_not_on_what_runs_on(
    evaluation, verdict: str, is_to_notice: bool
):
    name, end_s = evaluation.project.contracts[0].contract_id, WRITTEN_S + 40 * DAY_S
    held = tuple(
        replace(one, end_s=end_s, notice_days=10, renews_months=12) if one.contract_id == name else one
        for one in evaluation.project.contracts
    )
    by_s = end_s - 10 * DAY_S if is_to_notice else None
    decided = Verdict(
        contract_id=name,
        verdict=verdict,
        then_term_months=0,
        gpus=0.0,
        order_by_s=by_s,
        reason="so it is decided",
    )
    advice = replace(evaluation.advice, verdicts=(decided,))
    undecided = replace(evaluation.outlook, next_decisions=())
    of = replace(
        evaluation, project=replace(evaluation.project, contracts=held), advice=advice, outlook=undecided
    )
    brief = brief_of(of, WRITTEN_S, "1.2.3")
    assert ("end 1 contract by " in str(brief.pages[0].title)) is is_to_notice
    (table,) = [one for one in blocks(brief, TableBlock) if str(one.title) == "Existing contracts"]
    assert any(str(VERDICTS[verdict]) in map(str, row) for row in table.rows)


def test_the_curve_of_a_row_says_that_existing_contracts_are_a_mean(brief):
    assert all("mean existing" in str(one.title) for one in blocks(brief, DurationChart))


def test_who_waited_is_said_to_be_in_no_contention(evaluation):
    rows = {row.key: str(row.source) for row in separation_rows(None, evaluation.audit)}
    assert "waiting" in rows["contention"]


def test_what_is_in_force_now_is_said_where_it_is_not_what_the_log_had(evaluation):
    """A ramp: what was paid in the window is a mean over its steps."""
    held = in_force(paid_contracts(evaluation.project), evaluation.project.window.end_s)
    now, (cluster, *_) = sum(one.cost_per_month for one in held), evaluation.audit.clusters
    for usd, is_said in ((now, False), (now / 2, True)):
        audit = replace(evaluation.audit, clusters=(replace(cluster, cost_per_month=usd),))
        title = str(today_title(replace(evaluation, audit=audit)))
        assert title.endswith(f"active contracts cost ${now:,.0f}") is is_said


@pytest.mark.long
def test_prices_move_work_that_no_log_has_beside_demand_that_nobody_serves(evaluation):
    project, plan = evaluation.project, evaluation.project.scenarios[0].name
    offers = tuple(replace(offer, provider="Lyra") for offer in project.offers)
    project = replace(project, offers=(*offers, replace(offers[-1], offer_id="other", provider="Vega")))
    project = plan_work(
        project, plan, (PlannedWork(name="next", pool=Pool.BURST, gpu_model="H100", gpus=4.0),)
    )
    limited = replace(project.scenarios[0], only={project.workloads[0].key: Only("Vega")})
    project = replace(project, scenarios=(limited, *project.scenarios[1:]))
    told = sensitivity_of(evaluate(project, plan, read_tables()))
    assert [case.case for case in told.cases] == ["low", "mid", "high"]


def test_what_the_plan_says_of_time_stands_among_the_assumptions(evaluation, brief):
    project, plan = evaluation.project, evaluation.project.scenarios[0].name
    key = project.workloads[0].key
    project = stop_workloads(project, plan, (key,))
    project = plan_work(
        project, plan, (PlannedWork(name="next", pool=Pool.BURST, gpu_model="H100", gpus=4.0),)
    )
    dated = brief_of(evaluate(project, plan, read_tables()), WRITTEN_S, "1.2.3")
    rows = table(dated, "Assumptions").rows
    assert [row[1:3] for row in rows[:2]] == [("1", "workloads")] * 2
    assert not [row for row in table(brief, "Assumptions").rows if row[2] == "workloads"]


def test_the_first_page_lists_decisions_and_says_what_would_make_it_wrong(brief, evaluation):
    titles = ("Risks and their cost",)
    (wrong,) = (" ".join(map(str, b.sentences)) for b in blocks(brief, TextBlock) if str(b.title) in titles)
    band = evaluation.outlook.uncertainty
    if band.year_p10_usd is not None:
        assert f"{dollars(band.year_p10_usd)} to {dollars(band.year_p90_usd)}" in wrong
    regrets = {way: worst_regret(evaluation.outlook.price_paths, way).usd for way in WAYS}
    assert "Whatever prices do" in wrong or dollars(regrets["advice_usd"]) in wrong
    decisions = evaluation.outlook.open_decisions
    now_block, *more = [one for one in blocks(brief, TableBlock) if str(one.title).startswith("Decide ")]
    rows = [row for block in (now_block, *more) for row in block.rows]
    asked = [of for of in decisions if of.kind != "saving"]
    assert [row[0] for row in rows] == [f"D{decision.number}" for decision in asked]
    assert [str(row[2]) for row in rows] == [
        ", ".join(str(part) for part in (of.title_shortly, of.reason) if part) for of in asked
    ]
    assert [row[5] for row in rows] == [f"{of.usd_12_months:,.0f}".replace("-", "\u2212") for of in asked]
    last = (now_block, *more)[-1]
    now, saved = brief.pages[0].figures[0], brief.pages[0].figures[4]
    assert sum(amount(row[6]) for row in rows) == amount(last.total[6]) == round(now.amount)
    assert f"${last.total[5]}" == str(saved.text)


def test_alike_names_have_their_cluster(evaluation):
    first, second = evaluation.project.workloads[:2]
    alike = replace(second, name=first.name, cluster="elsewhere")
    project = replace(evaluation.project, workloads=(first, alike, *evaluation.project.workloads[2:]))
    lost = Unserved(
        pool=Pool.TRAINING,
        gpu_model="H100",
        key=first.key,
        gpu_hours=100.0,
        usd_per_month=None,
        reason="nobody",
    )
    advice = replace(evaluation.advice, unserved=(lost,))
    made = plan_brief(replace(evaluation, project=project, advice=advice), WRITTEN_S, "1")
    said = " ".join(str(one) for block in blocks(made, TextBlock) for one in block.sentences)
    assert f"{first.name} ({first.cluster}) is unserved" in said


def test_the_year_has_each_month_as_the_comparison_has_it(evaluation, brief):
    """All twelve, their $ as compared; every contract that ends within them is named once."""
    (_, (months,), *_) = next(page.rows for page in brief.pages if page.key == "year")
    advice = evaluation.advice
    assert [amount(row[1]) for row in months.rows] == [round(row.plan_usd) for row in advice.comparison]
    from_s, to_s = advice.comparison[0].start_s, advice.comparison[-1].start_s + MONTH_S
    ending = [one.contract_id for one in evaluation.project.contracts if from_s <= (one.end_s or 0) < to_s]
    assert sorted(name for row in months.rows for name in row[3].split(", ") if name in ending) == sorted(
        ending
    )


def month_row(month, is_cut, usd):
    classes = {pool: ClassMonth(1.0, usd if pool is Pool.INFERENCE else 50.0) for pool in Pool}
    return MonthRow(
        month=month,
        is_cut=is_cut,
        hours=720,
        gpu_hours=3.0,
        paid_in_window=9.0,
        utilization=0.5,
        stranded_audit=None,
        stranded_metered=None,
        classes=classes,
        experiments=0,
        found=None,
        counted=None,
        accepted=None,
        dismissed=None,
    )


def test_a_part_of_a_month_is_not_compared_with_a_whole_one(evaluation):
    """A first month of one day was all inference: from 100% to 50%."""
    rows = [month_row("2026-04", True, 9e9), *(month_row(f"2026-0{at}", False, 100.0) for at in (5, 6))]
    (page,) = months_page(replace(evaluation, months=tuple(rows)))
    assert "50.0% to 50.0% of spend" in str(page.title)
    (page,) = months_page(replace(evaluation, months=tuple(rows[:2])))
    assert page.title == NO_TWO_WHOLE


def test_contracts_that_end_are_counted_in_the_title_by_their_days(evaluation):
    """A contract that renews by itself goes on beside what the plan signs: that is the most expensive day to miss."""
    end_s = WRITTEN_S + 40 * DAY_S
    held = [replace(evaluation.project.contracts[0], contract_id=name, end_s=end_s, notice_days=days, renews_months=12)
            for name, days in (("later", 10), ("sooner", 20), ("none", None), ("kept", 15), ("past", 41))]  # fmt: skip
    verdicts = tuple(
        Verdict(
            contract_id=one.contract_id,
            verdict="keep" if one.contract_id == "kept" else "let_expire",
            then_term_months=0,
            gpus=0.0,
            order_by_s=end_s,
            reason="",
        )
        for one in held
    )
    project = replace(evaluation.project, contracts=tuple(held))
    undecided = replace(evaluation.outlook, next_decisions=())
    given = replace(
        evaluation, project=project, advice=replace(evaluation.advice, verdicts=verdicts), outlook=undecided
    )

    def title(of):
        return str(brief_of(of, WRITTEN_S, "1.2.3", None).pages[0].title)

    soon, last = (str(typed.day(end_s - (days + 1) * DAY_S)) for days in (20, 0))
    assert title(given).startswith("Approve ")
    assert f"end 4 contracts: 1 overdue, 2 from {soon}, 1 by {last}" in title(given)
    basis = given.figures.basis
    plan = replace(basis.plan, notice_given=frozenset({"sooner"}))
    given = replace(given, figures=replace(given.figures, basis=replace(basis, plan=plan)))
    assert "end 3 contracts" in title(given)
    plan = replace(plan, provider_ends={held[0].provider or "": end_s - DAY_S})
    given = replace(given, figures=replace(given.figures, basis=replace(basis, plan=plan)))
    assert "end " not in title(given)


def test_what_is_said_of_jobs_that_name_no_cluster_begins_as_a_sentence(evaluation) -> None:
    row = evaluation.audit.clusters[0]
    named = replace(
        row, unallocated_per_month=1e5, stranded_audit=2e5, training_hours=729, non_training_hours=1
    )
    for cluster, begins, few in (
        ("", "The audit estimate exceeds", "(1 of"),
        ("atlas", "atlas: the audit estimate exceeds", "(atlas 1 of"),
    ):
        bridge = replace(evaluation.audit.bridge, stranded_audit=None)
        audit = replace(
            evaluation.audit, clusters=(replace(named, cluster=cluster),), bridge=bridge, unused_per_month=3e5
        )
        page = stranded_page(replace(evaluation, audit=audit))
        texts = [block for row in page.rows for block in row if isinstance(block, TextBlock)]
        assert any(str(one).startswith(begins) for text in texts for one in text.sentences)
        assert few in str(page.title)
