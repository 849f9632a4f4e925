#include "core/model/module_renames.hpp"

namespace param_ledger {

namespace {

// Renames that apply regardless of the enclosing modules. Source: transformers, conversion_mapping.py.
constexpr ModuleRename all[] = {
    {" beit ", "attention.attention.relative_position_bias", "relative_position_bias"},
    {" vit deit beit vit_mae vit_msn ijepa vivit audio-spectrogram-transformer dinov2 dinov2_with_registers ", "attention.attention.query",
     "attention.q_proj"},
    {" vit deit beit vit_mae vit_msn ijepa vivit audio-spectrogram-transformer dinov2 dinov2_with_registers ", "attention.attention.key",
     "attention.k_proj"},
    {" vit deit beit vit_mae vit_msn ijepa vivit audio-spectrogram-transformer dinov2 dinov2_with_registers ", "attention.attention.value",
     "attention.v_proj"},
    {" swin segformer ", "attention.self.query", "attention.q_proj"},
    {" swin segformer ", "attention.self.key", "attention.k_proj"},
    {" swin segformer ", "attention.self.value", "attention.v_proj"},
    {" vit deit beit vit_mae vit_msn ijepa vivit audio-spectrogram-transformer dinov2 dinov2_with_registers swin segformer ",
     "attention.output.dense", "attention.o_proj"},
    {" vit deit beit vit_mae vit_msn ijepa vivit audio-spectrogram-transformer swin ", "intermediate.dense", "mlp.fc1"},
    {" vit deit beit vit_mae vit_msn ijepa vivit audio-spectrogram-transformer swin ", "output.dense", "mlp.fc2"},
    {" vit deit beit vit_mae vit_msn ijepa vivit audio-spectrogram-transformer ", "encoder.layer", "layers"},
    {" vit_mae ", "decoder_encoder.layer", "decoder_layers"},
    {" segformer ", "encoder.patch_embeddings.\x01", "stages.\x01.patch_embeddings"},
    {" segformer ", "encoder.block.\x01.\x01", "stages.\x01.blocks.\x01"},
    {" segformer ", "encoder.layer_norm.\x01", "stages.\x01.layer_norm"},
    {" segformer ", "layer_norm_1", "layernorm_before"},
    {" segformer ", "layer_norm_2", "layernorm_after"},
    {" segformer ", "attention.self.sr", "attention.sequence_reduction.sequence_reduction"},
    {" segformer ", "attention.self.layer_norm", "attention.sequence_reduction.layer_norm"},
    {" segformer ", "mlp.dense1", "mlp.fc1"},
    {" segformer ", "mlp.dense2", "mlp.fc2"},
    {" segformer ", "decode_head.linear_c", "decode_head.linear_projections"},
    {" axk1 ", "post_mlp_layernorm", "mlp.post_mlp_layernorm"},
    {" axk2 ", "self_attn.q_b_proj", "self_attn.q_gate_proj"},
    {" axk2 ", "W_down", "mlp.fc1"},
    {" axk2 ", "W_up", "mlp.fc2"},
    {" bailing_hybrid ", "word_embeddings", "embed_tokens"},
    {" bailing_hybrid ", "attention.q_conv1d", "attention.conv1d"},
    {" bailing_hybrid ", "attention.k_conv1d", "attention.conv1d"},
    {" bailing_hybrid ", "attention.v_conv1d", "attention.conv1d"},
    {" bailing_hybrid ", "attention.A_log", "attention.forget_gate.A_log"},
    {" bailing_hybrid ", "attention.dt_bias", "attention.forget_gate.dt_bias"},
    {" bailing_hybrid ", "attention.f_proj", "attention.forget_gate.f_proj"},
    {" bailing_hybrid ", "attention.dense", "attention.o_proj"},
    {" bailing_hybrid ", "attention", "self_attn"},
    {" deepseek_v4 ", "attn.attn_sink", "self_attn.sinks"},
    {" deepseek_v4 ", "attn.wq_a", "self_attn.q_a_proj"},
    {" deepseek_v4 ", "attn.wq_b", "self_attn.q_b_proj"},
    {" deepseek_v4 ", "attn.q_norm", "self_attn.q_a_norm"},
    {" deepseek_v4 ", "attn.wkv", "self_attn.kv_proj"},
    {" deepseek_v4 ", "attn.norm", "self_attn.kv_norm"},
    {" deepseek_v4 ", "attn.kv_norm", "self_attn.kv_norm"},
    {" deepseek_v4 ", "attn.wo_a", "self_attn.o_a_proj"},
    {" deepseek_v4 ", "attn.wo_b", "self_attn.o_b_proj"},
    {" deepseek_v4 ", "attn.indexer.compressor", "attn.compressor.indexer"},
    {" deepseek_v4 ", "attn.indexer.wq_b", "attn.compressor.indexer.q_b_proj"},
    {" deepseek_v4 ", "attn.indexer.weights_proj", "attn.compressor.indexer.scorer.weights_proj"},
    {" deepseek_v4 ", "compressor.ape", "compressor.position_bias"},
    {" deepseek_v4 ", "compressor.wkv", "compressor.kv_proj"},
    {" deepseek_v4 ", "compressor.wgate", "compressor.gate_proj"},
    {" deepseek_v4 ", "compressor.norm", "compressor.kv_norm"},
    {" deepseek_v4 ", "indexer.ape", "indexer.position_bias"},
    {" deepseek_v4 ", "indexer.wkv", "indexer.kv_proj"},
    {" deepseek_v4 ", "indexer.wgate", "indexer.gate_proj"},
    {" deepseek_v4 ", "indexer.norm", "indexer.kv_norm"},
    {" deepseek_v4 ", "attn", "self_attn"},
    {" deepseek_v4 ", "shared_experts.w1", "shared_experts.gate_proj"},
    {" deepseek_v4 ", "shared_experts.w3", "shared_experts.up_proj"},
    {" deepseek_v4 ", "shared_experts.w2", "shared_experts.down_proj"},
    {" deepseek_v4 ", "ffn", "mlp"},
    {" deepseek_v4 ", "attn_norm", "input_layernorm"},
    {" deepseek_v4 ", "ffn_norm", "post_attention_layernorm"},
    {" deepseek_v4 ", "hc_attn_fn", "attn_hc.fn"},
    {" deepseek_v4 ", "hc_attn_base", "attn_hc.base"},
    {" deepseek_v4 ", "hc_attn_scale", "attn_hc.scale"},
    {" deepseek_v4 ", "hc_ffn_fn", "ffn_hc.fn"},
    {" deepseek_v4 ", "hc_ffn_base", "ffn_hc.base"},
    {" deepseek_v4 ", "hc_ffn_scale", "ffn_hc.scale"},
    {" deepseek_v4 ", "embed", "embed_tokens"},
    {" deepseek_v4 ", "head", "lm_head"},
    {" gpt_neox ", "embed_out", "lm_head"},
    {" ernie4_5_moe ", "mlp.moe_statics", "mlp.gate.moe_statics"},
    {" hy_v3 ", "router.gate", "gate"},
    {" hy_v3 ", "shared_mlp", "shared_experts"},
    {" hy_v4 ", "learnable_sink_param", "sinks"},
    {" hy_v4 ", "linear_gate", "gate_proj"},
    {" hy_v4 ", "hc_pre.hc_attn_layer.hc_fn", "attn_hc.fn"},
    {" hy_v4 ", "hc_pre.hc_attn_layer.hc_base", "attn_hc.base"},
    {" hy_v4 ", "hc_pre.hc_attn_layer.hc_scale", "attn_hc.scale"},
    {" hy_v4 ", "hc_pre.hc_mlp_layer.hc_fn", "ffn_hc.fn"},
    {" hy_v4 ", "hc_pre.hc_mlp_layer.hc_base", "ffn_hc.base"},
    {" hy_v4 ", "hc_pre.hc_mlp_layer.hc_scale", "ffn_hc.scale"},
    {" hy_v4 ", "hc_pre.hc_head", "hc_head"},
    {" kimi_linear ", "self_attn.q_conv1d", "self_attn.conv1d"},
    {" kimi_linear ", "self_attn.k_conv1d", "self_attn.conv1d"},
    {" kimi_linear ", "self_attn.v_conv1d", "self_attn.conv1d"},
    {" kimi_linear ", "self_attn.dt_bias", "self_attn.forget_gate.dt_bias"},
    {" kimi_linear ", "self_attn.A_log", "self_attn.forget_gate.A_log"},
    {" kimi_linear ", "self_attn.f_a_proj", "self_attn.forget_gate.f_a_proj"},
    {" kimi_linear ", "self_attn.f_b_proj", "self_attn.forget_gate.f_b_proj"},
    {" kimi_linear ", "block_sparse_moe", "mlp"},
    {" kolibri1 ", "post_attn_norm", "post_self_attn_layernorm"},
    {" kolibri1 ", "post_ffn_norm", "post_mlp_layernorm"},
    {" laguna ", "experts.e_score_correction_bias", "gate.e_score_correction_bias"},
    {" laguna ", "shared_expert", "shared_experts"},
    {" olmo_hybrid ", "attention_layer_norm", "input_layernorm"},
    {" olmo_hybrid ", "feedforward_layer_norm", "post_attention_layernorm"},
    {" olmo_hybrid ", "linear_attn.q_conv1d", "linear_attn.conv1d"},
    {" olmo_hybrid ", "linear_attn.k_conv1d", "linear_attn.conv1d"},
    {" olmo_hybrid ", "linear_attn.v_conv1d", "linear_attn.conv1d"},
};

/// Model types whose modules, in a comparison with transformers, differed from those in files in more than the renames above.
constexpr std::string_view undescribed =
    " cohere_asr conditional_detr cosmos3_edge cosmos3_omni d_fine deformable_detr detr dots3_note ernie4_5_vl_moe "
    "gradium_phonon_tts gte hrm_text hunyuan_vl hyperclovax_vision_v2 ibert inkling2 inkling2_text "
    "inkling_mm_model jina_embeddings_v3 kimi_k25 lfm3 lw_detr maskformer minimax_m3_vl mistral_large4 "
    "mistral_large4_text molmo2 molmo2_text nemo_speechlm nemotron_h_omni nomic_bert pi0 pixio pp_doclayout_v2 "
    "pp_doclayout_v3 pp_doclayout_v4 pp_formulanet qianfan_ocr radio rf_detr rt_detr rt_detr_v2 sapiens2 step3p7 "
    "timesfm2_5 tipsv2 tipsv2_dpt tipsv2_text_model tipsv2_vision_model ultrabert ultravbert unlimited_ocr ";

/// The position of a sequence of modules in a name, as whole words; npos if it does not occur.
std::size_t place_of(std::string_view modules, std::string_view name) {
  for (std::size_t at = name.find(modules); at != std::string_view::npos; at = name.find(modules, at + 1)) {
    const std::size_t end = at + modules.size();
    if ((at == 0 || name[at - 1] == '.') && (end == name.size() || name[end] == '.')) return at;
  }
  return std::string_view::npos;
}

}  // namespace

std::vector<const ModuleRename*> module_renames(std::string_view model_type) {
  std::vector<const ModuleRename*> out;
  const std::string between = concat({" ", model_type, " "});
  for (const ModuleRename& r : all)
    if (holds(r.model_types, between)) out.push_back(&r);
  return out;
}

bool has_other_modules(std::string_view model_type) { return holds(undescribed, concat({" ", model_type, " "})); }

std::string renamed(const std::vector<const ModuleRename*>& renames, std::string name) {
  for (const ModuleRename* const r : renames) {
    const std::string_view stored = r->stored;
    if (const std::size_t at = place_of(stored, name); at != std::string::npos) name.replace(at, stored.size(), r->printed);
  }
  return name;
}

}  // namespace param_ledger
