"""A workload: jobs that move together, with the facts about them that the log gives."""

from dataclasses import dataclass

from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.pool import Pool


@dataclass(frozen=True, slots=True)
class Workload:
    """Facts of one workload in the window; its hourly demand is in the cube, its class is worked out.

    Units: *_s seconds; milli_gpus thousandths of a GPU; activity 0..1, weighted by GPU time, None unless every
    GPU job has it. jobs counts accepted jobs that overlap the window, gpu_jobs those with demand.
    longest_job_s, median_job_s and max_nodes are of whole jobs, not clipped to the window; of medians the lower one.
    median_milli_gpus: None in a project file that was written before it was kept. first_start_s and last_end_s are
    clipped. label is the class stated in the import. model_time: milli-GPU-seconds of each AI model that jobs name,
    most first; the rest of the GPU time names none. measured_share: of its GPU time, that of jobs with an activity,
    0..1 (None in a project file that was written before it was kept); measured_activity: theirs, 0..1.
    """

    key: str
    name: str
    cluster: str
    owner: str
    label: Pool | None = None
    jobs: int = 0
    gpu_jobs: int = 0
    milli_gpu_seconds: int = 0
    peak_milli_gpus: int = 0
    max_nodes: int | None = None
    max_milli_gpus: int = 0
    median_milli_gpus: int | None = None
    longest_job_s: int = 0
    median_job_s: int = 0
    failed_milli_gpu_seconds: int = 0
    first_start_s: int | None = None
    last_end_s: int | None = None
    queue: str = ""
    sample_name: str = ""
    activity: float | None = None
    measured_share: float | None = None
    measured_activity: float | None = None
    model_time: tuple[tuple[str, int], ...] = ()

    @property
    def gpu_hours(self) -> float:
        """GPU-hours in the window.

        Jobs are clipped to the window.
        """
        return self.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR
