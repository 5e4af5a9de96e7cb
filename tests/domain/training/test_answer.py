"""What comes of a stated run: its curve and knee, the cheapest of each GPU model, clusters, and planned work."""

from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

import pytest

from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.intake import LoggedRun
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.trained import Layout, Method, Sharding, StatedRun, TrainedModel
from gpuplanner.domain.reports.training import sentences_of
from gpuplanner.domain.training.answer import Answer, knee_of, planned_of, runs_of_model
from gpuplanner.files.system.resources import model_of_catalogue
from gpuplanner.files.system.training import answers_in, trained_answer
from tests.domain import worlds

SMALL, LARGE = model_of_catalogue("Llama-3-8B"), model_of_catalogue("Llama-3-70B")
assert SMALL is not None and LARGE is not None
OFFERS = (
    Offer(
        offer_id="a-od",
        gpu_model="A100",
        pricing_category=PricingCategory.STANDARD,
        term_months=0,
        rate_usd_per_gpu_hour=Decimal("1.90"),
    ),
    Offer(
        offer_id="h-od",
        gpu_model="H100",
        pricing_category=PricingCategory.STANDARD,
        term_months=0,
        rate_usd_per_gpu_hour=Decimal("2.75"),
    ),
    Offer(
        offer_id="q-od",
        gpu_model="Abacus 9",
        pricing_category=PricingCategory.STANDARD,
        term_months=0,
        rate_usd_per_gpu_hour=Decimal("0.10"),
    ),
)
SLOW = StatedRun(
    model=SMALL,
    tokens=1e12,
    gpu_model="H100",
    layout=Layout(sharding=Sharding.ZERO1),
    batch=512.0,
    nic_gbps=100.0,
    fixed=("tp", "pp", "cp"),
)


def answered(run: StatedRun, contracts: tuple[Contract, ...] = ()) -> Answer:
    return trained_answer(run, OFFERS, Assumptions(), contracts, 0)


def hours(answer: Answer) -> list[float]:
    return [one.finish.hours for one in answer.curve("H100") if one.finish is not None]


def test_more_gpus_are_never_slower_at_one_batch() -> None:
    curve, found = answered(SLOW).curve("H100"), hours(answered(SLOW))
    assert len({one.run.batch for one in curve}) == 1 and len(found) == len(curve) >= 6
    assert all(more.run.gpus == 2 * less.run.gpus for less, more in pairwise(curve))


def test_the_knee_is_where_doublings_begin_to_save_little() -> None:
    answer = answered(SLOW)
    curve, knee = answer.curve("H100"), knee_of(answer.curve("H100"))
    assert knee is not None and 16 < knee.run.gpus < 512
    at, found = curve.index(knee), hours(answer)
    assert all(1 - more / less >= 0.375 for less, more in pairwise(found[: at + 1]))
    assert 1 - found[at + 1] / found[at] < 0.375
    fast = answered(replace(SLOW, nic_gbps=3200.0))
    faster = knee_of(fast.curve("H100"))
    assert faster is None or faster.run.gpus > knee.run.gpus
    assert knee_of(()) is knee_of(curve[:1]) is None


def test_a_deadline_has_the_cheapest_gpus_that_keep_it() -> None:
    free = answered(StatedRun(model=LARGE, tokens=1e11))
    assert set(free.best_of_each) == {"A100", "H100"} and free.unknown == ("Abacus 9",)
    bound = answered(StatedRun(model=LARGE, tokens=1e11, deadline_h=300.0))
    best = bound.best
    assert best is not None and best.finish is not None and best.finish.hours <= 300
    kept = [one for one in bound.choices if one.meets_deadline and one.usd is not None]
    assert best.usd == min(one.usd or 0.0 for one in kept)


