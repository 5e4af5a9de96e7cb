"""The advice in words: every figure of a sentence is the plan's, whatever the plan."""

import re
from dataclasses import replace

import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.outlook_result import Coverage
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.orders import verdicts_of
from gpuplanner.domain.commitment.result import Order, PoolPlan, Verdict
from gpuplanner.domain.commitment.sentences import (
    ANEW,
    STOP,
    by_the_hour,
    change_words,
    coverage_sentences,
    is_to_stop,
    layer_sentences,
    npv_sentence,
    savings_rate_sentence,
    term_name,
    verdict_words,
)
from gpuplanner.domain.commitment.uncertainty.levels import level_ground, plan_at, screening_of
from gpuplanner.domain.evidence.plan.layers import row_name, term_inputs
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.only import ModelMapping
from gpuplanner.domain.model.plan.scenario import HandLayer
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.reports.plan_layers import layer_words
from tests.domain.commitment.conftest import Load, audit, case, contract, offer

# --- The advice in words: every figure of a sentence is the plan's, whatever the plan ------------

OFFERS = [offer("od", 0, 7.0), offer("q1", 3, 4.6), offer("y1", 12, 3.9), offer("y3", 36, 2.6)]
HOURS = 700
GPUS = [6.5 + hour % 12 for hour in range(HOURS)]


@pytest.fixture(scope="module")
def plan() -> PoolPlan:
    made = case([Load(pool=Pool.INFERENCE, gpus=GPUS)], [contract("k1", 4, 3.0, 40, HOURS)], OFFERS)
    (found,) = advise(made.project, made.project.scenarios[0], made.pools, audit()).pools
    return found


def test_what_is_bought_by_the_hour_is_told_with_its_share_and_from_whom() -> None:
    """All of a plan; nothing where it is a small share."""
    gpus = [4.0] * (HOURS - 40) + [4.5] * 40
    hourly = replace(offer("od", 0, 7.0), provider="Delta")
    for offers, is_said in (([hourly], True), ([hourly, offer("y1", 12, 1.0)], False)):
        made = case([Load(pool=Pool.TRAINING, gpus=gpus)], [], offers)
        advice = advise(made.project, made.project.scenarios[0], made.pools, audit())
        found = by_the_hour(advice, made.project.offers)
        assert (found is not None) is is_said
        usd = sum(month.use_usd or 0.0 for month in advice.comparison)
        hours = sum(way[2] for month in advice.comparison for way in month.use_hours)
        if found is not None:
            assert re.findall(r"\$?\d[\d,]*%?", str(found)) == ["4", f"${usd:,.0f}", "12", "100%"]
            assert str(found).endswith(", Delta.")
            assert hours == pytest.approx(12 * 730 * sum(gpus) / HOURS)
            few = [replace(one, use_hours=(("H100", ("od",), 73.0),)) for one in advice.comparison]
            told = by_the_hour(replace(advice, comparison=tuple(few)), ())  # one that a plan has for itself
            assert ": 0.1 GPUs" in str(told) and str(told).endswith(", od.")


def figures(sentence: str) -> list[float]:
    return [float(text.replace(",", "")) for text in re.findall(r"\d[\d,]*\.?\d*", str(sentence))]


def test_every_layer_has_a_sentence_with_its_figures(plan: PoolPlan) -> None:
    sentences = layer_sentences(plan)
    assert len(sentences) == len(plan.layers) >= 3
    bound = {one.term_months: one.break_even for one in plan.break_even}
    for layer, said in zip(plan.layers, sentences, strict=True):
        if layer.existing or not layer.term_months:
            continue
        limit, value = bound[layer.term_months], layer.value_per_month
        assert limit is not None and value is not None
        gpus, model, months, rate, busy, above, usd = figures(str(said))
        assert (gpus, model, months, rate) == (layer.gpus, 100, layer.term_months, layer.rate)
        assert busy == round(100 * (layer.utilization or 0), 1)
        assert (above, usd) == (round(100 * limit, 1), round(value))


def test_a_layer_in_words(plan: PoolPlan) -> None:
    tried = plan_at(level_ground(plan, {}), (HandLayer(36, 3), HandLayer(24, 1)))
    bound = next(one.break_even for one in plan.break_even if one.term_months == 36) or 0
    existing, longest, unknown, by_use = layer_sentences(tried)
    assert "4.0 H100" in str(existing) and "$3.00" in str(existing)
    busy = tried.layers[1].utilization or 0
    texts = (
        "3 H100",
        "36 months",
        "$2.60",
        f"{busy:.1%}",
        f"{bound:.1%}",
        f"${730 * 3 * (busy * 7 - 2.6):,.0f}",
    )
    assert [text for text in texts if text not in str(longest)] == []
    assert "1 H100" in str(unknown) and "24 months" in str(unknown) and "$" not in str(unknown)
    assert "$7.00" in str(by_use)


