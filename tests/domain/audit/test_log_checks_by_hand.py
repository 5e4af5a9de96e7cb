"""Checks of the past, one rule at a time, by hand: where each begins, what it names, and in which order."""

from dataclasses import replace
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.audit.log_checks import (
    VariantAsked,
    _add_words,
    _below_40,
    _cluster_without_contract,
    _contention,
    _contracts,
    _contracts_outside_window,
    _is_other_size,
    _possible_duplicates,
    _ratio,
    _ratio_text,
    _review,
    _short_log,
    _stale_prices,
    _unpriced,
    _unstated,
    _variant_words,
    audit_checks,
    model_checks,
    place_checks,
    variants_asked,
)
from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.contract import RATE_FIELD
from gpuplanner.domain.model.book.only import ModelMapping
from gpuplanner.domain.model.cube import TREND_HOURS
from gpuplanner.domain.model.gpu_family import Same, SameKind, families_of
from gpuplanner.domain.model.intake import FileIntake, Issue
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import GpuModel, Pool
from gpuplanner.domain.model.window import DAY_S, Window
from tests.domain.audit.conftest import (
    GPU_HOUR,
    START_S,
    classified,
    make_contract,
    make_offer,
    make_project,
    make_workload,
)
from tests.domain.serving.places_by_hand import city, site, world

H = 3600
MODELS = (
    GpuModel(name="A100 40GB", memory_gb=40.0, bandwidth_tb_per_s=1.5, tflops=300.0, aliases=("a100-40",)),
    GpuModel(name="A100", memory_gb=80.0, bandwidth_tb_per_s=2.0, tflops=300.0, sizes_apart=("40GB", "80GB")),
    GpuModel(name="A100 80GB", memory_gb=80.0, bandwidth_tb_per_s=2.0, tflops=300.0, aliases=("-",)),
    GpuModel(
        name="H100", memory_gb=80.0, bandwidth_tb_per_s=3.35, tflops=990.0, variants="SXM=sxm;PCIe=pcie"
    ),
    GpuModel(name="H100 PCIe", memory_gb=80.0, bandwidth_tb_per_s=2.0, tflops=756.0, aliases=("-",)),
    GpuModel(name="B200", memory_gb=180.0, bandwidth_tb_per_s=8.0, tflops=None),
)
FAMILIES = families_of(MODELS)


def findings(**facts: Any) -> Any:
    return SimpleNamespace(**facts)


def heads(checks: Any) -> list[tuple[str, str, float | None]]:
    return [(check.code, str(check.subject), check.usd_per_month) for check in checks]


# --- Checks of use


def test_low_use_is_named_of_contracts_then_of_clusters() -> None:
    def row(name: str, utilization: float | None, *, is_low: bool) -> Any:
        return SimpleNamespace(
            contract_id=name,
            cluster=name.upper(),
            below_40_percent=is_low,
            utilization=utilization,
            unused_per_month=5.0,
            unallocated_per_month=7.0,
        )

    rows = [row("a", 0.125, is_low=True), row("b", 0.9, is_low=False), row("c", None, is_low=True)]
    checks = [*_below_40(findings(contracts=rows, clusters=rows))]
    assert heads(checks) == [
        ("below_40", "a", 5.0),
        ("below_40", "c", 5.0),
        ("below_40", "A", 7.0),
        ("below_40", "C", 7.0),
    ]
    shares = [str(check.message.values["utilization"]) for check in checks]  # type: ignore[union-attr]
    assert shares == ["12.5%", "0.0%", "12.5%", "0.0%"]


@pytest.mark.parametrize(
    ("overflow", "paid", "usd", "is_named"),
    [
        (5.0, 9.0, 3.0, True),
        (5.0, 9.0, None, True),
        (0.0, 9.0, None, False),
        (5.0, 0.0, 3.0, False),
        (None, 9.0, 3.0, False),
    ],
)
def test_overflow_is_named_on_clusters_that_hold_gpus(
    overflow: float | None, paid: float, usd: float | None, *, is_named: bool
) -> None:
    cluster = SimpleNamespace(
        cluster="a", overflow_gpu_hours=overflow, paid_gpu_hours=paid, overflow_per_month=usd
    )
    checks = [*_contention(findings(clusters=[cluster]))]
    assert heads(checks) == ([("contention", "a", usd)] if is_named else [])
    for check in checks:
        assert ("unknown" in str(check.message)) is (usd is None)


