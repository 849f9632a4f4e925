#!/usr/bin/env python3
"""What each rank of Megatron-Core holds: its own GPTModel on the meta device with a fake process group, shapes only.

    megatron_shards.py CASES.jsonl [-o OUT]    rebuilds the cases of a file; a new one is {"id": …, "config": …, "tp": 8, "pp": 1, "ep": 1, "rank": 0}

Needs torch and: pip install --no-deps megatron-core==0.16.1. A case is one line of JSON:

    vocabulary   padded to a multiple of 128 times tp, as Megatron's training programs do
    local        parameters of the rank
    tensors      [[Megatron's name with * for indices, shape, number], …]
    refused      why Megatron refuses

Experts are divided by ep, otherwise by tp. Ranks count tp fastest, then the stages, each with max(tp, ep) ranks.
"""
import argparse, json, os, re, sys, warnings

warnings.filterwarnings("ignore")


def settings(c, tp, pp, ep):
    import torch
    from megatron.core.transformer.transformer_config import MLATransformerConfig, TransformerConfig

    kind, heads, width = c["model_type"], c["num_attention_heads"], c["hidden_size"]
    out = {
        "num_layers": c["num_hidden_layers"],
        "hidden_size": width,
        "ffn_hidden_size": c["intermediate_size"],
        "num_attention_heads": heads,
        "gated_linear_unit": True,
        "activation_func": torch.nn.functional.silu,
        "add_bias_linear": False,
        "add_qkv_bias": kind == "qwen2",
        "normalization": "RMSNorm",
        "qk_layernorm": kind in ("qwen3", "qwen3_moe", "deepseek_v2", "deepseek_v3"),
        "tensor_model_parallel_size": tp,
        "pipeline_model_parallel_size": pp,
        "expert_model_parallel_size": ep,
        "expert_tensor_parallel_size": tp if ep == 1 else 1,
        "pipeline_dtype": torch.bfloat16,
        "params_dtype": torch.bfloat16,
        "use_cpu_initialization": True,
        "perform_initialization": False,
        "hidden_dropout": 0.0,
        "attention_dropout": 0.0,
    }
    experts = c.get("num_local_experts") or c.get("num_experts") or c.get("n_routed_experts")
    if experts:
        out |= {
            "num_moe_experts": experts,
            "moe_router_topk": c["num_experts_per_tok"],
            "moe_ffn_hidden_size": c.get("moe_intermediate_size") or c["intermediate_size"],
            "moe_grouped_gemm": False,
        }
        if c.get("n_shared_experts"):
            out["moe_shared_expert_intermediate_size"] = c["n_shared_experts"] * c["moe_intermediate_size"]
        if c.get("first_k_dense_replace"):
            out["moe_layer_freq"] = [int(i >= c["first_k_dense_replace"]) for i in range(c["num_hidden_layers"])]
        if c.get("mlp_only_layers"):
            out["moe_layer_freq"] = [int(i not in c["mlp_only_layers"]) for i in range(c["num_hidden_layers"])]
    if kind.startswith("deepseek"):
        # YaRN's table needs CUDA and has no parameters.
        return MLATransformerConfig(
            **out,
            multi_latent_attention=True,
            q_lora_rank=c["q_lora_rank"],
            kv_lora_rank=c["kv_lora_rank"],
            qk_head_dim=c["qk_nope_head_dim"],
            qk_pos_emb_head_dim=c["qk_rope_head_dim"],
            v_head_dim=c["v_head_dim"],
            rope_type="rope",
        )
    return TransformerConfig(**out, num_query_groups=c.get("num_key_value_heads") or heads, kv_channels=c.get("head_dim") or width // heads)


def rank_of(c, tp, pp, ep, rank):
    import torch
    import torch.distributed as dist
    from megatron.core import parallel_state
    from megatron.core.models.gpt import GPTModel
    from megatron.core.models.gpt.gpt_layer_specs import get_gpt_decoder_block_spec, get_gpt_layer_local_spec
    from megatron.core.transformer import multi_latent_attention
    from megatron.core.transformer.dot_product_attention import DotProductAttention
    from torch.testing._internal.distributed.fake_pg import FakeStore

    without_channels = DotProductAttention.__init__  # has no parameters, and does not support the two widths of latent attention
    DotProductAttention.__init__ = lambda self, *a, k_channels=None, v_channels=None, **k: without_channels(self, *a, **k)
    multi_latent_attention.TELinear = multi_latent_attention.TEColumnParallelLinear = type("Absent", (), {})
    torch.cuda.current_device = lambda: "meta"  # rotary tables require it
    torch.Tensor.cuda = lambda self, *a, **k: self  # a tied table on the last stage

    dist.init_process_group("fake", rank=rank, world_size=max(tp, ep) * pp, store=FakeStore())
    parallel_state.initialize_model_parallel(
        tensor_model_parallel_size=tp,
        pipeline_model_parallel_size=pp,
        expert_model_parallel_size=ep,
        expert_tensor_parallel_size=tp if ep == 1 else 1,
        create_gloo_process_groups=False,
    )
    given = settings(c, tp, pp, ep)
    spec = (
        get_gpt_decoder_block_spec(given, use_transformer_engine=False, normalization="RMSNorm")
        if given.num_moe_experts or given.multi_latent_attention
        else get_gpt_layer_local_spec(normalization="RMSNorm", qk_layernorm=given.qk_layernorm)
    )
    unit = 128 * tp
    vocabulary = -(-c["vocab_size"] // unit) * unit
    with torch.device("meta"):
        model = GPTModel(
            given,
            spec,
            vocab_size=vocabulary,
            max_sequence_length=8192,
            pre_process=parallel_state.is_pipeline_first_stage(),
            post_process=parallel_state.is_pipeline_last_stage(),
            share_embeddings_and_output_weights=bool(c.get("tie_word_embeddings")),
            position_embedding_type="rope",
        )
    rows = {}
    for name, parameter in model.named_parameters():
        key = (re.sub(r"(?<=\.)\d+(?=\.)", "*", name), tuple(parameter.shape))
        rows[key] = rows.get(key, 0) + 1
    local = sum(p.numel() for p in model.parameters())
    return {"vocabulary": vocabulary, "local": local, "tensors": [[name, list(shape), count] for (name, shape), count in rows.items()]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("-o")
    given = parser.parse_args()
    out = open(given.o, "w") if given.o else sys.stdout
    import megatron.core.models.gpt  # once, before forking

    for line in open(given.file):
        case = {k: v for k, v in json.loads(line).items() if k in ("id", "config", "tp", "pp", "ep", "rank")} | {"plan": "megatron"}
        reader, writer = os.pipe()  # Megatron's state does not survive a second plan: one process per plan
        pid = os.fork()
        if pid == 0:
            try:
                case |= rank_of(case["config"], case["tp"], case["pp"], case["ep"], case["rank"])
            except Exception as refusal:
                case["refused"] = f"{type(refusal).__name__}: {refusal}"[:300]
            with open(writer, "w") as pipe:
                pipe.write(json.dumps(case, separators=(",", ":")) + "\n")
            os._exit(0)
        os.close(writer)
        with open(reader) as pipe:
            out.write(pipe.read())
        os.waitpid(pid, 0)
        out.flush()


if __name__ == "__main__":
    main()
