"""The calibration that ships: every chip has factors in every precision for every model."""

import pytest

from gpuplanner.domain.serving.calibration import BYTES_BY_PRECISION, calibration_of, factors_of, nearest_chip
from gpuplanner.files.system.resources import read_calibration, read_served_models, read_tables

CALIBRATION = read_calibration()


@pytest.mark.parametrize("chip", CALIBRATION.chips.values(), ids=lambda chip: chip.gpu_model)
def test_every_chip_has_factors_in_every_precision_for_every_model(chip) -> None:
    assert any(model.name == chip.gpu_model for model in read_tables().gpu_models)
    for model in read_served_models():
        for precision in BYTES_BY_PRECISION:
            factors = factors_of(CALIBRATION, chip, precision, model)
            for share in ("weights_share", "cache_share", "compute_share", "prefill_share", "link_share"):
                assert 0 < getattr(factors, share) < 1  # never all of what the GPU states
            assert factors.low < 1 < factors.high or precision == "INT4"
            assert chip.is_measured or chip.factors_of in str(factors.remarks[0])


def test_every_priced_chip_states_what_it_computes() -> None:
    """FLOP/s of the GPUs of the public price list, by hand from their data sheets: dense, without sparsity."""
    stated = {
        name: CALIBRATION.chips[name].tflops for name in ("h100", "b200", "b300", "mi355x", "l4", "a100 80gb")
    }
    assert stated["h100"] == {"FP8": 1979, "INT8": 1979, "FP4": 0}
    assert stated["b200"] == {"FP8": 4500, "INT8": 4500, "FP4": 9000}
    assert stated["b300"] == {"FP8": 4500, "INT8": None, "FP4": 13500}  # unknown stays unknown
    assert stated["mi355x"] == {"FP8": 5000, "INT8": 5000, "FP4": 10000}
    assert stated["a100 80gb"] == {"FP8": 0, "INT8": 624, "FP4": 0}
    assert stated["l4"]["FP8"] == 242


def test_the_nearest_is_of_the_nearest_bandwidth() -> None:
    chips = tuple(CALIBRATION.chips.values())
    table = calibration_of(chips, ())
    assert nearest_chip(table, 3.0, {"H100": 3.35, "A100": 2.0, "B200": 8.0}) == "H100"
    assert nearest_chip(table, 100.0, {"H100": 3.35, "B200": 8.0}) == "B200"
