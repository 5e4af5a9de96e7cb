"""Changes to the small plan (`worlds.plan`): how they are read and joined, and the numbers of what each comes to.

The plan begins on 31 January 2026 at 10:00 with K1 and K3 of Ada and K2 of Bo, for three workloads of one team.
"""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.ask import changes
from gpuplanner.domain.ask.answers import answer_question
from gpuplanner.domain.ask.changes import (
    NODE,
    Change,
    Question,
    answer_change,
    asked_of,
    can_be_had,
    find_running_work,
    meant_by,
    understood,
)
from gpuplanner.domain.ask.numbers import MOST, told
from gpuplanner.domain.ask.reading import NO_FORM, Asked, NotUnderstoodError
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.model.book.only import ModelMapping, Only
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, HOUR_S, MONTH_S, instant_s
from gpuplanner.files.system.resources import gpu_families, read_question_forms
from tests.domain import worlds
from tests.domain.ask.small_plan import PLAN_S, values_of
from tests.domain.commitment.conftest import offer

TRAINS, SERVES = "c1/team/load-000", "c2/team/load-001"
CHANGE = Change(form="term", as_words=("--set", "max_term_months=3"), edit=lambda project: project)
PLANNED = Change(form="planned", as_words=(), edit=lambda project: project, subject="new")
POWER = replace(PLANNED, form="power")
HAVE = offer("y", 12, 2.5)


@pytest.fixture(scope="module")
def asked() -> Asked:
    return asked_of(worlds.plan(), gpu_families(), {"H100": 8})


def with_project(asked: Asked, **values: Any) -> Asked:
    return replace(asked, project=replace(asked.project, **values))


def with_plan(asked: Asked, **values: Any) -> Asked:
    return with_project(asked, scenarios=(replace(asked.project.scenarios[0], **values),))


def made(text: str, asked: Asked) -> Change | None:
    """What is understood, if it is a change."""
    try:
        result = meant_by(text, read_question_forms(), asked)
    except NotUnderstoodError:
        return None
    return result if isinstance(result, Change) else None


def words(text: str, asked: Asked) -> tuple[str, ...] | None:
    change = made(text, asked)
    return None if change is None else change.as_words


def shown(change: Change, after: Advice, before: Advice | None = None) -> list[str]:
    return [item.path or item.name for item in answer_change(change, before or after, after).numbers]


def failures_of(change: Change, before: Advice, after: Advice) -> list[float | None]:
    """The numbers beside those of the year and its first month."""
    numbers = answer_change(change, before, after).numbers
    return [number.value for number in numbers if not number.path.startswith("horizons")]


# --- What is read ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("stop load-000 on 1 March and load-001 x2 from 1 March", "ends and change"),
        ("stop load-000 and load-001 x2", "ends and change"),
        ("no spot and stop load-000 on 1 March", "no_spot and ends"),
        ("load-000 x2 and stop load-001 on 1 March", None),
        ("load-000 x2 from 1 March and prices +15% from 1 April", "change and change"),
        ("prices +15% from 1 April and prices +5% from 1 March", None),
        ("under $400k a month and never spot", "budget and no_spot"),
        # what begins with not may be meant of all that follows
        ("never spot and under $400k a month", None),
        ("under $400k a month, never spot and under 300 kW", None),
        ("under $400k a month, under 300 kW and never spot", "budget and power and no_spot"),
        ("stop load-000 and load-001", "ends and ends"),
    ],
)
def test_changes_are_joined_where_each_has_its_own_day_and_subject(
    text: str, form: str | None, asked: Asked
) -> None:
    change = made(text, asked)
    assert (None if change is None else change.form) == form
    if change is not None:
        each = [part for part in change.as_words if part.startswith("--")]
        assert len(each) >= len(change.form.split(" and ")) and change.is_kept


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("no spot and under $400k a month", "no_spot and budget"),
        ("stop load-000 and load-001 on 1 March", "ends and ends"),
        ("under $400k a month and under $300k a month", None),  # of which the later one would count
        ("load-000 x2 from 1 march and load-000 x3 from 1 march", None),
        ("no spot and what does the plan cost", None),
        ("stop load-000 on 1 March and load-001 x2", None),  # from that day on, too?
    ],
)
def test_changes_are_joined_where_it_is_no_matter_which_comes_first(
    text: str, form: str | None, asked: Asked
) -> None:
    change = made(text, asked)
    assert (None if change is None else change.form) == form


