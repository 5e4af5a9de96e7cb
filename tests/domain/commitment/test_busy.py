"""Months in parts, what contracts serve of demand, and how busy slices are, by hand."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.commitment import busy
from gpuplanner.domain.commitment.busy import (
    UNDATED,
    MonthState,
    Outlined,
    Schedule,
    busy_tables,
    capacities_of,
    demand_at,
    factors_of_months,
    groups_of,
    in_turn,
    moments_of,
    months_of,
    paid_by_month,
    peaks_of,
    residual_at,
    schedules_for,
    shares_of_month_0,
    spans_of_months,
    states_in,
    used_gpus,
)
from gpuplanner.domain.commitment.demand.model_demand import (
    Flow,
    ModelDemand,
    OneJob,
    Site,
    Stream,
    one_jobs,
    without_one_job,
)
from gpuplanner.domain.commitment.demand.slicing import Slicing, hour_weights
from gpuplanner.domain.model.book.only import Row
from gpuplanner.domain.model.intake import JobFacts, LargestJob
from gpuplanner.domain.model.plan.changes import DemandChange, PriceChange, Step
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.plan.splits import ShareSplit
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import HOUR_S, MONTH_S, Window
from tests.domain.commitment.conftest import START_S, Load, case, contract

HOURS = 4
WINDOW = Window(START_S, HOURS)
BEGIN_S = WINDOW.end_s
GPU_HOUR = 3_600_000.0
FLAT = dict.fromkeys(Pool, 0.0)


def all_alike(_: object) -> None:
    """All hours count alike."""


def month_s(months: float) -> int:
    return BEGIN_S + round(months * MONTH_S)


# --- Schedules and the parts of months


def test_a_schedule_says_when_it_is_there_and_how_much() -> None:
    spell = Spell(month_s(1), month_s(3))
    steps = (Step(2.0, month_s(2)), Step(3.0, month_s(9), by=True))
    of = Schedule(spell=spell, steps=steps)
    assert (of.grows, of.is_stated, of.counts_as_lived) == (True, True, True)
    assert of.moments == (month_s(1), month_s(3), month_s(2))
    factors = [of.factor_at(month_s(at), int(at), BEGIN_S) for at in (0.9, 1, 2, 3)]
    # by month 9 three times: 1 + 2 / 9 in month 1, 1 + 4 / 9 in month 2
    assert factors == pytest.approx([0.0, 1 + 2 / 9, 2 * (1 + 4 / 9), 0.0])
    ends = Schedule(spell=Spell(None, month_s(3)))
    assert (ends.is_stated, ends.counts_as_lived, ends.factor_at(0, 0, BEGIN_S)) == (True, False, 1.0)
    planned = Schedule(is_planned=True)
    assert (planned.grows, planned.is_stated, planned.counts_as_lived) == (False, True, True)
    assert (UNDATED.is_stated, UNDATED.counts_as_lived, UNDATED.moments) == (False, False, ())


def test_schedules_of_workloads_their_parts_and_planned_work() -> None:
    work = PlannedWork(
        name="w",
        pool=Pool.TRAINING,
        gpu_model="H100",
        gpus=1.0,
        cluster="c1",
        team="team",
        begins_s=month_s(1),
    )
    ends = replace(work, name="e", ends_s=month_s(2))
    once = replace(work, name="o", begins_s=None, length_hours=10)
    scenario = Scenario(
        name="A",
        spells={"a": Spell(None, month_s(5)), work.key: Spell(None, month_s(7))},
        splits={"a": ShareSplit(250)},
        changes=(
            DemandChange(target="all", keys=(), factor=3.0, from_s=month_s(2)),
            DemandChange(target="a", keys=("a",), factor=2.0, from_s=month_s(1)),
        ),
        planned=(work, ends, once),
    )
    keys = ["a", "a#1", "b", work.key, ends.key, once.key]
    found = schedules_for(keys, scenario, BEGIN_S)
    assert [of.spell for of in found] == [
        Spell(None, month_s(5)),
        Spell(None, month_s(5)),
        Spell(None, None),
        Spell(None, month_s(7)),  # what the planner set counts before
        Spell(month_s(1), month_s(2)),
        Spell(BEGIN_S, BEGIN_S + 10 * HOUR_S),
    ]
    assert [[step.factor for step in of.steps] for of in found[:3]] == [[2.0, 3.0], [2.0, 3.0], [3.0]]
    assert [of.is_planned for of in found] == [False, False, False, True, True, True]
    assert [of.is_run for of in found] == [False, False, False, True, True, True]
    for_good = schedules_for([work.key], Scenario(name="A", planned=(work,)), BEGIN_S)[0]
    assert for_good.is_planned and not for_good.is_run


def test_groups_are_those_without_dates_then_by_schedule_without_who_is_over() -> None:
    cube = case([Load(pool=Pool.TRAINING, gpus=[float(at + 1)] * HOURS) for at in range(5)]).project.cube
    late, over, run = (
        Schedule(spell=Spell(month_s(1), None)),
        Schedule(spell=Spell(None, BEGIN_S)),
        Schedule(is_planned=True, is_run=True),
    )
    found = groups_of(cube, [late, UNDATED, over, run, late], BEGIN_S)
    assert [group.schedule for group in found] == [UNDATED, late]
    totals = [group.cube.total / (HOURS * GPU_HOUR) for group in found]
    assert totals == [2.0, 1.0 + 5.0]
    edge = Schedule(spell=Spell(None, BEGIN_S + 1))
    assert len(groups_of(cube, [edge, UNDATED, UNDATED, UNDATED, UNDATED], BEGIN_S)) == 2


def test_hours_that_repeat_a_service_are_a_group_of_their_own() -> None:
    cube = case([Load(pool=Pool.INFERENCE, gpus=[float(at + 1)] * HOURS) for at in range(3)]).project.cube
    late = Schedule(spell=Spell(month_s(1), None))
    found = groups_of(cube, [UNDATED, late, late], BEGIN_S, np.array([0, 2, 1]))
    assert [(group.schedule.spell, group.schedule.repeats) for group in found] == [
        (UNDATED.spell, False), (late.spell, False), (late.spell, True),
    ]  # fmt: skip
    totals = [group.cube.total / GPU_HOUR for group in found]
    assert totals == [HOURS, 2.0 * (HOURS - 2) + 3.0 * (HOURS - 1), 2.0 * 2 + 3.0 * 1]


def test_moments_are_what_begins_ends_or_steps_inside_the_months() -> None:
    held = [
        contract("k", 1, 1.0, 2, HOURS),
        contract("l", 1, 1.0, 3, HOURS, start_s=month_s(1)),
        contract("m", 1, 1.0, None, HOURS),
    ]
    schedules = [
        Schedule(spell=Spell(month_s(0), month_s(2.5))),
        Schedule(spell=Spell(month_s(0.5), None), is_planned=True, is_run=True),
    ]
    changes = [PriceChange("H100", 2.0, month_s(1.5)), PriceChange("H100", 2.0, month_s(1.7), by=True)]
    found = moments_of(held, schedules, changes, WINDOW, 3)
    assert found == tuple(month_s(at) for at in (1, 1.5, 2, 2.5))
    assert moments_of(held, (), (), WINDOW, 4)[-1] == month_s(3)


def test_months_are_cut_at_moments() -> None:
    spans = spans_of_months((month_s(0.25), month_s(1), month_s(2.5)), WINDOW, 3)
    edges = [[(from_s - BEGIN_S) / MONTH_S for from_s, _ in of] for of in spans]
    assert edges == [[0.0, 0.25], [1.0], [2.0, 2.5]]
    assert spans[0][-1][1] == month_s(1)
    late = Schedule(spell=Spell(month_s(0.25), None), steps=(Step(2.0, month_s(2.5)),))
    outlined = Outlined(FLAT, 1.0, (UNDATED, late), (month_s(0.25), month_s(2.5)))
    assert factors_of_months(outlined, WINDOW, 3) == (
        ((0.25, (1.0, 0.0)), (0.75, (1.0, 1.0))),
        ((1.0, (1.0, 1.0)),),
        ((0.5, (1.0, 1.0)), (0.5, (1.0, 2.0))),
    )
    assert shares_of_month_0(factors_of_months(outlined, WINDOW, 1)[0]) == {0: 1.0, 1: 0.75}


# --- What contracts serve


def model() -> ModelDemand:
    """On c1 2 GPUs of inference and 4 of training, which grow, on c2 3 of training of a second group."""
    rows = (Row(Pool.INFERENCE, "H100"), Row(Pool.TRAINING, "H100"))
    ones = np.ones(HOURS) * GPU_HOUR
    return ModelDemand(
        "H100",
        rows,
        (
            Site(
                "c1",
                (
                    Stream(row=0, grows_with=Pool.INFERENCE, demand=2 * ones),
                    Stream(row=1, grows_with=Pool.TRAINING, demand=4 * ones),
                ),
            ),
            Site("c2", (Stream(row=1, grows_with=Pool.TRAINING, demand=3 * ones, group=1),)),
        ),
    )


def test_contracts_serve_in_turn_what_is_pinned_first() -> None:
    held = [
        contract("dear", 1, 3.0, None, HOURS),
        contract("cheap", 1, 1.0, None, HOURS),
        contract("use", 1, 0.5, None, HOURS, pricing_category=PricingCategory.STANDARD),
        contract("pinned", 1, 9.0, None, HOURS, pool=Pool.TRAINING),
        contract("else", 1, 9.0, None, HOURS, pool=Pool.BURST),
        contract("a100", 1, 9.0, None, HOURS, gpu_model="A100"),
    ]
    found = [(item.contract_id, rows) for item, rows in in_turn(held, model())]
    assert found == [("pinned", (1,)), ("cheap", (0, 1)), ("dear", (0, 1)), ("use", (0, 1))]
    free = [(item.contract_id, rows) for item, rows in in_turn(held, model(), False)]
    assert free == [
        ("cheap", (0, 1)),
        ("dear", (0, 1)),
        ("else", (0, 1)),
        ("pinned", (0, 1)),
        ("use", (0, 1)),
    ]


def test_capacities_add_up_neighbours_that_serve_the_same() -> None:
    held = [
        contract("a", 1, 1.0, None, HOURS),
        contract("b", 2, 2.0, None, HOURS),
        contract("p", 4, 9.0, None, HOURS, pool=Pool.TRAINING),
        contract("c", 8, 1.0, None, HOURS, cluster="c2"),
    ]
    serving = in_turn(held, model())
    both = dict.fromkeys("abpc", 1.0)
    assert capacities_of(model(), serving, both) == (
        (((1,), 4 * GPU_HOUR), ((0, 1), 3 * GPU_HOUR)),
        (((0, 1), 8 * GPU_HOUR),),
    )
    assert capacities_of(model(), serving, {"b": 0.5}) == ((((0, 1), GPU_HOUR),), ())


def states(
    contracts: Any,
    growth: float = 0.0,
    moments: Any = (),
    schedules: Any = (UNDATED, UNDATED),
    months: int = 2,
) -> Any:
    grows = FLAT | {Pool.TRAINING: growth}
    return months_of(model(), contracts, WINDOW, Outlined(grows, 1.0, schedules, moments), months)


def test_states_of_months_have_who_runs_and_how_much_is_there() -> None:
    """A contract ends in the middle of month 0; training grows by a tenth; the second group begins with month 1."""
    held = [contract("k", 1, 1.0, 0.5, HOURS)]
    late = Schedule(spell=Spell(month_s(1), None))
    first, second = states(held, 0.1, (month_s(0.5),), (UNDATED, late))
    assert [share for share, _ in first] == [0.5, 0.5] and [share for share, _ in second] == [1.0]
    assert [bool(state.capacities[0]) for _, state in (*first, *second)] == [True, False, False]
    flows = dict(second[0][1].factors)
    assert flows == {
        Flow(Pool.INFERENCE, 0, 0): 1.0,
        Flow(Pool.TRAINING, 0, 1): pytest.approx(1.1),
        Flow(Pool.TRAINING, 1, 1): pytest.approx(1.1),
    }
    assert dict(first[0][1].factors)[Flow(Pool.TRAINING, 1, 1)] == 0.0
    planned = states(held, 0.1, (), (UNDATED, Schedule(is_planned=True)))[1][0][1]
    assert dict(planned.factors)[Flow(Pool.TRAINING, 1, 1)] == 1.0
    assert len(states_in([first, first, second])) == 3


def test_what_is_left_over_and_wanted_in_a_state() -> None:
    """3 GPUs on c1 serve inference and one of training: of training 3 + 3 are left."""
    ((_, state),) = states([contract("k", 3, 1.0, None, HOURS)])[0]
    assert (residual_at(model(), state, HOURS) / GPU_HOUR).tolist() == [[0.0] * HOURS, [6.0] * HOURS]
    assert (demand_at(model(), 1, state, HOURS) / GPU_HOUR).tolist() == [7.0] * HOURS
    (today, soon), months = (states([], 0.5, months=2), states([], 0.5, months=14))
    peaks = peaks_of(model(), [today], [*months], HOURS)
    assert [(round(peak.today, 6), round(peak.soon / 7, 6)) for peak in peaks] == [
        (2.0, round(2 / 7, 6)),
        (7.0, round(1.5**11, 6)),
    ]
    assert soon is not today


def test_a_state_that_another_one_outgrows_is_left_out() -> None:
    ((_, small),), ((_, large),) = states([], 0.1)[0], states([], 0.1)[1]
    held = MonthState(states([contract("k", 1, 1.0, None, HOURS)])[0][0][1].capacities, small.factors)
    assert busy.keep_largest([small, large]) == [large] == busy.keep_largest([large, small])
    assert busy.keep_largest([small, held]) == [small, held]
    assert busy.outgrows(small, small) and not busy.outgrows(small, large)


def test_each_contract_serves_its_turn_of_what_is_wanted() -> None:
    """The cheap one serves 2 of inference, the other 1 of its 3 GPUs of 4 that train: it has 2 left for nobody else."""
    held = [
        contract("a", 3, 1.0, None, HOURS),
        contract("b", 1, 2.0, None, HOURS),
        contract("c", 5, 1.0, None, HOURS, cluster="c2"),
    ]
    serving = in_turn(held, model())
    ((_, state),) = states(held)[0]
    used = used_gpus(model(), serving, {"a", "b", "c"}, state, HOURS, all_alike)
    assert {name: amount.tolist() for name, (amount, _) in used.items()} == {
        "a": [3.0] * 4,
        "b": [1.0] * 4,
        "c": [3.0] * 4,
    }
    without = used_gpus(model(), serving, {"b"}, state, HOURS, all_alike)
    assert {name: mean for name, (_, mean) in without.items()} == {"a": 0.0, "b": 1.0, "c": 0.0}
    pinned = [replace(held[0], pool=Pool.INFERENCE), *held[1:]]
    alone = used_gpus(model(), in_turn(pinned, model()), {"a", "b", "c"}, state, HOURS, all_alike)
    assert {name: mean for name, (_, mean) in alone.items()} == pytest.approx({"a": 2.0, "b": 1.0, "c": 3.0})


def test_take_or_pay_pays_its_least_or_what_is_used() -> None:
    """Of 10 GPUs on c1 60% are to be paid: the log uses 6, with a run of 3 from half of month 1 on 7.5, then 9."""
    held = [
        contract("k", 10, 2.0, None, HOURS, take_or_pay_percent=60.0),
        contract("other", 1, 1.0, None, HOURS, cluster="c2"),
    ]
    outlined = Outlined(FLAT, 1.0, (UNDATED, UNDATED))
    takes = [(Row(Pool.TRAINING, "H100"), [held[0]], month_s(1.5), month_s(9), 3.0)]
    paid = paid_by_month(held, [model()], WINDOW, outlined, 3, all_alike, takes)
    shares = [share for share, _ in paid[0].paid_shares]
    assert shares == pytest.approx([0.6, 0.75, 0.9])
    assert len(paid[1].paid_shares) == 3  # of one model: its use is told too
    plain = [replace(held[0], take_or_pay_percent=None), held[1]]
    assert paid_by_month(plain, [model()], WINDOW, outlined, 3, all_alike, takes) == tuple(plain)


# --- How busy slices are


def test_a_month_in_parts_counts_from_its_fullest_part_on() -> None:
    """Parts of a half, a quarter and a quarter: 0.2, 0.6 and 0.4: from the second on 0.5; where alike the first."""
    lengths = np.array([0.5, 0.25, 0.25])
    shares = np.array([[[0.2, 0.5, 0.9]], [[0.6, 0.5, 0.1]], [[0.4, 0.5, 0.5]]])
    assert busy.from_the_fullest_on(lengths, shares).tolist() == [pytest.approx([0.5, 0.5, 0.6])]
    assert busy.from_the_fullest_on(np.ones(1), shares[:1]).tolist() == shares[0].tolist()


def test_tables_have_a_state_for_each_month_that_differs() -> None:
    """3 GPUs of c1 go in the middle of month 0: of 7 that train 6 are left, then 7; inference has 0, then 2."""
    held = [contract("k", 3, 1.0, 0.5, HOURS)]
    months = states(held, 0.0, (month_s(0.5),), months=3)
    slicings = [Slicing(1, 2), Slicing(1, 8)]
    inference, training = busy_tables(model(), months, [0.0, 0.0], slicings, HOURS, [None, None])
    assert training.state_of_month.tolist() == [0, 1, 1]
    assert training.today(0).tolist() == [1.0] * 7 + [0.0] and training.today(1).tolist() == [1.0] * 7 + [0.0]
    assert training.parts.busy.tolist() == [[1.0] * 6 + [0.0] * 2, *[[1.0] * 7 + [0.0]] * 3]
    assert inference.today(0).tolist() == [1.0, 1.0]
    assert training.parts.edges_s.tolist() == [0, MONTH_S // 2, MONTH_S, 2 * MONTH_S, 3 * MONTH_S]
    assert training.parts.months.tolist() == [0, 0, 1, 2]
    moving = busy_tables(model(), months, [0.0, 0.2], slicings, HOURS, [None, None])
    assert moving[0].shares.shape[1] == 1 and moving[1].shares.shape[1] > 1
    weights = np.array([1.0, 0.0, 0.0, 0.0])
    assert busy_tables(model(), months, [0.0, 0.0], slicings, HOURS, [weights, weights])[1].today(
        0
    ).tolist() == [1.0] * 7 + [0.0]


def test_hours_that_together_weigh_less_than_what_counts_as_alike_are_left_out() -> None:
    """Weights halve with every week back: those before the last 40 weeks are 2^-40 together, under 1e-12; before the
    last 39 twice as much. Of 60 weeks so 20 are left out; where all hours count alike none is.
    """
    weeks = 60
    weights = hour_weights(weeks * 168, 7.0)
    assert weights is not None and weights[: 20 * 168].sum() == pytest.approx(2.0**-40, rel=1e-5)
    first = busy.find_first_counted_hour([weights])
    assert 20 * 168 <= first < 21 * 168 and busy.find_first_counted_hour([weights, None]) == 0
    demand = np.zeros(weeks * 168)
    demand[0], demand[-168:] = (
        9 * GPU_HOUR,
        2 * GPU_HOUR,
    )  # nine GPUs in the oldest hour, two in the last week
    one = ModelDemand(
        "H100",
        (Row(Pool.INFERENCE, "H100"),),
        (Site("c1", (Stream(row=0, grows_with=Pool.INFERENCE, demand=demand),)),),
    )
    flow = Flow(Pool.INFERENCE, 0, 0)
    months = [((1.0, MonthState(((),), ((flow, factor),))),) for factor in (1.0, 1.5)]
    (table,) = busy_tables(one, months, [0.0], [Slicing(1, 14)], len(demand), [weights])
    assert table.today(0)[:3] == pytest.approx([0.5, 0.5, 0.0]) and (table.today(0)[2:9] > 0).all()
    assert table.today(1) == pytest.approx([0.5] * 3 + [0.0] * 11, abs=1e-12)


# --- The largest job


def test_the_largest_job_of_each_row_that_trains_or_bursts() -> None:
    """Of a workload on two models: a job of a known model is of its row, one of none of the row with most GPU time."""
    made = case([Load(pool=Pool.TRAINING, gpus=[1.0] * HOURS), Load(pool=Pool.BURST, gpus=[1.0] * HOURS)])
    first, second = (work.key for work in made.project.workloads)
    rows = {
        Row(Pool.TRAINING, "H100"): np.array([4.0, 0.0]),
        Row(Pool.TRAINING, "A100"): np.array([6.0, 0.0]),
        Row(Pool.INFERENCE, "H100"): np.array([0.0, 5.0]),
        Row(Pool.BURST, "H100"): np.array([0.0, 0.5]),
    }

    def job(key: str, model_name: str | None, amount: int) -> LargestJob:
        return LargestJob(
            key=key,
            gpu_model=model_name,
            job_id="j",
            milli_gpus=amount,
            start_s=START_S,
            end_s=START_S + 1000,
        )

    def of(*jobs: LargestJob, demand: float = 1.0) -> dict[Any, OneJob]:
        project = replace(made.project, jobs=JobFacts(largest=jobs))
        return dict(one_jobs(project, rows, dict.fromkeys(Pool, demand)))

    known = of(job(first, "H100", 3), job(first, "A100", 2))
    assert {row: (each.place, each.factor) for row, each in known.items()} == {
        Row(Pool.TRAINING, "H100"): (0, 1.0),
        Row(Pool.TRAINING, "A100"): (0, 1.0),
    }
    unknown = of(job(first, None, 3), job(second, "H100", 1))
    assert set(unknown) == {Row(Pool.TRAINING, "A100"), Row(Pool.BURST, "H100")}
    assert (
        unknown[Pool.BURST, "H100"].place == 1 and unknown[Pool.BURST, "H100"].share == 1.0
    )  # no more than all
    twice = of(job(first, "H100", 1), demand=2.0)
    assert all(0 < each.share <= 1 and each.factor == 2.0 for each in twice.values())
    assert of() == {}


def test_demand_without_a_job_is_less_where_it_ran() -> None:
    flow = Flow(Pool.TRAINING, 0, 1)
    amounts = np.array([1.0, 5.0, 0.0, 0.0]) * GPU_HOUR
    left = without_one_job(model(), flow, "c1", amounts)
    hourly = (left.sites[0].streams[1].demand / GPU_HOUR).tolist()
    assert hourly == [3.0, 0.0, 4.0, 4.0]
    assert left.sites[0].streams[0].demand.tolist() == model().sites[0].streams[0].demand.tolist()
    elsewhere = without_one_job(model(), flow, "c9", amounts)
    assert elsewhere.sites[0].streams[1].demand.tolist() == model().sites[0].streams[1].demand.tolist()
    one = replace(model(), sites=model().sites[:1])
    assert (
        without_one_job(one, flow, "c9", amounts).sites[0].streams[1].demand / GPU_HOUR
    ).tolist() == hourly
