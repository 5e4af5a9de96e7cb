"""The replay: the same as a plain walk over everything at every instant; theory; laws of every queue."""

import math
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.queue.parts import NO_RULES, NOBODY, Line, Replay, Rules
from gpuplanner.domain.queue.replay import replay
from gpuplanner.domain.queue.sets import NEVER, GpuSet, Held, QueuedJob

GPU = 1000
H = 3600


def plain(
    jobs: Sequence[QueuedJob],
    sets: Sequence[GpuSet],
    outlets: Sequence[int | None] = (),
    rules: Rules = NO_RULES,
) -> Replay:
    """The rules word by word: at every instant everybody is looked at in order, and every end and change is summed."""
    runs: dict[int, tuple[int, int]] = {}
    out: dict[int, tuple[int, int]] = {}
    changes = {at_s for one in sets for at_s, _ in one.changes}

    def size(place: int, at_s: int) -> int:
        return next((milli for since, milli in reversed(sets[place].changes) if since <= at_s), 0)

    def used(place: int, now: int, at_s: int, *, as_planned: bool) -> int:
        total = 0
        for at, (on, start) in runs.items():
            length = jobs[at].planned_s if as_planned else jobs[at].length_s
            if on == place and start + jobs[at].length_s > now and start + length > at_s:
                total += jobs[at].milli_gpus
        return total

    def least(place: int, now: int, start: int, end: int, *, as_planned: bool) -> int:
        stops = {start, *changes}
        stops |= {
            began + length
            for at, (_, began) in runs.items()
            for length in (jobs[at].length_s, jobs[at].planned_s)
        }
        return min(
            size(place, at_s) - used(place, now, at_s, as_planned=as_planned)
            for at_s in stops
            if start <= at_s < end or at_s == start
        )

    def factor(account: int, now: int) -> float:
        """F = 2^(-U/S): U is the account's share of all GPU-seconds so far, each of which fades by its age."""
        fade, spent = math.log(2) / rules.half_life_s, [0.0] * len(rules.shares)
        for at, (_, start) in runs.items():
            end = min(now, start + jobs[at].length_s)
            lasts = (math.exp((end - now) * fade) - math.exp((start - now) * fade)) / fade
            spent[jobs[at].account] += jobs[at].milli_gpus * lasts
        share = rules.shares[account] / sum(rules.shares)
        return 2 ** -(spent[account] / sum(spent) / share) if sum(spent) else 1.0

    def order(now: int) -> list[int]:
        if not rules.shares:
            return [*range(len(jobs))]
        return sorted(
            range(len(jobs)), key=lambda at: (jobs[at].pool, -round(factor(jobs[at].account, now), 11), at)
        )

    def is_over(job: QueuedJob, now: int) -> bool:
        running = [jobs[at] for at, (_, start) in runs.items() if start + jobs[at].length_s > now]
        held = [sum(one.milli_gpus for one in running if limit in one.limits) for limit in job.limits]
        return any(
            milli + job.milli_gpus > rules.limits[limit]
            for milli, limit in zip(held, job.limits, strict=True)
        )

    times = {job.eligible_s for job in jobs} | changes
    now = -1
    while True:
        waiting = [job for at, job in enumerate(jobs) if at not in {*runs, *out} and job.eligible_s <= now]
        tempers = {job.eligible_s + job.patience_s for job in waiting if job.patience_s and job.outlets}
        due = {*times, *(at_s for at_s in tempers if at_s > now)}
        if not due:
            break
        times.discard(now := min(due))
        reserved: dict[int, tuple[int, QueuedJob]] = {}
        for at in order(now):
            job = jobs[at]
            if at in runs or at in out or job.eligible_s > now:
                continue
            is_limited = is_over(job, now)
            for place in () if is_limited else job.sets:
                if least(place, now, now, now + job.length_s, as_planned=False) < job.milli_gpus:
                    continue
                runs[at] = (place, now)
                if place in reserved:
                    at_s, head = reserved[place]
                    if least(place, now, at_s, at_s + head.length_s, as_planned=True) < head.milli_gpus:
                        del runs[at]
                        continue
                break
            else:
                if job.patience_s is not None and job.eligible_s + job.patience_s <= now:
                    for outlet in job.outlets:
                        room = outlets[outlet]
                        held = sum(
                            jobs[other].milli_gpus
                            for other, (where, start) in out.items()
                            if where == outlet and start + jobs[other].length_s > now
                        )
                        if room is None or room - held >= job.milli_gpus:
                            out[at] = (outlet, now)
                            break
            if at in runs or at in out:
                times.add(now + job.length_s)
                continue
            for place in () if is_limited else job.sets:
                if place in reserved:
                    continue
                ends = {start + jobs[other].planned_s for other, (_, start) in runs.items()}
                for at_s in sorted({one for one in ends | changes if one > now}):
                    free = least(place, now, at_s, at_s + job.length_s, as_planned=True)
                    if free >= job.milli_gpus:
                        reserved[place] = (at_s, job)
                        break
    both = [runs.get(at, out.get(at)) for at in range(len(jobs))]
    return Replay(
        [NOBODY if one is None else one[1] for one in both],
        [runs[at][0] if at in runs else NOBODY for at in range(len(jobs))],
        [out[at][0] if at in out else NOBODY for at in range(len(jobs))],
    )


