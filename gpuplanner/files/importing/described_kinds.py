"""Files that are no log, contract or price list and yet are known: described, not taken."""

from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any, Final

from gpuplanner.domain.message import Message
from gpuplanner.domain.model.intake import KIND as INTERRUPTIONS
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.activity import prometheus, sonar_samples
from gpuplanner.files.job_logs.judging import tres_names
from gpuplanner.files.lists import (
    budgets,
    business_figures,
    class_rules,
    grid_carbon,
    interruptions,
    node_lists,
    place_tables,
    planned_work,
    regions,
    scheduler_limits,
    served_models,
    traffic_tables,
)
from gpuplanner.files.lists.nodes import node
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables.small_table import TableKind
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribedKind:
    """kind: as in `intake.files[]` of documents; format: empty where it has no name; why: words.

    describe: every row counted, and the facts of the file.
    """

    kind: str
    format: str
    why: Message
    sniff: Callable[[str], float]
    describe: Callable[[Source], FileIntake]


def _of_table(kind: TableKind[Any]) -> DescribedKind:
    """A kind of table as a kind of file that is described, with its own test and description."""
    return DescribedKind(
        kind=kind.kind, format=kind.format, why=kind.why, sniff=kind.sniff, describe=kind.describe
    )


def _of_module(module: ModuleType, kind: str, name: str, why: Message, /, **form: object) -> DescribedKind:
    """A kind that a module tests and describes. form: what both are told beside the file."""
    return DescribedKind(
        kind=kind,
        format=name,
        why=why,
        sniff=partial(module.sniff, **form),
        describe=partial(module.describe, **form),
    )


DESCRIBED: Final[tuple[DescribedKind, ...]] = (
    *(
        _of_table(kind)
        for kind in node_lists.NODE_KINDS
        if kind.format != sonar_samples.INVENTORY_FORMAT  # which says more of its cards
    ),
    _of_module(tres_names, tres_names.KIND, tres_names.FORMAT, tres_names.WHY),
    _of_table(class_rules.RULES),
    *(
        _of_module(traffic_tables, traffic_tables.KIND, form.format, form.why, form=form)
        for form in traffic_tables.FORMS
    ),
    _of_table(traffic_tables.WEEK),
    _of_module(served_models, served_models.KIND, "", served_models.WHY),
    *(
        DescribedKind(
            kind=INTERRUPTIONS,
            format=name,
            why=interruptions.WHY[name],
            sniff=sniff,
            describe=interruptions.describe,
        )
        for name, sniff in (
            (interruptions.OWN, interruptions.sniff),
            (interruptions.TRACE, interruptions.sniff_trace),
        )
    ),
    _of_table(planned_work.PLANNED),
    _of_table(budgets.BUDGETS),
    _of_table(scheduler_limits.LIMITS),
    _of_table(business_figures.BUSINESS),
    *(
        _of_module(place_tables, each.kind, each.format, each.why, kind=each)
        for each in place_tables.PLACE_KINDS
    ),
    _of_table(regions.REGIONS),
    _of_table(regions.COUNTRIES),
    _of_table(grid_carbon.CARBON),
    DescribedKind(
        kind=node.KIND,
        format=sonar_samples.INVENTORY_FORMAT,
        why=sonar_samples.WHY_INVENTORY,
        sniff=sonar_samples.sniff_inventory,
        describe=sonar_samples.describe_inventory,
    ),
    DescribedKind(
        kind="unknown",
        format=prometheus.METRIC_LIST_FORMAT,
        why=prometheus.WHY_METRIC_LIST,
        sniff=prometheus.sniff_metric_list,
        describe=prometheus.describe_metric_list,
    ),
)
"""The table of them."""
