"""Changes to the small plan (`worlds.plan`): how they are joined, one more node, and the numbers of what each comes to.

The plan begins on 31 January 2026 at 10:00 with K1 and K3 of Ada and K2 of Bo, for three workloads of one team.
"""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.ask import answers, changes, fleet
from gpuplanner.domain.ask.answers import answer_question
from gpuplanner.domain.ask.changes import (
    Change,
    Question,
    _bought,
    _of_grid,
    _of_power,
    answer_change,
    asked_of,
    meant_by,
    understood,
)
from gpuplanner.domain.ask.numbers import MOST, Number, told
from gpuplanner.domain.ask.reading import Asked, Named, NotUnderstoodError
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.model.book.only import ModelMapping, Only
from gpuplanner.domain.model.plan_inputs import PlannedWork, Spell
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S, MONTH_S, instant_s
from gpuplanner.files.system.resources import gpu_families, read_question_forms
from tests.domain import worlds
from tests.domain.commitment.conftest import offer

PLAN_S = worlds.PLAN_S
TRAINS, BURSTS, SERVES = "c1/team/load-000", "c1/team/load-002", "c2/team/load-001"
CHANGE = Change(form="term", as_words=("--set", "max_term_months=3"), edit=lambda project: project)


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


# --- Changes that are joined


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


# --- One change


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
        changes._mapped({"model": "H100", "offered": "A100", "pool": Pool.BURST}, asked)
    assert fault.value.instead == ("A100 instead of H100 for burst at 1.5",)


def test_work_ends_and_comes_back_on_the_day_or_at_once(asked: Asked) -> None:
    begin = "2026-01-31T10:00:00Z"
    assert words("stop load-000", asked) == ("--ends", f"{TRAINS}={begin}")
    assert words("stop load-000 on 1 March", asked) == ("--ends", f"{TRAINS}=2026-03-01")
    day_s = instant_s("2026-03-01")
    for text, place in (("stop load-000 on 1 March", TRAINS), ("stop load-001 on 1 March", SERVES)):
        change = made(text, asked)
        assert change is not None
        assert change.edit(asked.project).scenarios[0].spells == {place: Spell(None, day_s)}
    over = with_plan(asked, spells={BURSTS: Spell(None, PLAN_S + MONTH_S)})
    back = changes._begins({"begins": Named("workload", BURSTS)}, over)
    assert back.as_words == ("--begins", f"{BURSTS}={begin}")


# --- What comes of it


def shown(change: Change, after: Advice, before: Advice | None = None) -> list[str]:
    return [item.path or item.name for item in answer_change(change, before or after, after).numbers]


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


def test_a_limit_is_over_from_the_first_watt() -> None:
    """The largest hour takes 16.77 kW."""
    advice, year = worlds.plan().advised, Number(title="x", value=0.0, unit="usd", path="")
    titles = [
        str(_of_power(replace(CHANGE, subject=limit), year, advice, advice)[1].title)
        for limit in ("16.5", "10", "16.8", "300")
    ]
    assert titles[0] == titles[1] != titles[2] == titles[3]


def test_co2_stands_beside_that_without_the_change() -> None:
    advice = worlds.plan().advised
    was, now = (replace(advice, energy=replace(advice.energy, kg_co2_per_month=kg)) for kg in (7.0, None))
    rows = _of_grid(CHANGE, Number(title="x", value=0.0, unit="usd", path=""), was, now)
    assert [(row.value, row.path) for row in rows] == [(None, changes.CO2_PATH), (7.0, "")]


def test_gpus_that_are_ordered_for_good_are_by_what_starts_when() -> None:
    """4 and 2 of y1 start together with no others; what may be ordered, and what a run orders, count as none."""
    advice = worlds.plan().advised
    first, second, *_ = advice.orders
    twice = _bought(replace(advice, orders=(first, replace(first, gpus=1.5), second)))
    assert list(twice.values()) == [first.gpus + 1.5, second.gpus]
    none = (replace(first, run="r"), replace(second, reason="if_it_lasts"))
    if not none[1].is_certain:
        assert list(_bought(replace(advice, orders=none)).values()) == [0.0, 0.0]
    assert _bought(replace(advice, orders=none[:1])) == {changes._start(first): 0.0}


# --- Rows of which some are unknown


def test_leaks_of_unknown_cost_are_last(monkeypatch: pytest.MonkeyPatch) -> None:
    of = worlds.plan()
    rows = tuple(
        SimpleNamespace(leak_id=f"{usd}", counted_per_month=usd, code="x", title="t", name="n", cluster="c")
        for usd in (None, 0.5, 3.0, 0.25)
    )
    monkeypatch.setattr(answers, "leak_called", lambda leak: leak.leak_id)
    ranked = answers._leaks(replace(of, audit=replace(of.audit, leaks=rows)), {})  # type: ignore[arg-type]
    assert [row.value for row in ranked] == [3.0, 0.5, 0.25, None]


def test_a_contract_that_has_renewed_renews_from_then_on() -> None:
    """K2 ended on 2 March at 10:00, its notice of 40 days passed before the plan: renewed by two months to 2 May."""
    of = worlds.plan()
    end_s = instant_s("2026-03-02T10:00:00Z")
    held = tuple(
        replace(row, end_s=end_s, notice_days=40, renews_months=2) if row.contract_id == "K2" else row
        for row in of.project.contracts
    )
    renewed = replace(of, project=replace(of.project, contracts=held))
    notice, until, binds = fleet.notices(renewed, {"contract": Named("contract", "K2")})
    day = [instant_s(f"2026-{month}-02T10:00:00Z") for month in ("05", "07")]
    assert (notice.value, until.value, until.last_s) == (day[0] - 40 * 86_400, day[1], day[1] - 1)
    assert binds.value == pytest.approx(8 * 61 * 24 * 1.5)


@pytest.mark.parametrize(("first", "is_in"), [("2026-01-01", True), ("2026-04-01", False)])
def test_a_contract_to_the_last_day_of_a_quarter_ends_in_it(first: str, *, is_in: bool) -> None:
    of = worlds.plan()
    held = tuple(
        replace(row, end_s=instant_s("2026-04-01")) if row.contract_id == "K2" else row
        for row in of.project.contracts
    )
    quarter = instant_s(first), instant_s(first) + 90 * 86_400
    rows = fleet.expiring(replace(of, project=replace(of.project, contracts=held)), {"period": quarter})
    assert [row.last_s for row in rows] == ([instant_s("2026-04-01") - 1] if is_in else [])


def test_the_largest_run_costs_most_and_has_the_mean_of_its_workload(monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown cost is none."""
    runs = tuple(
        SimpleNamespace(key=f"k{at}", name=f"n{at}", cost=usd)
        for at, usd in enumerate((None, 0.25, 0.5, 0.5))
    )
    monkeypatch.setattr(answers, "unit_costs", lambda _: SimpleNamespace(runs=runs))
    monkeypatch.setattr(
        answers, "retraining_of", lambda rows, _: [SimpleNamespace(cost_per_run=len(rows) + 7.0)]
    )
    largest, mean = answers._largest_run(worlds.plan(), {})
    assert (largest.value, largest.path, mean.value) == (0.5, "unit_costs.runs[2].usd", 8.0)
    assert "k2" in mean.path and "n2" in str(largest.title)
    monkeypatch.setattr(answers, "unit_costs", lambda _: SimpleNamespace(runs=()))
    assert answers._largest_run(worlds.plan(), {}) == []
