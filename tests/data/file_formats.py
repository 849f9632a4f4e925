#!/usr/bin/env python3
"""Files of 42 small models as the real tools write them, each in four formats: one line of JSON per model, compressed with gzip.

    file_formats.py OUT.jsonl.gz

Needs: pip install torch==2.13.0 transformers==5.23.0 safetensors numpy

Weights are zeros, which compress well.

    config    as save_pretrained writes it
    tensors   what safetensors reads from the file that save_pretrained wrote: {name: [dtype, shape]}
    files     {file name: its bytes, one character each}: model.safetensors (save_pretrained), pytorch_model.bin (torch.save), old.bin (the
              same in the format before archives), weights.npz (NumPy)
"""
import gzip, io, json, os, sys, tempfile, warnings

import numpy as np
import safetensors
import safetensors.torch
import torch
import transformers

SMALL = {"hidden_size": 16, "intermediate_size": 24, "num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 1,
         "vocab_size": 40, "max_position_embeddings": 16}
ENCODER = {**SMALL, "num_key_value_heads": None, "pad_token_id": 0}
EXPERTS = {"num_experts_per_tok": 2, "moe_intermediate_size": 8}
LATENT = {"q_lora_rank": 8, "kv_lora_rank": 8, "qk_nope_head_dim": 8, "qk_rope_head_dim": 4, "v_head_dim": 8, "n_routed_experts": 4,
          "n_shared_experts": 1, "first_k_dense_replace": 1, "n_group": 2, "topk_group": 1, "num_key_value_heads": 2, **EXPERTS}
BOTH = {"d_model": 16, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 2, "decoder_attention_heads": 2,
        "encoder_ffn_dim": 24, "decoder_ffn_dim": 24, "vocab_size": 40, "max_position_embeddings": 16, "pad_token_id": 0,
        "decoder_start_token_id": 0, "eos_token_id": 1, "bos_token_id": 2, "forced_eos_token_id": 1}
IMAGE = {"hidden_size": 16, "intermediate_size": 24, "num_hidden_layers": 2, "num_attention_heads": 2, "image_size": 8, "patch_size": 4}
TEXT = {"hidden_size": 16, "intermediate_size": 24, "num_hidden_layers": 2, "num_attention_heads": 2, "vocab_size": 40,
        "max_position_embeddings": 16}
