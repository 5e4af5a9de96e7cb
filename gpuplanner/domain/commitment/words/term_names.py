"""What the row of a term is called among the layers of a pool: 12 months, 90 days."""

from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.message import Message
from gpuplanner.domain.model.book.term_words import terms_words


def term_name(plan: PoolPlan, months: int) -> Message:
    """After the layers that stand in the row; where none does, after the best offer of the term.

    months: of the term, as layers and levels are told apart; a term of days has those that it begins.
    """
    bought = [(one.term_months or 0, one.term_days) for one in plan.layers if one.is_new and one.gpus]
    offered = [(one.term_months, one.term_days) for one in plan.break_even]
    for terms in (bought, offered):
        if mine := [term for term in terms if term[0] == months]:
            return terms_words(mine)
    return terms_words([(months, None)])
