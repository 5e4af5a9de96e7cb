"""`gpuplanner train`: a run on the GPU models of a price list, and what the formula says of measured runs."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from gpuplanner.cli import train
from gpuplanner.cli.run import run
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.intake import JobFacts, LoggedRun
from gpuplanner.domain.reports.training import NETWORKS

NOW_S = 1_800_000_000
PRICES = """offer_id,provider,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour,max_gpus
h-use,Vela,H100,STANDARD,0,3.00,
h-month,Vela,H100,COMMITTED,1,1.50,32
l-use,Vela,L4,STANDARD,0,0.50,
"""
CALL = ("train", "--model", "Llama-3-70B", "--tokens", "1B", "--sequence", "4096")


def _answer(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    assert run([*words, "--json"], NOW_S) == 0
    document = json.loads(capsys.readouterr().out)
    assert isinstance(document, dict)
    return document


def test_rows_are_those_of_the_price_list_from_the_fewest_gpus_that_fit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prices = tmp_path / "prices.csv"
    prices.write_text(PRICES)
    document = _answer(capsys, *CALL, "--prices", str(prices))
    rows = document["rows"]
    h100 = [row for row in rows if row["gpu_model"] == "H100"]
    chips = {one["gpu_model"]: one for one in document["chips"]}
    assert set(chips) == {row["gpu_model"] for row in rows} and all(one["source"] for one in chips.values())
    facts = ("bf16_tflops", "flop_per_byte", "link_gb_per_s", "node_ports", "port_gbps")
    assert [chips["H100"][fact] for fact in facts] == [990, 296, 900, 8, 400]
    assert [row["gpus"] for row in h100] == [16, 32, 64, 128]
    assert {row["fits"] for row in rows if row["gpu_model"] == "L4"} <= {"green", "amber"}
    first = h100[0]
    assert first["layout"]["recompute"] == "selective" and first["layout"]["tp"] == 8
    assert first["fastest_layout"].startswith("TP 8, ")
    parts = first["memory_parts"]
    assert sum(parts.values()) == pytest.approx(first["memory_gib"])
    assert first["offer_id"] == "h-use"  # ten hours by use are cheaper than a month
    assert first["whole_run_hours"] == pytest.approx(1.25 * first["hours"])
    assert first["usd"] == pytest.approx(16 * 3.00 * first["whole_run_hours"])
    assert first["hours_low"] < first["hours"] < first["hours_high"]
    assert document["best"]["gpu_model"] == "H100"
    assert [one["nic_gbps"] for one in document["network_cost"]][-1] == 3200
    assert document["network_cost"][-1]["hours"] == 0


def test_a_month_is_paid_whole_and_only_for_as_many_gpus_as_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prices = tmp_path / "prices.csv"
    prices.write_text(PRICES)
    words = ("train", "--model", "Llama-3-70B", "--tokens", "100B", "--sequence", "4096")
    rows = _answer(capsys, *words, "--prices", str(prices))["rows"]
    few, more = (next(row for row in rows if row["gpus"] == gpus) for gpus in (32, 64))
    assert few["offer_id"] == "h-month"
    assert few["usd"] == pytest.approx(32 * 1.50 * 730 * -(-few["whole_run_hours"] // 730))
    assert more["offer_id"] == "h-use"  # 64 are more than 32


def test_the_network_of_each_offer_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A slow network at a lower rate costs more where the run waits for it; the fewest dollars win."""
    prices = tmp_path / "prices.csv"
    prices.write_text(
        "offer_id,provider,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour,interconnect,nic_gbps,rdma\n"
        "fast,Vela,H100,STANDARD,0,3.00,infiniband,3200,\n"
        "slow,Vela,H100,STANDARD,0,2.00,ethernet,100,\n"
    )
    words = (*CALL, "--prices", str(prices), "--gpus", "64", "--sharding", "fsdp", "--tp", "1")
    (row,) = _answer(capsys, *words)["rows"]
    assert (row["offer_id"], row["nic_gbps"], row["rdma"]) == ("fast", 3200, True)
    prices.write_text(prices.read_text().replace(",2.00,", ",0.02,"))
    (slow,) = _answer(capsys, *words)["rows"]
    assert (slow["offer_id"], slow["nic_gbps"], slow["rdma"]) == ("slow", 100, False)
    assert slow["hours"] > 2 * row["hours"]
    (stated,) = _answer(capsys, *words, "--nic-gbps", "3200")["rows"]
    assert stated["hours"] == row["hours"]


