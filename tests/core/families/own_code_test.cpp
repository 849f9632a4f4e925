// Tests models that transformers lacks or does not build as published. Most expected numbers come from the models' own code and files.

#include "tests/support/oracle.hpp"

namespace param_ledger::test {

TEST_CASE("types with their own code are counted tensor by tensor", "[families]") {
  const std::vector<Case> cases = cases_of(text_of("own_code.jsonl"));
  REQUIRE(cases.size() >= 10);
  for (const Case& wanted : cases) {
    CAPTURE(wanted.id, wanted.config);
    const Json answer = answer_to(wanted.config);
    CHECK(total(answer) == wanted.parameters);
    if (answer.at("ok").get<bool>()) CHECK(differences(wanted.tensors, tensors_of(answer)).empty());
  }
}

// The files of microsoft/Florence-2-large-ft hold 770,430,041 elements: the parameters, the position embeddings of frames, and a bias that
// is always 0. transformers ignores dim_embed and would build a model with 498,809,856 parameters.
TEST_CASE("Florence-2 is counted by the field names that it was published with", "[families]") {
  const std::string published = R"({"model_type": "florence2", "architectures": ["Florence2ForConditionalGeneration"],
    "text_config": {"vocab_size": 51289, "d_model": 1024}, "vision_config": {"model_type": "davit", "dim_embed": [256, 512, 1024, 2048],
    "num_heads": [8, 16, 32, 64], "num_groups": [8, 16, 32, 64], "projection_dim": 1024,
    "visual_temporal_embedding": {"type": "COSINE", "max_temporal_embeddings": 100},
    "image_pos_embed": {"type": "learned_abs_2d", "max_pos_embeddings": 50}}})";
  const Json answer = answer_to(published);
  CHECK(total(answer, "published") == "770430041");
  CHECK(total(answer) == "770173952");
  CHECK(total(answer, "buffers") == "204800");
}

// Fields that moonshotai/Kimi-K2.5 was published with. transformers' class for this model uses other names.
TEST_CASE("Kimi K2.5 is counted by the field names that it was published with", "[families]") {
  const std::string published =
      R"({"model_type": "kimi_k25", "architectures": ["KimiK25ForConditionalGeneration"], "tie_word_embeddings": false,
    "text_config": {"model_type": "kimi_k2", "hidden_size": 7168, "intermediate_size": 18432, "num_hidden_layers": 61, "vocab_size": 163840,
    "num_attention_heads": 64, "n_routed_experts": 384, "num_experts_per_tok": 8, "first_k_dense_replace": 1},
    "vision_config": {"vt_hidden_size": 1152, "vt_intermediate_size": 4304, "vt_num_attention_heads": 16, "vt_num_hidden_layers": 27,
    "init_pos_emb_height": 64, "init_pos_emb_width": 64, "mm_hidden_size": 1152, "merge_kernel_size": [2, 2]}})";
  CHECK(total(answer_to(published)) == "1026879353328");
}

// A configuration of MiniMax-M3's text model alone. The result must be the model that transformers builds from text_config, plus the head.
TEST_CASE("MiniMax-M3's text model is counted by itself", "[families]") {
  const std::string frequencies = "[0, 0, 0" + [] {
    std::string ones;
    for (int i = 3; i < 60; ++i) ones += ", 1";
    return ones + "]";
  }();
  const std::string config =
      R"({"model_type": "minimax_m3", "architectures": ["MiniMaxM3ForCausalLM"], "hidden_size": 6144, "head_dim": 128,
    "dense_intermediate_size": 12288, "intermediate_size": 3072, "shared_intermediate_size": 3072, "num_attention_heads": 64,
    "num_key_value_heads": 4, "num_hidden_layers": 60, "num_local_experts": 128, "num_experts_per_tok": 4, "vocab_size": 200064,
    "moe_layer_freq": )" +
      frequencies + R"(, "sparse_attention_config": {"sparse_index_dim": 128, "sparse_num_index_heads": 4,
    "sparse_attention_freq": )" +
      frequencies + "}}";
  CHECK(total(answer_to(config)) == "426174565632");
}