@pytest.mark.parametrize(
    ("clusters", "named", "asked", "subjects"),
    [
        (["a", "b"], ["a"], set(), ["b"]),
        (["a", "b"], ["a"], {"b"}, []),
        (["a", "b"], [], set(), []),
        (["a", ""], ["a", "c"], set(), ["jobs without a cluster"]),
    ],
)
def test_clusters_that_no_contract_names(
    clusters: list[str], named: list[str], asked: set[str], subjects: list[str]
) -> None:
    project = SimpleNamespace(contracts=[SimpleNamespace(cluster=name, is_dollars=False) for name in named])
    rows = [SimpleNamespace(cluster=name) for name in clusters]
    given = findings(project=project, clusters=rows, asked=SimpleNamespace(clusters=asked))
    checks = [*_cluster_without_contract(given)]
    assert [str(check.subject) for check in checks] == subjects


def test_work_in_review_is_unsure_unsettled_and_ran_and_is_named_by_cost() -> None:
    """Under 60%: a ($5), c (unknown), d ($9); b is sure enough, e settled, and f has no GPU job."""
    sureness = {"a": 0.5, "b": 0.6, "c": 0.1, "d": 0.59, "e": 0.1, "f": 0.1}
    classes = [
        Classification(
            pool=Pool.BURST,
            subtype="",
            confidence=sure,
            reasons=(),
            runner_up=None,
            source="override" if name == "e" else "rule",
        )
        for name, sure in sureness.items()
    ]
    works = [replace(make_workload(name), gpu_jobs=0 if name == "f" else 1) for name in sureness]
    project = SimpleNamespace(workloads=works, assumptions=Assumptions(review_below=0.6))
    usd = (5.0, 1.0, None, 9.0, 2.0, 3.0)
    given = findings(project=project, classifications=classes, workload_usd_per_month=usd)
    (check,) = _review(given)
    assert check.usd_per_month is None
    assert str(check.message.values["names"]) == "d, a, c"  # type: ignore[union-attr]
    (known,) = _review(findings(**vars(given) | {"workload_usd_per_month": (5.0, 1.0, 4.0, 9.0, 2.0, 3.0)}))
    assert known.usd_per_month == 18.0
    assert not [*_review(findings(**vars(given) | {"classifications": classes[1:2]}))]


def test_rows_that_look_alike_are_named_by_file() -> None:
    files = [
        FileIntake(
            path=name,
            kind="jobs",
            format="mapped",
            rows_read=9,
            rows_accepted=9,
            rows_rejected=0,
            rows_duplicate=0,
            rows_ignored=0,
            issues=issues,
        )
        for name, issues in (
            ("a.csv", (Issue("other", 1, 2, ""), Issue("possible_duplicate", 3, 4, ""))),
            ("b.csv", ()),
        )
    ]
    (check,) = _possible_duplicates(findings(project=SimpleNamespace(intake=files)))
    assert check.subject == "a.csv" and str(check.message.values["count"]) == "3"  # type: ignore[union-attr]


@pytest.mark.parametrize(("hours", "is_short"), [(TREND_HOURS - 1, True), (TREND_HOURS, False)])
def test_a_log_is_short(hours: int, *, is_short: bool) -> None:
    given = findings(project=SimpleNamespace(window=Window(START_S, hours)))
    assert bool([*_short_log(given)]) is is_short


def test_checks_are_listed_from_the_worst_on_by_code_and_subject() -> None:
    project = make_project(
        24,
        [make_workload("w")],
        [(0, 0, 0, GPU_HOUR)],
        [make_contract("k2", 4, None), make_contract("k1", 4, None), make_contract("c", 1, "2", cluster="x")],
    )
    cluster: Any = SimpleNamespace(
        cluster="atlas",
        below_40_percent=True,
        utilization=0.1,
        unallocated_per_month=1.0,
        overflow_gpu_hours=0.0,
        paid_gpu_hours=1.0,
        activity=None,
        used_gpu_hours=1.0,
    )
    asked: Any = SimpleNamespace(questions=(), unlogged=set(), clusters=set())
    given = findings(
        project=project,
        classifications=classified(Pool.BURST),
        clusters=(cluster,),
        contracts=(),
        workload_usd_per_month=(1.0,),
        asked=asked,
        families=None,
    )
    assert [(check.severity, check.code, str(check.subject)) for check in audit_checks(given)] == [
        ("amber", "below_40", "atlas"),
        ("info", "activity_unknown", "atlas"),
        ("info", "quote_needed", "k1"),
        ("info", "quote_needed", "k2"),
        ("info", "short_log", "window"),
    ]


