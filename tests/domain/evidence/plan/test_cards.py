"""Answers about the board on cards that are written here, and about runs of `tests/domain/worlds.py`."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from gpuplanner.domain.commitment.outlook_result import SpotAdvice
from gpuplanner.domain.evidence.plan.cards import planned_work
from gpuplanner.domain.evidence.plan.layers import PlacedCard, PlanEvidence
from gpuplanner.domain.evidence.plan.plan_answers import answer
from gpuplanner.domain.evidence.trace import Amount, Trace, figure
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.tables import Pool
from tests.domain import worlds

TRAINS, SERVES, BURSTS = "c1/team/load-000", "c2/team/load-001", "c1/team/load-002"
RUN = "//again"
CARDS = (
    PlacedCard(
        key=TRAINS,
        name="a",
        pool=Pool.TRAINING,
        in_review=False,
        gpu_hours_per_month=100.0,
        usd_per_month=10.0,
    ),
    PlacedCard(
        key="b", name="b", pool=Pool.TRAINING, in_review=True, gpu_hours_per_month=50.0, usd_per_month=5.0
    ),
    PlacedCard(
        key=SERVES,
        name="c",
        pool=Pool.INFERENCE,
        in_review=True,
        gpu_hours_per_month=20.0,
        usd_per_month=None,
    ),
    PlacedCard(
        key="d", name="d", pool=Pool.TRAINING, in_review=False, gpu_hours_per_month=1.0, usd_per_month=2.0
    ),
)


def board(
    cards: Sequence[PlacedCard] = CARDS, *, is_today: bool = False, **merges: tuple[str, ...]
) -> PlanEvidence:
    evidence = worlds.evidence_of_plan(worlds.plan(), is_today=is_today)
    scenario = replace(evidence.project.scenario(evidence.scenario), merges=merges)
    project = replace(evidence.project, scenarios=(scenario,))
    return replace(evidence, cards=tuple(cards), project=project)


def names(trace: Trace) -> list[str]:
    return [str(row.name) for row in trace.rows]


# --- Columns


@pytest.mark.parametrize(
    ("figure_id", "value", "cards"),
    [
        ("column_usd::training", 17.0, ["a", "b", "d"]),
        ("column_usd:review:training", 5.0, ["b"]),
        ("column_usd::review", None, ["b", "c"]),
        ("column_hours::training", 151.0, ["a", "b", "d"]),
        ("column_hours:review:training", 50.0, ["b"]),
        ("column_hours::review", 70.0, ["b", "c"]),
        ("column_cards::training", 2, ["a", "d"]),
        ("column_cards:review:training", 1, ["b"]),
        ("column_cards::review", 2, ["b", "c"]),
        ("column_cards::inference", 0, []),
        ("column_cards:review:inference", 1, ["c"]),
    ],
)
def test_a_column_has_its_cards_and_those_in_review_that_are_likely_its_own(
    figure_id: str, value: float | None, cards: list[str]
) -> None:
    trace = answer(board(), figure_id)
    assert (trace.value, names(trace)) == (value, cards)
    assert ("in review" in str(trace.title)) is (":review:" in figure_id and "cards" not in figure_id)
    if "cards" in figure_id:
        assert all(row.values == (1,) for row in trace.rows)


@pytest.mark.parametrize("is_today", [False, True])
def test_a_column_is_the_sum_of_its_cards_which_say_where_each_is_from(is_today: bool) -> None:
    words = {
        kind: str(answer(board(is_today=is_today), f"{kind}::training").words)
        for kind in ("column_usd", "column_hours")
    }
    assert words["column_usd"] == words["column_hours"]
    opens = [row.opens for row in answer(board(is_today=is_today), "column_usd::training").rows]
    assert opens == [figure("workload_cost" if is_today else "card_usd", key) for key in (TRAINS, "b", "d")]


@pytest.mark.parametrize(
    ("is_today", "scope", "lane", "merged", "numbers"),
    [
        (False, "", "training", (), ["2", "1"]),  # two in the column, and one in review
        (False, "", "training", (TRAINS, "d"), ["2", "1", "1"]),  # on one card
        (True, "", "training", (TRAINS, "d"), ["2", "1"]),  # today nothing is merged
        (False, "", "training", ("b", "d"), ["2", "1"]),  # of those in review none counts here
        (False, "review", "training", (TRAINS, "d"), ["1"]),
        (False, "", "review", (), ["2"]),
        (False, "", "inference", (), ["0", "1"]),
        (False, "", "burst", (), ["0"]),
    ],
)
def test_the_note_of_a_column_counts_its_workloads_its_cards_and_what_is_left_in_review(
    is_today: bool, scope: str, lane: str, merged: tuple[str, ...], numbers: list[str]
) -> None:
    note = str(answer(board(is_today=is_today, both=merged), figure("column_usd", lane, scope)).note)
    assert [word.strip(".,") for word in note.split() if word.strip(".,").isdigit()] == numbers


@pytest.mark.parametrize(
    ("kind", "value", "is_usd"), [("merged_usd", 12.0, True), ("merged_hours", 101.0, False)]
)
def test_merged_cards_are_added_in_the_pool_that_they_stand_in(kind: str, value: float, is_usd: bool) -> None:
    trace = answer(board(**{"a\tb": (TRAINS, SERVES, "d")}), figure(kind, "training\ta\tb"))
    assert (trace.value, names(trace), trace.unit == "usd") == (value, ["a", "d"], is_usd)
    assert ("GPU-hours" not in str(trace.title)) is is_usd


@pytest.mark.parametrize(
    ("kind", "value", "is_today"),
    [
        ("selected_usd", 12.0, False),
        ("selected_hours", 101.0, False),
        ("selected_usd", 12.0, True),
        ("selected_hours", 101.0, True),
    ],
)
def test_what_is_selected_adds_up_and_opens_its_cards(kind: str, value: float, is_today: bool) -> None:
    trace = answer(replace(board(is_today=is_today), selected=("d", TRAINS)), f"{kind}::")
    assert (trace.value, names(trace)) == (value, ["a", "d"])
    assert ("$" in str(trace.words)) is (kind == "selected_usd")
    opened = "workload_cost" if is_today else "card_usd"
    assert [row.opens for row in trace.rows] == [figure(opened, key) for key in (TRAINS, "d")]


def test_a_part_is_of_the_workload_that_a_plan_divides_and_today_nothing_is() -> None:
    of = worlds.divided()
    for kind in ("card_class", "card_jobs"):
        assert "load-001" in str(answer(worlds.evidence_of_plan(of), figure(kind, f"{SERVES}#1")).title)
        with pytest.raises(StopIteration):
            answer(worlds.evidence_of_plan(of, is_today=True), figure(kind, f"{SERVES}#1"))


def test_a_part_costs_today_its_share_of_the_workload_that_is_divided() -> None:
    """Its second part has a quarter of what load-001 costs today, in whole dollars."""
    evidence = worlds.evidence_of_plan(worlds.divided())
    whole = next(row.usd_per_month for row in evidence.audit.workloads if row.key == SERVES)
    assert whole is not None
    kinds = {}
    for key, share in ((f"{SERVES}#1", 0.75), (f"{SERVES}#2", 0.25)):
        today = answer(evidence, figure("card_change", key)).rows[-1]
        (amount,) = today.values
        assert isinstance(amount, Amount) and amount.value == round(share * whole)
        kinds[key] = today.opens
        assert answer(evidence, figure("part_today", key)).value == pytest.approx(share * whole)
    assert kinds == {key: figure("part_today", key) for key in kinds}
    alone = answer(evidence, figure("card_change", TRAINS)).rows[-1]
    assert alone.opens == figure("workload_cost", TRAINS)


# --- Runs, and cards of the log beside them


def limited(planned: Sequence[PlannedWork] | None = None, *, is_today: bool = False) -> PlanEvidence:
    evidence = worlds.evidence_of_plan(worlds.limited(), is_today=is_today)
    if planned is None:
        return evidence
    scenario = replace(evidence.project.scenario(evidence.scenario), planned=tuple(planned))
    return replace(evidence, project=replace(evidence.project, scenarios=(scenario,)))


def test_planned_work_is_of_the_plan_alone_and_has_no_jobs() -> None:
    evidence = limited()
    assert planned_work(evidence, RUN) is not None and planned_work(evidence, TRAINS) is None
    assert planned_work(limited(is_today=True), RUN) is None
    opened = {
        key: [opens for _, opens in answer(evidence, figure("card_hours", key)).more] for key in (RUN, TRAINS)
    }
    rows = ["column_usd::training", "layer_usd::training\tH100\tall"]
    assert opened == {RUN: [figure("planned_run_usd", RUN), *rows], TRAINS: [*rows, figure("jobs", TRAINS)]}


def test_a_card_shares_what_its_row_costs_without_the_runs_of_that_row() -> None:
    """Training: 4 x 730 x 1.7 $ of K1 and 4 x 730 x 4 $ by use; the run of it is apart. The same of 3 x 730 x 1.7 $."""
    evidence = limited()
    advice = evidence.worked_out
    assert advice.workload_usd[TRAINS] == pytest.approx(16_644.0)
    assert advice.workload_usd[SERVES] == pytest.approx(3723.0)
    assert advice.cards is not None
    for key, usd in advice.cards.usd.items():
        assert answer(evidence, figure("card_usd", key)).value == usd


@pytest.mark.parametrize(
    ("length_hours", "every_hours", "is_longer"),
    [(73, 365, True), (12 * 730, None, False), (12 * 730 + 1, None, True), (73, None, False)],
)
def test_a_run_beyond_twelve_months_may_have_orders_after_them(
    length_hours: int, every_hours: int | None, is_longer: bool
) -> None:
    work = PlannedWork(
        name="again",
        pool=Pool.TRAINING,
        gpu_model="H100",
        gpus=8.0,
        cluster="",
        length_hours=length_hours,
        every_hours=every_hours,
    )
    trace = answer(limited((work,)), figure("planned_run_usd", RUN))
    assert ("orders after 12 months" in str(trace.rows[-1].name)) is is_longer
    # what its order owes, and the rest of all of it
    owed = trace.rows[0].values[0]
    assert isinstance(owed, float) and trace.value is not None
    assert trace.rows[-1].values == (pytest.approx(trace.value - owed),)


@pytest.mark.parametrize(("cluster", "takes"), [("", False), ("c1", True)])
def test_a_run_takes_what_contracts_of_its_cluster_hold_idle(cluster: str, takes: bool) -> None:
    work = PlannedWork(
        name="again", pool=Pool.TRAINING, gpu_model="H100", gpus=8.0, cluster=cluster, length_hours=73
    )
    evidence = limited((work,))
    assert evidence.advice is not None
    runs = tuple(
        replace(run, key=work.key, idle_contract_gpus=1234.5678) for run in evidence.advice.planned_runs[:1]
    )
    cards = tuple(replace(card, key=work.key) for card in evidence.cards if card.key == RUN)
    of_run = replace(evidence, cards=cards, advice=replace(evidence.advice, planned_runs=runs))
    note = str(answer(of_run, figure("planned_run_usd", work.key)).note)
    assert ("1,234" in note) is takes


def test_cards_of_little_cost_stand_before_those_without_a_price() -> None:
    cards = [
        replace(CARDS[0], key=key, name=key, usd_per_month=usd) for key, usd in (("n", None), ("l", 0.5))
    ]
    assert names(answer(board(cards), "column_usd::training")) == ["l", "n"]


def test_planned_work_counts_in_the_pool_that_it_is_planned_for() -> None:
    evidence = replace(limited(), selected=(RUN, TRAINS, SERVES))
    values = {
        pool: answer(evidence, figure("selected_class", pool)) for pool in ("training", "inference", "burst")
    }
    assert {pool: trace.value for pool, trace in values.items()} == {
        "training": 2,
        "inference": 1,
        "burst": 0,
    }
    assert names(values["training"]) == ["again", "load-000"]


def test_what_is_lost_on_spot_counts_with_the_interruptions_of_the_workloads_own_nodes() -> None:
    """5 of 240 minutes for checkpoints; half of 4 h and a quarter to restart, every 24 h, or every 10 h."""
    evidence = limited()
    advice = [
        SpotAdvice(
            key=key,
            pool=Pool.TRAINING,
            gpu_model="H100",
            nodes=1,
            longest_job_hours=1.0,
            interval_hours=1.0,
            lost_share=0.1,
            best_interval_hours=None,
            best_lost_share=0.1,
            on_spot=True,
            on_spot_at_best=True,
            saves_usd_per_month=None,
            node_hours=node_hours,
        )
        for key, node_hours in ((SERVES, 99.0), (TRAINS, 10.0))
    ]
    seen = replace(evidence, outlook=replace(evidence.outlook, spot=tuple(advice)))
    assert answer(evidence, figure("card_lost", TRAINS)).value == pytest.approx(1 / 48 + 2.25 / 24)
    assert answer(seen, figure("card_lost", TRAINS)).value == pytest.approx(1 / 48 + 2.25 / 10)
    assert answer(seen, figure("card_lost", BURSTS)).value == pytest.approx(1 / 48 + 2.25 / 24)