// The files of microsoft/Phi-4-multimodal-instruct hold 5,574,460,384 elements.
TEST_CASE("Phi-4-multimodal is counted with its adapters, as published", "[families]") {
  const Json answer = answer_to(
      R"json({"model_type": "phi4mm", "architectures": ["Phi4MMForCausalLM"], "hidden_size": 3072, "intermediate_size": 8192,
    "num_hidden_layers": 32, "num_attention_heads": 24, "num_key_value_heads": 8, "vocab_size": 200064, "tie_word_embeddings": true,
    "vision_lora": {"r": 256, "layer": "layers.*((self_attn\\.(qkv_proj|o_proj))|(mlp\\.(gate_up|down)_proj))"},
    "speech_lora": {"r": 320, "layer": "((layers.*self_attn\\.(qkv|o)_proj)|(layers.*mlp\\.(gate_up|down)_proj))"},
    "audio_processor": {"name": "cascades", "config": {"attention_dim": 1024, "attention_heads": 16, "batch_norm": false,
      "bias_in_glu": true, "cnn_layer_norm": true, "depthwise_multiplier": 1, "depthwise_seperable_out_channel": 1024,
      "ext_pw_out_channel": 1024, "input_layer": "nemo_conv", "input_size": 80, "kernel_size": 3, "linear_units": 1536,
      "nemo_conv_settings": {"conv_channels": 1024}, "num_blocks": 24, "time_reduction": 8,
      "relative_attention_bias_args": {"t5_bias_max_distance": 500, "type": "t5"}}},
    "embd_layer": {"embedding_cls": "image_audio", "audio_embd_layer": {"projection_cls": "mlp", "downsample_rate": 1},
      "image_embd_layer": {"projection_cls": "mlp", "image_token_compression_cls": "avg_pool_2d", "use_hd_transform": true,
        "with_learnable_separator": true}}})json");
  CHECK(total(answer, "published") == "5574460384");
}

// The dimensions of apple/OpenELM-1_1B.
TEST_CASE("OpenELM's layers have their own numbers of heads and widths", "[families]") {
  CHECK(total(answer_to(
            R"({"model_type": "openelm", "architectures": ["OpenELMForCausalLM"], "ffn_dim_divisor": 256, "ffn_multipliers": [0.5, 0.63,
    0.76, 0.89, 1.02, 1.15, 1.28, 1.41, 1.54, 1.67, 1.8, 1.93, 2.06, 2.19, 2.31, 2.44, 2.57, 2.7, 2.83, 2.96, 3.09, 3.22, 3.35, 3.48, 3.61,
    3.74, 3.87, 4.0], "head_dim": 64, "model_dim": 2048, "normalize_qk_projections": true, "num_kv_heads": [4, 4, 4, 5, 5, 5, 5, 5, 5, 5,
    6, 6, 6, 6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 8, 8, 8, 8], "num_query_heads": [16, 16, 16, 20, 20, 20, 20, 20, 20, 20, 24, 24, 24, 24, 24,
    24, 24, 24, 28, 28, 28, 28, 28, 28, 32, 32, 32, 32], "num_transformer_layers": 28, "share_input_output_layers": true,
    "vocab_size": 32000})")) == "1079891456");
}

// Source: LAVIS's med_config.json, med_config_albef.json and med_large_config.json, and its med.py: BERT's encoder with cross-attention.
TEST_CASE("the BERT of BLIP attends to an image", "[families]") {
  const std::string config = R"({"model_type": "bert", "architectures": ["BertModel"], "add_cross_attention": true, "encoder_width": )";
  const Json blip = answer_to(config + R"(768, "vocab_size": 30524})");
  CHECK(total(blip) == "137849088");
  CHECK(total(blip, "buffers") == "512");
  CHECK(total(answer_to(config + R"(768, "fusion_layer": 6})")) == "123664128");
  CHECK(total(answer_to(config + R"(1024, "vocab_size": 30524})")) == "142567680");
  CHECK(answer_to(R"({"model_type": "bert", "add_cross_attention": true})").at("error").at("field") == "is_decoder");
}

