"""The table of leak rules, in the order in which their leaks are counted."""

from collections.abc import Mapping
from typing import Final

from gpuplanner.domain.audit.leaks.idle_leaks import IDLE_TAIL, UNMATERIALISED
from gpuplanner.domain.audit.leaks.leak_claims import LeakRule
from gpuplanner.domain.audit.leaks.premium import CONSOLIDATION_PREMIUM
from gpuplanner.domain.audit.leaks.use_leaks import (
    CONTENTION,
    FAILED_WORK,
    PEAK_PROVISIONED,
    PERMANENT_BURST,
    PERSISTENT_DEV,
)

LEAK_RULES: Final[Mapping[str, LeakRule]] = {
    rule.code: rule
    for rule in (
        IDLE_TAIL,
        PERSISTENT_DEV,
        UNMATERIALISED,
        PEAK_PROVISIONED,
        FAILED_WORK,
        CONTENTION,
        CONSOLIDATION_PREMIUM,
        PERMANENT_BURST,
    )
}
"""By code, as in docs/formulas.md, Leaks: where two claim the same GPU-hour, the total gives it to the first."""
