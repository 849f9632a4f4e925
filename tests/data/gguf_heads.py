#!/usr/bin/env python3
"""Heads of GGUF files of small models, as the package gguf writes them: one line of JSON each.

    gguf_heads.py [-o OUT] [ARCHITECTURE...]
    gguf_heads.py -o gguf.jsonl && gzip -9nf gguf.jsonl

Needs: pip install torch==2.13.0 transformers==5.23.0 gguf

Tensors and their checkpoint names come from transformers (oracle.py), their names in GGUF from the package's own table. `converted` does
what the converter does besides renaming: it stacks experts, transposes GPT-2's matrices and splits latent keys and values.

    id          architecture/model_type
    config      the configuration of the model
    parameters  unique parameters of the model
    beside      elements of prediction layers, which are not parameters of the model
    stored      elements in the file
    bytes       bytes of its tensors
    size        bytes of the whole file
    head        base64 of everything before the tensors
"""
import argparse, base64, json, os, tempfile

import gguf
import numpy as np

import oracle
from gguf_models import MODELS, OURS, RENAMED, SMALL

def config_of(kind, cls, given):
    out = {"model_type": kind, "architectures": [cls]}
    for key, value in {**({} if kind in ("t5", "umt5") else SMALL), **given}.items():
        key = RENAMED.get(kind, {}).get(key, key)
        if key not in OURS and key is not None and (value is not None or key in ("q_lora_rank", "sliding_window")):
            out[key] = value
    return out


