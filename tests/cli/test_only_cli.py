"""--only: who alone may serve a workload, in the documents and rows of its pool and model."""

import re

import pytest

from tests.cli.test_plan import JOB_HEADER, STILL, at, job
from tests.some_of import one_in, some_of

HEADER = "offer_id,provider,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour,region\n"
PRICES = "od1,one,H100,STANDARD,0,6,east\nm1,one,H100,COMMITTED,1,3,east\nod2,two,H100,STANDARD,0,8,west\n"
HOURS = 400


@pytest.fixture
def words(put) -> list[str]:  # type: ignore[no-untyped-def]
    jobs = JOB_HEADER + job(1, 10, 0, HOURS) + job(2, 4, 0, HOURS, "training")
    files = ["--jobs", put("jobs.csv", jobs), "--prices", put("prices.csv", HEADER + PRICES)]
    return [*files, *STILL, "--start", at(0), "--end", at(HOURS)]


def keys(call, words) -> dict[str, str]:  # type: ignore[no-untyped-def]
    return {row["class"]: row["key"] for row in call("plan", *words).document["workloads"]}


@pytest.mark.long
@pytest.mark.parametrize("only", some_of(["provider:Two", "region:west"], quick=1))
def test_one_row_a_pool_and_model_with_layers_of_all(call, words, only: str) -> None:  # type: ignore[no-untyped-def]
    both = keys(call, words)
    moved = ["--assign", f"{both['training']}=inference", "--only", f"{both['training']}={only}"]
    said = call("plan", *words, *moved).document
    (row,) = said["pools"]
    assert (row["pool"], row["gpu_model"], row["mean_gpus"], row["peak_gpus"]) == (
        "inference",
        "H100",
        14,
        14,
    )
    assert row["usd_per_month"] == pytest.approx(sum(layer["usd_per_month"] for layer in row["layers"]))
    assert sum(layer["gpus"] * layer["utilization"] for layer in row["layers"]) == pytest.approx(14)
    assert {layer["offer_id"]: layer["gpus"] for layer in row["layers"]} == {"m1": 10, "od2": 4}
    assert {order["gpu_model"] for order in said["orders"]} == {"H100"}
    of = {one["key"]: one for one in said["workloads"]}
    kind, name = only.casefold().split(":")
    assert of[both["training"]]["only"] == {"provider": None, "region": None, "country": None} | {kind: name}
    assert of[both["inference"]]["only"] is None
    assert of[both["training"]]["plan_usd_per_month"] == pytest.approx(730 * 4 * 8)


@pytest.mark.long
def test_nobody_who_may_serve_it_is_red(call, words) -> None:  # type: ignore[no-untyped-def]
    key = keys(call, words)["training"]
    said = call("plan", *words, "--only", f"{key}=provider:three").document
    (row,) = said["unserved"]
    assert (row["key"], row["gpu_model"], row["usd_per_month"]) == (key, "H100", None)
    assert row["gpu_hours"] == pytest.approx(12 * 730 * 4)
    assert [one["severity"] for one in said["checks"] if one["code"] == "unserved"] == ["red"]


@pytest.mark.parametrize(
    "wrong",
    one_in(6, ["nobody=provider:one", "=provider:one", "{key}=one", "{key}=region:", "{key}=provider:a[b"]),
)
def test_wrong_words_are_usage_errors(call, words, wrong: str) -> None:  # type: ignore[no-untyped-def]
    said = call("plan", *words, "--only", wrong.format(key=keys(call, words)["training"]))
    assert said.status == 2 and said.err.startswith("gpuplanner: usage: ")


def test_a_name_that_nobody_has_is_said_with_those_like_it(call, words) -> None:  # type: ignore[no-untyped-def]
    asked = ("plan", *words, "--only", "pool:training=provider:tow", "--share", "region:eastern=40%")
    said = call(*asked, text=True)
    assert said.status == 0 and not call(*asked).err
    lines = [line for line in said.out.splitlines() if line.startswith("gpuplanner: nobody_called_so")]
    assert [re.search(r"(\w+)\?$", line)[1] for line in lines] == ["east", "two"]


def test_anybody_but_one_and_a_site_are_said_too(call, words) -> None:  # type: ignore[no-untyped-def]
    both = keys(call, words)
    away = ["--only", f"{both['training']}=not:provider:one", "--only", f"{both['training']}=site:west"]
    said = call("plan", *words, *away).document
    of = {one["key"]: one for one in said["workloads"]}[both["training"]]
    assert (of["only"], of["not_provider"]) == ({"provider": None, "region": "west", "country": None}, "one")
    (limit,) = said["limits"]
    assert (limit["limit"], limit["region"], limit["not_provider"]) == ("only", "west", "one")
    assert of["plan_usd_per_month"] == pytest.approx(730 * 4 * 8)


@pytest.mark.long
def test_a_share_of_one_who_is_named_is_a_limit_that_costs(call, words) -> None:  # type: ignore[no-untyped-def]
    free = call("plan", *words).document["totals"]["plan_usd_per_month"]
    said = call("plan", *words, "--share", "provider:One=25%").document
    (limit,) = said["limits"]
    assert (limit["limit"], limit["value"], limit["provider"]) == ("share", 0.25, "one")
    assert limit["costs_usd_per_month"] == pytest.approx(said["totals"]["plan_usd_per_month"] - free) != 0
    for wrong in ("one=40%", "provider:one=", "provider:one=2", "not:provider:one=40%"):
        assert call("plan", *words, "--share", wrong).status == 2


@pytest.mark.long
def test_a_pool_and_a_team_are_limited_as_one(call, words) -> None:  # type: ignore[no-untyped-def]
    both = keys(call, words)
    for named, limited in (("pool:training", [both["training"]]), ("team:nobody", sorted(both.values()))):
        found = call("plan", *words, "--only", f"{named}=provider:two")
        (row,) = found.document["limits"]
        assert (row["provider"], row["keys"]) == ("two", limited)
    assert call("plan", *words, "--only", "team:eve=provider:two").status == 2
