"""What a bill is for: $ of GPUs, storage, network, support and egress."""

import re
from decimal import Decimal
from typing import Final

from gpuplanner.domain.message import joined
from gpuplanner.domain.model.amounts import known_sums
from gpuplanner.domain.model.book.exchange import USD
from gpuplanner.domain.model.intake import BILLED, LEFT_OUT, Facts, Issue, StatedFigure
from gpuplanner.files.job_logs.dialects.bill_amounts import NO_CHARGES, charge_of, cost_of
from gpuplanner.files.job_logs.dialects.bill_forms import SHARE, SUM_WORD, WORST, Bill
from gpuplanner.files.system.engine import Engine, sql_text
from gpuplanner.files.tables.small_table import worded_message
from gpuplanner.files.values.amounts import read_amount
from gpuplanner.files.values.gpu_instances import HINT, names_gpus

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


def stated_figures(engine: Engine, bill: Bill) -> tuple[StatedFigure, ...]:
    """The sums of costs that a bill states, and the amounts of its GPU usage against quantity and rate."""
    columns, figures, before = bill.columns, list[StatedFigure](), 0
    currency = columns.text(bill.form.currency) or "null"
    currencies = engine.all(f'select distinct {currency} from "{bill.raw.name}"')
    code = next((name for (name,) in currencies if name), USD)

    def stated(subject: str, amount: float, read: float, *, agrees: bool) -> None:
        figures.append(
            StatedFigure(
                quantity="usd_total", subject=subject, stated=amount, read=read, agrees=agrees, currency=code
            )
        )

    for line, cells in bill.sums.items() if len(currencies) == 1 else ():
        name = re.sub(SUM_WORD, "", next(filter(str.strip, cells), "").lower()).strip(" :")
        text = f"lower(concat_ws('|', {', '.join(f'c{at}' for at in range(len(cells)))}))"
        parts = (
            f"line < {line}",
            f"line between {before} and {line}",
            "true",
            f"contains({text}, {sql_text(name)})",
        )
        for heading, cost in columns.costs.items():
            number = read_amount(cells[columns.headings.index(heading)]).number
            sums = ", ".join(f"sum(try_cast({cost} as double)) filter ({part})" for part in parts)
            reads = [*filter(None, engine.one(f'select {sums} from "{bill.raw.name}"'))]
            if number is None or not reads:
                continue
            amount = float(number)
            _, read = min((abs(near - amount), near) for near in reads)
            half = float(Decimal(1).scaleb(int(number.as_tuple().exponent))) / 2
            is_last = line == max(bill.sums)
            stated(
                "file" if is_last else "group",
                amount,
                read,
                agrees=abs(read - amount) <= max(half, SHARE * amount),
            )
        before = line
    for texts in (map(columns.text, names) for names in bill.form.priced):
        quantity, rate, product = (f"try_cast({text or 'null'} as double)" for text in texts)
        priced = f"""(select line, {product} as charged, {quantity} * {rate} as product, abs(charged - product) as off
            from "{bill.raw.name}" join (select line from "{bill.gpu}") using (line)
            where charged <> 0 and product is not null)"""
        cents = engine.one(f"select coalesce(bool_and(charged = trunc(charged)), false) from {priced}")
        is_odd = f"off > greatest({0.5 if cents[0] else 0.005}, {SHARE} * abs(charged))"
        count, odd, charged, product_usd = engine.one(
            f"select count(*), count(*) filter ({is_odd}), sum(charged), sum(product) from {priced}"
        )
        if count and not odd:
            stated("group", charged, product_usd, agrees=True)
        if 2 * odd <= count:  # else the rate is another
            worst = f"select line, charged, product from {priced} where {is_odd} order by off desc, line limit {WORST}"
            for line, amount, read in engine.all(worst):
                stated(f"row {line}", amount, read, agrees=False)
    return tuple(dict.fromkeys(figures))