def test_what_is_not_understood_has_three_questions_that_are() -> None:
    asked = asked_of(worlds.plan(), gpu_families(), {"H100": 8})
    with pytest.raises(NotUnderstoodError) as fault:
        understood("double inferense", read_question_forms(), asked)  # a change is not guessed
    instead = fault.value.instead
    assert len(instead) == 3 == len(set(instead)) and "inference doubles" in instead
    assert all(meant_by(text, read_question_forms(), asked) for text in instead)


def test_a_question_is_read_without_what_was_mistyped_and_says_so() -> None:
    asked = asked_of(worlds.plan(), gpu_families(), {"H100": 8})
    meant = understood("what does the plann cost", read_question_forms(), asked)
    assert isinstance(meant, Question) and meant.read_as == "what does the plan cost"
    assert "\u201cwhat does the plan cost\u201d" in str(answer_question(meant, worlds.plan(), ()).sentence)
    with pytest.raises(NotUnderstoodError):  # no letter more or less than one
        understood("what does the planning cost", read_question_forms(), asked)


@pytest.mark.parametrize(
    ("text", "is_no_form", "part", "instead"),
    [
        ("inference doubles from 1 may 2020", False, "2020-05-01", ()),
        ("inference x-1 from 1 may", True, "", ("team inference x-1 from 1 may",)),
        ("chatt doubles from 1 may", False, "chatt:", ("team chatt doubles from 1 may",)),
        ("inference x2 from 40 may", False, "40 may:", ("inference x2 from team 40 may",)),
    ],
)
def test_a_step_that_cannot_be_read_says_where(
    text: str, part: str, instead: tuple[str, ...], asked: Asked, *, is_no_form: bool
) -> None:
    """A name that nothing has may be a team's."""
    with pytest.raises(NotUnderstoodError) as fault:
        meant_by(text, (), asked)
    assert (fault.value.what is NO_FORM) is is_no_form and part in str(fault.value.what)
    assert not instead or fault.value.instead == instead


def test_no_question_is_longer_than_a_form_can_be(asked: Asked) -> None:
    with pytest.raises(NotUnderstoodError) as fault:
        understood("what do we waste, " * 200, read_question_forms(), asked)
    assert "500" in str(fault.value.what)
    assert len(fault.value.instead) == 3


def test_a_plan_to_ask_has_its_orders_by_offer(asked: Asked) -> None:
    assert asked.ordered == {"y1": 6.0, "q3": 8.0} and asked.begins_s == PLAN_S
    assert asked.pools == {
        "c1/team/load-000": Pool.TRAINING, "c2/team/load-001": Pool.INFERENCE, "c1/team/load-002": Pool.BURST
    }  # fmt: skip


# --- One change --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "can"),
    [
        ({}, True),
        ({"lead_time_hours": 730.0}, True),
        ({"lead_time_hours": 731.0}, False),
        ({"rate_usd_per_gpu_hour": None}, False),
        ({"pricing_category": PricingCategory.STANDARD}, False),
        ({"term_months": 0}, False),
        ({"valid_until": "2026-01-01"}, False),
        ({"starts": "2026-01-31", "ends": "2026-02-28"}, True),
        ({"starts": "2026-01-31T10:00:00Z"}, True),  # as the plan begins
        ({"ends": "2026-01-31T10:00:00Z"}, False),
        ({"starts": "2026-03-01", "ends": "2026-04-28"}, False),
        ({"starts": "2025-03-01", "ends": "2025-04-28"}, False),
    ],
)
def test_a_term_can_be_had_now_with_a_rate_and_within_a_month(changes: dict[str, Any], *, can: bool) -> None:
    assert can_be_had(replace(HAVE, **changes), PLAN_S) is can


