"""Model facts: the GPU time of each workload by the AI model that its jobs name."""

from gpuplanner.domain.model.window import Window
from gpuplanner.files.engine import Engine
from gpuplanner.files.job_logs.job_rows import JOB_ROWS

ModelTime = tuple[tuple[str, int], ...]


def model_time(engine: Engine, window: Window) -> dict[int, ModelTime]:
    """Milli-GPU-seconds in the window by model, most first, by the number of the workload; only what jobs name.

    A job counts as in the cube: cut to the window, one that runs on up to its end. Models are told apart without
    regard to case and named in the spelling with most GPU time. A log that names no model costs one look at a column.
    """
    if not engine.all(f"select 1 from {JOB_ROWS} where model is not null limit 1"):
        return {}
    start, end = window.start_s, window.end_s
    stop = f"coalesce(end_s, greatest({end}, start_s))"
    found = engine.all(
        f"""with spelled as (
            select workload, model, sum(milli_gpus * (least({stop}, {end}) - greatest(start_s, {start}))) as spent
            from {JOB_ROWS}
            where model is not null and milli_gpus > 0 and start_s < {end} and {stop} > {start} and {stop} > start_s
            group by all
        )
        select workload, arg_max(trim(model), (spent, model)), sum(spent)::bigint from spelled
        where trim(model) <> '' group by workload, lower(trim(model)) order by workload, 3 desc, 2"""
    )
    times: dict[int, list[tuple[str, int]]] = {}
    for workload, model, spent in found:
        times.setdefault(workload, []).append((model, int(spent)))
    return {workload: tuple(models) for workload, models in times.items()}
