"""Classification: who decides, what words and shape say, and that whole words count, never parts of words."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.demand.classification import Classification, classify, shape_signals, word_points
from gpuplanner.domain.demand.own_rules import WordHit
from gpuplanner.domain.model.cube import Cube, Workload, cube_from_entries, empty_cube
from gpuplanner.domain.model.tables import POOLS, ClassRule, Pool, ScoreRow, Tables
from gpuplanner.domain.model.window import HOUR_S
from gpuplanner.files.system.resources import read_tables

# --- Classification: who decides, what words and shape say, and that whole words count, never parts of
# words

TABLES = read_tables()
HOURS = 2160
GPU_HOUR = 3_600_000


def plain(name: str, queue: str = "", label: Pool | None = None, **facts: Any) -> Workload:
    known: dict[str, Any] = {"jobs": 1, "gpu_jobs": 1} | facts
    return Workload(
        key=f"c/o/{name}",
        name=name,
        cluster="c",
        owner="o",
        queue=queue,
        label=label,
        sample_name=name,
        **known,
    )


def found(
    workload: Workload, labels: dict[str, Pool] | None = None, cube: Cube | None = None
) -> Classification:
    return classify([workload], cube or empty_cube(HOURS), labels or {}, TABLES)[0]


@pytest.mark.parametrize(
    ("name", "pool"),
    [
        *(
            (name, Pool.INFERENCE)
            for name in ("vllm-chat", "triton-rank-prod", "tgi", "rag-serve", "chat-endpoint")
        ),
        *((name, Pool.INFERENCE) for name in ("sglang-agent", "llm-serving", "fraud-inference")),
        *(
            (name, Pool.TRAINING)
            for name in ("llama-pretrain", "resnet-train", "ranker-retrain", "training-run")
        ),
        *(
            (name, Pool.TRAINING)
            for name in ("code-sft", "dpo-align", "fsdp-run", "deepspeed-a", "torchrun-b")
        ),
        *((name, Pool.TRAINING) for name in ("vit-finetune", "fine-tune-bert", "trainLlama", "LlamaTrainer")),
        *(
            (name, Pool.BURST)
            for name in ("lr-sweep", "hpo", "optuna-ctr", "eval-harness", "nightly-evaluation")
        ),
        *(
            (name, Pool.BURST)
            for name in ("image-preproc", "etl", "doc-ingest", "my-notebook", "jupyter-lab")
        ),
        *((name, Pool.BURST) for name in ("gpu-dev-box", "matmul-bench", "JupyterLab")),
    ],
)
def test_the_words_of_the_model_name_their_class(name: str, pool: Pool) -> None:
    answer = found(plain(name))
    assert (answer.pool, answer.source) == (pool, "rule")
    assert answer.confidence >= 0.60
    assert len(answer.reasons) == 3
    assert answer.runner_up not in (None, pool)


@pytest.mark.parametrize(
    "name",
    ["device-plugin", "medieval-maps", "retrieval", "strain-analysis", "observer", "constrained", "benchtop"],
)
def test_parts_of_words_say_nothing(name: str) -> None:
    answer = found(plain(name))
    assert answer.source == "score"
    assert answer.confidence < 0.60


@pytest.mark.parametrize("name", ["run_experiment_b", "main.py", "team7-job", "unnamed", ""])
def test_unknown_names_with_a_weak_shape_go_to_review(name: str) -> None:
    weak = plain(name, gpu_jobs=60, max_milli_gpus=1000, median_job_s=4 * 3600, milli_gpu_seconds=GPU_HOUR)
    answer = found(weak)
    assert answer.source == "score"
    assert answer.confidence < 0.60
    assert len(answer.reasons) == 3


def test_override_wins_over_label_over_rules_over_score() -> None:
    named = plain("vllm-chat", label=Pool.TRAINING)
    assert found(plain("vllm-chat")).source == "rule"
    by_label = found(named)
    assert (by_label.pool, by_label.source, by_label.runner_up) == (Pool.TRAINING, "label", Pool.INFERENCE)
    by_planner = found(named, {named.key: Pool.BURST})
    assert (by_planner.pool, by_planner.source, by_planner.is_settled) == (Pool.BURST, "override", True)
    assert len(by_planner.reasons) == 3


@pytest.mark.parametrize(
    ("name", "runner_up"), [("sft-eval", Pool.BURST), ("train-endpoint", Pool.INFERENCE)]
)
def test_contradicting_words_lower_confidence_and_name_the_runner_up(name: str, runner_up: Pool) -> None:
    answer = found(plain(name))
    alone = found(plain(name.split("-", maxsplit=1)[0]))
    assert answer.confidence < 0.60 < alone.confidence
    assert {answer.pool, answer.runner_up} == {Pool.TRAINING, runner_up}
    assert any(str(reason).startswith("but ") for reason in answer.reasons)


@pytest.mark.parametrize(
    ("name", "pool"),
    [
        ("llama-eval-vllm", Pool.BURST),
        ("vllm-benchmark", Pool.BURST),
        ("deepspeed-inference", Pool.INFERENCE),
        ("triton-kernel-train", Pool.TRAINING),
        ("climate-downscale-train", Pool.TRAINING),
        ("seismic-picker-endpoint", Pool.INFERENCE),
    ],
)
def test_what_a_job_does_outweighs_what_it_is_made_with_or_about(name: str, pool: Pool) -> None:
    answer = found(plain(name))
    assert (answer.pool, answer.confidence >= 0.60) == (pool, True)
    assert str(answer.reasons[1]).startswith("but ")


def test_a_subject_or_a_tool_alone_still_says_what_it_is() -> None:
    assert found(plain("climate-run")).pool is Pool.BURST
    assert found(plain("deepspeed-run")).pool is Pool.TRAINING


def test_the_name_gives_the_subtype_before_the_queue() -> None:
    assert found(plain("lr-sweep", queue="eval")).subtype == "sweep"
    assert found(plain("b17", queue="interactive")).subtype == "short work"


@pytest.mark.parametrize(
    ("name", "subtype"),
    [
        ("llama-pretrain", "pretraining"),
        ("code-sft", "fine-tuning"),
        ("batch-inference", "batch inference"),
        ("chat-endpoint", "online inference"),
        ("lr-sweep", "sweep"),
        ("nightly-eval", "evaluation"),
        ("image-preproc", "preprocessing"),
        ("gpu-dev-box", "development"),
        ("jupyter-lab", "notebook"),
        ("matmul-bench", "benchmark"),
    ],
)
def test_the_subtypes_of_the_issue_by_name(name: str, subtype: str) -> None:
    assert found(plain(name)).subtype == subtype


WORDS = ("train", "serve", "vllm", "eval", "bench", "md", "dev", "run", "7d9f8c", "x")
names = st.lists(st.sampled_from(WORDS), max_size=4)


@given(
    words=names,
    queue=st.sampled_from(("", "prod", "train", "debug", "gpu")),
    label=st.sampled_from((None, *Pool)),
    gpus=st.integers(0, 512_000),
    nodes=st.sampled_from((None, 1, 2, 64)),
    median_job_s=st.integers(0, 10_000_000),
    activity=st.sampled_from((None, 0.0, 0.01, 0.5, 0.99, 1.0)),
    hours=st.sets(st.integers(0, HOURS - 1), max_size=40),
)
def test_every_answer_is_sure_within_bounds_gives_three_reasons_and_stands_alone(
    words: list[str], queue: str, label: Pool | None, hours: set[int], **facts: Any
) -> None:
    facts["max_milli_gpus"] = facts.pop("gpus")
    facts["max_nodes"] = facts.pop("nodes")
    one = plain("-".join(words), queue, label, milli_gpu_seconds=GPU_HOUR * len(hours), **facts)
    hour = np.array(sorted(hours), dtype=np.int64)
    zeros = np.zeros(len(hour), dtype=np.int64)
    cube = cube_from_entries(HOURS, ("H100",), zeros, zeros, hour, zeros + GPU_HOUR)
    answer = found(one, cube=cube)
    assert 0 < answer.confidence <= 1
    assert len(answer.reasons) == 3 and all(answer.reasons)
    assert answer.runner_up not in (None, answer.pool)
    assert (answer.source == "label") == (label is not None)
    beside = cube_from_entries(HOURS, ("H100",), zeros + 1, zeros, hour, zeros + GPU_HOUR)
    assert classify([plain("other"), one], beside, {}, TABLES)[1] == answer


def test_a_word_in_the_queue_counts_less_than_one_in_the_name() -> None:
    by_queue = found(plain("main.py", queue="training"))
    by_name = found(plain("training", queue=""))
    assert by_queue.pool is by_name.pool is Pool.TRAINING
    assert by_queue.confidence < by_name.confidence
    assert found(plain("vllm-chat", queue="training")).pool is Pool.INFERENCE


def test_the_name_says_what_is_done_before_the_queue_does() -> None:
    by_name = found(plain("mlperf-dryrun", queue="train-large"))
    assert (by_name.pool, str(by_name.reasons[1]).startswith("but the queue")) == (Pool.BURST, True)
    assert by_name.confidence > found(plain("scan-dryrun", queue="train-large")).confidence
    assert found(plain("mlperf-train", queue="train-large")).pool is Pool.TRAINING


@pytest.mark.parametrize(
    ("name", "pool"),
    [
        ("colabfold-finetune", Pool.TRAINING),
        ("cellpose-retrain", Pool.TRAINING),
        ("posterior-inference", Pool.BURST),
        ("vllm-offline", Pool.BURST),
        ("sglang-coder", Pool.INFERENCE),
    ],
)
def test_programs_that_predict_are_trained_too_and_statistics_infer(name: str, pool: Pool) -> None:
    answer = found(plain(name))
    assert (answer.pool, answer.confidence >= 0.60) == (pool, True)


@pytest.mark.parametrize("name", ["attention-ablation", "judge-llm", "video-tokenizer"])
def test_words_of_two_meanings_leave_it_to_the_shape(name: str) -> None:
    run = np.arange(200, 900)
    zeros = np.zeros(len(run), dtype=np.int64)
    cube = cube_from_entries(HOURS, ("H100",), zeros, zeros, run, zeros + 64 * GPU_HOUR)
    facts = {"max_nodes": 8, "max_milli_gpus": 64_000, "median_job_s": 40 * 3600, "activity": 0.9}
    assert found(plain(name)).pool is Pool.BURST
    assert found(plain(name, milli_gpu_seconds=cube.total, **facts), cube=cube).pool is Pool.TRAINING


def shaped(hours: np.ndarray, amount: np.ndarray, **facts: Any) -> Classification:
    zeros = np.zeros(len(hours), dtype=np.int64)
    cube = cube_from_entries(HOURS, ("H100",), zeros, zeros, hours.astype(np.int64), amount.astype(np.int64))
    workload = plain("main.py", milli_gpu_seconds=cube.total, **facts)
    return found(workload, cube=cube)


def test_shape_alone_tells_a_service_a_long_run_and_a_weekly_batch() -> None:
    every = np.arange(HOURS)
    wave = GPU_HOUR * (4 + 2 * np.sin(2 * np.pi * every / 24))
    service = shaped(every, wave, max_milli_gpus=1000, median_job_s=400_000)
    assert (service.pool, service.confidence >= 0.60) == (Pool.INFERENCE, True)
    run = np.arange(200, 900)
    long_run = shaped(
        run, np.full(700, 32 * GPU_HOUR), max_nodes=4, max_milli_gpus=32_000, median_job_s=24 * 3600
    )
    assert (long_run.pool, long_run.confidence >= 0.60) == (Pool.TRAINING, True)
    batch = every[every % 168 < 3]
    weekly = shaped(
        batch, np.full(len(batch), GPU_HOUR), max_milli_gpus=1000, median_job_s=1800, gpu_jobs=600
    )
    assert (weekly.pool, weekly.confidence >= 0.60) == (Pool.BURST, True)
    assert service.confidence < 0.85 > long_run.confidence


def test_many_runs_of_hours_are_a_list_and_runs_that_idle_are_held() -> None:
    every = np.arange(HOURS)
    part_time = every[every % 30 < 20]
    facts = {"max_milli_gpus": 8000, "max_nodes": 1, "median_job_s": 12 * 3600}
    amount = np.full(len(part_time), 8 * GPU_HOUR)
    few, many = (shaped(part_time, amount, gpu_jobs=jobs, **facts) for jobs in (60, 1200))
    assert (few.pool, many.pool) == (Pool.TRAINING, Pool.BURST)
    busy, idle = (shaped(part_time, amount, gpu_jobs=60, activity=share, **facts) for share in (0.9, 0.01))
    assert (busy.pool, idle.pool) == (Pool.TRAINING, Pool.BURST)
    assert str(idle.reasons[0]) != str(busy.reasons[0])


def test_many_jobs_that_come_and_go_with_the_working_day_are_replicas() -> None:
    every = np.arange(HOURS)
    day = every[(every % 24 >= 8) & (every % 24 < 18) & (every // 24 % 7 < 5)]
    facts = {"max_milli_gpus": 1000, "max_nodes": 1, "median_job_s": 10 * 3600}
    replicas = shaped(day, np.full(len(day), 20 * GPU_HOUR), gpu_jobs=1200, **facts)
    desk = shaped(day, np.full(len(day), GPU_HOUR), gpu_jobs=60, **facts)
    assert (replicas.pool, desk.pool) == (Pool.INFERENCE, Pool.BURST)


def test_without_tables_everything_is_unknown_and_in_review() -> None:
    answer = classify([plain("vllm")], empty_cube(1), {}, type(TABLES)())[0]
    assert answer.confidence == pytest.approx(1 / 3)
    assert classify([], empty_cube(1), {}, TABLES) == ()


def test_every_row_of_the_tables_can_be_read_and_says_why() -> None:
    assert {rule.pool for rule in TABLES.class_rules} == set(Pool)
    for rule in TABLES.class_rules:
        assert rule.field in ("name", "queue", "owner")
        assert 1 / 3 < rule.confidence < 1
        assert "“x”" in str(WordHit(rule, "x").reason)
    ids = [rule.rule_id for rule in (*TABLES.class_rules, *TABLES.pod_rules)]
    assert len(set(ids)) == len(ids)
    assert TABLES.context_rule_ids and set(ids) > TABLES.context_rule_ids
    assert {row.signal for row in TABLES.score_rows} <= set(shape_signals([plain("x")], empty_cube(HOURS)))
    for row in TABLES.score_rows:
        assert row.low < row.high
        assert row.reason.format(value=0.5)


@pytest.mark.parametrize(
    ("name", "pool"),
    [
        *((f"m-{word}-b", Pool.TRAINING) for word in ("train", "pretrain", "sft", "dpo", "fsdp", "torchrun")),
        *(
            (f"m-{word}-b", Pool.INFERENCE)
            for word in ("vllm", "triton", "tgi", "serve", "endpoint", "sglang")
        ),
        *((f"m-{word}-b", Pool.BURST) for word in ("sweep", "hpo", "eval", "etl", "jupyter", "dev", "bench")),
    ],
)
def test_one_job_that_fills_the_window_does_not_outweigh_the_words_of_the_model(
    name: str, pool: Pool
) -> None:
    every = np.arange(HOURS)
    zeros = np.zeros(HOURS, dtype=np.int64)
    cube = cube_from_entries(HOURS, ("H100",), zeros, zeros, every, zeros + 8 * GPU_HOUR)
    facts = {"max_milli_gpus": 8000, "median_job_s": HOURS * 3600, "activity": 0.5, "max_nodes": 1}
    assert found(plain(name, milli_gpu_seconds=cube.total, **facts), cube=cube).pool is pool


def test_a_word_that_shape_does_not_support_is_doubted() -> None:
    every = np.arange(HOURS)
    zeros = np.zeros(HOURS, dtype=np.int64)
    cube = cube_from_entries(HOURS, ("H100",), zeros, zeros, every, zeros + GPU_HOUR)
    facts = {"max_milli_gpus": 1000, "median_job_s": HOURS * 3600, "milli_gpu_seconds": cube.total}
    held, served = (
        found(plain("my-notebook", **facts), cube=cube),
        found(plain("my-vllm", **facts), cube=cube),
    )
    assert held.pool is Pool.BURST and served.pool is Pool.INFERENCE
    assert held.confidence < found(plain("my-notebook")).confidence < served.confidence
    assert str(held.reasons[1]).startswith("but ")


def test_the_shape_of_training_is_not_held_against_a_simulation() -> None:
    run = np.arange(200, 900)
    zeros = np.zeros(len(run), dtype=np.int64)
    cube = cube_from_entries(HOURS, ("H100",), zeros, zeros, run, zeros + 64 * GPU_HOUR)
    facts = {"max_nodes": 8, "max_milli_gpus": 64_000, "median_job_s": 20 * 3600}
    answer = found(plain("gromacs-npt", milli_gpu_seconds=cube.total, **facts), cube=cube)
    assert (answer.pool, answer.subtype) == (Pool.BURST, "simulation")
    assert answer.confidence >= 0.60
    assert found(plain("x", milli_gpu_seconds=cube.total, **facts), cube=cube).pool is Pool.TRAINING


# --- Shape: each signal on hours that are worked out by hand, and unknown where nothing can be said

SHAPE_HOURS = 8 * 168


def signals(
    hours: np.ndarray, gpus: np.ndarray | float = 1.0, window: int = SHAPE_HOURS, **facts: Any
) -> dict[str, float]:
    amount = np.broadcast_to(np.asarray(gpus) * GPU_HOUR, hours.shape).astype(np.int64)
    zeros = np.zeros(len(hours), dtype=np.int64)
    cube = cube_from_entries(window, ("H100",), zeros, zeros, hours.astype(np.int64), amount)
    known = {"gpu_jobs": 8, "max_milli_gpus": 1000} | facts
    one = Workload(key="k", name="n", cluster="c", owner="o", milli_gpu_seconds=cube.total, **known)
    return {name: float(values[0]) for name, values in shape_signals([one], cube).items()}


EVERY = np.arange(SHAPE_HOURS)


def test_four_hours_of_five_are_mostly_on_and_one_less_is_not():
    hours = np.arange(1340)
    often = hours[hours % 5 > 0]
    assert signals(often, window=1340, median_job_s=400 * 3600)["mostly_on_stretch_hours"] == 4.0
    assert np.isnan(signals(often[1:], window=1340, median_job_s=400 * 3600)["mostly_on_stretch_hours"])


def test_a_flat_service_is_on_all_the_time_without_a_pause() -> None:
    found = signals(EVERY, 4.0, median_job_s=400 * 3600)
    assert found["duty_cycle"] == 1
    assert found["always_on_flatness"] == pytest.approx(1)
    assert found["always_on_daily_wave"] == pytest.approx(0)
    assert found["always_on_jobs_at_once"] == 4
    assert found["mostly_on_stretch_hours"] == SHAPE_HOURS
    assert np.isnan(found["part_time_flatness"]) and np.isnan(found["part_time_daily_peak"])


def test_a_wave_of_the_day_is_measured_as_it_was_made() -> None:
    found = signals(EVERY, 10 * (1 + 0.3 * np.sin(2 * np.pi * EVERY / 24)))
    assert found["always_on_daily_wave"] == pytest.approx(0.3, abs=1e-6)
    assert found["always_on_flatness"] == pytest.approx(1 / (1 + 0.3**2 / 2), abs=1e-6)


def test_runs_with_pauses_stop_as_often_as_they_end() -> None:
    runs = EVERY[EVERY % 50 < 45]
    found = signals(runs, median_job_s=45 * 3600)
    assert found["duty_cycle"] == pytest.approx(0.9, abs=0.01)
    assert found["mostly_on_stretch_hours"] == pytest.approx(45, abs=1)
    assert np.isnan(signals(runs, median_job_s=3600)["mostly_on_stretch_hours"])


def test_what_runs_at_the_same_hour_each_day_peaks_and_never_rests() -> None:
    nightly = signals(EVERY[EVERY % 24 == 2])
    assert nightly["part_time_daily_peak"] == pytest.approx(1)
    assert nightly["quiet_days"] == pytest.approx(2 / 7)
    spread = signals(EVERY[EVERY % 3 == 0])
    assert spread["part_time_daily_peak"] == pytest.approx(0, abs=1e-9)


def test_working_days_leave_two_quiet_days_wherever_the_week_begins() -> None:
    for first in (0, 50, 130):
        at_work = EVERY[((EVERY - first) % 168 < 120) & (EVERY % 24 >= 9) & (EVERY % 24 < 17)]
        assert signals(at_work)["quiet_days"] == pytest.approx(0)


def test_few_days_and_short_windows_say_nothing_of_rhythm() -> None:
    few = signals(EVERY[(EVERY % 24 == 2) & (EVERY < 240)])
    assert np.isnan(few["part_time_daily_peak"]) and np.isnan(few["quiet_days"])
    day = signals(np.arange(24), window=24)
    assert np.isnan(day["duty_cycle"]) and np.isnan(day["jobs_per_week"])


def test_bunches_of_jobs_are_not_flat() -> None:
    gpus = np.where(EVERY[:400] % 40 == 0, 30.0, 1.0)
    assert signals(EVERY[:400], gpus)["part_time_flatness"] < 0.2
    assert signals(EVERY[:400], 8.0)["part_time_flatness"] == pytest.approx(1)


@pytest.mark.parametrize(("median_job_s", "is_long"), [(3 * 3600 - 1, False), (3 * 3600, True)])
def test_size_and_activity_of_runs_are_not_those_of_short_jobs(median_job_s: int, is_long: bool) -> None:
    found = signals(EVERY[:200], median_job_s=median_job_s, max_nodes=8, max_milli_gpus=64_000, activity=0.9)
    long, short = (
        ("long_run_nodes", "long_run_gpus", "long_run_activity"),
        ("short_jobs_per_week", "short_jobs_activity"),
    )
    assert [np.isnan(found[name]) for name in long] == [not is_long] * 3
    assert [np.isnan(found[name]) for name in short] == [is_long] * 2
    assert found["largest_job_nodes"] == 8


def test_a_workload_without_hours_or_jobs_has_no_shape() -> None:
    found = signals(np.zeros(0, dtype=np.int64), gpu_jobs=0, max_milli_gpus=0)
    assert all(np.isnan(value) for value in found.values())


def test_runs_are_counted_by_the_week_where_there_are_pauses_between() -> None:
    part_time = EVERY[EVERY % 10 < 5]
    found = signals(part_time, gpu_jobs=400, median_job_s=4 * 3600)
    assert found["long_runs_per_week"] == found["jobs_per_week"] == 50
    assert np.isnan(signals(part_time, gpu_jobs=400, median_job_s=3600)["long_runs_per_week"])
    assert np.isnan(signals(EVERY, gpu_jobs=400, median_job_s=4 * 3600)["long_runs_per_week"])
    wide = signals(part_time, gpu_jobs=400, median_job_s=4 * 3600, max_nodes=2)
    assert np.isnan(wide["long_runs_per_week"])


@pytest.mark.parametrize(("median_job_h", "is_a_workday"), [(7, False), (8, True), (15, True), (16, False)])
def test_jobs_of_a_working_day_last_as_long_and_follow_the_day(median_job_h: int, is_a_workday: bool) -> None:
    all_days = EVERY[(EVERY % 24 >= 8) & (EVERY % 24 < 18)]
    by_day = all_days[all_days // 24 % 7 < 5]
    facts = {"gpu_jobs": 800, "median_job_s": median_job_h * 3600}
    assert (signals(by_day, **facts)["workday_jobs_per_week"] == 100) == is_a_workday
    assert np.isnan(signals(by_day, **facts)["long_runs_per_week"]) == is_a_workday
    assert np.isnan(signals(all_days, **facts)["workday_jobs_per_week"])
    assert np.isnan(signals(EVERY[EVERY % 24 == 2], **facts)["workday_jobs_per_week"])


@pytest.mark.parametrize(("hours", "is_always_on"), [(900, True), (899, False)])
def test_nine_hours_of_ten_are_always_on(hours: int, is_always_on: bool) -> None:
    result = signals(
        np.arange(hours), window=1000, activity=0.5, median_job_s=HOUR_S * 4, gpu_jobs=7, max_nodes=1
    )
    for name in (
        "always_on_flatness",
        "always_on_daily_wave",
        "always_on_activity",
        "always_on_jobs_at_once",
    ):
        assert math.isnan(result[name]) is not is_always_on
    for name in ("part_time_flatness", "part_time_daily_peak", "long_run_activity", "long_runs_per_week"):
        assert math.isnan(result[name]) is is_always_on
    short = signals(np.arange(hours), window=1000, activity=0.5, median_job_s=60)
    assert math.isnan(short["short_jobs_activity"]) is is_always_on


def test_a_week_is_the_least_that_says_how_often() -> None:
    for window, per_week in ((167, None), (168, 7.0), (336, 3.5)):
        result = signals(np.arange(100), window=window, gpu_jobs=7)
        for name in ("duty_cycle", "jobs_per_week"):
            assert math.isnan(result[name]) is (per_week is None)
        if per_week is not None:
            assert (result["jobs_per_week"], result["duty_cycle"]) == (per_week, pytest.approx(100 / window))


def test_days_and_weeks_that_recur_are_twelve_and_four() -> None:
    """Each day at 2:00: eleven days are too few, and three days of each of four weeks are enough."""
    nightly = EVERY[EVERY % 24 == 2]
    assert math.isnan(signals(nightly[:11])["part_time_daily_peak"])
    assert signals(nightly[:12])["part_time_daily_peak"] == pytest.approx(1)
    three = EVERY[(EVERY % 24 == 2) & (EVERY // 24 % 7 < 3)]
    for days, is_rest, recurs in ((12, True, True), (11, False, True), (9, False, False)):
        result = signals(three[:days])
        assert math.isnan(result["quiet_days"]) is not is_rest
        assert math.isnan(result["weekly_recurrence"]) is not recurs


def test_the_busiest_24_and_the_quietest_48_hours_of_a_week() -> None:
    """3 GPUs on Mondays and 1 on Tuesdays: 72 of 96. All week alike, 24 and 48 of 168; the quietest may pass Sunday."""
    days = EVERY[EVERY % 168 < 48]
    result = signals(days, np.where(days % 168 < 24, 3.0, 1.0))
    assert result["weekly_recurrence"] == pytest.approx(72 / 96)
    assert signals(EVERY)["weekly_recurrence"] == pytest.approx(24 / 168)
    assert signals(EVERY)["quiet_days"] == pytest.approx(48 / 168)
    across = signals(EVERY, np.where((EVERY % 168 < 24) | (EVERY % 168 >= 144), 1.0, 5.0))
    assert across["quiet_days"] == pytest.approx(48 / (48 + 5 * 120))


@pytest.mark.parametrize(
    ("noon", "midnight", "weekend", "is_a_workday"),
    [
        (37, 3, 0, False),  # a peak of 34 / 40 = 0.85
        (36, 4, 0, True),
        (65, 35, 0, True),  # 0.3
        (64, 36, 0, False),
        (36, 4, 1, True),
        (36, 4, 5, True),
        (36, 4, 10, False),  # of 5 days of 40 and two of 11.1 a tenth is 22.2
        (36, 4, 12, False),
    ],
)
def test_a_workday_follows_the_day_and_rests(
    noon: int, midnight: int, weekend: int, is_a_workday: bool
) -> None:
    """At noon and at midnight of five days, on the other two at noon and midnight as well, a share of it."""
    hours = EVERY[EVERY % 12 == 0]
    of_day = np.where(hours % 24 == 12, noon, midnight)
    gpus = np.where(hours // 24 % 7 < 5, of_day * 9.0, of_day * weekend * 9.0 / 36)
    result = signals(hours[gpus > 0], gpus[gpus > 0], median_job_s=9 * HOUR_S, gpu_jobs=80)
    assert math.isnan(result["workday_jobs_per_week"]) is not is_a_workday


def test_sizes_lengths_and_failures_are_as_they_are() -> None:
    part_time = EVERY[:400]
    result = signals(
        part_time,
        4.0,
        max_milli_gpus=2500,
        median_job_s=5400,
        max_nodes=3,
        failed_milli_gpu_seconds=400 * GPU_HOUR,
    )
    assert (result["largest_job_gpus"], result["largest_job_nodes"]) == (2.5, 3)
    assert (result["median_job_hours"], result["median_job_minutes"]) == (1.5, 90)
    assert (result["median_hours_on_few_nodes"], result["failed_share"]) == (1.5, 0.25)
    assert math.isnan(signals(part_time, max_nodes=4, median_job_s=5400)["median_hours_on_few_nodes"])
    assert signals(part_time, median_job_s=5400)["median_hours_on_few_nodes"] == 1.5
    assert signals(EVERY, 5.0, max_milli_gpus=2000)["always_on_jobs_at_once"] == 2.5
    list_of_runs = {"gpu_jobs": 80, "median_job_s": 4 * HOUR_S}
    assert signals(part_time, max_nodes=1, **list_of_runs)["long_runs_per_week"] == 10
    assert signals(part_time, **list_of_runs)["long_runs_per_week"] == 10


def test_use_begins_anew_with_each_pause_and_each_model() -> None:
    """One workload has 100 hours on a model and 68 on another, the next has 80, 10 and 60 with pauses between."""
    rows = [(0, 0, hour) for hour in range(100)] + [(0, 1, hour) for hour in range(100, 168)]
    rows += [(1, 0, hour) for hour in range(168) if not (80 <= hour < 89 or 99 <= hour < 108)]
    columns = [np.array(column, dtype=np.int64) for column in zip(*rows, strict=True)]
    cube = cube_from_entries(168, ("A", "B"), *columns, np.full(len(rows), GPU_HOUR, dtype=np.int64))
    works = [Workload(key=name, name=name, cluster="c", owner="o", median_job_s=9 * HOUR_S) for name in "ab"]
    result = shape_signals(works, cube)
    assert result["mostly_on_stretch_hours"].tolist() == [84.0, 50.0]
    assert result["duty_cycle"].tolist() == pytest.approx([1.0, 150 / 168])
    both = [(0, model, hour) for model in (0, 1) for hour in range(168)]
    columns = [np.array(column, dtype=np.int64) for column in zip(*both, strict=True)]
    cube = cube_from_entries(168, ("A", "B"), *columns, np.full(len(both), GPU_HOUR, dtype=np.int64))
    assert shape_signals(works[:1], cube)["duty_cycle"].tolist() == [1.0]  # an hour is there once


# --- Points of words by hand: the surest in full, the others and what is outdone a quarter


@pytest.mark.parametrize(
    ("hits", "points"),
    [
        ([], (0.0, 0.0)),
        ([("name", "training", 0.9, False)], (math.log(18), 0.0)),
        (
            [("name", "training", 0.9, False), ("name", "training", 0.8, False)],
            (math.log(18) + math.log(8) / 4, 0.0),
        ),
        ([("name", "training", 0.9, False), ("name", "burst", 0.8, False)], (math.log(18), math.log(8))),
        # a subject and a queue count a quarter beside a sure word of another class, in full beside one of their own
        (
            [("name", "training", 0.85, False), ("name", "burst", 0.8, True)],
            (math.log(1.7 / 0.15), math.log(8) / 4),
        ),
        (
            [("name", "training", 0.84, False), ("name", "burst", 0.8, True)],
            (math.log(1.68 / 0.16), math.log(8)),
        ),
        ([("name", "training", 0.9, False), ("queue", "burst", 0.8, False)], (math.log(18), math.log(8) / 4)),
        ([("name", "training", 0.9, True), ("name", "burst", 0.8, True)], (math.log(18), math.log(8))),
        ([("queue", "training", 0.9, False), ("name", "burst", 0.8, True)], (math.log(18), math.log(8))),
        (
            [("name", "burst", 0.9, False), ("queue", "burst", 0.8, False)],
            (0.0, math.log(18) + math.log(8) / 4),
        ),
    ],
)
def test_words_give_points_to_their_class(
    hits: list[tuple[str, str, float, bool]], points: tuple[float, float]
) -> None:
    """A word that is right in a share p of names gives ln(2p / (1 - p)): 18 to 1 at 0.9, 8 to 1 at 0.8."""
    rules = [
        ClassRule(
            rule_id=f"{at}", field=field, pattern="x", pool=Pool(pool), subtype="", confidence=sure, reason=""
        )
        for at, (field, pool, sure, _) in enumerate(hits)
    ]
    contexts = {f"{at}" for at, (*_, is_context) in enumerate(hits) if is_context}
    given = dict(zip(POOLS, word_points([WordHit(rule, "x") for rule in rules], contexts), strict=True))
    assert (given[Pool.TRAINING], given[Pool.BURST]) == pytest.approx(points)
    assert given[Pool.INFERENCE] == 0.0


# --- Confidence by hand: one word, one further word, and one row of shape


def row_of_shape(pool: Pool, odds: float) -> ScoreRow:
    """From 1 to under 4 GPUs a job, the class is so many times as likely as each of the others."""
    return ScoreRow(signal="largest_job_gpus", low=1, high=4, pool=pool, points=math.log(odds), reason="")


def word(pattern: str, pool: Pool, confidence: float) -> ClassRule:
    return ClassRule(
        rule_id=pattern,
        field="name",
        pattern=pattern,
        pool=pool,
        subtype="",
        confidence=confidence,
        reason="",
    )


SFT, LOW, NB = (
    word("sft", Pool.TRAINING, 0.9),  # odds 2 x 0.9 / 0.1 = 18
    word("low", Pool.TRAINING, 0.6),  # odds 2 x 0.6 / 0.4 = 3
    word("nb", Pool.BURST, 0.6),
)


@pytest.mark.parametrize(
    ("name", "row", "gpus", "pool", "confidence"),
    [
        ("sft", row_of_shape(Pool.INFERENCE, 4), 0, Pool.TRAINING, 18 / 20),
        ("sft", row_of_shape(Pool.INFERENCE, 4), 4, Pool.TRAINING, 18 / 20),  # 4 is no longer under 4
        # half as likely by shape as by chance: half of DOUBT, 0.35, is lost
        ("sft", row_of_shape(Pool.INFERENCE, 4), 1, Pool.TRAINING, 18 / 23 * (1 - 0.35 / 2)),
        ("sft low", row_of_shape(Pool.INFERENCE, 4), 0, Pool.TRAINING, 18 * 3**0.25 / (18 * 3**0.25 + 2)),
        (
            "low",
            row_of_shape(Pool.TRAINING, 4),
            2,
            Pool.TRAINING,
            0.8,
        ),  # 12 / 14 is over what weak words reach
        ("nb", row_of_shape(Pool.TRAINING, 20), 2, Pool.TRAINING, 0.8),  # 20 / 24 by shape against the word
        ("nb", row_of_shape(Pool.TRAINING, 6), 2, Pool.TRAINING, 6 / 10),
        ("x", row_of_shape(Pool.INFERENCE, 3), 2, Pool.INFERENCE, 3 / 5),
    ],
)
def test_confidence_is_worked_out_from_odds(name, row, gpus, pool, confidence) -> None:
    tables = Tables(class_rules=(SFT, LOW, NB), score_rows=(row,))
    (answer,) = classify([plain(name, max_milli_gpus=gpus * 1000)], empty_cube(HOURS), {}, tables)
    assert (answer.pool, answer.confidence) == (pool, pytest.approx(confidence))


@pytest.mark.parametrize(
    ("points", "reasons"), [((1.0, 2.0, 3.0), "cba"), ((2.0, 2.0, 3.0), "cab"), ((3.0, 2.0, 1.0), "abc")]
)
def test_reasons_of_shape_are_those_of_most_points_of_the_class(
    points: tuple[float, ...], reasons: str
) -> None:
    """Rows of inference that match 2 GPUs; beside them a row of another class, and one that does not match."""
    rows = [
        ScoreRow(
            signal="largest_job_gpus",
            low=1,
            high=4,
            pool=Pool.INFERENCE,
            points=each,
            reason=f"{name} {{value}}",
            subtype=name * (name != "a"),
        )
        for name, each in zip("abc", points, strict=True)
    ]
    others = [
        ScoreRow(
            signal="largest_job_gpus", low=1, high=4, pool=Pool.BURST, points=0.5, reason="no", subtype="no"
        ),
        ScoreRow(
            signal="largest_job_gpus",
            low=2.1,
            high=4,
            pool=Pool.INFERENCE,
            points=9.0,
            reason="no",
            subtype="no",
        ),
        ScoreRow(
            signal="largest_job_gpus",
            low=1,
            high=2,
            pool=Pool.INFERENCE,
            points=9.0,
            reason="no",
            subtype="no",
        ),
        ScoreRow(
            signal="unheard_of", low=0, high=9, pool=Pool.INFERENCE, points=9.0, reason="no", subtype="no"
        ),
    ]
    work = plain("x", max_milli_gpus=2000)
    (answer,) = classify([work], empty_cube(HOURS), {}, Tables(score_rows=(*others, *rows)))
    assert (answer.pool, answer.source, answer.subtype) == (Pool.INFERENCE, "score", "b")
    assert [str(reason) for reason in answer.reasons] == [f"{name} 2" for name in reasons]
    assert answer.confidence == pytest.approx(0.8) and answer.runner_up is Pool.BURST


def test_reasons_are_words_and_then_what_speaks_against_them() -> None:
    """sft and low are training, nb is burst; the shape is twice as likely inference as each of the others."""
    rules = tuple(replace(each, reason="{word}") for each in (SFT, LOW, NB))
    shape = ScoreRow(
        signal="largest_job_gpus", low=1, high=4, pool=Pool.INFERENCE, points=math.log(2), reason="wide"
    )
    tables = Tables(class_rules=rules, score_rows=(shape,))

    def reasons(name: str, stated: Pool | None = None) -> list[str]:
        work = plain(name, max_milli_gpus=2000)
        labels = {} if stated is None else {work.key: stated}
        (answer,) = classify([work], empty_cube(HOURS), labels, tables)
        return [str(reason) for reason in answer.reasons]

    assert reasons("sft low nb") == ["sft", "low", "but nb"]
    assert reasons("sft")[:2] == ["sft", "but wide"]
    assert reasons("sft nb")[:2] == ["sft", "but nb"]
    assert reasons("sft nb", stated=Pool.BURST)[1:3] == ["but sft", "nb"]
    assert reasons("sft", stated=Pool.INFERENCE)[1:3] == ["but sft", "wide"]
    assert reasons("x")[0] == "wide" and len(reasons("x")) == 3


def test_what_somebody_said_is_as_sure_as_they_are() -> None:
    """A label is certain, a rule of the planner's own as sure as it says; the next likeliest class is another."""
    own = ClassRule(
        rule_id="r", field="name", pattern="sft", pool=Pool.BURST, subtype="sweep", confidence=0.96, reason=""
    )
    tables = Tables(class_rules=(SFT,))
    for label, override, rules, sure, source, subtype in (
        (None, Pool.BURST, (), 1.0, "override", "intermittent"),
        (Pool.BURST, None, (own,), 1.0, "label", "intermittent"),
        (None, None, (own,), 0.96, "own_rule", "sweep"),
    ):
        work = plain("sft", label=label)
        labels = {} if override is None else {work.key: override}
        (answer,) = classify([work], empty_cube(HOURS), labels, tables, rules)
        assert (answer.pool, answer.confidence, answer.source) == (Pool.BURST, sure, source)
        assert (str(answer.subtype), answer.runner_up) == (subtype, Pool.TRAINING)
        assert answer.is_settled
    work = plain("sft", label=Pool.TRAINING)
    (answer,) = classify([work], empty_cube(HOURS), {}, tables)
    assert answer.runner_up is not Pool.TRAINING