def test_one_more_node_is_of_the_cheapest_term_that_has_room(asked: Asked) -> None:
    """8 GPUs of y1 at 2.5 + 730 / 8,760: 8 x 730 x 2.58333."""
    change = made("one more H100 node", asked)
    assert change is not None and change.usd_per_month == pytest.approx(8 * 730 * 2.5833333)
    added = next(item for item in change.edit(asked.project).contracts if item.contract_id == "one-more-node")
    assert (added.gpus, added.cluster, added.rate) == (8.0, "c1", pytest.approx(2.5833333))
    assert added.start_s == PLAN_S + 240 * HOUR_S and added.end_s == added.start_s + 12 * MONTH_S
    offers = {item.offer_id: item for item in asked.project.offers}
    for limits, rate in (
        ({"max_gpus": 14}, 2.5833333),  # 6 are ordered
        ({"max_gpus": 13}, 3.5),
        ({"min_gpus": 8}, 2.5833333),
        ({"min_gpus": 9}, 3.5),
        ({"lead_time_hours": 9999.0}, 3.5),
    ):
        y1 = replace(offers["y1"], **limits)
        other = replace(asked.project, offers=tuple((offers | {"y1": y1}).values()))
        change = made("one more H100 node", replace(asked, project=other))
        assert change is not None and change.usd_per_month == pytest.approx(8 * 730 * rate)
    two = made("two more H100 nodes", asked)
    assert two is not None and two.usd_per_month == pytest.approx(16 * 730 * 2.5833333)
    assert made("one more A100 node", asked) is None  # nobody says how many GPUs it has
    units = tuple(
        replace(item, unit_gpus=4) if item.offer_id == "q3" else item for item in asked.project.offers
    )
    unit = made(
        "one more H100 node", replace(asked, node_gpus={}, project=replace(asked.project, offers=units))
    )
    assert unit is not None and unit.usd_per_month == pytest.approx(4 * 730 * 2.5833333)


def test_what_does_not_run_comes_back(asked: Asked) -> None:
    """Training ends in the plan; the rest of its team runs, so that of the team only training comes back."""
    trains, day = "c1/team/load-000", 1_769_904_000  # 1 February
    plan = replace(asked.project.scenarios[0], spells={trains: Spell(None, PLAN_S + 60 * DAY_S)})
    ended = replace(asked, project=replace(asked.project, scenarios=(plan,)))
    for text in ("load-000 comes back on 1 feb", "team team comes back on 1 feb"):
        change = made(text, ended)
        assert change is not None and change.as_words == ("--begins", f"{trains}=2026-02-01")
        assert change.edit(ended.project).scenarios[0].spells[trains].begins_s == day
    alone = replace(asked.project, workloads=asked.project.workloads[:1])
    every = replace(ended, project=replace(alone, scenarios=(plan,)))
    change = made("team team comes back on 1 feb", every)
    assert change is not None and change.as_words == ("--begins", "team:team=2026-02-01")
    assert made("load-000 comes back on 1 feb", asked) is None


def test_what_stopped_before_the_last_days_of_the_log_does_not_run(asked: Asked) -> None:
    """The last 96 hours of 730 count: training ended at hour 633, serving in hour 634."""
    works = asked.project.workloads[:2]
    hours = {0: np.array([5, 633]), 1: np.array([5, 634])}
    cube: Any = SimpleNamespace(hours_of=lambda place: (hours[place],))
    of: Any = SimpleNamespace(window=asked.project.window, workloads=works, cube=cube)
    assert find_running_work(of) == {"c2/team/load-001"}


def test_growth_falls_where_it_is_said_to(asked: Asked) -> None:
    for text, words in (
        ("everything grows 10% a month", "growth=0.1"),
        ("everything shrinks 10% a month", "growth=-0.1"),
        ("inference falls 5% a month", "growth_inference=-0.05"),
    ):
        change = made(text, asked)
        assert change is not None and change.as_words == ("--set", words)


