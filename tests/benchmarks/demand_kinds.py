"""Made logs of 16 kinds of demand, hour by hour: what a backtest of the advice is judged on."""

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.model.window import HOURS_PER_MONTH

Floats = npt.NDArray[np.float64]
Shape = Callable[[np.random.Generator, Floats], Floats]
"""Mean GPUs of each hour, (hours,), from chance and the hours, counted from the log's beginning."""

MONTHS: Final = 12
HOURS: Final = MONTHS * HOURS_PER_MONTH
DAY_H, WEEK_H = 24, 168


def _level(random: np.random.Generator) -> float:
    return float(random.uniform(20, 60))


def _of_weeks(values: Floats, hours: Floats) -> Floats:
    return values[(hours // WEEK_H).astype(int)]


def _weeks(hours: Floats) -> int:
    return int(hours[-1] // WEEK_H) + 1


def _spans(random: np.random.Generator, hours: Floats, low_h: float, high_h: float) -> Floats:
    """A number for each hour that stays for a while of random length and then rises by one; (hours,)."""
    place, at = np.zeros(len(hours), dtype=np.int64), 0.0
    while at < len(hours):
        at += random.uniform(low_h, high_h)
        place[int(min(at, len(hours))) :] += 1
    return place


def steady(random: np.random.Generator, hours: Floats) -> Floats:
    """The same all the time, but for a little."""
    return _level(random) * (1 + 0.02 * random.standard_normal(len(hours)))


def noisy(random: np.random.Generator, hours: Floats) -> Floats:
    """One level; hours and days vary around it by a quarter."""
    days = 1 + 0.2 * random.standard_normal(len(hours) // DAY_H + 1).repeat(DAY_H)[: len(hours)]
    return _level(random) * days * (1 + 0.15 * random.standard_normal(len(hours)))


def day_and_night(random: np.random.Generator, hours: Floats) -> Floats:
    """A wave every day, up to eight tenths around the mean."""
    height, phase = random.uniform(0.4, 0.8), random.uniform(0, DAY_H)
    return _level(random) * (1 + height * np.sin(2 * np.pi * (hours - phase) / DAY_H))


def weekly(random: np.random.Generator, hours: Floats) -> Floats:
    """Working days and quiet weekends."""
    rests = (hours // DAY_H) % 7 >= 5
    return _level(random) * np.where(rests, random.uniform(0.1, 0.5), 1.0)


def slow_growth(random: np.random.Generator, hours: Floats) -> Floats:
    """Up by 2 to 4% a month."""
    return _level(random) * (1 + random.uniform(0.02, 0.04)) ** (hours / HOURS_PER_MONTH)


def fast_growth(random: np.random.Generator, hours: Floats) -> Floats:
    """Up by 10 to 20% a month."""
    return 0.5 * _level(random) * (1 + random.uniform(0.10, 0.20)) ** (hours / HOURS_PER_MONTH)


def decline(random: np.random.Generator, hours: Floats) -> Floats:
    """Down by 5 to 15% a month."""
    return 1.5 * _level(random) * (1 - random.uniform(0.05, 0.15)) ** (hours / HOURS_PER_MONTH)


def step_up(random: np.random.Generator, hours: Floats) -> Floats:
    """Once, in the middle half of the log, to 1.5 to 3 times as much."""
    at = random.uniform(0.25, 0.75) * len(hours)
    return 0.6 * _level(random) * np.where(hours >= at, random.uniform(1.5, 3), 1.0)


def step_down(random: np.random.Generator, hours: Floats) -> Floats:
    """Once, in the middle half of the log, to a fifth to two thirds."""
    at = random.uniform(0.25, 0.75) * len(hours)
    return 1.4 * _level(random) * np.where(hours >= at, random.uniform(0.2, 0.67), 1.0)


def lumps(random: np.random.Generator, hours: Floats) -> Floats:
    """Runs of 8 to 32 GPUs for days to weeks over a base, with pauses."""
    gpus = np.full(len(hours), random.uniform(5, 15))
    for _ in range(3):
        at = random.uniform(0, 300)
        while at < len(hours):
            length, size = random.uniform(48, 500), 8.0 * random.integers(1, 5)
            gpus[int(at) : int(at + length)] += size
            at += length + random.uniform(24, 500)
    return gpus


def lone_run(random: np.random.Generator, hours: Floats) -> Floats:
    """A small service, and one run of three to ten weeks that never comes back."""
    gpus = np.full(len(hours), random.uniform(2, 8))
    begin = random.uniform(0.1, 0.7) * len(hours)
    gpus[int(begin) : int(begin + random.uniform(3, 10) * WEEK_H)] += random.uniform(30, 80)
    return gpus


def season(random: np.random.Generator, hours: Floats) -> Floats:
    """Busy and quiet months in turn, every three to six months."""
    period = random.uniform(3, 6) * HOURS_PER_MONTH
    wave = np.sin(2 * np.pi * (hours / period + random.uniform(0, 1)))
    return _level(random) * (1 + random.uniform(0.2, 0.5) * wave)


def regimes(random: np.random.Generator, hours: Floats) -> Floats:
    """A new level every three to ten weeks."""
    place = _spans(random, hours, 3 * WEEK_H, 10 * WEEK_H)
    return _level(random) * random.uniform(0.5, 1.5, int(place.max()) + 1)[place]


def _walk(sigma: float) -> Shape:
    def shape(random: np.random.Generator, hours: Floats) -> Floats:
        steps = sigma / np.sqrt(HOURS_PER_MONTH / WEEK_H) * random.standard_normal(_weeks(hours))
        return _level(random) * _of_weeks(np.exp(np.cumsum(steps)), hours)

    return shape


def mixed(random: np.random.Generator, hours: Floats) -> Floats:
    """A third each of three other kinds."""
    names = [name for name in KINDS if name != "mix"]
    chosen = random.choice(len(names), 3, replace=False).tolist()
    return sum((KINDS[names[place]](random, hours) / 3 for place in chosen), np.zeros(len(hours)))


KINDS: Final[Mapping[str, Shape]] = {
    "steady": steady,
    "noisy": noisy,
    "day and night": day_and_night,
    "weekly": weekly,
    "slow growth": slow_growth,
    "fast growth": fast_growth,
    "decline": decline,
    "step up": step_up,
    "step down": step_down,
    "lumps": lumps,
    "lone run": lone_run,
    "season": season,
    "regimes": regimes,
    "walk 10%": _walk(0.10),
    "walk 20%": _walk(0.20),
    "mix": mixed,
}
STEADY_KINDS: Final = ("steady", "noisy", "day and night", "weekly")
SUDDEN_KINDS: Final = ("lone run", "step up", "step down")


OF_WEEKS: Final = 0.09
OF_DAYS: Final = 0.07
"""How far weeks and days of a real cluster vary around the level of their time: read off the openb trace, second
differences of weekly and first differences of daily means."""


def texture(random: np.random.Generator, hours: Floats) -> Floats:
    """What the demand of a cluster does besides, whatever its level does; (hours,), around 1."""
    weeks = np.exp(OF_WEEKS * random.standard_normal(_weeks(hours)))
    days = np.exp(OF_DAYS * random.standard_normal(len(hours) // DAY_H + 1))
    wave = 1 + random.uniform(0, 0.3) * np.sin(2 * np.pi * (hours - random.uniform(0, DAY_H)) / DAY_H)
    return _of_weeks(weeks, hours) * days.repeat(DAY_H)[: len(hours)] * wave


def made_gpus(kind: str, seed: int, is_smooth: bool = False) -> Floats:
    """Mean GPUs of each hour of a log, (HOURS,); of all but steady kinds with `texture`, unless they are smooth."""
    random = np.random.default_rng([list(KINDS).index(kind), seed])
    hours = np.arange(HOURS, dtype=np.float64)
    gpus = KINDS[kind](random, hours)
    if kind not in STEADY_KINDS and not is_smooth:
        gpus = gpus * texture(random, hours)
    return np.clip(gpus, 0, None)