@pytest.mark.parametrize(("gpus", "times"), [("16", 1.03), ("128", 1.36), ("256", 2.38)])
def test_a_slow_network_costs_more_the_more_nodes_there_are(
    gpus: str, times: float, capsys: pytest.CaptureFixture[str]
) -> None:
    """8B at a fixed batch, 100 against 3,200 Gb/s a node; it does not fit so, and its network is told all the same."""
    cut = ("--tp", "1", "--pp", "1", "--cp", "1")
    words = (
        "--gpu-model",
        "H100",
        "--gpus",
        gpus,
        "--sharding",
        "zero1",
        "--batch",
        "512",
        "--recompute",
        "none",
    )
    document = _answer(capsys, "train", "--model", "Llama-3-8B", "--tokens", "1T", *words, *cut)
    of = {one["nic_gbps"]: one for one in document["network_cost"]}
    assert of[100]["times"] == pytest.approx(times, abs=0.005)
    (row,) = document["rows"]
    assert of[3200]["times"] == 1 and row["fits"] == "red"
    assert (row["layout"]["recompute"], row["would_fit"]["change"]) == ("none", "full_recomputation")


@pytest.mark.parametrize(("gbps", "tokens"), [(3200, 1720), (100, 55_000)])
def test_tokens_above_which_the_network_hides(gbps: float, tokens: float, capsys) -> None:
    """Of H100 in plain BF16, fully sharded: whatever the model and the number of nodes."""
    for model, gpus in (("Llama-3-70B", "64"), ("Llama-3-8B", "128")):
        words = ("--gpu-model", "H100", "--gpus", gpus, "--stack", "plain", "--recompute", "full")
        costs = _answer(capsys, "train", "--model", model, "--tokens", "1T", *words)["network_cost"]
        (found,) = (one for one in costs if one["nic_gbps"] == gbps)
        assert found["hidden_from_tokens"] == pytest.approx(tokens, rel=0.01)


@pytest.mark.parametrize(
    ("words", "note"),
    [
        (("--sharding", "zero1"), None),
        (("--sharding", "zero1", "--recompute", "full"), None),
        (("--recompute", "none"), None),
        (("--storage-gb-per-s", "1e-9"), "failures leave no headway"),
        (("--precision", "FP4"), "FP4 of H100 is not known"),
    ],
)
def test_what_is_taken_or_lacks_is_said(words: tuple[str, ...], note: str | None, capsys) -> None:
    call = ("train", "--model", "Llama-3-8B", "--tokens", "1T", "--gpu-model", "H100", "--gpus", "64", *words)
    (row,) = _answer(capsys, *call)["rows"]
    assert row["note"] == note
    assert run(call, NOW_S) == 0
    said = capsys.readouterr().out
    assert (note or "") in said and ("Least cost none" in said) is (row["hours"] is None)
    assert note or said.count("not fit") == 0


