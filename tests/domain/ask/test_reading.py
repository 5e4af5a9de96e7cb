"""What amounts, days and names mean where they stand, asked of the small plan (`worlds.plan`).

The plan begins on 31 January 2026 with K1 and K3 of Ada and K2 of Bo.
"""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from gpuplanner.domain.ask.changes import asked_of
from gpuplanner.domain.ask.reading import (
    NO_FORM,
    Asked,
    Named,
    NotUnderstoodError,
    UnreadError,
    bare_question,
    nearest,
    places_of,
    read_place,
    respelled,
)
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.tables import Form, Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, instant_s
from gpuplanner.files.system.resources import gpu_families, read_question_forms
from tests.domain import worlds


@pytest.fixture(scope="module")
def asked() -> Asked:
    return asked_of(worlds.plan(), gpu_families(), {"H100": 8})


def read(place: str, part: str, asked: Asked) -> object:
    """What the place has, or what could stand in it."""
    try:
        return read_place(place, part, asked)
    except UnreadError as fault:
        return tuple(fault.instead)


@pytest.mark.parametrize(
    ("part", "usd"),
    [
        ("400k", 400_000.0),
        ("$400k", 400_000.0),
        ("1.5 million", 1_500_000.0),
        ("2m", 2_000_000.0),
        ("3 thousand usd", 3000.0),
        ("12,500", 12_500.0),
        ("1000", 1000.0),
        ("$999", 999.0),
        ("999", ("999k USD",)),  # dollars, or thousands?
        ("12.5 dollars", 12.5),
        ("12.500", ("12.5k USD",)),  # a comma of other countries?
        ("12.500k", 12_500.0),
        ("1.234567k", 1234.57),
        ("$1,234.567", ("1234.57k USD",)),
        ("400k eur", ()),
        ("\u20ac400k", ()),
        ("\u00a35", ()),
    ],
)
def test_an_amount_is_in_the_money_of_the_project(part: str, usd: object, asked: Asked) -> None:
    assert read("money", part, asked) == usd


def test_an_amount_in_the_projects_own_money_may_name_it(asked: Asked) -> None:
    euros = replace(asked, project=replace(asked.project, currency="EUR"))
    assert read("money", "400k eur", euros) == read("money", "\u20ac400k", euros) == 400_000.0
    assert read("money", "$400k", euros) == ()


@pytest.mark.parametrize(
    ("place", "part", "value"),
    [
        ("percent", "half", 0.5),
        ("percent", "25%", 0.25),
        ("percent", "12.5 percent", 0.125),
        ("months", "3 months", 3),
        ("months", "a year", 12),
        ("months", "two quarters", 6),
        ("months", "one month", 1),
        ("months", "1,200 months", 1200),
        ("months", "2-years", 24),
        ("span", "36 hours", (36, "hours")),
        ("span", "2 days", (48, "hours")),
        ("span", "a week", (168, "hours")),
        ("span", "an hour", (1, "hours")),
        ("span", "two months", (2, "months")),
        ("span", "3 years", (36, "months")),
        ("count", "twelve", 12),
        ("count", "a", 1),
        ("count", "1,024", 1024),
        ("count", "7", 7),
        ("kw", "300 kw", 300.0),
        ("kw", "1.5mw", 1500.0),
        ("kw", "1,500 kw", 1500.0),
        ("kw", "1.500 kw", ()),
        ("kw", "0.25 mw", 250.0),
        ("grid", "50 g", 0.05),
        ("grid", "0.4 kg", 0.4),
        ("grid", "1,000g", 1.0),
        ("grid", "1.000 g", ()),
        ("grid", "0.123 kg", 0.123),
        ("ratio", "1.6", 1.6),
        ("pool", "burst", Pool.BURST),
        ("way", "spot", PricingCategory.DYNAMIC),
        ("way", "on demand", PricingCategory.STANDARD),
        ("until", "may", instant_s("2026-06-01")),
        ("until", "2026-05-30", instant_s("2026-05-31")),
        ("model", "h100", "H100"),
        ("model", "b300", ("A100", "H100")),
        ("model", "chat", ()),
        ("model", "20% h", ()),
        ("offered", "a100", "A100"),
        ("offered", "the large b200 box", ()),
        ("day", "1 march", 1_772_323_200),
        ("day", "2026-01-31", ()),
    ],
)
def test_a_place_is_read_or_said_to_be_unreadable(place: str, part: str, value: object, asked: Asked) -> None:
    result = read(place, part, asked)
    if place == "model" and value == ("A100", "H100"):
        assert set(result) == set(value)  # type: ignore[call-overload]
    else:
        assert result == value


