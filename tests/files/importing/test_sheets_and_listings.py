"""Sheets of procurement and listings of schedulers whose figures went wrong, or that were refused for no reason."""

from pathlib import Path

import pytest

from gpuplanner.domain.model.window import instant_s
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.import_jobs import import_jobs
from gpuplanner.files.importing.import_tables import are_contracted, import_contracts, import_prices
from gpuplanner.files.importing.known_listings import known_listing
from gpuplanner.files.values.lookback_period import WindowRequest


def _written(folder: Path, text: str) -> str:
    path = folder / "given.csv"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_commitment_beside_a_way_to_pay_is_none_on_demand(tmp_path: Path) -> None:
    text = "vendor,instance,gpus,hourly node price,commitment\n" + "".join(
        f"aws,p5.48xlarge,8,{price},{paid}\n"
        for price, paid in ((98.32, "on-demand"), (55.04, "1 yr no upfront"), (43.2, "3 yr all upfront"))
    )
    offers = import_prices([_written(tmp_path, text)]).offers
    assert {(one.gpu_model, str(one.pricing_category), one.term_months, one.rate) for one in offers} == {
        ("H100", "STANDARD", 0, 12.29),
        ("H100", "COMMITTED", 12, 6.88),
        ("H100", "COMMITTED", 36, 5.4),
    }


@pytest.mark.parametrize("words", ["ohne Bindung", "sans engagement", "none", "on demand"])
def test_a_term_that_says_there_is_none_is_on_demand(tmp_path: Path, words: str) -> None:
    text = f"Anbieter;GPU;Preis je Stunde;Laufzeit\nAda;H100;2,79;{words}\nAda;H100;2,10;12 Monate\n"
    offers = import_prices([_written(tmp_path, text)]).offers
    assert {one.term_months: str(one.rate) for one in offers} == {0: "2.79", 12: "2.1"}


def test_instances_alone_name_the_gpus(tmp_path: Path) -> None:
    text = "provider,instance type,price per hour\naws,p4d.24xlarge,32.77\naws,m7i.large,0.10\n"
    read = import_prices([_written(tmp_path, text.replace("m7i.large,0.10\n", "p5.48xlarge,98.32\n"))])
    assert [(one.gpu_model, one.rate) for one in read.offers] == [("A100 40GB", 4.09625), ("H100", 12.29)]
    (refused,) = check_file(_written(tmp_path, text.replace("p4d.24xlarge", "m7i.xlarge")))
    assert refused.kind == "unknown"


def test_a_register_says_by_what_it_renews_and_when_it_goes_live(tmp_path: Path) -> None:
    text = (
        "PO,vendor,GPU,qty,$/GPU/hr,go-live,term,Renewal term,Notice\n"
        "7,Ada,H100,8,2.1,2026-01-15,36 mo,1 year,ninety (90) days\n"
    )
    (contract,) = import_contracts([_written(tmp_path, text)]).contracts
    assert (contract.term_months, contract.renews_months, contract.notice_days) == (36, 12, 90)


def test_contracts_in_another_currency_are_summed_in_it(tmp_path: Path) -> None:
    from gpuplanner.files.importing.read_facts import line_of

    text = "contract_id,gpu_model,gpus,Preis pro GPU-Stunde (EUR),start\na,H100,10,2,2026-01-01\n"
    (file,) = check_file(_written(tmp_path, text))
    line = str(line_of(file.kind, file.facts))
    assert all(part in line for part in ("1 contract", "10 GPUs", "14,600 EUR"))
    assert dict(file.facts)["usd_per_month"] is None


SINFO = (
    "CLUSTER: a\nPARTITION NODES NODELIST GRES\nx 2 g[1-2] gpu:h100:8\n\n"
    "CLUSTER: b\nPARTITION NODES NODELIST GRES\ny 1 g1 gpu:a100:4\n"
)


@pytest.mark.parametrize(
    ("text", "held"),
    [
        (SINFO, {("a", "h100", 16.0), ("b", "a100", 4.0)}),
        ("gpu01 gpu:h100:8\ngpu02 gpu:h100:4(S:0-1)\n", {("", "h100", 12.0)}),
        (
            "NAME    STATUS   INSTANCE-TYPE   GPU\nn1   Ready    p5.48xlarge   8\nn2   Ready   m6i.large    <none>\n",
            {("", "H100", 8.0)},
        ),
    ],
)
def test_what_nodes_hold(tmp_path: Path, text: str, held: set[tuple[str, str, float]]) -> None:
    read = import_contracts([_written(tmp_path, text)])
    assert {(one.cluster, one.gpu_model, one.gpus) for one in read.contracts} == held


