"""Two names of one thing on the command line: families match by themselves, the rest is asked and never 0% used."""

import re
import shlex

import pytest
from openpyxl import load_workbook

from tests.some_of import one_in

JOBS = "job_id,cluster,name,user,gpu_model,gpus,start,end,gpu_activity_percent\n"
CONTRACTS = "contract_id,provider,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end\n"
PRICES = "offer_id,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour\n"


def job(number: int, model: str, cluster: str = "main", gpus: int = 8) -> str:
    return f"{number},{cluster},train,ann,{model},{gpus},2026-01-01T00:00:00Z,2026-01-02T00:00:00Z,50\n"


def contract(name: str, model: str, cluster: str = "main", gpus: int = 8) -> str:
    return f"{name},CW,{cluster},{model},{gpus},2.50,2025-06-01,2026-03-01\n"


def inputs(put, jobs: str, contracts: str, prices: str = "") -> list[str]:
    words = [
        "--jobs",
        put("jobs.csv", JOBS + jobs),
        "--contracts",
        put("contracts.csv", CONTRACTS + contracts),
    ]
    return [*words, *(["--prices", put("prices.csv", PRICES + prices)] if prices else [])]


def checks(document, code: str) -> list[dict]:
    return [one for one in document["checks"] if one["code"] == code]


def options_in(message: str) -> list[str]:
    """The options that a check says to write, as a shell would take them."""
    found = re.findall(r"--(?:same|cluster|map-model) (?:'[^']*'|\S+)", message)
    return [word for one in found for word in shlex.split(one.rstrip(";,"))]


@pytest.mark.long
def test_a_log_of_h100_sxm_is_served_by_a_contract_of_h100_hbm3(call, put) -> None:
    document = call("audit", *inputs(put, job(1, "H100 SXM"), contract("c", "H100 HBM3"))).document
    (row,) = document["contracts"]
    assert (row["utilization"], row["below_40_percent"], row["used_gpu_hours"]) == (1.0, False, 192.0)
    assert not checks(document, "models_unmatched")
    plan = call(
        "plan",
        *inputs(put, job(1, "NVIDIA H100 80GB HBM3"), contract("c", "h100-sxm5"), "o,H100,STANDARD,0,5\n"),
    ).document
    assert {pool["gpu_model"] for pool in plan["pools"]} == {"H100"}


@pytest.mark.long
def test_models_that_match_nothing_are_asked_about_and_never_unused(call, put) -> None:
    words = inputs(put, job(1, "Foo 9000"), contract("c", "H100"), "o,H100,STANDARD,0,5\n")
    document = call("plan", *words).document
    (cluster,), (row,) = document["clusters"], document["contracts"]
    for of in (cluster, row):
        assert of["utilization"] is None
        assert of["below_40_percent"] is None
        assert of["used_gpu_hours"] is None
    assert cluster["stranded"] == {"audit_usd_per_month": None, "metered_usd_per_month": None}
    assert cluster["cost_usd_per_month"] == pytest.approx(8 * 2.5 * 730)
    assert [one["verdict"] for one in document["contract_verdicts"]] == [None]
    totals = document["totals"]
    for name in ("current", "do_nothing", "savings", "savings_vs_do_nothing", "unused_now"):
        assert totals[f"{name}_usd_per_month"] is None
    assert totals["effective_utilization_now"] is None
    assert not [one for one in document["leaks"] if one["subject"] in ("main", "c")]
    (check,) = checks(document, "models_unmatched")
    assert (check["severity"], check["subject"]) == ("amber", "main")

    yes, no = (options_in(check["message"])[place : place + 2] for place in (0, 2))
    assert yes == ["--same", "model:Foo 9000=H100"]
    settled = call("plan", *words, *yes).document
    assert settled["contracts"][0]["utilization"] == 1.0
    assert not checks(settled, "models_unmatched")
    apart = call("plan", *words, *no).document
    assert apart["contracts"][0]["utilization"] == 0.0
    assert apart["contracts"][0]["below_40_percent"] is True
    assert not checks(apart, "models_unmatched")
    clusters = call("audit", *words[:4], text=True).out.split("Clusters")[1].split("Teams")[0]
    assert " 0.0%" not in clusters