@st.composite
def queues(draw: st.DrawFn) -> tuple[list[QueuedJob], list[GpuSet], list[int | None]]:
    """A few jobs of two pools on up to three sets that grow and shrink, with and without an outlet."""
    count = draw(st.integers(1, 3))
    sets = []
    for _ in range(count):
        at_s, changes = 0, []
        for milli in draw(st.lists(st.integers(0, 6), min_size=1, max_size=3)):
            changes.append((at_s, milli * GPU))
            at_s += draw(st.integers(1, 12))
        sets.append(GpuSet(tuple(changes)))
    limits: list[int | None] = [None, 2 * GPU, 4 * GPU]
    outlets = [draw(st.sampled_from(limits))] if draw(st.booleans()) else []
    jobs = []
    for _ in range(draw(st.integers(1, 10))):
        length = draw(st.integers(1, 9))
        jobs.append(
            QueuedJob(
                pool=draw(st.integers(0, 1)),
                eligible_s=draw(st.integers(0, 15)),
                length_s=length,
                planned_s=length + draw(st.sampled_from([0, 0, 3, 8])),
                milli_gpus=draw(st.sampled_from([500, GPU, 2 * GPU, 3 * GPU])),
                sets=tuple(draw(st.permutations(range(count)))[: draw(st.integers(1, count))]),
                outlets=(0,) if outlets and draw(st.booleans()) else (),
                patience_s=draw(st.sampled_from([None, 0, 5])),
            )
        )
    return sorted(jobs, key=lambda job: (job.pool, job.eligible_s)), sets, outlets


@given(queues())
def test_it_is_the_plain_walk(queue: tuple[list[QueuedJob], list[GpuSet], list[int | None]]) -> None:
    assert replay(*queue) == plain(*queue)


@pytest.mark.parametrize("seed", range(60))
def test_a_crowded_queue_is_the_plain_walk(seed: int) -> None:
    """Up to twenty jobs on one to three sets, some of which grow and shrink, and up to two outlets."""
    draw = Random(seed)
    count, sets = draw.randint(1, 3), []
    for _ in range(count):
        at_s, changes = 0, []
        for _ in range(draw.randint(1, 3)):
            changes.append((at_s, draw.randint(0, 6) * GPU))
            at_s += draw.randint(1, 12)
        sets.append(GpuSet(tuple(changes)))
    outlets = [draw.choice([None, 2 * GPU, 4 * GPU]) for _ in range(draw.randint(0, 2))]
    jobs = []
    for _ in range(draw.randint(8, 20)):
        length = draw.randint(1, 9)
        jobs.append(
            QueuedJob(
                pool=draw.randint(0, 1),
                eligible_s=draw.randint(0, 15),
                length_s=length,
                planned_s=length + draw.choice([0, 0, 3, 8]),
                milli_gpus=draw.choice([500, GPU, 2 * GPU, 3 * GPU]),
                sets=tuple(draw.sample(range(count), draw.randint(1, count))),
                outlets=tuple(draw.sample(range(len(outlets)), draw.randint(0, len(outlets)))),
                patience_s=draw.choice([None, 0, 5]),
            )
        )
    jobs.sort(key=lambda job: (job.pool, job.eligible_s))
    assert replay(jobs, sets, outlets) == plain(jobs, sets, outlets)