// SGLang uses the model type deepseek_ref for its own copies of DeepSeek-V4.
TEST_CASE("deepseek_ref is DeepSeek-V4", "[families]") { CHECK(parameters("deepseek_ref", {}) == parameters("deepseek_v4", {})); }

// The model type gpt2-ja is unknown to transformers. The class is GPT-2's, and the configuration gives every dimension.
TEST_CASE("a class is counted under an unknown type if the configuration gives every number", "[families]") {
  const std::string rest = R"("architectures": ["GPT2LMHeadModel"], "n_ctx": 1024, "n_embd": 1024, "n_head": 16, "n_inner": 4096,
    "n_layer": 24, "n_positions": 1024, "vocab_size": 32000})";
  CHECK(total(answer_to(R"({"model_type": "gpt2-ja", )" + rest)) == total(answer_to(R"({"model_type": "gpt2", )" + rest)));
  const Json refused = answer_to(R"({"model_type": "gpt2-ja", "architectures": ["GPT2LMHeadModel"], "n_embd": 768})");
  CHECK(refused.at("error").at("code") == "unknown_architecture");
}

TEST_CASE("variants that this code builds differently are refused", "[families]") {
  CHECK(parameters("qwen", {{"visual", "{}"}}) == "unsupported");
  CHECK(parameters("qwen", {{"n_embd", "4096"}, {"n_layer", "32"}, {"n_head", "32"}, {"ffn_hidden_size", "22016"}}) == "7721324544");
  CHECK(parameters("qwen", {{"kv_channels", "64"}}) == "inconsistent");
  CHECK(parameters("baichuan", {{"architectures", R"(["BaichuanForCausalLM"])"}}) == "missing_field");
  CHECK(parameters("chatglm", {{"inner_hidden_size", "16384"}}) == "unsupported");
  CHECK(parameters("chatglm", {{"vision_config", "{}"}}) == "unsupported");
  CHECK(parameters("chatglm", {{"pre_seq_len", "128"}}) == "unsupported");
  CHECK(parameters("chatglm", {{"pre_seq_len", "null"}}) == "7124258816");
  CHECK(parameters("phi-msft", {{"n_head", "16"}, {"n_head_kv", "5"}}) == "not_divisible");
  CHECK(parameters("phi3small", {{"ff_dim_multiplier", "4"}}) == "unsupported");
  CHECK(parameters("internlm", {{"num_key_value_heads", "8"}}) == "inconsistent");
  CHECK(parameters("internlm2", {{"head_dim", "64"}}) == "inconsistent");
  CHECK(parameters("exaone", {{"head_dim", "128"}}) == "inconsistent");
  CHECK(parameters("orion", {}) == "inconsistent");  // its defaults contradict each other
  CHECK(parameters("xverse", {{"num_key_value_heads", "8"}}) == "inconsistent");
  CHECK(parameters("minicpm", {{"num_experts", "8"}}) == "unsupported");
  CHECK(parameters("bailing_moe", {}) == "missing_field");
  CHECK(parameters("nemotron-nas", {}) == "missing_field");
  CHECK(parameters("hunyuan", {{"use_mla", "true"}}) == "unsupported");
  CHECK(parameters("kimi_vl", {}) == "missing_field");
  CHECK(parameters("kimi_k3", {}) == "missing_field");
  CHECK(parameters("openelm", {}) == "inconsistent");
  CHECK(parameters("phi4mm", {}) == "missing_field");
  CHECK(parameters("llava_llama", {{"mm_vision_tower", "\"someone/tower\""}}) == "unsupported");
}

}  // namespace param_ledger::test
