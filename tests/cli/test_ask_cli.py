"""What is asked in words: its numbers are those of the plan's own document, under the options that say the same."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from gpuplanner.cli.arguments import build_parser
from gpuplanner.cli.commands import RUN_BY_NAME
from gpuplanner.files.demo import GOLDEN_DAY, ending, make_demo
from gpuplanner.files.project.project_file import save_project
from tests.meeting.paths import value_at
from tests.some_of import one_in

QUESTIONS = """
what do we spend a month now
what if we do nothing
what does the plan cost
what does the plan save
what do we waste
what is stranded
what do we owe if everything stops
cash by quarter
how sure is this
which workloads cost most per useful GPU-hour
idle nights by team
how much CO2 is that
CO2 by team
how much energy does the plan take
worst month
what must be signed by when
which team spends most
how locked in are we
what does separating the pools cost
how well are the GPUs used
what do we pay against list
why did the bill rise
which contracts are under 40% used
what happens when atlas-surge ends
what does team chat cost
what does vllm-chat-prod cost
""".strip().splitlines()
CHANGES = """
inference x2 by March
team chat grows by half
H100 prices fall 20% by May
under $400k a month
at most 60% with one provider
nothing over 12 months
no spot
stop team chat on 1 Jan
aurora-large-pretrain comes back on 1 Dec
AWS stops on 1 Jan
anybody but AWS
only AWS for team chat
move agent-xl-vllm to burst
H200 instead of H100 at 1.6
everything grows 10% a month
prices fall 2% a month
churn is 5% a month
order 3 months later
under 300 kW
""".strip().splitlines()


@pytest.fixture(scope="module")
def plan_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder: Path = tmp_path_factory.mktemp("asked")
    save_project(make_demo(folder / "inputs", ending(GOLDEN_DAY)), folder / "demo.gpuplan")
    return str(folder / "demo.gpuplan")


@pytest.fixture(scope="module")
def plan(plan_file: str) -> Any:
    """The document of the plan as it is."""
    answer = RUN_BY_NAME["plan"](build_parser().parse_args(["plan", plan_file, "--json"]), 0)
    return json.loads(json.dumps(answer.document, default=str))


@pytest.mark.parametrize("question", one_in(4, QUESTIONS))
def test_questions_have_the_numbers_of_the_plan(call, plan: Any, plan_file: str, question: str) -> None:
    found = call("ask", question, plan_file)
    assert found.status == 0
    document = found.document
    assert document["understood"] and document["as"] == "plan" and document["nearest"] == []
    assert 1 <= len(document["numbers"]) <= 3
    for number in document["numbers"]:
        assert number["value"] is not None
        if number["path"] is not None:
            assert value_at(plan, number["path"]) == number["value"], number


@pytest.mark.parametrize("change", one_in(5, CHANGES))
def test_changes_have_the_numbers_of_the_plan_with_the_options_that_say_the_same(
    call, plan_file: str, change: str
) -> None:
    document = call("ask", change, plan_file).document
    assert document["understood"], change
    plan = call("plan", plan_file, *shlex.split(document["as"])).document
    for number in document["numbers"]:
        assert value_at(plan, number["path"]) == pytest.approx(number["value"], abs=1e-6), number
        assert number["value"] is not None


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
    assert work["as"] is None
    node = call("ask", "one more H100 node", plan_file).document
    assert node["numbers"][0]["value"] == pytest.approx(
        8 * 730 * 2.5
    )  # all 24 GPUs at 2.25 are ordered already
    assert "8 H100 of" in node["sentence"]


def test_planned_work_is_kept_beside_other(call, plan_file: str) -> None:
    """Each has a name of its own, and an answer that has no place in a document has no path."""
    for text in ("512 H100 for 30 days from 1 Feb", "64 A100 for 2 weeks from 1 May for inference"):
        assert call("ask", text, plan_file).status == 0
    found = call("ask", "under 300 kW", plan_file).document
    assert "checked and not kept" in found["sentence"] or "below the limit" in found["sentence"]
    back = call("ask", "vllm-chat-eu comes back on 1 Feb", plan_file)
    assert back.status == 2 and "ends nowhere" in back.document["sentence"]


def test_up_front_pays_from_what_money_is_worth_until_it_is_due(call, plan_file: str) -> None:
    paid, discount = call("ask", "12 months up front", plan_file).document["numbers"]
    assert discount["value"] == pytest.approx(1 - sum(1.1 ** (-month / 12) for month in range(12)) / 12)
    orders = [one for one in call("plan", plan_file).document["orders"] if one["term_months"] == 12]
    certain = [one for one in orders if one["reason"] != "if_it_lasts"]
    whole = sum(one["offer_gpus"] * one["rate_usd_per_gpu_hour"] * 12 * 730 for one in certain)
    assert paid["value"] == pytest.approx(whole)
