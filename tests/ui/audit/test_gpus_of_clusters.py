"""The GPUs of a cluster are those of contracts that were there in the window."""

from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.window import Window
from gpuplanner.ui.audit.clusters import gpus_of
from gpuplanner.ui.words import numbers

WINDOW = Window(3600 * 100, 10)
NOW = Contract(
    contract_id="a", cluster="c", gpu_model="H100", milli_gpus=8000, rate_usd_per_gpu_hour=None, start_s=0
)
LATER = Contract(
    contract_id="b",
    cluster="c",
    gpu_model="H100",
    milli_gpus=96000,
    rate_usd_per_gpu_hour=None,
    start_s=WINDOW.end_s,
)


def test_a_contract_that_starts_after_the_window_does_not_count() -> None:
    assert gpus_of([NOW, LATER], WINDOW) == "8 H100"
    assert gpus_of([LATER], WINDOW) == "0"
    assert gpus_of([], WINDOW) == numbers.UNKNOWN