@pytest.mark.long
def test_clusters_of_two_names_are_asked_about(call, put) -> None:
    words = inputs(put, job(1, "H100", "en"), contract("c", "H100"))
    document = call("audit", *words).document
    assert {row["utilization"] for row in document["clusters"]} == {None}
    (check,) = checks(document, "models_unmatched")
    assert "log: en;" in check["message"] and ": main" in check["message"]
    settled = call("audit", *words, *options_in(check["message"])[:2]).document
    assert [row["cluster"] for row in settled["clusters"]] == ["main"]
    assert settled["contracts"][0]["utilization"] == 1.0
    assert {one["key"] for one in settled["workloads"]} == {"main/ann/train"}
    idle = call("audit", *words, "--same", "cluster:main=main").document
    assert idle["contracts"][0]["utilization"] == 0.0


@pytest.mark.long
@pytest.mark.parametrize("cluster", ["fox", ""])
def test_partitions_that_contracts_name_as_clusters_are_offered(call, put, cluster: str) -> None:
    jobs = "".join(
        f"{at},{cluster},{queue},train,H100,8,2026-01-01T00:00:00Z,2026-01-02T00:00:00Z\n"
        for at, queue in enumerate(("gpu-a", "gpu-b", "gpu-b"))
    )
    log = put("jobs.csv", "job_id,cluster,queue,name,gpu_model,gpus,start,end\n" + jobs)
    rows = contract("a", "H100", "gpu-a") + contract("b", "H100", "gpu-b", 16)
    words = ["--jobs", log, "--contracts", put("contracts.csv", CONTRACTS + rows)]
    found = checks(call("audit", *words).document, "models_unmatched")
    assert [one["subject"] for one in found] == ["gpu-a", "gpu-b"]
    said = [word for one in found for word in options_in(one["message"])[:2]]
    assert said[1] == f"cluster:{cluster}/gpu-a=gpu-a"
    settled = call("audit", *words, *said).document
    assert {row["contract_id"]: row["used_gpu_hours"] for row in settled["contracts"]} == {"a": 192, "b": 384}
    assert not checks(settled, "models_unmatched")


@pytest.mark.long
def test_contracts_without_a_cluster_are_told_which_is_theirs(call, put) -> None:
    words = inputs(put, job(1, "H100", "en"), contract("c", "H100", ""))
    (check,) = checks(call("audit", *words).document, "models_unmatched")
    assert "log: en" in check["message"]
    assert "--map contracts.cluster==en" in check["message"]
    assert options_in(check["message"]) == ["--same", "cluster:=en"]
    for said in (["--map", "contracts.cluster==en"], ["--same", "cluster:=en"]):
        assert call("audit", *words, *said).document["contracts"][0]["utilization"] == 1.0


@pytest.mark.long
def test_one_contract_without_a_cluster_beside_others_is_told_which_it_may_serve(call, put) -> None:
    words = inputs(put, job(1, "H100"), contract("c", "H100") + contract("d", "H100", ""))
    document = call("audit", *words).document
    assert {one["contract_id"]: one["utilization"] for one in document["contracts"]} == {"c": 1.0, "d": None}
    (check,) = checks(document, "cluster_without_log")
    assert "(d)" in check["message"] and options_in(check["message"]) == ["--same", "cluster:=main"]
    known = call("audit", *words, *options_in(check["message"])).document
    assert not checks(known, "cluster_without_log") and None not in [
        c["utilization"] for c in known["contracts"]
    ]


@pytest.mark.long
def test_a_log_without_a_cluster_is_told_to_name_it(call, put) -> None:
    words = inputs(put, job(1, "H100", ""), contract("c", "H100"))
    (check,) = checks(call("audit", *words).document, "models_unmatched")
    assert options_in(check["message"])[:2] == ["--cluster", "main"]
    for said in (["--cluster", "main"], ["--same", "cluster:=main"]):
        assert call("audit", *words, *said).document["contracts"][0]["utilization"] == 1.0


