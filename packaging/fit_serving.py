"""Makes resources/serving_factors.csv: the factors of serving, fitted on published measurements, and tries them.

python3 packaging/fit_serving.py MEASURED.csv[.gz] [--write]

The formula is that of gpuplanner/domain/serving/speed.py, called with columns. Half of the configurations (model, GPU,
precision, GPUs of a replica, tokens read and generated) are fitted, the other half is predicted; the printed errors are
of rows that the fit has not seen. Bands of factors are P10 and P90 over fits on draws of the configurations.
"""

import argparse
import csv
import sys
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from gpuplanner.domain.serving.calibration import BYTES_BY_PRECISION, Factors, factor_keys
from gpuplanner.domain.serving.speed import awake_share, prefill_time_s, step_s, token_time_s
from gpuplanner.files.lists.served_models import model_named
from gpuplanner.files.system.resources import gpu_families, read_calibration, read_served_models

OUT = Path(__file__).resolve().parent.parent / "resources" / "serving_factors.csv"
LEFT_OUT = (
    "MI300X in BF16 on the engine of one old benchmark, and models whose rows break a physical bound there"
)
SOURCE = "fit of packaging/fit_serving.py on published measurements (docs/formulas/sizing.md)"
START = {
    "weights_share": 0.8,
    "cache_share": 0.6,
    "compute_share": 0.7,
    "prefill_share": 0.4,
    "layer_s": 6e-5,
    "exchange_s": 2e-5,
    "link_share": 0.15,
    "prefill_s": 0.004,
}
MOST = {
    "weights_share": 0.95,
    "cache_share": 0.95,
    "compute_share": 0.85,
    "prefill_share": 0.75,
    "link_share": 0.9,
}
LEAST = {"layer_s": 1e-6, "exchange_s": 1e-6}
NEAREST = {  # what was not measured, and what stands in for it
    ("prefill_share", "dense/INT8"): "dense/FP8",
    ("prefill_share", "moe/Ada"): "moe/Hopper",
}
ENOUGH_ROWS = 25
BELIEF = 12.0  # rows that the start is worth, so that a factor hardly measured stays near it
DRAWS = 12


