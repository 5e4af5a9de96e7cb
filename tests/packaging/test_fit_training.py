"""The fit of training's factors: it finds the share that a run was made with."""

import csv
import gzip
from pathlib import Path

import pytest

from gpuplanner.domain.training.run import Efficiency, Factors, step_of
from tests.packaging.scripts import load_script

SIZES = {"params_b": "8", "active_params_b": "8", "layers": "32", "hidden": "4096"}
ROW = SIZES | {
    "model": "Made 8B", "kind": "dense", "fit_ok": "1", "family": "Megatron-Bridge", "task": "pretrain",
    "gpu_model": "H100 SXM 80GB", "gpus": "64", "gpus_per_node": "8", "nic_gbps": "3200", "precision": "BF16",
    "sequence": "4096", "global_batch": "512", "micro_batch": "1", "tp": "2", "pp": "2", "cp": "1", "ep": "1",
    "vp": "", "sharding": "ZeRO-1", "activation_checkpointing": "full", "tokens_per_s_per_gpu": "", "step_s": "",
}  # fmt: skip


@pytest.fixture(scope="module")
def fit():
    return load_script("fit_training")


@pytest.mark.parametrize("share", [0.05, 0.4, 0.9])
@pytest.mark.parametrize("said", ["tokens_per_s_per_gpu", "step_s"])
def test_the_share_of_a_run_is_found_again(fit, tmp_path: Path, share: float, said: str) -> None:
    run = fit.run_of(ROW, {})
    step = step_of(run, Factors({("H100", "BF16", "dense"): Efficiency(share)}))
    rows = [ROW | {said: repr(getattr(step, said))}, ROW | {"fit_ok": "0"}, ROW | {"gpu_model": "nobody's"}]
    with gzip.open(tmp_path / "measured.csv.gz", "wt") as file:
        write = csv.DictWriter(file, list(ROW))
        write.writeheader()
        write.writerows(rows)
    (tmp_path / "models.csv").write_text("model\n")
    (found,) = fit.measured_runs(tmp_path)
    assert found.key == ("H100", "BF16", "dense") and found.share == pytest.approx(share, rel=1e-3)


def test_a_band_needs_two_configurations(fit) -> None:
    runs = [
        fit.Measured(("H100", "BF16", "dense"), name, None, 1.0, share)
        for name, share in (("a", 0.4), ("a", 0.6))
    ]
    assert fit.band(runs) == []
    low, high = fit.band([*runs, runs[0]._replace(configuration="b", share=0.9)])
    assert 0.4 <= low <= high <= 0.9
