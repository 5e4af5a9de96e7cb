"""Fits the shares of their peak that chips reach in training on published measurements, beside those that are shipped.

python3 packaging/fit_training.py FOLDER [--write FILE.csv]

FOLDER has measured.csv.gz and models.csv. The formula is that of gpuplanner/domain/training/run.py; of each run the
share is found at which it predicts the tokens a second that were measured, and a factor is the middle of its runs. Half
of the configurations (model and GPU) are fitted, the other half is predicted: the printed errors are of runs that no
fit has seen.
--write makes a table like resources/training_factors.csv; bands are P10 and P90 over draws of the configurations.
The shipped shares are those of the study that found the formula, and TPUs'; its worked examples come out with them.
This fit lies within 14% of them, of at most two runs within 29%, and is no better on runs kept apart: it checks the
shipped table, and replaces it only where a person copies it there.
"""

import argparse
import csv
import gzip
import sys
import zlib
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from gpuplanner.domain.model.trained import Layout, Method, Recompute, Sharding, Stack, TrainedModel
from gpuplanner.domain.training.choices import with_usual_batch
from gpuplanner.domain.training.run import Efficiency, Factors, Run, step_of, usual_cut
from gpuplanner.files.system.resources import training_facts

PRECISIONS = dict.fromkeys(("BF16", "FP16/BF16", "bf16", "FP16"), "BF16")
PRECISIONS |= dict.fromkeys(("FP8", "MXFP8", "FP8 (rowwise)"), "FP8") | dict.fromkeys(("FP4", "NVFP4"), "FP4")
STACKS = {  # by how the name of the software begins; all else is tuned
    "MLPerf": Stack.MLPERF,
    "Megatron-DeepSpeed": Stack.UNTUNED,
    **dict.fromkeys(
        ("llm-foundry", "torchtitan", "NeMo AutoModel", "fms-fsdp", "litgpt", "InternEvo"), Stack.PLAIN
    ),
}
RECOMPUTED = {"full": Recompute.FULL, "selective": Recompute.SELECTIVE}
SHARDINGS = {"FSDP/ZeRO-3": Sharding.FSDP, "HSDP": Sharding.HSDP}
MOST_SHARE, DRAWS = 3.0, 200
SHARES = np.geomspace(1e-3, MOST_SHARE, 100_000).tolist()
Key = tuple[str, str, str]


class Measured(NamedTuple):
    """A published run: which factor it is of, its configuration, and the share at which the formula gives its rate."""

    key: Key
    configuration: str
    run: Run
    rate: float
    share: float


def number(text: str, usual: float = 0.0) -> float:
    """A cell; `usual` where it is empty."""
    return float(text) if text else usual