def test_a_layer_of_days_is_told_in_days() -> None:
    made = case([Load(pool=Pool.INFERENCE, gpus=GPUS)], (), [OFFERS[0], offer("d45", 2, 1.0, term_days=45)])
    (row,) = advise(made.project, made.project.scenarios[0], made.pools, audit()).pools
    told = dict(zip(row.layers, layer_sentences(row), strict=True))
    (said,) = [str(one) for layer, one in told.items() if layer.offer_id == "d45"]
    (layer,) = [layer for layer in told if layer.offer_id == "d45"]
    assert " for 45 days at $1.00" in said and str(layer_words(layer)) == "45 days"


def test_a_layer_that_does_not_pay_says_what_it_costs(plan: PoolPlan) -> None:
    tried = plan_at(level_ground(plan, {}), (HandLayer(3, 40),))
    said = layer_sentences(tried)[1]
    value = tried.layers[1].value_per_month or 0
    assert value < 0 and f"costs ${-value:,.0f} per" in str(said)


def test_layers_of_another_model_are_told_in_what_is_bought_and_what_it_stands_in_for(plan: PoolPlan) -> None:
    """Terms at H200s that are worth 1.6 H100 each; each figure of a sentence is the layer's."""
    offers = [*OFFERS, *(replace(one, offer_id=f"big-{one.offer_id}", gpu_model="H200") for one in OFFERS)]
    made = case([Load(pool=Pool.INFERENCE, gpus=GPUS)], (), offers)
    made = replace(made, project=replace(made.project, mappings=(ModelMapping("H100", "H200", 1.6),)))
    (row,) = advise(made.project, made.project.scenarios[0], made.pools, audit()).pools
    told = dict(zip(row.layers, layer_sentences(row), strict=True))
    for layer, said in told.items():
        assert str(said).count("H200") == 1 and str(said).index("H200") < str(said).rindex("H100")
        plain = str(said).replace("H200", "").replace("H100", "")
        bought, rate = layer.offer_gpus or 0.0, layer.offer_rate
        if layer.term_months:
            gpus, work, months, at, busy, *_ = figures(plain)
            assert (gpus, work, months) == (bought, layer.gpus, layer.term_months)
        else:
            mean, at, most, busy = figures(plain)
            assert mean == round(bought * (layer.utilization or 0.0), 1)
            assert most - 1 < bought <= most
        assert (at, busy) == (round(rate or 0.0, 2), round(100 * (layer.utilization or 0.0), 1))


MORE_FOR_TARGET = "Committing 3 GPUs more would reach 71.0% (target: 70%): $1,234 per month more."
LESS_FOR_TARGET = "Moving 1 GPU to on demand would reach 72.0% (target: 70%): $500 per month more."
CHEAPER = "Committing 2 GPUs more would reach 70.0% (target: 70%): $80 per month less."


@pytest.mark.parametrize(
    ("coverage", "said"),
    [
        (
            Coverage(now=0.2, plan=0.5, target=0.7, reached=0.71, extra_gpus=3, extra_usd_per_month=1234.4),
            MORE_FOR_TARGET,
        ),
        (
            Coverage(now=0.2, plan=0.9, target=0.7, reached=0.72, extra_gpus=-1, extra_usd_per_month=500.0),
            LESS_FOR_TARGET,
        ),
        (
            Coverage(now=0.2, plan=0.5, target=0.7, reached=0.7, extra_gpus=2, extra_usd_per_month=-80.0),
            CHEAPER,
        ),
        (
            Coverage(now=0.2, plan=0.7, target=0.7, reached=0.7, extra_gpus=0, extra_usd_per_month=0.0),
            "This is the 70% target, as near as whole GPUs allow.",
        ),
        (
            Coverage(now=0.2, plan=0.5, target=0.7, reached=None, extra_gpus=3, extra_usd_per_month=None),
            "No offered commitments reach the 70% target.",
        ),
    ],
)
def test_coverage_in_words(coverage: Coverage, said: str) -> None:
    first, second = coverage_sentences(coverage)
    assert figures(str(first)) == [100 * (coverage.plan or 0), 100 * (coverage.now or 0)]
    assert str(second) == said


def test_no_demand_and_no_value_are_said() -> None:
    (nothing,) = coverage_sentences(
        Coverage(now=None, plan=None, target=0.7, reached=None, extra_gpus=0, extra_usd_per_month=None)
    )
    assert "demand" in str(nothing) and "%" not in str(nothing)
    assert "unknown" in str(npv_sentence(None, 60))
    assert "save $1,000 against on demand over 60 months" in str(npv_sentence(1000.0, 60))
    assert "cost $1,000 more than on demand over 60 months" in str(npv_sentence(-1000.0, 60))


