"""Made traces whose names say nothing: families of jobs as clusters have them, none of which rules were tuned on."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from gpuplanner.domain.model.tables import Pool
from tests.benchmarks.traces import DAYS, HOURS, Floats, Trace

Random = np.random.Generator
Jobs = tuple[Floats, Floats]

EACH: Final = 40
"""Workloads of a family."""
SILENT: Final = ("run.sh", "main.py", "job", "start", "python3", "wrap", "a.out", "bash", "exec", "submit")


def _silent_name(random: Random) -> str:
    kind = random.integers(0, 3)
    if kind == 0:
        return str(random.choice(SILENT))
    return f"{random.integers(0, 2**40):x}" if kind == 1 else f"{random.integers(1, 99999):05d}"


def _traces(
    seed: int, title: str, truth: Pool, one: Callable[[Random], tuple[Jobs, float, int, tuple[float, float]]]
) -> list[Trace]:
    """one: jobs, GPUs and nodes of a job, and the range its activity is in. Half of the logs have activity."""
    random = np.random.default_rng(seed)
    traces = []
    for number in range(EACH):
        (start, length), gpus, nodes, (least, most) = one(random)
        activity = float(random.uniform(least, most)) if random.random() < 0.5 else None
        traces.append(
            Trace(
                case=f"{title} {number}",
                name=_silent_name(random),
                queue=str(random.choice(("gpu", "batch", "", "normal", "default"))),
                owner=f"u{random.integers(1000, 9999)}",
                truth=truth,
                gpus=gpus,
                nodes=nodes,
                start=start,
                length=length,
                activity=activity,
                failed=float(random.choice((0, 0, 0.03, 0.1))),
                difficulty=title,
            )
        )
    return traces


def _chained(random: Random, limit: float, duty: float) -> Jobs:
    """Jobs of up to a time limit, one after the other, with random pauses so that they fill `duty` of the time."""
    lengths = []
    while sum(lengths) < duty * HOURS:
        lengths.append(limit if random.random() < 0.75 else limit * random.uniform(0.05, 0.9))
    length = np.array(lengths)
    gaps = random.dirichlet(np.full(len(length) + 1, 0.7))[:-1] * max(HOURS - length.sum(), 0)
    return np.cumsum(gaps) + np.append(0, np.cumsum(length)[:-1]), length


def pretraining_chains(seed: int = 101) -> list[Trace]:
    """Many nodes for weeks, restarted at the time limit or after faults."""

    def one(random: Random) -> tuple[Jobs, float, int, tuple[float, float]]:
        nodes = int(random.choice((4, 8, 16, 32, 64)))
        limit = float(random.choice((8, 12, 24, 36, 48, 72)))
        return _chained(random, limit, random.uniform(0.25, 0.97)), 8.0 * nodes, nodes, (0.6, 0.97)

    return _traces(seed, "pretraining chains", Pool.TRAINING, one)


def node_runs(seed: int = 102) -> list[Trace]:
    """Runs of a day or more on a part of a node or a whole one, every few days."""

    def one(random: Random) -> tuple[Jobs, float, int, tuple[float, float]]:
        count = int(random.integers(8, 45))
        median = float(random.uniform(10, 60))
        length = median * np.exp(0.35 * random.standard_normal(count))
        start = np.sort(random.uniform(0, HOURS - 24, count))
        return (start, length), float(random.choice((1, 2, 4, 8))), 1, (0.65, 0.98)

    return _traces(seed, "runs on a node", Pool.TRAINING, one)


def steady_services(seed: int = 103) -> list[Trace]:
    """A few replicas that are always up, replaced at each release."""

    def one(random: Random) -> tuple[Jobs, float, int, tuple[float, float]]:
        replicas, release = int(random.integers(1, 9)), float(random.uniform(60, 1400))
        starts = [np.arange(0, HOURS, release) for _ in range(replicas)]
        start = np.concatenate(starts)
        length = np.minimum(np.full(len(start), release), HOURS - start)
        return (start, length), float(random.choice((1, 1, 2, 4, 8))), 1, (0.03, 0.6)

    return _traces(seed, "steady services", Pool.INFERENCE, one)


def scaled_services(seed: int = 104) -> list[Trace]:
    """Replicas that follow the day: some stay, others come in the morning and go at night."""

    def one(random: Random) -> tuple[Jobs, float, int, tuple[float, float]]:
        base, peak = int(random.integers(1, 5)), int(random.integers(2, 20))
        release = float(random.uniform(100, 700))
        kept = np.tile(np.arange(0, HOURS, release), base)
        day = np.repeat(np.arange(DAYS) * 24.0, peak)
        scaled = day + 14 + random.normal(0, 1, len(day)) - 0.5 * random.uniform(3, 13, len(day))
        length = np.concatenate((np.full(len(kept), release), 2 * (day + 14 - scaled).clip(0.5)))
        return (np.concatenate((kept, scaled)), length), float(random.choice((1, 1, 2, 4))), 1, (0.1, 0.65)

    return _traces(seed, "scaled services", Pool.INFERENCE, one)


def pods_of_requests(seed: int = 105) -> list[Trace]:
    """Short pods at all hours whose number follows the day: serverless inference that never stops."""

    def one(random: Random) -> tuple[Jobs, float, int, tuple[float, float]]:
        per_day = int(random.integers(150, 500))
        day = np.repeat(np.arange(DAYS) * 24.0, per_day)
        of_day = np.where(
            random.random(len(day)) < 0.5, random.normal(14, 4, len(day)), random.uniform(0, 24, len(day))
        )
        length = random.uniform(0.3, 1.5) * np.exp(0.5 * random.standard_normal(len(day)))
        return (day + of_day.clip(0, 23.99), length), 1.0, 1, (0.15, 0.7)

    return _traces(seed, "pods of requests", Pool.INFERENCE, one)


def arrays_of_trials(seed: int = 106) -> list[Trace]:
    """Arrays of short trials, every few days a bunch."""

    def one(random: Random) -> tuple[Jobs, float, int, tuple[float, float]]:
        bunches = int(random.integers(4, 25))
        trials = int(random.integers(12, 150))
        start = np.repeat(random.uniform(0, HOURS - 48, bunches), trials)
        start = start + random.uniform(0, random.uniform(1, 30), len(start))
        length = random.uniform(0.2, 4) * np.exp(0.5 * random.standard_normal(len(start)))
        return (start, length), float(random.choice((1, 1, 1, 2, 4))), 1, (0.3, 0.95)

    return _traces(seed, "arrays of trials", Pool.BURST, one)


def scheduled_batches(seed: int = 107) -> list[Trace]:
    """The same batch each night or each week."""

    def one(random: Random) -> tuple[Jobs, float, int, tuple[float, float]]:
        every = 24.0 if random.random() < 0.7 else 168.0
        shards = int(random.integers(1, 12))
        start = np.repeat(np.arange(random.uniform(0, 24), HOURS - 12, every), shards)
        start = start + np.abs(random.normal(0, 0.3, len(start)))
        length = random.uniform(0.5, 6) * np.exp(0.15 * random.standard_normal(len(start)))
        return (start, length), float(random.choice((1, 1, 2, 4, 8))), 1, (0.2, 0.9)

    return _traces(seed, "scheduled batches", Pool.BURST, one)


def people_at_work(seed: int = 108) -> list[Trace]:
    """Sessions on working days, short or half a day, with little activity."""

    def one(random: Random) -> tuple[Jobs, float, int, tuple[float, float]]:
        count = int(random.integers(20, 160))
        day = random.choice(np.array([day for day in range(DAYS) if day % 7 < 5]), count) * 24.0
        length = random.uniform(0.3, 6) * np.exp(0.5 * random.standard_normal(count))
        return (
            (day + random.uniform(8, 17, count), length),
            float(random.choice((1, 1, 1, 2))),
            1,
            (0.01, 0.3),
        )

    return _traces(seed, "people at work", Pool.BURST, one)


def many_short_tests(seed: int = 109) -> list[Trace]:
    """Evaluations and checks at any hour, on up to a few nodes, minutes to two hours each."""

    def one(random: Random) -> tuple[Jobs, float, int, tuple[float, float]]:
        count = int(random.integers(30, 400))
        length = random.uniform(0.1, 2) * np.exp(0.4 * random.standard_normal(count))
        nodes = int(random.choice((1, 1, 1, 1, 2, 4)))
        return (
            (random.uniform(0, HOURS - 3, count), length),
            8.0 * nodes if nodes > 1 else 4.0,
            nodes,
            (0.1, 0.8),
        )

    return _traces(seed, "short tests", Pool.BURST, one)


def one_node_chains(seed: int = 110) -> list[Trace]:
    """One run after another on the same GPUs, sent again as soon as the time limit ends it: on nearly always."""

    def one(random: Random) -> tuple[Jobs, float, int, tuple[float, float]]:
        limit = float(random.choice((12, 24, 24, 48, 72)))
        return (
            _chained(random, limit, random.uniform(0.85, 0.99)),
            float(random.choice((4, 8, 8))),
            1,
            (0.7, 0.98),
        )

    return _traces(seed, "one-node chains", Pool.TRAINING, one)


def one_long_run(seed: int = 111) -> list[Trace]:
    """A single run of weeks on many nodes that never stopped."""

    def one(random: Random) -> tuple[Jobs, float, int, tuple[float, float]]:
        nodes = int(random.choice((4, 8, 16, 32)))
        length = float(random.uniform(200, 1900))
        return (
            (np.array([random.uniform(0, HOURS - length)]), np.array([length])),
            8.0 * nodes,
            nodes,
            (0.6, 0.95),
        )

    return _traces(seed, "one long run", Pool.TRAINING, one)


def runs_of_an_afternoon(seed: int = 112) -> list[Trace]:
    """Fine-tuning: four to ten hours on a node or half of one, a few times a week."""

    def one(random: Random) -> tuple[Jobs, float, int, tuple[float, float]]:
        count = int(random.integers(12, 70))
        length = random.uniform(4, 10) * np.exp(0.3 * random.standard_normal(count))
        return (random.uniform(0, HOURS - 12, count), length), float(random.choice((4, 8, 8))), 1, (0.6, 0.95)

    return _traces(seed, "runs of an afternoon", Pool.TRAINING, one)


def renewed_servers(seed: int = 113) -> list[Trace]:
    """A server that a queue with a time limit makes its owner send again each day or week."""

    def one(random: Random) -> tuple[Jobs, float, int, tuple[float, float]]:
        limit = float(random.choice((24, 48, 72, 168)))
        start = np.arange(0, HOURS - 1, limit) + random.uniform(0, 0.4)
        return (start, np.full(len(start), limit)), float(random.choice((1, 1, 2, 4))), 1, (0.03, 0.5)

    return _traces(seed, "renewed servers", Pool.INFERENCE, one)


def large_services(seed: int = 114) -> list[Trace]:
    """Replicas of a whole node or two each, up for weeks."""

    def one(random: Random) -> tuple[Jobs, float, int, tuple[float, float]]:
        replicas, release, nodes = (
            int(random.integers(2, 12)),
            float(random.uniform(100, 900)),
            int(random.choice((1, 1, 2))),
        )
        starts = [np.arange(random.uniform(0, 20), HOURS, release) for _ in range(replicas)]
        start = np.concatenate(starts)
        return (
            (start, np.minimum(np.full(len(start), release), HOURS - start)),
            8.0 * nodes,
            nodes,
            (0.2, 0.65),
        )

    return _traces(seed, "large services", Pool.INFERENCE, one)


def hourly_pieces(seed: int = 115) -> list[Trace]:
    """A pipeline that works off what came in, every hour of day and night, in short jobs."""

    def one(random: Random) -> tuple[Jobs, float, int, tuple[float, float]]:
        start = np.arange(random.uniform(0, 1), HOURS - 1, 1.0)
        return (
            (start, random.uniform(0.15, 0.8, len(start))),
            float(random.choice((1, 1, 2, 4))),
            1,
            (0.1, 0.7),
        )

    return _traces(seed, "hourly pieces", Pool.BURST, one)


def campaigns(seed: int = 116) -> list[Trace]:
    """Two to six campaigns a quarter, each of many jobs of hours side by side: predictions, searches, renders."""

    def one(random: Random) -> tuple[Jobs, float, int, tuple[float, float]]:
        bunches, each = int(random.integers(2, 7)), int(random.integers(15, 120))
        start = np.repeat(random.uniform(0, HOURS - 60, bunches), each)
        start = start + random.uniform(0, 20, len(start))
        length = random.uniform(2, 7) * np.exp(0.4 * random.standard_normal(len(start)))
        return (start, length), float(random.choice((1, 1, 1, 2))), 1, (0.3, 0.97)

    return _traces(seed, "campaigns", Pool.BURST, one)


def held_and_unused(seed: int = 117) -> list[Trace]:
    """A machine that somebody keeps and hardly uses; activity is in the log."""

    def one(random: Random) -> tuple[Jobs, float, int, tuple[float, float]]:
        length = float(random.uniform(300, 2100))
        start = np.arange(0, HOURS - 1, length)
        return (start, np.full(len(start), length)), float(random.choice((1, 1, 2))), 1, (0.0, 0.012)

    traces = _traces(seed, "held and unused", Pool.BURST, one)
    return [replace(trace, activity=trace.activity or 0.005) for trace in traces]


def _all(makers: Sequence[Callable[[int], list[Trace]]], seed: int) -> list[Trace]:
    return [trace for number, make in enumerate(makers) for trace in make(seed + number)]


def all_without_names() -> list[Trace]:
    """A cluster whose names say nothing, as one would expect of it."""
    makers = (
        pretraining_chains,
        node_runs,
        steady_services,
        scaled_services,
        pods_of_requests,
        arrays_of_trials,
        scheduled_batches,
        people_at_work,
        many_short_tests,
    )
    return _all(makers, 1)


def all_that_look_alike() -> list[Trace]:
    """Families that are near others by shape."""
    makers = (
        one_node_chains,
        one_long_run,
        runs_of_an_afternoon,
        renewed_servers,
        large_services,
        hourly_pieces,
        campaigns,
        held_and_unused,
    )
    return _all(makers, 51)


WORDS: Final[Mapping[Pool, tuple[str, ...]]] = {
    Pool.TRAINING: ("train", "pretrain", "sft", "dpo", "fsdp", "deepspeed", "torchrun"),
    Pool.INFERENCE: ("vllm", "triton", "tgi", "serve", "endpoint", "sglang"),
    Pool.BURST: (
        "sweep",
        "hpo",
        "optuna",
        "eval",
        "preproc",
        "etl",
        "ingest",
        "notebook",
        "jupyter",
        "dev",
        "bench",
    ),
}
MISLEAD: Final = 0.1


def all_with_names(seed: int = 301) -> list[Trace]:
    """Both clusters with a telling word in each name, which in one of ten is a word of another class."""
    random = np.random.default_rng(seed)
    named = []
    for trace in (*all_without_names(), *all_that_look_alike()):
        others = [pool for pool in Pool if pool is not trace.truth]
        misleads = random.random() < MISLEAD
        pool = others[int(random.integers(0, 2))] if misleads else trace.truth
        name = f"m{random.integers(1, 99)}-{random.choice(WORDS[pool])}-{random.integers(1, 99)}"
        named.append(
            replace(trace, name=name, difficulty="a name that misleads" if misleads else trace.difficulty)
        )
    return named


FAMILIES: Final[Mapping[str, Callable[[], list[Trace]]]] = {
    "names that say nothing": all_without_names,
    "names that say nothing, shapes that are near": all_that_look_alike,
    "names that tell, one in ten misleads": all_with_names,
}
