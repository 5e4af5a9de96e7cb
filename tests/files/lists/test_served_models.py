"""Models by name and from files: config.json of several architectures, our own forms, and what is wrong with them."""

import json

import pytest

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.places import ServedModel
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.lists.served_models import alike_names, model_in_name, model_named, read_model
from gpuplanner.files.system.resources import read_served_models

TABLE = read_served_models()
LLAMA = {
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 4096,
    "intermediate_size": 14336, "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8,
    "vocab_size": 128256, "tie_word_embeddings": False, "torch_dtype": "bfloat16",
}  # fmt: skip
OWN = {"parameters": 7e9, "layers": 32, "kv_heads": 8, "head_dim": 128}
MIXTRAL = {
    **LLAMA, "model_type": "mixtral", "vocab_size": 32000, "num_local_experts": 8, "num_experts_per_tok": 2,
}  # fmt: skip
DEEPSEEK = {
    "model_type": "deepseek_v3", "hidden_size": 7168, "intermediate_size": 18432, "moe_intermediate_size": 2048,
    "num_hidden_layers": 61, "num_attention_heads": 128, "num_key_value_heads": 128, "n_routed_experts": 256,
    "n_shared_experts": 1, "num_experts_per_tok": 8, "first_k_dense_replace": 3, "kv_lora_rank": 512,
    "q_lora_rank": 1536, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128,
    "topk_method": "noaux_tc", "vocab_size": 129280,
}  # fmt: skip


def put(tmp_path, name, content):
    path = tmp_path / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("llama 3.1 8b", "Llama 3.1 8B"),
        ("meta-llama/Llama-3.1-70B-Instruct", "Llama 3.1 70B"),
        ("Meta-Llama-3-8B", "Llama 3 8B"),
        ("MIXTRAL-8x7b-instruct-v0.1", "Mixtral 8x7B"),
        ("deepseek-ai/DeepSeek-V3", "DeepSeek V3"),
        ("qwen2.5-72b-instruct", "Qwen2.5 72B"),
    ],
)
def test_a_name_of_the_table_whatever_its_spelling(text, name):
    model, intake = read_model(text, TABLE)
    assert (model.name, intake) == (name, None)


@pytest.mark.parametrize(
    ("endpoint", "name"),
    [
        ("vllm-llama-3.1-70b-prod", "Llama 3.1 70B"),
        ("tgi-llama3-70b", "Llama 3 70B"),
        ("llama-70b-chat", "Llama 3.3 70B"),  # the newest of that size
        ("qwen2.5-72b", "Qwen2.5 72B"),
        ("phi-40", None),
        ("deepseek-v3.1", "DeepSeek V3"),
        ("vllm-deepseek-r1-distill-llama-70b", "Llama 3.3 70B"),  # not the model of 671 billion in its name
        ("gemma-27b-chat", "Gemma 3 27B"),
        ("vllm-chat-prod", None),
        ("", None),
    ],
)
def test_the_name_of_an_endpoint_suggests_its_model(endpoint, name):
    model = model_in_name(endpoint, TABLE)
    assert (model and model.name) == name


PEOPLE_SERVE = {
    "google/gemma-3-27b-it": "Gemma 3 27B",
    "mistralai/Mistral-Small-3.1-24B-Instruct-2503": "Mistral Small 24B",
    "mistralai/Mistral-Nemo-Instruct-2407": "Mistral Nemo 12B",
    "mistralai/Mistral-Large-Instruct-2411": "Mistral Large 123B",
    "meta-llama/Llama-4-Scout-17B-16E-Instruct": "Llama 4 Scout",
    "meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8": "Llama 4 Maverick",
    "moonshotai/Kimi-K2-Instruct-0905": "Kimi K2",
    "deepseek-ai/DeepSeek-V3.1": "DeepSeek V3",
    "deepseek-ai/DeepSeek-V3.2": "DeepSeek V3.2",
    "deepseek-ai/DeepSeek-R1-0528": "DeepSeek R1",
    "deepseek-ai/DeepSeek-R1-Distill-Qwen-32B": "Qwen2.5 32B",
    "Qwen/Qwen3-235B-A22B-Thinking-2507": "Qwen3 235B A22B",
    "Qwen/Qwen3-Coder-480B-A35B-Instruct": "Qwen3 Coder 480B A35B",
    "Qwen/Qwen3-Next-80B-A3B-Instruct": "Qwen3 Next 80B A3B",
    "Qwen/Qwen3.5-397B-A17B": "Qwen3.5 397B A17B",
    "zai-org/GLM-4.5": "GLM 4.5",
    "zai-org/GLM-4.5-Air": "GLM 4.5 Air",
    "zai-org/GLM-4.6": "GLM 4.7",
    "openai/gpt-oss-120b": "gpt-oss 120B",
    "microsoft/Phi-4-mini-instruct": "Phi 4 mini",
    "ibm-granite/granite-3.3-8b-instruct": "Granite 3.3 8B",
    "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16": "Nemotron 3 Nano 30B A3B",
    "nvidia/Llama-3_3-Nemotron-Super-49B-v1_5": "Nemotron Super 49B",
    "CohereLabs/c4ai-command-a-03-2025": "Command A",
    "CohereLabs/command-a-reasoning-08-2025": "Command A",
    "CohereLabs/c4ai-command-r-08-2024": "Command R 32B",
    "Command R+": "Command R plus",
    "CohereLabs/c4ai-command-r7b-12-2024": "Command R7B",
    "mistralai/Magistral-Small-2507": "Mistral Small 24B",
    "MiniMaxAI/MiniMax-M2.1": "MiniMax M2.5",
}


