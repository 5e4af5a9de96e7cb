"""Joining activity with jobs: by job id or pod where samples say it, else by node and time; never smeared over jobs.

A job's activity is the utilization of the GPUs it was given: the mean of its samples, weighted by the time each stands
for, over its GPUs. It stays unknown where no sample falls into the job, and where a node's samples cannot be told
apart among the jobs that shared it.
"""

from typing import Final

from gpuplanner.domain.model.intake import Issue
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.files.activity.activity_intake import LOOKED_AT, SAID_MODELS, SAMPLES
from gpuplanner.files.job_logs.judging.expression import ACCEPTED_JOBS, set_activity
from gpuplanner.files.job_logs.judging.job_store import NAMES, set_model
from gpuplanner.files.sources.issue_texts import issue_message
from gpuplanner.files.system.engine import Engine, sql_text
from gpuplanner.files.values.host_lists import expand_hosts, same_nodes
from gpuplanner.files.values.word_lists import phrases

_STEPS_AT_MOST: Final = 2
"""A sample stands for the time up to the next one of its GPU, at most so many usual steps of its file: a gap in the
monitoring says nothing."""

_OVER_FULL: Final = 1.05
"""Where a node did more than so much of what the only job on it can do, something else ran there."""

_TABLES: Final = phrases(
    "act_jobs|act_samples|act_matched|act_job_hosts|act_node_jobs|act_islands|act_found|host_lists|seen_hosts"
    "|act_job_days|act_looked_at"
)


def join_activity(engine: Engine) -> dict[int, tuple[Issue, ...]]:
    """Fill activity_milli_percent of jobs where the log gave none; returns more issues by file.

    ACCEPTED_JOBS is there, and samples given twice are gone.
    """
    count, first_s, last_s = engine.one(f"select count(*), min(at_s), max(at_s) from {SAMPLES}")
    if not count:
        return {}
    _take_jobs(engine, first_s, last_s)
    _take_samples(engine)
    _give_models(engine)
    _match_by_name(engine)
    _match_by_node(engine)
    _find_by_gpu(engine)
    _find_by_process(engine)
    _find_by_node(engine)
    set_activity(engine, "act_found")
    issues = _issues(engine)
    for table in _TABLES:
        engine.run(f"drop table if exists {table}")
    return issues


def _take_jobs(engine: Engine, first_s: int, last_s: int) -> None:
    """act_jobs: GPU jobs that the samples may be of. A job that runs on lasts beyond the last sample."""
    engine.run(
        f"""create or replace table act_jobs as
        select file, line, job_id, n.text as name, cluster, milli_gpus, nodes, hosts, start_s,
            coalesce(end_s, greatest({last_s} + 1, start_s)) as stop_s, activity_milli_percent is null as is_open
        from {ACCEPTED_JOBS} join {NAMES} n on n.id = name_id where milli_gpus > 0 and start_s <= {last_s}
            and coalesce(end_s, {last_s} + 1) > greatest({first_s}, start_s)"""
    )
    texts = [row[0] for row in engine.all("select distinct hosts from act_jobs where hosts is not null")]
    lists = {text: expand_hosts(text) for text in texts}
    pairs = [(text, host) for text, hosts in lists.items() for host in hosts]
    engine.keep(
        "host_lists",
        {
            "hosts": [text for text, _ in pairs],
            "host": [host for _, host in pairs],
            "host_count": [len(lists[text]) for text, _ in pairs],
        },
        {"hosts": "varchar", "host": "varchar", "host_count": "int"},
    )
    engine.run(
        """create or replace table act_job_hosts as
        select file, line, cluster, start_s, stop_s, host, host_count,
            milli_gpus / 1000.0 / host_count as gpus_here
        from act_jobs join host_lists using (hosts)"""
    )


def _take_samples(engine: Engine) -> None:
    """act_samples: each with the name of its node as the jobs have it, and how long it stands for."""
    listed = [row[0] for row in engine.all("select distinct host from act_job_hosts")]
    seen = [
        row[0]
        for row in engine.all(
            f"select distinct host from {SAMPLES} union select distinct host from {LOOKED_AT}"
        )
    ]
    same = same_nodes([host for host in seen if host], listed)
    engine.keep(
        "seen_hosts",
        {"host": seen, "node": [same.get(host, host) for host in seen]},
        {"host": "varchar", "node": "varchar"},
    )
    engine.run(
        f"""create or replace table act_samples as
        with placed as (
            select a.* exclude (host), a.rowid as id, s.node as host,
                lead(at_s) over (
                    partition by file, a.host, gpu, metric, job_id, pod order by at_s) - at_s as gap_s
            from {SAMPLES} a join seen_hosts s using (host)
        ), steps as (
            select file, median(gap_s) as step_s from placed where gap_s > 0 group by file
        )
        select p.* exclude (gap_s), cast(greatest(1, least(
            coalesce(nullif(gap_s, 0), step_s, 1), {_STEPS_AT_MOST} * coalesce(step_s, 1))) as double) as weight
        from placed p left join steps using (file)"""
    )
    engine.run(
        f"""create or replace table act_looked_at as
        with distinctly as (
            select distinct node as host, at_s from {LOOKED_AT} join seen_hosts using (host)
        ), placed as (
            select host, at_s, lead(at_s) over (partition by host order by at_s) - at_s as gap_s from distinctly
        )
        select host, at_s, cast(least(
            coalesce(gap_s, (select median(gap_s) from placed), 1),
            {_STEPS_AT_MOST} * coalesce((select median(gap_s) from placed), 1)) as double) as weight
        from placed"""
    )


