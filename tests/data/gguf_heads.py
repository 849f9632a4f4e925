#!/usr/bin/env python3
"""Heads of GGUF files of small models, as the package gguf writes them: one line of JSON for each.

    gguf_heads.py [-o OUT] [ARCHITECTURE...]

Needs: pip install torch==2.13.0 transformers==5.23.0 gguf

Tensors and their checkpoint names are those that transformers builds (oracle.py); their names in GGUF are those of the package's own table;
what the converter does beside renaming (stacks experts, turns GPT-2's matrices, splits latent keys and values) is done here by `converted`.

    id          architecture/model_type
    config      the configuration that the head is of
    parameters  unique parameters of its model
    beside      elements of layers that predict further tokens, which are no parameters of it
    stored      elements in the file
    bytes       bytes of its tensors
    size        bytes of the whole file
    head        base64 of what stands before the tensors
"""
import argparse, base64, json, os, tempfile

import gguf
import numpy as np

import oracle

SMALL = {"hidden_size": 256, "intermediate_size": 512, "num_hidden_layers": 3, "num_attention_heads": 8, "num_key_value_heads": 2,
         "vocab_size": 320, "max_position_embeddings": 128}
MOE = {"num_experts_per_tok": 2}
LATENT = {"q_lora_rank": 96, "kv_lora_rank": 64, "qk_nope_head_dim": 32, "qk_rope_head_dim": 16, "v_head_dim": 24, "n_routed_experts": 8,
          "moe_intermediate_size": 96, "n_shared_experts": 2, "first_k_dense_replace": 1, "num_experts_per_tok": 2, "n_group": 2, "topk_group": 1,
          "num_key_value_heads": 8}