@pytest.mark.parametrize("kind", ["limits", "fair share", "both"])
@pytest.mark.parametrize("seed", [*range(38), 1201, 1205])  # of the last two a limit takes a reservation back
def test_limits_and_fair_share_are_the_plain_walk(seed: int, kind: str) -> None:
    """Job by job: up to four accounts, each job with up to three limits, on sets that grow and shrink."""
    draw, is_fair = Random(f"{seed} {kind}"), kind != "limits"
    count = draw.randint(1, 2)
    sets = [GpuSet(((0, draw.randint(2, 6) * GPU), (draw.randint(5, 15), 4 * GPU))) for _ in range(count)]
    rules = Rules(
        tuple(draw.randint(1, 5) * GPU for _ in range(4)) if kind != "fair share" else (),
        tuple(draw.choice([1.0, 2.0, 0.5]) for _ in range(4)) if is_fair else (),
        draw.choice([3.0, 20.0, 400.0]),
    )
    outlets = [] if is_fair else [None]
    jobs = []
    for _ in range(draw.randint(10, 22)):
        length = draw.randint(1, 9)
        jobs.append(
            QueuedJob(
                pool=draw.randint(0, 1),
                eligible_s=draw.randint(0, 15),
                length_s=length,
                planned_s=length + draw.choice([0, 0, 3, 8]),
                milli_gpus=draw.choice([500, GPU, 2 * GPU, 3 * GPU]),
                sets=tuple(draw.sample(range(count), draw.randint(1, count))),
                outlets=(0,) if outlets and draw.random() < 0.3 else (),
                patience_s=draw.choice([None, 0, 5]) if outlets else None,
                account=draw.randrange(4) if is_fair else 0,
                limits=tuple(sorted(draw.sample(range(4), draw.randint(0, 3)))) if rules.limits else (),
            )
        )
    jobs.sort(key=lambda job: (job.pool, job.eligible_s))
    assert replay(jobs, sets, outlets, rules=rules) == plain(jobs, sets, outlets, rules)


@pytest.mark.parametrize("seed", range(6))
def test_a_line_finds_the_first_that_waits_and_is_short_enough(seed: int) -> None:
    """Few that wait and many, the line empty again and again."""
    draw, waits = Random(seed), dict[int, int]()
    jobs = [
        QueuedJob(pool=0, eligible_s=0, length_s=1, planned_s=draw.randint(1, 40), milli_gpus=GPU, sets=(0,))
        for _ in range(400)
    ]
    places = sorted(draw.sample(range(400), 300))
    line = Line(places, jobs)
    for step in range(3000):
        is_filled = step % 1000 < 500  # then it empties
        if draw.random() < (0.8 if is_filled else 0.1) and len(waits) < len(places):
            place = draw.choice([one for one in places if one not in waits])
            line.add(place)
            waits[place] = jobs[place].planned_s
        elif waits:
            line.remove(place := draw.choice(sorted(waits)))
            del waits[place]
        behind, longest_s = draw.randint(-1, 400), draw.choice([0, 5, 20, NEVER])
        able = [one for one, planned_s in waits.items() if one > behind and planned_s <= longest_s]
        assert line.first_behind(behind, longest_s) == min(able, default=NOBODY)
        assert line.first == min(waits) if waits else line.first > NEVER