# --- Checks of contracts and prices


@pytest.mark.parametrize(
    ("rate", "end_h", "more", "codes"),
    [
        (None, None, {}, ["quote_needed"]),
        (None, 0, {}, []),
        (None, 1, {}, ["contract_ended_in_window", "quote_needed"]),
        ("2", None, {}, []),
        ("2", None, {"prepaid_usd": Decimal(9)}, ["prepaid_without_end"]),
        (None, None, {"prepaid_usd": Decimal(9)}, ["prepaid_without_end"]),
    ],
)
def test_contracts_without_a_rate_or_an_end(
    rate: str | None, end_h: int | None, more: dict[str, Any], codes: list[str]
) -> None:
    """Over before the log's first hour, it needs no rate."""
    end_s = None if end_h is None else START_S + end_h * H
    project = make_project(100, [], [], [make_contract("k", 4, rate, end_s=end_s, **more)])
    checks = [*_contracts(findings(project=project))]
    assert [check.code for check in checks] == codes


@pytest.mark.parametrize(
    ("rate", "filed", "is_told"), [("2", "", True), ("2", "3", False), ("2", None, False), (None, "", False)]
)
def test_a_rate_that_was_said_is_told_where_the_file_has_none(
    rate: str | None, filed: str | None, *, is_told: bool
) -> None:
    """Beside a contract at $1, which serves before it; without a rate it would serve first or last."""
    contract = make_contract("k", 4, rate, filed=() if filed is None else ((RATE_FIELD, filed),))
    project = make_project(100, [], [], [contract, make_contract("l", 4, "1")])
    checks = {check.code: check for check in _contracts(findings(project=project))}
    assert ("rate_said" in checks) is is_told
    if is_told:
        assert checks["rate_said"].subject == "k" and " 2 " in f" {checks['rate_said'].message} "


@pytest.mark.parametrize(
    ("prepaid", "is_named"),
    [("2400", True), ("2423.9", True), ("2376.1", True), ("2425", False), ("2375", False), ("0", False)],
)
def test_what_is_prepaid_is_within_a_hundredth_of_what_the_rate_comes_to(
    prepaid: str, *, is_named: bool
) -> None:
    """4 GPUs at $2 for 300 h are $2,400, a hundredth of which is $24."""
    contract = make_contract(
        "k", 4, "2", start_s=START_S, end_s=START_S + 300 * H, prepaid_usd=Decimal(prepaid)
    )
    checks = [*_contracts(findings(project=make_project(400, [], [], [contract])))]
    assert ("prepaid_beside_rate" in {check.code for check in checks}) is is_named
    over = replace(contract, start_s=START_S - 300 * H, end_s=START_S)
    assert not [*_contracts(findings(project=make_project(400, [], [], [over])))]


@pytest.mark.parametrize(
    ("start_d", "end_d", "plan_from_d", "words", "last_day"),
    [
        (5, None, None, "--plan-from", "no"),
        (5, None, 6, "plan start", "no"),
        (2, None, None, "plan start", "no"),  # from the last day on, where plans begin
        (-5, -2, None, "same time", "28"),  # June; the day before its end
        (5, 9, None, "--plan-from", "9"),
    ],
)
def test_contracts_of_another_time_than_the_log(
    start_d: int, end_d: int | None, plan_from_d: int | None, words: str, last_day: str
) -> None:
    """The log has two days."""
    contract = make_contract(
        "k",
        4,
        "2",
        start_s=START_S + start_d * DAY_S,
        end_s=None if end_d is None else START_S + end_d * DAY_S,
    )
    project = make_project(48, [make_workload("w")], [(0, 0, 0, GPU_HOUR)], [contract])
    if plan_from_d is not None:
        project = replace(project, plan_from_s=START_S + plan_from_d * DAY_S)
    (check,) = _contracts_outside_window(findings(project=project))
    values = check.message.values  # type: ignore[union-attr]
    assert words in str(values["remedy"])
    first, last = (str(values[name]) for name in ("start", "end"))
    assert (first.split()[0], last.split()[0]) == ("1", "2")
    assert str(values["over"]).split()[0] == last_day
    jobless = replace(project, workloads=())
    assert not [*_contracts_outside_window(findings(project=jobless))]
    running = replace(project, contracts=(replace(contract, start_s=START_S, end_s=None),))
    assert not [*_contracts_outside_window(findings(project=running))]


