"""Result files of benchmarks: each form read as a measurement, what is lacking said."""

import json
from dataclasses import replace
from math import isclose
from pathlib import Path

import pytest

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.places import ServingPoint
from gpuplanner.files.lists.served_models import model_named
from gpuplanner.files.lists.serving_results import measured_of, read_measured, read_points
from gpuplanner.files.system.resources import gpu_families, read_served_models

OF_US = {"gpu_model": "H100", "precision": "fp8", "tensor_parallel": 2}
VLLM = {
    "model_id": "meta-llama/Llama-3.1-70B-Instruct", "max_concurrency": 64, "completed": 100,
    "total_input_tokens": 102_400, "total_output_tokens": 25_600, "output_throughput": 1234.5, "median_tpot_ms": 40.0,
}  # fmt: skip
FORMS = {
    "vllm": VLLM | OF_US,
    "sglang": {
        "server_info": {"model_path": "meta-llama/Llama-3.1-70B-Instruct", "tp_size": 2, "quantization": "fp8"},
        "gpu_model": "H100", "max_concurrency": 64, "random_input_len": 2048, "random_output_len": 512,
        "random_range_ratio": 0.0, "completed": 100, "total_input_tokens": 102_400, "total_output_tokens": 25_600,
        "output_throughput": 1234.5,
    },
    "aiperf": {
        "tensor_parallel": 2, "precision": "fp8",
        "telemetry_data": {"endpoints": {"localhost:9400": {"gpus": {"gpu_0": {"gpu_name": "NVIDIA H100 80GB HBM3"}}}}},
        "input_config": {
            "endpoint": {"model_names": ["meta-llama/Llama-3.1-70B-Instruct"]}, "loadgen": {"concurrency": 64},
        },
        "input_sequence_length": {"avg": 1024.0, "unit": "tokens"}, "output_sequence_length": {"avg": 256.0},
        "output_token_throughput": {"avg": 1234.5, "unit": "tokens/sec"}, "inter_token_latency": {"avg": 40.0},
    },
    "genai_perf": OF_US | {
        "input_config": {
            "model_names": ["meta-llama/Llama-3.1-70B-Instruct"],
            "perf_analyzer": {"stimulus": {"concurrency": 64}},
        },
        "input_sequence_length": {"avg": 1024}, "output_sequence_length": {"avg": 256},
        "output_token_throughput": {"avg": 1234.5},
    },
    "genai_perf_2024": OF_US | {
        "input_config": {"model": ["meta-llama/Llama-3.1-70B-Instruct"], "concurrency": 64, "service_kind": "openai"},
        "input_sequence_length": {"avg": 1024}, "output_sequence_length": {"avg": 256},
        "output_token_throughput": {"unit": "tokens/sec", "avg": 1234.5},
    },
    "inferencex": [{
        "hw": "h100-trt", "model": "nvidia/Llama-3.1-70B-Instruct-FP8", "tp": 2, "conc": 64, "precision": "fp8",
        "isl": 1024, "osl": 256, "output_tput_per_gpu": 617.25, "median_tpot": 0.04,
    }],
    "llm_d": {
        "scenario": {
            "model": {"name": "meta-llama/Llama-3.1-70B-Instruct", "quantization": "fp8"},
            "host": {"accelerator": [{"model": "H100", "count": 2, "parallelism": {"tp": 2}}]},
            "load": {"args": {"max_concurrency": 64}},
        },
        "metrics": {
            "requests": {"input_length": {"mean": 1024}, "output_length": {"mean": 256}},
            "throughput": {"output_tokens_per_sec": 1234.5},
        },
    },
    "llm_d_0.2": {
        "scenario": {
            "stack": [{"standardized": {
                "model": {"name": "meta-llama/Llama-3.1-70B-Instruct", "quantization": "fp8"},
                "accelerator": {"model": "NVIDIA-H100-80GB-HBM3", "count": 2, "parallelism": {"tp": 2, "dp": 1}},
            }}],
            "load": {"standardized": {"tool": "vllm-benchmark", "concurrency": 64}},
        },
        "results": {"request_performance": {"aggregate": {
            "requests": {"input_length": {"mean": 1024}, "output_length": {"mean": 256}},
            "throughput": {"input_token_rate": {"mean": 4938.0}, "output_token_rate": {"mean": 1234.5}},
        }}},
    },
}  # fmt: skip
LLM_D_YAML = """# Schema version for this entire benchmark report
version: '0.2'
scenario:
  stack:
  - metadata: # Details about this component
      label: vllm-svc-0
    standardized:
      model:
        name: meta-llama/Llama-3.1-70B-Instruct
        quantization: "fp8"
      accelerator:
        model: NVIDIA-H100-80GB-HBM3 # as the driver says it
        parallelism:
          tp: 2
  - metadata:
      label: epp-0
    standardized:
      model:
        name: none
  load:
    standardized:
      concurrency: 64
results:
  request_performance:
    aggregate:
      requests:
        input_length:
          mean: 1024.0
        output_length:
          mean: 256.0
      throughput:
        output_token_rate:
          mean: 1234.5
"""
MLPERF = """MLPerf Results Summary
Scenario : Offline
Tokens per second : 1234.5
model : meta-llama/Llama-3.1-70B-Instruct
gpu_model : H100
precision : fp8
tensor_parallel : 2
concurrency : 64
input_tokens : 1024
output_tokens : 256
"""
TABLE = (
    "model,gpu_model,tensor_parallel,precision,concurrency,input_tokens,output_tokens,tpot_ms\n"
    "Llama-3.1-70B,H100,2,FP8,64,1024,256,51.84\n"
)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_one_measurement(form: str, tmp_path: Path) -> None:
    path = tmp_path / f"{form}.json"
    path.write_text(json.dumps(FORMS[form]), encoding="utf-8")
    (found,) = read_measured(str(path))
    point = found
    known, gpu = model_named(point.model, read_served_models()), gpu_families().facts(point.gpu_model)
    assert known is not None and gpu is not None and (known.name, gpu.name) == ("Llama 3.1 70B", "H100")
    assert (point.tensor_parallel, point.precision, point.concurrency) == (2, "FP8", 64)
    assert (point.input_tokens, point.output_tokens, found.source) == (1024, 256, f"{form}.json")
    assert isclose(found.tokens_per_s, 1234.5)


