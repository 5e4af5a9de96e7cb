"""What is asked in words: its numbers are those of the plan's own document, under the options that say the same."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from gpuplanner.cli.arguments import build_parser
from gpuplanner.cli.commands import RUN_BY_NAME
from gpuplanner.files.system.resources import read_question_forms
from tests.meeting.paths import value_at
from tests.some_of import one_in

EXAMPLES = [one.example for one in read_question_forms() if one.example]
OTHERS = [
    "what does vllm-chat-prod cost",
    "64 H100 for good from 1 Feb for inference",
    "AWS stops on 1 Jan",
    "double inference by June",
    "inference x2 by March and no spot",
    "under 50 kW; under $300k a month",
    "what happens if atlas-core renews",
    "cash in Q1 2027",
]
UNKNOWN_YET = ["wait"]


@pytest.fixture(scope="module")
def plan_file(demo_path: Path) -> str:
    return str(demo_path)


@pytest.fixture(scope="module")
def plan(plan_file: str) -> Any:
    """The document of the plan as it is."""
    answer = RUN_BY_NAME["plan"](build_parser().parse_args(["plan", plan_file, "--json"]), 0)
    return json.loads(json.dumps(answer.document, default=str))


@pytest.mark.parametrize("asked", one_in(24, [*EXAMPLES, *OTHERS]))
def test_every_number_stands_where_its_path_says(call, plan: Any, plan_file: str, asked: str) -> None:
    """In the document of the plan, called with the options that say the same."""
    found = call("ask", asked, plan_file)
    document, said = found.document, found.document["as"]
    assert found.status == 0 and document["understood"] and document["nearest"] == []
    assert (document["form"] != "came") <= len(document["numbers"]) <= 3
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
    found = call("ask", "should we renew atlas-core?", plan_file).document
    (by,) = (one["order_by"] for one in plan["contract_verdicts"] if one["contract_id"] == "atlas-core")
    assert by == "2026-12-03T00:00:00Z" and by in [one["value"] for one in found["numbers"]]
    assert "; Decide by 2 Dec 2026; It ends " in found["sentence"]


def test_notice_is_the_last_day_for_it_and_a_renewal_binds_its_term(call, plan: Any, plan_file: str) -> None:
    found = call("ask", "when must I give notice?", plan_file).document
    assert found["sentence"] == (
        "borealis-reserved: notice by 30 Nov 2026; atlas-core: notice by 2 Dec 2026; "
        "atlas-surge: notice by 9 Dec 2026; and 2 more."
    )
    *_, usd = call("ask", "what if atlas-core renews?", plan_file).document["numbers"]
    assert usd["value"] == pytest.approx(64 * 2.75 * 12 * 730)
    aws = call("ask", "when must I give notice to AWS?", plan_file).document
    assert aws["numbers"] == [] and aws["sentence"].startswith("No notice is to be given")


def test_rows_that_are_left_out_are_counted_and_a_quarter_stands_alone(
    call, plan: Any, plan_file: str
) -> None:
    rows = {row["quarter"]: row["usd"] for row in plan["cash"]}
    found = call("ask", "cash by quarter", plan_file).document
    assert found["sentence"].endswith(f"; and {len(rows) - 3} more.")
    (one,) = call("ask", "cash in Q1 2027", plan_file).document["numbers"]
    assert one["value"] == pytest.approx(rows["2027 Q1"])


def test_what_a_line_of_two_limits_does_not_keep_is_in_its_answer(call, plan_file: str) -> None:
    found = call("ask", "under 50 kW and under $300k a month", plan_file).document
    assert found["form"] == "power and budget" and found["sentence"].count("It is not kept: ") == 2


def test_what_came_is_in_no_project(call, plan_file: str) -> None:
    found = call("ask", "plan against what came", plan_file).document
    assert found["numbers"] == [] and "What came is not in the project" in found["sentence"]


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
    assert said.status == 2 and said.out.startswith("Not understood")


def test_work_and_a_node_are_planned(call, plan_file: str) -> None:
    work = call("ask", "512 H100 for 30 days from 1 Feb", plan_file).document
    by, usd, wait = work["numbers"]
    assert (by["unit"], usd["unit"], wait["value"]) == ("date", "usd", None)
    assert usd["value"] > 1_000_000 and by["value"] < "2027-02-01"
    node = call("ask", "one more H100 node", plan_file).document
    assert node["numbers"][0]["value"] == pytest.approx(
        8 * 730 * 2.5
    )  # all 24 GPUs at 2.25 are ordered already
    assert "8 H100 of" in node["sentence"]


@pytest.mark.long
def test_planned_work_is_kept_beside_other(call, plan_file: str) -> None:
    """Each has a name of its own, and an answer that has no place in a document has no path."""
    for text in ("512 H100 for 30 days from 1 Feb", "64 A100 for 2 weeks from 1 May for inference"):
        assert call("ask", text, plan_file).status == 0
    found = call("ask", "under 300 kW", plan_file).document
    assert "checked and not kept" in found["sentence"] or "below the limit" in found["sentence"]
    back = call("ask", "vllm-chat-eu comes back on 1 Feb", plan_file)
    assert back.status == 2 and "ends nowhere" in back.document["sentence"]


def test_up_front_pays_from_what_money_is_worth_until_it_is_due(call, plan: Any, plan_file: str) -> None:
    paid, discount = call("ask", "12 months up front", plan_file).document["numbers"]
    assert discount["value"] == pytest.approx(1 - sum(1.1 ** (-month / 12) for month in range(12)) / 12)
    orders = [one for one in plan["orders"] if one["term_months"] == 12]
    certain = [one for one in orders if one["reason"] != "if_it_lasts"]
    whole = sum(one["offer_gpus"] * one["rate_usd_per_gpu_hour"] * 12 * 730 for one in certain)
    assert paid["value"] == pytest.approx(whole)
