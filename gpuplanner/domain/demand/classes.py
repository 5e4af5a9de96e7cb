"""What a workload was found to be, and how sure we are."""

from dataclasses import dataclass

from gpuplanner.domain.message import Text
from gpuplanner.domain.model.pool import Pool


@dataclass(frozen=True, slots=True)
class Classification:
    """Class of one workload. confidence 0..1; reasons: the three strongest, in words; source says what decided.

    subtype: what such work is called, may be empty. runner_up: the next likeliest class; None where nothing
    was weighed. source: one of override, label, own_rule, rule, score, planned.
    Source: docs/formulas.md, Classes.
    """

    pool: Pool
    subtype: Text
    confidence: float
    reasons: tuple[Text, ...]
    runner_up: Pool | None
    source: str  # override | label | own_rule | rule | score | planned

    @property
    def is_settled(self) -> bool:
        """Said by the planner, for this workload or by a rule, or by the import: never in review."""
        return self.source in ("override", "label", "own_rule", "planned")
