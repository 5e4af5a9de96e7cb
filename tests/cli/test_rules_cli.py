"""--rules: class rules of one's own decide in audit and plan, and every bad row is said."""

import pytest

from tests.cli.conftest import Call, Put

JOBS = """job_id,cluster,name,user,gpu_model,gpus,start,end
1,c,agent-rollouts,ann,H100,4,2026-01-01T00:00:00Z,2026-01-02T00:00:00Z
2,c,vllm-chat,bob,H100,8,2026-01-01T00:00:00Z,2026-01-02T00:00:00Z
"""
CONTRACTS = """contract_id,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start
k1,c,H100,16,2.50,2025-01-01
"""
RULES = """rule_id,field,pattern,pool
roll,name,rollouts?,training
bad,name,.*,burst
"""


@pytest.mark.long
def test_rules_decide_in_their_order_and_say_what_they_decided(call: Call, put: Put) -> None:
    files = ("--jobs", put("j.csv", JOBS), "--contracts", put("c.csv", CONTRACTS))
    rules = put("r.csv", RULES)
    more = put("m.csv", "field,pattern,pool\nowner,ann|bob,burst\n")
    words = ("audit", *files, "--rules", rules, "--rules", more)
    said = call(*words)
    assert (said.status, said.err) == (0, "")
    workloads = {row["name"]: row for row in said.document["workloads"]}
    assert (workloads["agent-rollouts"]["class"], workloads["agent-rollouts"]["decided_by"]) == (
        "training",
        "own_rule",
    )
    assert workloads["agent-rollouts"]["reasons"][0].startswith("your rule: ")
    assert not workloads["agent-rollouts"]["in_review"]
    assert workloads["vllm-chat"]["class"] == "burst"
    first, second = said.document["rules"]
    assert (first["rule_id"], first["class"], first["matched"], first["workloads"]) == (
        "roll",
        "training",
        1,
        1,
    )
    assert (second["field"], second["matched"], second["workloads"]) == ("owner", 2, 1)
    assert first["gpu_hours_per_month"] == pytest.approx(4 * 730)
    file = next(row for row in said.document["intake"]["files"] if row["path"] == rules)
    assert (file["kind"], file["rows_accepted"], file["rows_rejected"]) == ("rules", 1, 1)
    assert f"{rules}:3: bad_pattern: " in call(*words, text=True).out


def test_without_rules_the_list_is_empty_and_a_label_wins_over_a_rule(call: Call, put: Put) -> None:
    files = ("--jobs", put("j.csv", JOBS), "--contracts", put("c.csv", CONTRACTS))
    assert call("audit", *files).document["rules"] == []
    label = ("--label", "c/ann/agent-rollouts=inference")
    said = call("plan", *files, "--rules", put("r.csv", RULES), *label)
    row = next(row for row in said.document["workloads"] if row["name"] == "agent-rollouts")
    assert (row["class"], row["decided_by"]) == ("inference", "override")


@pytest.mark.long
def test_a_file_of_rules_that_is_none_is_left_out_and_one_that_is_not_there_stops(
    call: Call, put: Put
) -> None:
    """The audit is made all the same: who reads the status knows that it lacks what was given."""
    files = ("--jobs", put("j.csv", JOBS), "--contracts", put("c.csv", CONTRACTS))
    of_no_use = put("r.csv", "a,b\n1,2\n")
    said = call("audit", *files, "--rules", of_no_use)
    assert (said.status, said.document["rules"], len(said.document["workloads"])) == (1, [], 2)
    assert said.err.startswith(f"{of_no_use}:1: missing_column: ") and said.err.count("\n") == 1
    assert call("audit", *files, "--rules", "none.csv").status == 3
    wrong = call("audit", "--jobs", put("j.csv", JOBS), "--contracts", put("r2.csv", RULES))
    assert "use it with --rules" in wrong.err


def test_the_table_says_what_each_rule_decides_and_is_not_there_without_rules(call: Call, put: Put) -> None:
    files = ("--jobs", put("j.csv", JOBS), "--contracts", put("c.csv", CONTRACTS))
    said = call("audit", *files, "--rules", put("r.csv", RULES), text=True).out
    assert "“rollout”" in said.partition("Class rules")[2]
    assert "Class rules" not in call("audit", *files, text=True).out