@pytest.mark.long
def test_a_cluster_that_no_log_names_is_unknown_and_one_without_jobs_in_the_window_is_unused(
    call, put
) -> None:
    rows = contract("c", "H100") + contract("spare", "A100", "spare")
    words = inputs(put, job(1, "H100"), rows, "o,H100,STANDARD,0,5\n")
    document = call("plan", *words).document
    assert [row["utilization"] for row in document["contracts"]] == [1.0, None]
    cluster = document["clusters"][1]
    assert (cluster["utilization"], cluster["below_40_percent"]) == (None, None)
    assert cluster["stranded"] == {"audit_usd_per_month": None, "metered_usd_per_month": None}
    assert [one["verdict"] for one in document["contract_verdicts"] if one["contract_id"] == "spare"] == [
        None
    ]
    totals = document["totals"]
    assert totals["current_usd_per_month"] == pytest.approx(2 * 8 * 2.5 * 730)  # what is paid is known
    assert totals["plan_usd_per_month"] is not None
    assert {totals[f"{name}_usd_per_month"] for name in ("unused_now", "unused_plan")} == {None}
    assert {totals[f"effective_utilization_{when}"] for when in ("now", "plan")} == {None}
    assert all(row["gpu_model"] != "A100" for row in document["idle_existing"])
    assert not [one for one in document["leaks"] if "spare" in one["subject"]]
    (check,) = checks(document, "cluster_without_log")
    assert check["subject"] == "spare"
    own = options_in(check["message"])
    assert own == ["--same", "cluster:spare=spare"]
    earlier = job(2, "A100", "spare").replace("2026-01", "2025-12")
    windowed = ["--start", "2026-01-01", "--end", "2026-01-02"]
    for said in ([*words, *own], [*inputs(put, job(1, "H100") + earlier, rows), *windowed]):
        known = call("audit", *said).document
        assert [row["utilization"] for row in known["contracts"]] == [1.0, 0.0]
        assert not checks(known, "cluster_without_log") and not checks(known, "models_unmatched")


@pytest.mark.long
def test_beside_models_that_match_only_names_that_nothing_tells_apart_are_asked_about(call, put) -> None:
    jobs = job(1, "H100") + job(2, "L40S")
    known = call("audit", *inputs(put, jobs, contract("c", "H100") + contract("d", "H200"))).document
    assert [row["utilization"] for row in known["contracts"]] == [1.0, 0.0]
    jobs = job(1, "H100") + job(2, "gpu-large")
    asked = call("audit", *inputs(put, jobs, contract("c", "H100") + contract("d", "H200"))).document
    assert [row["utilization"] for row in asked["contracts"]] == [1.0, None]
    assert len(checks(asked, "models_unmatched")) == 1


@pytest.mark.long
def test_an_offer_of_another_variant_serves_once_it_is_mapped(call, put) -> None:
    prices = "pcie,H100-PCIe-80GB,STANDARD,0,1.00\nsxm,H100 SXM,STANDARD,0,5.00\n"
    words = inputs(put, job(1, "H100 80GB HBM3", gpus=16), contract("c", "H100 SXM"), prices)
    document = call("plan", *words).document
    (check,) = checks(document, "variant_asked")
    used = {layer["offer_id"] for pool in document["pools"] for layer in pool["layers"]}
    assert "pcie" not in used
    mapped = call("plan", *words, *options_in(check["message"])).document
    assert "pcie" in {layer["offer_id"] for pool in mapped["pools"] for layer in pool["layers"]}
    assert not checks(mapped, "variant_asked")
    unnamed = inputs(put, job(1, "H100", gpus=16), contract("c", "H100"), prices)
    assert "pcie" in {
        layer["offer_id"] for pool in call("plan", *unnamed).document["pools"] for layer in pool["layers"]
    }


@pytest.mark.long
def test_an_offer_of_a_slice_serves_no_whole_gpu_before_it_is_mapped(call, put) -> None:
    prices = "mig,H100 MIG 1g.10gb,STANDARD,0,0.30\nod,H100,STANDARD,0,3.00\n"
    words = inputs(put, job(1, "H100", gpus=16), contract("c", "H100"), prices)
    document = call("plan", *words).document
    assert "mig" not in {layer["offer_id"] for pool in document["pools"] for layer in pool["layers"]}
    (check,) = checks(document, "variant_asked")
    mapping = options_in(check["message"])
    assert mapping == ["--map-model", "H100=H100 MIG 1g.10gb:1/7"]
    mapped = call("plan", *words, *mapping).document
    (layer,) = [one for one in mapped["pools"][0]["layers"] if one["offer_id"] == "mig"]
    assert (layer["gpus"], layer["rate_usd_per_gpu_hour"]) == pytest.approx((8, 2.1))
    unknown = inputs(put, job(1, ""), "", prices)
    del unknown[2:4]
    layers = [one for pool in call("plan", *unknown).document["pools"] for one in pool["layers"]]
    assert {one["offer_id"] for one in layers} == {"od"}
    assert call("plan", *words, "--map-model", "H100=H100 MIG 1g.10gb:1/0").status == 2


