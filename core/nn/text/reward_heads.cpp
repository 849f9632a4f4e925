#include "core/nn/text/reward_heads.hpp"

#include "core/nn/layers.hpp"

namespace param_ledger {

void reward_head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::other) return decoder_head(c, b, m);
  const bool of_steps = std::string_view(b.architecture().name).ends_with("ForProcessRewardModel");
  b.part(Part::output_head, [&] {
    linear(b, "score.0", m.hidden, m.hidden, true);
    linear(b, "score.2", m.hidden, c.literal(of_steps ? 2 : 1), true);
  });
}

void value_head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::other) return decoder_head(c, b, m);
  b.part(Part::output_head, [&] { linear(b, "v_head", m.hidden, c.literal(1)); });
}

}  // namespace param_ledger