UNREAD: Final = "billed_unread"
_MAY_NAME: Final = rf"{HINT}|gb[23]00|[bh][123]00|a100|a10|l40|l4|v100|p100|t4|mi3"
"""In lower case: a text without it names no GPUs and no machine with GPUs."""


def unread_gpus(engine: Engine, bill: Bill, words: str, is_usage: str) -> Issue | None:
    """The lines of usage that name GPUs, or a machine that may have some, and are no run; None without any.

    words: SQL of what a line says was used. is_usage: SQL of whether a line is usage. Lines that cost nothing and lines
    of storage, network and support are left out.
    """
    cost, currency = cost_of(bill), bill.columns.text(bill.form.currency) or "null"
    if cost is None:
        return None
    kinds = " or ".join(f"regexp_matches(words, {sql_text(pattern)})" for _, pattern in _KINDS)
    is_run = "quantity_near < 0 or (gpus_near > 0 and seconds_near > 0)"
    lines = engine.all(
        f"""select words, currency, count(*), min(line), sum(cost) from (
            select line, lower({words}) as words, {currency} as currency, {cost} as cost from "{bill.raw.name}"
            where {is_usage} and line not in (select line from "{bill.gpu}" where {is_run}))
        where cost <> 0 and regexp_matches(words, {sql_text(_MAY_NAME)}) and not ({kinds}) group by all"""
    )
    named = [row for row in lines if names_gpus(row[0])]
    if not named:
        return None
    sums = known_sums((code or USD, usd) for _, code, _, _, usd in named)
    amounts = joined((f"{usd or 0.0:,.2f} {code}" for code, usd in sorted(sums.items())), ", ")
    count, first = sum(row[2] for row in named), min(row[3] for row in named)
    return Issue(UNREAD, count, first, worded_message(UNREAD, (amounts,)))


def billed_by_kind(engine: Engine, bill: Bill, product: str) -> Facts:
    """$ by currency and kind over all rows, spread over a commitment's life; services of no kind, most expensive first.

    product: SQL of what a row says was used. Taxes, credits and refunds are of no kind. Empty where the bill has no
    column of costs.
    """
    columns, form, cost = bill.columns, bill.form, cost_of(bill)
    if cost is None:
        return ()
    service = columns.text(form.service) or "cast(null as varchar)"
    categories = columns.texts(("ServiceCategory", "ServiceSubcategory"))
    told = f"lower(concat_ws(' | ', '', {', '.join((service, *categories))}))"
    charge = charge_of(bill)

    def says(column: str, pattern: str) -> str:
        return f"regexp_matches({column}, {sql_text(pattern)})"

    kinds = [f"when {says(column, of)} then '{kind}'" for column in ("told", "words") for kind, of in _KINDS]
    traffic = f"{says('words', _TRAFFIC)} and not {says('words', _INSIDE)}"
    found = engine.all(
        f"""select currency, kind, case when kind is null then service end, sum(cost) as usd from (
            select *, case when charge in ({NO_CHARGES}) then null when is_gpu then 'gpu'
                when {says("words", "egress")} or {traffic} then 'egress' {" ".join(kinds)} end as kind
            from (select {told} as told, lower(concat_ws(' | ', {told}, {product})) as words,
                {charge} as charge, line in (select line from "{bill.gpu}") as is_gpu, {cost} as cost,
                coalesce({columns.text(form.currency) or "null"}, '') as currency,
                case when {charge} in ({NO_CHARGES}) then {charge} else {service} end as service
                from "{bill.raw.name}")
            where cost is not null) group by all order by usd desc, 3"""
    )
    by_currency: dict[str, dict[str, float]] = {}
    for currency, kind, _, usd in found:
        if kind is not None:
            by_currency.setdefault(currency, {})[kind] = usd
    left_out = [name or "unknown" for _, kind, name, usd in found if kind is None and usd]
    return ((BILLED, by_currency), (LEFT_OUT, list(dict.fromkeys(left_out))))
