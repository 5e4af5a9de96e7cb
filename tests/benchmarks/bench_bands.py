"""How often bands hold what comes: on made worlds, and on each real log that is there.

Run as `python -m tests.benchmarks.bench_bands [LOG ...]`. Of a real log: every week with six weeks before it
and a month behind it, all its demand paid by use.
"""

import sys
import time

import numpy as np

from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.values.lookback_period import WindowRequest
from tests.benchmarks.band_worlds import ANSWER_14, held_share, is_held

WORLDS, LEAST_WEEKS, WEEK_H = 500, 6, 168


def of_log(path):
    """Months held and months in all, of all the demand of a log."""
    project = read_inputs([path], window_request=WindowRequest(whole_log=True)).project()
    cube = project.cube
    hourly = np.bincount(cube.hour, weights=cube.milli_gpu_seconds, minlength=cube.hours)
    weeks = len(hourly) // WEEK_H
    weekly = hourly[len(hourly) - weeks * WEEK_H :].reshape(weeks, WEEK_H).mean(axis=1)
    held = [is_held(weekly[: origin + 5], origin) for origin in range(LEAST_WEEKS, weeks - 4)]
    return sum(held), len(held)


def main():
    for name, (walk, noise) in ANSWER_14.items():
        for weeks in (13, 26):
            for ahead in ("months", "years"):
                begin = time.process_time()
                share = held_share(walk, noise, weeks, WORLDS, of_year=ahead == "years")
                each = 1000 * (time.process_time() - begin) / WORLDS
                print(f"{name:12s} {weeks} weeks: {share:6.1%} of {WORLDS} {ahead} held, {each:.1f} ms each")
    for path in sys.argv[1:]:
        try:
            held, months = of_log(path)
        except Exception as error:  # a benchmark looks at every log that it is given
            print(f"{path}: {error}")
        else:
            print(f"{path}: {held} of {months} months held")


if __name__ == "__main__":
    main()