def test_a_model_has_the_width_and_words_that_it_states(tmp_path: Path, capsys) -> None:
    """Heads wider than a token; keys and values apart (MLA); a name that is served but not in the catalogue."""
    own = tmp_path / "config.json"
    qwen = {"hidden_size": 2048, "intermediate_size": 6144, "moe_intermediate_size": 768, "num_experts": 128}
    qwen |= {"num_experts_per_tok": 8, "num_attention_heads": 32, "num_key_value_heads": 4, "head_dim": 128}
    latent = {"kv_lora_rank": 512, "q_lora_rank": 1536, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64}
    latent |= {"v_head_dim": 128, "num_attention_heads": 128, "num_hidden_layers": 61, "vocab_size": 129280}
    of_experts = {"n_routed_experts": 256, "n_shared_experts": 1, "num_experts_per_tok": 8}
    of_experts |= {"hidden_size": 7168, "intermediate_size": 18432, "moe_intermediate_size": 2048}
    of_experts |= {"first_k_dense_replace": 3, "topk_method": "noaux_tc", "model_type": "deepseek_v3"}
    rest = {"model_type": "qwen3_moe", "num_hidden_layers": 48, "vocab_size": 151936}
    for stated, like in ((qwen | rest, "Qwen3-30B-A3B"), (latent | of_experts, "DeepSeek-V3")):
        own.write_text(json.dumps({**stated, "_name_or_path": "Ours", "tie_word_embeddings": False}))
        call = ("--tokens", "1T", "--gpu-model", "H100", "--gpus", "512", "--recompute", "full")
        found, known = (
            _answer(capsys, "train", "--model", name, *call)["rows"][0] for name in (str(own), like)
        )
        assert found["tokens_per_s_per_gpu"] == pytest.approx(known["tokens_per_s_per_gpu"], rel=0.03)
    served, known = (
        _answer(capsys, "train", "--model", name, *call)["rows"][0] for name in ("Llama 3.1 8B", "Llama-3-8B")
    )
    assert served["memory_parts"] == pytest.approx(known["memory_parts"], rel=0.001)


