"""Checks: what to know before signing, red before amber before the rest."""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from PySide6.QtCore import Signal, SignalInstance

from gpuplanner.charts.kit.translation import sentence, spoken, tr
from gpuplanner.domain.audit.result import OF_RENEWALS, Check
from gpuplanner.domain.evidence.plan.totals import check_subject
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.contract import RATE_FIELD, Contract, filed_term
from gpuplanner.files.system.resources import words_table
from gpuplanner.ui.panels.panel import About, Panel
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.row_list import ListRow, RowList
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.window_words import in_window_words

HEADINGS: Final = words_table("check_heading")
LOOKS: Final = {"red": ("octagon", "red"), "amber": ("triangle", "amber"), "info": ("info", "muted")}
"""Severity -> icon and colour."""

TITLES: Final = words_table("check")
"""Check code -> what it says in a few words; the message follows."""

OF_NAMES: Final = ("models_unmatched", "variant_asked", "gpu_size_taken")
"""Checks that ask what is one though it has two names."""

IMPORT: Final = {
    "no_contracts": "contracts",
    "cluster_without_contract": "contracts",
    "cluster_without_log": "import",
    "bill_read_before": "import",
    "gpu_model_unstated": "import",
    "gpu_model_unpriced": "models",
}
"""Check code -> the kind of a row that leads to what says what is missing: a file, or the models that others serve."""

MISSING: Final = ("models_unmatched", *IMPORT, *OF_NAMES, "quote_needed")
"""Checks of what is missing: a cluster, a GPU model, a rate; they come first, that on which most hangs before all."""

NAMES: Final = "names"
"""The kind of a row that leads to the names side by side."""

EDITOR: Final = "editor"
"""The kind of a row that opens the terms of a contract."""

FALL: Final = "fall"
"""The kind of a row that asks whether workloads come back."""

ASKED: Final = {
    "demand_fell": FALL,
    "work_completed": FALL,
    "one_job": FALL,
    "log_gap": "gap",
    **dict.fromkeys(("better_size", "decision_waits"), "waiting"),
    **dict.fromkeys(OF_RENEWALS, "notice"),
}
"""Check code -> the kind of a row that asks for an answer."""

FIGURES: Final = {
    "contention": "overflow",
    "review_pending": "review",
    "separation_costs": "separation",
    "limit_binds": "limit_cost",
}
"""Check code -> the kind of figure that its amount is; that of a contract or cluster under 40% is what idles of it."""

OF_SUBJECT: Final = ("overflow", "limit_cost")
"""Kinds of figures that are of the subject of the check, not of the whole plan or log."""


def amount_figure(check: Check, contract_ids: Collection[str]) -> str:
    """The figure of a check's amount; of the whole plan or log it has no subject."""
    if check.usd_per_month is None:
        return ""
    if check.code == "below_40":
        return figure("contract_unused" if str(check.subject) in contract_ids else "idle", str(check.subject))
    if check.code in (*OF_RENEWALS, "idle_beside_orders"):
        return figure("check_usd", check_subject(check))
    kind = FIGURES.get(check.code, "")
    return figure(kind, str(check.subject) if kind in OF_SUBJECT else "") if kind else ""


class ChecksPanel(Panel):
    """Told what is shown; emits the workload of a check that was opened, or what its workloads can be said to do."""

    about = About(name="checks", title=worded("Checks"), beside="contracts", is_counted=True)

    fall_asked = Signal(object)  # Check: demand that fell, or that one job was
    gap_asked = Signal(object)  # Check: days without any job
    names_asked = Signal()
    contracts_asked = Signal()
    models_asked = Signal(str)  # GPU model without a price

    def build(self) -> None:
        self._asked: dict[tuple[str, str], Check] = {}
        self.list = RowList(tr("Checks"))
        self.list.empty_text = tr("All checks passed.")
        self.list.row_opened.connect(self.open_subject)
        self.fill(self.list)

    def count(self, shown: ViewState) -> int:
        """How many checks there are; those that say the same are one."""
        return len(alike(shown.checks))

    def draw(self, shown: ViewState) -> None:
        """Show the checks."""
        checks = shown.checks
        self._asked = {(asks_what(check), str(check.subject)): check for check in checks if asks_what(check)}
        contracts = shown.evaluation.project.contracts
        self.list.show_rows(check_rows(checks, {card.key: card.name for card in shown.cards}, contracts))

    def open_subject(self, kind: str, key: str) -> None:
        if kind in (FALL, "gap"):
            (self.fall_asked if kind == FALL else self.gap_asked).emit(self._asked[kind, key])
        elif kind == "models":
            self.models_asked.emit(key)
        elif kind in (NAMES, *IMPORT.values()):
            of_kind: SignalInstance = getattr(self, f"{kind}_asked")
            of_kind.emit()
        else:
            asks = {EDITOR: self.editor_asked, "notice": self.notice_asked, "waiting": self.waiting_asked}
            asks.get(kind, self.workload_asked).emit(key)


