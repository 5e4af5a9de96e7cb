"""The nine projects of the golden files: the demo, and eight small ones made by code, each of another kind.

Every project is a folder of input files and the words of a call that reads them; names are relative to the folder, so
that no path of a machine stands in a golden file. Log days are few, so that all of them together take seconds.
"""

import csv
import os
import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from gpuplanner.cli.answer import save_named
from gpuplanner.cli.arguments import build_parser
from gpuplanner.cli.inputs import load
from gpuplanner.cli.run import run

NOW_S: Final = 1_790_812_800
"""The time of every call: 1 October 2026, 00:00 UTC, the day after the demo's last."""
LOG_START_S: Final = 1_788_134_400
"""31 August 2026, a Monday: the first hour of the small logs."""
HOUR_S: Final = 3600
DAY_S: Final = 86_400
JOB_COLUMNS: Final = (
    "job_id", "cluster", "name", "account", "user", "queue", "gpu_model", "gpus", "nodes", "submit", "eligible",
    "start", "end", "time_limit", "state", "gpu_activity_percent", "class", "model",
)  # fmt: skip
CONTRACT_COLUMNS: Final = (
    "contract_id", "provider", "cluster", "gpu_model", "gpus", "rate_usd_per_gpu_hour", "start", "end",
    "pricing_category", "term_months", "min_term_months", "notice_days", "region", "bare_metal", "interconnect",
    "gpu_memory_gb", "egress_usd_per_gb", "pool",
)  # fmt: skip
OFFER_COLUMNS: Final = (
    "offer_id", "provider", "gpu_model", "pricing_category", "term_months", "rate_usd_per_gpu_hour", "rate_low",
    "rate_high", "max_gpus", "min_gpus", "upfront_usd", "lead_time_hours", "min_term_months", "gpu_memory_gb",
    "bare_metal", "interconnect", "egress_usd_per_gb", "region", "source", "as_of",
)  # fmt: skip

Row = dict[str, object]


@dataclass(frozen=True, slots=True)
class GoldenProject:
    """One project. write: makes its files; inputs: what reads them all; calls: further calls by the name of each."""

    name: str
    write: Callable[[Path], None]
    inputs: tuple[str, ...]
    calls: tuple[tuple[str, tuple[str, ...]], ...] = ()


@contextmanager
def within(folder: Path) -> Iterator[None]:
    """Work in a folder, so that names of files are the same on every machine."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def saved(project: GoldenProject, folder: Path) -> Path:
    """Write the project's inputs into a folder and give back its .gpuplan, as `export --project` saves it."""
    folder.mkdir(parents=True, exist_ok=True)
    project.write(folder)
    if project.name == "demo":
        return folder / "demo.gpuplan"
    with within(folder):
        loaded = load(build_parser().parse_args(["export", *project.inputs]), in_dollars=False)
        assert loaded.project is not None and not loaded.refused, project.name
        save_named(loaded.project, Path("golden.gpuplan"), NOW_S)
    return folder / "golden.gpuplan"


# --- Tables by code ------------------------------------------------------------------------------