def test_the_effective_savings_rate_in_words(plan: PoolPlan) -> None:
    made = case([Load(pool=Pool.INFERENCE, gpus=GPUS)], [contract("k1", 4, 3.0, 40, HOURS)], OFFERS)
    totals = advise(made.project, made.project.scenarios[0], made.pools, audit()).totals
    rate, usd = totals.effective_savings_rate or 0.0, totals.on_demand_equivalent or 0.0
    assert usd == pytest.approx(730 * plan.demand.mean_gpus * 7.0) and rate > 0
    said = str(savings_rate_sentence(totals))
    assert f"{rate:.1%}" in said and f"${usd:,.0f} per month" in said
    worse = savings_rate_sentence(replace(totals, effective_savings_rate=-0.123))
    assert "\u221212.3%" in str(worse)
    assert "unknown" in str(savings_rate_sentence(replace(totals, effective_savings_rate=None)))
    none = savings_rate_sentence(replace(totals, effective_savings_rate=-418.499))
    assert f"twice all on demand, ${usd:,.0f}" in str(none) and "%" not in str(none)


def test_the_lines_of_the_screening_curve_cross_at_the_break_evens(plan: PoolPlan) -> None:
    screening = screening_of(plan)
    assert screening is not None and screening.by_use_usd == pytest.approx(730 * 7.0)
    assert [term.term_months for term in screening.terms] == [36, 12, 3]
    bound = {one.term_months: one.break_even for one in plan.break_even}
    for term in screening.terms:
        assert term.break_even == bound[term.term_months]
        assert term.compared_per_month == pytest.approx(screening.by_use_usd * term.break_even)
        assert term.compared_per_month >= 730 * term.rate - 1e-9  # a term is never flattered
    (best,) = [term for term in screening.terms if screening.is_cheapest(term)]
    assert best.compared_per_month == min(term.compared_per_month for term in screening.terms)


def test_nothing_by_use_no_screening_curve(plan: PoolPlan) -> None:
    assert screening_of(replace(plan, flex=replace(plan.flex, rate=None))) is None


# --- Terms that are sold by the day are told in days wherever layers are named, whatever tells them apart

QUARTER, YEAR = offer("d90", 3, 3.0, term_days=90), offer("y1", 12, 6.5)
TERM_NAMES_GPUS = [6.5 + hour % 12 for hour in range(700)]


def _plan() -> PoolPlan:
    made = case([Load(pool=Pool.INFERENCE, gpus=TERM_NAMES_GPUS)], (), [offer("od", 0, 7.0), QUARTER, YEAR])
    (found,) = advise(made.project, made.project.scenarios[0], made.pools, audit()).pools
    return found


def test_rows_break_evens_and_screening_of_a_term_of_days_say_days() -> None:
    plan = _plan()
    assert [one.term_days for one in plan.layers if one.is_new] == [90]
    names = {months: str(term_name(plan, months)) for months in (3, 12, 24)}
    assert names == {3: "90 days", 12: "12 months", 24: "24 months"}
    assert str(row_name(plan, "3")).endswith(", 90 days")
    screening = screening_of(plan)
    assert screening is not None
    assert [(one.term_months, one.term_days) for one in screening.terms] == [(12, None), (3, 90)]
    assert [str(term_inputs(plan, one).title).split(", ")[1] for one in plan.break_even] == [
        "90 days",
        "12 months",
    ]


def test_a_verdict_says_the_days_of_what_follows() -> None:
    held = contract("k", 16, 3.0, 0.5, 720)
    made = case([Load(pool=Pool.INFERENCE, gpus=[16.0] * 720)], [held], [QUARTER, YEAR])
    ground = ground_of(made.project, made.project.scenarios[0], made.pools, AdviceCache())
    ends_s = held.end_s or 0
    orders = [
        Order(
            pool=Pool.INFERENCE,
            gpu_model="H100",
            offer_id=one.offer_id,
            term_months=one.term_months,
            gpus=8.0,
            start_s=ends_s,
            end_s=ends_s + round(one.term_hours * 3600),
            order_by_s=ends_s,
            reason="contract_end",
            term_days=one.term_days,
        )
        for one in (QUARTER, YEAR)
    ]
    (verdict,) = verdicts_of([held], orders, {}, ground)
    assert verdict.shares == ((8.0, (3, 90)), (8.0, (12, None)))
    assert "90 days" in str(verdict.reason) and "12 months" in str(verdict.reason)


# --- What follows a contract, in words: from how many to how many --------------------------------

CONTRACT = Contract(
    contract_id="k",
    cluster="c",
    gpu_model="H100",
    milli_gpus=64_000,
    rate_usd_per_gpu_hour=None,
    start_s=0,
    term_months=36,
)


