"""What a bill charges for its use of GPUs, line by line: on demand, as spot or under a commitment."""

from typing import Final

from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.files.job_logs.dialects.bill_forms import Bill
from gpuplanner.files.system.engine import Engine, sql_text
from gpuplanner.files.values.gpu_instances import HINT, find_gpu_product

COST_AT_MOST: Final = 1e12
"""Of one line: more is no cost."""
NO_CHARGES: Final = "'tax', 'credit', 'refund', 'savingsplannegation', 'edpdiscount', 'bundleddiscount'"
"""SQL of charges, lower case, that are for no product."""
_CREDITS: Final = "'credit', 'refund', 'adjustment', 'edpdiscount', 'bundleddiscount', 'privateratediscount'"
_COMMITTED: Final = r"committed|reserv|savings ?plan|discountedusage|(^| )used( |$)"
_SPOT: Final = r"\bdynamic\b|\bspot|spot(usage|vm)|preemptible|low.?priority"


def cost_of(bill: Bill) -> str | None:
    """SQL of what a line costs, spread over a commitment's life: the first cost that is not 0; None without costs."""
    texts = [text for names in bill.form.cost if (text := bill.columns.text(names)) is not None]
    if not texts:
        return None
    amounts = [f"try_cast({text} as double)" for text in texts]
    other_than_0 = (f"nullif({amount}, 0)" for amount in amounts)
    cost = f"coalesce({', '.join((*other_than_0, amounts[-1]))})"
    return f"case when abs({cost}) <= {COST_AT_MOST} then {cost} end"


def charge_of(bill: Bill) -> str:
    """SQL of what kind of charge a line is, in lower case."""
    return f"lower(coalesce({bill.columns.text(bill.form.charge) or 'null'}, ''))"


def way_to_pay(category: str, currency: str, is_daily: str) -> str:
    """SQL of `billed_as` of a job: pricing category, currency, and 1 of a line of a day or longer.

    category, currency, is_daily: SQL of the three.
    """
    return f"concat_ws('|', {category}, {currency}, case when {is_daily} then '1' else '0' end)"


def find_amounts(engine: Engine, bill: Bill, words: str, table: str) -> str:
    """Make the table of what each line of GPU usage was charged: line, amount, billed_as; empty without costs.

    words: SQL of what a line says was used. Corrections and unused commitments are shared by cost among the lines of
    their GPU model, region and way to pay, without such lines among all of the model and region, as are credits. Of
    the period of an unused commitment the part counts in which the lines lie. Law: the amounts add up to all lines
    for GPUs of models that are used in the region.
    """
    cost = cost_of(bill)
    if cost is None:
        return ""
    form, columns = bill.form, bill.columns
    ways = (*columns.texts(form.pricing), *columns.texts(form.commitment), charge_of(bill))
    paid = f"lower(concat_ws(' ', {', '.join(ways)}))"
    group = f"""coalesce({columns.text(form.currency) or "null"}, '') as currency,
        coalesce(lower({columns.text(form.region) or "null"}), '') as region"""
    engine.run(
        f"""create or replace table "{table}_lines" as
        select line, g.gpu_model, {group}, g.start_s, g.end_s, {cost} as cost,
            g.end_s - g.start_s >= {DAY_S} as is_daily,
            case when regexp_matches({paid}, {sql_text(_COMMITTED)}) then '{PricingCategory.COMMITTED}'
                when regexp_matches(concat_ws(' ', {paid}, lower({words})), {sql_text(_SPOT)})
                then '{PricingCategory.DYNAMIC}' else '{PricingCategory.STANDARD}' end as category,
            coalesce(g.quantity_near > 0 and g.gpus_near > 0 and g.seconds_near > 0 and g.run_s > 0, false) as is_run
        from "{bill.gpu}" g join "{bill.raw.name}" r using (line)"""
    )
    _find_beside(engine, bill, words, cost, group, f"{table}_beside")
    each = "gpu_model, region, currency"
    target = "min(start_s) as first_s, max(end_s) as last_s, sum(cost) as cost from runs group by all"
    engine.run(
        f"""create or replace table "{table}" as
        with runs as (select * from "{table}_lines" where is_run and cost is not null),
        targets as (select {each}, null as category, {target} union all select {each}, category, {target}),
        beside as (
            select {each}, category, is_unused, start_s, end_s, cost from "{table}_beside" union all
            select {each}, category, false, start_s, end_s, cost from "{table}_lines" where not is_run
        ), found as (
            select b.* exclude (category), t.category
            from beside b left join targets t on {_alike("b", "t")} and b.category = t.category
        ), shares as (
            select t.gpu_model, t.region, t.currency, t.category,
                sum(b.cost * case when b.is_unused and b.end_s > b.start_s then greatest(0,
                    least(b.end_s, t.last_s) - greatest(b.start_s, t.first_s)) / (b.end_s - b.start_s) else 1 end)
                / nullif(t.cost, 0) as share
            from targets t join found b on {_alike("t", "b")} and b.category is not distinct from t.category
            group by t.gpu_model, t.region, t.currency, t.category, t.cost
        )
        select r.line, {way_to_pay("r.category", "r.currency", "r.is_daily")} as billed_as,
            r.cost * (1 + coalesce(sum(s.share), 0)) as amount
        from runs r left join shares s on {_alike("r", "s")} and coalesce(s.category, r.category) = r.category
        group by r.line, r.category, r.currency, r.is_daily, r.cost"""
    )
    return table


