"""Questions 21 to 40 of the meeting: runs, tokens, terms, risks, contracts, places, and other futures."""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final

from PySide6.QtWidgets import QApplication

from gpuplanner.domain.commitment.plan.comparison import Horizon
from gpuplanner.domain.edits.dates import begin_workloads
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.kit.page_parts import Fold
from gpuplanner.ui.window.main_window import MainWindow
from tests.meeting.eyes import Headline, InTable, Said
from tests.meeting.hands import (
    AddContracts,
    AddPrices,
    Assume,
    CameLater,
    Count,
    Fill,
    Find,
    Look,
    Panel,
    Press,
    Push,
    Say,
    Slide,
    Today,
    Within,
)
from tests.meeting.question import Answer, Cell, Question
from tests.ui.plans_world import settle
from tests.ui.visible_texts import visible_texts

LARGEST_SERVICE: Final = "borealis/assistant/agent-xl-vllm"
CAMPAIGN: Final = "atlas/foundation/aurora-large-pretrain"
SIZED: Final = "atlas/chat/vllm-chat-prod"
ONE_PROVIDER: Final = "One provider alone"
VENDOR: Final = "Vela Metal (illustrative)"
ORDERS: Final = "month,figure,value\n2026-09,orders,118000\n2027-08,orders,150000\n"
CAME: Final = (
    "job_id,cluster,name,account,user,queue,gpu_model,gpus,nodes,submit,start,end,state\n"
    "1,atlas,vllm-chat-prod,chat,ann,serve,H100,64,8,2026-10-01T00:00:00Z,2026-10-01T00:00:00Z,2026-11-01T00:00:00Z,COMPLETED\n"
)
EUROS: Final = (
    "contract_id,provider,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,currency,start,end,pricing_category,"
    "term_months,gpu_memory_gb,interconnect,bare_metal\n"
    "euro-h100,Rhein Rechner,atlas,H100,16,2.60,EUR,2026-04-01,2027-04-01,COMMITTED,12,80,infiniband,true\n"
)
QUOTED: Final = (
    "offer_id,provider,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour,max_gpus,gpu_memory_gb,"
    "interconnect,bare_metal,source\n"
    "quote-north,Northlight,H100,COMMITTED,12,2.10,24,80,infiniband,true,Quote RFQ-20261001-0000 R2\n"
)


@dataclass(frozen=True, slots=True)
class Move:
    """A card that is moved to another pool while *What if* is open."""

    key: str
    pool: Pool

    @property
    def words(self) -> str:
        name = self.key.rsplit("/", 1)[-1]
        return f"{Press('what_if').words}, drag *{name}* to *{self.pool.value.title()}*"

    def do(self, window: MainWindow) -> None:
        Press("what_if").do(window)
        window.session.gestures.move((self.key,), self.pool)
        settle(window)


@dataclass(frozen=True, slots=True)
class Reads:
    """What the window says beside the numbers, word for word."""

    sentence: str

    @property
    def words(self) -> str:
        return f"where it says *{self.sentence}*"

    def do(self, window: MainWindow) -> None:
        assert self.sentence in {text for _, text in visible_texts(window)}


@dataclass(frozen=True, slots=True)
class Begin:
    """A workload that begins on a later day, while *What if* is open."""

    key: str
    day: date

    @property
    def words(self) -> str:
        name = self.key.rsplit("/", 1)[-1]
        return f"{Press('what_if').words}, choose *{name}*, *Begins on* (Ctrl+Alt+B) `{self.day}`"

    def do(self, window: MainWindow) -> None:
        Press("what_if").do(window)
        begins_s = int(datetime(self.day.year, self.day.month, self.day.day, tzinfo=UTC).timestamp())
        session = window.session
        session.gestures.edit(
            "begins", lambda project: begin_workloads(project, session.scenario, (self.key,), begins_s)
        )
        settle(window)


@dataclass(frozen=True, slots=True)
class Unfold:
    """A section of a panel that is opened by its heading."""

    title: str

    @property
    def words(self) -> str:
        return f"*{self.title}* under it"

    def do(self, window: MainWindow) -> None:
        fold = next(one for one in window.findChildren(Fold) if one.head.text() == self.title)
        fold.head.setChecked(True)
        QApplication.processEvents()
        settle(window)


def twelve_months(what: str) -> Answer:
    """The plan's $ of the next twelve months: in the headline, in JSON, under the months of the workbook."""
    return Answer(
        what,
        "$",
        Said("headline: Spend", r"12 months: \$([\d,]+)"),
        "horizons[horizon=twelve_months].plan_usd",
        Cell("Comparison", "Sum", "Plan as advised, $"),
    )


LOOK: Final = Look(Horizon.TWELVE_MONTHS)

