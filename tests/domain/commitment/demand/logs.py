"""Logs of demand for the tests of this room: hours of weeks, and a walk of known steps."""

import numpy as np

WEEK = 168


def hours(weekly):
    return np.repeat(np.asarray(weekly, dtype=float), WEEK)


def weeks(*gpus: float) -> np.ndarray:
    return np.repeat(np.array(gpus), WEEK)


def walk(seed, weeks=8):
    steps = np.random.default_rng(seed).normal(0, 0.08, weeks)
    return np.repeat(np.round(8 * np.exp(np.cumsum(steps)), 3), WEEK)