def asks_what(check: Check) -> str:
    """What kind of answer it asks for; empty where it asks for none. Of workloads only where it names them."""
    kind = ASKED.get(check.code, "")
    return "" if kind == FALL and not check.keys else kind


TIPS: Final = words_table("check_tip")
"""Kind of a row -> what opening it does."""


def _kind(check: Check, names: Collection[str], unrated: Collection[str]) -> str:
    """What a row leads to. unrated: contract_ids of those whose files state no rate."""
    is_unrated = check.code in ("quote_needed", "rate_said") and str(check.subject) in unrated
    if is_unrated or check.code in ("prepaid_without_end", "prepaid_beside_rate"):
        return EDITOR
    if check.code in OF_NAMES or (check.code == "cluster_without_log" and not check.subject):
        return NAMES  # contracts that name no cluster: which of the log's it is
    if asked := asks_what(check) or IMPORT.get(check.code, ""):
        return asked
    return "workload" if str(check.subject) in names else ""


def _amount(check: Check) -> str:
    """$ a month; of a contract that runs on what it costs until it ends again."""
    if check.usd_per_month is None:
        return ""
    if check.code in OF_RENEWALS:
        return tr("{usd} in all", usd=numbers.dollars(check.usd_per_month))
    return numbers.whole(check.usd_per_month)


def _unrated(contracts: Collection[Contract]) -> set[str]:
    """Contracts whose files state no rate."""
    return {contract.contract_id for contract in contracts if not filed_term(contract, RATE_FIELD)}


def missing_checks(checks: Iterable[Check], contracts: Collection[Contract]) -> list[Check]:
    """Those of what is missing, in the order of MISSING."""
    unrated = _unrated(contracts)
    listed = (check for check in checks if check.code != "quote_needed" or str(check.subject) in unrated)
    missing = (check for check in listed if check.code in MISSING)
    return sorted(missing, key=lambda check: MISSING.index(check.code))


def check_title(check: Check, names: Mapping[str, str], count: int = 1) -> str:
    """What it says in a few words, and of what, or of how many. names: of workloads by their keys."""
    title = TITLES.get(check.code, check.code.replace("_", " ").capitalize())
    subject = names.get(str(check.subject), spoken(check.subject)) if count == 1 else numbers.whole(count)
    return tr("{title}: {value}", title=title, value=subject) if subject else spoken(title)


def alike(checks: Iterable[Check]) -> list[tuple[Check, ...]]:
    """What is only to be known, in the same words and without an amount, together; all other checks alone."""
    groups: dict[tuple[str, ...], list[Check]] = {}
    for check in checks:
        is_alike = check.severity == "info" and check.usd_per_month is None
        subject = "" if is_alike else str(check.subject)
        groups.setdefault((check.code, check.severity, spoken(check.message), subject), []).append(check)
    return [tuple(group) for group in groups.values()]


def check_rows(
    checks: tuple[Check, ...], names: dict[str, str], contracts: Collection[Contract] = ()
) -> list[ListRow]:
    """Rows grouped by severity, each group under its heading."""
    rows: list[ListRow] = []
    contract_ids = {contract.contract_id for contract in contracts}
    unrated, missing = _unrated(contracts), missing_checks(checks, contracts)
    for heading, word in HEADINGS.items():
        rest = (one for one in checks if one not in missing and one.severity == heading)
        groups = alike(missing if heading == "missing" else rest)
        if not groups:
            continue
        has_money = any(check.usd_per_month is not None for check, *_ in groups)
        title = tr("{first} {second}", first=word, second=numbers.whole(len(groups)))
        rows.append(ListRow(title=title, amount=tr("$ per month") if has_money else "", is_heading=True))
        for group in groups:
            check = group[0]
            icon, role = LOOKS[check.severity]
            kind = _kind(check, names, unrated)
            note = f"{sentence(in_window_words(check.message)).rstrip('.')}."
            subjects = ", ".join(names.get(str(each.subject), spoken(each.subject)) for each in group)
            rows.append(
                ListRow(
                    title=check_title(check, names, len(group)),
                    note=note if len(group) == 1 else f"{subjects}: {note}",
                    amount=_amount(check) or (numbers.UNKNOWN if has_money else ""),
                    icon=icon,
                    icon_role=role,
                    unit="" if check.code in OF_RENEWALS else tr("$ per month"),
                    kind=kind,
                    key=str(check.subject),
                    tip=tr(TIPS.get(kind, "")),
                    figure_id=amount_figure(check, contract_ids),
                )
            )
    return rows