def test_a_limit_makes_its_user_wait_and_nobody_else() -> None:
    """12 GPUs, of which ann may hold 4: her second job waits until her first ends, bob's starts."""
    jobs = [
        QueuedJob(
            pool=0, eligible_s=0, length_s=10 * H, planned_s=10 * H, milli_gpus=4 * GPU, sets=(0,), limits=own
        )
        for own in ((0,), (0,), ())
    ]
    assert replay(jobs, [GpuSet(((0, 12 * GPU),))], rules=Rules((4 * GPU,))).start_s == [0, 10 * H, 0]


def test_one_limit_holds_on_all_sets_and_not_where_a_job_is_sent() -> None:
    """ann holds 4 on one set: her job on the other waits, and goes out after 2 h; no GPU out there counts."""
    first = QueuedJob(
        pool=0, eligible_s=0, length_s=5 * H, planned_s=5 * H, milli_gpus=4 * GPU, sets=(0,), limits=(0,)
    )
    jobs = [
        first,
        *(
            QueuedJob(
                pool=0,
                eligible_s=0,
                length_s=5 * H,
                planned_s=5 * H,
                milli_gpus=4 * GPU,
                sets=(1,),
                outlets=sent,
                patience_s=2 * H,
                limits=(0,),
            )
            for sent in ((0,), ())
        ),
    ]
    found = replay(jobs, [GpuSet(((0, 8 * GPU),))] * 2, [None], rules=Rules((4 * GPU,)))
    assert (found.start_s, found.outlet) == ([0, 2 * H, 5 * H], [NOBODY, 0, NOBODY])


@pytest.mark.parametrize(
    ("shares", "first"), [((1.0, 1.0), 1), ((4.0, 1.0), 0)], ids=["equal shares", "four to one"]
)
def test_who_has_used_least_for_its_share_is_asked_first(shares: tuple[float, ...], first: int) -> None:
    """One GPU: A ran 2 h, then B 1 h; with equal shares B is next, with four to one A: 2 / 4 is less than 1."""
    ran = [
        QueuedJob(
            pool=0, eligible_s=0, length_s=2 * H, planned_s=2 * H, milli_gpus=GPU, sets=(0,), account=0
        ),
        QueuedJob(pool=0, eligible_s=1, length_s=H, planned_s=H, milli_gpus=GPU, sets=(0,), account=1),
    ]
    waits = [
        QueuedJob(
            pool=0, eligible_s=2 * H + own, length_s=H, planned_s=H, milli_gpus=GPU, sets=(0,), account=own
        )
        for own in (0, 1)
    ]
    starts = replay([*ran, *waits], [GpuSet(((0, GPU),))], rules=Rules((), shares)).start_s[2:]
    assert starts[first] == 3 * H and starts[1 - first] == 4 * H


def test_use_counts_less_by_its_age() -> None:
    """A ran 8 h, long ago: after ten half-lives it is 8 / 1,024 h, and B's hour just now is more."""
    ran = [
        QueuedJob(pool=0, eligible_s=0, length_s=8 * H, planned_s=8 * H, milli_gpus=GPU, sets=(0,), account=0)
    ]
    ran.append(
        QueuedJob(pool=0, eligible_s=88 * H, length_s=H, planned_s=H, milli_gpus=GPU, sets=(0,), account=1)
    )
    waits = [
        QueuedJob(
            pool=0, eligible_s=88 * H + 1, length_s=H, planned_s=H, milli_gpus=GPU, sets=(0,), account=own
        )
        for own in (1, 0)
    ]
    jobs, sets = [*ran, *waits], [GpuSet(((0, GPU),))]
    assert replay(jobs, sets, rules=Rules((), (1.0, 1.0), 8.0 * H)).start_s[2:] == [90 * H, 89 * H]
    assert replay(jobs, sets, rules=Rules((), (1.0, 1.0))).start_s[2:] == [89 * H, 90 * H]


