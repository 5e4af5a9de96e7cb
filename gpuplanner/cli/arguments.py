"""What a command line may say: the options of every command, as one table."""

import argparse
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, NoReturn

from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re
from gpuplanner.version import __version__

USAGE_EXIT: Final = 2
PROJECT_SUFFIX: Final = ".gpuplan"


class UsageError(Exception):
    """The words of the call are off; the message says which and what to write instead."""


class _Parser(argparse.ArgumentParser):
    """A parser whose faults are told in one line by whoever called."""

    def error(self, message: str) -> NoReturn:
        """Errors: UsageError always."""
        raise UsageError(message)


COMMANDS: Final = {
    "demo": "write the demo inputs, a project and its workbook into a folder",
    "check": "read files and say what each is, how its rows ended, and what is wrong; writes nothing",
    "reduce": "job logs -> demand cube summary",
    "audit": "the quarter's audit: classes, utilization, stranded spend, leaks",
    "plan": "the audit, the pools and the commitment advice",
    "award": "who gets what of the plan's orders: quotes beside each other, what each saves and is worth",
    "queue": "how long jobs wait: the log replayed on the plan's GPUs and on other sizes",
    "size": "inference sizing: GPUs for a model and its traffic, on every GPU model and precision",
    "train": "a training run: does it fit, when is it done, at which cost, on every GPU model",
    "backtest": "would this advice have paid? a walk forward over the whole log",
    "place": "placement of a service: the way to its users, the best sites, what leaving data costs",
    "export": "the procurement workbook, FOCUS rows, requests for quote, the board brief",
    "track": "a saved plan against what came: demand, mix, decision and price, to the cent",
    "ask": "a question or a change in words, answered in one sentence",
    "self-test": "check this installation, one line per check",
}
"""Every command and its help."""
COMMAND_NAMES: Final = tuple(COMMANDS)

_AUDITING: Final = {"audit", "plan", "export"}
_PLANS: Final = {"plan", "award", "queue", "export"}
_PRICED: Final = _PLANS | {"backtest"}
_ASKED: Final = _PRICED | {"audit"}
_WITH_CONTRACTS: Final = _PLANS | {"audit", "track"}
_OF_FILES: Final = _ASKED | {"reduce"}
_OF_LOGS: Final = _OF_FILES | {"track"}
_READING: Final = _OF_LOGS | {"check"}
"""Commands that have options in common."""


def _some_path(text: str) -> str:
    """A path that is not empty: as a folder of no name it would be the current one."""
    if not text:
        raise argparse.ArgumentTypeError("the path is empty; write where to put it")
    return text


def _one_item(line: str) -> str:
    """A line of a mapping as one item, also where its column has a comma; several items stay several."""
    return f'"{line}"' if line.count("=") == 1 and "," in line and '"' not in line else line


_COMMENT: Final = lazy_re(r"^#.*|\s+#\s.*")
"""A line or the end of one; a heading may end in `PO #`, or be `# GPUs`."""