def test_a_run_that_misses_its_deadline_has_its_dollars_all_the_same() -> None:
    stated = StatedRun(model=LARGE, tokens=1e11, gpu_model="H100", gpus=64, deadline_h=10.0)
    late, free = answered(stated).choices[0], answered(replace(stated, deadline_h=None)).choices[0]
    assert late.meets_deadline is False and (late.usd, late.offer) == (free.usd, free.offer) != (None, None)


def test_a_measured_run_says_which_figures_are_still_the_formulas() -> None:
    (one, *_) = answered(
        StatedRun(model=LARGE, tokens=1e11, gpu_model="H100", gpus=64, measured_h=500.0, measured_gpus=64)
    ).choices
    assert one.finish is not None and one.finish.hours == 500.0
    assert one.finish.whole_hours == 500.0  # what was measured is a whole run
    assert "hours measured" in str(one.why) and "MFU" in str(one.why)


def test_a_run_on_what_is_held_says_whether_it_fits_and_what_would() -> None:
    held = (
        Contract(
            contract_id="c1",
            cluster="atlas",
            gpu_model="H100",
            milli_gpus=16_000,
            rate_usd_per_gpu_hour=None,
            start_s=0,
        ),
        Contract(
            contract_id="c2",
            cluster="atlas",
            gpu_model="H100",
            milli_gpus=48_000,
            rate_usd_per_gpu_hour=None,
            start_s=0,
        ),
        Contract(
            contract_id="c3",
            cluster="old",
            gpu_model="H100",
            milli_gpus=8_000,
            rate_usd_per_gpu_hour=None,
            start_s=-10,
            end_s=-5,
        ),
        Contract(
            contract_id="c4",
            cluster="odd",
            gpu_model="Abacus 9",
            milli_gpus=8_000,
            rate_usd_per_gpu_hour=None,
            start_s=0,
        ),
    )
    (one,) = answered(StatedRun(model=LARGE, tokens=1e11), held).clusters
    assert (one.cluster, one.choice.run.gpus, one.choice.fit.light) == ("atlas", 64, Light.GREEN)
    assert one.parameters is not None and one.parameters > LARGE.parameters


@pytest.mark.parametrize("written", ["h100", "H100-SXM", "NVIDIA H100 80GB HBM3"])
def test_a_chip_has_its_prices_and_watts_however_it_is_written(written: str) -> None:
    plain, other = (
        answered(StatedRun(model=SMALL, tokens=1e11, gpu_model=name, gpus=64)).best
        for name in ("H100", written)
    )
    assert plain is not None and other is not None and plain.usd is not None and plain.kwh is not None
    assert (other.usd, other.kwh, other.offer) == (plain.usd, plain.kwh, plain.offer)


@pytest.mark.parametrize(("sold", "is_priced"), [("A100 80GB", True), ("A100 40GB", False)])
def test_a_model_without_its_memory_has_the_prices_of_the_same_memory(sold: str, is_priced: bool) -> None:
    run = StatedRun(model=SMALL, tokens=1e11, gpu_model="A100", gpus=64)
    (choice,) = trained_answer(run, [replace(OFFERS[0], gpu_model=sold)], Assumptions(), (), 0).choices
    assert (choice.usd is not None) is is_priced


def test_a_run_that_never_ends_is_no_choice_and_prices_no_network() -> None:
    endless = answered(StatedRun(model=SMALL, tokens=1e12, gpu_model="H100", gpus=500_000))
    assert endless.best is None or endless.best.finish.hours < float("inf")
    assert all(one.hours < float("inf") for one in endless.networks)


