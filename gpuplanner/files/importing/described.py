"""Files that are no log, contract or price list and yet are known: said what they are, not taken for others."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from gpuplanner.domain.message import Message
from gpuplanner.domain.model.log.intake import FileIntake
from gpuplanner.domain.model.log.interruptions import KIND as INTERRUPTIONS
from gpuplanner.files.activity import metric_list, node_inventory
from gpuplanner.files.job_logs.judging import tres_names
from gpuplanner.files.lists import (
    budget_list,
    business_list,
    interruptions,
    node_lists,
    planned,
    rules_file,
)
from gpuplanner.files.places import (
    place_facts,
    place_tables,
)
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables.table_kind import TableKind
from gpuplanner.files.traffic import (
    request_traces,
    served_models,
    traffic_facts,
    traffic_tables,
)


@dataclass(frozen=True, slots=True)
class DescribedKind:
    """kind: as in docs/interface.md, "intake.files[]"; format: empty where it has no name; why: words.

    describe: every row counted, and the facts of the file.
    """

    kind: str
    format: str
    why: Message
    sniff: Callable[[str], float]
    describe: Callable[[Source], FileIntake]


def _of_table(kind: TableKind[Any]) -> DescribedKind:
    """A kind of table as a kind of file that is described, with its own test and description."""
    return DescribedKind(kind.kind, kind.format, kind.why, kind.sniff, kind.describe)


DESCRIBED: Final[tuple[DescribedKind, ...]] = (
    *(
        _of_table(kind)
        for kind in node_lists.NODE_KINDS
        if kind.format != node_inventory.FORMAT  # which says more of its cards
    ),
    DescribedKind(tres_names.KIND, tres_names.FORMAT, tres_names.WHY, tres_names.sniff, tres_names.describe),
    _of_table(rules_file.RULES),
    *(
        DescribedKind(
            traffic_facts.KIND,
            form.format,
            form.why,
            partial(traffic_facts.sniff, form=form),
            partial(traffic_facts.describe, form=form),
        )
        for form in request_traces.FORMS
    ),
    _of_table(traffic_tables.WEEK),
    DescribedKind(served_models.KIND, "", served_models.WHY, served_models.sniff, served_models.describe),
    *(
        DescribedKind(INTERRUPTIONS, name, interruptions.WHY[name], sniff, interruptions.describe)
        for name, sniff in (
            (interruptions.OWN, interruptions.sniff),
            (interruptions.TRACE, interruptions.sniff_trace),
        )
    ),
    _of_table(planned.PLANNED),
    _of_table(budget_list.BUDGETS),
    _of_table(business_list.BUSINESS),
    *(
        DescribedKind(
            each.kind,
            each.format,
            each.why,
            partial(place_tables.sniff, kind=each),
            partial(place_tables.describe, kind=each),
        )
        for each in place_tables.PLACE_KINDS
    ),
    _of_table(place_facts.REGIONS),
    _of_table(place_facts.COUNTRIES),
    _of_table(place_facts.CARBON),
    DescribedKind(
        node_lists.KIND,
        node_inventory.FORMAT,
        node_inventory.WHY,
        node_inventory.sniff,
        node_inventory.describe,
    ),
    DescribedKind("unknown", metric_list.FORMAT, metric_list.WHY, metric_list.sniff, metric_list.describe),
)
"""The table of them."""
