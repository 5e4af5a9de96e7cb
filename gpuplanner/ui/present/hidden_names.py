"""Names that a presentation hides: each is told by a number that stays its own until the presentation ends."""

import re

from gpuplanner.domain.model.project import Project
from gpuplanner.ui.words.translation import tr


class HiddenNames:
    """Of one presentation. While is_hiding is False every name is said as it is."""

    def __init__(self) -> None:
        self.is_hiding = False
        self._said: dict[tuple[str, str], str] = {}
        self._counts: dict[str, int] = {}

    def workload(self, key: str, name: str) -> str:
        """What a workload is called."""
        return self._number(tr("Workload"), key) if self.is_hiding else name

    def user(self, name: str) -> str:
        """What a user or a team is called."""
        return self._number(tr("User"), name) if self.is_hiding and name else name

    def cluster(self, name: str) -> str:
        """What a cluster is called."""
        return self._number(tr("Cluster"), name) if self.is_hiding and name else name

    def contract(self, contract_id: str) -> str:
        """What a contract is called."""
        return self._number(tr("Contract"), contract_id) if self.is_hiding and contract_id else contract_id

    def in_text(self, text: str, project: Project) -> str:
        """A sentence of the window with every name in it as it is called here.

        Contracts come before clusters, for the two often share a name and sentences are mostly about contracts.
        """
        if not self.is_hiding:
            return text
        known: dict[str, tuple[str, str]] = {}
        for workload in project.workloads:
            known.setdefault(workload.owner, (tr("User"), workload.owner))
            known[workload.name] = (tr("Workload"), workload.key)
            known[workload.key] = (tr("Workload"), workload.key)
            known[workload.cluster] = (tr("Cluster"), workload.cluster)
        for contract in project.contracts:
            known.setdefault(contract.cluster, (tr("Cluster"), contract.cluster))
            known[contract.contract_id] = (tr("Contract"), contract.contract_id)
        known.pop("", None)
        said = [name for name in known if name in text]  # of thousands of names a sentence has one or two
        if not said:
            return text
        longest_first = sorted(said, key=len, reverse=True)
        pattern = "|".join(re.escape(name) for name in longest_first)
        return re.sub(
            rf"(?<![\w-])(?:{pattern})(?![\w-])", lambda found: self._number(*known[found.group()]), text
        )

    def _number(self, kind: str, name: str) -> str:
        """The number that stands for a name, the next one where it has none yet."""
        if (kind, name) not in self._said:
            self._counts[kind] = self._counts.get(kind, 0) + 1
            self._said[kind, name] = f"{kind} {self._counts[kind]}"
        return self._said[kind, name]
