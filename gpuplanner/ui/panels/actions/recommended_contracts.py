"""What becomes of contracts, as rows of Recommendations: those that end, and those that orders follow."""

from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.commitment.result import Advice, Verdict
from gpuplanner.domain.commitment.words.verdict_words import change_words
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.ui.state.order_words import SOON_DAYS, days_between, sentences, terms_words
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.row_list import ListRow
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import by_count, spoken, tr


def ending_rows(shown: ViewState, advice: Advice, today_s: int) -> list[ListRow]:
    """Contracts that the plan lets end, or stops."""
    contracts = {contract.contract_id: contract for contract in shown.evaluation.project.contracts}
    used = {row.contract_id: row.utilization for row in shown.evaluation.audit.contracts}
    rows = [
        _ending(
            verdict,
            contracts[verdict.contract_id],
            used.get(verdict.contract_id),
            today_s,
            is_left_to_nobody(shown, advice, contracts[verdict.contract_id]),
            is_known=used.get(verdict.contract_id) is not None and advice.totals.plan is not None,
        )
        for verdict in advice.verdicts
        if verdict.verdict == "let_expire" and verdict.contract_id in contracts
    ]
    return sorted(rows, key=lambda row: not row.amount)


def is_left_to_nobody(shown: ViewState, advice: Advice, contract: Contract) -> bool:
    """Whether demand for the model of a contract, on its cluster, is left to nobody."""
    lost = {one.key for one in advice.unserved if gpu_model_of(one.gpu_model) == contract.gpu_model}
    workloads = shown.evaluation.project.workloads
    return any(one.key in lost and one.cluster == contract.cluster for one in workloads)


def _ending(
    verdict: Verdict, contract: Contract, used: float | None, today_s: int, is_unserved: bool, is_known: bool
) -> ListRow:
    """is_unserved: its work is left to nobody; is_known: what its work is and what the plan comes to is known."""
    share = "" if used is None else tr(", {used} used", used=numbers.percent(used))
    gpus = f"{numbers.gpus(contract.gpus)} {contract.gpu_model or 'GPUs'}"
    if not contract.is_committed:  # the plan pays it no more; a commitment is paid until it ends
        money = contract.cost_per_month
        name = tr("Stop {contract_id}.", contract_id=verdict.contract_id)
        amount = "" if money is None else numbers.change(-money)
        paid = tr("{gpus} on demand{share}", gpus=gpus, share=share)
        if contract.notice_days:
            notice = by_count(contract.notice_days, "{days} day's notice", "{days} days' notice",
                              days=numbers.whole(contract.notice_days))  # fmt: skip
            paid = tr("{paid}, {notice}", paid=paid, notice=notice)
        lost = tr("Leaves work to nobody")  # first: what is cut off is cut at the end
        then = tr("Its work fits") if is_known else tr("Whether its work fits is unknown")
        facts = sentences(lost, paid) if is_unserved else sentences(paid, then)
        why = figure("contract_usd", verdict.contract_id, "ends") if amount else ""
        return ListRow(name, facts, amount, "clock", kind="contract", key=verdict.contract_id, figure_id=why)
    name = tr("Let {contract_id} end.", contract_id=verdict.contract_id)
    when, icon, role = tr("No end"), "clock", "muted"
    if contract.end_s is not None:
        is_over = contract.end_s <= today_s
        day = numbers.date(contract.end_s - 1)
        when = tr("Ended {day}", day=day) if is_over else tr("Ends {day}", day=day)
        if contract.notice_days and verdict.order_by_s is not None and not is_over:
            when += tr(", notice by {order_by_s}", order_by_s=numbers.date(verdict.order_by_s))
            days = days_between(today_s, verdict.order_by_s)
            if days < 0:
                when, icon, role = (
                    tr("{when}, {days} ago", when=when, days=numbers.counted(-days, "day")),
                    "octagon",
                    "red",
                )
            elif days <= SOON_DAYS:
                icon, role = "triangle", "amber"
    return ListRow(
        name,
        when,
        icon=icon,
        icon_role=role,
        kind="contract",
        key=verdict.contract_id,
        note_role=role,
        more=tr("{gpus} committed{share}", gpus=gpus, share=share),
    )


def followed_rows(shown: ViewState, advice: Advice, today_s: int) -> list[ListRow]:
    """Contracts whose place orders take."""
    contracts = {contract.contract_id: contract for contract in shown.evaluation.project.contracts}
    followed = [
        verdict
        for verdict in advice.verdicts
        if verdict.verdict in ("renew", "shorten") and verdict.contract_id in contracts
    ]
    followed.sort(key=lambda verdict: contracts[verdict.contract_id].end_s or 0)
    return [_followed(verdict, contracts[verdict.contract_id], today_s) for verdict in followed]


def _followed(verdict: Verdict, contract: Contract, today_s: int) -> ListRow:
    """A contract whose GPUs the orders take over: no second amount, no second thing to sign."""
    model = contract.gpu_model or "GPUs"
    inside = tr(
        "In the orders: {parts}",
        parts=terms_words(verdict.shares),
    )
    by = (
        ""
        if verdict.order_by_s is None
        else tr("Order by {order_by_s}", order_by_s=numbers.date(verdict.order_by_s))
    )
    return ListRow(
        _change_line(contract, spoken(change_words(verdict, contract, model)), today_s),
        inside,
        icon="info",
        kind="contract",
        key=verdict.contract_id,
        tip=tr(
            "{gpus} of its {of_gpus} {model}. These are GPUs of the orders above, not more of them.",
            gpus=numbers.gpus(verdict.gpus),
            of_gpus=numbers.gpus(contract.gpus),
            model=model,
        ),
        more=by,
    )


def _change_line(contract: Contract, change: str, today_s: int) -> str:
    if contract.end_s is None:
        return tr("{contract}: {change}.", contract=contract.contract_id, change=change)
    date = numbers.date(contract.end_s - 1)
    if contract.end_s <= today_s:
        return tr(
            "{contract} ended {date}: {change}.", contract=contract.contract_id, date=date, change=change
        )
    return tr("{contract} ends {date}: {change}.", contract=contract.contract_id, date=date, change=change)