def test_a_name_with_a_blank_in_squeue_is_a_name(tmp_path: Path) -> None:
    text = (
        "JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON) START_TIME TRES_PER_NODE\n"
        "1 h100 train big ada R 2:00:00 2 g[1-2] 2026-10-01T08:00:00 gres:gpu:8\n"
        "2 h100 more bob PD 0:00 2 (Nodes are DOWN) N/A gres:gpu:8\n"
    )
    (file,) = check_file(_written(tmp_path, text))
    facts = dict(file.facts)
    assert (file.rows_accepted, file.rows_ignored, facts["gpu_hours"]) == (1, 1, 32.0)


def test_sinfo_without_gres_is_told_what_to_ask_for() -> None:
    for head in (
        "",
        "PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\n",
        "CLUSTER: a\nPARTITION AVAIL TIMELIMIT NODES\n",
    ):
        said = known_listing(head + "x* up infinite 4 idle g[1-4]\ny up 1-00:00:00 2 mix g[5-6]\n")
        assert said is not None and "%G" in str(said)
    assert known_listing("job up 3 x\n") is None


@pytest.mark.long
def test_hours_behind_the_last_finished_job_are_left_out_and_said(tmp_path: Path) -> None:
    log = (
        "JobID|State|Start|End|ElapsedRaw|AllocTRES\n"
        "1|COMPLETED|2026-10-01T00:00:00|2026-10-01T10:00:00|36000|gres/gpu:h100=8\n"
        "2|RUNNING|2026-10-01T05:00:00|Unknown|36000|gres/gpu:h100=8\n"
    )
    path = _written(tmp_path, log)
    read = import_jobs([path])
    (said,) = (issue for issue in read.intake[0].issues if issue.code == "runs_on")
    assert (said.count, said.first_row, "40 GPU-h until 1 Oct 2026" in str(said.message)) == (1, 3, True)
    assert read.jobs.gpu_hours == 120
    for request in (WindowRequest(whole_log=True), WindowRequest(end_s=instant_s("2026-10-01T12:00:00Z"))):
        issues = import_jobs([path], window_request=request).intake[0].issues
        assert "runs_on" not in {issue.code for issue in issues}


@pytest.mark.long
def test_what_the_last_90_days_leave_out_is_said(tmp_path: Path) -> None:
    """The second job reaches into the window for 6 of its 10 hours."""
    log = (
        "JobID|State|Start|End|AllocTRES\n"
        "1|COMPLETED|2026-01-01T00:30:00|2026-01-01T10:30:00|gres/gpu:h100=8\n"
        "2|COMPLETED|2026-06-01T00:00:00|2026-06-01T10:00:00|gres/gpu:h100=8\n"
        "3|COMPLETED|2026-08-30T00:00:00|2026-08-30T04:00:00|gres/gpu:h100=8\n"
    )
    path = _written(tmp_path, log)
    (said,) = (issue for issue in import_jobs([path]).intake[0].issues if issue.code == "before_window")
    assert (said.count, said.first_row, "112 GPU-h from 1 Jan 2026 on" in str(said.message)) == (2, 2, True)
    for request in (
        WindowRequest(whole_log=True),
        WindowRequest(days=10),
        WindowRequest(start_s=instant_s("2026-05-01T00:00:00Z")),
    ):
        issues = import_jobs([path], window_request=request).intake[0].issues
        assert "before_window" not in {issue.code for issue in issues}


@pytest.mark.long
@pytest.mark.parametrize("is_list", [True, False])
def test_a_log_that_lists_what_ended_since_a_day_says_where_its_window_begins(
    tmp_path: Path, is_list: bool
) -> None:
    """30 jobs a day, and one that began 40 days before: as `sacct -S` lists them; else all that ran before, too."""
    days = [f"2026-09-{day:02}" for day in range(1, 21)]
    months = () if is_list else (("07", 23, 32), ("08", 1, 32))
    days += [f"2026-{month}-{day:02}" for month, first, end in months for day in range(first, end)]
    rows = [
        f"{day}-{at}|COMPLETED|{day}T{at:02}:05:00|{day}T{at:02}:55:00|gres/gpu:h100=1\n"
        for day in days
        for at in range(24)
    ]
    old = "0|COMPLETED|2026-07-23T00:00:00|2026-09-05T00:00:00|gres/gpu:h100=8\n"
    path = _written(tmp_path, "JobID|State|Start|End|AllocTRES\n" + old + "".join(rows))
    issues = import_jobs([path]).intake[0].issues
    said = [str(issue.message) for issue in issues if issue.code == "listed_since"]
    assert len(said) == is_list
    assert all("none before 1 Sep 2026" in text and "--start" in text for text in said)
    since = WindowRequest(start_s=instant_s("2026-09-01T00:00:00Z"))
    assert "listed_since" not in {
        one.code for one in import_jobs([path], window_request=since).intake[0].issues
    }


