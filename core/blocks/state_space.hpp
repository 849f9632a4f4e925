#pragma once

#include <string_view>

#include "core/builder.hpp"
#include "core/layers.hpp"

namespace param_ledger {

/// The selective state-space mixer of Mamba.
struct MambaMixer {
  Expr hidden;
  Expr inner;  ///< width of the mixer
  Expr state;
  Expr step_rank;  ///< width of the compressed time step
  Expr kernel;
  bool conv_bias = true;
  bool projection_bias = false;
};

/// Records `name.in_proj`, conv1d, x_proj, dt_proj, A_log, D, out_proj. Source: transformers, models/mamba.
void mamba_mixer(Builder& b, std::string_view name, const MambaMixer& m);

/// The mixer of Mamba-2, which hybrids take over under other field names.
struct Mamba2Mixer {
  Expr hidden;
  Expr inner;  ///< width of the mixer
  Expr heads;
  Expr groups;
  Expr state;
  Expr kernel;
  bool conv_bias = true;
  bool projection_bias = false;
};

/// Records `name.dt_bias`, A_log, D, conv1d, in_proj, norm, out_proj. Source: transformers, models/mamba2.
void mamba2_mixer(Builder& b, std::string_view name, const Mamba2Mixer& m);

}  // namespace param_ledger
