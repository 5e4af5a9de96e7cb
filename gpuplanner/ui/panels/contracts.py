"""Contracts: what is paid for, how much of it was used, when it ends and what the plan does with it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from gpuplanner.domain.commitment.result import Verdict
from gpuplanner.domain.model.contract import Contract
from gpuplanner.ui import numbers
from gpuplanner.ui.figure_table import Cell, Column, FigureTable, Row
from gpuplanner.ui.shown import Shown
from gpuplanner.ui.theme import Palette

_COLUMNS = (
    Column("Contract", False),
    Column("GPUs"),
    Column("Used"),
    Column("Ends"),
    Column("Plan", False),
    Column("$/month"),
)
VERDICTS = {"keep": "keep", "renew": "renew", "shorten": "shorten", "let_expire": "let end"}


class ContractsPanel(QWidget):
    """Told what is shown."""

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName("Contracts")
        self._empty = QLabel("No contracts yet. Import them to see spend: Ctrl+I")
        self._empty.setProperty("role", "muted")
        self._empty.setWordWrap(True)
        self.table = FigureTable("Contracts", palette)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 4, 12, 4)
        layout.addWidget(self._empty)
        layout.addWidget(self.table, 1)

    def show_shown(self, shown: Shown) -> int:
        """Show the contracts; returns how many there are."""
        contracts = shown.evaluation.project.contracts
        self._empty.setVisible(not contracts)
        self.table.setVisible(bool(contracts))
        self.table.show_rows(_COLUMNS, contract_rows(shown))
        return len(contracts)

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self.table.show_palette(palette)


def contract_rows(shown: Shown) -> list[Row]:
    """One row a contract, in the order of their ends, and the sum."""
    contracts = sorted(
        shown.evaluation.project.contracts,
        key=lambda row: (row.end_s is None, row.end_s or 0, row.contract_id),
    )
    used = {row.contract_id: row for row in shown.evaluation.audit.contracts}
    verdicts = (
        {row.contract_id: row for row in shown.advice.verdicts} if shown.advice and not shown.is_today else {}
    )
    rows = []
    for contract in contracts:
        audit = used.get(contract.contract_id)
        flagged = audit is not None and audit.below_40_percent
        money = contract.usd_per_month
        rows.append(
            Row(
                (
                    Cell(contract.contract_id, is_strong=True, tip=_facts(contract)),
                    Cell(f"{numbers.gpus(contract.gpus)} {contract.gpu_model or ''}".strip()),
                    Cell(
                        numbers.percent(audit.utilization if audit else None),
                        icon="triangle" if flagged else "",
                        icon_role="amber",
                        tip="Below the 40% flag" if flagged else "",
                    ),
                    Cell(
                        numbers.date(contract.end_s - 1) if contract.end_s is not None else "no end",
                        tip="" if contract.end_s is not None else "It runs on until it is ended.",
                    ),
                    Cell(
                        _verdict(verdicts.get(contract.contract_id)),
                        tip=_why(verdicts.get(contract.contract_id)),
                    ),
                    Cell(
                        "quote needed" if money is None else numbers.whole(money),
                        "text" if money is not None else "muted",
                        tip=""
                        if money is not None
                        else "Unknown: the contract states no rate. Enter it in the file.",
                    ),
                ),
                key=contract.contract_id,
            )
        )
    known = [contract.usd_per_month for contract in contracts]
    if len(contracts) > 1:
        total = (
            None
            if any(value is None for value in known)
            else sum(value for value in known if value is not None)
        )
        count = numbers.counted(len(contracts), "contract")
        gpus = numbers.gpus(sum(contract.gpus for contract in contracts))
        rows.append(Row((Cell(count), Cell(gpus), Cell(), Cell(), Cell(), Cell(numbers.whole(total))), True))
    return rows


def _verdict(verdict: Verdict | None) -> str:
    if verdict is None:
        return numbers.UNKNOWN
    word = VERDICTS.get(verdict.verdict, verdict.verdict)
    return f"{word}, {verdict.then_term_months} mo" if verdict.then_term_months else word


def _why(verdict: Verdict | None) -> str:
    if verdict is None:
        return "Unknown: no plan yet. Import prices."
    by = "" if verdict.order_by_s is None else f"\nOrder by {numbers.date(verdict.order_by_s)}"
    return verdict.reason + by


def _facts(contract: Contract) -> str:
    rate = numbers.cents(contract.rate) if contract.rate is not None else "quote needed"
    parts = [
        contract.provider or "provider unknown",
        f"cluster {contract.cluster}",
        f"{rate} per GPU-hour",
        f"since {numbers.date(contract.start_s)}",
    ]
    if contract.notice_days is not None:
        parts.append(f"{contract.notice_days} days' notice")
    return "\n".join(parts)
