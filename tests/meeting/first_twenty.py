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
    what="What it costs in twelve months",
    unit="$",
    window=Headline("spend", "change"),
    at=f"{IN_YEAR}.change_usd",
    part=True,  # the difference of the whole dollars that stand before and after the arrow
    cell=Cell("Calc months", "12 months in total", "Change by the question, $"),
    hands=(YEAR,),
)
COSTS_MONTH: Final = Answer(
    what="What it costs in the first month",
    unit="$ per month",
    window=Headline("spend", "change"),
    at="horizons[horizon=next_month].change_usd",
    part=True,  # the difference of the whole dollars that stand before and after the arrow
    cell=Cell("Calc months", "Next month", "Change by the question, $"),
    hands=(NEXT,),
)


def of_limit(limit: str, row: str) -> tuple[Answer, Answer]:
    """What a limit costs, in the table below it. limit: as JSON calls it; row: what the limit is called."""
    table = "Cost of limits"
    return (
        Answer(
            what="What it costs in the first month",
            unit="$ per month",
            window=InTable(table, (row,), "Costs"),
            at=f"limits[limit={limit}].costs_usd_per_month",
            cell=Cell("Calc months", row, "The limit costs, $ per month"),
        ),
        Answer(
            what="What it costs in twelve months",
            unit="$",
            window=InTable(table, (row,), "12 months"),
            at=f"limits[limit={limit}].costs_usd_in_12_months",
            cell=Cell("Calc months", row, "The limit costs in 12 months, $ in all"),
        ),
    )