@pytest.mark.parametrize(("text", "name"), PEOPLE_SERVE.items())
def test_models_that_people_serve_are_known_with_dated_variants_and_distills(text, name):
    model = model_named(text, TABLE)
    assert model is not None and model.name == name and model.source


@pytest.mark.parametrize(
    ("text", "name", "weights"),
    [
        ("Qwen/Qwen2.5-72B-Instruct-AWQ", "Qwen2.5 72B", "INT4"),
        ("unsloth/Llama-3.3-70B-Instruct-GGUF", "Llama 3.3 70B", "INT4"),
        ("bartowski/Meta-Llama-3.1-8B-Instruct-Q8_0-GGUF", "Llama 3.1 8B", "INT8"),
        ("bartowski/Meta-Llama-3.1-8B-Instruct-GGUF:Q6_K_L", "Llama 3.1 8B", "INT8"),
        ("Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf", "Llama 3.1 8B", "INT4"),
        ("RedHatAI/Meta-Llama-3.1-8B-Instruct-quantized.w4a16", "Llama 3.1 8B", "INT4"),
        ("zai-org/GLM-4.6-FP8", "GLM 4.7", "FP8"),
        ("nvidia/DeepSeek-R1-FP4", "DeepSeek R1", "FP4"),
        ("deepseek-ai/DeepSeek-R1-0528", "DeepSeek R1", "FP8"),
        ("openai/gpt-oss-120b", "gpt-oss 120B", "FP4"),
        ("Qwen/Qwen3-32B", "Qwen3 32B", ""),
    ],
)
def test_a_name_says_in_what_precision_its_weights_are_kept(text, name, weights):
    for model in (model_named(text, TABLE), model_in_name(f"vllm-{text.rpartition('/')[2]}", TABLE)):
        assert model is not None and (model.name, model.weights) == (name, weights)


def test_a_config_says_how_its_weights_are_quantised(tmp_path):
    for kept, weights in (
        ({"quant_method": "awq", "bits": 4}, "INT4"),
        ({"quant_method": "fp8"}, "FP8"),
        ({"quant_method": "bitsandbytes", "load_in_4bit": True, "_load_in_8bit": False}, "INT4"),
        ({"config_groups": {"group_0": {"weights": {"num_bits": 8, "type": "float"}}}}, "FP8"),
        ({"config_groups": {"group_0": {"weights": {"num_bits": 4, "type": "int"}}}}, "INT4"),
        (None, ""),
    ):
        config = LLAMA | {"quantization_config": kept}
        assert read_model(put(tmp_path, "config.json", config), TABLE)[0].weights == weights


def test_a_name_that_is_not_known_proposes_the_nearest():
    assert alike_names("lama 3.1 8b", TABLE)[0] == "Llama 3.1 8B" and alike_names("zzz", TABLE) == ()
    with pytest.raises(PlannerError, match=r"did you mean Qwen3 32B.*config\.json"):
        read_model("qwen3 23b", TABLE)


def test_a_config_of_gemma_has_four_norms_a_layer(tmp_path):
    text = {
        "model_type": "gemma3_text", "hidden_size": 5376, "intermediate_size": 21504, "num_attention_heads": 32,
        "num_hidden_layers": 62, "num_key_value_heads": 16, "head_dim": 128, "vocab_size": 262144,
    }  # fmt: skip
    model, _ = read_model(put(tmp_path, "config.json", {"model_type": "gemma3", "text_config": text}), TABLE)
    assert model.parameters == model_named("Gemma 3 27B", TABLE).parameters == 27_009_002_240


def test_a_config_of_cohere_uses_its_embeddings_twice(tmp_path):
    config = {
        "model_type": "cohere2", "hidden_size": 12288, "intermediate_size": 36864, "num_attention_heads": 96,
        "num_hidden_layers": 64, "num_key_value_heads": 8, "vocab_size": 256000,
    }  # fmt: skip
    model, _ = read_model(put(tmp_path, "config.json", config), TABLE)
    known = model_named("Command A", TABLE)
    assert model.parameters == pytest.approx(known.parameters, rel=1e-4)
    assert (model.layers, model.kv_heads, model.head_dim) == (known.layers, known.kv_heads, known.head_dim)