PAD = {"pad_token_id": 0}
# (model_type, class, fields; None: not set)
MODELS = [
    ("llama", "LlamaForCausalLM", SMALL),
    ("mistral", "MistralForCausalLM", SMALL),
    ("qwen2", "Qwen2ForCausalLM", {**SMALL, "tie_word_embeddings": True}),
    ("qwen3", "Qwen3ForCausalLM", {**SMALL, "head_dim": 8}),
    ("gemma", "GemmaForCausalLM", {**SMALL, "head_dim": 8}),
    ("gemma2", "Gemma2ForCausalLM", {**SMALL, "head_dim": 8}),
    ("gemma3_text", "Gemma3ForCausalLM", {**SMALL, "head_dim": 8}),
    ("phi", "PhiForCausalLM", {**SMALL, "num_key_value_heads": 2}),
    ("phi3", "Phi3ForCausalLM", {**SMALL, **PAD}),
    ("gpt2", "GPT2LMHeadModel", {**SMALL, "num_key_value_heads": None}),
    ("gptj", "GPTJForCausalLM", {**SMALL, "num_key_value_heads": None, "rotary_dim": 4}),
    ("gpt_neox", "GPTNeoXForCausalLM", {**SMALL, "num_key_value_heads": None}),
    ("opt", "OPTForCausalLM", {**ENCODER, "ffn_dim": 24, "intermediate_size": None, "word_embed_proj_dim": 16}),
    ("bloom", "BloomForCausalLM", {"hidden_size": 16, "n_layer": 2, "n_head": 2, "vocab_size": 40}),
    ("falcon", "FalconForCausalLM", {**SMALL, "num_key_value_heads": None, "intermediate_size": None}),
    ("olmo2", "Olmo2ForCausalLM", SMALL),
    ("cohere", "CohereForCausalLM", SMALL),
    ("granite", "GraniteForCausalLM", SMALL),
    ("starcoder2", "Starcoder2ForCausalLM", SMALL),
    ("stablelm", "StableLmForCausalLM", SMALL),
    ("glm4", "Glm4ForCausalLM", {**SMALL, "head_dim": 8, **PAD}),
    ("mixtral", "MixtralForCausalLM", {**SMALL, "num_local_experts": 4, "num_experts_per_tok": 2}),
    ("qwen2_moe", "Qwen2MoeForCausalLM", {**SMALL, "num_experts": 4, "shared_expert_intermediate_size": 8, **EXPERTS}),
    ("qwen3_moe", "Qwen3MoeForCausalLM", {**SMALL, "num_experts": 4, "head_dim": 8, **EXPERTS}),
    ("deepseek_v2", "DeepseekV2ForCausalLM", {**SMALL, **LATENT}),
    ("deepseek_v3", "DeepseekV3ForCausalLM", {**SMALL, **LATENT}),
    ("gpt_oss", "GptOssForCausalLM", {**SMALL, "num_local_experts": 4, "num_experts_per_tok": 2, "head_dim": 8}),
    ("jamba", "JambaForCausalLM", {**SMALL, "num_experts": 2, "num_experts_per_tok": 1, "attn_layer_period": 2, "attn_layer_offset": 1,
                                   "expert_layer_period": 2, "expert_layer_offset": 1, "mamba_d_state": 4, "mamba_dt_rank": 2,
                                   "use_mamba_kernels": False, **PAD}),
    ("mamba", "MambaForCausalLM", {"hidden_size": 16, "num_hidden_layers": 2, "vocab_size": 40, "state_size": 4}),
    ("mamba2", "Mamba2ForCausalLM", {"hidden_size": 16, "num_hidden_layers": 2, "vocab_size": 40, "state_size": 4, "num_heads": 4, "head_dim": 8,
                                     "n_groups": 1}),
    ("bert", "BertForMaskedLM", ENCODER),
    ("roberta", "RobertaForSequenceClassification", ENCODER),
    ("modernbert", "ModernBertForMaskedLM", ENCODER),
    ("vit", "ViTForImageClassification", IMAGE),
    ("dinov2", "Dinov2Model", IMAGE),
    ("siglip", "SiglipModel", {"text_config": TEXT, "vision_config": IMAGE}),
    ("clip", "CLIPModel", {"text_config": TEXT, "vision_config": {**IMAGE, "projection_dim": 8}, "projection_dim": 8}),
    ("llava", "LlavaForConditionalGeneration", {"text_config": {"model_type": "llama", **SMALL},
                                                "vision_config": {"model_type": "clip_vision_model", **IMAGE, "projection_dim": 8}}),
    ("t5", "T5ForConditionalGeneration", {"d_model": 16, "d_kv": 8, "d_ff": 24, "num_layers": 2, "num_heads": 2, "vocab_size": 40}),
    ("bart", "BartForConditionalGeneration", BOTH),
    ("marian", "MarianMTModel", BOTH),
    ("whisper", "WhisperForConditionalGeneration", {**BOTH, "max_position_embeddings": None, "max_source_positions": 8, "max_target_positions": 8,
                                                    "num_mel_bins": 4}),
]


def written(kind, cls, fields, room):
    cfg = transformers.AutoConfig.for_model(kind, **{key: value for key, value in fields.items() if value is not None})
    model = getattr(transformers, cls)(cfg)
    with torch.no_grad():
        for tensor in [*model.parameters(), *model.buffers()]:
            tensor.zero_()
    model.save_pretrained(room)
    path = os.path.join(room, "model.safetensors")
    with safetensors.safe_open(path, "pt") as file:
        tensors = {name: [file.get_slice(name).get_dtype(), file.get_slice(name).get_shape()] for name in file.keys()}
    state = safetensors.torch.load_file(path)
    files = {"model.safetensors": open(path, "rb").read()}
    for name, new in (("pytorch_model.bin", True), ("old.bin", False)):
        data = io.BytesIO()
        torch.save(state, data, _use_new_zipfile_serialization=new)
        files[name] = data.getvalue()
    data = io.BytesIO()
    np.savez(data, **{name: tensor.float().numpy() for name, tensor in state.items()})
    files["weights.npz"] = data.getvalue()
    return {
        "config": json.load(open(os.path.join(room, "config.json"))),
        "tensors": tensors,
        "files": {name: data.decode("latin-1") for name, data in files.items()},
    }


def main():
    warnings.filterwarnings("ignore")
    transformers.logging.set_verbosity_error()
    out = []
    for kind, cls, fields in MODELS:
        with tempfile.TemporaryDirectory() as room:
            out.append(json.dumps(written(kind, cls, fields, room), separators=(",", ":"), ensure_ascii=False))
    with open(sys.argv[1], "wb") as file, gzip.GzipFile(fileobj=file, mode="wb", compresslevel=9, mtime=0) as packed:
        packed.write(("\n".join(out) + "\n").encode())


main()