@pytest.mark.long
def test_a_contract_of_slices_is_its_sevenths_and_costs_what_it_cost(call, put) -> None:
    rows = contract("c", "A100 40GB MIG 1g.5gb", gpus=56) + contract("d", "A100 40GB MIG 3g.20gb", gpus=1)
    document = call("audit", *inputs(put, job(1, "A100 40GB"), rows)).document
    assert [one["gpus"] for one in document["contracts"]] == pytest.approx([8, 3 / 7], abs=0.001)
    cost = sum(one["paid_usd"] for one in document["clusters"])
    assert cost == pytest.approx(57 * 2.5 * 24)
    (issue,) = [
        one for file in document["intake"]["files"] for one in file["issues"] if one["code"] == "computed"
    ]
    assert issue["count"] == 2 and {"56", "8"} <= {*issue["message"].split()}
    asked = call("audit", *inputs(put, job(1, "A100 40GB"), contract("c", "A100 40GB shared"))).document
    assert asked["contracts"][0]["utilization"] is None
    assert len(checks(asked, "models_unmatched")) == 1


@pytest.mark.long
def test_an_a100_takes_the_size_of_its_clusters_contracts_and_says_so(call, put) -> None:
    document = call("audit", *inputs(put, job(1, "A100"), contract("c", "A100-SXM4-80GB"))).document
    assert document["contracts"][0]["utilization"] == 1.0
    (check,) = checks(document, "gpu_size_taken")
    assert "A100 80GB" in check["message"]


@pytest.mark.long
def test_of_several_contract_models_each_is_offered_and_each_settles_it(call, put) -> None:
    words = inputs(put, job(1, "A100"), contract("c", "A100 40GB") + contract("d", "A100 80GB"))
    (check,) = checks(call("audit", *words).document, "models_unmatched")
    found = options_in(check["message"])
    assert found[:4] == ["--same", "model:A100=A100 40GB", "--same", "model:A100=A100 80GB"]
    for answer, used in ((found[:2], [1.0, 0.0]), (found[2:4], [0.0, 1.0]), (found[4:], [0.0, 0.0])):
        settled = call("audit", *words, *answer).document
        assert not checks(settled, "models_unmatched")
        assert [row["utilization"] for row in settled["contracts"]] == used


@pytest.mark.long
def test_decisions_come_from_a_list_and_are_kept_with_the_project(call, put, tmp_path, monkeypatch) -> None:
    words = inputs(put, job(1, "Foo", "en"), contract("c", "H100"))
    listed = put("same.csv", "kind,theirs,ours\ncluster,en,main\n,Foo,H100\n")
    document = call("audit", *words, "--same", listed).document
    assert document["contracts"][0]["utilization"] == 1.0
    (file,) = [one for one in document["intake"]["files"] if one["kind"] == "same"]
    assert (file["rows_read"], file["rows_accepted"]) == (2, 2)
    saved = str(tmp_path / "p.gpuplan")
    assert call("export", *words, "--same", listed, "--project", saved).status == 0
    assert call("audit", saved).document["contracts"][0]["utilization"] == 1.0


@pytest.mark.parametrize("text", one_in(3, ["a=b=c", "=", "H100=", "model:=x", "who=what", "node:a=b"]))
def test_what_is_no_decision_is_a_usage_error(call, put, text) -> None:
    answer = call("audit", *inputs(put, job(1, "H100"), contract("c", "H100")), "--same", text)
    assert answer.status == 2
    assert answer.err.startswith("gpuplanner: usage: ")


@pytest.mark.long
@pytest.mark.parametrize(
    "text",
    one_in(
        8,
        [
            "bar=H100",
            "Foo=B9000",
            "gpu:Foo=H100",
            "cluster:xx=main",
            "cluster:EN=main",
            "cluster:en=nomain",
            "workload:xx=train",
            "workload:train=yy",
        ],
    ),
)
def test_a_name_that_nobody_has_is_a_usage_error(call, put, tmp_path, text) -> None:
    words = inputs(put, job(1, "Foo", "en"), contract("c", "H100"))
    saved = str(tmp_path / "p.gpuplan")
    assert call("export", *words, "--project", saved).status == 0
    for of in (words, [saved]):
        answer = call("audit", *of, "--same", text)
        assert (answer.status, answer.err.count("\n")) == (2, 1)
        assert answer.err.startswith("gpuplanner: usage: --same")