def test_a_run_becomes_work_of_its_hours() -> None:
    best = answered(StatedRun(model=LARGE, tokens=1e11)).best
    assert best is not None and best.finish is not None
    work = planned_of(best, "big", 3600, 720.0)
    assert (work.name, work.pool, work.gpus) == ("big", Pool.TRAINING, best.run.gpus)
    assert work.length_hours is not None and 0 <= work.length_hours - best.finish.whole_hours < 1
    assert work.latest_finish_s == 3600 * 721 and work.cluster == ""
    held = Contract(
        contract_id="c1",
        cluster="fen",
        gpu_model=best.run.chip.name,
        milli_gpus=16_000,
        rate_usd_per_gpu_hour=None,
        start_s=0,
    )
    for others, cluster in (((held,), "fen"), ((held, replace(held, cluster="b")), "")):
        assert planned_of(best, "big", 0, None, others).cluster == cluster  # what idles there serves it
    assert (
        planned_of(best, "big", 0, 720.2).latest_finish_s == 3600 * 721
    )  # whole hours hold what part of one does
    with pytest.raises(ValueError, match="does not end"):
        planned_of(replace(best, finish=replace(best.finish, hours=float("inf"))), "big", 0, None)


@pytest.mark.parametrize("tokens", [1e10, 1e11, 1e12])
@pytest.mark.parametrize("deadline_h", [None, 100.0, 1000.0])
@pytest.mark.parametrize("model", [SMALL, LARGE])
def test_the_first_of_each_is_the_best_of_all(
    tokens: float, deadline_h: float | None, model: TrainedModel
) -> None:
    found = answered(StatedRun(model=model, tokens=tokens, deadline_h=deadline_h))
    first = next(iter(found.best_of_each.values()))
    assert found.best is first if found.best is not None else first.meets_deadline is False


def test_a_measured_run_tells_nothing_of_another_gpu_model() -> None:
    held = tuple(
        Contract(
            contract_id=f"c{at}",
            cluster=at,
            gpu_model=name,
            milli_gpus=64_000,
            rate_usd_per_gpu_hour=None,
            start_s=0,
        )
        for at, name in (("one", "A100"), ("two", "H100"))
    )
    stated = StatedRun(model=SMALL, tokens=1e9, gpu_model="H100", gpus=64, measured_h=40.0, measured_gpus=64)
    a100, h100 = answered(stated, held).clusters
    assert h100.choice.finish is not None and h100.choice.finish.hours == pytest.approx(40)
    plain = answered(replace(stated, measured_h=None), held).clusters[0].choice.finish
    assert a100.choice.finish == plain is not None


def test_a_quote_that_is_undecided_prices_no_run() -> None:
    waits = Offer(
        offer_id="w",
        gpu_model="H100",
        pricing_category=PricingCategory.STANDARD,
        term_months=0,
        rate_usd_per_gpu_hour=Decimal("0.10"),
        source="Noted in a.csv; plus VAT",
    )
    answer = trained_answer(SLOW, (*OFFERS, waits), Assumptions(), (), 0)
    assert {one.offer.offer_id for one in answer.curve("H100") if one.offer is not None} == {"h-od"}


# --- Runs of the log correct how long a whole run is

STATED = StatedRun(model=SMALL, tokens=1e11, gpu_model="H100", gpus=64)


def steps_h(gpus: int = 64) -> float:
    (choice,) = answered(replace(STATED, gpus=gpus)).choices
    assert choice.finish is not None
    return choice.finish.hours


def logged(hours: float, job_id: str = "1", state: str = "COMPLETED", gpus: int = 64) -> LoggedRun:
    return LoggedRun(
        key="a/b/llama-3-8b",
        gpu_model="H100",
        job_id=job_id,
        milli_gpus=1000 * gpus,
        start_s=0,
        end_s=round(3600 * hours),
        state=state,
    )


def whole_over_steps(
    past: tuple[LoggedRun, ...], stated: StatedRun = STATED, factor: float | None = None
) -> float:
    assumed = Assumptions(training_whole_run_factor=factor)
    (choice, *_) = trained_answer(stated, OFFERS, assumed, (), 0, past).choices
    assert choice.finish is not None
    return choice.finish.whole_hours / choice.finish.hours


