"""Which AI model a job's name speaks of."""

import pytest

from gpuplanner.domain.demand.model_names import model_in_name


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("Llama3_70B-sft.2026-01-05 run 12", "llama-70b"),
        ("llama-3.1-8b-instruct", "llama-8b"),
        ("vllm/meta-llama/Llama-3-70B", "llama-70b"),
        ("CodeLlama-34b-eval", "code-llama-34b"),
        ("mixtral-8x7b-serve", "mixtral-8x7b"),
        ("qwen2.5-1.5b-dpo", "qwen-1.5b"),
        ("whisper-large-v3", "whisper"),
        ("SDXL_lora", "stable-diffusion"),
        ("phi-3-mini", "phi"),
        ("bert_base", "bert"),
        ("vit-large-pretrain", "vit"),
        # no family, or another word that holds one
        ("philosophy-class", None),
        ("activity-report", None),
        ("gpu-burn-8b", None),
        ("invitation-mail", None),
        ("mybertha", None),
        ("", None),
    ],
)
def test_model_in_name(name, model):
    assert model_in_name(name) == model
