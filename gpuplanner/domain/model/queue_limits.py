"""Limits of a scheduler: how many GPUs jobs may hold together."""

from typing import Final

from gpuplanner.lazy_dataclass import dataclass

EACH: Final = "*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """The GPUs that jobs of a user, account, QOS and partition may hold together.

    user, account, qos, partition: empty: any; EACH: each by itself. gpu_model: empty: all models together. max_gpus:
    None: no limit. shares: of the account in fair share, or of the user if jobs have no account; None: 1.
    """

    user: str = ""
    account: str = ""
    qos: str = ""
    partition: str = ""
    gpu_model: str = ""
    max_gpus: float | None = None
    shares: float | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """User, account, QOS, partition and GPU model."""
        return self.user, self.account, self.qos, self.partition, self.gpu_model

    def group_of(self, *theirs: str) -> tuple[str, ...] | None:
        """Return the names of a job that this limit states as EACH: jobs of one group share it.

        theirs: as in `names`. None if the limit is not for such jobs.
        """
        pairs = [pair for pair in zip(self.names, theirs, strict=True) if pair[0]]
        if any(not own or name not in (EACH, own) for name, own in pairs):
            return None
        return tuple(own for name, own in pairs if name == EACH)
