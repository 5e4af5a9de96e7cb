"""Unit costs and variance by the command line: periods, tokens, and what is said where a word is off."""

import json

import pytest

from gpuplanner.cli.run import run
from tests.some_of import one_in

JOBS = """job_id,cluster,name,gpu_model,gpus,start,end,model
1,atlas,pretrain,H100,4,2026-01-01T00:00:00Z,2026-01-21T00:00:00Z,aurora
2,atlas,vllm-chat,H100,2,2026-01-01T00:00:00Z,2026-03-01T00:00:00Z,
"""
CONTRACTS = """contract_id,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end,term_months
c1,atlas,H100,8,2.00,2025-12-01,2027-05-01,12
"""
TRAFFIC = """timestamp,context_tokens,generated_tokens
2026-01-10T00:00:00Z,600000,200000
2026-01-10T00:59:59Z,600000,600000
"""


@pytest.fixture
def inputs(tmp_path):
    for name, text in (("jobs", JOBS), ("contracts", CONTRACTS), ("traffic", TRAFFIC)):
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    return tmp_path


def audit(inputs, *words):
    given = ["--jobs", str(inputs / "jobs.csv"), "--contracts", str(inputs / "contracts.csv")]
    return run(["audit", *given, *words], 0)


def answer(capsys):
    return json.loads(capsys.readouterr().out)


@pytest.mark.long
def test_months_are_compared_per_month(inputs, capsys):
    assert audit(inputs, "--json", "--compare", "2026-01", "2026-02") == 0
    found = answer(capsys)["variance"]
    assert [found["before"]["start"], found["before"]["end"]] == [
        "2026-01-01T00:00:00Z",
        "2026-02-01T00:00:00Z",
    ]
    assert found["after"]["hours"] == 28 * 24
    assert found["before_usd_per_month"] == pytest.approx(8 * 2 * 730)
    # used: 2 + 4 x 20/31 GPUs, then 2: all that is not used any more is volume, what it cost idles
    parts = [found[f"{name}_usd_per_month"] for name in ("volume", "efficiency", "price")]
    used = 2 + 4 * 20 / 31
    assert parts == [
        pytest.approx((2 / used - 1) * 11680),
        pytest.approx((1 - 2 / used) * 11680),
        pytest.approx(0),
    ]


@pytest.mark.long
def test_bounds_and_halves(inputs, capsys):
    audit(inputs, "--json", "--compare", "2026-01-01/2026-01-02", "2026-02-01T06:00:00Z/2026-02-03")
    assert answer(capsys)["variance"]["after"]["hours"] == 42
    audit(inputs, "--json")
    found = answer(capsys)["variance"]
    assert found["before"]["end"] == found["after"]["start"] == "2026-01-30T12:00:00Z"


@pytest.mark.parametrize(
    "periods",
    one_in(
        4,
        [
            (case,)
            for case in [
                ("2026-13", "2026-01"),
                ("soon", "2026-01"),
                ("2026-02-02/2026-02-01", "2026-01"),
                ("2020-01", "2026-01"),
            ]
        ],
    ),
)
def test_a_period_that_is_none_is_said(inputs, capsys, periods):
    assert audit(inputs, "--compare", *periods) == 2
    assert "usage" in capsys.readouterr().err


@pytest.mark.long
def test_tokens_of_an_endpoint(inputs, capsys):
    words = ["--traffic", f"atlas//vllm-chat={inputs / 'traffic.csv'}"]
    assert audit(inputs, "--json", *words) == 0
    found = answer(capsys)
    tokens = found["unit_costs"]["endpoints"][0]["tokens"]
    assert (tokens["usd"], tokens["usd_per_million_tokens"]) == (pytest.approx(4), pytest.approx(2))
    assert tokens["usd_per_million_generated_tokens"] == pytest.approx(5)
    assert [file["kind"] for file in found["intake"]["files"]] == ["jobs", "contracts", "traffic"]
    assert audit(inputs, *words, "--show", "all") == 0
    out = capsys.readouterr().out
    assert "Training runs" in out
    assert "aurora" in out
    assert "What changed" in out


def test_traffic_of_nobody_is_said(inputs, capsys):
    assert audit(inputs, "--traffic", f"nobody={inputs / 'traffic.csv'}") == 2
    assert "KEY=FILE" in capsys.readouterr().err
