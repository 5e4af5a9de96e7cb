"""Model names: the family of AI model that a job's name speaks of, with its size where the name says it."""

import re
import unicodedata
from functools import lru_cache
from typing import Final

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

_SIZE: Final = re.compile(r"(?<![a-z\d.])(\d+(?:\.\d+)?(?:x\d+(?:\.\d+)?)?[bm])(?![a-z\d])")
_ROWS: Final = tuple((re.compile(rf"(?<![a-z])(?:{words})(?![a-z])"), family) for family, words in FAMILIES)


@lru_cache(maxsize=65_536)
def model_in_name(name: str) -> str | None:
    """`llama-70b` for `Llama3_70B-sft run 12`, `whisper` for `whisper-serve`; None where no family is spoken of.

    Whole words alone count; case and signs between words do not.

    >>> model_in_name("Llama3_70B-sft run 12"), model_in_name("whisper-serve"), model_in_name("nightly build")
    ('llama-70b', 'whisper', None)
    """
    folded = re.sub(r"[-_/\s:+]+", "-", unicodedata.normalize("NFKC", name).lower())
    for words, family in _ROWS:
        if words.search(folded):
            size = _SIZE.search(folded)
            return f"{family}-{size[1]}" if size else family
    return None