def _give_models(engine: Engine) -> None:
    """Jobs without a GPU model, on one node alone, have the model that somebody said of that node."""
    for (model,) in engine.all(f"select distinct gpu_model from {SAID_MODELS} order by 1"):
        set_model(
            engine,
            model,
            f"""select j.file, j.line from act_job_hosts j join seen_hosts s on s.node = j.host
            join {SAID_MODELS} m on m.host = s.host where m.gpu_model = {sql_text(model)} and j.host_count = 1""",
        )


def _match_by_name(engine: Engine) -> None:
    """act_matched: the job of each sample that names one; where several jobs fit it is nobody's."""
    engine.run(
        """create or replace table act_matched as
        with keys as (
            select 'job' as kind, job_id as key, file, line, start_s, stop_s from act_jobs where job_id is not null
            union
            select 'pod', job_id, file, line, start_s, stop_s from act_jobs where job_id is not null
            union
            select 'pod', name, file, line, start_s, stop_s from act_jobs where name <> ''
        ), named as (
            select id, at_s, 'job' as kind, job_id as key from act_samples where job_id <> ''
            union all
            select id, at_s, 'pod', pod from act_samples where job_id = '' and pod <> ''
            union all
            select id, at_s, 'pod', split_part(pod, '/', 2) from act_samples
            where job_id = '' and contains(pod, '/')
        ), pairs as (
            select distinct n.id, k.file, k.line from named n
            join keys k on k.kind = n.kind and k.key = n.key and n.at_s >= k.start_s and n.at_s < k.stop_s
        )
        select id, min(file) as job_file, min(line) as job_line, 'name' as way
        from pairs group by id having count(*) = 1"""
    )


def _match_by_node(engine: Engine) -> None:
    """act_node_jobs: jobs on nodes whose samples name no job; is_told: the node's GPUs can only be this job's."""
    engine.run(
        """create or replace table act_node_jobs as
        with cards as (
            select host, greatest(1, count(distinct nullif(gpu, ''))) as cards, min(at_s) as first_s,
                max(at_s) as last_s
            from act_samples where host <> ''
            group by host having not bool_or(job_id <> '' or pod <> '' or is_process)
        ), here as (
            select j.*, max(stop_s) over (partition by j.host order by start_s, file, line
                    rows between unbounded preceding and 1 preceding) as before_stop_s,
                lead(start_s) over (partition by j.host order by start_s, file, line) as after_start_s
            from act_job_hosts j
        ), of_clusters as (
            select host, count(distinct cluster) as clusters from act_job_hosts group by host
        )
        select h.file, h.line, h.cluster, h.host, h.host_count, h.start_s, h.stop_s, h.gpus_here, c.cards,
            o.clusters = 1 and (h.gpus_here >= c.cards - 1e-9 or
                (coalesce(before_stop_s, start_s) <= start_s and coalesce(after_start_s, stop_s) >= stop_s))
                as is_told,
            h.gpus_here >= c.cards - 1e-9 as is_whole
        from here h join cards c using (host) join of_clusters o using (host)
        where h.start_s <= c.last_s and h.stop_s > c.first_s"""
    )
    # a job that does not say where it ran may have run here too
    engine.run(
        """create or replace table act_islands as
        with placed as (
            select cluster, start_s, stop_s, max(stop_s) over (partition by cluster order by start_s, stop_s
                rows between unbounded preceding and 1 preceding) as before_s
            from act_jobs left join (select distinct hosts from host_lists) l using (hosts) where l.hosts is null
        ), marked as (
            select *, sum(case when start_s > coalesce(before_s, start_s - 1) then 1 else 0 end)
                over (partition by cluster order by start_s, stop_s rows unbounded preceding) as island
            from placed
        )
        select cluster, min(start_s) as from_s, max(stop_s) as to_s from marked group by cluster, island"""
    )
    engine.run(
        """update act_node_jobs set is_told = false from (
            select n.file, n.line from (select distinct file, line, cluster, start_s, stop_s from act_node_jobs) n
            asof join act_islands i on i.cluster = n.cluster and n.stop_s > i.from_s
            where i.to_s > n.start_s
        ) u where act_node_jobs.file = u.file and act_node_jobs.line = u.line and not is_whole"""
    )
    engine.run(
        f"""create or replace table act_job_days as
        select n.*, d.day from act_node_jobs n join (
            select distinct host, at_s // {DAY_S} as day from act_samples
        ) d on d.host = n.host and d.day between n.start_s // {DAY_S} and n.stop_s // {DAY_S}"""
    )
    engine.run(
        f"""insert into act_matched
        select s.id, n.file, n.line, 'node' from act_samples s join act_job_days n
            on n.host = s.host and n.day = s.at_s // {DAY_S} and s.at_s >= n.start_s and s.at_s < n.stop_s"""
    )


