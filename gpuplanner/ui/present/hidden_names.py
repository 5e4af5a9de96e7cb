"""Names hidden in a presentation: each is replaced by a number that stays the same."""

import re
from collections.abc import Mapping
from typing import Any

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.brief import approval
from gpuplanner.domain.message import Message
from gpuplanner.domain.model.project import Project


class HiddenNames:
    """Of one presentation: each name is told by a number that stays its own. While is_hiding is False, as it is."""

    def __init__(self) -> None:
        self.is_hiding = False
        self._said: dict[tuple[str, str], str] = {}
        self._counts: dict[str, int] = {}
        self._known: tuple[Project, Mapping[str, tuple[str, str]]] | None = None

    def in_text(self, text: Any, project: Project) -> Any:
        """A sentence with every name in it as it is called here; its own words stay, for a name may be one of them.

        Contracts come before clusters, for the two often share a name and sentences are mostly about contracts.
        """
        if not self.is_hiding or not isinstance(text, Message | str):
            return text
        if isinstance(text, Message):
            values = {name: self.in_text(value, project) for name, value in text.values.items()}
            return Message(
                template=text.template, values=values, number=text.number, one=text.one, window=text.window
            )
        if self._known is None or self._known[0] is not project:
            self._known = project, _names_in(project)
        known = self._known[1]
        said = [name for name in known if name in text]  # of thousands of names a sentence has one or two
        if not said:
            return text
        pattern = "|".join(re.escape(name) for name in sorted(said, key=len, reverse=True))
        return re.sub(
            rf"(?<![\w-])(?:{pattern})(?![\w-])", lambda found: self._number(*known[found.group()]), text
        )

    def _number(self, kind: str, name: str) -> str:
        """The number that stands for a name, the next one where it has none yet."""
        if (kind, name) not in self._said:
            self._counts[kind] = self._counts.get(kind, 0) + 1
            self._said[kind, name] = f"{kind} {self._counts[kind]}"
        return self._said[kind, name]


def _names_in(project: Project) -> dict[str, tuple[str, str]]:
    """Every name of a project -> what kind of thing it is, and the name that tells it from others."""
    known: dict[str, tuple[str, str]] = {}
    for workload in project.workloads:
        known.setdefault(workload.owner, (tr("Team"), workload.owner))
        known[workload.name] = (tr("Workload"), workload.key)
        known[workload.key] = (tr("Workload"), workload.key)
        known[workload.cluster] = (tr("Cluster"), workload.cluster)
    for work in (work for plan in project.scenarios for work in plan.planned):
        known.setdefault(work.name, (tr("Workload"), work.name))
        known.setdefault(work.team, (tr("Team"), work.team))
    for contract in project.contracts:
        known.setdefault(contract.cluster, (tr("Cluster"), contract.cluster))
        known[contract.contract_id] = (tr("Contract"), contract.contract_id)
    providers = [contract.provider for contract in project.contracts]
    providers += [offer.provider for offer in project.offers]
    for provider in providers:
        known.setdefault(provider or "", (tr("Provider"), provider or ""))
    for file in project.intake:
        known.setdefault(str(approval.file_name(file.path)), (tr("File"), file.path))
    known.pop("", None)
    return known