FIRST_TWENTY: Final = (
    Question(
        number=1,
        words="What do we spend a month now, and what in 12 months if we do nothing?",
        hands=(NEXT,),
        command=("plan",),
        answers=(
            Answer(
                what="Spend today",
                unit="$ per month",
                window=Headline("spend", "before"),
                at="totals.current_usd_per_month",
                cell=Cell("Calc months", "Spend today", "Value"),
            ),
            Answer(
                what="Month 12, without new commitments",
                unit="$ per month",
                window=Headline("spend", "under"),
                at="horizons[horizon=month_12].do_nothing_usd",
                cell=Cell("Calc months", "Month 12", "Do nothing, $"),
                hands=(LAST,),
            ),
        ),
    ),
    Question(
        number=2,
        words="What does the plan save against doing nothing, over 12 months, and how much of the difference to "
        "today is demand that went away by itself?",
        hands=(YEAR,),
        command=("plan",),
        answers=(
            Answer(
                what="Saved in twelve months",
                unit="$",
                window=Headline("savings"),
                at=f"{IN_YEAR}.savings_vs_do_nothing_usd",
                cell=Cell("Calc months", "12 months in total", "Savings against doing nothing, $"),
            ),
            Answer(
                what="Of it demand by itself, a month: below 0 it grew",
                unit="$ per month taken off",
                window=Said("Today to plan: Where savings come from", r"Demand[^;]*?([\u2212+][\d,]+)"),
                at="savings_steps[step=demand].usd_per_month",
                cell=Cell("Calc months", "Demand now", "Change, $ per month"),
                hands=(Panel("today_to_plan"),),
            ),
        ),
        found_by=(("savings", "Today to plan"), ("demand went away", "Today to plan")),
    ),
    Question(
        number=3,
        words="Inference doubles by March: what does that cost us?",
        hands=(Say("inference doubles by March"),),
        command=("plan", "--change", "inference doubles by March"),
        answers=(COSTS_YEAR, COSTS_MONTH),
        found_by=(("inference doubles by March", "Dated change"),),
    ),
    Question(
        number=4,
        words="H100 prices fall 20% by May: do we still sign? what changes?",
        hands=(Say("H100 prices fall 20% by May"), Panel("decisions")),
        command=("plan", "--change", "H100 prices fall 20% by May"),
        answers=(
            COSTS_YEAR,
            Answer(
                what="What is still signed now, over its terms",
                unit="$",
                window=InList("Total commitment"),
                at="totals.liability_now_usd",
                cell=Cell("Calc months", "Orders to sign now", "$"),
            ),
            Answer(
                what="Average term left",
                unit="months",
                window=Headline("lock_in"),
                at="totals.lock_in_months",
                cell=Cell("Calc months", "Average term left, plan", "Value"),
            ),
        ),
    ),
    Question(
        number=5,
        words="What if we sign nothing at all?",
        hands=(YEAR,),
        command=("plan",),
        answers=(
            Answer(
                what="Twelve months without new commitments",
                unit="$",
                window=Said("headline: Spend", r"do nothing \$([\d,]+)"),
                at=f"{IN_YEAR}.do_nothing_usd",
                cell=Cell("Calc months", "Do nothing", "Sum, $"),
            ),
            Answer(
                what="More than the plan",
                unit="$",
                window=Headline("savings"),
                at=f"{IN_YEAR}.savings_vs_do_nothing_usd",
                cell=Cell("Calc months", "Plan as advised", "Saved against doing nothing, $"),
            ),
        ),
        found_by=(("sign nothing", "Today to plan"), ("do nothing", "Today to plan")),
    ),
    Question(
        number=6,
        words="If we sign what is advised: what is our total liability, when is the cash due?",
        hands=(Panel("decisions"),),
        command=("plan",),
        answers=(
            Answer(
                what="Bound by what is signed now",
                unit="$",
                window=InList("Total commitment"),
                at="totals.liability_now_usd",
                cell=Cell("Calc months", "Orders to sign now", "$"),
            ),
            Answer(
                what="Due on the day",
                unit="$",
                window=Said("Decisions: Total commitment", r"\$([\d,]+) upfront, the rest monthly"),
                at="totals.due_at_once_now_usd",
                cell=Cell("Calc months", "Due at once now: upfront, set-up", "$"),
            ),
        ),
        found_by=(("liability", "Decisions"), ("cash due", "Decisions")),
    ),
    Question(
        number=7,
        words="We stop one team: what does that save, what stays idle?",
        hands=(Press("what_if"), Find("stop team foundation", "Stop team foundation"), Push("Stop")),
        command=("plan", "--ends", "team:foundation=2026-10-01"),
        answers=(
            COSTS_YEAR,
            COSTS_MONTH,
            Answer(
                what="Unused then",
                unit="$ per month",
                window=Headline("unused_per_month"),
                at="totals.unused_plan_usd_per_month",
                cell=Cell("Calc months", "Unused, plan", "Value"),
            ),
        ),
        found_by=(("close team foundation", "Stop team foundation"),),
    ),
    Question(
        number=8,
        words="A new model launches in February and needs 64 H100: what does it cost?",
        hands=(
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
        command=("plan", "--planned", "{folder}/launch.csv"),
        answers=(COSTS_YEAR,),
        files={
            "launch.csv": "name,pool,gpu_model,gpus,begins,ends,hours\n"
            "launch,inference,H100,64,2027-02-01,,always\n"
        },
        found_by=(("new model launches", "Add planned work"),),
    ),
    Question(
        number=9,
        words="No more than 60% of the spend with one provider (and: with THIS provider): what does it cost?",
        hands=(Press("limits"), Fill("One provider, at most", "60%")),
        command=("plan", "--set", "max_provider_share=60%"),
        answers=of_limit("max_provider_share", "At most 60% with one provider"),
        found_by=(("provider share", "Limits"), ("concentration", "Limits")),
    ),
    Question(
        number=10,
        words="Move chat to another provider: what does it cost?",
        hands=(
            Press("limits"),
            Fill("Whose workloads", "team chat"),
            Fill("Allowed providers or regions", "Only AWS"),
            Push("Set allowed providers"),
        ),
        command=("plan", "--only", "team:chat=provider:AWS"),
        answers=of_limit("only", "Only AWS for 14 workloads"),
        found_by=(("move chat to another provider", "Limits"),),
    ),
    Question(
        number=11,
        words="Nothing longer than 12 months: what does it cost?",
        hands=(Press("limits"), Fill("Longest term", "12")),
        command=("plan", "--set", "max_term_months=12"),
        answers=of_limit("max_term_months", "No term over 12 months"),
        found_by=(("longest term", "Limits"), ("max 12 months", "Limits")),
    ),
    Question(
        number=12,
        words="The budget is $450k a month: what gives?",
        hands=(Press("limits"), Fill("Budget", "450000")),
        command=("plan", "--set", "budget_usd_per_month=450000"),
        answers=(
            *of_limit("budget_usd_per_month", "A budget of $450,000 per month"),
            Answer(
                what="What it leaves unserved in twelve months",
                unit="GPU-hours",
                window=Said("Limits: What it does", r"it leaves ([\d,]+) GPU-hours"),
                at="limits[limit=budget_usd_per_month].unserved_gpu_hours",
                cell=Cell("Calc months", "Sum", "GPU-h of twelve months", after="Unserved demand"),
            ),
        ),
    ),
    Question(
        number=13,
        words="Should we own 64 H100 rather than rent: from which utilization on?",
        hands=(AddPrices("own.csv", OWNED), Panel("duration")),
        command=("plan", "--prices", "{inputs}/prices.csv", "{folder}/own.csv"),
        answers=(
            Answer(
                what="Worth it above",
                unit="%",
                window=Said("Duration & commitment: Why these layers", r"48 months.*cheaper above ([\d.]+%)"),
                at="pools[pool=inference,gpu_model=H100].break_even[offer_id=own-h100].utilization",
                cell=Cell(
                    "Calc orders", ("Inference", "H100", "own-h100"), "Term break-even", after=BREAK_EVENS
                ),
            ),
            Answer(
                what="The plan with it, twelve months",
                unit="$",
                window=Said("headline: Spend", r"12 months: \$([\d,]+), do nothing"),
                at=f"{IN_YEAR}.plan_usd",
                cell=Cell("Calc months", "12 months in total", "The plan, $"),
                hands=(YEAR,),
            ),
        ),
        files={"own.csv": OWNED},
        found_by=(("own or rent", "Duration & commitment"), ("buy our own hardware", "Prices")),
    ),
    Question(
        number=14,
        words="How much energy and CO2 is that, and does it fit 150 kW?",
        hands=(Find("energy of the plan", "Cost: Energy of the plan"),),
        command=("plan",),
        answers=(
            Answer(
                what="Energy of the plan",
                unit="kWh per month",
                window=InTable("Energy of the plan", ("The plan",), "Energy"),
                at="energy.kwh_per_month",
                cell=Cell("Audit", "All of it", "Energy, kWh per month", after=ENERGY),
            ),
            Answer(
                what="Its largest hour, above 150",
                unit="kW",
                window=InTable("Energy of the plan", ("The plan",), "Largest hour"),
                at="energy.peak_kw",
                cell=Cell("Audit", "All of it", "Largest hour, kW", after=ENERGY),
            ),
            Answer(
                what="Its CO2",
                unit="kg per month",
                window=InTable("Energy of the plan", ("The plan",), "CO2"),
                at="energy.kg_co2_per_month",
                cell=Cell("Audit", "All of it", "CO2, kg per month", after=ENERGY),
            ),
        ),
        found_by=(("co2", "Cost: Energy"), ("150 kw", "Cost: Energy")),
    ),
    Question(
        number=15,
        words="Who spends it: which team most, and who will be over budget when?",
        hands=(Find("which team spends most", "Cost: Chargeback by team"),),
        command=("plan",),
        answers=(
            Answer(
                what="The team that spends most",
                unit="$",
                window=InTable("Chargeback by team", ("chat",), "Charged"),
                at="chargeback[team=chat].total_usd",
                cell=Cell("Chargeback", "chat", "Charged, $ in the lookback period"),
                part=True,
            ),
        ),
        found_by=(("which team is over budget", "Cost: Chargeback by team"),),
    ),
    Question(
        number=16,
        words="Why did the bill rise: price, volume or efficiency?",
        hands=(Find("what changed", "Cost: What changed"),),
        command=("audit",),
        answers=tuple(
            Answer(
                what=name,
                unit="$ per month",
                window=InTable("What changed", ("Total",), name),
                at=f"variance.{name.lower()}_usd_per_month",
                cell=None,
                part=True,
                no_cell="the book is of one plan, and this is of two periods of the log",
            )
            for name in ("Volume", "Efficiency", "Price")
        ),
        found_by=(("price volume efficiency", "Cost: What changed"),),
    ),
    Question(
        number=17,
        words="How sure is this (P10-P90)?",
        hands=(NEXT,),
        command=("plan",),
        answers=(
            Answer(
                what="P10 of next month",
                unit="$ per month",
                window=Said("headline: Spend", r"P10\u2013P90: ([\d,]+)"),
                at="uncertainty.p10_usd_per_month",
                cell=Cell("Calc months", "Next month, $", "P10"),
            ),
            Answer(
                what="P90 of next month",
                unit="$ per month",
                window=Said("headline: Spend", r"P10\u2013P90: [\d,]+ \u2013 ([\d,]+)"),
                at="uncertainty.p90_usd_per_month",
                cell=Cell("Calc months", "Next month, $", "P90"),
            ),
        ),
        found_by=(("would it have paid in the past", "Backtest"),),
    ),
    Question(
        number=17,
        words="Would such advice have paid in the past?",
        hands=(Panel("backtest"),),
        command=("backtest",),
        answers=tuple(
            Answer(
                what=f"{name}, all months paid for",
                unit="$",
                window=InTable("Cost by way of buying", (name,), "Paid"),
                at=f"totals.{key}_usd",
                cell=None,
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
        number=18,
        words="What must be signed by when?",
        hands=(Panel("decisions", "Order 24 H100 for 36 months"),),
        command=("plan",),
        answers=(
            Answer(
                what="The longest term to sign now",
                unit="$ per month",
                window=InList("O2 24 H100 for 36 months"),
                at="orders[offer_id=vela-h100-36m].usd_per_month",
                cell=Cell("Calc orders", ("vela-h100-36m", "now"), "Cost, $ per month"),
                part=True,
            ),
        ),
        found_by=(("what if we order a month later", "Plan from"), ("sign by", "Decisions")),
    ),
    Question(
        number=18,
        words="And what if we order a month later?",
        hands=(Assume("wait_months", "No orders for", 1),),
        command=("plan", "--set", "wait_months=1"),
        answers=(COSTS_YEAR,),
    ),
    Question(
        number=19,
        words="What do we waste today, where, and is that stranded or just idle?",
        hands=(Today(),),
        command=("plan",),
        answers=(
            Answer(
                what="Stranded, as an audit counts",
                unit="$ per month",
                window=InTable("Clusters today", ("3 clusters",), "Stranded (audit estimate)"),
                at="bridge.audit_usd_per_month",
                cell=Cell("Audit", "All clusters", "Stranded (audit estimate), $ per month"),
            ),
            Answer(
                what="Stranded (metered)",
                unit="$ per month",
                window=InTable("Clusters today", ("3 clusters",), "Stranded (metered)"),
                at="bridge.metered_usd_per_month",
                cell=Cell("Audit", "All clusters", "Stranded (metered), $ per month"),
            ),
        ),
        found_by=(("what do we waste", "Today"),),
    ),
    Question(
        number=20,
        words="What does separating the pools cost, and what does it avoid?",
        hands=(Panel("today_to_plan"),),
        command=("plan",),
        answers=(
            Answer(
                what="Cost of separation",
                unit="$ per month",
                window=InTable("Cost and benefit of separate pools", ("Costs: unshared peaks",), "In money"),
                at="totals.cost_of_separation_usd_per_month",
                cell=Cell("Calc months", "Cost of separation", "Value"),
            ),
        ),
        found_by=(("separation", "Today to plan"),),
    ),
)
