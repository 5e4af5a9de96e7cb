"""What a command line may say: the options of every command, as one table."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NoReturn

from gpuplanner import __version__
from gpuplanner.cli.option_values import UsageError
from gpuplanner.domain.audit.cost_result import ChargeBy

USAGE_EXIT: Final = 2
PROJECT_SUFFIX: Final = ".gpuplan"


class _Parser(argparse.ArgumentParser):
    """A parser whose faults are told in one line by whoever called."""

    def error(self, message: str) -> NoReturn:
        """Errors: UsageError always."""
        raise UsageError(message)


@dataclass(frozen=True, slots=True)
class Command:
    """One command: its help, which inputs it takes (j jobs, c contracts, p prices) and which of them it needs."""

    name: str
    title: str
    inputs: str = ""
    required: str = ""


COMMANDS: Final = (
    Command("demo", "write the demo inputs, a project and its workbook into a folder"),
    Command(
        "check", "read files and say what each is, how its rows ended, and what is wrong; writes nothing"
    ),
    Command("reduce", "job logs -> demand cube summary", "j", "j"),
    Command("audit", "the quarter's audit: classes, utilization, stranded spend, leaks", "jcp", "j"),
    Command("plan", "the audit, the pools and the commitment advice", "jcp", "j"),
    Command(
        "award",
        "who gets what of the plan's orders: quotes beside each other, what each saves and is worth",
        "jcp",
        "j",
    ),
    Command("size", "inference sizing: GPUs for a model and its traffic, on every GPU model and precision"),
    Command("backtest", "would this advice have paid? a walk forward over the whole log", "jp", "j"),
    Command("place", "placement of a service: the way to its users, the best sites, what leaving data costs"),
    Command(
        "export", "the procurement workbook, FOCUS rows, requests for quote, the board brief", "jcp", "j"
    ),
    Command(
        "track", "a saved plan against what came: demand, mix, decision and price, to the cent", "jcp", "j"
    ),
    Command("self-test", "check this installation, one line per check"),
)
COMMAND_NAMES: Final = tuple(command.name for command in COMMANDS)
INPUT_OPTIONS: Final = {"j": "jobs", "c": "contracts", "p": "prices"}
INPUT_HELP: Final = {
    "j": "job logs, of any known format",
    "c": "what is paid for today: CSV or XLSX, one row per contract",
    "p": "what can be bought: CSV or XLSX, one row per offer; 'builtin' for the list of public prices",
}

PLACE_OPTIONS: Final = {
    "users": "cities with their users: city, country, latitude, longitude, users",
    "sites": "where the service runs or could run: site_id, city, country, latitude, longitude, usd_per_month, current",
    "measured": "measured ways, which win over distances: city, site_id, one_way_ms",
    "residency": "where data of a country may be: country, allowed_site_countries with ; between them",
}


def _some_path(text: str) -> str:
    """A path that is not empty: as a folder of no name it would be the current one."""
    if not text:
        raise argparse.ArgumentTypeError("the path is empty; write where to put it")
    return text


def _add_row_rules(parser: argparse.ArgumentParser) -> None:
    """What to do with rows that are alike or have no end."""
    parser.add_argument(
        "--drop-alike",
        action="store_true",
        help="jobs without an id that are alike in every field count once",
    )
    parser.add_argument(
        "--open-ended",
        action="store_true",
        help="keep rows without an end, which run to the end of the log, and without a start, which began before it",
    )


def _add_pseudonyms(parser: argparse.ArgumentParser) -> None:
    """Names replaced before anything is kept."""
    parser.add_argument(
        "--pseudonyms",
        action="store_true",
        help="replace users, accounts and job names before anything is kept",
    )
    parser.add_argument("--pseudonym-key", metavar="FILE", help="with this key, which a team may share")


def _add_reading(parser: argparse.ArgumentParser) -> None:
    """How job logs are read where their content does not say it."""
    parser.add_argument("--format", metavar="NAME", help="the job logs' format (else recognised by content)")
    parser.add_argument("--timezone", metavar="ZONE", help="zone of naive local times, such as Europe/Oslo")
    parser.add_argument(
        "--map",
        action=_AddedToMap,
        metavar="FIELD=COLUMN[:UNIT],...",
        help="which column gives which field; repeatable",
    )


def _add_tres(parser: argparse.ArgumentParser) -> None:
    """Numbered resources of Slurm's accounting."""
    parser.add_argument(
        "--tres",
        action="append",
        default=[],
        metavar="gpu=NUMBER",
        help="which of the cluster's numbered resources is the GPU: gpu=1001,gpu:a100=1002; repeatable",
    )


