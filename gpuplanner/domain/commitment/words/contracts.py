"""Contracts in words: their GPUs, what happens without notice, and the notice that ends them."""

from typing import Final

from gpuplanner.domain.figures.typed import day, significant, whole
from gpuplanner.domain.message import Message, Text, worded, worded_count
from gpuplanner.domain.model.book.contract import Contract

EXPIRES: Final = worded("Expires")
RUNS_ON: Final = worded("Runs on")
NOT_STATED: Final = worded("Not stated")


def contract_gpus_words(contract: Contract) -> Message:
    """Return the GPUs of a contract: 48 H200."""
    gpus = significant(contract.gpus)
    if not contract.gpu_model:
        return worded_count(contract.gpus, "{gpus} GPU", "{gpus} GPUs", gpus=gpus)
    return worded("{gpus} {model}", gpus=gpus, model=contract.gpu_model)


def without_notice_words(contract: Contract) -> Text:
    """Return what happens to a contract if nobody gives notice: it expires, renews, runs on, or nothing is stated."""
    if contract.end_s is None:
        return RUNS_ON
    if contract.renews_months:
        return worded("Renews {months} months", months=whole(contract.renews_months))
    return EXPIRES if contract.renews_months == 0 or not contract.is_committed else NOT_STATED


def notice_words(contract: Contract, ends_s: int) -> Message:
    """Return the notice that ends a contract, ready to be sent. ends_s: its end, exclusive, epoch seconds."""
    return worded(
        "We give notice under contract {contract} ({gpus}) to end on {day}.",
        contract=contract.contract_id,
        gpus=contract_gpus_words(contract),
        day=day(ends_s - 1),
    )