ROUTED = {"n_routed_experts": 8, "moe_intermediate_size": 96, "n_shared_experts": 1, "first_k_dense_replace": 1, "head_dim": 64, **MOE}
# (architecture of GGUF, model_type, class, what differs from SMALL; None: not there)
MODELS = [
    ("llama", "llama", "LlamaForCausalLM", {}),
    ("llama", "llama", "LlamaForCausalLM", {"tie_word_embeddings": True, "head_dim": 64, "rope_factors": True}),
    ("llama", "llama", "LlamaForCausalLM", {"attention_bias": True, "mlp_bias": True}),
    ("llama", "mixtral", "MixtralForCausalLM", {"num_local_experts": 8, **MOE}),
    ("qwen2", "qwen2", "Qwen2ForCausalLM", {}),
    ("qwen2", "qwen2", "Qwen2ForCausalLM", {"tie_word_embeddings": True}),
    ("qwen2moe", "qwen2_moe", "Qwen2MoeForCausalLM", {"num_experts": 8, "moe_intermediate_size": 96, "shared_expert_intermediate_size": 192, **MOE}),
    ("qwen3", "qwen3", "Qwen3ForCausalLM", {"head_dim": 64}),
    ("qwen3moe", "qwen3_moe", "Qwen3MoeForCausalLM", {"num_experts": 16, "moe_intermediate_size": 96, "head_dim": 64, **MOE}),
    ("gemma", "gemma", "GemmaForCausalLM", {"head_dim": 64}),
    ("gemma2", "gemma2", "Gemma2ForCausalLM", {"head_dim": 64, "sliding_window": 64}),
    ("gemma3", "gemma3_text", "Gemma3ForCausalLM", {"head_dim": 64, "sliding_window": 64}),
    ("phi3", "phi3", "Phi3ForCausalLM", {"pad_token_id": 0, "rope_factors_long": True}),
    ("phi2", "phi", "PhiForCausalLM", {}),
    ("gpt2", "gpt2", "GPT2LMHeadModel", {}),
    ("gpt2", "gpt2", "GPT2LMHeadModel", {"copied_head": True}),
    ("gptneox", "gpt_neox", "GPTNeoXForCausalLM", {}),
    ("bloom", "bloom", "BloomForCausalLM", {"intermediate_size": None}),
    ("falcon", "falcon", "FalconForCausalLM", {"multi_query": True, "intermediate_size": None, "num_key_value_heads": None}),
    ("falcon", "falcon", "FalconForCausalLM", {"new_decoder_architecture": True, "num_kv_heads": 2, "intermediate_size": None, "num_key_value_heads": None}),
    ("starcoder2", "starcoder2", "Starcoder2ForCausalLM", {"use_bias": True}),
    ("starcoder2", "starcoder2", "Starcoder2ForCausalLM", {"use_bias": True, "tie_word_embeddings": False}),
    ("starcoder", "gpt_bigcode", "GPTBigCodeForCausalLM", {"multi_query": True}),
    ("mpt", "mpt", "MptForCausalLM", {"intermediate_size": None}),
    ("stablelm", "stablelm", "StableLmForCausalLM", {"use_qkv_bias": True}),
    ("stablelm", "stablelm", "StableLmForCausalLM", {"use_parallel_residual": True}),
    ("command-r", "cohere", "CohereForCausalLM", {}),
    ("command-r", "cohere", "CohereForCausalLM", {"use_qk_norm": True}),
    ("cohere2", "cohere2", "Cohere2ForCausalLM", {"sliding_window": 64}),
    ("olmo", "olmo", "OlmoForCausalLM", {}),
    ("olmo2", "olmo2", "Olmo2ForCausalLM", {}),
    ("olmoe", "olmoe", "OlmoeForCausalLM", {"num_experts": 8, **MOE}),
    ("granite", "granite", "GraniteForCausalLM", {"tie_word_embeddings": True}),
    ("granitemoe", "granitemoe", "GraniteMoeForCausalLM", {"num_local_experts": 8, **MOE}),
    ("glm4", "glm4", "Glm4ForCausalLM", {"head_dim": 64, "attention_bias": True, "pad_token_id": 0}),
    ("smollm3", "smollm3", "SmolLM3ForCausalLM", {"pad_token_id": 0}),
    ("exaone4", "exaone4", "Exaone4ForCausalLM", {"head_dim": 64, "sliding_window": 64, "sliding_window_pattern": 4}),
    ("seed_oss", "seed_oss", "SeedOssForCausalLM", {"head_dim": 64, "attention_bias": True, "attention_out_bias": False}),
    ("nemotron", "nemotron", "NemotronForCausalLM", {}),
    ("ernie4_5", "ernie4_5", "Ernie4_5ForCausalLM", {"head_dim": 64}),
    ("gpt-oss", "gpt_oss", "GptOssForCausalLM", {"num_local_experts": 4, "head_dim": 32, "sliding_window": 64, "intermediate_size": 96, **MOE}),
    ("deepseek2", "deepseek_v2", "DeepseekV2ForCausalLM", {**LATENT, "split": True}),
    ("deepseek2", "deepseek_v2", "DeepseekV2ForCausalLM", {**LATENT, "q_lora_rank": None}),
    ("deepseek2", "deepseek_v3", "DeepseekV3ForCausalLM", {**LATENT, "split": True}),
    ("glm4moe", "glm4_moe", "Glm4MoeForCausalLM", {**ROUTED, "attention_bias": True, "use_qk_norm": True, "nextn": True, "num_nextn_predict_layers": 1}),
    ("dots1", "dots1", "Dots1ForCausalLM", ROUTED),
    ("minimax-m2", "minimax_m2", "MiniMaxM2ForCausalLM", {"num_local_experts": 8, "head_dim": 64, "intermediate_size": 96, **MOE}),
    ("phimoe", "phimoe", "PhimoeForCausalLM", {"num_local_experts": 8, "attention_bias": True, "lm_head_bias": True, **MOE}),
    ("hunyuan-moe", "hunyuan_v1_moe", "HunYuanMoEV1ForCausalLM", {"num_experts": 8, "moe_topk": 2, "head_dim": 64, "attention_bias": True}),
    ("arcee", "arcee", "ArceeForCausalLM", {}),
    ("hunyuan-dense", "hunyuan_v1_dense", "HunYuanDenseV1ForCausalLM", {"head_dim": 64, "tie_word_embeddings": True}),
    ("mamba", "mamba", "MambaForCausalLM", {"state_size": 8, "time_step_rank": 16}),
    ("mamba2", "mamba2", "Mamba2ForCausalLM", {"num_heads": 8, "head_dim": 64, "n_groups": 1, "state_size": 16}),
]
OURS = {"split", "nextn", "rope_factors", "rope_factors_long", "copied_head"}  # what is said here of the conversion
RENAMED = {
    "gpt2": {"hidden_size": "n_embd", "num_hidden_layers": "n_layer", "num_attention_heads": "n_head", "intermediate_size": "n_inner",
             "max_position_embeddings": "n_positions", "num_key_value_heads": None},
    "bloom": {"num_hidden_layers": "n_layer", "num_attention_heads": "n_head", "max_position_embeddings": None, "num_key_value_heads": None},
    "gpt_bigcode": {"hidden_size": "n_embd", "num_hidden_layers": "n_layer", "num_attention_heads": "n_head", "intermediate_size": "n_inner",
                    "max_position_embeddings": "n_positions", "num_key_value_heads": None},
    "mpt": {"hidden_size": "d_model", "num_hidden_layers": "n_layers", "num_attention_heads": "n_heads", "max_position_embeddings": "max_seq_len",
            "num_key_value_heads": None},
    "gpt_neox": {"num_key_value_heads": None},
    "mamba": dict.fromkeys(["intermediate_size", "num_attention_heads", "num_key_value_heads", "max_position_embeddings"]),
    "mamba2": dict.fromkeys(["intermediate_size", "num_attention_heads", "num_key_value_heads", "max_position_embeddings"]),
}


