"""Questions 1 to 20 of the meeting: today, the plan, what if, limits, own or rent, energy, who pays, how sure."""

from typing import Final

from gpuplanner.domain.commitment.plan.comparison import Horizon
from tests.meeting.eyes import Headline, InList, InTable, Said
from tests.meeting.hands import AddPrices, Assume, Fill, Find, Look, Panel, Press, Push, Say, Today
from tests.meeting.question import Answer, Cell, Question

NEXT, LAST, YEAR = Look(Horizon.NEXT_MONTH), Look(Horizon.MONTH_12), Look(Horizon.TWELVE_MONTHS)
OWNED: Final = (
    "offer_id,provider,gpu_model,pricing_category,capex_usd_per_gpu,life_months,residual_share,kw_per_gpu,pue,"
    "usd_per_kwh,staff_usd_per_gpu_month,max_gpus,gpu_memory_gb,interconnect,bare_metal\n"
    "own-h100,Ours,H100,OWNED,32000,48,0.1,0.7,1.3,0.09,60,64,80,infiniband,true\n"
)
ENERGY: Final = "Energy of the plan: counted by the app, hour by hour"
BREAK_EVENS: Final = "Break-evens: of the cheapest offer of each term"
IN_YEAR: Final = "horizons[horizon=twelve_months]"
COSTS_YEAR: Final = Answer(
    "What it costs in twelve months",
    "$",
    Headline("spend", "change"),
    f"{IN_YEAR}.change_usd",
    Cell("Summary", "12 months in total", "Change by the question, $"),
    hands=(YEAR,),
)
COSTS_MONTH: Final = Answer(
    "What it costs in the first month",
    "$ per month",
    Headline("spend", "change"),
    "horizons[horizon=next_month].change_usd",
    Cell("Summary", "Next month", "Change by the question, $"),
    hands=(NEXT,),
)


def of_limit(limit: str, row: str) -> tuple[Answer, Answer]:
    """What a limit costs, in the table below it. limit: as JSON calls it; row: what the limit is called."""
    table = "Cost of limits"
    return (
        Answer(
            "What it costs in the first month",
            "$ per month",
            InTable(table, (row,), "Costs"),
            f"limits[limit={limit}].costs_usd_per_month",
            Cell("Advice", row, "The limit costs, $ per month"),
        ),
        Answer(
            "What it costs in twelve months",
            "$",
            InTable(table, (row,), "12 months"),
            f"limits[limit={limit}].costs_usd_in_12_months",
            Cell("Advice", row, "The limit costs in 12 months, $ in all"),
        ),
    )