def _alike(table: str, other: str) -> str:
    """SQL of whether rows of two tables are of one GPU model, region and currency."""
    columns = ("gpu_model", "region", "currency")
    return " and ".join(f"{table}.{column} is not distinct from {other}.{column}" for column in columns)


def _find_beside(engine: Engine, bill: Bill, words: str, cost: str, group: str, table: str) -> None:
    """The table of credits for GPUs (category null) and of unused commitments, with their periods.

    Of a form that states what is unused in columns of their own, these are the cost.
    """
    form, columns = bill.form, bill.columns
    last = f" + {DAY_S}" if form.is_daily and columns.text(form.end) is None else ""
    is_credit = f"{charge_of(bill)} in ({_CREDITS})"
    unused, is_unused = cost, columns.has_words(form.stranded, otherwise=False)
    if not form.stranded and (texts := columns.texts(form.stranded_costs)):
        unused = " + ".join(f"coalesce(try_cast({text} as double), 0)" for text in texts)
        is_unused = f"({unused}) <> 0"
    engine.run(
        f"""create or replace table "{table}_charged" as
        select lower({words}) as words, {group}, s.at_s as start_s, e.at_s{last} as end_s,
            case when {is_unused} then {unused} else {cost} end as cost,
            case when {is_unused} then '{PricingCategory.COMMITTED}' end as category, {is_unused} as is_unused
        from "{bill.raw.name}" left join "{bill.times}" s on s.text = {bill.start}
        left join "{bill.times}" e on e.text = {bill.end}
        where ({is_unused} or {is_credit}) and line not in (select line from "{bill.gpu}")
            and regexp_matches(lower({words}), {sql_text(HINT)})"""
    )
    named = engine.all(f'select distinct words from "{table}_charged"')
    products = [(text, find_gpu_product(text, is_per_gpu=False)) for (text,) in named]
    known = [(text, product.gpu_model) for text, product in products if product is not None]
    engine.keep(
        f"{table}_products",
        {"words": [text for text, _ in known], "gpu_model": [model for _, model in known]},
        {"words": "varchar", "gpu_model": "varchar"},
    )
    engine.run(
        f"""create or replace table "{table}" as
        select gpu_model, region, currency, category, is_unused, start_s, end_s, cost
        from "{table}_charged" join "{table}_products" using (words) where cost is not null"""
    )