NEXT_TWENTY: Final[tuple[Question, ...]] = (
    Question(
        21,
        "What does one order (a figure of the business) cost us, now and in month 12?",
        (Count("orders.csv", ORDERS),),
        ("plan", "--business", "{folder}/orders.csv"),
        (
            Answer(
                "One order in the last month of the log",
                "$",
                InTable("Business figures", ("orders", "2026-09"), "For one"),
                "business[name=orders,month=2026-09].usd_each",
                Cell("Advice", ("orders", "2026-09"), "Spend per unit, $ each"),
            ),
            Answer(
                "One order in month 12",
                "$",
                InTable("Business figures", ("orders", "2027-08, month 12"), "For one"),
                "business[name=orders,held_from=2027-08].usd_each",
                Cell(
                    "Advice",
                    ("orders", "month 12 of the plan, at the count of 2027-08"),
                    "Spend per unit, $ each",
                ),
            ),
        ),
        files={"orders.csv": ORDERS},
        found_by=(("what does one order cost", "Cost: Business figures"),),
    ),
    Question(
        22,
        "What does a million tokens of our chat model cost?",
        (Find("million tokens", "Cost: Endpoints"),),
        ("plan",),
        (
            Answer(
                "A million tokens of vllm-chat-prod",
                "$ per million tokens",
                InTable("Endpoints", ("vllm-chat-prod",), "$ per 1M tokens"),
                f"unit_costs.endpoints[key={SIZED}].tokens.usd_per_million_tokens",
                None,
                no_cell="the sheet Inference has what the sized GPUs would cost; this is what the log's did",
            ),
        ),
    ),
    Question(
        23,
        "What does one run of the largest model cost, and retraining it every month?",
        (Find("training runs", "Cost: Training runs"),),
        ("plan",),
        (
            Answer(
                "Its most expensive run",
                "$",
                InTable("Training runs", ("aurora-large-pretrain",), "$ of the run"),
                f"unit_costs.runs[key={CAMPAIGN}].usd",
                None,
                no_cell="the book has workloads, and no runs of them",
            ),
            Answer(
                "A run of it on average, which is what each month would add",
                "$",
                InTable("Retraining", ("aurora-large-pretrain",), "$ of a run"),
                f"unit_costs.retraining[key={CAMPAIGN}].usd_per_run",
                None,
                hands=(Find("retraining", "Cost: Retraining"),),
                no_cell="the book has workloads, and no runs of them",
            ),
        ),
    ),
    Question(
        24,
        "What would the savings buy?",
        (Panel("today_to_plan"),),
        ("plan",),
        (
            Answer(
                "Savings that would be spent",
                "$ per month",
                Headline("savings"),
                "totals.savings_vs_do_nothing_usd_per_month",
                Cell("Summary", "Savings against doing nothing", "Value"),
            ),
        ),
        found_by=(("what would the savings buy", "Today to plan"),),
    ),
    Question(
        25,
        "Could one provider serve it all, and at what $?",
        (Panel("prices", "alone"),),
        ("plan", "--one-provider"),
        (
            Answer(
                "Twelve months with the largest alone, and what it does not sell as planned",
                "$",
                InTable(ONE_PROVIDER, (VENDOR,), "12 months"),
                f"one_provider[provider={VENDOR}].year_usd",
                Cell("Advice", VENDOR, "Twelve months with it alone, $ in all", after=ONE_PROVIDER),
            ),
            Answer(
                "GPUs of A100 that it does not sell",
                "GPUs",
                InTable(ONE_PROVIDER, (VENDOR,), "Lacks"),
                f"one_provider[provider={VENDOR}].not_served[gpu_model=A100].gpus",
                None,
                hands=(Reads("No provider could serve the whole plan alone."),),
                no_cell="the sheet Advice says it in words",
            ),
        ),
        found_by=(("one provider serve it all", "Prices: Alone"),),
    ),
    Question(
        26,
        "Last quarter's plan against what came: why were we off?",
        (CameLater("came.csv", CAME),),
        ("track", "--jobs", "{folder}/came.csv"),
        (
            Answer(
                "What was planned",
                "$",
                Said("Plan vs. actual", r"\$([\d,]+) planned, \$[\d,]+ came"),
                "planned_usd",
                None,
                no_cell="the book is of the plan, before anything came",
            ),
            Answer(
                "Actual",
                "$",
                Said("Plan vs. actual", r"planned, \$([\d,]+) came"),
                "actual_usd",
                None,
                no_cell="the book is of the plan, before anything came",
            ),
        ),
        files={"came.csv": CAME},
        found_by=(("why were we off", "Plan vs. actual"),),
    ),
    Question(
        27,
        "This contract ends: what happens?",
        (Panel("contracts", "list"),),
        ("plan",),
        (
            Answer(
                "What follows atlas-surge",
                "GPUs",
                Said("Contracts, List: atlas-surge", r"atlas-surge: (?:32 \u2192 )?(\d+) GPUs"),
                "contract_verdicts[contract_id=atlas-surge].gpus",
                Cell("Contracts", "atlas-surge", "Advised GPUs"),
            ),
        ),
        found_by=(("contract ends", "Contracts"),),
    ),
    Question(
        28,
        "How locked in are we, and what if churn is 5% a month?",
        (Slide("lambda", "5%"), LOOK),
        ("plan", "--set", "lambda=5%"),
        (
            twelve_months("The plan with it, twelve months"),
            Answer(
                "Average term left with it",
                "months",
                Headline("lock_in"),
                "totals.lock_in_months",
                Cell("Summary", "Average term left, plan", "Value"),
            ),
        ),
        found_by=(("churn", "Assumptions"),),
    ),
    Question(
        29,
        "How much do we trust to spot, and what if there is no spot?",
        (Assume("spot", "Work may run on spot", False), LOOK),
        ("plan", "--set", "spot=no"),
        (twelve_months("The plan without spot, twelve months"),),
        found_by=(("no spot", "Assumptions"),),
    ),
    Question(
        30,
        "Prices rise 15% instead of falling: then what?",
        (Slide("delta", "0%"), Say("prices +15% by 2027-09"), LOOK),
        ("plan", "--set", "delta=0%", "--change", "prices +15% by 2027-09"),
        (twelve_months("The plan with it, twelve months"),),
    ),
    Question(
        31,
        "Which month is the cheapest to start; what if we wait three months?",
        (Assume("wait_months", "No orders for", 3), LOOK),
        ("plan", "--set", "wait_months=3"),
        (twelve_months("The plan that waits, twelve months"),),
        found_by=(("sign nothing for three months", "Assumptions"),),
    ),
    Question(
        32,
        "Our users in Europe want 80 ms: where should chat run?",
        (Panel("placement"),),
        ("place",),
        (
            Answer(
                "Round trip today, top 80% of users",
                "ms",
                Said("Placement", r"Top 80% of users: [\d.]+ ms one way, ([\d.]+) ms"),
                "current.round_trip_ms",
                Cell("Placement", "Today", "Round trip, ms"),
            ),
        ),
        found_by=(("80 ms in Europe", "Placement"),),
    ),
    Question(
        33,
        "A vendor quoted: who gets what, and what does it save against the plan?",
        (AddPrices("quoted.csv", QUOTED), Panel("award")),
        ("award", "--prices", "{inputs}/prices.csv", "{folder}/quoted.csv"),
        (
            Answer(
                "What all is awarded for",
                "$",
                Said("Award", r"GPUs are awarded for \$([\d,]+) in all"),
                "totals.liability_usd",
                Cell("Quotes", "Sum", "Whole term, $ in all"),
            ),
        ),
        files={"quoted.csv": QUOTED},
        found_by=(("who gets what", "Award"),),
    ),
    Question(
        34,
        "Which contracts are under 40% used, and what do we pay for them unused?",
        (Today(),),
        ("plan",),
        (
            Answer(
                "Unused of atlas-h200",
                "$ per month",
                InTable("Contracts", ("atlas-h200",), "Unused"),
                "contracts[contract_id=atlas-h200].unused_usd_per_month",
                Cell("Leaks", "atlas-h200", "Leaked, $ per month"),
            ),
        ),
    ),
    Question(
        35,
        "We move our largest service to burst: what would happen?",
        (Move(LARGEST_SERVICE, Pool.BURST), LOOK),
        ("plan", "--assign", f"{LARGEST_SERVICE}=burst"),
        (twelve_months("The plan with it, twelve months"),),
    ),
    Question(
        36,
        "Everything grows 10% a month: what then?",
        (Slide("growth", "10%"), LOOK),
        ("plan", "--set", "growth=10%"),
        (twelve_months("The plan with it, twelve months"),),
    ),
    Question(
        37,
        "The training campaign slips by two months: what does that do?",
        (Begin(CAMPAIGN, date(2026, 12, 1)), LOOK),
        ("plan", "--begins", f"{CAMPAIGN}=2026-12-01"),
        (twelve_months("The plan with it, twelve months"),),
    ),
    Question(
        38,
        "The euro falls 10%: what does that do to our euro contracts (given a contract in EUR)?",
        (
            AddContracts("euros.csv", EUROS),
            Within("currency", (Fill("US dollars per EUR", "0.972"), Push("Use these"))),
            Look(Horizon.NEXT_MONTH),
        ),
        (
            *("plan", "--contracts", "{inputs}/contracts.csv", "{folder}/euros.csv"),
            *("--fx", "EUR=0.972@2026-10-01"),
        ),
        (
            Answer(
                "Spend today at 0.972, 10% under 1.08",
                "$ per month",
                Headline("spend", "before"),
                "totals.current_usd_per_month",
                Cell("Summary", "Spend today", "Value"),
            ),
        ),
        files={"euros.csv": EUROS},
        found_by=(("euro falls", "Currency"),),
    ),
    Question(
        39,
        "From which utilization on does a 12-month term beat on demand; what do we pay against list?",
        (Panel("duration"), Unfold("Coverage and value")),
        ("plan",),
        (
            Answer(
                "Effective savings rate: below all on demand",
                "%",
                Said("Duration: Coverage and value", r"effective savings rate is ([-\d.]+)%"),
                "totals.effective_savings_rate",
                Cell("Summary", "Effective savings rate", "Value"),
            ),
        ),
        found_by=(("against list price", "Duration & commitment"),),
    ),
    Question(
        40,
        "The largest team grows by half: what does it cost?",
        (Say("team chat grows by half"), LOOK),
        ("plan", "--change", "team chat grows by half"),
        (twelve_months("The plan with it, twelve months"),),
    ),
)