def test_planned_work_lasts_for_good_for_hours_or_to_a_month(asked: Asked) -> None:
    for text, hours, ends in (
        ("8 H100 from 1 March", None, None),
        ("8 H100 for 30 days from 1 March", 720, None),
        ("8 H100 for 2 months from 1 March", None, 1_777_593_600),  # 1 May
    ):
        change = made(text, asked)
        assert change is not None
        (work,) = change.edit(asked.project).scenarios[0].planned
        assert (work.gpus, work.length_hours, work.ends_s, work.begins_s) == (8.0, hours, ends, 1_772_323_200)
        assert (work.pool, work.cluster, work.name) == (Pool.TRAINING, "", "8 H100 from 2026-03-01")
        again = replace(asked, project=change.edit(asked.project))
        twice = made(text, again)
        assert twice is not None
        assert {item.name for item in twice.edit(again.project).scenarios[0].planned} == {
            "8 H100 from 2026-03-01", "8 H100 from 2026-03-01 (2)"
        }  # fmt: skip


def test_a_node_is_called_by_its_offer_and_provider(asked: Asked) -> None:
    change = made("one more H100 node", asked)
    assert change is not None and not change.is_kept and change.as_words == () and change.subject == "H100"
    assert all(word in str(change.title) for word in ("y1", "Ada", "12 months"))
    nameless = tuple(replace(item, provider=None) for item in asked.project.offers)
    unnamed = made("one more H100 node", with_project(asked, offers=nameless))
    assert (
        unnamed is not None
        and "an unnamed provider" in str(unnamed.title)
        and "Ada" not in str(unnamed.title)
    )
    held = change.edit(asked.project).contracts
    assert [item.contract_id for item in held] == ["K1", "K2", "K3", "one-more-node"]
    kept = replace(asked.project.contracts[0], contract_id="z")
    after = change.edit(replace(asked.project, contracts=(kept,))).contracts
    assert [item.contract_id for item in after] == ["one-more-node", "z"]


def test_a_node_is_of_what_is_left_of_an_offer_the_first_of_equals(asked: Asked) -> None:
    """8 GPUs are just left where nothing of the offer is ordered, and 7 are too few."""
    pair = tuple(offer(name, 12, 2.0, max_gpus=most) for name, most in (("b", 8), ("a", 8), ("aa", 7)))
    change = made("one more H100 node", with_project(asked, offers=pair))
    assert change is not None and str(change.title).startswith("a ")
    ordered = replace(with_project(asked, offers=pair), ordered={"a": 0.5})
    change = made("one more H100 node", ordered)
    assert change is not None and str(change.title).startswith("b ")
    assert made("one more H100 node", replace(ordered, ordered={"a": 1.0, "b": 1.0})) is None
    other = tuple(replace(item, gpu_model="A100") for item in asked.project.contracts)
    change = made("one more H100 node", with_project(asked, contracts=other))
    assert change is not None
    added = next(row for row in change.edit(asked.project).contracts if row.contract_id == "one-more-node")
    assert added.cluster == "" and added.start_s == PLAN_S + 240 * HOUR_S


def test_planned_work_is_where_contracts_of_its_model_are(asked: Asked) -> None:
    """All A100 are on c1, H100 on two clusters; a team's work of the same name gives it a number."""
    change = made("8 A100 for 2 hours from 1 March for inference", asked)
    assert change is not None
    (work,) = change.edit(asked.project).scenarios[0].planned
    assert (work.cluster, work.pool, work.length_hours) == ("c1", Pool.INFERENCE, 2)
    assert "cluster=c1" in change.as_words[1] and "ends=" not in change.as_words[1]
    names = [f"8 H100 from 2026-03-01{more}" for more in ("", " (2)")]
    taken = tuple(
        PlannedWork(name=name, pool=Pool.TRAINING, gpu_model="H100", gpus=1.0, begins_s=PLAN_S)
        for name in names
    )
    third = made("8 H100 from 1 March", with_plan(asked, planned=taken))
    assert third is not None and "name=8 H100 from 2026-03-01 (3)" in third.as_words[1]
    assert "length_hours" not in third.as_words[1]


