"""The traffic-light table: one function a row, from what hardware has and what is needed to a light and a reason.

Pools (eligibility.py) and workloads (workload_fit.py) ask the same rows. An unknown field of the hardware is amber; a
need that nobody knows has no light (None). Source: docs/formulas.md, Hardware fit.
"""

from enum import IntEnum
from typing import Final

from gpuplanner.domain.figures.typed import decimals, percent, significant, whole
from gpuplanner.domain.message import Text, worded


class Light(IntEnum):
    """Traffic light; higher is worse.

    Lights compare as numbers, so that `max` is the worst of several.
    """

    GREEN = 0
    AMBER = 1
    RED = 2


Answer = tuple[Light, Text]
"""A light and, where it is not green, why."""

GREEN: Final[Answer] = (Light.GREEN, "")

TRAINING_MEMORY_LEAST_GB: Final = 80
TRAINING_MEMORY_WISHED_GB: Final = 141
FULL: Final = 0.90
"""Above this share of the GPUs' memory a served model leaves no room to breathe."""

INTERCONNECT_LIGHT: Final = {
    "infiniband": Light.GREEN,
    "nvlink": Light.GREEN,
    "roce_400": Light.AMBER,
    "roce": Light.RED,
    "ethernet": Light.RED,
    None: Light.AMBER,
}
INTERCONNECT_RANK: Final = {"ethernet": 0, "roce": 0, "roce_400": 1, "infiniband": 2, "nvlink": 2}


def training_memory(has_gb: float | None, needs_gb: float | None = None, *, renews: bool = False) -> Answer:
    """Memory of one GPU in GB. needs_gb: the planner's; None: at least 80, better 141. renews: at worst amber.

    renews: the pool runs on this model today and may go on with it, whatever its memory.
    Returns green without words, else the light and both numbers in words.

    >>> training_memory(80)[0].name, training_memory(40)[0].name, training_memory(40, renews=True)[0].name
    ('AMBER', 'RED', 'AMBER')
    """
    if has_gb is None:
        return Light.AMBER, worded("GPU memory is not stated")
    least, wished = (
        (TRAINING_MEMORY_LEAST_GB, TRAINING_MEMORY_WISHED_GB) if needs_gb is None else (needs_gb, needs_gb)
    )
    if has_gb >= wished:
        return GREEN
    if has_gb >= least or renews:  # a pool may renew what it runs on
        return Light.AMBER, worded(
            "{has_gb} GB is under {wished} GB", has_gb=significant(has_gb), wished=significant(wished)
        )
    return Light.RED, worded(
        "{has_gb} GB is under {least} GB", has_gb=significant(has_gb), least=significant(least)
    )


def training_interconnect(has: str | None, *, several_nodes: bool, needs: str | None = None) -> Answer:
    """The network between nodes. needs: the planner's least; None: InfiniBand or NVLink, RoCE of 400 Gb/s at a cost.

    has: interconnect of the hardware, None where it is not stated. On one node nothing is asked, and nothing
    can be missing.

    >>> training_interconnect("ethernet", several_nodes=True)[0].name
    'RED'
    """
    if not several_nodes:
        return GREEN
    if needs is not None and INTERCONNECT_RANK.get(has or "", -1) >= INTERCONNECT_RANK[needs]:
        return GREEN
    light = INTERCONNECT_LIGHT.get(has, Light.AMBER)
    if needs is not None and INTERCONNECT_RANK[needs] == 0 and has is None:
        light = Light.GREEN  # any network will do
    return (
        (light, "")
        if light is Light.GREEN
        else (light, worded("interconnect {has}, several nodes", has=has or worded("not stated")))
    )


def training_bare_metal(has: bool | None, *, several_nodes: bool, needs: bool = True) -> Answer:
    """Bare metal, or virtual machines: red for a job of several nodes, amber for one of a single node.

    has: None where it is not stated, which is amber however many nodes a job has. needs: False where the
    planner asks for none.
    """
    if has is True or not needs:
        return GREEN
    if has is None:
        return Light.AMBER, worded("bare metal is not stated")
    return (
        (Light.RED, worded("virtual, several nodes"))
        if several_nodes
        else (Light.AMBER, worded("virtual, one node"))
    )


def training_cluster(*, is_shared: bool, contended_gpu_hours: float, needs: bool = True) -> Answer:
    """Whether other classes run on its cluster, and whether training met too few GPUs beside inference.

    contended_gpu_hours: GPU-hours of the workload in hours with more demand than GPUs in which inference ran
    too; any of them is red.
    needs: False where the planner does not ask for a cluster of its own.
    """
    if not needs:
        return GREEN
    if contended_gpu_hours > 0:
        ran = decimals(contended_gpu_hours, 0 if contended_gpu_hours >= 10 else 1)
        return Light.RED, worded("contention, {ran} GPU-h ran beside inference", ran=ran)
    return (Light.AMBER, worded("shared with other classes, no contention yet")) if is_shared else GREEN


def served_memory(needs_gb: float, has_gb: float | None) -> Answer:
    """Weights and KV cache beside the memory of the GPUs that hold them: red over 100%, amber over 90%.

    Units: GB, of all GPUs that hold one copy. Exactly 90% is green, exactly 100% amber.

    >>> served_memory(90, 100)[0].name, served_memory(95, 100)[0].name, served_memory(101, 100)[0].name
    ('GREEN', 'AMBER', 'RED')
    """
    if has_gb is None:
        return Light.AMBER, worded("GPU memory is not stated")
    if needs_gb > has_gb:
        return Light.RED, worded(
            "{needs_gb} GB do not fit in {has_gb} GB",
            needs_gb=significant(needs_gb, 4),
            has_gb=significant(has_gb, 4),
        )
    if needs_gb > FULL * has_gb * (1 + 1e-12):
        return Light.AMBER, worded(
            "{needs_gb} of {has_gb} GB, over {full} full",
            needs_gb=significant(needs_gb, 4),
            has_gb=significant(has_gb, 4),
            full=percent(FULL),
        )
    return GREEN


def served_interconnect(has: str | None, *, is_needed: bool = False) -> Answer:
    """Training-grade hardware under inference: an interconnect that it pays for and does not use.

    is_needed: the planner says that the model is served over several nodes. Never red: it costs more and
    harms nothing.
    """
    if has == "infiniband" and not is_needed:
        return Light.AMBER, worded("pays for an interconnect that inference does not use")
    return GREEN


def burst_term(term_hours: float, active_hours: float) -> Answer:
    """A term beside the hours in which the work is active; 0 is released when done.

    Units: hours; inf is a term without an end. Never red: a term that is too long costs money and stops no
    work.

    >>> burst_term(0, 100)[0].name, burst_term(730, 100)[0].name
    ('GREEN', 'AMBER')
    """
    if term_hours <= active_hours or term_hours == 0:
        return GREEN
    bound = (
        worded("has no end")
        if term_hours == float("inf")
        else worded("is {term_hours} h", term_hours=whole(term_hours))
    )
    return Light.AMBER, worded(
        "the term {bound}, the work is active {active_hours} h",
        bound=bound,
        active_hours=whole(active_hours),
    )
