"""Tables and sentences about serving and training on rows that are written here or in `reported_results.py`."""

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.fit.hardware import Hardware
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.reports import serving, serving_words, training
from gpuplanner.domain.serving.regions import EgressPaths
from tests.domain.reports.reported_results import ENDLESS, FITTING, cost, sizing

Row = SimpleNamespace


def numbers(text: object) -> list[str]:
    return re.findall(r"\d[\d,.]*\d|\d", str(text))


# --- Sites


def leg(site_id: str | None = "east", **values: Any) -> Any:
    return Row(**({"site_id": site_id, "is_measured": False, "km": 1234.4} | values))


@pytest.mark.parametrize(
    ("of", "words"),
    [
        (leg(), "1,234 km"),
        (leg(is_measured=True), "measured"),
        (leg(km=None), "0 km"),
        (leg(km=0.4), "0 km"),
        (leg(None), "None"),
        (leg(None, is_measured=True), "None"),
    ],
)
def test_a_way_is_measured_or_known_by_its_length(of: Any, words: str) -> None:
    assert str(serving.CITIES.column("by").of(of)) == words


def test_a_city_is_served_from_a_site_or_from_none() -> None:
    served = serving.CITIES.column("site_id")
    assert served.of(leg()) == "east" and "no site" in str(served.of(leg(None)))


def site_set(*sites: str, **values: Any) -> Any:
    given = {"mean_one_way_ms": 50.0, "shortest_ms": None, "service": Row(is_over_80=True)}
    return Row(sites=Row(sites=sites, **(given | values)))


def test_a_set_of_sites_names_them_its_bound_and_whether_it_is_far() -> None:
    names, best, far = (serving.SITE_SETS.column(key) for key in ("sites", "at_best", "is_over_80"))
    assert names.of(site_set("east", "west")) == "east, west" and str(names.of(site_set())) == "none"
    assert [best.of(site_set(shortest_ms=ms)) for ms in (12.3456, None, 0.0)] == [12.3, None, 0.0]
    near = Row(is_over_80=False)
    words = [far.of(site_set()), far.of(site_set(service=near)), far.of(site_set(mean_one_way_ms=None))]
    assert words[2] is None and words[0] != words[1] and "yes" in str(words[0]).casefold()


def test_the_cheapest_set_stands_behind_the_best_ones_where_there_is_one() -> None:
    current, best, cheapest = (Row(sites=(name,)) for name in "abc")
    placement: Any = Row(today=Row(current=current), proposed=(best,), cheapest_within=None)
    assert [row.key for row in serving.sets_and_cheapest(placement)] == ["today", "best:1"]
    placement.cheapest_within = cheapest
    named = serving.sets_and_cheapest(placement)
    assert [(row.key, row.sites) for row in named] == [
        ("today", current),
        ("best:1", best),
        ("cheapest", cheapest),
    ]


def test_what_a_site_holds_is_said_in_three_digits() -> None:
    of: Any = Row(replicas=1, spare=2, peak_requests_per_s=12.3456)
    assert numbers(serving.describe_replicas(of)) == ["1", "2", "12.3"]


@pytest.mark.parametrize(
    ("gpus", "instead", "is_said"),
    [
        (8.0, (4.0, 5.0, 6.0), True),
        (None, (4.0, 5.0, 6.0), False),
        (8.0, (None, 5.0, 6.0), False),
        (8.0, (4.0, 5.0, None), False),
        (8.0, (4.0, None, 6.0), True),
    ],
)
def test_gpus_in_place_of_others_are_said_where_all_are_known(
    gpus: float | None, instead: tuple[float | None, ...], is_said: bool
) -> None:
    of: Any = Row(gpus=gpus, instead=instead, against="H100")
    assert numbers(serving.describe_instead(of)) == (["4.0", "6.0", "8.0", "100"] if is_said else [])


def test_a_number_is_rounded_as_its_column_says() -> None:
    for places, rounded in ((2, 1.23), (1, 1.2), (0, 1)):
        column = serving.build_rounded_column("ms", "P50", places, serving.report.WINDOW)
        assert column.figure is None
        assert [column.of(Row(ms=ms)) for ms in (1.2345, None)] == [rounded, None]
    with_unit = serving.build_rounded_column("ms", "P50", 1, unit=serving.writing.MILLISECONDS)
    assert with_unit.figure is not None and with_unit.of(Row(ms=1.25001)) == 1.3


# --- Hardware fit


