"""Model names: the AI models that job names speak of, and how many of them are served."""

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

# --- Model names: the family of AI model that a job's name speaks of, with its size where the name says it

FAMILIES: Final = (
    ("code-llama", r"code-llama|codellama"),
    ("llama", r"llama"),
    ("mixtral", r"mixtral"),
    ("mistral", r"mistral"),
    ("qwen", r"qwen|qwq"),
    ("deepseek", r"deepseek"),
    ("gemma", r"code-gemma|gemma"),
    ("phi", r"phi(?=-?\d)"),
    ("falcon", r"falcon"),
    ("olmo", r"olmo|olmoe"),
    ("gpt-neox", r"gpt-neox|gptneox"),
    ("gpt-oss", r"gpt-oss"),
    ("gpt", r"gpt|nanogpt"),
    ("bert", r"modernbert|roberta|deberta|bert"),
    ("t5", r"flan-t5|umt5|mt5|t5"),
    ("whisper", r"whisper"),
    ("wav2vec", r"wav2vec2?"),
    ("clip", r"open-?clip|siglip|clip"),
    ("stable-diffusion", r"stable-?diffusion|sdxl|sd-?turbo|sd3"),
    ("flux", r"flux"),
    ("resnet", r"resnet|resnext"),
    ("vit", r"vit|deit"),
    ("yolo", r"yolo(?:v\d+)?[nslmx]?"),
    ("dino", r"dino(?:v\d)?"),
    ("llava", r"llava"),
    ("alphafold", r"alphafold|openfold"),
    ("esm", r"esm-?fold|esm"),
    ("dlrm", r"dlrm"),
    ("starcoder", r"starcoder|star-coder"),
    ("granite", r"granite"),
    ("command-r", r"command-r"),
    ("nemotron", r"nemotron"),
    ("dbrx", r"dbrx"),
    ("grok", r"grok"),
    ("glm", r"chatglm|glm"),
    ("internlm", r"internlm"),
    ("bloom", r"bloom|bloomz"),
    ("pythia", r"pythia"),
    ("mamba", r"mamba"),
    ("bge", r"bge"),
    ("graphcast", r"graphcast"),
)
"""A family and the words (a regular expression) that speak of it; the first row that fits counts."""

_SIZE: Final = lazy_re(r"(?<![a-z\d.])(\d+(?:\.\d+)?(?:x\d+(?:\.\d+)?)?[bm])(?![a-z\d])")
_ROWS: Final = tuple((lazy_re(rf"(?<![a-z])(?:{words})(?![a-z])"), family) for family, words in FAMILIES)


@lru_cache(maxsize=65_536)
def model_in_name(name: str) -> str | None:
    """`llama-70b` for `Llama3_70B-sft run 12`, `whisper` for `whisper-serve`; None where no family is spoken of.

    Whole words alone count; case and signs between words do not.

    >>> model_in_name("Llama3_70B-sft run 12"), model_in_name("whisper-serve"), model_in_name("nightly build")
    ('llama-70b', 'whisper', None)
    """
    folded = lazy_re(r"[-_/\s:+]+").sub("-", unicodedata.normalize("NFKC", name).lower())
    for words, family in _ROWS:
        if words.search(folded):
            size = _SIZE.search(folded)
            return f"{family}-{size[1]}" if size else family
    return None


# --- How many models are served, and how much of their GPU time is inference: what the sliders of a plan start from

MODELS_WHERE_NONE_IS_NAMED: Final = 2
LEAST, MOST = 0.01, 100.0
"""Bounds of a factor of demand: those of the assumptions."""


def models_named(workloads: Sequence[Workload], pools: Sequence[Pool]) -> int:
    """How many different AI models the jobs of training and inference, or their names, speak of.

    0 where under half of their GPU time speaks of one, or under two are named: it would be no count of models.
    """
    names: set[str] = set()
    spoken = spent = 0
    for workload, pool in zip(workloads, pools, strict=True):
        if pool is Pool.BURST:
            continue
        spent += workload.milli_gpu_seconds
        spoken += sum(amount for _, amount in workload.model_time)
        names |= {model for model, _ in workload.model_time}
        named = None if workload.model_time else model_in_name(workload.sample_name or workload.name)
        if named is not None and workload.milli_gpu_seconds:
            names.add(named)
            spoken += workload.milli_gpu_seconds
    return len(names) if 2 * spoken >= spent and len(names) > 1 else 0


@dataclass(frozen=True, slots=True)
class ModelMix:
    """GPU time as logged of the pools training and inference of one plan, in milli-GPU-seconds; models in the log.

    is_counted: whether the log names models, so that `models` is not just a number to begin with.
    """

    training: int
    inference: int
    models: int
    is_counted: bool

    @property
    def can_shift(self) -> bool:
        """Whether there is both training and inference, so that one can become more at the other's cost.

        False where either has no GPU time in the log.
        """
        return bool(self.training and self.inference)

    def share(self, assumptions: Assumptions) -> float | None:
        """Inference as a share of what is planned of the two; None where there is neither.

        A ratio, 0..1, of GPU time at the factors of demand that the assumptions have.
        """
        inference = self.inference * assumptions.demand_of(Pool.INFERENCE)
        both = inference + self.training * assumptions.demand_of(Pool.TRAINING)
        return inference / both if both else None

    def factors(self, share: float) -> dict[str, float]:
        """The assumptions (by --set name) at which inference is such a share, and the two together are as logged.

        Law: share(with them) == share, as far as the bounds of the assumptions allow; errors: ValueError where there
        is only one of the two.
        """
        if not self.can_shift:
            raise ValueError("model_mix: only training or only inference; nothing to shift")
        both = self.training + self.inference
        wanted = {
            "demand_training": (1 - share) * both / self.training,
            "demand_inference": share * both / self.inference,
        }
        return {name: min(MOST, max(LEAST, factor)) for name, factor in wanted.items()}

    def models_at(self, times: float) -> int:
        """How many models so many times the demand stands for.

        times: factor of demand; rounded to a whole number.
        """
        return round(self.models * times)

    def times_for(self, models: int) -> float:
        """How many times the logged demand so many models stand for.

        Within the bounds of the assumption.

        >>> ModelMix(0, 0, 4, is_counted=True).times_for(6), ModelMix(0, 0, 4, is_counted=True).models_at(1.5)
        (1.5, 6)
        """
        return min(MOST, max(LEAST, models / self.models))


def model_mix(workloads: Sequence[Workload], pools: Sequence[Pool]) -> ModelMix:
    """The mix of a plan. pools[i] is the pool of workloads[i].

    Where under two models are named, two stand for them. Errors: ValueError where there are not as many pools
    as workloads.
    """
    spent = dict.fromkeys(Pool, 0)
    for workload, pool in zip(workloads, pools, strict=True):
        spent[pool] += workload.milli_gpu_seconds
    named = models_named(workloads, pools)
    return ModelMix(
        spent[Pool.TRAINING],
        spent[Pool.INFERENCE],
        named or MODELS_WHERE_NONE_IS_NAMED,
        is_counted=bool(named),
    )