def run_of(row: Mapping[str, str], sizes: Mapping[str, Mapping[str, str]]) -> Run | None:
    """The run of a row; None where nobody knows its chip, or how long its sequences are."""
    chips, of = training_facts().chips, sizes.get(row["model"].removesuffix(" LoRA"), row)
    names = [name for name in chips if row["gpu_model"] == name or row["gpu_model"].startswith(f"{name} ")]
    width = number(of.get("attention_width", ""), number(of["hidden"]))
    layers, share = int(number(of["layers"])), of.get("experts_per_token_over_experts", "")
    if not names or not row["sequence"]:
        return None
    model = TrainedModel(
        name=row["model"],
        parameters=number(of["params_b"], number(row["params_b"])) * 1e9,
        active=number(of["active_params_b"], number(row["params_b"])) * 1e9,
        layers=layers,
        hidden=int(number(of["hidden"])),
        attention_layers=int(number(of.get("attention_layers", ""), layers)),
        attention_width=int(width),
        expert_share=float(share) if share else None,
    )
    if row["kind"] == "moe" and model.is_dense:
        return None
    recompute = RECOMPUTED.get(row["activation_checkpointing"], Recompute.NONE)
    layout = Layout(
        tp=int(number(row["tp"], 1)),
        pp=int(number(row["pp"], 1)),
        cp=int(number(row["cp"], 1)),
        ep=int(number(row["ep"], 1)),
        sharding=SHARDINGS.get(row["sharding"], Sharding.ZERO1),
        micro_batch=number(row["micro_batch"], 1),
        recompute=recompute,
        interleave=int(number(row["vp"])) or None,
    )
    stack = next((kind for name, kind in STACKS.items() if row["family"].startswith(name)), Stack.TUNED)
    method = Method.LORA if row["task"] == "lora" else Method.FULL
    gpus, sequence = int(number(row["gpus"])), int(number(row["sequence"]))
    run = Run(
        model=model,
        chip=chips[max(names, key=len)],
        gpus=gpus,
        layout=layout,
        batch=1,
        sequence=sequence,
        precision=PRECISIONS.get(row["precision"], ""),
        stack=stack,
        method=method,
        gpus_per_node=int(number(row["gpus_per_node"], 8)),
        nic_gbps=number(row["nic_gbps"]) or None,
    )
    if not row["tp"] and layout.sharding is not Sharding.FSDP:
        cut = usual_cut(run)
        run = replace(run, layout=replace(layout, tp=min(8, cut), pp=max(1, cut // 8)))
    return with_usual_batch(run, number(row["global_batch"]) or None)


def rate_of(run: Run, key: Key, share: float) -> float:
    """Tokens a second a GPU at a share; 0 where the chip's peak is not known."""
    step = step_of(run, Factors({key: Efficiency(share)}))
    return 0.0 if step is None else step.tokens_per_s_per_gpu


def measured_runs(folder: Path) -> Iterable[Measured]:
    """The rows that a fit may use, each with its share, to 1 in 10,000."""
    with (folder / "models.csv").open(encoding="utf-8") as file:
        sizes = {row["model"]: row for row in csv.DictReader(file)}
    with gzip.open(folder / "measured.csv.gz", "rt", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            run = run_of(row, sizes) if row["kind"] in ("dense", "moe") and row["fit_ok"] == "1" else None
            if run is None:
                continue
            key, step_s = (run.chip.name, run.precision, row["kind"]), number(row["step_s"])
            rate = number(row["tokens_per_s_per_gpu"]) or (
                run.tokens_per_step / run.gpus / step_s if step_s else 0
            )
            if 0 < rate < rate_of(run, key, MOST_SHARE):
                share = bisect_left(SHARES, rate, key=partial(rate_of, run, key))
                yield Measured(
                    key=key,
                    configuration=f"{row['model']}|{row['gpu_model']}",
                    run=run,
                    rate=rate,
                    share=SHARES[share],
                )


def band(mine: list[Measured]) -> list[float]:
    """P10 and P90 of the factor over draws of its configurations; nothing with one configuration."""
    names = sorted({one.configuration for one in mine})
    shares = [[one.share for one in mine if one.configuration == name] for name in names]
    draws = np.random.default_rng(1).integers(0, len(names), (DRAWS, len(names)))
    drawn = [np.median([share for at in draw for share in shares[at]]) for draw in draws.tolist()]
    return np.quantile(drawn, [0.1, 0.9]).tolist() if len(names) > 1 else []


def main() -> None:
    """Fit, print beside what is shipped, try on runs kept apart, and write where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", type=Path)
    words = parser.parse_args()
    runs, shipped = list(measured_runs(words.folder)), training_facts().factors.shares
    found, misses = [], list[float]()
    for key in sorted({one.key for one in runs}):
        mine = [one for one in runs if one.key == key]
        share, old = float(np.median([one.share for one in mine])), shipped.get(key)
        models = {one.run.model.name for one in mine}
        found.append([*key, share, *(band(mine) or ["", ""]), len(mine), len(models)])
        print(f"{'/'.join(key):24} {share:6.3f}  shipped {old.share if old else 0:6.3f}  {len(mine):4} rows")
        halves = [
            [one for one in mine if zlib.crc32(one.configuration.encode()) % 2 == half] for half in (0, 1)
        ]
        for fitted, apart in (halves, halves[::-1]) if all(halves) else ():
            middle = float(np.median([one.share for one in fitted]))
            misses += [abs(rate_of(one.run, key, middle) / one.rate - 1) for one in apart]
    middle, far = np.quantile(misses, [0.5, 0.9])
    print(f"{len(runs)} runs; of {len(misses)} kept apart the median error is {middle:.1%}, P90 {far:.1%}")
    if words.write:
        with words.write.open("w", newline="", encoding="utf-8") as file:
            write = csv.writer(file, lineterminator="\n")
            write.writerow(["gpu_model", "precision", "kind", "share", "low", "high", "rows", "models"])
            write.writerows([f"{one:.3g}" if isinstance(one, float) else one for one in row] for row in found)


if __name__ == "__main__":
    main()