def test_a_measured_run_tells_of_other_numbers_of_gpus(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prices = tmp_path / "prices.csv"
    prices.write_text(
        PRICES.replace("3.00", "2.75")
        .replace("h-month", "x-month")
        .replace("COMMITTED,1,1.50", "COMMITTED,1,9")
    )
    words = (*CALL, "--prices", str(prices), "--gpu-model", "H100", "--measured-run", "100@64")
    rows = {row["gpus"]: row for row in _answer(capsys, *words)["rows"]}
    assert rows[64]["hours"] == rows[64]["hours_low"] == rows[64]["hours_high"] == 100
    assert rows[64]["usd"] == pytest.approx(17_600)
    assert rows[128]["hours"] == pytest.approx(60.2, abs=0.05)
    assert rows[128]["usd"] == pytest.approx(21_205, abs=0.5)
    assert rows[128]["hours_low"] < rows[128]["hours"] < rows[128]["hours_high"]
    assert max(rows) <= 256  # two doublings, no further
    (far,) = _answer(capsys, *words, "--gpus", "1024")["rows"]
    assert "two doublings" in far["note"]


@pytest.mark.parametrize(
    ("measured", "gpus", "minutes"), [("3.845@512", "2048", 60.0), ("1.002833@2048", "8192", 15.7)]
)
def test_a_published_run_scales_as_it_did(
    measured: str, gpus: str, minutes: float, capsys: pytest.CaptureFixture[str]
) -> None:
    """MLPerf's 405B: 230.7 min on 512 H100 are 60.0 on 2,048, and 60.17 on 2,048 are 15.7 on 8,192, at q = .98."""
    words = ("train", "--model", "Llama-3.1-405B", "--tokens", "1B", "--gpu-model", "H100", "--gpus", gpus)
    words = (*words, "--tp", "8", "--pp", "8", "--measured-run", measured, "--measured-doubling")
    (row,), (percent,) = (_answer(capsys, *words, q)["rows"] for q in ("0.98", "98%"))
    assert row == percent
    assert 60 * row["hours"] == pytest.approx(minutes, rel=0.01)
    assert run([*words, "98"], NOW_S) == 2
    assert "at most 1" in capsys.readouterr().err


def test_a_deadline_asks_for_more(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    prices = tmp_path / "prices.csv"
    prices.write_text(PRICES)
    words = ("train", "--model", "Llama-3-70B", "--tokens", "100B", "--prices", str(prices))
    document = _answer(capsys, *words, "--deadline", "100")
    best = document["best"]
    row = next(row for row in document["rows"] if row["gpus"] == best["gpus"])
    assert row["meets_deadline"]
    assert row["hours"] <= 100


def test_what_is_over_is_no_way_and_what_is_unknown_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prices = tmp_path / "prices.csv"
    prices.write_text(
        "offer_id,provider,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour,max_gpus,unit_gpus,valid_until,"
        "lead_time_hours\n"
        "past,Vela,H100,STANDARD,0,0.50,,,2020-01-01,\n"
        "few,Vela,H100,STANDARD,0,1.00,34,8,,\n"
        "late,Vela,H100,STANDARD,0,2.00,,,,500\n"
        "open,Vela,H100,STANDARD,0,3.00,,,,\n"
        "odd,Vela,FOO9000,STANDARD,0,1.00,,,,\n"
    )
    words = (*CALL, "--prices", str(prices), "--gpus", "34", "--deadline", "400")
    document = _answer(capsys, *words)
    (row,) = document["rows"]
    assert row["offer_id"] == "open"  # 34 of 8 are 40, more than 34; another comes too late
    assert document["left_out"] == ["FOO9000"]


def test_a_red_run_says_what_would_fit(capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = _answer(capsys, *CALL, "--gpu-model", "H100", "--gpus", "8")["rows"]
    assert row["fits"] == "red"
    assert row["would_fit"]["change"] == "more_gpus"
    assert row["would_fit"]["gpus"] == 32


def test_measured_runs_row_by_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    points = tmp_path / "points.csv"
    points.write_text(
        "model,params_b,gpu_model,gpus,precision,sequence,global_batch,micro_batch,sharding,"
        "activation_checkpointing,nic_gbps,stack\n"
        "Llama-3-70B,70.55,H100 SXM 80GB,16,BF16,4096,16,1,FSDP/ZeRO-3,full,3200,plain\n"
        "Llama-3-70B,70.55,Abacus 9,16,BF16,4096,16,1,FSDP/ZeRO-3,full,3200,plain\n"
    )
    known, unknown = _answer(capsys, "train", "--points", str(points))["points"]
    assert known["row"] == 2
    assert known["tokens_per_s_per_gpu"] == pytest.approx(4096 / 5.2456, rel=0.001)
    assert known["memory_gib"] == pytest.approx(91.8, rel=0.001)
    assert known["low"] < known["tokens_per_s_per_gpu"] < known["high"]
    assert unknown["tokens_per_s_per_gpu"] is None
    assert "Abacus 9" in unknown["note"]


@pytest.mark.parametrize(
    ("as_stated", "fits", "gib", "is_said"),
    [
        ("MPT-1B,A100 SXM 40GB,64,2048,10,1,1,1,1,64,FSDP/ZeRO-3,none", "amber", 40, True),
        ("MPT-1B,A100 SXM 40GB,64,2048,10,1,1,1,1,64,FSDP/ZeRO-3,never", "red", 47.4, False),
        ("MPT-70B,V100 SXM 32GB,64,1024,4,1,,,,64,see note,full", "amber", 34.7, True),
        # the stages are as many as one copy has GPUs; GPUs that share a sequence share the optimizer too
        ("MPT-30B,V100 SXM 32GB,32,1024,4,,8,,,1,see note,full", "green", 21.4, False),
        ("Llama-3.1-405B,H100,512,131072,1,8,8,4,1,2,FSDP/ZeRO-3,full", "green", 69.1, False),
        # published as out of memory
        ("Qwen3-235B-A22B,MI355X,32,8192,,1,4,1,8,8,ZeRO-1,not stated", "amber", 288, True),
        ("Llama-3.1-405B,H100,32,8192,1,8,8,2,1,,ZeRO-1,recipe", None, None, False),
    ],
)
def test_what_a_measured_run_leaves_open_is_read_so_that_it_fits_and_said(
    as_stated: str,
    fits: str | None,
    gib: float | None,
    is_said: bool,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    points = tmp_path / "points.csv"
    points.write_text(
        "model,gpu_model,gpus,sequence,micro_batch,tp,pp,cp,ep,dp,sharding,activation_checkpointing\n"
        + as_stated
    )
    (point,) = _answer(capsys, "train", "--points", str(points))["points"]
    assert point["fits"] == fits
    assert point["memory_gib"] == (None if gib is None else pytest.approx(gib, rel=0.01))
    assert ("fits with" in (point["note"] or "")) is is_said
    assert run(["train", "--points", str(points)], NOW_S) == 0
    assert (f"GiB a GPU, {fits}" in capsys.readouterr().out) is (gib is not None)


def test_a_proxy_that_ran_is_not_red_for_the_layers_that_it_lacks(tmp_path: Path, capsys) -> None:
    points = tmp_path / "points.csv"
    heads = "model,gpu_model,gpus,sequence,proxy\n"
    points.write_text(heads + "Grok-1,H100,8,8192,1\nGrok-1,H100,8,8192,0\nLlama-3-8B,H100,64,8192,1\n")
    proxy, whole, small = _answer(capsys, "train", "--points", str(points))["points"]
    assert (proxy["memory_gib"], proxy["fits"]) == (None, None) and "Grok-1" in proxy["note"]
    assert whole["fits"] == "red" and small["fits"] != "red" and small["memory_gib"] > 0
    assert proxy["tokens_per_s_per_gpu"] == whole["tokens_per_s_per_gpu"]


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("train",), "needs --model and --tokens"),
        ((*CALL[:3], "--tokens", "many"), "--tokens"),
        ((*CALL, "--gpus", "0"), "--gpus"),
        ((*CALL, "--measured-run", "100@64"), "--gpu-model H100 --measured-run 100@64"),
        (
            (*CALL, "--measured-run", "100", "--gpu-model", "H100"),
            "lacks --measured-run; write --gpu-model H100",
        ),
        (
            (*CALL, "--measured-run", "none@64", "--gpu-model", "H100"),
            "--measured-run: 'none' is not allowed",
        ),
        ((*CALL, "--measured-run", "100@1.5", "--gpu-model", "H100"), "--measured-run: '1.5' is not allowed"),
        ((*CALL, "--measured-doubling", "0.9"), "lacks --measured-run and --gpu-model; write"),
        ((*CALL, "--gpu-model", "Abacus 9"), "--gpu-model"),
        (
            (*CALL, "--gpus", "8", "--tp", "8", "--pp", "4", "--gpu-model", "H100"),
            "--cp 1 --ep 1 do not lie on --gpus 8",
        ),
        ((*CALL, "--tp", "3"), "--tp 3 --pp 1 --cp 1 --ep 1 do not lie on the GPUs of any number of nodes"),
        ((*CALL, "--pp", "128"), "no more than the model has layers"),
        ((*CALL, "--pp", "64", "--interleave", "2"), "no more than the model has layers"),
        ((*CALL[:3], "--tokens", "1,5T"), "--tokens: '1,5T' is not allowed"),  # 1.5T where it was written
        ((*CALL, "--nic-gbps", "400e9"), "at most 100,000"),
    ],
)
def test_what_cannot_be_asked_is_a_usage_error(
    words: tuple[str, ...], fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words, NOW_S) == 2
    assert fault in capsys.readouterr().err


def test_the_table_says_what_a_run_needs_that_does_not_fit(capsys: pytest.CaptureFixture[str]) -> None:
    words = (
        "train",
        "--model",
        "Llama-3-70B",
        "--tokens",
        "1B",
        "--gpus",
        "8",
        "--wide",
        "--gpu-model",
        "H100",
    )
    assert run([*words, "--recompute", "full", "--tp", "1"], NOW_S) == 0
    row = next(line for line in capsys.readouterr().out.splitlines() if line.strip().startswith("H100"))
    assert "needs 32 GPUs, PP 8, ZeRO-2, full recomputation" in row


def test_without_prices_the_fastest_comes_first_and_the_option_is_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run([*CALL, "--gpu-model", "H100"], NOW_S) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith("Fastest    ") and first.endswith(
        "no price; add --prices FILE or --prices builtin"
    )


def test_the_text_has_the_range_of_the_dollars_their_terms_and_their_offer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prices = tmp_path / "prices.csv"
    prices.write_text(PRICES)
    words = ("--gpu-model", "H100", "--gpus", "64", "--prices", str(prices))
    row = _answer(capsys, *CALL, *words)["rows"][0]
    assert run([*CALL, *words], NOW_S) == 0
    first = " ".join(capsys.readouterr().out.partition("Layout")[0].split())
    usd = [f"${row[key]:,.0f}" for key in ("usd", "usd_low", "usd_high")]
    assert f"{usd[0]} ({usd[1]} to {usd[2]}), " in first and first.endswith(f": {row['offer_id']}")


def test_own_runs_of_the_log_of_a_project_are_counted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("train", "--model", "Llama-3-8B", "--tokens", "5B", "--gpu-model", "H100", "--gpus", "64")
    hours = _answer(capsys, *words)["rows"][0]["hours"]
    runs = tuple(
        LoggedRun(
            key="a/b/c",
            gpu_model="H100",
            job_id=str(at),
            milli_gpus=64_000,
            start_s=0,
            end_s=round(3600 * hours * times),
            state="COMPLETED",
        )
        for at, times in enumerate((1.4, 1.6, 1.5))
    )
    logged = (Workload(key="a/b/c", name="llama-3-8b-train", cluster="a", owner="b"),)
    with_log = replace(train.no_project(), workloads=logged, jobs=JobFacts(runs=runs))
    monkeypatch.setattr(train, "no_project", lambda: with_log)
    row = _answer(capsys, *words)["rows"][0]
    assert row["whole_run_hours"] == pytest.approx(1.5 * row["hours"], rel=1e-3)
    assert row["note"].startswith("3 completed runs of this model in the log took 1.50")


def test_the_text_names_the_run_of_fewest_dollars(capsys: pytest.CaptureFixture[str]) -> None:
    words = [*CALL, "--gpu-model", "H100", "--gpus", "64", "--prices", "builtin", "--show", "all"]
    assert run(words, NOW_S) == 0
    text = capsys.readouterr().out
    assert "Least cost 64 × H100" in text
    assert str(NETWORKS.title) in text


def test_virtual_machines_cost_what_the_planner_states(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """40 h on 64 GPUs at $3, 2 to 8% slower: 40.8 to 43.2 h, $153.60 to $614.40 more; unstated: no figure of ours."""
    prices = tmp_path / "prices.csv"
    prices.write_text(PRICES)
    words = ("train", "--model", "Llama-3-8B", "--tokens", "1B", "--gpu-model", "H100", "--gpus", "64")
    words = (*words, "--measured-run", "40@64", "--prices", str(prices))
    assert _answer(capsys, *words)["virtual"] is None
    ranged = (*words, "--virtual-low", "2%", "--virtual-high", "8")
    found = _answer(capsys, *ranged)["virtual"]
    assert found == pytest.approx(
        {"hours_low": 40.8, "hours_high": 43.2, "usd_low": 153.6, "usd_high": 614.4}
    )
    assert run(list(ranged), NOW_S) == 0
    said = capsys.readouterr().out
    assert "40.8 to 43.2 h, $154 to $614 more" in said
    assert all(value in said for value in ("112.4 GB", "11.2 s", "10 GB/s"))


def test_pieces_of_a_stage_are_held_beside_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    layout = (
        "--tp",
        "4",
        "--pp",
        "4",
        "--sharding",
        "zero1",
        "--recompute",
        "selective",
        "--interleave",
        "5",
    )
    words = ("train", "--model", "Llama-3-70B", "--tokens", "1B", "--gpu-model", "H100", "--gpus", "64")
    (row,) = _answer(capsys, *words, *layout)["rows"]
    assert row["memory_gib"] == pytest.approx(71.5, rel=0.01)


def test_a_model_of_a_file_takes_as_long_as_the_same_one_of_the_catalogue(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its attention counts too, as wide as its tokens: the file does not say of training how wide."""
    own = tmp_path / "config.json"
    sizes = {
        "hidden_size": 4096,
        "intermediate_size": 14336,
        "num_attention_heads": 32,
        "num_hidden_layers": 32,
    }
    rest = {"_name_or_path": "Ours", "model_type": "llama", "num_key_value_heads": 8, "vocab_size": 128256}
    own.write_text(json.dumps(sizes | rest | {"tie_word_embeddings": False}))
    words = ("--tokens", "1T", "--gpu-model", "H100", "--gpus", "64", "--recompute", "full")
    found, of_table = (
        _answer(capsys, "train", "--model", model, *words)["rows"][0] for model in (str(own), "Llama-3-8B")
    )
    assert found["tokens_per_s_per_gpu"] == pytest.approx(of_table["tokens_per_s_per_gpu"], rel=0.01)
    assert found["memory_parts"] == pytest.approx(of_table["memory_parts"], rel=0.001)  # its vocabulary too
