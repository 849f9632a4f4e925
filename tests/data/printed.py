#!/usr/bin/env python3
"""Printed models: print(model) of models that transformers builds on the meta device, and their parameters.

    printed.py > printed_models.jsonl && gzip -9nf printed_models.jsonl

Needs what oracle.py needs, and peft. Each line: id, config (or model: a name in models.json), architecture, text, parameters (unique ones; a
packed matrix counts as the numbers it stands for), tied (elements that another module prints again), and for models with adapters the
trainable ones. Modules that occur more than once in a text are packed: a line "@3" is the fourth of `blocks`, with that line's indentation.
The modules of quantizers, which need a GPU, are imitated here with their names and printed form.
"""
import json, os, pathlib, re, sys, warnings

warnings.filterwarnings("ignore")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
import peft, torch, transformers
from torch import nn

HERE = pathlib.Path(__file__).parent
# Of different types, by their names in models.json.
PUBLISHED = """openai-community/gpt2-xl EleutherAI/gpt-neo-125m EleutherAI/gpt-j-6b EleutherAI/gpt-neox-20b bigcode/starcoder bigscience/bloom
mosaicml/mpt-7b tiiuae/falcon-180B-chat meta-llama/Meta-Llama-3.1-8B meta-llama/Llama-3.2-1B meta-llama/Llama-3.2-11B-Vision-Instruct
meta-llama/Llama-4-Scout-17B-16E-Instruct mistralai/Mistral-7B-v0.3 mistralai/Mixtral-8x22B-v0.1 Qwen/Qwen2.5-0.5B Qwen/Qwen1.5-MoE-A2.7B
Qwen/Qwen2-VL-2B-Instruct Qwen/Qwen3-0.6B Qwen/Qwen3-235B-A22B Qwen/Qwen3-Next-80B-A3B-Instruct Qwen/Qwen3-VL-30B-A3B-Instruct
Qwen/Qwen3.5-27B Qwen/Qwen3.5-35B-A3B google/gemma-2b google/gemma-2-9b google/gemma-3-270m google/gemma-3-4b-it
microsoft/Phi-3-mini-128k-instruct microsoft/Phi-mini-MoE-instruct microsoft/deberta-v3-base deepseek-ai/DeepSeek-R1 deepseek-ai/DeepSeek-V3.2
openai/gpt-oss-20b openai/gpt-oss-120b openai/clip-vit-base-patch32 allenai/OLMo-2-1124-7B allenai/OLMoE-1B-7B-0924 bigcode/starcoder2-3b
stabilityai/stablelm-2-zephyr-1_6b zai-org/GLM-4.5 zai-org/GLM-4.5-Air zai-org/glm-4-9b-chat-hf zai-org/GLM-5.1 ibm-granite/granite-4.1-3b
ibm-granite/granite-3.0-1b-a400m-base ibm-research/PowerMoE-3b LiquidAI/LFM2-1.2B LiquidAI/LFM2.5-VL-1.6B google-t5/t5-small
google-bert/bert-large-uncased FacebookAI/roberta-base distilbert/distilbert-base-uncased google/electra-base-generator
google/siglip-base-patch16-224 llava-hf/llava-1.5-7b-hf MiniMaxAI/MiniMax-M2.5 HuggingFaceTB/SmolLM-135M""".split()


def zamba2(n_layers, hybrid, **more):
    kinds = ["hybrid" if i in hybrid else "mamba" for i in range(n_layers)]
    return {"model_type": "zamba2", "architectures": ["Zamba2ForCausalLM"], "num_hidden_layers": n_layers, "layers_block_type": kinds,
            "hybrid_layer_ids": hybrid, "vocab_size": 32000, **more}


