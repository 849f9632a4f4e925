"""The parameters that one token uses, by hand from the published code, for types that transformers lacks or active.py cannot run: active(config)."""


def gated(width, inner):
    return 3 * width * inner


def grouped_attention(d, heads, kv_heads, head_dim):
    return 2 * d * heads * head_dim + 2 * d * kv_heads * head_dim


def deepseek(c):
    """modeling_deepseek.py: DeepseekMoE in layers from first_k_dense_replace on, every moe_layer_freq-th."""
    d, f, f_e = c["hidden_size"], c["intermediate_size"], c["moe_intermediate_size"]
    attention = grouped_attention(d, c["num_attention_heads"], c["num_key_value_heads"], d // c["num_attention_heads"])
    total = 2 * c["vocab_size"] * d + d
    for layer in range(c["num_hidden_layers"]):
        total += attention + 2 * d
        if layer >= c["first_k_dense_replace"] and layer % c["moe_layer_freq"] == 0:
            total += c["n_routed_experts"] * d + (c["num_experts_per_tok"] + c["n_shared_experts"]) * gated(d, f_e)
        else:
            total += gated(d, f)
    return total


def deepseek_params(c):
    """inference/model.py: Transformer with MLA; MoE after n_dense_layers."""
    d, n, nope, rope, value, kv_rank = (c[k] for k in ("dim", "n_heads", "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim", "kv_lora_rank"))
    queries, q_rank = n * (nope + rope), c["q_lora_rank"]
    attention = d * queries if q_rank == 0 else d * q_rank + q_rank + q_rank * queries
    attention += d * (kv_rank + rope) + kv_rank + kv_rank * n * (nope + value) + n * value * d
    total = 2 * c["vocab_size"] * d + d
    for layer in range(c["n_layers"]):
        total += attention + 2 * d
        if layer < c["n_dense_layers"]:
            total += gated(d, c["inter_dim"])
        else:
            total += c["n_routed_experts"] * d + (c["n_activated_experts"] + c["n_shared_experts"]) * gated(d, c["moe_inter_dim"])
    return total


def mistral_params(c):
    """mistral_inference, transformer.py and moe.py: a gate and experts in each layer."""
    d, moe = c["dim"], c["moe"]
    layer = grouped_attention(d, c["n_heads"], c["n_kv_heads"], c["head_dim"]) + 2 * d
    layer += moe["num_experts"] * d + moe["num_experts_per_tok"] * gated(d, c["hidden_dim"])
    return 2 * c["vocab_size"] * d + d + c["n_layers"] * layer


def llama4_params(c):
    """llama_models, llama4/args.py, model.py and moe.py, without vision: a shared expert in addition to the routed ones."""
    d, moe = c["dim"], c["moe_args"]

    def inner(base, divisor=1):
        width = int(c["ffn_dim_multiplier"] * int(2 * base / 3)) // divisor
        return -(-width // c["multiple_of"]) * c["multiple_of"]

    dense = inner(4 * d)
    expert = inner(int(c["ffn_exp"] * d), int(moe["capacity_factor"] + 1) if moe["auto_scale_F"] else 1)
    total = 2 * c["vocab_size"] * d + d
    for layer in range(c["n_layers"]):
        total += grouped_attention(d, c["n_heads"], c["n_kv_heads"], d // c["n_heads"]) + 2 * d
        if (layer + 1) % moe["interleave_moe_layer_step"] == 0:
            total += moe["num_experts"] * d + (moe["top_k"] + 1) * gated(d, expert)
        else:
            total += gated(d, dense)
    return total


def minimax_m1(c):
    """modeling_minimax_m1.py: lightning attention (projections, gate, norm) where attn_type_list has 0, and a mixture in every layer."""
    d, heads = c["hidden_size"], c["num_attention_heads"]
    head_dim, experts = c.get("head_dim", d // heads), c.get("num_local_experts", 8)
    width = heads * head_dim
    total = 2 * c["vocab_size"] * d + d
    for kind in c["attn_type_list"]:
        full = grouped_attention(d, heads, c.get("num_key_value_heads", 8), head_dim)
        total += (5 * d * width + width if kind == 0 else full) + 2 * d
        total += experts * d + c.get("num_experts_per_tok", 2) * gated(d, c.get("intermediate_size", 14336))
    return total


def diffusion_gemma(c):
    """modeling_diffusion_gemma.py: the decoder, of which the encoder shares all weights without biases; Gemma 4's vision tower."""
    text, vision = c["text_config"], c["vision_config"]
    d, f, n, kv, layers = (text[k] for k in ("hidden_size", "intermediate_size", "num_attention_heads", "num_key_value_heads", "num_hidden_layers"))
    h, wide = text["head_dim"], text["global_head_dim"]
    w, heads = vision["hidden_size"], vision["num_attention_heads"] + vision["num_key_value_heads"]
    total = 3 * vision["patch_size"] ** 2 * w + 2 * vision["position_embedding_size"] * w + w * d
    a = vision["head_dim"]
    total += vision["num_hidden_layers"] * (2 * w * heads * a + 2 * a + gated(w, vision["intermediate_size"]) + 4 * w)
    total += text["vocab_size"] * d + 2 * d + gated(d, f)
    for layer in range(layers):
        if (layer + 1) % 6 == 0 or layer == layers - 1:
            total += d * wide * (2 * n + text.get("num_global_key_value_heads", kv)) + 2 * wide
        else:
            total += 2 * d * h * (n + kv) + 2 * h
        total += gated(d, f) + 8 * d + text["num_experts"] * (d + 1) + text["top_k_experts"] * gated(d, text["moe_intermediate_size"])
    return total


def active(kind, config):
    return globals()[kind](config)