class _AddedToMap(argparse.Action):
    """Said again, --map goes on: `--map gpus=n --map start=from` is `--map gpus=n,start=from`; a file has lines."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        """What was said before stands first."""
        before = getattr(namespace, self.dest)
        if "=" not in str(values) and Path(str(values)).is_file():
            try:
                lines = Path(str(values)).read_text(encoding="utf-8-sig").splitlines()
            except (OSError, UnicodeError) as fault:
                parser.error(f"--map {values}: it cannot be read as UTF-8 text ({type(fault).__name__})")
            words = (_COMMENT.sub("", line.strip()) for line in lines)
            values = ",".join(_one_item(line) for line in words if line)
        setattr(namespace, self.dest, f"{before},{values}" if before else values)


How = Mapping[str, Any]
"""What argparse is told of an option besides its form and help."""

ONCE: Final[How] = {}
MAY_LACK: Final[How] = {"nargs": "?"}
FLAG: Final[How] = {"action": "store_true"}
REPEATED: Final[How] = {"action": "append", "default": []}
FILES: Final[How] = {"nargs": "+", "action": "extend", "default": []}
OUT: Final[How] = {"type": _some_path}


class Option(NamedTuple):
    """One option of some commands. form: its name, and what is written behind it if anything is; said: its help."""

    commands: Collection[str]
    form: str
    said: str
    how: How = ONCE


_POOLS: Final = "training, inference or burst; KEY is a workload's key in --json"

OPTIONS: Final = (
    Option({"demo"}, "folder DIR", "where to; it is made if need be", OUT),
    Option({"demo"}, "--ending DATE", "the last day of its log, 2026-09-30; without it yesterday"),
    Option({"ask"}, "question QUESTION", "such as 'inference x2 by March' or 'what do we waste'"),
    Option({"ask"}, "project PLAN.gpuplan", "a saved project"),
    Option({"check"}, "files FILE", "job logs, contracts, prices, in any order", {"nargs": "*"}),
    Option({"check"}, "--explain CODE", "instead of reading files: what an issue code means, and what to do"),
    Option(_OF_FILES, "project PROJECT.gpuplan", "stands in for --jobs, --contracts, --prices", MAY_LACK),
    Option({"track"}, "project PLAN.gpuplan", "the plan as it was saved", MAY_LACK),
    Option({"size", "train"}, "project PROJECT.gpuplan", "whose prices and assumptions count", MAY_LACK),
    Option({"place"}, "project PROJECT.gpuplan", "stands in for --users, --sites and the others", MAY_LACK),
    Option(
        {"size", "train"},
        "--model FILE|NAME",
        "a config.json, a small JSON or CSV, or a name such as 'Llama 3.1 8B'",
    ),
    Option({"size"}, "--traffic FILE", "requests with their tokens, or requests_per_s by hour_of_week"),
    Option(
        {"place", "size"},
        "--users FILE",
        "cities with their users: city, country, latitude, longitude, users",
        FILES,
    ),
    Option(
        {"place", "size"},
        "--sites FILE",
        "where the service runs or could run: site_id, city, country, latitude, longitude, usd_per_month, current, "
        "egress_usd_per_gb",
        FILES,
    ),
    Option(
        {"place"},
        "--measured FILE",
        "measured ways, which win over distances: city, site_id, one_way_ms",
        FILES,
    ),
    Option(
        {"place", "size"},
        "--residency FILE",
        "where data of a country may be: country, allowed_site_countries with ; between them",
        FILES,
    ),
    Option(_OF_LOGS, "--jobs FILE", "job logs, of any known format", FILES),
    Option(
        _WITH_CONTRACTS,
        "--contracts FILE",
        "what is paid for today: CSV or XLSX, one row per contract",
        FILES,
    ),
    Option(
        _WITH_CONTRACTS | {"backtest", "size", "train"},
        "--prices FILE",
        "what can be bought: CSV or XLSX, one row per offer; 'builtin' for the list of public prices",
        FILES,
    ),
    Option({"train"}, "--tokens N", "tokens to train on: 1T, 300B, 1e12"),
    Option({"train"}, "--gpu-model NAME", "on this alone; else every GPU model of the prices"),
    Option({"train"}, "--gpus N", "GPUs of the run; else whole nodes, doubling"),
    Option({"train"}, "--deadline HOURS", "hours from its start in which it is to be done"),
    Option({"train"}, "--batch B", "sequences a step; else about four million tokens"),
    Option({"train"}, "--sequence S", "tokens of a sequence; else 8192"),
    Option({"train"}, "--precision", "of its arithmetic; else BF16", {"choices": ("BF16", "FP8", "FP4")}),
    Option({"train"}, "--tp N", "tensor parallel"),
    Option({"train"}, "--pp N", "pipeline stages"),
    Option({"train"}, "--interleave N", "pieces that a pipeline stage holds (VP); else 4"),
    Option({"train"}, "--cp N", "context parallel"),
    Option({"train"}, "--ep N", "expert parallel"),
    Option({"train"}, "--micro-batch N", "sequences that a GPU takes at a time; else 1"),
    Option(
        {"train"},
        "--sharding",
        "what data-parallel GPUs share; else fsdp",
        {"choices": ("fsdp", "zero1", "zero2", "hsdp", "none")},
    ),
    Option(
        {"train"},
        "--recompute",
        "activations worked out again, whether it fits or not; else none, and full where it does not fit without",
        {"choices": ("none", "selective", "full")},
    ),
    Option({"train"}, "--lora", "adapters alone learn", FLAG),
    Option({"train"}, "--nic-gbps G", "Gb/s of all ports of a node; else those of the chip's usual node"),
    Option({"train"}, "--no-rdma", "plain TCP between nodes", FLAG),
    Option({"train"}, "--storage-gb-per-s X", "what storage takes of a checkpoint; else 10"),
    Option(
        {"train"},
        "--virtual-low PERCENT",
        "that it takes longer on virtual machines at least, as you have it",
    ),
    Option({"train"}, "--virtual-high PERCENT", "that it takes longer on virtual machines at most"),
    Option(
        {"train"},
        "--stack",
        "how well the software is tuned; else tuned",
        {"choices": ("tuned", "plain", "untuned", "mlperf")},
    ),
    Option(
        {"train"}, "--measured-run HOURS@GPUS", "its hours on so many of --gpu-model, as you measured them"
    ),
    Option(
        {"train"}, "--measured-doubling Q", "what of the ideal twice its GPUs give, 0.98 or 98%; else 0.83"
    ),
    Option({"train"}, "--points FILE", "what the formula says of measured runs, one a row"),
    Option({"size"}, "--replicas N", "replicas that are held, instead of what the peak asks"),
    Option(
        {"size"},
        "--rate GPU=REQUESTS",
        "requests a second that one GPU serves, as you measured it: L4=1200, instead of a model; repeatable",
        REPEATED,
    ),
    Option({"size"}, "--term MONTHS", "rates of commitments of that term, instead of those by the hour"),
    Option(
        {"size"},
        "--measured FILE",
        "results of your own benchmarks (AIPerf, GenAI-Perf, vLLM, SGLang, InferenceX, llm-d, MLPerf, or a table), "
        "which take the place of the formula at their point",
        FILES,
    ),
    Option(
        {"size"},
        "--points FILE",
        "measured points, each predicted: model, gpu_model, tensor_parallel, precision, concurrency, input_tokens, "
        "output_tokens",
    ),
    Option(
        _WITH_CONTRACTS,
        "--focus-quantity interval|period",
        "what the quantity of a FOCUS commitment that names an interval is for: each, or the whole period",
    ),
    Option(_READING, "--format NAME", "the job logs' format (else recognised by content)"),
    Option(_READING, "--timezone ZONE", "zone of naive local times, such as Europe/Oslo"),
    Option(
        _READING,
        "--map FIELD=COLUMN[:UNIT],...|FILE",
        "which column gives which field, gpus==1 what every row has; repeatable; or a file of them",
        {"action": _AddedToMap},
    ),
    Option(
        _READING,
        "--cluster [FILE=]NAME",
        "cluster of the jobs whose log names none; FILE=NAME that of one file, also of contracts; repeatable",
        REPEATED,
    ),
    Option(
        _OF_LOGS,
        "--same [model:|cluster:|workload:]THEIRS=OURS|FILE",
        "two names are of one thing: 'H100 SXM=H100', cluster:en=main; X=X: it is its own thing; or a CSV of "
        "kind,theirs,ours",
        REPEATED,
    ),
    Option(
        _READING,
        "--tres gpu=NUMBER",
        "which of the cluster's numbered resources is the GPU: gpu=1001,gpu:a100=1002; repeatable",
        REPEATED,
    ),
    Option(_READING, "--drop-alike", "jobs without an id that are alike in every field count once", FLAG),
    Option(
        _READING,
        "--open-ended",
        "keep rows without an end, which run to the end of the log, and without a start, which began before it",
        FLAG,
    ),
    Option(
        _READING,
        "--open-ended=both",
        "keep rows with neither, too: from the first to the last hour of the log",
        {"action": "store_const", "const": "both", "dest": "open_ended"},
    ),
    Option(_READING, "--pseudonyms", "replace users, accounts and job names before anything is kept", FLAG),
    Option(_READING, "--pseudonym-key FILE", "with this key, which a team may share"),
    Option(_OF_FILES, "--start TIME", "first hour of the window, ISO"),
    Option(_OF_FILES, "--end TIME", "end of the window, ISO, exclusive"),
    Option(_OF_FILES, "--days N", "length of the window in days"),
    Option({"track"}, "--start TIME", "begin later than the plan, ISO"),
    Option({"track"}, "--end TIME", "end before the log does, ISO, exclusive"),
    Option({"track"}, "--days N", "the last days of the log alone"),
    Option({"reduce"}, "--engine duckdb|spark", "what reduces the log", {"default": "duckdb"}),
    Option({"reduce"}, "--out DIR", "where to write the cube", OUT),
    Option(_ASKED | {"track", "ask"}, "--scenario NAME", "which plan of the project"),
    Option(_ASKED, "--assign KEY=pool", f"put a workload into a pool: {_POOLS}", REPEATED),
    Option(_ASKED, "--label KEY=class", f"say what a workload is: {_POOLS}", REPEATED),
    Option(_ASKED, "--rules FILE", "class rules of your own", FILES),
    Option(
        _ASKED,
        "--map-model [POOL:]MODEL=OTHER:RATIO",
        "offers of another GPU model may serve a model (of one pool alone); one GPU of it does the work of RATIO",
        REPEATED,
    ),
    Option(
        _ASKED | {"size", "train"},
        "--set NAME=VALUE",
        "an assumption, such as lambda=3% (churn per month); a wrong NAME lists them all",
        REPEATED,
    ),
    Option({"place"}, "--set NAME=VALUE", "an assumption, such as media_gb_per_month=50000", REPEATED),
    Option(
        {"track"},
        "--set NAME=VALUE",
        "an assumption, such as reporting_currency=EUR, which is all that it takes here",
        REPEATED,
    ),
    Option(
        _ASKED | {"size", "train", "place", "track"},
        "--fx EUR=1.08@DATE",
        "what one unit of a currency is in US dollars, and of which day; repeatable",
        REPEATED,
    ),
    Option(
        _AUDITING,
        "--compare PERIOD",
        "two periods to compare: 2026-01, or START/END; else the halves of the window",
        {"nargs": 2},
    ),
    Option(
        _AUDITING,
        "--by",
        "by what the chargeback is; else by team",
        {"choices": ("team", "workload", "model", "endpoint")},
    ),
    Option(_AUDITING, "--budgets FILE", "budgets of teams: team, usd_per_month", FILES),
    Option(_AUDITING, "--business FILE", "figures of the business: month, figure, value", FILES),
    Option(
        _AUDITING,
        "--traffic KEY=FILE",
        "requests of the endpoint KEY, for its $ per million tokens",
        REPEATED,
    ),
    Option(_PRICED, "--price-case CASE", "which rate of each offer counts: low, mid or high"),
    Option(
        _PRICED,
        "--interruptions FILE",
        "when spot nodes were taken: proposes spot_node_mtbf_hours, which --set still says",
        FILES,
    ),
    Option(_PLANS, "--greenfield", "leave existing contracts out of the plan", FLAG),
    Option(
        _PLANS,
        "--notice-given CONTRACT_ID",
        "notice was given in time to a contract whose last day for it has passed",
        REPEATED,
    ),
    Option(
        _PLANS,
        "--runs-on CONTRACT_ID",
        "a contract of which a notice alone is known renews by its term where no notice is given",
        REPEATED,
    ),
    Option(
        _PLANS,
        "--accept STEP",
        "a saving on offer that the plan takes in: right_size, autoscale or idle_ended",
        REPEATED,
    ),
    Option(_PLANS, "--gap", "days without any job in the log: else idle", {"choices": ("missing", "idle")}),
    Option(_PLANS, "--plan-from DATE", "the day the plan begins, ISO; else where the window ends"),
    Option(
        _PLANS,
        "--ends KEY|team:NAME|provider:NAME=DATE",
        "a workload, or every one of a team, that ends on a day; or a provider that stops",
        REPEATED,
    ),
    Option(_PLANS, "--begins KEY|team:NAME=DATE", "one that begins, or comes back, on a day", REPEATED),
    Option(
        _PLANS,
        "--planned FILE",
        "work that no log has: name, pool, gpu_model, gpus, begins, ends, hours or length_hours, every_hours; or one "
        "such work itself: name=NAME,pool=POOL,gpu_model=MODEL,gpus=N,length_hours=40,every_hours=168",
        FILES,
    ),
    Option(
        _PLANS,
        "--only KEY|team:NAME|pool:NAME=provider:NAME",
        "a workload, a team or a pool that one provider alone may serve, or one region (KEY=region:NAME, also "
        "site:), or in some countries (KEY=country:DE;FR), or anybody but one (KEY=not:provider:NAME)",
        REPEATED,
    ),
    Option(
        _PLANS,
        "--share provider:NAME|region:NAME=SHARE",
        "how much of the first month's $ one may have: provider:NAME=40%; none takes it back",
        REPEATED,
    ),
    Option(
        _PLANS,
        "--change demand:WHAT=FACTOR@DATE|price:MODEL=FACTOR@DATE",
        "demand of a workload, a class, a team or all, or prices of a GPU model step by a factor on a day: "
        "demand:all=2@2026-12-01, price:H100=0.8@2026-12-01; or as it is said: 'inference x2 by March', "
        "'H100 -20% by 2027-05', where by is evenly up to the day and from at once on it",
        REPEATED,
    ),
    Option({"plan"}, "--flips", "also at which assumptions the advice changes", FLAG),
    Option({"plan"}, "--price-sensitivity", "also the plan at low, mid and high rates", FLAG),
    Option({"plan"}, "--one-provider", "also who could serve all with one provider, and at what $", FLAG),
    Option({"plan", "export"}, "--worth", "also up to which rate each term on offer is worth signing", FLAG),
    Option(_PLANS, "--take OFFER_ID", "take a quote as quoted, whatever its vendor's remark says", REPEATED),
    Option(
        {"queue"},
        "--target POOL=HOURS",
        "P90 wait to keep: training=4h or training/H100=30min; inference=never: none waits",
    ),
    Option(
        {"queue"}, "--sizes N", "points of each frontier, 0 for none, nor nodes of one GPU", {"default": "12"}
    ),
    Option({"queue"}, "--together", "sizes for all pools of a GPU model together, not for each alone", FLAG),
    Option({"award"}, "--max-prepaid USD", "what may be paid upfront in all; without it no limit"),
    Option({"export", "track"}, "--out PLAN.xlsx", "the workbook to write", OUT),
    Option({"export"}, "--focus FILE.csv", "all certain orders, as FOCUS rows", OUT),
    Option({"export"}, "--calendar FILE.ics", "deadlines, as an iCalendar file", OUT),
    Option(
        {"export"},
        "--statement FILE.csv|FILE.pdf",
        "who pays for the window, as FOCUS rows or as a page a team",
        OUT,
    ),
    Option({"export"}, "--rfq DIR", "requests for quote, an xlsx for each vendor", OUT),
    Option(
        {"export"},
        "--rfq-head NAME=TEXT",
        "what stands above a request: buyer, questions, reply_by, payment, validity, sla, delivery, reply_to; "
        "decide_days (5): from the last reply to the first order; repeatable",
        REPEATED,
    ),
    Option({"export"}, "--rfq-question TEXT", "what the buyer asks vendors besides; repeatable", REPEATED),
    Option(
        {"export"},
        "--brief FILE.pdf|FILE.pptx",
        "the board brief; say it twice for both",
        {**REPEATED, **OUT},
    ),
    Option(
        {"export"},
        "--project FILE.gpuplan",
        "save what was given as a project; one that is there is kept beside it",
        {"dest": "save_to", **OUT},
    ),
    Option({"export"}, "--paper a4|letter", "of what is written as PDF", {"default": "a4"}),
    Option(COMMANDS, "--json", "one JSON document on standard output", FLAG),
    Option(COMMANDS, "--csv DIR", "each list of that document as a CSV file of its name", OUT),
    Option(COMMANDS, "--parquet DIR", "each list of that document as a Parquet file of its name", OUT),
)
"""Every option, in the order in which help lists them."""


def build_parser() -> argparse.ArgumentParser:
    """The parser of every command; it raises UsageError instead of printing and leaving.

    Words of a call come out as they were written: values are read by the functions below, or by the commands.
    """
    parser = _Parser(prog="gpuplanner", description="Which GPUs, for which workloads, on what terms?")
    parser.add_argument("--version", action="version", version=f"gpuplanner {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)
    for command, title in COMMANDS.items():
        sub = commands.add_parser(command, help=title, description=title)
        for option in OPTIONS:
            if command in option.commands:
                name, _, form = option.form.partition(" ")
                behind: How = {"metavar": form} if form else {}
                sub.add_argument(name, help=option.said.replace("%", "%%"), **behind, **option.how)
    return parser


@dataclass(frozen=True, slots=True)
class WindowWords:
    """What a call without a command says: the project to open, and for a picture of the window its file and look.

    size: pixels, width and height. theme: light, dark or contrast; None as the planner has it.
    """

    project: Path | None
    screenshot: Path | None
    size: tuple[int, int]
    theme: str | None


def parse_window_words(argv: Sequence[str]) -> WindowWords:
    """The words of a call that opens the window. Errors: UsageError.

    argv: without the program's name.
    """
    parser = _Parser(prog="gpuplanner", add_help=False, allow_abbrev=False)
    parser.add_argument("project", nargs="?", type=Path)
    parser.add_argument("--screenshot", type=Path)
    parser.add_argument("--size", default="1440x900")
    parser.add_argument("--theme", choices=("light", "dark", "contrast"))
    parsed, rest = parser.parse_known_args(argv)
    if parsed.project is not None and parsed.project.suffix.lower() != PROJECT_SUFFIX:
        rest = [str(parsed.project), *rest]  # a command spelled wrong stands before its options
    if rest:
        raise UsageError(
            f"{rest[0]!r} is no command and no {PROJECT_SUFFIX} file; commands are {', '.join(COMMAND_NAMES)}"
        )
    width, _, height = parsed.size.partition("x")
    if not (width.isdecimal() and height.isdecimal() and int(width) and int(height)):
        raise UsageError(f"--size {parsed.size!r} is not WIDTHxHEIGHT; write 1440x900")
    return WindowWords(parsed.project, parsed.screenshot, (int(width), int(height)), parsed.theme)