# Others, by what determines their tensors.
OTHERS = {
    "Zamba2 1.2B": zamba2(38, [5, 11, 17, 23, 29, 35], hidden_size=2048, num_mem_blocks=1, n_mamba_heads=64, intermediate_size=8192,
                          attention_hidden_size=4096, attention_head_dim=128, use_shared_attention_adapter=True, mamba_d_state=128),
    "Zamba2 2.7B": zamba2(54, [6, 12, 18, 24, 30, 36, 42, 47, 51], hidden_size=2560, num_mem_blocks=2, n_mamba_heads=80,
                          intermediate_size=10240, attention_hidden_size=5120, attention_head_dim=160),
    "Falcon-H1 0.5B": {"model_type": "falcon_h1", "architectures": ["FalconH1ForCausalLM"], "hidden_size": 1024, "intermediate_size": 2048,
                       "num_hidden_layers": 36, "num_attention_heads": 8, "num_key_value_heads": 2, "head_dim": 64, "vocab_size": 32784,
                       "mamba_d_ssm": 1536, "mamba_n_heads": 24, "mamba_d_head": 64, "mamba_d_state": 128, "mamba_expand": 3,
                       "mamba_rms_norm": False},
    "Jamba": {"model_type": "jamba", "architectures": ["JambaForCausalLM"], "vocab_size": 65536, "attn_layer_offset": 4, "attn_layer_period": 8,
              "expert_layer_offset": 1, "expert_layer_period": 2, "num_experts": 16, "mamba_dt_rank": 256},
    "Bamba": {"model_type": "bamba", "architectures": ["BambaForCausalLM"], "vocab_size": 128256, "num_hidden_layers": 32,
              "attn_layer_indices": [9, 18, 27], "mamba_n_heads": 128, "mamba_d_head": 64, "mamba_d_state": 128},
    "Mamba-2 2.7B": {"model_type": "mamba2", "architectures": ["Mamba2ForCausalLM"], "hidden_size": 2560, "num_hidden_layers": 64,
                     "num_heads": 80, "head_dim": 64, "vocab_size": 50288, "state_size": 128, "n_groups": 1},
    "DBRX": {"model_type": "dbrx", "architectures": ["DbrxForCausalLM"], "d_model": 6144, "n_heads": 48, "n_layers": 40, "vocab_size": 100352,
             "attn_config": {"kv_n_heads": 8, "clip_qkv": 8, "rope_theta": 500000},
             "ffn_config": {"ffn_hidden_size": 10752, "moe_num_experts": 16, "moe_top_k": 4}},
    "DeepSeek-V2-Lite": {"model_type": "deepseek_v2", "architectures": ["DeepseekV2ForCausalLM"], "hidden_size": 2048,
                         "intermediate_size": 10944, "moe_intermediate_size": 1408, "num_hidden_layers": 27, "num_attention_heads": 16,
                         "num_key_value_heads": 16, "n_shared_experts": 2, "n_routed_experts": 64, "q_lora_rank": None, "kv_lora_rank": 512,
                         "qk_rope_head_dim": 64, "v_head_dim": 128, "qk_nope_head_dim": 128, "num_experts_per_tok": 6,
                         "first_k_dense_replace": 1, "vocab_size": 102400},
    "Kimi-Linear": {"model_type": "kimi_linear", "architectures": ["KimiLinearForCausalLM"]},
    "flan-t5-xl": {"model_type": "t5", "architectures": ["T5ForConditionalGeneration"], "d_model": 2048, "d_ff": 5120, "num_heads": 32,
                   "num_layers": 24, "feed_forward_proj": "gated-gelu", "tie_word_embeddings": False},
    "whisper-large-v3": {"model_type": "whisper", "architectures": ["WhisperForConditionalGeneration"], "d_model": 1280, "encoder_layers": 32,
                         "decoder_layers": 32, "encoder_attention_heads": 20, "decoder_attention_heads": 20, "encoder_ffn_dim": 5120,
                         "decoder_ffn_dim": 5120, "vocab_size": 51866, "num_mel_bins": 128},
    "Hunyuan-A13B": {"model_type": "hunyuan_v1_moe", "architectures": ["HunYuanMoEV1ForCausalLM"], "intermediate_size": 3072,
                     "num_key_value_heads": 8, "head_dim": 128, "num_experts": 64, "vocab_size": 128167, "moe_topk": 8},
}