@given(queues())
def test_no_job_starts_early_and_no_set_holds_more_than_it_has(
    queue: tuple[list[QueuedJob], list[GpuSet], list[int | None]],
) -> None:
    jobs, sets, _ = queue
    found = replay(*queue)
    for at, job in enumerate(jobs):
        start = found.start_s[at]
        assert start == NOBODY or start >= job.eligible_s
        assert (start == NOBODY) == (found.on[at] == found.outlet[at] == NOBODY)
    for place, one in enumerate(sets):
        for at_s in range(60):
            held = sum(
                job.milli_gpus
                for at, job in enumerate(jobs)
                if found.on[at] == place and found.start_s[at] <= at_s < found.start_s[at] + job.length_s
            )
            has = next((milli for since, milli in reversed(one.changes) if since <= at_s), 0)
            assert held <= has


def test_whoever_comes_first_is_served_and_the_endpoint_waits() -> None:
    """On 8 GPUs behind a training job of 10 h an inference job of 2 GPUs, an hour later, waits 9 h; on 10 GPUs 0 h."""
    inference = QueuedJob(pool=0, eligible_s=H, length_s=H, planned_s=H, milli_gpus=2 * GPU, sets=(0,))
    training = QueuedJob(
        pool=1, eligible_s=0, length_s=10 * H, planned_s=10 * H, milli_gpus=8 * GPU, sets=(0,)
    )
    for gpus, wait_h in ((8, 9), (10, 0)):
        start_s, _ = replay([inference, training], [GpuSet(((0, gpus * GPU),))]).start_s
        assert (start_s - H) / H == wait_h


def test_short_jobs_go_before_one_that_waits_but_never_put_it_off() -> None:
    long = QueuedJob(pool=0, eligible_s=0, length_s=10, planned_s=10, milli_gpus=3 * GPU, sets=(0,))
    wide = QueuedJob(pool=0, eligible_s=1, length_s=10, planned_s=10, milli_gpus=4 * GPU, sets=(0,))
    short = QueuedJob(pool=0, eligible_s=2, length_s=8, planned_s=8, milli_gpus=GPU, sets=(0,))
    slow = QueuedJob(pool=0, eligible_s=2, length_s=9, planned_s=9, milli_gpus=GPU, sets=(0,))
    found = replay([long, wide, short, slow], [GpuSet(((0, 4 * GPU),))])
    assert found.start_s == [0, 10, 2, 20]


def test_patience_sends_out_and_a_full_outlet_keeps_waiting() -> None:
    first = QueuedJob(pool=0, eligible_s=0, length_s=100, planned_s=100, milli_gpus=GPU, sets=(0,))
    waits = [
        QueuedJob(
            pool=1,
            eligible_s=0,
            length_s=50,
            planned_s=50,
            milli_gpus=GPU,
            sets=(0,),
            outlets=(0,),
            patience_s=10,
        )
        for _ in range(2)
    ]
    found = replay([first, *waits], [GpuSet(((0, GPU),))], [GPU])
    assert found.start_s == [0, 10, 60]
    assert found.outlet == [NOBODY, 0, 0]


def test_what_ends_before_gpus_go_may_use_what_is_beside_a_reservation_until_then() -> None:
    """Six of eight run to 4, then five to 14, and at 9 three go: of the three beside them two serve until then."""
    jobs = [
        QueuedJob(pool=0, eligible_s=0, length_s=4, planned_s=4, milli_gpus=6 * GPU, sets=(0,)),
        QueuedJob(pool=0, eligible_s=1, length_s=10, planned_s=10, milli_gpus=5 * GPU, sets=(0,)),
        QueuedJob(pool=0, eligible_s=2, length_s=6, planned_s=6, milli_gpus=2 * GPU, sets=(0,)),
        QueuedJob(pool=0, eligible_s=2, length_s=8, planned_s=8, milli_gpus=2 * GPU, sets=(0,)),
    ]
    found = replay(jobs, [GpuSet(((0, 8 * GPU), (9, 5 * GPU)))])
    assert found.start_s == [0, 4, 2, 14]


