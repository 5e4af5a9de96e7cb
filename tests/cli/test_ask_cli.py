"""What is asked in words: its numbers are those of the plan's own document, under the options that say the same."""

import json
import shlex
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from gpuplanner.cli.arguments import build_parser
from gpuplanner.cli.commands import RUN_BY_NAME
from gpuplanner.cli.project_words import with_words
from gpuplanner.domain.ask import answers
from gpuplanner.domain.ask.changes import Change, asked_of, meant_by
from gpuplanner.domain.ask.reading import NotUnderstoodError
from gpuplanner.domain.evaluation import evaluate_audit
from gpuplanner.domain.model.project import Project
from gpuplanner.files.demo.demo_project import PLANS
from gpuplanner.files.project.project_file import open_project, save_project
from gpuplanner.files.system.resources import gpu_families, read_question_forms, read_tables
from tests.meeting.paths import value_at
from tests.some_of import one_in, stride

EVERY_CHANGE = [
    "inference x2 by March and no spot",
    "when must I give notice?",
    "cash in the next quarter",
    "what did failed jobs cost",
]
EXAMPLES = [one.example for one in read_question_forms() if one.example]
OTHERS = [
    "what does vllm-chat-prod cost",
    "64 H100 for good from 1 Feb for inference",
    "Azure stops on 1 Jan",
    "double inference by June",
    "under 50 kW; under $300k a month",
    "what happens if atlas-core renews",
    "cash in Q1 2027",
]
UNKNOWN_YET = ["wait", "size"]  # no rows of a log stand beside this file


@pytest.fixture(scope="module")
def plan_file(demo_path: Path) -> str:
    return str(demo_path)


@pytest.fixture(scope="module")
def plan(plan_file: str) -> Any:
    """The document of the plan as it is."""
    answer = RUN_BY_NAME["plan"](build_parser().parse_args(["plan", plan_file, "--json"]), 0)
    return json.loads(json.dumps(answer.document, default=str))


@pytest.mark.long
@pytest.mark.parametrize(
    "asked", [*EVERY_CHANGE, "what if atlas-core renews?", *one_in(24, [*EXAMPLES, *OTHERS])]
)
def test_every_number_stands_where_its_path_says(call, plan: Any, plan_file: str, asked: str) -> None:
    """In the document of the plan, called with the options that say the same."""
    found = call("ask", asked, plan_file)
    document, said = found.document, found.document["as"]
    assert found.status == 0 and document["understood"] and document["nearest"] == []
    assert (
        (document["form"] not in ("came", "own", "limits", "meaning", "valid", "history"))
        <= len(document["numbers"])
        <= 3
    )
    assert (said is None) == (document["form"] == "node")
    command, *options = [said] if said in RUN_BY_NAME else ["plan", *shlex.split(said or "")]
    of = plan if said in ("plan", None) else call(command, plan_file, *options).document
    for number in document["numbers"]:
        assert (number["value"] is None) == (number["name"] in UNKNOWN_YET)
        if number["path"] is not None:
            value, there = number["value"], value_at(of, number["path"])
            assert value == there or value == pytest.approx(there, abs=1e-6), number


def test_a_sentence_says_the_last_day_and_its_number_the_moment_after(
    call, plan: Any, plan_file: str
) -> None:
    found = call("ask", "when is the notice for atlas-core?", plan_file).document
    (by,) = (one["order_by"] for one in plan["contract_verdicts"] if one["contract_id"] == "atlas-core")
    assert by == "2026-12-03T00:00:00Z" and by in [one["value"] for one in found["numbers"]]
    assert "2 Dec 2026" in found["sentence"]


def test_notice_is_the_last_day_for_it_and_a_renewal_binds_its_term(call, plan: Any, plan_file: str) -> None:
    found = call("ask", "when must I give notice?", plan_file).document
    named = ("borealis-reserved", "30 Nov 2026", "atlas-core", "2 Dec 2026", "atlas-surge", "9 Dec 2026")
    at = [found["sentence"].index(value) for value in named]
    assert at == sorted(at) and "3 Dec" not in found["sentence"]
    *_, usd = call("ask", "what if atlas-core renews?", plan_file).document["numbers"]
    assert usd["value"] == pytest.approx(64 * 2.75 * 12 * 730)
    none = call("ask", "when must I give notice to Azure?", plan_file).document
    assert none["numbers"] == [] and none["sentence"] == str(answers.MISSING_SENTENCES["notice"])