@pytest.mark.parametrize(
    ("part", "begins", "over"),
    [
        ("by friday", "", "2026-02-07"),  # the plan begins on a Saturday
        ("within 2 weeks", "", "2026-02-14"),
        ("the next 30 days", "", "2026-03-02"),
        ("next week", "2026-02-02", "2026-02-09"),
        ("this quarter", "", "2026-04-01"),
        ("in the next quarter", "2026-04-01", "2026-07-01"),
        ("in q2", "2026-04-01", "2026-07-01"),
        ("during march", "2026-03-01", "2026-04-01"),
        ("in 2027", "2027-01-01", "2028-01-01"),
        ("by march", "", "2026-03-01"),
        ("by 1 march", "", "2026-03-02"),
        ("before 1 march", "", "2026-03-01"),
        ("on 2026-03-01", "2026-03-01", "2026-03-02"),
    ],
)
def test_a_time_has_its_first_and_its_last_day(part: str, begins: str, over: str, asked: Asked) -> None:
    """What is up to a day, and what is of this month, has all that is overdue."""
    assert read("period", part, asked) == (instant_s(begins) if begins else 0, instant_s(over))


def test_words_that_are_no_time_are_none(asked: Asked) -> None:
    assert read("period", "soon", asked) == () == read("period", "h100", asked)


WORDS = (Form("a", "", "", "~ends?|expires? & contracts? & {party} + soon"), Form("a", "", "", "~ends? + q3"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("when does the contract with bo end", frozenset({"Bo"})),
        ("bo contract: soon it ends", None),  # a word that nobody expects
        ("bo contract, ends soon", frozenset({"Bo"})),
        ("the contract of k1 does not end", None),
        ("when does bo end", None),  # a part that has to be there is not
        ("ends q3", True),
    ],
)
def test_words_in_any_order_are_read_where_all_are_known(text: str, found: object, asked: Asked) -> None:
    try:
        hits = places_of(text, WORDS, asked)
    except NotUnderstoodError:
        hits = []
    assert [values.get("party", True) for _, values in hits] == ([] if found is None else [found])


def test_words_in_any_order_come_second(asked: Asked) -> None:
    forms = (Form("b", "", "", "~contract"), Form("a", "", "", "the contract"))
    assert [form for form, _ in places_of("the contract", forms, asked)] == ["a"]
    assert [form for form, _ in places_of("contract", forms, asked)] == ["b"]


def test_a_day_before_the_plan_is_none(asked: Asked) -> None:
    for day, is_read in (("2026-01-30", False), ("2026-02-01", True)):
        assert isinstance(read("day", day, asked), int) is is_read
    later = replace(asked, project=replace(asked.project, window=replace(asked.project.window, hours=744)))
    assert later.begins_s - 744 * 3600 == asked.begins_s - 730 * 3600
    assert read("day", "2026-02-01", later) == later.begins_s == asked.begins_s + 14 * 3600
    assert later.begins_s % DAY_S == 0


NAMES: Sequence[tuple[str, str, Named | frozenset[str] | tuple[str, ...]]] = (
    ("who", "any provider", Named("provider", "")),
    ("who", "one single vendor", Named("provider", "")),
    ("who", "ada", Named("provider", "Ada")),
    ("who", "provider ada", Named("provider", "Ada")),
    ("who", "ada provider", Named("provider", "Ada")),
    ("who", "the ada", Named("provider", "Ada")),
    ("who", "adda", ("Ada",)),
    ("contract", "k1", Named("contract", "K1")),
    ("contract", "our k2", Named("contract", "K2")),
    ("contract", "k9", ()),
    ("contract", "something that is no name", ()),
    ("scope", "burst", Named("pool", "burst")),
    ("scope", "pool burst", Named("pool", "burst")),
    ("scope", "team", Named("team", "team")),
    ("scope", "team team", Named("team", "team")),
    ("scope", "load-001", Named("workload", "c2/team/load-001")),
    ("scope", "c2/team/load-001", Named("workload", "c2/team/load-001")),
    ("contract", "burst", ()),  # a pool, which may not stand there
    ("cluster", "c1", Named("cluster", "c1")),
    ("offer", "q3", Named("offer", "q3")),
    ("plan", "plan a", Named("plan", "Plan A")),
    ("team", "load-001", ()),
    ("party", "c1", frozenset({"c1"})),
)


@pytest.mark.parametrize(("place", "part", "value"), NAMES)
def test_a_name_is_of_what_may_stand_there(
    place: str, part: str, value: Named | frozenset[str] | tuple[str, ...], asked: Asked
) -> None:
    try:
        result: object = read_place(place, part, asked)
    except UnreadError as fault:
        result = tuple(fault.instead)
    assert result == value


@pytest.mark.parametrize(
    ("part", "is_no_form"),
    [("k9", False), ("some thing else", False), ("some thing else again", True), ("k1 and some more", True)],
)
def test_what_has_more_words_than_a_name_is_none(part: str, asked: Asked, *, is_no_form: bool) -> None:
    with pytest.raises(UnreadError) as fault:
        read_place("contract", part, asked)
    assert (fault.value.what is NO_FORM) is is_no_form