def fit(light: Light | None, *rows: Any, model: str | None = "H100", hardware: tuple[Any, ...] = ()) -> Any:
    own = Row(light=light, rows=rows, gpu_model=model, hardware=hardware, pool=Pool.TRAINING)
    return Row(fit=own)


def test_a_workload_has_a_light_of_its_own_and_one_for_each_need() -> None:
    of = fit(
        Light.RED,
        Row(need="model_memory", light=Light.AMBER),
        Row(need="memory", light=Light.RED),
        Row(need="bare_metal", light=None),
    )
    column = serving.FITS.column
    assert column("light").of(of) == "red" and column("light").of(fit(None)) is None
    assert column("memory_light").of(of) == "amber"  # of the first of them
    assert column("metal_light").of(of) is None
    assert column("network_light").of(of) == "" == column("term_light").of(of)


def test_a_workload_runs_on_what_is_known_of_its_hardware() -> None:
    model, runs_on = serving.FITS.column("gpu_model"), serving.FITS.column("runs_on")
    hardware = [
        Hardware(contract_or_offer=name, gpu_model="H100", memory_gb=None, memory_source="")
        for name in ("k1", "", "k2")
    ]
    workload = fit(None, hardware=tuple(hardware))
    assert (str(model.of(workload)), str(runs_on.of(workload))) == ("H100", "k1, k2")
    bare = fit(None, model=None)
    assert (str(model.of(bare)), str(runs_on.of(bare))) == ("unknown model", "no contract")


def test_other_hardware_says_whether_memory_fits() -> None:
    fits, ratio = training.OTHER_HARDWARE.column("fits"), training.OTHER_HARDWARE.column("ratio")
    assert [fits.of(Row(light=light)) for light in (Light.GREEN, None)] == ["green", None]
    assert ratio.of(Row(ratio=1.23456)) == 1.235
    memory = training.OTHER_HARDWARE.column("memory")
    words = [memory.of(Row(light=light, holds=True)) for light in (Light.GREEN, Light.RED, None)]
    assert str(memory.of(Row(light=Light.AMBER, holds=True))) == "fits barely"
    assert str(memory.of(Row(light=Light.AMBER, holds=False))) == "may not fit"
    assert (str(words[0]), str(words[1]), words[2]) == ("fits", "does not fit", None)


# --- Sentences about an endpoint: 20 requests a second on 4 replicas, one more spare


def test_the_first_token_and_the_band_are_said_of_a_row_that_knows_them() -> None:
    of = cost("H100")
    first, band = serving_words.advice(sizing(), of)[:2]
    assert numbers(first) == ["60.0", "10.0", "25", "20.0", "30.0"]
    assert numbers(band) == ["0.90", "1.10", "10", "90"]
    unknown = replace(of, row=replace(of.row, way_share=None))
    assert numbers(serving_words.advice(sizing(), unknown)[0])[2] == "0"
    shares = replace(of, row=replace(of.row, low=0.123456, high=1.98765))
    assert numbers(serving_words.advice(sizing(), shares)[1])[:2] == ["0.12", "1.99"]


def test_a_runner_up_is_said_beside_the_best_row_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    best = sizing().best
    assert best is not None
    second = Row(cost=cost("A100"), why="dearer")
    monkeypatch.setattr(serving_words, "runner_up", lambda costs: second)
    counts = [
        sum("unner-up" in str(words) for words in serving_words.advice(sizing(), of))
        for of in (best, cost("A100"))
    ]
    assert counts == [1, 0]
    monkeypatch.setattr(serving_words, "runner_up", lambda costs: None)
    assert not any("unner-up" in str(words) for words in serving_words.advice(sizing(), best))


@pytest.mark.parametrize(
    ("most", "hours", "expected"),
    [(1.0, 0.5, ["1", "30.0"]), (0.99, 0.5, None), (12.0, 2.0, ["12", "120.0"])],
)
def test_requests_that_wait_while_replicas_start_are_said_from_one_on(
    monkeypatch: pytest.MonkeyPatch, most: float, hours: float, expected: list[str] | None
) -> None:
    replay = Row(
        replicas_flat=5,
        replicas_mean=3.2,
        replicas_perfect=2.5,
        missed_share=0.01234,
        backlog_most=most,
        backlog_hours=hours,
    )
    monkeypatch.setattr(type(sizing()), "replay", lambda self, of: replay)
    sentences = [numbers(words) for words in serving_words.advice(sizing(), cost("H100"))]
    assert ["5", "3.2", "1.2", "2.5"] in sentences
    assert (expected in sentences) is (expected is not None)
    assert len(sentences) - sentences.index(["5", "3.2", "1.2", "2.5"]) == (1 if expected is None else 2)