def test_shares_are_of_any_provider_or_of_a_named(asked: Asked) -> None:
    assert words("at most 60% with one provider", asked) == ("--set", "max_provider_share=60%")
    change = made("at most 12.5% with Ada", asked)
    assert change is not None and change.as_words == ("--share", "provider:Ada=12.5%")
    assert change.edit(asked.project).scenarios[0].shares == {Only("Ada"): 0.125}


def test_work_moves_with_those_of_its_scope_as_they_are_by_then(asked: Asked) -> None:
    """Planned work of the pool moves too, and what was moved into it before."""
    new = PlannedWork(name="new", pool=Pool.INFERENCE, gpu_model="H100", gpus=1.0, cluster="c1", team="ops")
    of = with_plan(asked, planned=(new,), pools={TRAINS: Pool.INFERENCE})
    change = made("move inference to burst", of)
    assert change is not None
    moved = change.edit(of.project).scenarios[0]
    assert {moved.pools.get(key) for key in (TRAINS, SERVES)} == {Pool.BURST}
    assert {work.pool for work in moved.planned} == {Pool.BURST}
    assert [word for word in change.as_words if word != "--assign"] == [
        f"{key}=burst" for key in sorted((TRAINS, SERVES, new.key))
    ]  # fmt: skip


def test_a_model_is_mapped_at_the_ratio_that_is_said_or_known(asked: Asked) -> None:
    known = with_project(
        asked, mappings=(ModelMapping("H100", "A100", 0.5), ModelMapping("H100", "A100", 0.25, Pool.TRAINING))
    )
    assert words("A100 instead of H100 at 1.6", asked) == ("--map-model", "H100=A100:1.6")
    assert words("A100 instead of H100", asked) is None
    assert words("A100 instead of H100", known) == ("--map-model", "H100=A100:0.5")
    assert words("A100 instead of H100 for training", known) == ("--map-model", "training:H100=A100:0.25")
    assert words("H100 instead of H100 at 1.6", known) is None
    with pytest.raises(NotUnderstoodError) as fault:
        understood("A100 instead of H100 for burst", read_question_forms(), asked)
    assert fault.value.instead[0] == "A100 instead of H100 for burst at 1.5"


def test_work_ends_and_comes_back_on_the_day_or_at_once(asked: Asked) -> None:
    begin = "2026-01-31T10:00:00Z"
    assert words("stop load-000", asked) == ("--ends", f"{TRAINS}={begin}")
    assert words("stop load-000 on 1 March", asked) == ("--ends", f"{TRAINS}=2026-03-01")
    day_s = instant_s("2026-03-01")
    for text, place in (("stop load-000 on 1 March", TRAINS), ("stop load-001 on 1 March", SERVES)):
        change = made(text, asked)
        assert change is not None
        assert change.edit(asked.project).scenarios[0].spells == {place: Spell(None, day_s)}
    over = with_plan(asked, spells={TRAINS: Spell(None, PLAN_S + MONTH_S)})
    assert words("load-000 comes back", over) == ("--begins", f"{TRAINS}={begin}")


# --- What comes of it --------------------------------------------------------------------------------


def test_a_change_has_the_year_and_what_it_moves() -> None:
    """Twelve months cost $320,248; what a call counts before anything is asked has no place in its documents."""
    advice = worlds.plan().advised
    result = answer_change(CHANGE, advice, advice)
    year = "horizons[horizon=twelve_months]."
    assert [item.path for item in result.numbers] == [
        f"{year}plan_usd", f"{year}change_usd", "horizons[horizon=next_month].change_usd",
    ]  # fmt: skip
    assert [item.value for item in result.numbers] == pytest.approx([320_248.333, 0.0, 0.0], abs=1)
    assert result.as_words == CHANGE.as_words and "320,248" in str(result.sentence)
    for bare in (replace(CHANGE, form="mapped"), replace(CHANGE, is_kept=False)):
        assert [item.path for item in answer_change(bare, advice, advice).numbers] == [
            f"{year}plan_usd",
            "",
            "",
        ]
    assert not result.is_of_file and answer_change(replace(CHANGE, as_words=()), advice, advice).is_of_file
    named = answer_change(replace(CHANGE, subject="Plan B"), advice, advice)
    assert str(named.sentence).startswith("Plan B ") and not str(result.sentence).startswith("Plan B ")