# Of different types, with their defaults.
DEFAULTS = {"olmo2": "Olmo2ForCausalLM", "cohere2": "Cohere2ForCausalLM", "smollm3": "SmolLM3ForCausalLM", "ernie4_5": "Ernie4_5ForCausalLM",
            "recurrent_gemma": "RecurrentGemmaForCausalLM", "rwkv": "RwkvForCausalLM", "granitemoe": "GraniteMoeForCausalLM",
            "bart": "BartForConditionalGeneration", "pegasus": "PegasusForConditionalGeneration", "wav2vec2": "Wav2Vec2ForCTC",
            "modernbert": "ModernBertForMaskedLM", "albert": "AlbertForMaskedLM", "vit": "ViTForImageClassification",
            "swin": "SwinForImageClassification", "convnext": "ConvNextForImageClassification", "dinov2": "Dinov2ForImageClassification",
            "segformer": "SegformerForImageClassification", "clip": "CLIPModel",
            "blip-2": "Blip2ForConditionalGeneration"}
OTHERS |= {f"{kind} by default": {"model_type": kind, "architectures": [name]} for kind, name in DEFAULTS.items()}


def build(config):
    kind = config["model_type"]
    loaded = transformers.CONFIG_MAPPING[kind].from_dict(json.loads(json.dumps(config)))
    name = (config.get("architectures") or [None])[0]
    cls = getattr(transformers, name) if name and hasattr(transformers, name) else None
    with torch.device("meta"):
        return cls(loaded) if cls else transformers.AutoModelForCausalLM.from_config(loaded)


def packed(text):
    """The text with repeated modules as lines "@N", and these modules."""
    out, blocks, places = [], [], {}
    lines = text.split("\n")
    i = 0
    while i < len(lines):
        line = lines[i]
        out.append(line)
        i += 1
        if not line.endswith("("):
            continue
        indent = len(line) - len(line.lstrip())
        end = i
        while end < len(lines) and not (lines[end].startswith(" " * indent + ")") or len(lines[end]) - len(lines[end].lstrip()) < indent):
            end += 1
        body = [other[indent + 2:] for other in lines[i:end]]
        if len(body) < 4 or end == len(lines):
            continue
        key = "\n".join(body)
        if key in places:
            out.append(" " * (indent + 2) + f"@{places[key]}")
            i = end
        elif text.count("\n" + "\n".join(lines[i:end]) + "\n") > 1:
            places[key] = len(blocks)
            blocks.append(key)
            out.append(" " * (indent + 2) + f"@{places[key]}")
            i = end
    return "\n".join(out), blocks


def case(id, of, model, text=None, architecture=None, **more):
    parameters = sum(p.numel() for p in model.parameters())  # a tied one only once
    again = sum(p.numel() for _, p in model.named_parameters(remove_duplicate=False)) - parameters
    text, blocks = packed(text or str(model))
    line = {"id": id, **of, "architecture": architecture or type(model).__name__, "text": text, "parameters": parameters, "tied": again, **more}
    if blocks:
        line["blocks"] = blocks
    print(json.dumps(line))


def named(name, base=nn.Linear):
    """A module that prints like another package's."""
    return type(name, (base,), {})


def quantised(model, cls):
    head = model.get_output_embeddings()
    for module in model.modules():
        if type(module) is nn.Linear and module is not head:
            module.__class__ = named(cls)
    return model


def listed_experts(model, block, expert):
    """Experts as transformers 4 printed them: a list of modules with separate matrices, next to a linear router."""
    for module in model.modules():
        for name, child in list(module.named_children()):
            if not hasattr(child, "experts"):
                continue
            gate_up, down = child.experts.gate_up_proj, child.experts.down_proj
            n, d, f = gate_up.shape[0], gate_up.shape[2], down.shape[2]
            with torch.device("meta"):
                old = named(block, nn.Module)()
                old.gate = nn.Linear(d, n, bias=False)
                old.experts = nn.ModuleList()
                for _ in range(n):
                    one = named(expert[0], nn.Module)()
                    for matrix, (i, o) in zip(expert[1:], ((d, f), (f, d), (d, f))):
                        setattr(one, matrix, nn.Linear(i, o, bias=False))
                    old.experts.append(one)
            module.add_module("block_sparse_moe" if block.startswith("Mixtral") else name, old)
            if block.startswith("Mixtral"):
                delattr(module, name)
    return model