def test_the_median_of_own_runs_stands_for_that_of_published_ones() -> None:
    own = [logged(factor * steps_h(), str(at)) for at, factor in enumerate((1.3, 1.5, 2.0))]
    assert whole_over_steps(tuple(own)) == pytest.approx(1.5, rel=1e-4)
    assert whole_over_steps(()) == 1.25
    assert whole_over_steps(tuple(own), factor=1.1) == pytest.approx(1.1)  # the planner's own comes first
    on_more = logged(1.4 * steps_h(128), gpus=128)
    assert whole_over_steps((on_more,)) == pytest.approx(1.4, rel=1e-4)


def test_attempts_of_one_job_are_one_run_and_what_failed_is_none() -> None:
    steps = steps_h()
    again = (logged(0.5 * steps, state="FAILED"), logged(1.1 * steps))
    assert whole_over_steps(again) == pytest.approx(1.6, rel=1e-4)
    assert whole_over_steps((logged(1.5 * steps, state="FAILED"),)) == 1.25
    assert whole_over_steps((replace(again[1], gpu_model="Abacus 9"),)) == 1.25
    assert whole_over_steps((logged(1.5 * steps, state=""),)) > 1.25  # a log without states
    no_ids = (logged(1.4 * steps, ""), logged(1.4 * steps, ""))
    assert whole_over_steps(no_ids) == pytest.approx(1.4, rel=1e-4)


@pytest.mark.parametrize("factor", [0.85, 3.0])
def test_a_run_that_no_published_one_is_like_had_other_tokens(factor: float) -> None:
    assert whole_over_steps((logged(factor * steps_h()),)) == 1.25


def test_own_runs_are_said_once_with_how_many_there_are() -> None:
    answer = trained_answer(STATED, OFFERS, Assumptions(), (), 0, (logged(1.5 * steps_h()),))
    (choice,) = answer.choices
    said = [str(words) for words in sentences_of(choice, answer.asked)]
    assert len(said) == 3 and said[1].startswith("1 completed run of this model in the log took 1.50")
    assert said[1] == f"{choice.why}." and answer.asked.own_runs == 1
    assert answered(STATED).choices[0].why == ""


def test_runs_of_a_project_are_answered_with_those_of_its_log() -> None:
    of = replace(
        worlds.past().project,
        runs=(STATED,),
        workloads=(Workload(key="a/b/llama-3-8b", name="llama-3-8b", cluster="a", owner="b"),),
    )
    own = replace(of, jobs=replace(of.jobs, runs=(logged(1.5 * steps_h()),)))
    published, corrected = (answers_in(project, TODAY, 0)[0].asked for project in (of, own))
    assert (published.whole_run, published.own_runs, corrected.own_runs) == (None, 0, 1)
    assert corrected.whole_run == pytest.approx(1.5, rel=1e-4)


@pytest.mark.parametrize(
    ("name", "models", "is_own"),
    [
        ("llama-3-8b-pretrain", (), True),
        ("Llama3_8B", (), True),
        ("codellama-3-8b", (), False),
        ("llama-3.1-8b", (), False),
        ("llama-3-80b", (), False),
        ("llama-3-8b-lora", (), False),
        ("llama-3-8b-mini-pretrain", (), False),
        ("llama-3-8b.1", (), False),
        ("exploration-llama-3-8b", (), True),
        ("pretrain", (("meta/llama-3-8b", 5),), True),
        ("pretrain", (("Llama-3-8B", 5), ("other", 1)), False),
    ],
)
def test_runs_are_own_by_the_model_that_jobs_name(
    name: str, models: tuple[tuple[str, int], ...], is_own: bool
) -> None:
    workload = Workload(key="a/b/c", name=name, cluster="a", owner="b", sample_name=name, model_time=models)
    run = replace(logged(1.0), key="a/b/c")
    found = runs_of_model(STATED, (workload,), (run, replace(run, key="a/b/d")))
    assert found == ((run,) if is_own else ())
    adapters = runs_of_model(replace(STATED, method=Method.LORA), (workload,), (run,))
    assert adapters == ((run,) if name.endswith("lora") else ())