def test_old_offers_are_named_with_the_moment() -> None:
    old, young = make_offer("a", "2", as_of="2025-01-01"), make_offer("b", "2", as_of="2026-06-30")
    project = make_project(48, [], [], offers=[old, young, replace(old, offer_id="c")])
    (check,) = _stale_prices(findings(project=project))
    assert str(check.message.values["names"]) == "a, c" and "lookback" in str(check.message)  # type: ignore[union-attr]
    later = replace(project, plan_from_s=START_S + 9 * DAY_S)
    (check,) = _stale_prices(findings(project=later))
    assert "plan start" in str(check.message)
    assert not [*_stale_prices(findings(project=replace(project, offers=(young,))))]


def unpriced(offers: list[Any], *mappings: ModelMapping) -> list[tuple[str, str, str]]:
    """Of 3 GPU-hours of training and 2 of inference on H100, and 1 of inference on A100: model, classes, GPU-hours."""
    works = [make_workload("llm"), make_workload("chat")]
    entries = [(0, 0, 0, 3 * GPU_HOUR), (1, 0, 0, 2 * GPU_HOUR), (1, 1, 0, GPU_HOUR)]
    project = replace(make_project(1, works, entries, offers=offers), mappings=mappings)
    given = findings(project=project, classifications=classified(Pool.TRAINING, Pool.INFERENCE))
    return [
        (str(check.subject), str(check.message.values["pools"]), str(check.message.values["hours"]))  # type: ignore[union-attr]
        for check in _unpriced(given)
    ]


def test_models_that_no_offer_prices_by_use() -> None:
    both = [make_offer("o", "2"), make_offer("a", "1", gpu_model="A100")]
    assert unpriced([]) == unpriced(both) == []
    assert unpriced(both[:1]) == [("A100", "", "1.0")]
    assert unpriced(both[1:]) == [("H100", "", "5.0")]
    committed = make_offer("y", "1", pricing_category="COMMITTED", term_months=12)
    assert unpriced([committed, both[1]]) == [("H100", "", "5.0")]
    assert unpriced([make_offer("n", None), both[1]]) == [("H100", "", "5.0")]
    served = ModelMapping("H100", "A100", 2.0, Pool.INFERENCE)
    assert unpriced(both[1:], served) == [("H100", f" for {Pool.TRAINING}", "3.0")]
    assert unpriced(both[1:], served, replace(served, pool=Pool.TRAINING)) == []


def test_the_nearest_model_that_is_priced_is_proposed() -> None:
    assert _add_words([], "H100") == _add_words(["H200"], None) == _add_words(["H200"], "")
    text = str(_add_words(["H200", "H100 PCIe"], "H100 SXM"))
    assert "H200, H100 PCIe" in text and "'H100 SXM=H200:RATIO'" in text


# --- Checks of GPU models


@pytest.mark.parametrize(
    ("name", "other", "is_other"),
    [
        ("A100", "A100 80GB", True),
        ("A100 80GB", "A100", True),
        ("A100 80GB", "A100 40GB", False),
        ("A100", "A100", False),
        ("H100", "A100 80GB", False),
        ("Quux", "A100 80GB", False),
        ("H100", "B200", False),
        ("A100", "H100", False),
    ],
)
def test_one_name_has_a_size_that_the_other_leaves_open(name: str, other: str, *, is_other: bool) -> None:
    read = FAMILIES.read(other)
    assert read is not None
    assert _is_other_size(name, read, FAMILIES) is is_other


@pytest.mark.parametrize(
    ("base", "offered", "ratio"),
    [
        ("H100", "H100 PCIe", 0.76),  # 756 of 990
        ("H100 PCIe", "H100", 1.31),
        ("H100", "H100 SXM", 1.0),
        ("H100", "H100 1g.10gb", pytest.approx(1 / 7)),
        ("H100 PCIe", "H100 3g.40gb", pytest.approx(1.31 * 3 / 7)),
        ("H100", "B200", 1.0),  # what it calculates is not known
        ("B200", "H100", 1.0),
        ("Quux", "H100 1g.10gb", pytest.approx(1 / 7)),
        ("H100", "Quux", 1.0),
    ],
)
def test_a_variant_is_worth_what_it_calculates(base: str, offered: str, ratio: float) -> None:
    assert _ratio(base, offered, FAMILIES) == ratio


