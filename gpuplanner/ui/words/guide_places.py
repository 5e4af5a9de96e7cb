"""Which part of the documentation is about a panel or a dialog."""

from collections.abc import Mapping
from typing import Final

GUIDE: Final = "guide"
"""The page by task, opened where nothing else fits."""
OF_PANEL: Final[Mapping[str, str]] = {
    "award": "window#award",
    "backtest": "window#backtest",
    "checks": "faq",
    "contracts": "window#contracts",
    "cost": "window#cost",
    "demand": "window#demand",
    "duration": "window#decide-terms",
    "hardware_fit": "window#training-runs-and-hardware-fit",
    "history": "window#why-did-we-decide-this",
    "inference": "window#inference",
    "placement": "window#placement",
    "prices": "window#prices",
    "recommendations": "window#recommendations",
    "today_to_plan": "window#today-to-plan",
    "track": "window#plan-against-what-came",
    "utilization": "window#utilization",
    "waiting": "window#waiting",
}
"""By the name of the panel: a page and the anchor of a heading of it."""
OF_DIALOG: Final[Mapping[str, str]] = {
    "AskDialog": "window#find-a-command",
    "AssumptionsDialog": "window#change-an-assumption",
    "ContractDialog": "window#tables",
    "CurrencyDialog": "window#choose-a-currency",
    "DatesDialog": "window#say-when-it-is-there",
    "DemandDialog": "window#say-when-it-is-there",
    "ImportDialog": "window#load-what-you-have",
    "LeakSheet": "window#leaks",
    "LimitsDialog": "window#set-limits-and-see-what-each-costs",
    "MergeDialog": "window#merge-cards",
    "NamesDialog": "window#names-that-differ",
    "PlanFromDialog": "window#change-an-assumption",
    "PlannedDialog": "window#plan-work-that-no-log-has",
    "RequestDialog": "guide#a-request-for-quote-in-ten-minutes",
    "RuleDialog": "window#make-it-a-rule",
    "RulesDialog": "window#make-it-a-rule",
    "SeparationDialog": "window#separate",
    "SplitDialog": "window#split-a-workload",
    "TeamDialog": "window#say-when-it-is-there",
    "WindowDialog": "window#load-what-you-have",
}
"""By the class of the dialog; one that is not here is about what stands behind it."""