def test_the_runs_of_a_model_are_those_that_name_it(tmp_path: Path) -> None:
    path = tmp_path / "runs.csv"
    path.write_text(f"{TABLE}Qwen3-8B,H100,1,FP8,8,1024,256,9.5\n", encoding="utf-8")
    models = {model.name: model for model in read_served_models()}
    (run,) = measured_of(str(path), models["Llama 3.1 70B"])
    assert run.model == "Llama-3.1-70B"
    with pytest.raises(PlannerError, match="no run of"):
        measured_of(str(path), models["Llama 3.1 8B"])


def test_a_report_in_yaml_is_that_in_json(tmp_path: Path) -> None:
    written, plain = tmp_path / "report.yaml", tmp_path / "report.json"
    written.write_text(LLM_D_YAML, encoding="utf-8")
    plain.write_text(json.dumps(FORMS["llm_d_0.2"]), encoding="utf-8")
    (found,), (wanted,) = read_measured(str(written)), read_measured(str(plain))
    assert replace(found, source="") == replace(wanted, source="")


def test_a_summary_of_lines_and_a_table(tmp_path: Path) -> None:
    summary, table = tmp_path / "mlperf_log_summary.txt", tmp_path / "own.csv"
    summary.write_text(MLPERF, encoding="utf-8")
    table.write_text(TABLE, encoding="utf-8")
    assert read_measured(str(summary))[0].tokens_per_s == 1234.5
    assert isclose(read_measured(str(table))[0].tokens_per_s, 64 / 51.84e-3)


@pytest.mark.parametrize(
    "odd",
    [
        {"output_throughput": None, "completed": "abc", "total_output_tokens": "x"},
        {"output_throughput": 1e400},
    ],
)
def test_what_is_no_number_is_not_counted(odd: dict[str, object], tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    path.write_text(json.dumps({**VLLM, **OF_US, "median_tpot_ms": 0, **odd}), encoding="utf-8")
    with pytest.raises(PlannerError, match="missing"):
        read_measured(str(path))


def test_what_a_run_does_not_say_is_named(tmp_path: Path) -> None:
    path = tmp_path / "vllm.json"
    path.write_text(json.dumps(VLLM), encoding="utf-8")
    with pytest.raises(PlannerError, match="gpu_model, tensor_parallel, precision"):
        read_measured(str(path))
    path.write_text(
        json.dumps({**VLLM, **OF_US, "output_throughput": 0, "median_tpot_ms": 0}), encoding="utf-8"
    )
    with pytest.raises(PlannerError, match="output_tokens_per_s"):
        read_measured(str(path))


def test_a_server_that_states_its_dtype_alone_is_of_that_precision(tmp_path: Path) -> None:
    path = tmp_path / "sglang.jsonl"
    server = {
        "model_path": "meta-llama/Llama-3.1-70B",
        "tp_size": 4,
        "quantization": None,
        "dtype": "bfloat16",
    }
    run = {"gpu_model": "H100", "max_concurrency": 64, "random_input_len": 1000, "random_output_len": 250}
    path.write_text(json.dumps({**run, "output_throughput": 1250.0, "server_info": server}) + "\n")
    (found,) = read_measured(str(path))
    assert (found.precision, found.tensor_parallel, found.tokens_per_s) == ("BF16", 4, 1250.0)


COLUMNS = "model,gpu_model,tensor_parallel,precision,concurrency,input_tokens,output_tokens"


def test_points_are_rows_of_numbers_above_0_and_their_lines(tmp_path: Path) -> None:
    """Prompts alone may be empty; a part of a GPU is one, and a precision is ours where it has other names."""
    path = tmp_path / "points.csv"
    path.write_text(
        f"{COLUMNS.upper()}\nm,H100,2,fp16,64,0,100\nm,H100,1,fp8,x,1,1\nm,H100,1,fp8,1,1,0\nm,H100,1,fp8,-1,1,1\n"
        " m , H100 ,0.4,int3,1.5,10,1\n"
    )
    first, *wrong, last = read_points(str(path))
    assert first == (
        2,
        ServingPoint(
            model="m",
            gpu_model="H100",
            tensor_parallel=2,
            precision="BF16",
            concurrency=64.0,
            input_tokens=0.0,
            output_tokens=100.0,
        ),
        "",
    )
    assert [line for line, _, _ in wrong] == [3, 4, 5]
    assert [(point, why.split()[0]) for _, point, why in wrong] == [
        (None, "concurrency"),
        (None, "output_tokens"),
        (None, "concurrency"),
    ]
    assert last[0] == 6
    assert last[1] == replace(
        first[1], tensor_parallel=1, precision="INT3", concurrency=1.5, input_tokens=10.0, output_tokens=1.0
    )


def test_points_without_a_column_are_refused_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    path.write_text(COLUMNS.replace("concurrency,", "") + "\nm,H100,2,fp16,0,100\n")
    with pytest.raises(PlannerError) as error:
        read_points(str(path))
    assert error.value.code == "missing_column"
    assert "no column concurrency;" in str(error.value)