def _find_by_gpu(engine: Engine) -> None:
    """act_found: jobs whose own GPUs are named by the samples."""
    engine.run(
        """create or replace table act_found as
        with mine as (
            select m.job_file as file, m.job_line as line, s.* exclude (file, line)
            from act_matched m join act_samples s using (id) where m.way = 'name' and not s.is_process
        ), best as (
            select *, min(rank) over (partition by file, line) as best_rank from mine
        )
        select file, line, cast(round(sum(milli_percent * weight) / sum(weight)) as int) as milli_percent,
            true as is_told
        from best where rank = best_rank group by file, line"""
    )


def _find_by_process(engine: Engine) -> None:
    """Jobs whose processes were sampled: at an instant at which a node was looked at, one without any did nothing."""
    engine.run(
        """insert into act_found
        with mine as (
            select m.job_file as file, m.job_line as line, s.host, s.at_s, sum(s.milli_percent) as milli_percent
            from act_matched m join act_samples s using (id) where m.way = 'name' and s.is_process
            group by all
        ), nodes as (select distinct file, line, host from mine),
        by_node as (
            select n.file, n.line, n.host,
                sum(coalesce(m.milli_percent, 0) * l.weight) / sum(l.weight) as milli_percent
            from nodes n join act_jobs j using (file, line)
            join act_looked_at l on l.host = n.host and l.at_s >= j.start_s and l.at_s < j.stop_s
            left join mine m on m.file = n.file and m.line = n.line and m.host = n.host and m.at_s = l.at_s
            group by all
        )
        select j.file, j.line, cast(least(100000, round(sum(b.milli_percent) * 1000.0 / (j.milli_gpus
            * least(1.0, count(*) / greatest(1.0, coalesce(j.nodes, count(*))))))) as int), true
        from by_node b join act_jobs j using (file, line)
        left join act_found f using (file, line) where f.file is null
        group by j.file, j.line, j.milli_gpus, j.nodes"""
    )


def _find_by_node(engine: Engine) -> None:
    """Jobs that had a whole node, or were alone on it: what all its GPUs did over what the job was given of them."""
    engine.run(
        f"""insert into act_found
        with mine as (
            select m.job_file as file, m.job_line as line, s.host, s.gpu, s.rank, s.milli_percent, s.weight
            from act_matched m join act_samples s using (id) where m.way = 'node'
        ), best as (
            select *, min(rank) over (partition by file, line) as best_rank from mine
        ), by_card as (
            select file, line, host, gpu, sum(milli_percent * weight) / sum(weight) as milli_percent
            from best where rank = best_rank group by all
        ), by_node as (
            select file, line, host, sum(milli_percent) as milli_percent, count(*) as seen
            from by_card group by all
        ), of_job as (
            select file, line, bool_and(n.is_told and b.milli_percent
                    <= 100000 * {_OVER_FULL} * greatest(least(n.gpus_here, b.seen), 1e-9)) as is_told,
                sum(b.milli_percent) / sum(least(n.gpus_here, b.seen)) as milli_percent
            from by_node b join act_node_jobs n using (file, line, host) group by file, line
        )
        select o.file, o.line,
            case when o.is_told then cast(least(100000, round(o.milli_percent)) as int) end, o.is_told
        from of_job o left join act_found f using (file, line) where f.file is null"""
    )


def _issues(engine: Engine) -> dict[int, tuple[Issue, ...]]:
    """Samples in no job, by activity file; jobs that cannot be told apart, by job log."""
    found: dict[int, tuple[Issue, ...]] = {}
    outside = engine.all(
        """select file, count(*), min(line) from (
            select file, line from act_samples s left join (select distinct id from act_matched) m using (id)
            group by file, line having count(m.id) = 0
        ) group by file"""
    )
    shared = engine.all(
        """select f.file, count(*), min(f.line) from act_found f join act_jobs j using (file, line)
        where not f.is_told and j.is_open group by f.file"""
    )
    for code, rows in (("activity_outside_jobs", outside), ("activity_not_told_apart", shared)):
        for file, count, line in rows:
            found[file] = (*found.get(file, ()), Issue(code, count, line, issue_message(code)))
    return found