@pytest.mark.long
def test_names_of_a_project_of_its_decisions_and_of_files_beside_it_are_known(call, put, tmp_path) -> None:
    words = inputs(put, job(1, "Foo"), contract("c", "gpu-x"))
    saved, again = str(tmp_path / "p.gpuplan"), str(tmp_path / "q.gpuplan")
    assert call("export", *words[:2], "--project", saved).status == 0
    said = ["--same", "Foo=gpu-x"]
    assert call("audit", saved, *words[2:], *said).document["contracts"][0]["utilization"] == 1.0
    words = inputs(put, job(1, "Foo", "en"), contract("c", "gpu-x"))
    said += ["--same", "cluster:en=main", "--same", "workload:main/ann/train=train"]
    assert call("export", *words, *said, "--project", again).status == 0
    assert call("audit", again, *said).document["contracts"][0]["utilization"] == 1.0


@pytest.mark.long
def test_a_list_shared_over_months_may_name_what_this_month_lacks_and_nothing_wrong(call, put) -> None:
    words = inputs(put, job(1, "Foo"), contract("c", "H100"))
    shared = put("same.csv", "kind,theirs,ours\nmodel,Foo,H100\ncluster,old,main\nmodel,Bar,H100\n")
    answer = call("audit", *words, "--same", shared)
    assert answer.status == 0
    assert answer.document["contracts"][0]["utilization"] == 1.0
    (file,) = [one for one in answer.document["intake"]["files"] if one["kind"] == "same"]
    assert [(one["code"], one["count"], one["first_row"]) for one in file["issues"]] == [
        ("unknown_value", 2, 3)
    ]
    for row in ("modell,Foo,H100\n", "model,Foo,\n"):
        wrong = call("audit", *words, "--same", put("wrong.csv", "kind,theirs,ours\n" + row))
        assert (wrong.status, wrong.out) == (2, "")
        assert "wrong.csv:2: " in wrong.err
    gone = call("audit", *words, "--same", "gone.csv")
    assert gone.status == 3
    assert gone.err.startswith("gone.csv: file_missing: ")


PRICED = "o,H100,STANDARD,0,5\np,L40S,STANDARD,0,1\n"


@pytest.mark.long
@pytest.mark.parametrize(
    ("jobs", "contracts", "idle"),
    one_in(
        4,
        [
            (job(1, "L40S", "en"), contract("c", "H100"), set()),
            (job(1, "L40S"), contract("c", "H100"), set()),
            (job(1, "H100", gpus=4) + job(2, "Foo"), contract("c", "H100") + contract("d", "B200"), {"H100"}),
        ],
    ),
)
def test_no_plan_says_that_contracts_asked_about_stand_idle(
    call, put, tmp_path, jobs, contracts, idle
) -> None:
    words = inputs(put, jobs, contracts, PRICED)
    document = call("plan", *words).document
    assert checks(document, "models_unmatched")
    assert {row["gpu_model"] for row in document["idle_existing"]} == idle
    totals, month = document["totals"], document["comparison"][0]
    assert {totals[f"{name}_usd_per_month"] for name in ("plan", "unused_plan", "cost_of_separation")} == {
        None
    }
    assert (totals["effective_utilization_plan"], totals["lock_in_months"]) == (None, None)
    assert (month["do_nothing_usd"], month["plan_usd"], month["use_usd"]) == (None, None, None)
    fresh = call("plan", *words, "--greenfield").document
    assert (fresh["idle_existing"], fresh["comparison"][0]["do_nothing_usd"]) == ([], None)
    text = call("plan", *words, text=True).out
    assert text.count("Existing contracts, idle") == len(idle)
    assert "models_unmatched" in text
    book = tmp_path / "plan.xlsx"
    for option in ([], ["--greenfield"]):
        assert call("export", *words, *option, "--out", str(book)).status == 0
        cells = {cell for row in load_workbook(book, data_only=True)["Check list"].values for cell in row}
        assert any(str(cell).startswith("green: ") for cell in cells)