def _table(path: Path, columns: Iterable[str], rows: Iterable[Row]) -> None:
    names = list(columns)
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, names, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _time(at_s: int) -> str:
    return datetime.fromtimestamp(at_s, tz=UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class _Log:
    """A job log in the making; chance is the seed's."""

    def __init__(self, seed: int, days: int, after_days: int = 0) -> None:
        """after_days: how much later than the other logs it begins."""
        self.chance = random.Random(seed)
        self.days = days
        self.start_s = LOG_START_S + after_days * DAY_S
        self.rows: list[Row] = []

    def _below(self, count: int) -> int:
        return int(self.chance.random() * count)  # random() alone is the same in every Python

    def _job(self, facts: Row, start_s: int, hours: float, gpus: object, **more: object) -> None:
        end_s = min(start_s + int(hours * HOUR_S), self.start_s + self.days * DAY_S)
        row: Row = {
            "job_id": 1000 + len(self.rows), "account": "lab", "user": "ann", "queue": "batch",
            "nodes": max(1, int(str(gpus)) // 8), "state": "COMPLETED", "submit": _time(start_s - 600),
            "start": _time(start_s), "end": _time(end_s), "gpus": gpus, "time_limit": "2-00:00:00",
        }  # fmt: skip
        self.rows.append(row | facts | more)

    def serve(self, gpus: int, **facts: object) -> None:
        """An endpoint: held without an end, and as much again over every day's office hours."""
        for day in range(self.days):
            at_s = self.start_s + day * DAY_S
            self._job(facts, at_s, 24, gpus, gpu_activity_percent=30 + self._below(15))
            self._job(facts, at_s + 8 * HOUR_S, 9 + self._below(3), gpus, gpu_activity_percent=60)

    def train(self, gpus: int, every_days: int, hours: int, **facts: object) -> None:
        """Long runs on many GPUs; every fifth fails after an hour."""
        for number, day in enumerate(range(1, self.days, every_days)):
            at_s = self.start_s + day * DAY_S + self._below(6) * HOUR_S
            failed = number % 5 == 4
            state = "FAILED" if failed else "COMPLETED"
            self._job(facts, at_s, 1 if failed else hours, gpus, state=state, gpu_activity_percent=88)

    def sweep(self, runs_a_day: int, gpus: int, **facts: object) -> None:
        """Short runs at any time of a working day."""
        for day in range(self.days):
            for _ in range(runs_a_day if day % 7 < 5 else 1):
                at_s = self.start_s + day * DAY_S + 7 * HOUR_S + self._below(14 * HOUR_S)
                hours = 0.25 + 3 * self.chance.random()
                self._job(facts, at_s, hours, gpus, user=("ben", "cho")[self._below(2)])

    def write(self, path: Path) -> None:
        rows = sorted(self.rows, key=lambda row: (str(row["start"]), str(row["job_id"])))
        _table(path, JOB_COLUMNS, rows)


def _contract(
    contract_id: str, cluster: str, gpu_model: str, gpus: object, rate: object, **more: object
) -> Row:
    return {
        "contract_id": contract_id, "provider": "Vela Metal", "cluster": cluster, "gpu_model": gpu_model,
        "gpus": gpus, "rate_usd_per_gpu_hour": rate, "start": "2026-01-01", "end": "2027-01-01",
        "pricing_category": "COMMITTED", "term_months": 12, "notice_days": 60,
    } | more  # fmt: skip


def _offers(gpu_model: str, on_demand: float, *, spot: bool = True, source: str = "a quote") -> Iterator[Row]:
    """Of one GPU model: on demand, three terms, and spot."""
    base: Row = {"provider": "Orion", "gpu_model": gpu_model, "source": source, "as_of": "2026-09-20"}
    name = gpu_model.lower()
    yield base | {
        "offer_id": f"{name}-hourly", "pricing_category": "STANDARD", "term_months": 0,
        "rate_usd_per_gpu_hour": on_demand, "egress_usd_per_gb": 0.09, "lead_time_hours": 0,
    }  # fmt: skip
    for months, share in ((1, 0.9), (6, 0.75), (12, 0.6)):
        yield base | {
            "offer_id": f"{name}-{months}m", "pricing_category": "COMMITTED", "term_months": months,
            "rate_usd_per_gpu_hour": round(on_demand * share, 3), "rate_low": round(on_demand * share * 0.9, 3),
            "rate_high": round(on_demand * share * 1.2, 3), "lead_time_hours": 24 * 14 if months > 1 else 0,
            "min_gpus": 8 if months == 12 else "", "interconnect": "infiniband" if months == 12 else "",
        }  # fmt: skip
    if spot:
        yield base | {
            "offer_id": f"{name}-spot", "pricing_category": "DYNAMIC", "term_months": 0,
            "rate_usd_per_gpu_hour": round(on_demand * 0.4, 3), "max_gpus": 64,
        }  # fmt: skip


# --- The projects ----------------------------------------------------------------------------------


def _demo(folder: Path) -> None:
    """The demo, as its command writes it: inputs, a project with two plans, and the workbook of the first."""
    with within(folder):
        run(["demo", ".", "--ending", "2026-09-30"], NOW_S)


def _log_alone(folder: Path) -> None:
    """A log and nothing else: no contract, no price. Naive local times, a CPU job, one that still runs."""
    log = _Log(11, 24)
    log.serve(2, name="chat-api", cluster="north", gpu_model="A100", queue="serve")
    log.train(16, 3, 30, name="bert-pretrain", cluster="north", gpu_model="A100")
    log.sweep(6, 1, name="lr-sweep", cluster="north", gpu_model="A100")
    log.sweep(2, 1, name="job", cluster="", gpu_model="", account="")
    for row in log.rows:
        for column in ("submit", "start", "end"):
            row[column] = str(row[column]).rstrip("Z").replace("T", " ")
    log.rows.append({**log.rows[0], "job_id": 1, "gpus": 0, "name": "etl-cpu"})
    log.rows.append({**log.rows[0], "job_id": 2, "end": "", "state": "RUNNING", "name": "dev-box"})
    log.write(folder / "jobs.csv")


def _contracts_alone(folder: Path) -> None:
    """Contracts and prices over a window in which nothing ran: an idle cluster."""
    log = _Log(12, 2)
    log.train(8, 1, 6, name="smoke-test", cluster="quiet", gpu_model="H100")
    log.write(folder / "jobs.csv")
    contracts = [
        _contract("quiet-h100", "quiet", "H100", 16, 2.5, interconnect="infiniband", bare_metal="true"),
        _contract("quiet-flex", "quiet", "H100", 8, 4.1, pricing_category="STANDARD", term_months="", end=""),
        _contract("quiet-soon", "quiet", "A100", 8, 1.9, end="2026-10-20", notice_days=30),
    ]
    _table(folder / "contracts.csv", CONTRACT_COLUMNS, contracts)
    _table(folder / "prices.csv", OFFER_COLUMNS, [*_offers("H100", 5.0), *_offers("A100", 3.0)])


def _clusters(folder: Path) -> None:
    """Three clusters with mixed GPU models in two logs; names of models and of a cluster that match nothing."""
    log = _Log(13, 28)
    log.train(32, 2, 40, name="aurora-pretrain", cluster="atlas", gpu_model="H100", account="foundation")
    log.serve(4, name="vllm-prod", cluster="atlas", gpu_model="H100", account="chat", queue="serve")
    log.serve(2, name="rank-endpoint", cluster="cedar", gpu_model="NVIDIA A100-SXM4-80GB", account="search")
    log.sweep(9, 2, name="optuna-hpo", cluster="cedar", gpu_model="A100", account="ads")
    log.write(folder / "jobs.csv")
    other = _Log(14, 28)
    other.train(8, 4, 20, name="vision-train", cluster="dune-1", gpu_model="Foo-9", account="vision")
    other.sweep(5, 1, name="notebook", cluster="dune-1", gpu_model="L40S", account="vision", queue="dev")
    other.write(folder / "other.csv")
    contracts = [
        _contract("atlas-core", "atlas", "H100", 40, 2.75, interconnect="infiniband", bare_metal="true"),
        _contract("cedar-a100", "cedar", "A100", 12, 1.6, end="2026-11-15", notice_days=14),
        _contract("dune-foo", "dune", "Foo9", 8, 1.1),
        _contract("dune-l40s", "dune", "L40S", 4, 0.9, pricing_category="STANDARD", term_months="", end=""),
    ]
    _table(folder / "contracts.csv", CONTRACT_COLUMNS, contracts)
    offers = [*_offers("H100", 5.2), *_offers("A100", 3.1, spot=False), *_offers("L40S", 1.4)]
    _table(folder / "prices.csv", OFFER_COLUMNS, offers)
    rules: list[Row] = [
        {"field": "name", "pattern": "optuna", "pool": "burst", "subtype": "search of parameters"},
        {
            "rule_id": "dev-queue",
            "field": "queue",
            "pattern": "dev",
            "pool": "burst",
            "reason": "people at work",
        },
    ]
    _table(folder / "rules.csv", ("rule_id", "field", "pattern", "pool", "subtype", "reason"), rules)


def _dates(folder: Path) -> None:
    """What will come and go: dates, planned work, steps of demand and prices; hourly, spot and commitments."""
    log = _Log(15, 35)
    log.train(24, 2, 36, name="pretrain-next", cluster="atlas", gpu_model="H100")
    log.serve(6, name="agent-api", cluster="atlas", gpu_model="H100", queue="serve")
    log.sweep(12, 2, name="eval-harness", cluster="atlas", gpu_model="H100")
    log.sweep(3, 4, name="old-distill", cluster="atlas", gpu_model="H100")
    log.write(folder / "jobs.csv")
    long = _Log(18, 80)
    long.train(16, 2, 40, name="pretrain-next", cluster="atlas", gpu_model="H100")
    long.serve(6, name="agent-api", cluster="atlas", gpu_model="H100", queue="serve")
    long.write(folder / "long.csv")
    contracts = [
        _contract("atlas-core", "atlas", "H100", 32, 3.9, end="2026-12-01", notice_days=20),
        _contract("atlas-surge", "atlas", "H100", 8, 4.4, end="2027-06-01", term_months=24),
    ]
    _table(folder / "contracts.csv", CONTRACT_COLUMNS, contracts)
    _table(folder / "prices.csv", OFFER_COLUMNS, [*_offers("H100", 5.0), *_offers("H200", 6.5)])
    (folder / "planned.csv").write_text(
        "name,pool,gpu_model,gpus,begins,ends,hours,length_hours,latest_finish,cluster,team\n"
        "Titan pretraining,training,H100,32,2026-11-01,2027-02-01,always,,,,core\n"
        "nightly batch,burst,H100,8,2026-10-15,,mon-fri 20-24,,,atlas,core\n"
        "demo endpoint,inference,H200,4,2026-12-01,2027-04-01,always,,,,\n",
        encoding="utf-8",
    )


def _endpoints(folder: Path) -> None:
    """Inference endpoints with requests, places of users and sites, measured ways and rules of residency."""
    log = _Log(16, 21)
    log.serve(8, name="vllm-chat", cluster="edge", gpu_model="H100", account="chat", queue="serve")
    log.serve(2, name="rerank", cluster="edge", gpu_model="L40S", account="search", queue="serve")
    log.sweep(2, 1, name="replay-traffic", cluster="edge", gpu_model="L40S", account="chat")
    log.write(folder / "jobs.csv")
    contracts = [
        _contract("edge-h100", "edge", "H100", 16, 3.1, egress_usd_per_gb=0.02, pool="inference"),
        _contract("edge-l40s", "edge", "L40S", 4, 1.0),
    ]
    _table(folder / "contracts.csv", CONTRACT_COLUMNS, contracts)
    offers = [*_offers("H100", 5.0), *_offers("L40S", 1.3), *_offers("H200", 6.0, spot=False)]
    _table(folder / "prices.csv", OFFER_COLUMNS, offers)
    week = "".join(f"{hour},{2 + (hour % 24 in range(8, 20)) * 6}\n" for hour in range(168))
    (folder / "week.csv").write_text("hour_of_week,requests_per_s\n" + week, encoding="utf-8")
    requests = [
        f"{_time(LOG_START_S + 7 * at)},{200 + at * 37 % 1900},{40 + at * 13 % 400}\n" for at in range(1500)
    ]
    heading = "timestamp,context_tokens,generated_tokens\n"
    (folder / "requests.csv").write_text(heading + "".join(requests), encoding="utf-8")
    (folder / "users.csv").write_text(
        "city,country,latitude,longitude,users\n"
        "Oslo,NO,59.9139,10.7522,90000\nBerlin,DE,52.52,13.405,240000\n"
        "New York,US,40.7128,-74.006,310000\nSydney,AU,-33.8688,151.2093,60000\n",
        encoding="utf-8",
    )
    (folder / "sites.csv").write_text(
        "site_id,city,country,latitude,longitude,usd_per_month,current\n"
        "us-east,Ashburn,US,39.0438,-77.4874,14000,true\neu-north,Stockholm,SE,59.3293,18.0686,12500,false\n"
        "ap-south,Singapore,SG,1.3521,103.8198,,false\n",
        encoding="utf-8",
    )
    (folder / "measured.csv").write_text(
        "city,site_id,one_way_ms\nSydney,us-east,112.5\nBerlin,us-east,46\nBerlin,eu-north,9.5\n",
        encoding="utf-8",
    )
    (folder / "residency.csv").write_text(
        "country,allowed_site_countries\nDE,SE;NO;DE\nNO,SE;NO\n", encoding="utf-8"
    )


def _damaged(folder: Path) -> None:
    """Damaged rows of every kind, rates that nobody knows, currencies without a rate, cells that are empty."""
    log = _Log(17, 20)
    log.train(8, 2, 20, name="train-a", cluster="main", gpu_model="H100", gpu_activity_percent="")
    log.sweep(3, 1, name="=cmd|' /C'!A0", cluster="main", gpu_model="Quux 3000", user="", account="")
    log.serve(1, name="", cluster="", gpu_model="", queue="", account="", user="")
    first = dict(log.rows[0])
    for number, change in enumerate(
        (
            {"end": "yesterday"}, {"end": _time(LOG_START_S)}, {"gpus": "many"}, {"gpus": -2}, {"gpus": ""},
            {"start": ""}, {"submit": "soon"}, {"job_id": 1000}, {"state": "PENDING", "start": "", "end": ""},
            {"state": "CANCELLED", "start": "", "end": ""}, {"end": "", "state": "RUNNING"},
            {"gpu_activity_percent": "n/a"}, {"end": first["start"]},
        )
    ):  # fmt: skip
        log.rows.append({**first, "job_id": 5000 + number, **change})
    log.write(folder / "jobs.csv")
    with (folder / "jobs.csv").open("a", encoding="utf-8") as out:
        out.write("6001,main,short\n" + "x," * 30 + "\n")
    contracts = [
        _contract("known", "main", "H100", 8, 2.2),
        _contract("no-rate", "main", "H100", 8, ""),
        _contract("in-euro", "main", "H100", 4, 2, provider=""),
        _contract("unknown-model", "main", "Quux 3000", 2, 0),
        _contract("bad-count", "main", "H100", "some", 2),
        _contract("ends-first", "main", "H100", 2, 2, end="2025-01-01"),
    ]
    for row in contracts:
        row["currency"] = "EUR" if row["contract_id"] == "in-euro" else ""
    _table(folder / "contracts.csv", (*CONTRACT_COLUMNS, "currency"), contracts)
    offers = [
        *_offers("H100", 5.0, spot=False, source=""),
        {"offer_id": "asked", "provider": "Lyra", "gpu_model": "H100", "pricing_category": "COMMITTED",
         "term_months": 12, "source": "no quote yet"},
        {"offer_id": "odd", "provider": "Lyra", "gpu_model": "H100", "pricing_category": "STANDARD",
         "term_months": 0, "rate_usd_per_gpu_hour": 500},
        {"offer_id": "worse", "provider": "Lyra", "gpu_model": "", "pricing_category": "GIFT",
         "term_months": "x", "rate_usd_per_gpu_hour": "free"},
    ]  # fmt: skip
    _table(folder / "prices.csv", OFFER_COLUMNS, offers)
    (folder / "notes.txt").write_text("Nothing that a planner reads.\n", encoding="utf-8")


def _euro(folder: Path) -> None:
    """A project in euro: quotes in euro and in US dollars at a stated rate, one in francs of which none is stated."""
    log = _Log(19, 28)
    log.train(24, 2, 30, name="mistral-pretrain", cluster="paris", gpu_model="H100", account="research")
    log.serve(4, name="vllm-assist", cluster="paris", gpu_model="H100", account="product", queue="serve")
    log.sweep(6, 2, name="optuna-hpo", cluster="lyon", gpu_model="A100", account="ads")
    log.write(folder / "jobs.csv")
    contracts = [
        _contract(
            "paris-core",
            "paris",
            "H100",
            32,
            2.4,
            currency="EUR",
            interconnect="infiniband",
            bare_metal="true",
        ),
        _contract("lyon-a100", "lyon", "A100", 8, 1.62, currency="USD", end="2026-12-01", notice_days=30),
        _contract(
            "lyon-flex", "lyon", "A100", 4, 2.1, currency="EUR", pricing_category="STANDARD", term_months=""
        ),
    ]
    _table(folder / "contracts.csv", (*CONTRACT_COLUMNS, "currency"), contracts)
    offers: list[Row] = [row | {"currency": "EUR"} for row in _offers("H100", 4.6)]
    offers += [row | {"currency": "USD"} for row in _offers("A100", 3.0, spot=False)]
    offers.append({
        "offer_id": "alps-h100", "provider": "Alps", "gpu_model": "H100", "pricing_category": "COMMITTED",
        "term_months": 12, "rate_usd_per_gpu_hour": 2.2, "currency": "CHF", "as_of": "2026-09-20",
    })  # fmt: skip
    _table(folder / "prices.csv", (*OFFER_COLUMNS, "currency"), offers)
    later = _Log(21, 40, after_days=28)
    later.train(32, 2, 24, name="mistral-pretrain", cluster="paris", gpu_model="H100", account="research")
    later.serve(5, name="vllm-assist", cluster="paris", gpu_model="H100", account="product", queue="serve")
    later.sweep(2, 2, name="optuna-hpo", cluster="lyon", gpu_model="A100", account="ads")
    later.sweep(3, 1, name="notebook", cluster="lyon", gpu_model="", account="ads", queue="dev")
    later.write(folder / "later.csv")
    signed = contracts[0] | {"rate_usd_per_gpu_hour": 2.3}
    bought = _contract(
        "paris-new", "paris", "H100", 8, 2.9, currency="EUR", start="2026-10-10", end="2027-10-10"
    )
    _table(folder / "signed.csv", (*CONTRACT_COLUMNS, "currency"), [signed, *contracts[1:], bought])
    dearer = [
        row | {"rate_usd_per_gpu_hour": 4.9} if row["offer_id"] == "h100-hourly" else row for row in offers
    ]
    _table(folder / "prices_later.csv", (*OFFER_COLUMNS, "currency"), dearer)


OWNED_COLUMNS: Final = (
    "capex_usd_per_gpu", "life_months", "residual_share", "kw_per_gpu", "pue", "usd_per_kwh", "space_usd_per_kw_month",
    "staff_usd_per_gpu_month",
)  # fmt: skip


def _owned(folder: Path) -> None:
    """GPUs of one's own beside rented ones: an owned contract, an offer to buy, and one that lacks its price."""
    log = _Log(23, 28)
    log.train(24, 2, 40, name="gemma-pretrain", cluster="hall", gpu_model="H100", account="research")
    log.serve(6, name="vllm-answers", cluster="hall", gpu_model="H100", account="product", queue="serve")
    log.sweep(6, 1, name="optuna-hpo", cluster="hall", gpu_model="L40S", account="ads")
    log.write(folder / "jobs.csv")
    contracts = [
        _contract("hall-own", "hall", "H100", 8, 1.55, pricing_category="OWNED", provider="", term_months=48,
                  end="2028-06-01", notice_days="", interconnect="infiniband", bare_metal="true",
                  grid_kg_co2_per_kwh=0.21),
        _contract("hall-rented", "hall", "H100", 16, 2.6, end="2026-11-15", notice_days=30, grid_kg_co2_per_kwh=0.21),
    ]  # fmt: skip
    _table(folder / "contracts.csv", (*CONTRACT_COLUMNS, "grid_kg_co2_per_kwh"), contracts)
    own: Row = {
        "offer_id": "own-h100", "gpu_model": "H100", "pricing_category": "OWNED", "rate_usd_per_gpu_hour": 9,
        "unit_gpus": 8, "capex_usd_per_gpu": 38000, "life_months": 48, "residual_share": "15%", "kw_per_gpu": 1.275,
        "usd_per_kwh": 0.08, "space_usd_per_kw_month": 150, "staff_usd_per_gpu_month": 40, "interconnect": "infiniband",
        "bare_metal": "true", "gpu_memory_gb": 80, "source": "a quote of nodes", "as_of": "2026-09-20",
    }  # fmt: skip
    offers: list[Row] = [*_offers("H100", 4.8), *_offers("L40S", 1.4, spot=False), own]
    offers.append(
        own | {"offer_id": "own-l40s", "gpu_model": "L40S", "capex_usd_per_gpu": "", "gpu_memory_gb": 48}
    )
    _table(folder / "prices.csv", (*OFFER_COLUMNS, "unit_gpus", *OWNED_COLUMNS), offers)


_ALL: Final = ("--jobs", "jobs.csv", "--contracts", "contracts.csv", "--prices", "prices.csv")
_PLACES: Final = (
    "--users", "users.csv", "--sites", "sites.csv", "--measured", "measured.csv", "--residency", "residency.csv",
)  # fmt: skip

_ATLAS: Final = "atlas/lab"
_AHEAD: Final = (
    "--plan-from", "2026-10-10", "--planned", "planned.csv",
    "--ends", f"{_ATLAS}/old-distill=2026-11-20", "--begins", f"{_ATLAS}/eval-harness=2026-10-20",
    "--change", "demand:inference=1.5@2026-12-01", "--change", "price:H100=0.8@2027-01-01",
    "--only", f"{_ATLAS}/agent-api=provider:Orion",
)  # fmt: skip
_EURO: Final = ("--fx", "EUR=1.08@2026-09-30", "--set", "reporting_currency=EUR")
_BRIEF: Final = ("--focus", "focus.csv", "--brief", "brief.pptx")
_BOOK: Final = ("--out", "plan.xlsx")


def _project(
    name: str,
    write: Callable[[Path], None],
    inputs: tuple[str, ...],
    files: tuple[str, ...],
    calls: tuple[tuple[str, tuple[str, ...]], ...] = (),
    *,
    ahead: tuple[str, ...] = (),
) -> GoldenProject:
    """A project with the calls that every project has, and more.

    files: for `check`; ahead: what only a plan takes.
    """
    every = (
        ("check", ("check", *files)),
        ("audit", ("audit", *inputs)),
        ("plan", ("plan", *inputs, *ahead)),
        ("export", ("export", *inputs, *ahead, *_BOOK, *_BRIEF)),
    )
    return GoldenProject(name, write, (*inputs, *ahead), (*every, *calls))


PROJECTS: Final = (
    GoldenProject(
        "demo",
        _demo,
        ("demo.gpuplan",),
        (
            ("check", ("check", "contracts.csv", "prices.csv", "users.csv", "sites.csv")),
            ("audit", ("audit", "demo.gpuplan")),
            ("plan", ("plan", "demo.gpuplan")),
        ),
    ),
    _project(
        "log_alone",
        _log_alone,
        ("--jobs", "jobs.csv", "--timezone", "Europe/Oslo"),
        ("jobs.csv",),
        (("reduce", ("reduce", "--jobs", "jobs.csv")),),
    ),
    _project(
        "contracts_alone",
        _contracts_alone,
        (*_ALL, "--start", "2026-09-05", "--end", "2026-09-25"),
        ("contracts.csv",),
        (("plan_without_jobs", ("plan", *_ALL[2:])), ("greenfield", ("plan", *_ALL[:2], *_ALL[4:]))),
    ),
    _project(
        "clusters",
        _clusters,
        ("--jobs", "jobs.csv", "other.csv", *_ALL[2:], "--rules", "rules.csv"),
        ("jobs.csv", "other.csv", "rules.csv"),
        (
            ("matched", (
                "plan", "--jobs", "jobs.csv", "other.csv", *_ALL[2:], "--same", "cluster:dune-1=dune",
                "--same", "model:Foo-9=Foo9", "--map-model", "Foo9=L40S:0.5",
            )),
        ),
    ),
    _project(
        "dates",
        _dates,
        (*_ALL, "--set", "growth=2%", "--set", "spot_interval_hours=12"),
        ("planned.csv", "prices.csv"),
        (
            ("backtest", ("backtest", "--jobs", "long.csv", *_ALL[4:])),
            ("award", ("award", *_ALL, *_AHEAD, "--set", "max_provider_share=0.8", "--max-prepaid", "100000")),
            ("flips", ("plan", *_ALL, "--flips", "--price-sensitivity", "--greenfield")),
        ),
        ahead=_AHEAD,
    ),
    _project(
        "endpoints",
        _endpoints,
        (*_ALL, "--traffic", "edge/chat/vllm-chat=requests.csv"),
        ("week.csv", "requests.csv", "users.csv", "sites.csv", "measured.csv", "residency.csv"),
        (
            ("size_week", ("size", "--model", "Llama 3.1 70B", "--traffic", "week.csv", *_ALL[4:])),
            ("size_requests", ("size", "--model", "Llama 3.1 8B", "--traffic", "requests.csv", *_ALL[4:])),
            ("place", ("place", *_PLACES)),
        ),
    ),
    _project(
        "damaged",
        _damaged,
        _ALL,
        ("jobs.csv", "contracts.csv", "prices.csv", "notes.txt"),
        (
            ("reduce", ("reduce", *_ALL[:2])),
            ("missing_file", ("plan", "--jobs", "nowhere.csv")),
            ("unknown_setting", ("plan", "--jobs", "jobs.csv", "--set", "lamda=1")),
        ),
    ),
    _project(
        "euro",
        _euro,
        (*_ALL, *_EURO),
        ("contracts.csv", "prices.csv"),
        (
            ("in_dollars", ("plan", *_ALL, *_EURO[:2])),
            ("no_rate", ("plan", *_ALL, *_EURO[2:])),
            ("save", ("export", *_ALL, *_EURO, "--project", "plan.gpuplan")),
            ("track", ("track", "plan.gpuplan", "--jobs", "later.csv")),
            ("track_signed", (
                "track", "plan.gpuplan", "--jobs", "later.csv", "jobs.csv", "--contracts", "signed.csv", "--prices",
                "prices_later.csv",
            )),
            ("track_before", ("track", "plan.gpuplan", "--jobs", "jobs.csv")),
        ),
    ),
    _project(
        "owned",
        _owned,
        (*_ALL, "--set", "wacc=8%", "--set", "slices_lived=off", "--set", "power_limit_kw=45"),
        ("contracts.csv", "prices.csv"),
    ),
)  # fmt: skip

DEMO_IN_LONG: Final = GoldenProject(
    "demo_in_long",
    _demo,
    ("demo.gpuplan",),
    (
        ("place", ("place", "demo.gpuplan")),
        ("backtest", ("backtest", "demo.gpuplan")),
        ("export", ("export", "demo.gpuplan", *_BRIEF)),
    ),
)
"""What of the demo takes more than seconds: many plans are worked out for a walk forward and for a brief."""