def usable(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of one replica with all that the formula asks for, and their measured tokens a second."""
    rows = rows[(rows["fit_ok"] == 1) & rows["concurrency_per_replica"].notna()].copy()
    rows["measured"] = (
        rows["output_tokens_per_s"].fillna(rows["derived_output_tokens_per_s"]) / rows["replicas"]
    )
    rows["measured"] = rows["measured"].fillna(rows["concurrency_per_replica"] / (rows["tpot_ms"] / 1e3))
    is_old = rows["family"].str.startswith("Argonne") & (
        ((rows["gpu_model"] == "MI300X") & (rows["precision"] == "BF16"))
        | rows["model"].isin(["Qwen2-7B", "Qwen2-72B", "Mixtral-8x7B"])
    )
    return rows[rows["measured"].notna() & ~is_old].reset_index(drop=True)


def columns(rows: pd.DataFrame) -> tuple[dict[str, np.ndarray], dict[str, list[str]]]:
    """What the formula takes of each row, as columns, and which row of the table each of its factors is."""
    table, chips = read_served_models(), read_calibration().chips
    facts = gpu_families()
    every, keys = [], []
    for row in rows.itertuples():
        model, known = model_named(row.model, table), facts.facts(row.gpu_model)
        chip = chips[(known.name if known else row.gpu_model).casefold()]
        flops = chip.tflops.get(row.precision) or known.tflops
        scale = row.length_scale
        every.append(
            {
                "bytes": BYTES_BY_PRECISION[row.precision],
                "parameters": model.parameters,
                "active": model.active,
                "experts": model.experts if model.is_mixture else 2,
                "chosen": model.experts_per_token if model.is_mixture else 1,
                "mixed": 0.0
                if not model.is_mixture
                else (model.parameters - model.active)
                / (model.experts - model.experts_per_token)
                * model.experts,
                "layers": model.layers,
                "hidden": model.width,
                "kept": model.kv_values_per_token * (1 if row.kv_dtype_assumed == "FP8" else 2),
                "read": row.input_tokens * scale,
                "generated": row.output_tokens * scale,
                "batch": row.concurrency_per_replica,
                "others": row.concurrency_per_replica + ("static" in row.scenario),
                "gpus": row.tensor_parallel,
                "cache_gpus": 1 if model.is_latent else min(row.tensor_parallel, model.kv_heads),
                "bandwidth": known.bandwidth_tb_per_s * 1e12,
                "flops": flops * 1e12,
                "link_bytes_per_s": chip.link_gb_per_s * 1e9,
            }
        )
        keys.append(factor_keys(chip, row.precision, is_mixture=model.is_mixture, is_latent=model.is_latent))
    named = {name: [key[name] for key in keys] for name in keys[0]}
    return {name: np.array([one[name] for one in every], dtype=float) for name in every[0]}, named


def predicted(at: dict[str, np.ndarray], of: dict[str, np.ndarray]) -> np.ndarray:
    """Tokens a second of each row. of: its factors, as columns."""
    factors = Factors(**of, link_bytes_per_s=at["link_bytes_per_s"])
    read = (
        at["parameters"] - at["mixed"] + at["mixed"] * awake_share(at["chosen"], at["experts"], at["batch"])
    )
    step = step_s(
        factors,
        weights_bytes=read * at["bytes"],
        cache_bytes=at["batch"] * (at["read"] + at["generated"] / 2) * at["kept"],
        **{
            name: at[name]
            for name in ("active", "layers", "hidden", "batch", "gpus", "cache_gpus", "bandwidth", "flops")
        },
    )
    prefill = prefill_time_s(
        factors, active=at["active"], tokens=at["read"], gpus=at["gpus"], flops=at["flops"]
    )
    return at["batch"] / token_time_s(step, prefill, at["others"], at["generated"])


class Fit:
    """The factors of some rows: least absolute errors of the logarithm, by steps of weighted least squares."""

    def __init__(self, at: dict[str, np.ndarray], keys: dict[str, list[str]], measured: np.ndarray) -> None:
        self.at, self.measured = at, measured
        self.names = sorted({(name, of) for name, column in keys.items() for of in column})
        place = {one: index for index, one in enumerate(self.names)}
        self.places = {name: np.array([place[name, of] for of in column]) for name, column in keys.items()}
        self.start = np.log([START[name] for name, _ in self.names])
        self.most = np.log([MOST.get(name, 1.0) for name, _ in self.names])
        self.least = np.log([LEAST.get(name, 1e-4) for name, _ in self.names])

    def predicted(self, values: np.ndarray) -> np.ndarray:
        """Tokens a second by these logarithms of the factors."""
        return predicted(self.at, {name: np.exp(values)[places] for name, places in self.places.items()})

    def values(self, weight: np.ndarray) -> np.ndarray:
        """Logarithms of the factors. weight: how often each row counts."""
        values = self.start.copy()
        for _ in range(40):
            now = np.log(self.predicted(values))
            missed = np.log(self.measured) - now
            slopes = np.empty((len(now), len(values)))
            for index in range(len(values)):
                moved = values.copy()
                moved[index] += 1e-4
                slopes[:, index] = (np.log(self.predicted(moved)) - now) / 1e-4
            counts = weight / np.maximum(np.abs(missed), 0.03)
            belief = BELIEF * np.ones(len(values))
            left = slopes.T @ (slopes * counts[:, None]) + np.diag(belief)
            right = slopes.T @ (missed * counts) + belief * (self.start - values)
            change = np.clip(np.linalg.solve(left, right), -0.5, 0.5)
            values = np.clip(values + change, self.least, self.most)
            if np.abs(change).max() < 1e-3:
                break
        return values


def tried(rows: pd.DataFrame, fit: Fit, keys: dict[str, list[str]]) -> pd.DataFrame:
    """The rows that are kept apart, with measured over predicted (ratio), their miss and their chip."""
    group, seed = configurations(rows), np.random.default_rng(20261125)
    half = seed.permutation(group.max() + 1) % 2 == 0
    rows = rows.assign(ratio=rows["measured"] / fit.predicted(fit.values(half[group].astype(float))))
    rows["miss"] = (1 / rows["ratio"] - 1).abs()
    rows["chip"] = keys["weights_share"]
    return rows[~half[group]]


def configurations(rows: pd.DataFrame) -> np.ndarray:
    """Which configuration each row is of, as a number."""
    shape = ["model", "gpu_model", "precision", "tensor_parallel", "input_tokens", "output_tokens"]
    return rows.groupby(shape).ngroup().to_numpy()


def print_misses(apart: pd.DataFrame) -> None:
    """What the rows kept apart come to, in all and by GPU and precision, model and crowd."""
    many = apart["concurrency_per_replica"] > 128
    for name, rows in (("kept apart", apart), ("over 128 at once", apart[many]), ("up to 128", apart[~many])):
        low, high = rows["ratio"].quantile([0.1, 0.9])
        print(
            f"{name}: {len(rows)} rows, median miss {rows.miss.median():.1%}, P90 {rows.miss.quantile(0.9):.1%}; "
            f"measured over predicted P10 {low:.2f}, P90 {high:.2f}"
        )
    for by in (["gpu_model", "precision"], ["model"]):
        group = apart.groupby(by)
        print(
            group.agg(rows=("miss", "size"), miss=("miss", "median"), ratio=("ratio", "median"))
            .round(3)
            .to_string()
        )


def factor_rows(rows: pd.DataFrame, fit: Fit, draws: int) -> list[list[object]]:
    """The fitted factors with their bands, and the nearest for what was not measured."""
    group = configurations(rows)
    count, seed = group.max() + 1, np.random.default_rng(1)
    values = fit.values(np.ones(len(rows)))
    drawn = [
        fit.values(seed.multinomial(count, np.full(count, 1 / count))[group].astype(float))
        for _ in range(draws)
    ]
    low, high = np.exp(np.quantile([values, *drawn], [0.1, 0.9], axis=0))
    out: list[list[object]] = [
        [name, of, np.exp(values[at]), low[at], high[at], int((fit.places[name] == at).sum()), SOURCE]
        for at, (name, of) in enumerate(fit.names)
    ]
    known = {(row[0], row[1]): row for row in out}
    return out + [[name, of, *known[name, near][2:5], 0, near] for (name, of), near in NEAREST.items()]


def band_rows(apart: pd.DataFrame) -> list[list[object]]:
    """Measured over predicted of rows kept apart, P10 and P90: in all, and of each chip and precision with enough."""
    groups = {"all": apart, **{"/".join(key): rows for key, rows in apart.groupby(["chip", "precision"])}}
    return [
        [
            "band",
            of,
            rows["ratio"].median(),
            *rows["ratio"].quantile([0.1, 0.9]),
            len(rows),
            "rows kept apart",
        ]
        for of, rows in groups.items()
        if of == "all" or len(rows) >= ENOUGH_ROWS
    ]


def main() -> None:
    """Fit, try on rows kept apart, and write where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("measured", type=Path)
    parser.add_argument("--write", action="store_true")
    words = parser.parse_args()
    rows = usable(pd.read_csv(words.measured, low_memory=False))
    at, keys = columns(rows)
    fit = Fit(at, keys, rows["measured"].to_numpy())
    apart = tried(rows, fit, keys)
    print(f"{len(rows)} rows are fitted; left out: {LEFT_OUT}")
    print_misses(apart)
    if words.write:
        found = sorted(factor_rows(rows, fit, DRAWS) + band_rows(apart))
        with OUT.open("w", newline="", encoding="utf-8") as file:
            write = csv.writer(file, lineterminator="\n")
            write.writerow(["factor", "applies_to", "value", "low", "high", "measurements", "source"])
            write.writerows([*row[:2], *(f"{value:.3g}" for value in row[2:5]), *row[5:]] for row in found)


if __name__ == "__main__":
    main()
