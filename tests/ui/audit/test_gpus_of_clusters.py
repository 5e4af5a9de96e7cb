"""The GPUs of a cluster are those of contracts that were there in the window."""

from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.window import Window
from gpuplanner.ui.audit.clusters import gpus_of
from gpuplanner.ui.words import numbers

WINDOW = Window(3600 * 100, 10)
NOW = Contract("a", "c", "H100", 8000, None, 0)
LATER = Contract("b", "c", "H100", 96000, None, WINDOW.end_s)


def test_a_contract_that_starts_after_the_window_does_not_count() -> None:
    assert gpus_of([NOW, LATER], WINDOW) == "8 H100"
    assert gpus_of([LATER], WINDOW) == "0"
    assert gpus_of([], WINDOW) == numbers.UNKNOWN