def test_a_year_that_is_unknown_is_told_as_numbers() -> None:
    """Also where only the plan before was unknown: then only the changes are."""
    advice, unknown = worlds.plan().advised, worlds.unpriced().advised
    for before, after in ((advice, unknown), (unknown, advice)):
        result = answer_change(CHANGE, before, after)
        assert str(result.sentence) == str(told(result.numbers)) and len(result.numbers) == 3
        assert (result.numbers[0].value is None) is (after is unknown)
        assert {item.value for item in result.numbers[1:]} == {None}


def test_what_fails_stands_beside_the_cost() -> None:
    advice = worlds.plan().advised
    lost = replace(advice.comparison[0], unserved_gpu_hours=50.0)
    after = replace(advice, comparison=(lost, *advice.comparison[1:]))
    assert shown(CHANGE, after, advice) == [
        "horizons[horizon=twelve_months].plan_usd",
        "horizons[horizon=twelve_months].change_usd",
        "unserved_gpu_hours",
    ]
    checks = (SimpleNamespace(code="over_budget"), SimpleNamespace(code="over_power_limit"))
    failing = replace(after, checks=checks)  # type: ignore[arg-type]
    both = replace(CHANGE, form="budget and power")
    assert shown(both, failing, advice) == [
        "horizons[horizon=twelve_months].plan_usd", "comparison[1].plan_usd", "energy.peak_kw",
    ]  # fmt: skip
    assert len(shown(both, failing, advice)) == MOST
    result = answer_change(CHANGE, advice, after)
    assert str(result.sentence) == str(told(result.numbers))


def test_a_limit_that_is_not_kept_is_named() -> None:
    before = worlds.plan().advised
    over = [SimpleNamespace(code="over_budget"), SimpleNamespace(code="over_power_limit")]
    after = replace(before, checks=tuple(over))  # type: ignore[arg-type]
    term, budget, power = (replace(PLANNED, form=form) for form in ("term", "budget", "power and no_spot"))
    assert failures_of(budget, before, after) == [pytest.approx(29_565)]
    assert failures_of(power, before, after) == [before.energy.peak_kw]
    assert failures_of(budget, before, before) == [] and failures_of(term, before, after) == []
    for hours, shown in ((1.0, []), (1.5, [1.5]), (-2.0, [-2.0])):
        months = [replace(before.comparison[0], unserved_gpu_hours=5.0 + hours), *before.comparison[1:]]
        was = [replace(before.comparison[0], unserved_gpu_hours=5.0), *before.comparison[1:]]
        rows = failures_of(
            term, replace(before, comparison=tuple(was)), replace(before, comparison=tuple(months))
        )
        assert rows == shown


def test_forms_of_their_own_have_numbers_of_their_own() -> None:
    """Work that is planned has a wait that is unknown, which is said beside it."""
    advice = worlds.plan().advised
    power = answer_change(replace(CHANGE, form="power", subject="300"), advice, advice)
    assert [item.path or item.name for item in power.numbers] == ["energy.peak_kw", "over_kw"]
    assert str(power.sentence) == str(told(power.numbers))
    planned = answer_change(replace(CHANGE, form="planned", subject="new"), advice, advice)
    assert [item.name for item in planned.numbers][-1] == "wait"
    assert str(planned.sentence).startswith(str(told(planned.numbers)))
    assert len(str(planned.sentence)) > len(str(told(planned.numbers)))