@pytest.mark.parametrize(
    ("ratio", "text"), [(0.76, "0.76"), (1.0, "1"), (1 / 7, "1/7"), (3 / 7, "3/7"), (2.5, "2.5")]
)
def test_a_ratio_is_exact(ratio: float, text: str) -> None:
    assert _ratio_text(ratio) == text
    words = str(_variant_words(VariantAsked("H100", "H100 PCIe", 2, ratio)))
    assert f"'H100=H100 PCIe:{text}'" in words and words.startswith("2 ")


def test_variants_are_asked_about_once_by_name_of_models_that_run() -> None:
    """The log runs A100 and H100; two offers are of PCIe, one is of 80 GB, and of a B200 nothing runs."""
    offers = [
        make_offer(f"o{at}", "2", gpu_model=name)
        for at, name in enumerate(("H100 PCIe", "H100 PCIe", "A100 80GB", "B200", "H100", "Quux"))
    ]
    project = make_project(1, [make_workload("w")], [(0, 0, 0, GPU_HOUR)], offers=offers)
    pcie, size = VariantAsked("H100", "H100 PCIe", 2, 0.76), VariantAsked("A100", "A100 80GB", 1, 1.0)
    assert variants_asked(project, FAMILIES) == (size, pcie)
    settled = replace(project, same=(Same(SameKind.MODEL, "h100 pcie", "h100 pcie"),))
    assert variants_asked(settled, FAMILIES) == (size,)
    others = (Same(SameKind.CLUSTER, "H100 PCIe", "H100 PCIe"), Same(SameKind.MODEL, "H100 PCIe", "X"))
    assert variants_asked(replace(project, same=others), FAMILIES) == (size, pcie)
    mapped = replace(project, mappings=(ModelMapping("H100", "H100 PCIe", 0.8),))
    assert variants_asked(mapped, FAMILIES) == (size,)
    held = replace(project, contracts=(make_contract("k", 1, "2", gpu_model="H100 PCIe"),))
    assert variants_asked(held, FAMILIES) == (size,)


def test_old_shares_of_serving_are_said_until_a_speed_is_set() -> None:
    def codes(**more: Any) -> list[str]:
        project: Project = replace(make_project(1, [], []), assumptions=Assumptions(**more))
        return [check.code for check in model_checks(project)]

    assert codes() == []
    assert codes(serving_shares_replaced=True) == ["assumption_replaced"]
    assert codes(serving_shares_replaced=True, serving_speed=2.0) == []


def test_gpu_time_without_a_model_is_added_up_by_cluster() -> None:
    """bora, which has no contract: 1 GPU-h of one workload; atlas: 2 and 3 GPU-h, of contracts for two models."""
    works = [make_workload("a"), make_workload("b"), make_workload("c", "bora"), make_workload("d", "")]
    entries = [
        (0, -1, 0, 2 * GPU_HOUR),
        (0, 0, 0, 9 * GPU_HOUR),
        (1, -1, 0, 3 * GPU_HOUR),
        (2, -1, 0, GPU_HOUR),
        (3, -1, 0, GPU_HOUR),
    ]
    contracts = [
        make_contract("k", 4, "2"),
        make_contract("l", 4, "2", gpu_model="A100"),
        make_contract("m", 4, "2", gpu_model=None),
    ]
    checks: list[Check] = [*_unstated(make_project(1, works, entries, contracts))]
    assert [str(check.subject) for check in checks] == ["jobs without a cluster", "atlas", "bora"]
    nameless, atlas, bora = (check.message.values for check in checks)  # type: ignore[union-attr]
    assert [str(item["hours"]) for item in (nameless, atlas, bora)] == ["1.0", "5.0", "1.0"]
    assert str(atlas["many"]).startswith("2 ") and str(bora["many"]).startswith("1 ")
    assert "A100, H100" in str(atlas["counts_as"]) and "H100" not in str(bora["counts_as"])


# --- Checks of placement


def test_only_countries_of_users_that_no_current_site_serves_are_red() -> None:
    cities = [city("A", 60), city("B", 40, "DE")]
    without = world(cities, [site("s"), site("d", "DE")], residency=[("DE", ["DE"])])
    assert place_checks(without) == ()  # no site is current
    served = world(
        cities, [site("s", is_current=True), site("d", "DE", is_current=True)], residency=[("DE", ["DE"])]
    )
    assert place_checks(served) == ()
