"""Writes training_arguments.json: arguments of Megatron-LM, and the parameters that its own code builds from them in one process.

    MEGATRON=FOLDER tests/data/training_arguments.py > tests/data/training_arguments.json

FOLDER is a clone of Megatron-LM. Its megatron-core needs torch, but neither devices nor Transformer Engine, because its local layers hold the
same parameters. `tests/data/tables/megatron_arguments.txt` is its output for the third line.
"""

import json
import os
import shlex
import sys
import typing
import warnings

BASIC = "--vocab-size 100 --make-vocab-size-divisible-by 4"
LINES = [
    "--num-layers 2 --hidden-size 64 --num-attention-heads 4 --max-position-embeddings 32 --vocab-size 1000 --make-vocab-size-divisible-by 128",
    "--num-layers 2 --hidden-size 64 --num-attention-heads 4 --max-position-embeddings 32 --untie-embeddings-and-output-weights --vocab-size 1000",
    "--num-layers 2 --hidden-size 64 --num-attention-heads 4 --group-query-attention --num-query-groups 2 --swiglu --normalization RMSNorm"
    " --untie-embeddings-and-output-weights --disable-bias-linear --position-embedding-type rope --vocab-size 1000 --make-vocab-size-divisible-by 64",
    "--num-layers 3 --hidden-size 96 --num-attention-heads 4 --kv-channels 32 --ffn-hidden-size 200 --add-qkv-bias --disable-bias-linear"
    " --qk-layernorm --normalization RMSNorm --position-embedding-type none --vocab-size 77 --make-vocab-size-divisible-by 1",
    f"--num-layers 2 --hidden-size 64 --num-attention-heads 4 --qk-layernorm --position-embedding-type rope {BASIC}",
    "--num-layers 4 --hidden-size 64 --num-attention-heads 4 --disable-bias-linear --swiglu --num-experts 8 --moe-router-topk 2"
    " --moe-ffn-hidden-size 48 --moe-shared-expert-intermediate-size 96 --moe-layer-freq '([0]*1+[1]*3)' --normalization RMSNorm"
    f" --position-embedding-type rope --untie-embeddings-and-output-weights --moe-router-enable-expert-bias --moe-router-score-function sigmoid {BASIC}",
    f"--num-layers 4 --hidden-size 64 --num-attention-heads 4 --num-experts 4 --moe-layer-freq 2 --ffn-hidden-size 100 --position-embedding-type rope {BASIC}",
    "--num-layers 4 --hidden-size 64 --num-attention-heads 4 --disable-bias-linear --swiglu --num-experts 4 --moe-shared-expert-intermediate-size 80"
    f" --moe-shared-expert-gate --position-embedding-type rope {BASIC}",
    "--num-layers 2 --hidden-size 64 --num-attention-heads 4 --multi-latent-attention --q-lora-rank 24 --kv-lora-rank 16 --qk-head-dim 12"
    " --qk-pos-emb-head-dim 8 --v-head-dim 20 --qk-layernorm --swiglu --normalization RMSNorm --disable-bias-linear --position-embedding-type rope"
    f" --ffn-hidden-size 200 {BASIC}",
    f"--num-layers 2 --hidden-size 64 --num-attention-heads 4 --quick-geglu --disable-bias-linear --max-position-embeddings 32 {BASIC}",
    f"--num-layers 2 --hidden-size 64 --num-attention-heads 4 --attention-output-gate --disable-bias-linear --max-position-embeddings 32 {BASIC}",
    f"--num-layers 2 --hidden-size 64 --num-attention-heads 4 --softmax-type learnable --disable-bias-linear --max-position-embeddings 32 {BASIC}",
    f"--num-layers 2 --hidden-size 64 --num-attention-heads 4 --use-rotary-position-embeddings --squared-relu {BASIC}",
]
# Settings that no parameter depends on, and those that the code needs without a device.
HERE = (
    "--micro-batch-size 1 --seq-length 16 --lr 1e-4 --train-iters 1 --use-cpu-initialization --transformer-impl local --no-persist-layer-norm"
    " --no-gradient-accumulation-fusion --no-masked-softmax-fusion --no-rope-fusion --no-bias-gelu-fusion --no-bias-swiglu-fusion"
)


def counted(line: str) -> int:
    from megatron.core.models.gpt import GPTModel
    from megatron.core.models.gpt.gpt_layer_specs import get_gpt_decoder_block_spec, get_gpt_layer_local_spec
    from megatron.core.tokenizers.utils.build_tokenizer import vocab_size_with_padding
    from megatron.training.arguments import core_transformer_config_from_args, parse_args, validate_args

    sys.argv = ["pretrain_gpt.py", *shlex.split(line), *HERE.split()]
    if "--max-position-embeddings" not in line:
        sys.argv += ["--max-position-embeddings", "4096"]
    args = parse_args()
    validate_args(args)
    config = core_transformer_config_from_args(args)
    config.perform_initialization = False
    if args.num_experts:
        spec = get_gpt_decoder_block_spec(config, use_transformer_engine=False, normalization=args.normalization)
    else:
        spec = get_gpt_layer_local_spec(
            None, False, args.qk_layernorm, args.multi_latent_attention, normalization=args.normalization
        )
    model = GPTModel(
        config,
        spec,
        vocab_size_with_padding(args.vocab_size, args, False),
        args.max_position_embeddings,
        share_embeddings_and_output_weights=not args.untie_embeddings_and_output_weights,
        position_embedding_type=args.position_embedding_type,
    )
    return sum(p.numel() for p in model.parameters())


def main() -> None:
    warnings.filterwarnings("ignore")
    sys.path.insert(0, os.environ["MEGATRON"])
    typing.override = getattr(typing, "override", lambda f: f)
    os.environ.update(RANK="0", WORLD_SIZE="1", LOCAL_RANK="0", MASTER_ADDR="127.0.0.1", MASTER_PORT="29577")
    import torch

    torch.cuda.is_available = lambda: False
    torch.cuda.current_device = lambda: "cpu"
    torch.cuda.get_device_capability = lambda *_: (9, 0)
    torch.distributed.init_process_group("gloo", rank=0, world_size=1)
    from megatron.core import parallel_state
    from megatron.core.transformer.dot_product_attention import DotProductAttention

    parallel_state.initialize_model_parallel(1, 1)
    # Latent attention passes widths that local attention, which has no parameters, does not accept.
    begin = DotProductAttention.__init__
    DotProductAttention.__init__ = lambda self, *a, k_channels=None, v_channels=None, **k: begin(self, *a, **k)
    out, cases = sys.stdout, []
    for number, line in enumerate(LINES):
        sys.stdout = open("tests/data/tables/megatron_arguments.txt", "w") if number == 2 else sys.stderr
        cases.append(json.dumps({"arguments": line, "parameters": counted(line)}))
    print("[\n " + ",\n ".join(cases) + "\n]", file=out)


if __name__ == "__main__":
    main()
