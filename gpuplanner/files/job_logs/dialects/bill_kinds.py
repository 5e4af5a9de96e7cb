"""What a bill is for: $ of GPUs, storage, network, support and egress, and the services that are none of these."""

from typing import TYPE_CHECKING, Final

from gpuplanner.domain.model.intake import BILLED, LEFT_OUT, Facts
from gpuplanner.files.system.engine import Engine, sql_text

if TYPE_CHECKING:
    from gpuplanner.files.job_logs.dialects.bill_rows import Bill

_NO_CHARGES: Final = "'tax', 'credit', 'refund', 'savingsplannegation', 'edpdiscount', 'bundleddiscount'"
_TRAFFIC: Final = "data ?transfer|bandwidth|outbound|internet out"
_INSIDE: Final = (
    "regional|inter.?zone|intra|same region|between (zones|availability)|in-bytes|ingress|inbound"
)
_KINDS: Final = (
    ("support", r"support\b|awssupport"),
    (
        "storage",
        r"storage|s3\b|elastic block|ebs:(volume|snapshot)|volumeusage|elastic file|efs\b|fsx\b|lustre"
        r"|filestore|block volume|\bdisks?\b|snapshot|backup|glacier|file system|netapp|\bblob\b",
    ),
    (
        "network",
        r"network|vpc\b|nat ?gateway|load ?balanc|direct ?connect|express ?route|interconnect|cloudfront"
        rf"|\bcdn\b|\bvpn\b|\bdns\b|route ?53|transit gateway|ip ?address|privatelink|infiniband|{_TRAFFIC}",
    ),
)
"""Kind -> what says it, small: of a service, else of what was used of one that is none of them."""
_COST_AT_MOST: Final = 1e12


def billed_by_kind(engine: Engine, bill: "Bill", product: str) -> Facts:
    """$ by currency and kind over all rows, spread over a commitment's life; services of no kind, dearest first.

    product: SQL of what a row says was used. Taxes, credits and refunds are of no kind. Empty where the bill has no
    column of costs.
    """
    columns, form = bill.columns, bill.form
    costs = [text for names in form.cost if (text := columns.text(names)) is not None]
    if not costs:
        return ()
    amounts = [f"try_cast({text} as double)" for text in costs]
    cost = f"coalesce({', '.join((*(f'nullif({one}, 0)' for one in amounts), amounts[-1]))})"
    service = columns.text(form.service) or "cast(null as varchar)"
    categories = columns.texts(("ServiceCategory", "ServiceSubcategory"))
    told = f"lower(concat_ws(' | ', '', {', '.join((service, *categories))}))"
    charge = f"lower(coalesce({columns.text(form.charge) or 'null'}, ''))"

    def says(column: str, pattern: str) -> str:
        return f"regexp_matches({column}, {sql_text(pattern)})"

    kinds = [f"when {says(column, of)} then '{kind}'" for column in ("told", "words") for kind, of in _KINDS]
    traffic = f"{says('words', _TRAFFIC)} and not {says('words', _INSIDE)}"
    found = engine.all(
        f"""select currency, kind, case when kind is null then service end, sum(cost) as usd from (
            select *, case when charge in ({_NO_CHARGES}) then null when is_gpu then 'gpu'
                when {says("words", "egress")} or {traffic} then 'egress' {" ".join(kinds)} end as kind
            from (select {told} as told, lower(concat_ws(' | ', {told}, {product})) as words,
                {charge} as charge, line in (select line from "{bill.gpu}") as is_gpu, {cost} as cost,
                coalesce({columns.text(form.currency) or "null"}, '') as currency,
                case when {charge} in ({_NO_CHARGES}) then {charge} else {service} end as service
                from "{bill.raw.name}")
            where abs(cost) <= {_COST_AT_MOST}) group by all order by usd desc, 3"""
    )
    by_currency: dict[str, dict[str, float]] = {}
    for currency, kind, _, usd in found:
        if kind is not None:
            by_currency.setdefault(currency, {})[kind] = usd
    left_out = [name or "unknown" for _, kind, name, usd in found if kind is None and usd]
    return ((BILLED, by_currency), (LEFT_OUT, list(dict.fromkeys(left_out))))