def test_of_two_of_a_name_it_is_asked_which(asked: Asked) -> None:
    works = tuple(
        replace(work, name="same" if at else "burst", key=f"{work.cluster}/team/{at}")
        for at, work in enumerate(asked.project.workloads)
    )
    alike = replace(asked, project=replace(asked.project, workloads=works))
    with pytest.raises(UnreadError) as fault:
        read_place("scope", "same", alike)
    assert fault.value.instead == ["c1/team/2", "c2/team/1"] and fault.value.part == "same"
    with pytest.raises(UnreadError) as fault:
        read_place("scope", "burst", alike)
    assert fault.value.instead == ["pool burst", "c1/team/0"]
    with pytest.raises(UnreadError) as fault:
        read_place("ends", "burst", alike)
    assert len(fault.value.instead) == 2


def test_names_are_of_what_the_project_and_its_plan_have(asked: Asked) -> None:
    work = PlannedWork(name="new", pool=Pool.TRAINING, gpu_model="H100", gpus=1.0, cluster="c1", team="ops")
    plan = replace(asked.project.scenarios[0], planned=(work,), name="Plan A")
    named = replace(plan, name="Plan B \u00b7 more", planned=())
    scratch = replace(plan, name="Q", scratch_of="Plan A", planned=())
    both = replace(asked, project=replace(asked.project, scenarios=(plan, named, scratch)))
    assert set(both.names("plan")) == {
        ("Plan A", "Plan A"), ("Plan B", "Plan B \u00b7 more"), ("Plan B \u00b7 more", "Plan B \u00b7 more")
    }  # fmt: skip
    assert {("new", work.key), (work.key, work.key)} <= set(both.names("workload"))
    assert len(both.names("workload")) == 8
    assert set(both.names("team")) == {("team", "team"), ("ops", "ops")}
    assert set(both.names("cluster")) == {("c1", "c1"), ("c2", "c2")}
    assert set(both.names("provider")) == {("Ada", "Ada"), ("Bo", "Bo")}
    assert set(both.names("offer")) == {(name, name) for name in ("a-od", "a-spot", "od", "q3", "y1")}
    assert [Named(kind, "x").as_word for kind in ("workload", "contract", "team")] == ["x", "x", "team:x"]


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("What if H100 prices fall 20%, please?", "h100 prices fall 20%"),
        ("what's the plan", "what is the plan"),
        ("When the contract is", "when is the contract"),
        ("how high is churn", "what is churn"),
        ("teams a and b stop on 1 jan", "stop a and b on 1 jan"),
        ("utilisation by supplier", "utilization by provider"),
        ("under 5 kilowatts", "under 5 kw"),
        ("$5/month", "$5 a month"),
        ("for 3mo", "for 3 months"),
        ("for 10 d", "for 10 days"),
        ("H100 prices get 10% cheaper", "h100 prices fall 10%"),
        ("double inference by May", "inference doubles by may"),
        ("cut training by half", "training falls half"),
        ("raise burst by 10%", "burst grows 10%"),
    ],
)
def test_other_ways_to_write_it_are_the_same(typed: str, plain: str) -> None:
    assert bare_question(typed, read_question_forms()) == plain


FORMS = (
    Form("budget", "under $400k a month", "", "(?:stay )?under {money} {monthly}"),
    Form("share", "at most 60% with one provider", "", "at most {percent} with {who}"),
    Form("plan", "what does the plan cost", "", "what does the plan cost"),
    Form("team", "what does team chat cost", "", "what does {costs} cost"),
)


def test_forms_are_those_whose_words_it_has(asked: Asked) -> None:
    assert places_of("Under $400k per month", FORMS, asked) == [("budget", {"money": 400_000.0})]
    assert places_of("at most half with Ada", FORMS, asked) == [
        ("share", {"percent": 0.5, "who": Named("provider", "Ada")})
    ]
    assert places_of("nothing like it", FORMS, asked) == []
    assert [form for form, _ in places_of("what does the plan cost", FORMS, asked)] == ["plan"]


def test_the_nearest_questions_share_the_rarest_words(asked: Asked) -> None:
    """`what does` and `cost` are in two forms, `provider` in one."""
    assert nearest("cost with one provider", FORMS)[0] == "at most 60% with one provider"
    of_cost = {"what does team chat cost", "what does the plan cost"}
    assert set(nearest("what does it cost", FORMS)[:2]) == of_cost
    assert (
        respelled("under 400k a monht with onee provder", FORMS, asked)
        == "under 400k a month with one provider"
    )
    assert respelled("k1 x9", FORMS, asked) == "k1 x9"
