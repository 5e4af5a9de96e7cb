"""Contracts: what is paid for, how much of it was used, when it ends and what the plan does with it."""

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gpuplanner.domain.audit.result import ContractAudit
from gpuplanner.domain.commitment.result import Verdict
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.contract import Contract
from gpuplanner.ui import numbers
from gpuplanner.ui.row_list import ListRow, RowList
from gpuplanner.ui.shown import Shown
from gpuplanner.ui.theme import Palette

VERDICTS: Final = {"keep": "keep it", "let_expire": "let it end"}
"""Verdict -> what the plan does, after the name of the contract; after the others, GPUs follow."""


class ContractsPanel(QWidget):
    """Told what is shown."""

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName("Contracts")
        self.list = RowList("Contracts", palette)
        self.list.empty_text = "No contracts yet. Import them to see spend: Ctrl+I"
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.list)

    def show_shown(self, shown: Shown) -> int:
        """Show the contracts; returns how many there are."""
        self.list.show_rows(contract_rows(shown))
        return len(shown.evaluation.project.contracts)

    def select(self, contract_id: str) -> None:
        """Choose the row of a contract and bring it into view."""
        self.list.select(contract_id)

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self.list.show_palette(palette)


def contract_rows(shown: Shown) -> list[ListRow]:
    """A heading with the sum, then one row a contract, in the order of their ends."""
    contracts = sorted(
        shown.evaluation.project.contracts,
        key=lambda row: (row.end_s is None, row.end_s or 0, row.contract_id),
    )
    if not contracts:
        return []
    used = {row.contract_id: row for row in shown.evaluation.audit.contracts}
    is_planned = shown.advice is not None and not shown.is_today
    verdicts = {row.contract_id: row for row in shown.advice.verdicts} if is_planned and shown.advice else {}
    return [
        ListRow(f"{_count_text(contracts)}, by their ends", amount=_sum_text(contracts), is_heading=True),
        *(
            _contract_row(contract, used.get(contract.contract_id), verdicts.get(contract.contract_id))
            for contract in contracts
        ),
    ]


def _contract_row(contract: Contract, used: ContractAudit | None, verdict: Verdict | None) -> ListRow:
    flagged = used is not None and used.below_40_percent
    ends = "no end" if contract.end_s is None else f"ends {numbers.date(contract.end_s - 1)}"
    use = f"{numbers.percent(used.utilization if used else None)} used"
    order_by = "" if verdict is None or verdict.order_by_s is None else numbers.date(verdict.order_by_s)
    if (
        verdict is not None and not verdict.gpus
    ):  # nothing follows it: there is no order, at most a notice to give
        order_by, notice_by = "", order_by if contract.notice_days else ""
    else:
        notice_by = ""
    facts = (
        f"{numbers.gpus(contract.gpus)} {contract.gpu_model or 'GPUs'}",
        use if flagged else "",
        ends,
        f"order by {order_by}" if order_by else "",
        f"notice by {notice_by}" if notice_by else "",
        "" if flagged else use,
    )
    money = contract.usd_per_month
    return ListRow(
        f"{contract.contract_id}: {_verdict(verdict)}" if verdict is not None else contract.contract_id,
        numbers.MIDDOT.join(filter(None, facts)),
        "quote needed" if money is None else numbers.whole(money),
        "triangle" if flagged else "contract",
        "amber" if flagged else "muted",
        key=contract.contract_id,
        tip=_tip(contract, verdict),
    )


def _count_text(contracts: list[Contract]) -> str:
    gpus = numbers.gpus(sum(contract.gpus for contract in contracts))
    return f"{numbers.counted(len(contracts), 'contract')}, {gpus} GPUs"


def _sum_text(contracts: list[Contract]) -> str:
    total = known_sum(contract.usd_per_month for contract in contracts)
    return f"{numbers.whole(total)} $ per month" if total is not None else "$ per month"


def _verdict(verdict: Verdict) -> str:
    if not verdict.then_term_months:
        return VERDICTS.get(verdict.verdict, verdict.verdict)
    return f"{numbers.gpus(verdict.gpus)} follow, most for {verdict.then_term_months} mo"


def _tip(contract: Contract, verdict: Verdict | None) -> str:
    rate = numbers.cents(contract.rate) if contract.rate is not None else "quote needed"
    parts = [
        contract.provider or "provider unknown",
        f"cluster {contract.cluster}",
        f"{rate} per GPU-hour",
        f"since {numbers.date(contract.start_s)}",
    ]
    if contract.notice_days is not None:
        parts.append(f"{contract.notice_days} days' notice")
    if verdict is not None:
        parts.append(verdict.reason)
    return "\n".join(parts)