FIRST_TWENTY: Final = (
    Question(
        1,
        "What do we spend a month now, and what in 12 months if we do nothing?",
        (NEXT,),
        ("plan",),
        (
            Answer(
                "Spend today",
                "$ per month",
                Headline("spend", "before"),
                "totals.current_usd_per_month",
                Cell("Summary", "Spend today", "Value"),
            ),
            Answer(
                "Month 12, without new commitments",
                "$ per month",
                Headline("spend", "under"),
                "horizons[horizon=month_12].do_nothing_usd",
                Cell("Summary", "Month 12", "Do nothing, $"),
                hands=(LAST,),
            ),
        ),
    ),
    Question(
        2,
        "What does the plan save against doing nothing, over 12 months, and how much of the difference to today is "
        "demand that went away by itself?",
        (YEAR,),
        ("plan",),
        (
            Answer(
                "Saved in twelve months",
                "$",
                Headline("savings"),
                f"{IN_YEAR}.savings_vs_do_nothing_usd",
                Cell("Summary", "12 months in total", "Savings against doing nothing, $"),
            ),
            Answer(
                "Of it demand by itself, a month: below 0 it grew",
                "$ per month taken off",
                Said("Today to plan: Where savings come from", r"Demand[^;]*?([\u2212+][\d,]+)"),
                "savings_steps[step=demand].usd_per_month",
                Cell("Advice", "Demand now", "Change, $ per month"),
                hands=(Panel("today_to_plan"),),
            ),
        ),
        found_by=(("savings", "Today to plan"), ("demand went away", "Today to plan")),
    ),
    Question(
        3,
        "Inference doubles by March: what does that cost us?",
        (Say("inference doubles by March"),),
        ("plan", "--change", "inference doubles by March"),
        (COSTS_YEAR, COSTS_MONTH),
        found_by=(("inference doubles by March", "Ask for a dated change"),),
    ),
    Question(
        4,
        "H100 prices fall 20% by May: do we still sign? what changes?",
        (Say("H100 prices fall 20% by May"), Panel("recommendations")),
        ("plan", "--change", "H100 prices fall 20% by May"),
        (
            COSTS_YEAR,
            Answer(
                "What is still signed now, over its terms",
                "$",
                InList("Signing this binds"),
                "totals.liability_now_usd",
                Cell("Advice", "Orders to sign now", "$"),
            ),
            Answer(
                "Average term left",
                "months",
                Headline("lock_in"),
                "totals.lock_in_months",
                Cell("Summary", "Average term left, plan", "Value"),
            ),
        ),
    ),
    Question(
        5,
        "What if we sign nothing at all?",
        (YEAR,),
        ("plan",),
        (
            Answer(
                "Twelve months without new commitments",
                "$",
                Said("headline: Spend", r"doing nothing \$([\d,]+)"),
                f"{IN_YEAR}.do_nothing_usd",
                Cell("Summary", "Do nothing", "Sum, $"),
            ),
            Answer(
                "More than the plan",
                "$",
                Headline("savings"),
                f"{IN_YEAR}.savings_vs_do_nothing_usd",
                Cell("Summary", "Plan as advised", "Saved against doing nothing, $"),
            ),
        ),
        found_by=(("sign nothing", "Today to plan"), ("do nothing", "Today to plan")),
    ),
    Question(
        6,
        "If we sign what is advised: what is our total liability, when is the cash due?",
        (Panel("recommendations"),),
        ("plan",),
        (
            Answer(
                "Bound by what is signed now",
                "$",
                InList("Signing this binds"),
                "totals.liability_now_usd",
                Cell("Advice", "Orders to sign now", "$"),
            ),
            Answer(
                "Due on the day",
                "$",
                Said("Recommendations: Signing this binds", r"\$([\d,]+) due when signed or bought"),
                "totals.due_at_once_now_usd",
                Cell("Advice", "Due at once now: upfront, set-up", "$"),
            ),
        ),
        found_by=(("liability", "Recommendations"), ("cash due", "Recommendations")),
    ),
    Question(
        7,
        "We stop one team: what does that save, what stays idle?",
        (Press("what_if"), Find("stop team foundation", "Stop team foundation"), Push("Stop")),
        ("plan", "--ends", "team:foundation=2026-10-01"),
        (
            COSTS_YEAR,
            COSTS_MONTH,
            Answer(
                "Unused then",
                "$ per month",
                Headline("unused_per_month"),
                "totals.unused_plan_usd_per_month",
                Cell("Summary", "Unused, plan", "Value"),
            ),
        ),
        found_by=(("close team foundation", "Stop team foundation"),),
    ),
    Question(
        8,
        "A new model launches in February and needs 64 H100: what does it cost?",
        (
            Press("what_if"),
            Press("plan_work"),
            Fill("Name", "launch"),
            Fill("Pool", "Inference"),
            Fill("GPUs", "64"),
            Fill("GPU model", "H100"),
            Push("Starts on a day"),
            Fill("First day", "1 Feb 2027"),
            Push("Add"),
        ),
        ("plan", "--planned", "{folder}/launch.csv"),
        (COSTS_YEAR,),
        files={
            "launch.csv": "name,pool,gpu_model,gpus,begins,ends,hours\n"
            "launch,inference,H100,64,2027-02-01,,always\n"
        },
        found_by=(("new model launches", "Add planned work"),),
    ),
    Question(
        9,
        "No more than 60% of the spend with one provider (and: with THIS provider): what does it cost?",
        (Press("limits"), Fill("One provider, at most", "60%")),
        ("plan", "--set", "max_provider_share=60%"),
        of_limit("max_provider_share", "At most 60% with one provider"),
        found_by=(("provider share", "Limits"), ("concentration", "Limits")),
    ),
    Question(
        10,
        "Move chat to another provider: what does it cost?",
        (
            Press("limits"),
            Fill("Whose workloads", "team chat"),
            Fill("Allowed providers or regions", "Only AWS"),
            Push("Set allowed providers"),
        ),
        ("plan", "--only", "team:chat=provider:AWS"),
        of_limit("only", "Only AWS for 14 workloads"),
        found_by=(("move chat to another provider", "Limits"),),
    ),
    Question(
        11,
        "Nothing longer than 12 months: what does it cost?",
        (Press("limits"), Fill("Longest term", "12")),
        ("plan", "--set", "max_term_months=12"),
        of_limit("max_term_months", "No term over 12 months"),
        found_by=(("longest term", "Limits"), ("max 12 months", "Limits")),
    ),
    Question(
        12,
        "The budget is $450k a month: what gives?",
        (Press("limits"), Fill("Budget", "450000")),
        ("plan", "--set", "budget_usd_per_month=450000"),
        (
            *of_limit("budget_usd_per_month", "A budget of $450,000 per month"),
            Answer(
                "What it leaves unserved in twelve months",
                "GPU-hours",
                Said("Limits: What it does", r"it leaves ([\d,]+) GPU-hours"),
                "limits[limit=budget_usd_per_month].unserved_gpu_hours",
                Cell("Advice", "Sum", "GPU-h of twelve months", after="Unserved demand"),
            ),
        ),
    ),
    Question(
        13,
        "Should we own 64 H100 rather than rent: from which utilization on?",
        (AddPrices("own.csv", OWNED), Panel("duration")),
        ("plan", "--prices", "{inputs}/prices.csv", "{folder}/own.csv"),
        (
            Answer(
                "Worth it above",
                "%",
                Said("Duration & commitment: Why these layers", r"48 months.*worth it above ([\d.]+%)"),
                "pools[pool=inference,gpu_model=H100].break_even[offer_id=own-h100].utilization",
                Cell(
                    "Commitment",
                    ("Inference", "H100", "own-h100"),
                    "Break-even of the term",
                    after=BREAK_EVENS,
                ),
            ),
            Answer(
                "The plan with it, twelve months",
                "$",
                Said("headline: Spend", r"12 months: \$([\d,]+)"),
                f"{IN_YEAR}.plan_usd",
                Cell("Summary", "12 months in total", "The plan, $"),
                hands=(YEAR,),
            ),
        ),
        files={"own.csv": OWNED},
        found_by=(("own or rent", "Duration & commitment"), ("buy our own hardware", "Prices")),
    ),
    Question(
        14,
        "How much energy and CO2 is that, and does it fit 150 kW?",
        (Find("energy of the plan", "Cost: Energy of the plan"),),
        ("plan",),
        (
            Answer(
                "Energy of the plan",
                "kWh per month",
                InTable("Energy of the plan", ("The plan",), "Energy"),
                "energy.kwh_per_month",
                Cell("Audit", "All of it", "Energy, kWh per month", after=ENERGY),
            ),
            Answer(
                "Its largest hour, above 150",
                "kW",
                InTable("Energy of the plan", ("The plan",), "Largest hour"),
                "energy.peak_kw",
                Cell("Audit", "All of it", "Largest hour, kW", after=ENERGY),
            ),
            Answer(
                "Its CO2",
                "kg per month",
                InTable("Energy of the plan", ("The plan",), "CO2"),
                "energy.kg_co2_per_month",
                Cell("Audit", "All of it", "CO2, kg per month", after=ENERGY),
            ),
        ),
        found_by=(("co2", "Cost: Energy"), ("150 kw", "Cost: Energy")),
    ),
    Question(
        15,
        "Who spends it: which team most, and who will be over budget when?",
        (Find("who pays by team", "Cost: Who pays, by team"),),
        ("plan",),
        (
            Answer(
                "The team that spends most",
                "$",
                InTable("Chargeback by team", ("chat",), "Charged"),
                "chargeback[team=chat].total_usd",
                Cell("Chargeback", "chat", "Charged, $ in the lookback period"),
                part=True,
            ),
        ),
        found_by=(("which team is over budget", "Cost: Who pays, by team"),),
    ),
    Question(
        16,
        "Why did the bill rise: price, volume or efficiency?",
        (Find("what changed", "Cost: What changed"),),
        ("audit",),
        tuple(
            Answer(
                name,
                "$ per month",
                InTable("What changed", ("Total",), name),
                f"variance.{name.lower()}_usd_per_month",
                None,
                part=True,
                no_cell="the book is of one plan, and this is of two periods of the log",
            )
            for name in ("Volume", "Efficiency", "Price")
        ),
        found_by=(("price volume efficiency", "Cost: What changed"),),
    ),
    Question(
        17,
        "How sure is this (P10-P90)?",
        (NEXT,),
        ("plan",),
        (
            Answer(
                "P10 of next month",
                "$ per month",
                Said("headline: Spend", r"P10\u2013P90: ([\d,]+)"),
                "uncertainty.p10_usd_per_month",
                Cell("Advice", "Next month, $", "P10"),
            ),
            Answer(
                "P90 of next month",
                "$ per month",
                Said("headline: Spend", r"P10\u2013P90: [\d,]+ \u2013 ([\d,]+)"),
                "uncertainty.p90_usd_per_month",
                Cell("Advice", "Next month, $", "P90"),
            ),
        ),
        found_by=(("would it have paid in the past", "Backtest"),),
    ),
    Question(
        17,
        "Would such advice have paid in the past?",
        (Panel("backtest"),),
        ("backtest",),
        tuple(
            Answer(
                f"{name}, all months paid for",
                "$",
                InTable("Cost by way of buying", (name,), "Paid"),
                f"totals.{key}_usd",
                None,
                no_cell="the book is of the year ahead, and this walks over the log",
            )
            for name, key in (
                ("The advice", "advice"),
                ("Hindsight", "hindsight"),
                ("All on demand", "on_demand"),
            )
        ),
    ),
    Question(
        18,
        "What must be signed by when?",
        (Panel("recommendations"),),
        ("plan",),
        (
            Answer(
                "The longest term to sign now",
                "$ per month",
                InList("Commit 24 H100 for 36 months"),
                "orders[offer_id=vela-h100-36m].usd_per_month",
                Cell("Commitment", ("vela-h100-36m", "now"), "Cost, $ per month"),
                part=True,
            ),
        ),
        found_by=(("what if we order a month later", "Plan from"), ("sign by", "Contracts: Order calendar")),
    ),
    Question(
        18,
        "And what if we order a month later?",
        (Assume("wait_months", "No orders for", 1),),
        ("plan", "--set", "wait_months=1"),
        (COSTS_YEAR,),
    ),
    Question(
        19,
        "What do we waste today, where, and is that stranded or just idle?",
        (Today(),),
        ("plan",),
        (
            Answer(
                "Stranded, as an audit counts",
                "$ per month",
                Headline("Stranded (audit estimate)"),
                "bridge.audit_usd_per_month",
                Cell("Audit", "All clusters", "Stranded (audit estimate), $ per month"),
            ),
            Answer(
                "Stranded (metered)",
                "$ per month",
                Headline("Stranded (audit estimate)", "under"),
                "bridge.metered_usd_per_month",
                Cell("Audit", "All clusters", "Stranded (metered), $ per month"),
            ),
        ),
        found_by=(("what do we waste", "Today"),),
    ),
    Question(
        20,
        "What does separating the pools cost, and what does it avoid?",
        (Panel("today_to_plan"),),
        ("plan",),
        (
            Answer(
                "Cost of separation",
                "$ per month",
                InTable("Cost and benefit of separate pools", ("Costs: unshared peaks",), "In money"),
                "totals.cost_of_separation_usd_per_month",
                Cell("Summary", "Cost of separation", "Value"),
            ),
        ),
        found_by=(("separation", "Today to plan"),),
    ),
)
