"""Terms of a contract, changed in an editor: one edit."""

from functools import partial
from typing import TYPE_CHECKING

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.edits import contracts, labels
from gpuplanner.domain.model.book.contract import Contract, turn_words, with_terms
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.ui.flows.session import Session
from gpuplanner.ui.kit.dialogs import open_once
from gpuplanner.ui.why.popover import WhyPopover
from gpuplanner.ui.words.window_words import refusal_words

if TYPE_CHECKING:
    from gpuplanner.ui.plans.contract_dialog import Terms


class ContractFlow:
    """Told the session and the popover of answers; one edit of one contract."""

    def __init__(self, session: Session, answers: WhyPopover) -> None:
        self.session = session
        answers.asking = lambda why: self._lacking() if why.has_unknown else ""
        answers.editor_asked.connect(self.edit)

    def edit(self, contract_id: str) -> None:
        """Open the editor of a contract."""
        from gpuplanner.ui.plans.contract_dialog import ContractDialog

        named = (each for each in self.session.document.project.contracts if each.contract_id == contract_id)
        for contract in named:
            refusal, moved = partial(self._refusal, contract), partial(self._moved, contract)
            dialog = ContractDialog(contract, refusal, moved, self.session.window)
            dialog.terms_chosen.connect(partial(self._take, contract))
            open_once(dialog)

    def _refusal(self, contract: Contract, terms: "Terms") -> str:
        """Why terms cannot be; "" where they can, and change something."""
        project = self.session.document.project
        try:
            after = contracts.change_contract(project, contract.contract_id, terms)
        except PlannerError as error:
            return refusal_words(error)
        return tr("Nothing was changed.") if after is project else ""

    def _moved(self, contract: Contract, terms: "Terms") -> str:
        """That terms change which contract serves first; "" where they do not."""
        before = self.session.document.project
        after = contracts.change_contract(before, contract.contract_id, terms)
        return spoken(turn_words(contract, before.contracts, after.contracts))

    def _take(self, contract: Contract, terms: "Terms") -> None:
        document = self.session.document
        label = labels.contract_label(contract, with_terms(contract, terms))
        document.edit(label, contracts.change_contract(document.project, contract.contract_id, terms))

    def _lacking(self) -> str:
        """The first contract that counts and has no rate; "" where all have one."""
        project = self.session.document.project
        since_s = project.window.start_s
        lacking = (contract for contract in project.contracts if contract.quoted_rate is None)
        return next((row.contract_id for row in lacking if (row.end_s or since_s + 1) > since_s), "")
