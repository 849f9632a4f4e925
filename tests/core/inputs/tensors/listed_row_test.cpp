#include "core/inputs/tensors/listed_row.hpp"

#include "tests/support/catch.hpp"

namespace param_ledger::test {

// The limits of valid UTF-8 are those of RFC 3629, section 4.
TEST_CASE("text is checked for valid UTF-8", "[inputs]") {
  for (const std::string_view valid : {"", "a", "12345678", "123456789", "\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf",
                                       "\xee\x80\x80", "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "1234567\xc3\xa9!"}) {
    CAPTURE(valid);
    CHECK(is_utf8(valid));
  }
  for (const std::string_view invalid : {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xc2", "\xc2 ", "\xc2\xc0", "\xe0\x9f\xbf", "\xe2\x82",
                                         "\xe2\x82\x28", "\xe2\x28\xa1", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf0\x90\x80",
                                         "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "1234567\xff", "12345678\xff"}) {
    CAPTURE(invalid);
    CHECK_FALSE(is_utf8(invalid));
  }
}

TEST_CASE("a tensor's part follows from the innermost module that has a known name", "[inputs]") {
  CHECK(part_named("model.layers.0.self_attn.q_proj.weight") == "attention");
  CHECK(part_named("model.layers.0.mlp.gate.weight") == "router");
  CHECK(part_named("model.layers.0.mlp.gate_proj.weight") == "feed_forward");
  CHECK(part_named("model.layers.0.mlp.norm.weight") == "norm");
  CHECK(part_named("norm.mlp.weight") == "feed_forward");
  CHECK(part_named("h.0.ln_1.weight") == "norm");
  CHECK(part_named("h.0.xln.weight") == "other");  // "ln" must be the beginning of the name
  CHECK(part_named("layers.0.w1.weight") == "feed_forward");
  CHECK(part_named("layers.0.w10.weight") == "other");  // "w1" must be the whole name
  CHECK(part_named("layers.0.A_log") == "state_space");
  CHECK(part_named("lm_head.weight") == "output_head");
  CHECK(part_named("wte.weight") == "embedding");
  CHECK(part_named("a.b.weight") == "other");
  CHECK(part_named("") == "other");
  // Only the last 12 words of a name are tried.
  CHECK(part_named("mlp.a.a.a.a.a.a.a.a.a.a.a") == "feed_forward");
  CHECK(part_named("mlp.a.a.a.a.a.a.a.a.a.a.a.a") == "other");
}

TEST_CASE("towers and adapters are recognised anywhere in a name, or by its first module", "[inputs]") {
  CHECK(part_named("model.vision_tower.layers.0.norm.weight") == "vision");
  CHECK(part_named("audio_tower.conv.weight") == "audio");
  CHECK(part_named("model.multi_modal_projector.norm.weight") == "projector");
  CHECK(part_named("model.layers.0.self_attn.q_proj.lora_A.weight") == "adapter");
  CHECK(part_named("merger.mlp.weight") == "projector");
  CHECK(part_named("model.merger.mlp.weight") == "feed_forward");
  CHECK(part_named("mergers.mlp.weight") == "feed_forward");
}

TEST_CASE("buffers are recognised by the last part of their names", "[inputs]") {
  CHECK(names_buffer("layers.0.rotary_emb.inv_freq"));
  CHECK(names_buffer("position_ids"));
  CHECK(names_buffer("mlp.gate.e_score_correction_bias"));
  CHECK(names_buffer("rope.freqs"));
  CHECK_FALSE(names_buffer("model.rope.freqs"));
  CHECK_FALSE(names_buffer("inv_freq.weight"));
  CHECK_FALSE(names_buffer("my_position_ids"));
}

TEST_CASE("a shape with a zero has no elements, however large its other dimensions are", "[inputs]") {
  const std::uint64_t most = ~std::uint64_t{0}, dims[] = {most, most, most, 0, 2, 3};
  CHECK(bool(elements_of(dims, 0) == 1));
  CHECK(bool(elements_of(dims, 1) == most));
  CHECK_THROWS(elements_of(dims, 3));
  CHECK(bool(elements_of(dims, 4) == 0));
  CHECK(bool(elements_of(dims + 4, 2) == 6));
}

}  // namespace param_ledger::test