class _AddedToMap(argparse.Action):
    """Said again, --map goes on: `--map gpus=n --map start=from` is `--map gpus=n,start=from`."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        """What was said before stands first."""
        before = getattr(namespace, self.dest)
        setattr(namespace, self.dest, f"{before},{values}" if before else values)


def _add_set(
    parser: argparse.ArgumentParser,
    example: str = "lambda=3%% (churn per month); a wrong NAME lists them all",
) -> None:
    """Assumptions and rates of exchange."""
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=f"an assumption, such as {example}",
    )
    parser.add_argument(
        "--fx",
        action="append",
        default=[],
        metavar="EUR=1.08@DATE",
        help="what one unit of a currency is in US dollars, and of which day; repeatable",
    )


def _add_files(parser: argparse.ArgumentParser, command: Command) -> None:
    """Files of a command, and how they are read."""
    for letter in command.inputs:
        _add_file_list(parser, f"--{INPUT_OPTIONS[letter]}", INPUT_HELP[letter])
    if "c" in command.inputs:
        parser.add_argument(
            "--focus-quantity",
            metavar="interval|period",
            help="what the quantity of a FOCUS commitment that names an interval is for: each, or the whole period",
        )
    _add_reading(parser)
    parser.add_argument("--cluster", metavar="NAME", help="cluster of the jobs whose log names none")
    parser.add_argument(
        "--same",
        action="append",
        default=[],
        metavar="[model:|cluster:|workload:]THEIRS=OURS|FILE",
        help="two names are of one thing: 'H100 SXM=H100', cluster:en=main; X=X: it is its own thing; or a CSV of "
        "kind,theirs,ours",
    )
    _add_tres(parser)
    _add_row_rules(parser)
    _add_pseudonyms(parser)


def _add_inputs(parser: argparse.ArgumentParser, command: Command) -> None:
    """Files of a command, and what is said of them; a project may stand in for them."""
    parser.add_argument(
        "project", nargs="?", metavar="PROJECT.gpuplan", help="stands in for --jobs, --contracts, --prices"
    )
    _add_files(parser, command)
    parser.add_argument("--start", metavar="TIME", help="first hour of the window, ISO")
    parser.add_argument("--end", metavar="TIME", help="end of the window, ISO, exclusive")
    parser.add_argument("--days", metavar="N", help="length of the window in days")
    if command.name == "reduce":
        parser.add_argument("--engine", default="duckdb", metavar="duckdb|spark", help="what reduces the log")
        parser.add_argument("--out", type=_some_path, metavar="DIR", help="where to write the cube")
        return
    parser.add_argument("--scenario", metavar="NAME", help="which plan of the project")
    pools = "training, inference or burst; KEY is a workload's key in --json"
    parser.add_argument(
        "--assign",
        action="append",
        default=[],
        metavar="KEY=pool",
        help=f"put a workload into a pool: {pools}",
    )
    parser.add_argument(
        "--label", action="append", default=[], metavar="KEY=class", help=f"say what a workload is: {pools}"
    )
    _add_file_list(parser, "--rules", "class rules of your own")
    parser.add_argument(
        "--map-model",
        action="append",
        default=[],
        metavar="MODEL=OTHER:RATIO",
        help="offers of another GPU model may serve a model; one GPU of it does the work of RATIO",
    )
    _add_set(parser)
    if command.name not in ("backtest", "award"):
        parser.add_argument(
            "--compare",
            nargs=2,
            metavar="PERIOD",
            help="two periods to compare: 2026-01, or START/END; else the halves of the window",
        )
        parser.add_argument(
            "--by",
            choices=tuple(map(str, ChargeBy)),
            help="by what the chargeback is; else by team",
        )
        _add_file_list(parser, "--budgets", "budgets of teams: team, usd_per_month")
        _add_file_list(parser, "--business", "figures of the business: month, figure, value")
        parser.add_argument(
            "--traffic",
            action="append",
            default=[],
            metavar="KEY=FILE",
            help="requests of the endpoint KEY, for its $ per million tokens",
        )
    if command.name != "audit":
        parser.add_argument(
            "--price-case", metavar="CASE", help="which rate of each offer counts: low, mid or high"
        )
    if command.name != "audit":
        _add_file_list(
            parser,
            "--interruptions",
            "when spot nodes were taken: proposes spot_node_mtbf_hours, which --set still says",
        )
    if command.name not in ("audit", "backtest"):
        parser.add_argument(
            "--greenfield", action="store_true", help="leave existing contracts out of the plan"
        )
        parser.add_argument(
            "--plan-from", metavar="DATE", help="the day the plan begins, ISO; else where the window ends"
        )
        _add_dates(parser)


def _add_dates(parser: argparse.ArgumentParser) -> None:
    """What will come and go: dates of workloads, work that no log has, steps of demand; and who alone may serve."""
    for option, said in (
        ("ends", "a workload, or every one of a team, that ends on a day"),
        ("begins", "one that begins, or comes back, on a day"),
    ):
        parser.add_argument(
            f"--{option}", action="append", default=[], metavar="KEY|team:NAME=DATE", help=said
        )
    _add_file_list(
        parser,
        "--planned",
        "work that no log has: name, pool, gpu_model, gpus, begins, ends, hours or length_hours",
    )
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="KEY|team:NAME|pool:NAME=provider:NAME",
        help="a workload, a team or a pool that one provider alone may serve, or one region (KEY=region:NAME, also "
        "site:), or anybody but one (KEY=not:provider:NAME)",
    )
    parser.add_argument(
        "--share",
        action="append",
        default=[],
        metavar="provider:NAME|region:NAME=SHARE",
        help="how much of the first month's $ one may have: provider:NAME=40%%; none takes it back",
    )
    parser.add_argument(
        "--change",
        action="append",
        default=[],
        metavar="demand:WHAT=FACTOR@DATE|price:MODEL=FACTOR@DATE",
        help="demand of a workload, a class, a team or all, or prices of a GPU model step by a factor on a day: "
        "demand:all=2@2026-12-01, price:H100=0.8@2026-12-01; or as it is said: 'inference x2 by March', "
        "'H100 -20%% by 2027-05', where by is evenly up to the day and from at once on it",
    )


def _add_places(parser: argparse.ArgumentParser) -> None:
    """Files of users and sites, or a project in their place."""
    parser.add_argument(
        "project", nargs="?", metavar="PROJECT.gpuplan", help="stands in for --users, --sites and the others"
    )
    for option, said in PLACE_OPTIONS.items():
        _add_file_list(parser, f"--{option}", said)
    _add_set(parser, "media_gb_per_month=50000")


def _add_file_list(parser: argparse.ArgumentParser, option: str, said: str) -> None:
    """An option that names one or several files, and may be said again. said: what they are."""
    parser.add_argument(option, nargs="+", metavar="FILE", default=[], action="extend", help=said)


def _add_track(parser: argparse.ArgumentParser, command: Command) -> None:
    """The plan, and what came."""
    parser.add_argument("project", nargs="?", metavar="PLAN.gpuplan", help="the plan as it was saved")
    _add_files(parser, command)
    parser.add_argument("--start", metavar="TIME", help="begin later than the plan, ISO")
    parser.add_argument("--end", metavar="TIME", help="end before the log does, ISO, exclusive")
    parser.add_argument("--days", metavar="N", help="the last days of the log alone")
    parser.add_argument("--scenario", metavar="NAME", help="which plan of the project")
    _add_set(parser, "reporting_currency=EUR, which is all that it takes here")


def _add_flips(parser: argparse.ArgumentParser) -> None:
    """What plan works out besides, where it is asked for."""
    parser.add_argument("--flips", action="store_true", help="also at which assumptions the advice changes")
    parser.add_argument(
        "--price-sensitivity", action="store_true", help="also the plan at low, mid and high rates"
    )
    parser.add_argument(
        "--one-provider",
        action="store_true",
        help="also who could serve all with one provider, and at what $",
    )


def _add_size(parser: argparse.ArgumentParser) -> None:
    """What is sized, and with which prices."""
    parser.add_argument(
        "project", nargs="?", metavar="PROJECT.gpuplan", help="whose prices and assumptions count"
    )
    parser.add_argument(
        "--model",
        metavar="FILE|NAME",
        help="a config.json, a small JSON or CSV, or a name such as 'Llama 3.1 8B'",
    )
    parser.add_argument(
        "--traffic", metavar="FILE", help="requests with their tokens, or requests_per_s by hour_of_week"
    )
    _add_file_list(parser, "--prices", INPUT_HELP["p"])
    parser.add_argument(
        "--replicas", metavar="N", help="replicas that are held, instead of what the peak asks"
    )
    _add_set(parser)


def build_parser() -> argparse.ArgumentParser:
    """The parser of every command; it raises UsageError instead of printing and leaving.

    Words of a call come out as they were written: values are read by the functions below, or by the commands.
    """
    parser = _Parser(prog="gpuplanner", description="Which GPUs, for which workloads, on what terms?")
    parser.add_argument("--version", action="version", version=f"gpuplanner {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)
    for command in COMMANDS:
        sub = commands.add_parser(command.name, help=command.title, description=command.title)
        if command.name == "demo":
            sub.add_argument("folder", type=_some_path, metavar="DIR", help="where to; it is made if need be")
            sub.add_argument(
                "--ending", metavar="DATE", help="the last day of its log, 2026-09-30; without it yesterday"
            )
        elif command.name == "check":
            sub.add_argument(
                "files", nargs="+", metavar="FILE", help="job logs, contracts, prices, in any order"
            )
            _add_reading(sub)
            _add_tres(sub)
            _add_row_rules(sub)
            _add_pseudonyms(sub)
        elif command.name == "size":
            _add_size(sub)
        elif command.name == "track":
            _add_track(sub, command)
        elif command.name == "place":
            _add_places(sub)
        elif command.name != "self-test":
            _add_inputs(sub, command)
        if command.name == "plan":
            _add_flips(sub)
        if command.name == "award":
            sub.add_argument(
                "--max-prepaid", metavar="USD", help="what may be paid upfront in all; without it no limit"
            )
        if command.name == "export":
            sub.add_argument("--out", type=_some_path, metavar="PLAN.xlsx", help="the workbook to write")
            sub.add_argument(
                "--focus", type=_some_path, metavar="FILE.csv", help="what is to be bought, as FOCUS rows"
            )
            sub.add_argument(
                "--statement",
                type=_some_path,
                metavar="FILE.csv|FILE.pdf",
                help="who pays for the window, as FOCUS rows or as a page a team",
            )
            sub.add_argument(
                "--rfq", type=_some_path, metavar="DIR", help="requests for quote, an xlsx for each vendor"
            )
            sub.add_argument(
                "--rfq-head",
                action="append",
                default=[],
                metavar="NAME=TEXT",
                help="what stands above a request: buyer, questions, reply_by, payment, validity, sla, delivery; "
                "repeatable",
            )
            sub.add_argument(
                "--brief",
                type=_some_path,
                action="append",
                default=[],
                metavar="FILE.pdf|FILE.pptx",
                help="the board brief; say it twice for both",
            )
            sub.add_argument(
                "--project",
                dest="save_to",
                type=_some_path,
                metavar="FILE.gpuplan",
                help="save what was given as a project; one that is there is kept beside it",
            )
            sub.add_argument("--paper", default="a4", metavar="a4|letter", help="of what is written as PDF")
        sub.add_argument("--json", action="store_true", help="one JSON document on standard output")
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
    words, rest = parser.parse_known_args(argv)
    if rest or (words.project is not None and words.project.suffix.lower() != PROJECT_SUFFIX):
        name = (rest or [str(words.project)])[0]
        raise UsageError(
            f"{name!r} is no command and no {PROJECT_SUFFIX} file; commands are {', '.join(COMMAND_NAMES)}"
        )
    width, _, height = words.size.partition("x")
    if not (width.isdecimal() and height.isdecimal() and int(width) and int(height)):
        raise UsageError(f"--size {words.size!r} is not WIDTHxHEIGHT; write 1440x900")
    return WindowWords(words.project, words.screenshot, (int(width), int(height)), words.theme)
