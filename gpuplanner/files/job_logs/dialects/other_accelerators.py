"""Accelerators that are no GPUs among the resources that a job asked for."""

from collections.abc import Iterable

from gpuplanner.files.values.gpu_counts import other_devices
from gpuplanner.files.values.numbers import read_decimal


def first_other(asked: Iterable[tuple[str, str]]) -> str:
    """The first accelerator that is no GPU among what was asked for, as a text of `gpus`; empty without any."""
    named = ((name.removeprefix("Resource_List."), read_decimal(text)) for name, text in asked)
    return next(filter(None, (other_devices(name, number) for name, number in named)), "")