def test_a_change_says_from_how_many_to_how_many() -> None:
    verdict = Verdict(
        contract_id="k",
        verdict="shorten",
        then_term_months=12,
        gpus=10.0,
        order_by_s=0,
        reason="",
        shares=((10.0, (12, None)),),
    )
    assert str(change_words(verdict, CONTRACT)) == "64 \u2192 10 GPUs, 36 \u2192 12 months"
    assert str(change_words(verdict, CONTRACT, "H100")).endswith("64 \u2192 10 H100, 36 \u2192 12 months")


def test_terms_of_several_kinds_are_said_to_be_mostly_one() -> None:
    verdict = Verdict(
        contract_id="k",
        verdict="shorten",
        then_term_months=12,
        gpus=1_200.0,
        order_by_s=0,
        reason="",
        shares=((1_000.0, (12, None)), (200.0, (24, None))),
    )
    assert "36 \u2192 mostly 12 months" in str(change_words(verdict, CONTRACT))
    assert "64 \u2192 1,200 GPUs" in str(change_words(verdict, CONTRACT))


def test_what_stays_the_same_has_no_arrow() -> None:
    assert (
        str(
            change_words(
                Verdict(
                    contract_id="k",
                    verdict="replace",
                    then_term_months=36,
                    gpus=64.0,
                    order_by_s=0,
                    reason="",
                ),
                CONTRACT,
            )
        )
        == "64 GPUs, 36 months"
    )
    assert (
        str(
            change_words(
                Verdict(
                    contract_id="k", verdict="replace", then_term_months=1, gpus=1.5, order_by_s=0, reason=""
                ),
                None,
            )
        )
        == "1.5 GPUs, 1 month"
    )
    assert (
        str(
            change_words(
                Verdict(
                    contract_id="k",
                    verdict="let_expire",
                    then_term_months=0,
                    gpus=0.0,
                    order_by_s=0,
                    reason="",
                ),
                CONTRACT,
            )
        )
        == ""
    )


def test_what_runs_on_by_itself_is_to_be_stopped_not_let_end() -> None:
    gone = Verdict(
        contract_id="k",
        verdict="let_expire",
        then_term_months=0,
        gpus=0.0,
        order_by_s=None,
        reason="on demand: planned afresh",
    )
    ending = replace(CONTRACT, end_s=10**9)
    assert str(verdict_words(gone, ending)) == "let expire" and not is_to_stop(gone, ending)
    for one in (CONTRACT, replace(ending, pricing_category=PricingCategory.STANDARD)):  # no end; paid by use
        assert is_to_stop(gone, one) and str(verdict_words(gone, one)) == "end it"
        said = [str(verdict_words(gone, replace(one, notice_days=days))) for days in (1, 30)]
        assert [text.startswith(f"{STOP} ({days} day") for text, days in zip(said, (1, 30), strict=True)] == [
            True
        ] * 2
        assert str(verdict_words(replace(gone, verdict="keep"), one)) == "keep"


def test_what_follows_only_if_its_demand_lasts_says_so() -> None:
    verdict = Verdict(
        contract_id="k",
        verdict="replace",
        then_term_months=12,
        gpus=4.0,
        order_by_s=0,
        reason="",
        shares=((4.0, (12, None)),),
        if_it_lasts_gpus=24.0,
    )
    lasting = str(verdict_words(verdict, CONTRACT))
    assert lasting.endswith(" (64 \u2192 4 GPUs, 36 \u2192 12 months, 24 more if it lasts)")
    firm = replace(verdict, if_it_lasts_gpus=0.0)
    assert "lasts" not in str(verdict_words(firm, CONTRACT))
    gone = replace(verdict, verdict="let_expire", then_term_months=0, gpus=0.0, shares=())
    assert str(verdict_words(gone, replace(CONTRACT, end_s=10**9))) == "let expire (24 more if it lasts)"
    ends = replace(firm, verdict="end")  # it would renew, for as many GPUs as it has
    assert str(verdict_words(ends, CONTRACT)).startswith(f"{ANEW} (64 \u2192 4 GPUs")


def test_terms_of_days_are_said_in_days() -> None:
    verdict = Verdict(
        contract_id="k",
        verdict="shorten",
        then_term_months=3,
        gpus=10.0,
        order_by_s=0,
        reason="",
        shares=((10.0, (3, 90)),),
    )
    assert str(change_words(verdict, CONTRACT)) == "64 \u2192 10 GPUs, 36 months \u2192 90 days"
    assert verdict.then_s == 90 * 86_400
    both = replace(verdict, shares=((4.0, (3, None)), (6.0, (3, 90))))
    assert "3 months or 90 days" in str(change_words(both, CONTRACT))