def test_rows_that_are_left_out_are_counted_and_a_quarter_stands_alone(
    call, plan: Any, plan_file: str
) -> None:
    rows = {row["quarter"]: row["usd"] for row in plan["cash"]}
    found = call("ask", "cash by quarter", plan_file).document
    assert len(rows) > 3 and found["sentence"].endswith("; and more.")
    for text, quarter in (
        ("Q1 2027", "2027 Q1"),
        ("this quarter", "2026 Q4"),
        ("the next quarter", "2027 Q1"),
    ):
        (one,) = call("ask", f"cash in {text}", plan_file).document["numbers"]
        assert one["value"] == pytest.approx(rows[quarter]) and one["path"].startswith("cash[")


def test_a_way_is_held_against_80_ms_as_it_is_compared_and_is_of_all_users(call, plan_file: str) -> None:
    today = call("place", plan_file).document["current"]
    found = call("ask", "is it within 80 ms?", plan_file).document
    (way,) = found["numbers"]
    assert (way["value"] > 80) == today["over_80_ms"] and way["path"] == "current.mean_one_way_ms"
    assert found["sentence"].startswith("No: " if today["over_80_ms"] else "Yes: ")
    text = "our users in Europe want 80 ms: where should chat run"
    both, *_ = call("ask", text, plan_file).document["numbers"]
    assert both["value"] == today["round_trip_ms"]
    assert "80%" in call("ask", text, plan_file).document["sentence"]


CHANGES = [
    "no spot",
    "everything grows 10% a month",
    "inference grows 5% a month",
    "training doubles by March",
    "team chat grows by half",
    "H100 prices fall 20% by May",
    "64 H100 for good",
    "32 H200 for 3 months from 1 Feb for inference",
    "stop team chat on 1 Jan",
    "Azure stops on 1 Jan",
    "aurora-large-pretrain comes back on 1 Dec",
    "move agent-xl-vllm to burst",
    "move inference to burst",
    "only Azure for inference",
    "no Azure for team chat",
    "cap Azure at 40%",
    "H200 instead of H100 at 1.6",
    "use H200 instead of H100 at 1.5 for training",
]
"""Of each kind, and of scopes that meet."""


@pytest.mark.long
def test_what_is_joined_is_the_same_in_any_order_and_as_its_options_or_nothing(demo_path: Path) -> None:
    """Law of every pair: else the answer would be of one order, and a call that says the same of another."""
    tables, forms = read_tables(), read_question_forms()
    evaluation = evaluate_audit(open_project(demo_path), PLANS[0], tables)
    asked, are_joined = asked_of(evaluation, gpu_families(), tables.node_gpus), 0

    def stands(project: Project) -> tuple[object, ...]:
        plan = project.scenario(PLANS[0])
        bare = replace(plan, changes=(), price_changes=(), assumptions={})
        steps = ({*plan.changes}, {*plan.price_changes})
        return bare, steps, project.assumptions_in(plan), project.mappings

    def answered(parts: Sequence[str]) -> tuple[object, ...] | None:
        try:
            meant = meant_by(" and ".join(parts), forms, asked)
        except NotUnderstoodError:
            return None
        assert isinstance(meant, Change)
        words = build_parser().parse_args(["plan", "-", "--scenario", PLANS[0], *meant.as_words])
        there = stands(meant.edit(asked.project))
        assert there == stands(with_words(asked.project, words)), parts
        return there

    for pair in list(combinations(CHANGES, 2))[:: stride(4)]:
        there = answered(pair)
        assert there == answered(pair[::-1]), pair
        are_joined += there is not None
    assert are_joined > len(CHANGES)


@pytest.mark.long
def test_what_a_line_of_two_limits_does_not_keep_is_in_its_answer(call, plan_file: str) -> None:
    found = call("ask", "under 50 kW and under $300k a month", plan_file).document
    assert found["form"] == "power and budget" and len(found["numbers"]) == 3
    over = [one["value"] for one in found["numbers"][1:]]
    assert len(over) == 2 and min(over) > 0


def test_what_came_is_in_no_project(call, plan_file: str) -> None:
    found = call("ask", "plan against what came", plan_file).document
    assert found["numbers"] == [] and found["sentence"] == str(answers.MISSING_SENTENCES["came"])


def test_what_is_not_understood_is_status_2_with_three_questions(call, plan_file: str) -> None:
    found = call("ask", "enter a rate", plan_file)
    assert found.status == 2
    assert (found.document["understood"], found.document["form"], found.document["numbers"]) == (
        False,
        None,
        [],
    )
    assert len(found.document["nearest"]) == 3
    said = call("ask", "enter a rate", plan_file, text=True)
    assert said.status == 2 and ". Try:\n" in said.out


