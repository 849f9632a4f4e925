#!/usr/bin/env python3
"""Printed models: what print(model) shows of models that transformers builds on the meta device, and what they hold.

    printed.py > printed_models.jsonl

Needs what oracle.py needs. Each line: id, text, parameters (unique ones, a packed matrix as the numbers that it stands for), tied (elements that
another module prints again), and of models with LoRA the trainable ones. The modules of bitsandbytes, GPTQ, AWQ and peft are made here under
their names and in their printed form, so that none of these need be installed.
"""
import json, os, pathlib, sys, warnings

warnings.filterwarnings("ignore")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
import torch, transformers
from torch import nn

HERE = pathlib.Path(__file__).parent
PUBLISHED = """gpt2 openai-community/gpt2-xl EleutherAI/gpt-neo EleutherAI/gpt-j EleutherAI/gpt-neox EleutherAI/pythia facebook/opt bigscience/bloom
tiiuae/falcon-7b mosaicml/mpt meta-llama/Llama-2-7b meta-llama/Llama-2-70b meta-llama/Llama-3.1-8B meta-llama/Llama-3.1-405B meta-llama/Llama-3.2-1B
mistralai/Mistral-7B mistralai/Mixtral-8x7B Qwen/Qwen2.5-0.5B Qwen/Qwen2.5-7B Qwen/Qwen3-0.6B Qwen/Qwen3-8B Qwen/Qwen3-30B google/gemma-2b
google/gemma-2-9b google/gemma-3-1b microsoft/phi-2 microsoft/Phi-3 deepseek-ai/DeepSeek-V3 deepseek-ai/DeepSeek-V2-Lite openai/gpt-oss-20b
state-spaces/mamba state-spaces/mamba2 CohereForAI allenai/OLMo-2 allenai/OLMoE bigcode/starcoder2 stabilityai/stablelm THUDM/GLM ibm-granite
LiquidAI ai21labs/Jamba nvidia/Nemotron google-t5 google-bert FacebookAI openai/clip google/siglip openai/whisper Qwen/Qwen2-VL llava""".split()


def published():
    """One model for each word, from the configurations that the tests hold."""
    seen, models = set(), json.loads((HERE / "models.json").read_text())
    for word in PUBLISHED:
        for given in models:
            if given["name"].lower().startswith(word.lower()) or word.lower() in given["name"].lower():
                if given["name"] not in seen:
                    seen.add(given["name"])
                    yield given["name"], given["config"]
                    break
    for given in models:  # and whatever else, a model of each type
        kind = given["config"].get("model_type")
        if kind not in seen:
            seen.add(kind)
            yield given["name"], given["config"]


def build(config):
    kind = config["model_type"]
    loaded = transformers.CONFIG_MAPPING[kind].from_dict(dict(config))
    name = (config.get("architectures") or [None])[0]
    cls = getattr(transformers, name) if name and hasattr(transformers, name) else None
    with torch.device("meta"):
        return cls(loaded) if cls else transformers.AutoModelForCausalLM.from_config(loaded)


def case(id, model, **more):
    parameters = sum(p.numel() for p in model.parameters())  # a tied one once
    again = sum(p.numel() for _, p in model.named_parameters(remove_duplicate=False)) - parameters
    return {"id": id, "text": str(model), "parameters": parameters, "tied": again, **more}


def named(name, base=nn.Linear):
    """A module that prints like another package's."""
    made = type(name.split(".")[-1], (base,), {})
    if "." in name:
        made._get_name = lambda self: name
    return made


def each_linear(model, skip=("lm_head", "embed_out")):
    for parent in list(model.modules()):
        for name, child in list(parent.named_children()):
            if type(child) is nn.Linear and name not in skip:
                yield parent, name, child


def quantised(model, cls):
    for parent, name, child in each_linear(model):
        child.__class__ = named(cls)
    return model


def adapted(model, rank, targets, wrapper="lora.Linear", base=None):
    """As peft wraps and prints it: lora.Linear around the layer, and the whole in PeftModelForCausalLM(base_model: LoraModel(model: …))."""
    for p in model.parameters():
        p.requires_grad = False
    trainable = 0
    for parent, name, child in list(each_linear(model)):
        if name not in targets:
            continue
        if base:
            child.__class__ = named(base)
        lora = named(wrapper, nn.Module)()
        lora.base_layer = child
        with torch.device("meta"):
            lora.lora_dropout = nn.ModuleDict({"default": nn.Dropout(0.05)})
            lora.lora_A = nn.ModuleDict({"default": nn.Linear(child.in_features, rank, bias=False)})
            lora.lora_B = nn.ModuleDict({"default": nn.Linear(rank, child.out_features, bias=False)})
        lora.lora_embedding_A, lora.lora_embedding_B = nn.ParameterDict(), nn.ParameterDict()
        lora.lora_magnitude_vector = nn.ModuleDict()
        trainable += rank * (child.in_features + child.out_features)
        setattr(parent, name, lora)
    outer, inner = named("PeftModelForCausalLM", nn.Module)(), named("LoraModel", nn.Module)()
    inner.model, outer.base_model = model, inner
    return outer, trainable


def bare_norms(text):
    """Norms as transformers printed them before 4.40."""
    import re
    return re.sub(r"(\w*RMSNorm)\(\(\d+,\), eps=[^)]*\)", r"\1()", text)


def main():
    made = {}
    for id, config in published():
        if len(made) >= 44:
            break
        try:
            made[id] = (case(id, build(config)), config)
        except Exception as error:
            print(id, type(error).__name__, str(error)[:100], file=sys.stderr)
    for line, _ in made.values():
        print(json.dumps(line))
    decoders = [id for id, (_, c) in made.items() if c["model_type"] in ("llama", "mistral", "qwen2", "qwen3", "gpt_neox", "opt", "falcon", "phi3")]
    for i, id in enumerate(decoders[:8]):
        cls = ("Linear4bit", "Linear8bitLt", "QuantLinear", "FP8Linear")[i % 4]
        print(json.dumps(case(f"{id} as {cls}", quantised(build(made[id][1]), cls))))
    targets = {"q_proj", "v_proj", "query_key_value", "qkv_proj", "down_proj"}
    for i, id in enumerate(decoders[:6]):
        wrapper, base = (("lora.Linear", None), ("lora.Linear4bit", "Linear4bit"), ("lora.Linear8bitLt", "Linear8bitLt"))[i % 3]
        model, trainable = adapted(build(made[id][1]), 8 << i % 3, targets, wrapper, base)
        print(json.dumps(case(f"{id} with LoRA as {wrapper}", model, trainable=trainable)))
    for id in [d for d in decoders if made[d][1]["model_type"] in ("llama", "mistral", "qwen2", "phi3")][:4]:
        line = dict(made[id][0])
        line["id"], line["text"] = f"{id} with bare norms", bare_norms(line["text"])
        print(json.dumps(line))


main()
