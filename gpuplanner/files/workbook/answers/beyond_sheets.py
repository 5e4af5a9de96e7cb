"""What a plan counts that no formula of the workbook repeats: said where its checks would otherwise only be red."""

from gpuplanner.domain.commitment.recursion.limited_use import is_limited, usage_offers
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs


def beyond_sheets(inputs: Inputs) -> str:
    """A sentence that names it, with a space before; empty where the sheets count all of the plan."""
    offers = inputs.project.offers
    found = [
        words
        for words, is_there in (
            ("GPUs or days that offers paid by use are limited to", is_limited(usage_offers(offers))),
            ("terms in days", any(order.term_days for order in inputs.advice.orders)),
        )
        if is_there
    ]
    if not found:
        return ""
    return (
        f" This plan counts with {', '.join(found)}, which no formula here repeats: until a program recalculates, "
        "figures of the Summary are the app's; afterwards they are of the plan without that, and rows in red, where "
        "there are any, say by how much."
    )