def config_of(kind, cls, given):
    out = {"model_type": kind, "architectures": [cls]}
    for key, value in {**SMALL, **given}.items():
        key = RENAMED.get(kind, {}).get(key, key)
        if key not in OURS and key is not None and (value is not None or key in ("q_lora_rank", "sliding_window")):
            out[key] = value
    return out


def expanded(tensors):
    """the single tensors of the oracle's rows: {name: shape}, and those that are tied"""
    import re
    names, tied = {}, {}
    for name, shape, *rest in tensors:
        todo = [name]
        while any("[" in one for one in todo):
            next_ = []
            for one in todo:
                match = re.search(r"\[([\d,-]+)\]", one)
                if not match:
                    next_.append(one)
                    continue
                for run in match[1].split(","):
                    first, _, last = run.partition("-")
                    next_ += [one[: match.start()] + str(i) + one[match.end():] for i in range(int(first), int(last or first) + 1)]
            todo = next_
        for one in todo:
            (tied if rest[:1] == ["tied"] else names)[one] = shape
    return names, tied


def converted(arch, cfg, names, options):
    """[(name in GGUF, shape)] as convert_hf_to_gguf.py makes them"""
    keys = {v: k for k, v in gguf.MODEL_ARCH_NAMES.items()}
    table = gguf.get_tensor_name_map(keys[arch], 8)
    # a name of the converter's, in the place of the checkpoint's
    def called(name):
        name = name.replace("transformer.", "") if arch == "bloom" else name
        new = table.get_name(name, try_suffixes=(".weight", ".bias"))
        assert new is not None, (arch, name)
        return new
    experts, out = {}, []
    for name, shape in names.items():
        parts = name.split(".")
        if "experts" in parts and parts[parts.index("experts") + 1].isdigit():
            at = parts.index("experts")
            whole = ".".join(parts[: at + 1] + parts[at + 2:])
            experts.setdefault(whole, []).append(shape)
            continue
        if arch == "gpt2" and name.endswith((".c_attn.weight", ".c_proj.weight", ".c_fc.weight")):
            shape = shape[::-1]
        if options.get("split") and name.endswith("kv_b_proj.weight"):
            heads, nope, value = cfg["num_key_value_heads"], cfg["qk_nope_head_dim"], cfg["v_head_dim"]
            assert shape[0] == heads * (nope + value)
            out += [(called(name.replace("kv_b_proj", "k_b_proj")), [heads, shape[1], nope]),
                    (called(name.replace("kv_b_proj", "v_b_proj")), [heads, value, shape[1]])]
            continue
        if arch == "gpt-oss" and ".experts." in name:
            bid = int(parts[2])
            first = lambda kind, leaf: f"blk.{bid}.ffn_{kind}_exps.{leaf}"
            leaf = "bias" if name.endswith("_bias") else "weight"
            if "gate_up" in name:
                half = [shape[0], shape[-1] // 2] + ([shape[1]] if leaf == "weight" else [])
                out += [(first("gate", leaf), half), (first("up", leaf), half)]
            else:
                out.append((first("down", leaf), [shape[0], shape[2], shape[1]] if leaf == "weight" else shape))
            continue
        if arch == "gpt-oss" and name.endswith(".sinks"):
            out.append((called(name) + ".weight", shape))
            continue
        if arch == "granitemoe" and name.endswith("block_sparse_moe.input_linear.weight"):
            half = [shape[0], shape[1] // 2, shape[2]]
            for kind in ("gate", "up"):
                out.append((f"blk.{parts[2]}.ffn_{kind}_exps.weight", half))
            continue
        if name.endswith("e_score_correction_bias"):
            name = name.replace("e_score_correction_bias", "e_score_correction.bias")
        if arch in ("mamba", "mamba2") and name.endswith("conv1d.weight"):
            shape = [shape[0], shape[2]]
        if arch == "mamba2" and name.endswith((".A_log", ".D", "dt_bias")):
            if name.endswith("dt_bias"):
                name = name.rpartition("dt_bias")[0] + "dt_proj.bias"
            else:
                shape = [shape[0], 1]
        if arch == "mamba2" and name.endswith("mixer.norm.weight"):
            shape = [cfg.get("n_groups", 1), shape[0] // cfg.get("n_groups", 1)]
        out.append((called(name), shape))
    for whole, shapes in experts.items():
        for old, new in (("w1", "w1"), ("w2", "w2"), ("w3", "w3")):
            if whole.endswith(f".{old}.weight"):
                whole = whole.replace(f"experts.{old}", f"experts.{new}")
        out.append((called(whole), [len(shapes), *shapes[0]]))
    if options.get("rope_factors"):
        out.append(("rope_freqs.weight", [cfg["head_dim"] // 2]))
    if options.get("rope_factors_long"):
        width = cfg["hidden_size"] // cfg["num_attention_heads"] // 2
        out += [("rope_factors_long.weight", [width]), ("rope_factors_short.weight", [width])]
    if options.get("nextn"):  # a layer more, which predicts a further token
        n, d = cfg["num_hidden_layers"], cfg["hidden_size"]
        out += [(name.replace(f"blk.{n - 1}.", f"blk.{n}."), shape) for name, shape in out if name.startswith(f"blk.{n - 1}.")]
        out += [(f"blk.{n}.nextn.eh_proj.weight", [d, 2 * d]), (f"blk.{n}.nextn.enorm.weight", [d]), (f"blk.{n}.nextn.hnorm.weight", [d]),
                (f"blk.{n}.nextn.embed_tokens.weight", [cfg["vocab_size"], d]), (f"blk.{n}.nextn.shared_head_norm.weight", [d]),
                (f"blk.{n}.nextn.shared_head_head.weight", [cfg["vocab_size"], d])]
    if options.get("copied_head"):
        out.append(("output.weight", [cfg["vocab_size"], cfg["n_embd"]]))
    return out


def type_of(i, name, shape):
    T = gguf.GGMLQuantizationType
    if len(shape) < 2 or "norm" in name or "ffn_gate_inp" in name or "ssm" in name:
        return T.F32
    if shape[-1] % 256 == 0:
        return [T.Q4_K, T.Q6_K, T.Q5_K, T.IQ4_XS][i % 4] if "attn_v" in name or "ffn_down" in name else T.Q4_K
    return T.Q8_0 if shape[-1] % 32 == 0 else T.F16


def hyperparameters(w, arch, cfg, full, names, options):
    """as set_gguf_parameters of each model writes them"""
    text = {**full}
    get = lambda *keys: next((text[k] for k in keys if text.get(k) is not None), None)
    hidden, layers = get("hidden_size", "n_embd", "d_model"), get("num_hidden_layers", "n_layer", "n_layers")
    heads, kv = get("num_attention_heads", "n_head", "n_heads"), get("num_key_value_heads")
    w.add_block_count(layers + bool(options.get("nextn")))
    if options.get("nextn"):
        w.add_nextn_predict_layers(1)
    w.add_embedding_length(hidden)
    if arch in ("mamba", "mamba2"):
        inner = (get("expand") or 2) * hidden
        w.add_context_length(2**20)
        w.add_feed_forward_length(0)
        w.add_head_count(0)
        w.add_ssm_conv_kernel(get("conv_kernel"))
        w.add_ssm_inner_size(inner)
        w.add_ssm_state_size(get("state_size"))
        w.add_ssm_time_step_rank(get("time_step_rank") if arch == "mamba" else inner // get("head_dim"))
        if arch == "mamba2":
            w.add_ssm_group_count(get("n_groups"))
        return
    w.add_context_length(get("max_position_embeddings", "n_positions", "max_seq_len") or 2048)
    w.add_feed_forward_length(get("intermediate_size", "n_inner", "ffn_hidden_size") or 4 * hidden)
    w.add_head_count(heads)
    if arch == "falcon":
        kv = get("num_kv_heads") if get("new_decoder_architecture") else 1
    if arch == "deepseek2":
        rope = get("qk_rope_head_dim")
        split = options.get("split")
        w.add_head_count_kv(1 if split else kv)
        w.add_leading_dense_block_count(get("first_k_dense_replace"))
        if get("q_lora_rank") is not None:
            w.add_q_lora_rank(get("q_lora_rank"))
        w.add_kv_lora_rank(get("kv_lora_rank"))
        if split:
            w.add_key_length(get("kv_lora_rank") + rope)
            w.add_value_length(get("kv_lora_rank"))
            w.add_key_length_mla(get("qk_nope_head_dim") + rope)
            w.add_value_length_mla(get("v_head_dim"))
        else:
            w.add_key_length(get("qk_nope_head_dim") + rope)
            w.add_value_length(get("v_head_dim"))
        w.add_rope_dimension_count(rope)
        w.add_expert_feed_forward_length(get("moe_intermediate_size"))
        w.add_expert_count(get("n_routed_experts"))
        w.add_expert_used_count(get("num_experts_per_tok"))
        w.add_expert_shared_count(get("n_shared_experts"))
        w.add_expert_gating_func(gguf.ExpertGatingFuncType.SIGMOID if cfg["model_type"] == "deepseek_v3" else gguf.ExpertGatingFuncType.SOFTMAX)
        return
    if arch == "starcoder":
        kv = 1
    if kv is not None and arch not in ("gpt2", "bloom", "gptneox"):
        w.add_head_count_kv(kv)
    if get("head_dim") is not None:
        w.add_key_length(get("head_dim"))
        w.add_value_length(get("head_dim"))
    if get("sliding_window") is not None:
        w.add_sliding_window(get("sliding_window"))
    experts = get("num_local_experts", "num_experts")
    if experts and arch not in ("glm4moe", "dots1"):
        w.add_expert_count(experts)
        w.add_expert_used_count(get("num_experts_per_tok", "moe_topk"))
    if arch in ("glm4moe", "dots1"):
        w.add_leading_dense_block_count(get("first_k_dense_replace"))
        w.add_expert_count(get("n_routed_experts"))
        w.add_expert_used_count(get("num_experts_per_tok"))
        w.add_expert_shared_count(get("n_shared_experts"))
    if arch in ("qwen2moe", "qwen3moe", "glm4moe", "dots1"):
        w.add_expert_feed_forward_length(get("moe_intermediate_size"))
    if arch in ("gpt-oss", "minimax-m2", "hunyuan-moe"):
        w.add_expert_feed_forward_length(get("intermediate_size"))
    if arch == "qwen2moe":
        w.add_expert_shared_feed_forward_length(get("shared_expert_intermediate_size"))


def head(arch, kind, cls, given, tokens=0):
    cfg = config_of(kind, cls, given)
    truth = oracle.case("x", cfg)
    names, tied = expanded(truth["tensors"])
    tensors = converted(arch, cfg, names, given)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.gguf")
        w = gguf.GGUFWriter(path, arch)
        w.add_name(f"A small {kind}")
        hyperparameters(w, arch, cfg, oracle.load_config(cfg).to_dict(), names, given)
        w.add_rope_freq_base(10000.0)
        if tokens:
            w.add_tokenizer_model("gpt2")
            w.add_token_list([f"token{i}" for i in range(tokens)])
            w.add_token_scores([0.5] * tokens)
        size = 0
        for i, (name, shape) in enumerate(tensors):
            kind_ = type_of(i, name, shape)
            block, width = gguf.GGML_QUANT_SIZES[kind_]
            nbytes = int(np.prod(shape)) // block * width
            if kind_ in (gguf.GGMLQuantizationType.F32, gguf.GGMLQuantizationType.F16):
                w.add_tensor_info(name, shape, np.dtype(np.float32 if width == 4 else np.float16), nbytes)
            else:
                w.add_tensor_info(name, gguf.quant_shape_to_byte_shape(shape, kind_), np.dtype(np.uint8), nbytes, raw_dtype=kind_)
            size += nbytes
        w.write_header_to_file()
        w.write_kv_data_to_file()
        w.write_ti_data_to_file()
        w.close()
        with open(path, "rb") as file:
            data = file.read()
    pad = lambda n: (n + 31) // 32 * 32
    whole = pad(len(data)) + sum(pad(int(np.prod(shape)) // gguf.GGML_QUANT_SIZES[type_of(i, name, shape)][0] *
                                     gguf.GGML_QUANT_SIZES[type_of(i, name, shape)][1]) for i, (name, shape) in enumerate(tensors))
    beside = sum(int(np.prod(shape)) for name, shape in tensors if given.get("nextn") and name.startswith(f"blk.{cfg['num_hidden_layers']}.") and
                 not name.endswith("exp_probs_b.bias"))
    return {"id": f"{arch}/{kind}", "beside": beside, "config": cfg, "parameters": truth["parameters"], "stored": sum(int(np.prod(s)) for _, s in tensors),
            "bytes": size, "size": whole, "head": base64.b64encode(data).decode()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("architectures", nargs="*")
    parser.add_argument("-o", "--out")
    options = parser.parse_args()
    lines = [json.dumps(head(*model), separators=(",", ":")) for model in MODELS if not options.architectures or model[0] in options.architectures]
    text = "\n".join(lines) + "\n"
    if options.out:
        with open(options.out, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
