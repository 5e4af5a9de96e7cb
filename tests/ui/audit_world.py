"""A fortnight on two clusters, written by hand as the files of a planner: every figure of the audit has a value."""

from functools import cache
from pathlib import Path

from gpuplanner.domain.evaluation import Evaluation, evaluate_audit
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.system.resources import read_tables

BEGIN_S = 1_782_864_000  # 1 July 2026
HOUR = 3600
DAY = 24 * HOUR

CONTRACTS = """contract_id,provider,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end,pricing_category,\
term_months,min_term_months,notice_days,region,bare_metal,interconnect,gpu_memory_gb,egress_usd_per_gb,pool
fir-core,Vela,fir,H100,8,2.75,2026-06-01,2027-06-01,COMMITTED,12,1,30,,true,infiniband,80,,
fir-late,Vela,fir,H100,4,6.88,2026-07-05,,STANDARD,,,,,true,infiniband,80,,
oak-only,Orrin,oak,A100,16,1.79,2026-06-01,2027-06-01,COMMITTED,12,1,30,,true,ethernet,80,,
"""

PRICES = """offer_id,provider,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour,rate_low,rate_high,\
max_gpus,lead_time_hours,min_term_months,gpu_memory_gb,bare_metal,interconnect,egress_usd_per_gb,region,source,as_of
od-h100,Cloud,H100,STANDARD,0,6.88,,,,,,80,true,infiniband,,,list,2026-07-01
c12-h100,Vela,H100,COMMITTED,12,2.10,,,,,1,80,true,infiniband,,,list,2026-07-01
od-a100,Cloud,A100,STANDARD,0,3.40,,,,,,80,true,infiniband,,,list,2026-07-01
"""


def jobs_text() -> str:
    """Training by day, inference all the time, sweeps at night, a notebook that is forgotten, work that failed."""
    lines = [
        "job_id,cluster,name,account,user,queue,gpu_model,gpus,nodes,start,end,state,"
        "gpu_activity_percent,class,model"
    ]

    def job(
        cluster: str,
        name: str,
        gpus: float,
        at: float,
        hours: float,
        state: str = "COMPLETED",
        busy: int = 70,
    ) -> None:
        model = "H100" if cluster == "fir" else "A100"
        start, end = BEGIN_S + round(at * HOUR), BEGIN_S + round((at + hours) * HOUR)
        lines.append(
            f"{len(lines)},{cluster},{name},ml,ann,main,{model},{gpus},1,{iso_utc(start)},{iso_utc(end)},{state},{busy},,"
        )

    for day in range(14):
        if day % 3 == 0:
            job("fir", "llama-pretrain", 8, 24 * day + 2.25, 20.5)
            job("fir", "sweep-lr-grid", 3, 24 * day + 6, 9.75, "FAILED" if day == 6 else "COMPLETED")
        job("oak", "sweep-optuna", 2.5, 24 * day + 19, 3.2)
    for start in range(0, 14 * 24, 48):
        job("fir", "vllm-chat-prod", 3, start, 48, busy=30)
    job("oak", "jupyter-notebook-ann", 1, 10, 120, busy=3)
    job("oak", "embed-serve", 2, 0, 14 * 24, busy=55)
    job("oak", "bert-finetune-train", 4, 100.5, 37)
    return "\n".join(lines) + "\n"


@cache
def audit_evaluation(folder: Path) -> Evaluation:
    """The world read from files in a folder, with its job rows kept there, audited."""
    texts = {"jobs.csv": jobs_text(), "contracts.csv": CONTRACTS, "prices.csv": PRICES}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    read = read_inputs(
        [str(folder / "jobs.csv")],
        [str(folder / "contracts.csv")],
        [str(folder / "prices.csv")],
        rows_dir=folder,
    )
    project: Project = read.project()
    return evaluate_audit(project, TODAY, read_tables())