def test_planned_work_is_signed_by_the_first_of_its_own_orders_or_of_larger_ones() -> None:
    before = worlds.plan().advised
    first, second, *others = before.orders
    dearer = tuple(replace(month, use_usd=(month.use_usd or 0.0) + 5.0) for month in before.comparison)

    def rows(*orders: Any) -> list[float | None]:
        after = replace(before, orders=orders, comparison=dearer)
        return values_of(answer_change(PLANNED, before, after).numbers)

    year = pytest.approx(12 * 5.0)
    assert rows(first, second, *others) == [0.0, year, None]
    assert rows(first, replace(second, gpus=4.5), *others) == [0.0, year, None]
    assert rows(first, replace(second, gpus=4.6), *others) == [second.last_day_s, year, None]
    assert rows(replace(first, run="new"), second) == [first.last_day_s, year, None]
    assert rows(replace(first, run="else", gpus=99.0), second) == [0.0, year, None]


def test_what_may_be_ordered_counts_as_no_order_of_a_change() -> None:
    """Also what starts together counts together: 4 GPUs in two orders are no more than 4 in one."""
    before = worlds.plan().advised
    first, second, *others = before.orders
    halves = (replace(second, gpus=2.0), replace(second, gpus=2.0))
    maybe = replace(second, reason="if_it_lasts", gpus=99.0)
    assert not maybe.is_certain
    for orders in ((first, *halves, *others), (first, maybe, *others)):
        to_order, *_ = answer_change(PLANNED, before, replace(before, orders=orders)).numbers
        assert (to_order.value, to_order.unit) == (0.0, "gpus")


def test_a_limit_is_over_from_the_first_watt() -> None:
    """The largest hour takes 16.77 kW."""
    advice = worlds.plan().advised
    titles = [
        str(answer_change(replace(CHANGE, form="power", subject=limit), advice, advice).numbers[1].title)
        for limit in ("16.5", "10", "16.8", "300")
    ]
    assert titles[0] == titles[1] != titles[2] == titles[3]


def test_the_largest_hour_is_over_or_below_the_limit() -> None:
    advice = worlds.plan().advised
    titles = []
    for limit, over in (("16.77", 0.0), ("10", 6.77), ("20", 3.23)):
        peak, beside = answer_change(replace(POWER, subject=limit), advice, advice).numbers
        assert (peak.value, beside.value) == (pytest.approx(16.77), pytest.approx(over, abs=1e-9))
        titles.append(str(beside.title))
    assert titles[1] != titles[2] == titles[0]
    unknown = replace(advice, energy=replace(advice.energy, peak_kw=None))
    assert values_of(answer_change(replace(POWER, subject="1"), advice, unknown).numbers) == [None]


def test_co2_stands_beside_that_without_the_change() -> None:
    advice = worlds.plan().advised
    was, now = (replace(advice, energy=replace(advice.energy, kg_co2_per_month=kg)) for kg in (7.0, None))
    rows = answer_change(replace(CHANGE, form="grid"), was, now).numbers
    assert [(row.value, row.path) for row in rows] == [(None, changes.CO2_PATH), (7.0, "")]


def test_a_node_serves_what_contracts_of_its_model_are_busy_with_more() -> None:
    advice = worlds.plan().advised
    pools = []
    for pool in advice.pools:
        layers = tuple(
            replace(layer, busy_gpus=layer.busy_gpus + 1, paid_hours=100.0) if layer.existing else layer
            for layer in pool.layers
        )
        pools.append(replace(pool, layers=layers))
    was = [
        replace(pool, layers=tuple(replace(each, paid_hours=100.0) for each in pool.layers))
        for pool in advice.pools
    ]
    change = replace(PLANNED, form=NODE, subject="H100", usd_per_month=7.0)
    rows = answer_change(
        change, replace(advice, pools=tuple(was)), replace(advice, pools=tuple(pools))
    ).numbers
    existing = sum(layer.existing for pool in pools if pool.gpu_model == "H100" for layer in pool.layers)
    assert values_of(rows) == [7.0, pytest.approx(100.0 * existing), 0.0]