def test_every_name_of_the_table_is_its_own():
    assert [model_named(model.name, TABLE) for model in TABLE] == list(TABLE)


@pytest.mark.parametrize(
    ("config", "name"), [(LLAMA, "Llama 3.1 8B"), (MIXTRAL, "Mixtral 8x7B"), (DEEPSEEK, "DeepSeek V3")]
)
def test_a_config_comes_to_what_the_table_has(tmp_path, config, name):
    wanted = model_named(name, TABLE)
    model, intake = read_model(put(tmp_path, "config.json", config), TABLE)
    assert (intake.kind, intake.rows_read, intake.rows_accepted) == ("model", 1, 1)
    for field in (
        "parameters",
        "active",
        "layers",
        "kv_heads",
        "experts",
        "experts_per_token",
        "kv_values_per_layer",
    ):
        assert getattr(model, field) == getattr(wanted, field), field


def test_a_config_of_a_model_that_sees_is_that_of_its_text(tmp_path):
    model, _ = read_model(put(tmp_path, "seeing.json", {"vision_config": {}, "text_config": LLAMA}), TABLE)
    assert (model.name, model.parameters) == ("seeing", 8_030_261_248)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("own.json", {"name": "own", "parameters": 70e9, "layers": 80, "kv_heads": 8, "head_dim": 128}),
        (
            "own.json",
            {"name": "own", "parameters": "70B", "n_layers": 80, "num_kv_heads": 8, "head_dim": 128},
        ),
        ("own.json", {"name": "own", "parameters_billion": 70, "layers": 80, "kv_heads": 8, "head_dim": 128}),
        ("own.json", [{"name": "own", "params": 70, "layers": 80, "kv_heads": 8, "head_dim": 128}]),
        ("own.csv", "name,parameters,layers,kv_heads,head_dim\nown,70000000000,80,8,128\n"),
        ("own.csv", "Name;Parameters;Layers;KV_heads;Heads;Hidden\nown;70B;80;8;64;8192\n"),
    ],
)
def test_our_own_forms(tmp_path, name, content):
    model, _ = read_model(put(tmp_path, name, content), TABLE)
    hidden = 8192 if "Hidden" in str(content) else None
    assert model == ServedModel(
        name="own",
        parameters=70_000_000_000,
        layers=80,
        kv_heads=8,
        head_dim=128,
        source=name,
        hidden=hidden,
        attention_width=hidden,
    )
    (file,) = check_file(put(tmp_path, name, content))
    assert (file.kind, file.rows_accepted, dict(file.facts)["weights_gb_bf16"]) == ("model", 1, 140.0)


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("a.json", {"layers": 80, "kv_heads": 8}, "missing_column"),
        ("a.json", {"parameters": 7e9, "layers": "many", "kv_heads": 8, "head_dim": 8}, "bad_number"),
        ("a.json", {"parameters": 7e9, "layers": -1, "kv_heads": 8, "head_dim": 8}, "bad_number"),
        ("a.json", {"parameters": 7e9, "layers": 0, "kv_heads": 8, "head_dim": 8}, "missing_column"),
        ("a.json", {"parameters": True, "layers": 1, "kv_heads": 8, "head_dim": 8}, "bad_number"),
        ("a.json", {**OWN, "active_parameters": 0}, "bad_number"),
        ("a.json", {**OWN, "active_parameters": 8e9}, "bad_number"),
        ("a.json", "[1, 2]", "missing_column"),
        ("a.json", '{"layers": 80,', "truncated_file"),
        ("a.csv", "name,parameters,layers,kv_heads,head_dim\n", "missing_column"),
        ("a.csv", "parameters,layers,kv_heads,head_dim\n7B,1,1,1\n8B,1,1,1\n", "missing_column"),
    ],
)
def test_what_is_wrong_is_said(tmp_path, name, content, code):
    with pytest.raises(PlannerError) as fault:
        read_model(put(tmp_path, name, content), TABLE)
    assert fault.value.code == code
    assert fault.value.remedy


def test_no_file_and_no_name(tmp_path):
    with pytest.raises(PlannerError, match="Lama 4") as fault:
        read_model("Lama 4", TABLE)
    assert fault.value.code == "usage" and "config.json" in str(fault.value.remedy)
    with pytest.raises(PlannerError) as fault:
        read_model(str(tmp_path / "gone.json"), TABLE)
    assert fault.value.code == "file_missing"


def test_check_says_why_a_model_cannot_be_taken(tmp_path):
    (file,) = check_file(put(tmp_path, "a.json", {"num_hidden_layers": 80, "num_attention_heads": 8}))
    assert (file.kind, file.rows_accepted) == ("model", 0)
    assert file.issues[0].code == "missing_column"