@pytest.mark.long
def test_planned_work_that_a_budget_leaves_unserved_says_so(call, plan_file: str, tmp_path: Path) -> None:
    limited = tmp_path / "limited.gpuplan"
    words = build_parser().parse_args(["plan", plan_file, "--set", "budget_usd_per_month=500000"])
    save_project(with_words(open_project(Path(plan_file)), words), limited)
    found = call("ask", "512 H100 for 30 days from 1 Feb", str(limited)).document
    assert (found["numbers"][-1]["name"], found["form"]) == ("unserved_gpu_hours", "planned")
    unserved = found["numbers"][-1]["value"]
    assert unserved > 0 and f"{unserved:,.0f}" in found["sentence"]


@pytest.mark.long
def test_work_and_a_node_are_planned(call, plan_file: str) -> None:
    work = call("ask", "512 H100 for 30 days from 1 Feb", plan_file).document
    by, usd, wait = work["numbers"]
    assert (by["unit"], usd["unit"], wait["value"]) == ("date", "usd", None)
    assert usd["value"] > 1_000_000 and by["value"] < "2027-02-01"
    node = call("ask", "one more H100 node", plan_file).document
    assert node["numbers"][0]["value"] == pytest.approx(
        8 * 730 * 2.5
    )  # all 24 GPUs at 2.25 are ordered already
    assert node["sentence"].startswith("vela-h100-24m at")


@pytest.mark.long
def test_planned_work_is_kept_beside_other(call, plan_file: str) -> None:
    """Each has a name of its own, and an answer that has no place in a document has no path."""
    for text in ("512 H100 for 30 days from 1 Feb", "64 A100 for 2 weeks from 1 May for inference"):
        assert call("ask", text, plan_file).status == 0
    found = call("ask", "under 300 kW", plan_file).document
    assert found["numbers"][0]["path"] == "energy.peak_kw" and "kW" in found["sentence"]
    back = call("ask", "vllm-chat-eu comes back on 1 Feb", plan_file)
    assert back.status == 2 and "without an end" in back.document["sentence"]


def test_up_front_pays_from_what_money_is_worth_until_it_is_due(call, plan: Any, plan_file: str) -> None:
    paid, discount = call("ask", "12 months up front", plan_file).document["numbers"]
    assert discount["value"] == pytest.approx(1 - sum(1.1 ** (-month / 12) for month in range(12)) / 12)
    orders = [one for one in plan["orders"] if one["term_months"] == 12]
    certain = [one for one in orders if one["reason"] != "if_it_lasts"]
    whole = sum(one["offer_gpus"] * one["rate_usd_per_gpu_hour"] * 12 * 730 for one in certain)
    assert paid["value"] == pytest.approx(whole)


@pytest.mark.long
def test_spend_by_cluster_and_model_counts_what_is_paid_by_use(call, put, tmp_path: Path) -> None:
    """What no contract serves is no $0: 48 H100 and 10 L40S for 730 h by use, then 24 of the 48 of a contract."""
    jobs = put("jobs.csv", "job_id,cluster,gpu_model,gpus,start,end\n" + "".join(
        f"{at},{cluster},{model},{gpus},2026-09-01T00:00:00Z,2026-10-01T10:00:00Z\n"
        for at, cluster, model, gpus in ((1, "alpha", "H100", 48), (2, "beta", "L40S", 10))
    ))  # fmt: skip
    prices = (
        "offer_id,gpu_model,pricing_category,rate_usd_per_gpu_hour\nh,H100,STANDARD,3\nl,L40S,STANDARD,1\n"
    )
    files, plan = ["--jobs", jobs, "--prices", put("prices.csv", prices)], str(tmp_path / "p.gpuplan")
    header = "contract_id,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end\n"
    contract = put("contracts.csv", header + "k,alpha,H100,24,2,2026-01-01,2027-01-01\n")

    def usd(question: str) -> list[float]:
        found = call("ask", question, plan).document
        assert "of contracts" not in found["sentence"] and "$0" not in found["sentence"]
        return [one["value"] for one in found["numbers"]]

    assert call("export", *files, "--project", plan).status == 0
    assert usd("spend by cluster") == pytest.approx([48 * 3 * 730, 7_300]) == usd("spend by GPU model")
    assert call("export", *files, "--contracts", contract, "--project", plan).status == 0
    assert usd("spend by cluster") == pytest.approx([24 * 5 * 730, 7_300]) == usd("spend by GPU model")