def test_what_can_never_fit_holds_nobody_up() -> None:
    found = replay(
        [
            QueuedJob(pool=0, eligible_s=0, length_s=5, planned_s=5, milli_gpus=9 * GPU, sets=(0,)),
            QueuedJob(pool=0, eligible_s=1, length_s=5, planned_s=5, milli_gpus=GPU, sets=(0,)),
        ],
        [GpuSet(((0, 4 * GPU),))],
    )
    assert found.start_s == [NOBODY, 1]


def test_what_can_never_fit_is_looked_at_once_and_not_at_every_instant(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked, reserve = list[int](), Held.reserve

    def counted(held: Held, place: int, job: QueuedJob) -> None:
        asked.append(place)
        reserve(held, place, job)

    monkeypatch.setattr(Held, "reserve", counted)
    jobs = [
        QueuedJob(pool=0, eligible_s=0, length_s=5, planned_s=5, milli_gpus=9 * GPU, sets=(0,)),
        *(
            QueuedJob(pool=0, eligible_s=1, length_s=5, planned_s=5, milli_gpus=4 * GPU, sets=(0,))
            for _ in range(20)
        ),
    ]
    jobs = [job._replace(outlets=(0,)) for job in jobs]  # one with a limit: the general walk
    assert replay(jobs, [GpuSet(((0, 4 * GPU),))], [GPU]).start_s == [NOBODY, *range(1, 101, 5)]
    assert asked.count(0) == 1


@pytest.mark.parametrize("servers", [1, 8])
def test_a_queue_of_single_gpus_is_the_plain_recursion(servers: int) -> None:
    """Each job takes the server that is free first: Kiefer and Wolfowitz (1955)."""
    chance = Random(servers)
    jobs, now = [], 0.0
    for _ in range(4000):
        now += chance.expovariate(0.8 * servers / H)
        length = max(1, round(chance.expovariate(1 / H)))
        jobs.append(
            QueuedJob(
                pool=0, eligible_s=int(now), length_s=length, planned_s=length, milli_gpus=GPU, sets=(0,)
            )
        )
    free = [0] * servers
    starts = []
    for job in jobs:
        at = min(range(servers), key=lambda one: free[one])
        starts.append(max(job.eligible_s, free[at]))
        free[at] = starts[-1] + job.length_s
    assert replay(jobs, [GpuSet(((0, servers * GPU),))]).start_s == starts


def test_a_replay_that_nobody_wants_stops() -> None:
    jobs = [
        QueuedJob(pool=0, eligible_s=at, length_s=1, planned_s=1, milli_gpus=GPU, sets=(0,))
        for at in range(10_000)
    ]
    found = replay(jobs, [GpuSet(((0, GPU),))], is_cancelled=lambda: True)
    assert found.start_s[-1] == NOBODY


def test_who_has_no_gpus_and_one_outlet_with_a_limit_goes_there_alone() -> None:
    """Its outlet was taken for a set, counted from the end: it ran on GPUs of others, or nothing was replayed."""
    jobs = [
        QueuedJob(pool=0, eligible_s=0, length_s=5, planned_s=5, milli_gpus=GPU, sets=(0,)),
        *(
            QueuedJob(
                pool=1,
                eligible_s=0,
                length_s=5,
                planned_s=5,
                milli_gpus=GPU,
                sets=(),
                outlets=(1,),
                patience_s=0,
            )
            for _ in range(2)
        ),
    ]
    for sets in ([GpuSet(((0, 9 * GPU),))], [GpuSet(((0, 9 * GPU),)), GpuSet(((0, 9 * GPU),))]):
        found = replay(jobs, sets, [None, GPU])
        assert (found.start_s, found.on, found.outlet) == ([0, 0, 5], [0, NOBODY, NOBODY], [NOBODY, 1, 1])