@pytest.mark.long
@pytest.mark.parametrize(
    "said",
    [
        (job(1, "Foo 9000"), contract("c", "H100"), "o,H100,STANDARD,0,5\n"),
        (job(1, "H100"), contract("c", "H100") + contract("x", "H100", "x"), "o,H100,STANDARD,0,5\n"),
    ],
)
def test_the_workbook_shows_what_nobody_knows_as_a_dash_and_agrees_with_the_app(
    call, put, tmp_path, said
) -> None:
    book = tmp_path / "plan.xlsx"
    words = inputs(put, *said)
    assert call("export", *words, "--out", str(book)).status == 0
    sheets = load_workbook(book, data_only=True)
    cells = [cell for row in sheets["Audit"].iter_rows(values_only=True) for cell in row]
    assert "under 40%" not in cells
    checks = sheets["Check list"].iter_rows(values_only=True)
    assert any(str(cell).startswith("green: ") for row in checks for cell in row)


@pytest.mark.long
def test_a_contract_of_a_model_that_the_table_does_not_know_is_asked_about_beside_others_that_match(
    call, put
) -> None:
    words = inputs(put, job(1, "H100 SXM"), contract("c", "H100") + contract("box", "Hopper Box"))
    document = call("audit", *words).document
    known = {row["contract_id"]: row["utilization"] for row in document["contracts"]}
    assert known == {"box": None, "c": 1.0}
    (asked,) = checks(document, "models_unmatched")
    one, own = options_in(asked["message"])[1::2]
    assert (one, own) == ("model:Hopper Box=H100", "model:Hopper Box=Hopper Box")
    after = call("audit", *words, "--same", own).document
    assert {row["contract_id"]: row["utilization"] for row in after["contracts"]} == {"box": 0.0, "c": 1.0}
    assert not checks(after, "models_unmatched")


@pytest.mark.long
def test_contracts_of_a_later_time_that_no_cluster_of_the_log_matches_save_nothing_when_they_end(
    call, put
) -> None:
    """A trace without a calendar: its plan begins today, when contracts of a cluster that no job names run."""
    header = CONTRACTS.strip() + ",pricing_category\n"
    rows = "k1,CW,ours,V100,64,1.75,2029-01-01,2031-01-01,COMMITTED\nk2,CW,ours,V100,16,2.50,2029-01-01,,STANDARD\n"
    words = [
        "--jobs",
        put("jobs.csv", JOBS + job(1, "", "")),
        "--contracts",
        put("contracts.csv", header + rows),
    ]
    words += ["--prices", put("prices.csv", PRICES + "o,V100,STANDARD,0,5\n"), "--plan-from", "2030-01-01"]
    document = call("plan", *words).document
    (check,) = checks(document, "models_unmatched")
    assert check["subject"] == "ours"
    totals = document["totals"]
    for name in ("do_nothing", "plan", "savings", "savings_vs_do_nothing"):
        assert totals[f"{name}_usd_per_month"] is None
    assert [one["verdict"] for one in document["contract_verdicts"]] == [None, None]
    assert [one["unused_usd_per_month"] for one in document["contracts"]] == [None, None]
    assert totals["current_usd_per_month"] is not None  # of the log's own time, in which none of them ran

    apart = call("plan", *words, "--same", "cluster:ours=ours").document["totals"]
    saved = apart["savings_vs_do_nothing_usd_per_month"]
    assert saved == pytest.approx(16 * 2.5 * 730)  # somebody said that nothing runs there
    one = call("plan", *words, "--cluster", "ours").document["totals"]
    assert one["plan_usd_per_month"] is not None


@pytest.mark.long
def test_a_contract_that_did_not_run_in_the_window_leaves_nobody_knows_what_unused(call, put) -> None:
    """In the text, as its utilization; the document has the 0 GPU-hours that it was paid for."""
    ended = "old,CW,main,H100,8,2.50,2024-06-01,2025-03-01\n"
    words = inputs(put, job(1, "H100"), contract("c", "H100") + ended)
    rows = {one["contract_id"]: one for one in call("audit", *words).document["contracts"]}
    assert rows["old"]["unused_usd_per_month"] == 0 and rows["old"]["utilization"] is None
    line, _ = re.findall(
        r"^  old .*$", call("audit", *words, text=True).out, re.M
    )  # the other is of its energy
    assert line.split()[-3:] == ["—", "—", "—"]