def bare_norms(text):
    """Norms as transformers printed them before 4.40."""
    return re.sub(r"(\w*RMSNorm)\(\(\d+,\), eps=[^)]*\)", r"\1()", text)


def main():
    models = {m["name"]: m["config"] for m in json.loads((HERE / "models.json").read_text())}
    for id in PUBLISHED:
        case(id, {"model": id}, build(models[id]))
    for id, config in OTHERS.items():
        case(id, {"config": config}, build(config))

    def adapted(id, name, config):
        model = build(models[id])
        cls = type(model).__name__
        with torch.device("meta"):
            model = peft.get_peft_model(model, config)
        trainable = sum(p.numel() for p in model.parameters() if p.requires_grad)
        case(f"{id} with {name}", {"model": id}, model, architecture=cls, trainable=trainable)

    llama, qwen, oss = "meta-llama/Meta-Llama-3.1-8B", "Qwen/Qwen3-0.6B", "openai/gpt-oss-20b"
    causal, pairs = "CAUSAL_LM", ["q_proj", "v_proj"]
    adapted(llama, "LoRA", peft.LoraConfig(r=8, target_modules=pairs, task_type=causal))
    adapted(llama, "DoRA", peft.LoraConfig(r=8, target_modules=["embed_tokens", "down_proj"], use_dora=True))
    adapted(llama, "LoRA and a head to train", peft.LoraConfig(r=8, target_modules=pairs, modules_to_save=["lm_head"], task_type=causal))
    adapted(qwen, "LoRA everywhere", peft.LoraConfig(r=16, target_modules="all-linear", lora_bias=True, task_type=causal))
    adapted("openai-community/gpt2-xl", "DoRA", peft.LoraConfig(r=8, target_modules=["c_attn"], fan_in_fan_out=True, use_dora=True))
    adapted(oss, "LoRA on experts", peft.LoraConfig(r=8, target_modules=pairs, target_parameters=["mlp.experts.gate_up_proj"]))
    adapted(qwen, "IA3", peft.IA3Config(target_modules=["k_proj", "v_proj", "down_proj"], feedforward_modules=["down_proj"], task_type=causal))
    adapted(qwen, "AdaLoRA", peft.AdaLoraConfig(target_modules=pairs, total_step=100, task_type=causal))
    adapted(qwen, "LoKr", peft.LoKrConfig(target_modules=pairs, r=4))
    adapted(qwen, "VeRA", peft.VeraConfig(target_modules=pairs, r=16, task_type=causal))
    adapted(qwen, "a prompt", peft.PromptTuningConfig(task_type=causal, num_virtual_tokens=20))
    for i, cls in enumerate(("Linear4bit", "Linear8bitLt", "FP8Linear", "HQQLinear")):
        id = (llama, oss, "zai-org/GLM-4.5-Air", "mistralai/Mistral-7B-v0.3")[i]
        case(f"{id} as {cls}", {"model": id}, quantised(build(models[id]), cls))
    for id in (llama, qwen):
        model = build(models[id])
        case(f"{id} compiled", {"model": id}, torch.compile(model), architecture=type(model).__name__)
    for id in (llama, "mistralai/Mistral-7B-v0.3", "microsoft/Phi-3-mini-128k-instruct"):
        model = build(models[id])
        case(f"{id} with bare norms", {"model": id}, model, bare_norms(str(model)))
    for id, block, expert in (("mistralai/Mixtral-8x22B-v0.1", "MixtralSparseMoeBlock", ("MixtralBlockSparseTop2MLP", "w1", "w2", "w3")),
                              ("Qwen/Qwen3-235B-A22B", "Qwen3MoeSparseMoeBlock", ("Qwen3MoeMLP", "gate_proj", "down_proj", "up_proj"))):
        case(f"{id} as transformers 4 printed it", {"model": id}, listed_experts(build(models[id]), block, expert))


if __name__ == "__main__":
    main()
