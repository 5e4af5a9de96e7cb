"""Questions 21 to 40 of the meeting: runs, tokens, terms, risks, contracts, places, and other futures."""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final

from PySide6.QtWidgets import QApplication

from gpuplanner.domain.commitment.plan.comparison import Horizon
from gpuplanner.domain.edits.dates import begin_workloads
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.kit.fold import Fold
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
    """The plan's $ of the next twelve months: in the headline of a question, in JSON and in the workbook."""
    return Answer(
        what=what,
        unit="$",
        window=Headline("spend"),
        at="horizons[horizon=twelve_months].plan_usd",
        cell=Cell("Calc months", "Sum", "Plan as advised, $"),
    )


LOOK: Final = Look(Horizon.TWELVE_MONTHS)

NEXT_TWENTY: Final[tuple[Question, ...]] = (
    Question(
        number=21,
        words="What does one order (a figure of the business) cost us, now and in month 12?",
        hands=(Count("orders.csv", ORDERS),),
        command=("plan", "--business", "{folder}/orders.csv"),
        answers=(
            Answer(
                what="One order in the last month of the log",
                unit="$",
                window=InTable("Business figures", ("orders", "2026-09"), "For one"),
                at="business[name=orders,month=2026-09].usd_each",
                cell=Cell("Calc months", ("orders", "2026-09"), "Spend per unit, $ each"),
            ),
            Answer(
                what="One order in month 12",
                unit="$",
                window=InTable("Business figures", ("orders", "2027-08, month 12"), "For one"),
                at="business[name=orders,held_from=2027-08].usd_each",
                cell=Cell(
                    "Calc months",
                    ("orders", "month 12 of the plan, at the count of 2027-08"),
                    "Spend per unit, $ each",
                ),
            ),
        ),
        files={"orders.csv": ORDERS},
        found_by=(("what does one order cost", "Cost: Business figures"),),
    ),
    Question(
        number=22,
        words="What does a million tokens of our chat model cost?",
        hands=(Find("million tokens", "Cost: Endpoints"),),
        command=("plan",),
        answers=(
            Answer(
                what="A million tokens of vllm-chat-prod",
                unit="$ per million tokens",
                window=InTable("Endpoints", ("vllm-chat-prod",), "$ per 1M tokens"),
                at=f"unit_costs.endpoints[key={SIZED}].tokens.usd_per_million_tokens",
                cell=None,
                no_cell="the sheet Inference has what the sized GPUs would cost; this is what the log's did",
            ),
        ),
    ),
    Question(
        number=23,
        words="What does one run of the largest model cost, and retraining it every month?",
        hands=(Find("training runs", "Cost: Training runs"),),
        command=("plan",),
        answers=(
            Answer(
                what="Its most expensive run",
                unit="$",
                window=InTable("Training runs", ("aurora-large-pretrain",), "$ of the run"),
                at=f"unit_costs.runs[key={CAMPAIGN}].usd",
                cell=None,
                no_cell="the book has workloads, and no runs of them",
            ),
            Answer(
                what="A run of it on average, which is what each month would add",
                unit="$",
                window=InTable("Retraining", ("aurora-large-pretrain",), "$ per run"),
                at=f"unit_costs.retraining[key={CAMPAIGN}].usd_per_run",
                cell=None,
                hands=(Find("retraining", "Cost: Retraining"),),
                no_cell="the book has workloads, and no runs of them",
            ),
        ),
    ),
    Question(
        number=24,
        words="What would the savings buy?",
        hands=(Panel("today_to_plan"),),
        command=("plan",),
        answers=(
            Answer(
                what="Savings that would be spent",
                unit="$ per month",
                window=Headline("savings"),
                at="totals.savings_vs_do_nothing_usd_per_month",
                cell=Cell("Calc months", "Savings against doing nothing", "Value"),
            ),
        ),
        found_by=(("what would the savings buy", "Today to plan"),),
    ),
    Question(
        number=25,
        words="Could one provider serve it all, and at what $?",
        hands=(Panel("prices", "alone"),),
        command=("plan", "--one-provider"),
        answers=(
            Answer(
                what="Price of the part that the largest can serve",
                unit="$ per month",
                window=InTable(ONE_PROVIDER, (VENDOR,), "Of its own"),
                at=f"one_provider[provider={VENDOR}].served_usd_per_month",
                cell=Cell("Calc months", VENDOR, "Of its own, $ per month", after=ONE_PROVIDER),
            ),
            Answer(
                what="Today's cost of that part",
                unit="$ per month",
                window=InTable(ONE_PROVIDER, (VENDOR,), "Same work today"),
                at=f"one_provider[provider={VENDOR}].same_work_now_usd",
                cell=Cell("Calc months", VENDOR, "Same work today, $ per month", after=ONE_PROVIDER),
            ),
            Answer(
                what="GPUs of A100 that it does not sell",
                unit="GPUs",
                window=InTable(ONE_PROVIDER, (VENDOR,), "Lacks"),
                at=f"one_provider[provider={VENDOR}].not_served[gpu_model=A100].gpus",
                cell=None,
                hands=(Reads("No provider could serve the whole plan alone."),),
                no_cell="the sheet Advice says it in words",
            ),
        ),
        found_by=(("one provider serve it all", "Prices: Alone"),),
    ),
    Question(
        number=26,
        words="Last quarter's plan against what came: why were we off?",
        hands=(CameLater("came.csv", CAME),),
        command=("track", "--jobs", "{folder}/came.csv"),
        answers=(
            Answer(
                what="What was planned",
                unit="$",
                window=Said("Plan vs. actual", r"\$([\d,]+) planned, \$[\d,]+ actual"),
                at="planned_usd",
                cell=None,
                no_cell="the book is of the plan, before anything came",
            ),
            Answer(
                what="Actual",
                unit="$",
                window=Said("Plan vs. actual", r"planned, \$([\d,]+) actual"),
                at="actual_usd",
                cell=None,
                no_cell="the book is of the plan, before anything came",
            ),
        ),
        files={"came.csv": CAME},
        found_by=(("why were we off", "Plan vs. actual"),),
    ),
    Question(
        number=27,
        words="This contract ends: what happens?",
        hands=(Panel("contracts", "list"),),
        command=("plan",),
        answers=(
            Answer(
                what="What follows atlas-surge",
                unit="GPUs",
                window=Said("Contracts, List: atlas-surge", r"atlas-surge: (?:32 \u2192 )?(\d+) GPUs"),
                at="contract_verdicts[contract_id=atlas-surge].gpus",
                cell=Cell("Contract inputs", "atlas-surge", "Advised GPUs"),
            ),
        ),
        found_by=(("contract ends", "Contracts"),),
    ),
    Question(
        number=28,
        words="How locked in are we, and what if churn is 5% a month?",
        hands=(Slide("lambda", "5%"), LOOK),
        command=("plan", "--set", "lambda=5%"),
        answers=(
            twelve_months("The plan with it, twelve months"),
            Answer(
                what="Average term left with it",
                unit="months",
                window=Headline("lock_in"),
                at="totals.lock_in_months",
                cell=Cell("Calc months", "Average term left, plan", "Value"),
            ),
        ),
        found_by=(("churn", "Assumptions"),),
    ),
    Question(
        number=29,
        words="How much do we trust to spot, and what if there is no spot?",
        hands=(Assume("spot", "Work may run on spot", False), LOOK),
        command=("plan", "--set", "spot=no"),
        answers=(twelve_months("The plan without spot, twelve months"),),
        found_by=(("no spot", "Assumptions"),),
    ),
    Question(
        number=30,
        words="Prices rise 15% instead of falling: then what?",
        hands=(Slide("delta", "0%"), Say("prices +15% by 2027-09"), LOOK),
        command=("plan", "--set", "delta=0%", "--change", "prices +15% by 2027-09"),
        answers=(twelve_months("The plan with it, twelve months"),),
    ),
    Question(
        number=31,
        words="Which month is the cheapest to start; what if we wait three months?",
        hands=(Assume("wait_months", "No orders for", 3), LOOK),
        command=("plan", "--set", "wait_months=3"),
        answers=(twelve_months("The plan that waits, twelve months"),),
        found_by=(("sign nothing for three months", "Assumptions"),),
    ),
    Question(
        number=32,
        words="Our users in Europe want 80 ms: where should chat run?",
        hands=(Panel("placement"),),
        command=("place",),
        answers=(
            Answer(
                what="Round trip today, top 80% of users",
                unit="ms",
                window=Said("Placement", r"Top 80% of users: [\d.]+ ms one way, ([\d.]+) ms"),
                at="current.round_trip_ms",
                cell=Cell("Studies", "Today", "Round trip, ms"),
            ),
        ),
        found_by=(("80 ms in Europe", "Placement"),),
    ),
    Question(
        number=33,
        words="A vendor quoted: who gets what, and what does it save against the plan?",
        hands=(AddPrices("quoted.csv", QUOTED), Panel("award")),
        command=("award", "--prices", "{inputs}/prices.csv", "{folder}/quoted.csv"),
        answers=(
            Answer(
                what="What all is awarded for",
                unit="$",
                window=Said("Award", r"in full, total commitment \$([\d,]+)"),
                at="totals.liability_usd",
                cell=Cell("Calc orders", "Sum", "Whole term, $ in all"),
            ),
        ),
        files={"quoted.csv": QUOTED},
        found_by=(("who gets what", "Award"),),
    ),
    Question(
        number=34,
        words="Which contracts are under 40% used, and what do we pay for them unused?",
        hands=(Today(),),
        command=("plan",),
        answers=(
            Answer(
                what="Unused of atlas-h200",
                unit="$ per month",
                window=InTable("Contracts", ("atlas-h200",), "Unused"),
                at="contracts[contract_id=atlas-h200].unused_usd_per_month",
                cell=Cell("Audit", "atlas-h200", "Leaked, $ per month"),
            ),
        ),
    ),
    Question(
        number=35,
        words="We move our largest service to burst: what would happen?",
        hands=(Move(LARGEST_SERVICE, Pool.BURST), LOOK),
        command=("plan", "--assign", f"{LARGEST_SERVICE}=burst"),
        answers=(twelve_months("The plan with it, twelve months"),),
    ),
    Question(
        number=36,
        words="Everything grows 10% a month: what then?",
        hands=(Slide("growth", "10%"), LOOK),
        command=("plan", "--set", "growth=10%"),
        answers=(twelve_months("The plan with it, twelve months"),),
    ),
    Question(
        number=37,
        words="The training campaign slips by two months: what does that do?",
        hands=(Begin(CAMPAIGN, date(2026, 12, 1)), LOOK),
        command=("plan", "--begins", f"{CAMPAIGN}=2026-12-01"),
        answers=(twelve_months("The plan with it, twelve months"),),
    ),
    Question(
        number=38,
        words="The euro falls 10%: what does that do to our euro contracts (given a contract in EUR)?",
        hands=(
            AddContracts("euros.csv", EUROS),
            Within("currency", (Fill("US dollars per EUR", "0.972"), Push("Use these"))),
            Look(Horizon.NEXT_MONTH),
        ),
        command=(
            *("plan", "--contracts", "{inputs}/contracts.csv", "{folder}/euros.csv"),
            *("--fx", "EUR=0.972@2026-10-01"),
        ),
        answers=(
            Answer(
                what="Spend today at 0.972, 10% under 1.08",
                unit="$ per month",
                window=Headline("spend", "before"),
                at="totals.current_usd_per_month",
                cell=Cell("Calc months", "Spend today", "Value"),
            ),
        ),
        files={"euros.csv": EUROS},
        found_by=(("euro falls", "Currency"),),
    ),
    Question(
        number=39,
        words="From which utilization on does a 12-month term beat on demand; what do we pay against list?",
        hands=(Panel("duration"), Unfold("Coverage and value")),
        command=("plan",),
        answers=(
            Answer(
                what="Effective savings rate: below all on demand",
                unit="%",
                window=Said("Duration: Coverage and value", r"Effective savings rate ([\u2212\d.]+)%"),
                at="totals.effective_savings_rate",
                cell=Cell("Calc months", "Effective savings rate", "Value"),
            ),
        ),
        found_by=(("against list price", "Duration & commitment"),),
    ),
    Question(
        number=40,
        words="The largest team grows by half: what does it cost?",
        hands=(Say("team chat grows by half"), LOOK),
        command=("plan", "--change", "team chat grows by half"),
        answers=(twelve_months("The plan with it, twelve months"),),
    ),
)
