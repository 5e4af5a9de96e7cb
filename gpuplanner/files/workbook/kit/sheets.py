"""The sheets of the workbook: the name, the group, the tab color and the printing of each."""

from enum import StrEnum
from typing import Final

from gpuplanner.files.system.resources import rows_as
from gpuplanner.lazy_dataclass import dataclass


class Group(StrEnum):
    """The readers of a sheet. Its tab has the color of its group."""

    PEOPLE = "people"
    SYSTEMS = "systems"
    INPUT = "input"
    CALCULATION = "calculation"


COLORS: Final = {
    Group.PEOPLE: "#1F3A5F",
    Group.SYSTEMS: "#2A7F7F",
    Group.INPUT: "#E0B400",
    Group.CALCULATION: "#9AA3AF",
}
MEANINGS: Final = {
    Group.PEOPLE: "Tab: for people",
    Group.SYSTEMS: "Tab: lists for other systems",
    Group.INPUT: "Tab: inputs",
    Group.CALCULATION: "Tab: calculation",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One tab. holds: its content in one line.

    is_protected: locked without a password, except yellow and blue cells. Not used with an input table, which could
    not grow. is_printed: otherwise nothing of the sheet is printed.
    """

    key: str
    name: str
    group: Group
    is_printed: bool
    is_protected: bool
    holds: str

    @property
    def color(self) -> str:
        """The color of the tab."""
        return COLORS[self.group]


SHEETS: Final = rows_as(Sheet, "workbook_sheets.csv")
"""The tabs, in order."""

NAMES: Final = {sheet.key: sheet.name for sheet in SHEETS}
"""The names of the sheets by key."""

DECISIONS: Final = NAMES["decisions"]
ORDERS: Final = NAMES["orders"]
SAVINGS: Final = NAMES["savings"]
CONTRACTS: Final = NAMES["contracts"]
QUOTES: Final = NAMES["quotes"]
ASSUMPTIONS: Final = NAMES["assumptions"]
METHOD_AND_CHECKS: Final = NAMES["method_and_checks"]
FOCUS: Final = NAMES["focus"]
AUDIT: Final = NAMES["audit"]
CHARGEBACK: Final = NAMES["chargeback"]
STUDIES: Final = NAMES["studies"]
CONTRACT_INPUTS: Final = NAMES["contract_inputs"]
OFFER_INPUTS: Final = NAMES["offer_inputs"]
CALC_WORKLOADS: Final = NAMES["calc_workloads"]
CALC_POOLS: Final = NAMES["calc_pools"]
CALC_DEMAND: Final = NAMES["calc_demand"]
CALC_ORDERS: Final = NAMES["calc_orders"]
CALC_CONTRACTS: Final = NAMES["calc_contracts"]
CALC_MONTHS: Final = NAMES["calc_months"]
CHECK_LIST: Final = NAMES["check_list"]
SOURCES: Final = NAMES["sources"]