MAMBA2 = ("mamba2", "granitehybrid", "nemotron_h", "nemotron_h_moe", "falcon-h1")
DELTA_NETS = ("qwen3next", "qwen35", "qwen35moe")


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
    # the converter's name instead of the checkpoint's
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
            if arch == "lfm2moe":
                whole = whole.removeprefix("model.")
            if arch in ("jamba", "nemotron_h_moe"):
                whole = f"model.layers.{parts[2]}.mlp." + ".".join(whole.split(".")[-3:])
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
        if arch == "qwen3next" and name.endswith("in_proj_qkvz.weight"):
            gate = cfg["linear_num_value_heads"] * cfg["linear_value_head_dim"]
            out += [(f"blk.{parts[2]}.attn_qkv.weight", [shape[0] - gate, shape[1]]), (f"blk.{parts[2]}.attn_gate.weight", [gate, shape[1]])]
            continue
        if arch == "llama4" and name.endswith("experts.gate_up_proj"):
            half = [shape[0], shape[2] // 2, shape[1]]
            out += [(called(name.replace("gate_up_proj", kind + ".weight")), half) for kind in ("gate_proj", "up_proj")]
            continue
        if arch == "llama4" and name.endswith("experts.down_proj"):
            name, shape = name + ".weight", [shape[0], shape[2], shape[1]]
        if arch == "granitehybrid" and name.endswith("block_sparse_moe.input_linear.weight"):
            out += [(f"blk.{parts[2]}.ffn_{kind}_exps.weight", [shape[0], shape[1] // 2, shape[2]]) for kind in ("gate", "up")]
            continue
        if ".shared_mlp." in name and arch in ("granitehybrid", "granitemoe"):
            end = "_shexp" if cfg["num_local_experts"] else ""
            if "input_linear" in name:
                out += [(f"blk.{parts[2]}.ffn_{kind}{end}.weight", [shape[0] // 2, shape[1]]) for kind in ("gate", "up")]
            else:
                out.append((f"blk.{parts[2]}.ffn_down{end}.weight", shape))
            continue
        if arch == "gemma4" and name.endswith("layer_scalar") or ".experts." in name and not name.endswith(".weight"):
            name += ".weight"
        if arch == "gemma4" and name.endswith("router.scale"):
            out.append((f"blk.{parts[2]}.ffn_gate_inp.scale", shape))
            continue
        if name.endswith(".per_expert_scale"):
            out.append((f"blk.{parts[2]}.ffn_down_exps.scale", shape))
            continue
        if name.endswith(".expert_bias"):
            name += ".bias"
        if name.endswith("e_score_correction_bias"):
            name = name.replace("e_score_correction_bias", "e_score_correction.bias")
        if name.endswith(("conv1d.weight", ".conv.conv.weight")):
            shape = [shape[0], shape[2]]
        if arch in MAMBA2 + DELTA_NETS and name.endswith("dt_bias"):
            name = name.rpartition("dt_bias")[0] + "dt_proj.bias"
        if arch in MAMBA2 and name.endswith((".A_log", ".D")):
            shape = [shape[0], 1]
        if arch in MAMBA2 and name.endswith(("mixer.norm.weight", "mamba.norm.weight")):
            groups = cfg.get("n_groups", cfg.get("mamba_n_groups", 1))
            shape = [groups, shape[0] // groups]
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
    if options.get("nextn"):  # one more layer, which predicts further tokens
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


def hybrid(w, arch, kind, get):
    """what set_gguf_parameters writes about layers without attention"""
    kinds = get("layer_types", "layers_block_type") or []
    attend = [kind in ("attention", "full_attention") for kind in kinds]
    kv = get("num_key_value_heads")
    if kind == "bamba":
        w.add_rope_scaling_finetuned(True)
        attend = [i in get("attn_layer_indices") for i in range(get("num_hidden_layers"))]
    if arch in DELTA_NETS:
        w.add_ssm_conv_kernel(get("linear_conv_kernel_dim"))
        w.add_ssm_state_size(get("linear_key_head_dim"))
        w.add_ssm_group_count(get("linear_num_key_heads"))
        w.add_ssm_time_step_rank(get("linear_num_value_heads"))
        w.add_ssm_inner_size(get("linear_value_head_dim") * get("linear_num_value_heads"))
        w.add_full_attention_interval(4)
    if arch in ("lfm2", "lfm2moe"):
        w.add_shortconv_l_cache(get("conv_L_cache"))
        if arch == "lfm2moe":
            w.add_leading_dense_block_count(get("num_dense_layers"))
    if arch in ("granitehybrid", "falcon-h1"):
        w.add_ssm_conv_kernel(get("mamba_d_conv"))
        w.add_ssm_state_size(get("mamba_d_state"))
        w.add_ssm_group_count(get("mamba_n_groups"))
        w.add_ssm_inner_size(get("mamba_d_ssm") if arch == "falcon-h1" else get("mamba_expand") * get("hidden_size"))
        w.add_ssm_time_step_rank(get("mamba_n_heads"))
    if arch == "granitehybrid" and kind != "bamba":
        w.add_expert_shared_feed_forward_length(get("shared_intermediate_size"))
        w.add_rope_scaling_finetuned(False)
    if arch in ("nemotron_h", "nemotron_h_moe"):
        w.add_ssm_conv_kernel(get("conv_kernel"))
        w.add_ssm_state_size(get("ssm_state_size"))
        w.add_ssm_group_count(get("n_groups"))
        w.add_ssm_inner_size(get("mamba_num_heads") * get("mamba_head_dim"))
        w.add_ssm_time_step_rank(get("mamba_num_heads"))
    if arch == "nemotron_h_moe":
        w.add_expert_shared_feed_forward_length(get("moe_shared_expert_intermediate_size"))
        w.add_expert_shared_count(get("n_shared_experts"))
        w.add_expert_count(get("n_routed_experts"))
        w.add_expert_used_count(get("num_experts_per_tok"))
        if get("moe_latent_size") is not None:
            w.add_moe_latent_size(get("moe_latent_size"))
    if arch == "jamba":
        attend = [i % get("attn_layer_period") == get("attn_layer_offset") for i in range(get("num_hidden_layers"))]
        w.add_ssm_conv_kernel(get("mamba_d_conv"))
        w.add_ssm_state_size(get("mamba_d_state"))
        w.add_ssm_inner_size(get("mamba_expand") * get("hidden_size"))
        w.add_ssm_time_step_rank(get("mamba_dt_rank"))
    return [kv if here else 0 for here in attend] if attend and arch not in DELTA_NETS else kv


HYBRIDS = DELTA_NETS + ("lfm2", "lfm2moe", "granitehybrid", "falcon-h1", "nemotron_h", "nemotron_h_moe", "jamba")


def inner_widths(arch, get):
    """one for all layers, or those that have a feed-forward block"""
    inner = get("intermediate_size", "n_inner", "ffn_hidden_size") or 4 * get("hidden_size", "n_embd", "d_model")
    if arch == "llama4":
        return get("intermediate_size_mlp")
    if arch == "lfm2" and get("block_auto_adjust_ff_dim"):
        multiple = get("block_multiple_of")
        return (int(2 * inner / 3) + multiple - 1) // multiple * multiple
    if arch == "gemma4" and get("use_double_wide_mlp"):
        own = get("num_hidden_layers") - get("num_kv_shared_layers")
        return [inner if i < own else 2 * inner for i in range(get("num_hidden_layers"))]
    if arch == "nemotron_h":
        return [inner if kind == "mlp" else 0 for kind in get("layers_block_type")]
    if arch == "nemotron_h_moe":
        return [get("moe_intermediate_size") if kind == "moe" else 0 for kind in get("layers_block_type")]
    return inner


def hyperparameters(w, arch, cfg, full, names, options):
    """as set_gguf_parameters of each model writes them"""
    text = {**full}
    get = lambda *keys: next((text[k] for k in keys if text.get(k) is not None), None)
    if arch in ("t5", "t5encoder"):
        w.add_context_length(512)
        w.add_embedding_length(cfg["d_model"])
        w.add_feed_forward_length(cfg["d_ff"])
        w.add_block_count(cfg["num_layers"])
        if arch == "t5":
            w.add_decoder_block_count(get("num_decoder_layers"))
        w.add_head_count(cfg["num_heads"])
        w.add_key_length(cfg["d_kv"])
        w.add_value_length(cfg["d_kv"])
        w.add_relative_attn_buckets_count(cfg["relative_attention_num_buckets"])
        return
    hidden, layers = get("hidden_size", "n_embd", "d_model"), get("num_hidden_layers", "n_layer", "n_layers") or len(get("layers_block_type"))
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
    w.add_feed_forward_length(inner_widths(arch, get))
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
    if arch in HYBRIDS:
        kv = hybrid(w, arch, cfg["model_type"], get)
    if arch == "gemma4" and cfg.get("num_global_key_value_heads") is not None:
        kv = [cfg["num_key_value_heads"] if kind == "sliding_attention" else cfg["num_global_key_value_heads"] for kind in get("layer_types")]
    if kv is not None and arch not in ("gpt2", "bloom", "gptneox"):
        w.add_head_count_kv(kv)
    if arch == "gemma4":
        slides = [kind == "sliding_attention" for kind in get("layer_types")]
        w.add_shared_kv_layers(get("num_kv_shared_layers"))
        w.add_embedding_length_per_layer_input(get("hidden_size_per_layer_input"))
        w.add_sliding_window_pattern(slides)
        w.add_key_length_swa(cfg["head_dim"])
        w.add_value_length_swa(cfg["head_dim"])
        w.add_key_length(cfg["global_head_dim"])
        w.add_value_length(cfg["global_head_dim"])
        if cfg.get("enable_moe_block"):
            w.add_expert_feed_forward_length(cfg["moe_intermediate_size"])
    elif get("head_dim") is not None:
        w.add_key_length(get("head_dim"))
        w.add_value_length(get("head_dim"))
    if get("sliding_window") is not None:
        w.add_sliding_window(get("sliding_window"))
    experts = get("num_local_experts", "num_experts", "moe_num_experts")
    if experts and arch not in ("glm4moe", "dots1", "nemotron_h", "nemotron_h_moe"):
        w.add_expert_count(experts)
        w.add_expert_used_count(get("num_experts_per_tok", "moe_topk", "moe_k", "top_k_experts"))
    if arch == "mistral3" and cfg["model_type"] == "ministral3":
        w.add_attn_temperature_scale(0.1)
    if arch == "llama4":
        w.add_interleave_moe_layer_step(get("interleave_moe_layer_step"))
        w.add_expert_feed_forward_length(get("intermediate_size"))
    if arch == "ernie4_5-moe":
        w.add_interleave_moe_layer_step(get("moe_layer_interval"))
        w.add_leading_dense_block_count(get("moe_layer_start_index"))
        w.add_expert_shared_count(get("moe_num_shared_experts"))
    if arch in ("afmoe", "exaone-moe"):
        w.add_leading_dense_block_count(get("num_dense_layers", "first_k_dense_replace"))
        w.add_expert_shared_count(get("num_shared_experts"))
    if arch in ("glm4moe", "dots1"):
        w.add_leading_dense_block_count(get("first_k_dense_replace"))
        w.add_expert_count(get("n_routed_experts"))
        w.add_expert_used_count(get("num_experts_per_tok"))
        w.add_expert_shared_count(get("n_shared_experts"))
    if arch in ("qwen2moe", "qwen3moe", "glm4moe", "dots1", "qwen3next", "qwen35moe", "lfm2moe", "nemotron_h_moe", "ernie4_5-moe", "afmoe", "exaone-moe"):
        w.add_expert_feed_forward_length(get("moe_intermediate_size"))
    if arch in ("gpt-oss", "minimax-m2", "hunyuan-moe"):
        w.add_expert_feed_forward_length(get("intermediate_size"))
    if cfg["model_type"] == "granitemoeshared":
        w.add_expert_shared_feed_forward_length(cfg["shared_intermediate_size"])
    if arch in ("qwen2moe", "qwen3next", "qwen35moe"):
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