def test_two_jobs_are_no_list_of_what_ended_since_a_day(tmp_path: Path) -> None:
    """The first runs for two months, and the second begins as it ends: of two there is no rate."""
    rows = "1|COMPLETED|2026-01-01T00:00:00|2026-03-01T00:00:00|gres/gpu:h100=8\n"
    rows += "2|COMPLETED|2026-03-01T01:00:00|2026-03-01T09:00:00|gres/gpu:h100=8\n"
    path = _written(tmp_path, f"JobID|State|Start|End|AllocTRES\n{rows}")
    assert "listed_since" not in {issue.code for issue in import_jobs([path]).intake[0].issues}


def test_nodes_beside_contracts_of_the_same_gpus_are_told(tmp_path: Path) -> None:
    nodes, register = tmp_path / "nodes.txt", tmp_path / "register.csv"
    nodes.write_text("NODELIST GRES\ng[1-2] gpu:h100:8\ng3 gpu:a100:4\n")
    register.write_text("contract_id,gpu_model,gpus,start\na,H100 SXM,24,2026-01-01\n")
    of_nodes, of_register = import_contracts([str(nodes), str(register)]).intake
    (said,) = (issue for issue in of_nodes.issues if issue.code == "counted_twice")
    assert "16 H100" in str(said.message) and " 24 " in str(said.message)
    assert "counted_twice" not in {issue.code for issue in of_register.issues}
    assert "counted_twice" not in {issue.code for issue in import_contracts([str(nodes)]).intake[0].issues}
    # of other models only: both count, which is said unless the clusters are two
    nodes.write_text("NODELIST GRES CLUSTER\ng[1-2] gpu:v100:8 alpha\n")
    for cluster, is_told in (("alpha", True), ("", True), ("beta", False)):
        register.write_text(f"contract_id,cluster,gpu_model,gpus,start\na,{cluster},H100 SXM,24,2026-01-01\n")
        found = import_contracts([str(nodes), str(register)]).intake[0].issues
        words = [str(issue.message) for issue in found if issue.code == "counted_twice"]
        assert ["16 GPUs" in one and " 24 " in one for one in words] == [True] * is_told


@pytest.mark.parametrize(
    ("listed", "held", "is_same"),
    [
        (("h100:8", "a100:8"), ("H100 SXM,16", "A100 80GB,16"), True),  # a size that the list does not say
        (("a100_80gb:8",), ("A100,16",), True),
        (("h100:8",), ("H100 SXM,8",), True),  # fewer than the list, of the same model
        (("a100_40gb:8",), ("A100 80GB,16",), False),
        (("h100:8", "v100:8"), ("H100 SXM,16",), False),
    ],
)
def test_nodes_are_those_of_contracts_that_have_each_of_their_models(
    tmp_path: Path, listed: tuple[str, ...], held: tuple[str, ...], is_same: bool
) -> None:
    nodes, register = tmp_path / "nodes.txt", tmp_path / "register.csv"
    rows = "".join(f"n{at}[1-2] gpu:{gpus} train,batch\n" for at, gpus in enumerate(listed))
    nodes.write_text(f"NODELIST GRES PARTITION\n{rows}")
    terms = "".join(f"c{at},{one},2026-01-01\n" for at, one in enumerate(held))
    register.write_text(f"contract_id,gpu_model,gpus,start\n{terms}")
    read = import_contracts([str(nodes), str(register)])
    assert are_contracted(str(nodes), read.contracts, 1_790_000_000) is is_same
    told = next((str(one.message) for one in read.intake[0].issues if one.code == "counted_twice"), "")
    assert ("16 A100" in told and " 16 in " in told) is (is_same and any("a100" in one for one in listed))


def test_ids_of_a_log_without_a_header_are_no_gpus(tmp_path: Path) -> None:
    log = "".join(
        f"100{at}|{8 // at}|ada|2026-10-0{at}T00:00:00|2026-10-0{at}T10:00:00\n" for at in (1, 2, 4)
    )
    (file,) = check_file(_written(tmp_path, log))
    assert "gpus=column 2" in str(file.issues[0].message)


def test_a_way_to_pay_is_offered_for_words_of_one_alone(tmp_path: Path) -> None:
    text = "provider,gpu,price,host\na,H100,2.1,alpha\na,H100,2.3,beta\n"
    (file,) = check_file(_written(tmp_path, text))
    said = str(file.issues[0].message)
    assert "--map variant=host" in said and "pricing_category" not in said
