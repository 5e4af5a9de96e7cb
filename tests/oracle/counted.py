"""What a workload of the log counts: hours that come back or began lately repeat, and what has ended counts nothing."""

from itertools import pairwise

ENDED_H, SERVICE_H, WEEK_H, DAY_H = 28 * 24, 48, 168, 24


def counted_rows(rows, hours, classes, dates):
    """(rows as they count, {key: hour from which the log has it} of services that began, keys of those that ended).

    rows: {(workload, model): amounts by hour}; dates: {key: (begins, ends)}.
    """
    busy = {}
    for (workload, _), hourly in rows.items():
        busy.setdefault(workload, set()).update(hour for hour in range(hours) if hourly[hour])
    counted, began, ended = dict(rows), {}, set()
    for workload, ran in busy.items():
        if not ran:
            continue
        begins, ends = dates.get(workload.key, (None, None))
        first, last = min(ran), max(ran)
        if begins is not None:
            start, length = newest(last, last + 1 - first)
            sources = [start + (hour - start) % length for hour in range(hours)]
        elif ends is None and has_ended(ran, hours):
            ended.add(workload.key)
            continue
        elif classes[workload.key] == "inference" and is_service(workload, first, last, busy):
            began[workload.key] = first
            length = newest(last, hours - first)[1]
            sources = [hour if hour >= first else first + (hour - first) % length for hour in range(hours)]
        else:
            continue
        for (other, model), hourly in rows.items():
            if other == workload:
                counted[other, model] = [hourly[source] for source in sources]
    return counted, began, ended


def newest(last, hours):
    """(first hour, length) of the newest whole weeks of so many hours, whole days where they are under a week."""
    unit = WEEK_H if hours >= WEEK_H else DAY_H
    length = max(hours // unit, 1) * unit
    return last + 1 - length, length


def has_ended(ran, hours):
    """Did it not run for 28 days, and never pause so long? Hours that the log lacks are a pause like others."""
    pauses = [other - one - 1 for one, other in pairwise([*sorted(ran), hours])]
    return pauses[-1] >= ENDED_H and all(pause < ENDED_H for pause in pauses[:-1])


def is_service(workload, first, last, busy):
    """Did it begin inside the window, run over two days or more, and not move here from another cluster?"""
    moved = any(
        (other.owner, other.name) == (workload.owner, workload.name)
        and other.cluster != workload.cluster
        and ran
        and min(ran) < first
        for other, ran in busy.items()
    )
    return first > 0 and last + 1 - first >= SERVICE_H and not moved