@pytest.mark.parametrize(
    ("requests", "expected"),
    [(None, ["0.50", "2.00", "1,235"]), (12_345.6, ["0.50", "2.00", "1,235", "12,346", "4.57"])],
)
def test_an_api_costs_less_at_any_traffic_or_up_to_some(requests: float | None, expected: list[str]) -> None:
    api: Any = Row(
        usd_per_million_in=0.5,
        usd_per_million_out=2.0,
        usd_per_month=1234.56,
        break_even_requests_per_month=requests,
        break_even_requests_per_s=4.5678,
    )
    assert numbers(serving_words.describe_api(api)) == expected


PATHS = EgressPaths(
    near_gb=1234.5,
    far_gb=12.345,
    near_usd_per_gb=0.01,
    far_usd_per_gb=0.02,
    usd_per_month=98.765,
    far_share=0.25,
    later_users_times=1.0,
    later_far_share=0.25,
    later_usd_per_month=98.765,
    times=1.0,
)


@pytest.mark.parametrize(
    ("users", "share", "later"),
    [(1.0, 0.25, False), (2.345, 0.25, True), (1.0, 0.5, True), (2.345, 0.5, True)],
)
def test_what_leaves_later_is_said_where_users_or_their_places_change(
    users: float, share: float, later: bool
) -> None:
    paths = replace(
        PATHS, later_users_times=users, later_far_share=share, later_usd_per_month=1234.567, times=12.5
    )
    written = numbers(serving_words.describe_egress(paths))
    assert written[:4] == ["1,234", "12.3", "25", "98.77"]
    expected = [f"{users:.3g}", f"{100 * share:.0f}", "1,234.57", "12.50"] if later else []
    assert written[4:] == expected


# --- Sentences about a run


def test_a_run_says_its_checkpoints_and_how_much_of_it_computes() -> None:
    asked: Any = Row(storage_gb_per_s=10.0, virtual=None, measured=None, own_words="")
    whole, only = training.sentences_of(FITTING, asked)
    assert numbers(whole) == ["100.0", "125.0", "90.0", "175.0"]
    assert training.sentences_of(FITTING, Row(**vars(asked) | {"measured": 1})) == (only,)
    assert numbers(only) == ["112.0", "11.2", "10", "1.5", "95.0"]
    assert training.sentences_of(replace(FITTING, finish=None), asked) == ()
    assert ENDLESS.finish is not None and FITTING.finish is not None
    availability = replace(FITTING.finish.availability, share=-0.5)
    never = replace(FITTING, finish=replace(FITTING.finish, availability=availability))
    assert numbers(training.sentences_of(never, asked)[1])[-1] == "0.0"


@pytest.mark.parametrize(
    ("stated", "virtual", "expected"),
    [
        ((0.0123, 0.2), (110.0, 120.0, 5.0, 6.0), ["1.2", "20.0", "110.0", "120.0", "5", "6"]),
        ((0.0123, 0.2), (110.0, 120.0, None, 6.0), ["1.2", "20.0", "110.0", "120.0"]),
        ((0.0123, 0.2), (110.0, 120.0, 5.0, None), ["1.2", "20.0", "110.0", "120.0"]),
        ((0.0123, 0.2), None, None),
        (None, (110.0, 120.0, 5.0, 6.0), None),
    ],
)
def test_virtual_machines_are_said_where_their_slowness_is_stated(
    monkeypatch: pytest.MonkeyPatch,
    stated: tuple[float, float] | None,
    virtual: tuple[float | None, ...] | None,
    expected: list[str] | None,
) -> None:
    keys = ("hours_low", "hours_high", "usd_low", "usd_high")
    of = None if virtual is None else Row(**dict(zip(keys, virtual, strict=True)))
    monkeypatch.setattr(training, "virtual_of", lambda choice, asked: of)
    asked: Any = Row(storage_gb_per_s=10.0, virtual=stated, measured=None, own_words="")
    sentences = training.sentences_of(FITTING, asked)
    assert [numbers(words) for words in sentences[2:]] == ([] if expected is None else [expected])


def test_a_field_of_a_sheet_is_of_the_finish_or_of_the_choice_itself() -> None:
    of_finish = training.build_run_column("hours", "Hours", "hours")
    own = training.build_run_column("usd", "Cost")
    assert (of_finish.of(FITTING), own.of(FITTING)) == (100.0, 4000.0)
    assert of_finish.of(replace(FITTING, finish=None)) is None
