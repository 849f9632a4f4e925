#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/inputs/bytes/pieces.hpp"
#include "core/inputs/fit/fit.hpp"
#include "core/inputs/fit/printed_sums.hpp"
#include "core/inputs/gguf/gguf_config.hpp"
#include "core/inputs/named_model.hpp"
#include "core/inputs/printed/printed_model.hpp"
#include "core/inputs/tensors/listing.hpp"

namespace param_ledger {

/// What somebody may give: a configuration, what lists tensors, and what is none of these.
enum class What : std::uint8_t {
  config,
  safetensors,
  gguf,
  torch,
  torch_pickle,  ///< as torch wrote before its version 1.6
  npz,
  hdf5,
  onnx,
  flax,
  index,
  tensors,  ///< as JSON
  lines,
  table,       ///< of layers, with the parameters of each
  numbers,     ///< names, and how many elements each has
  own_answer,  ///< of this program
  own_table,
  names,  ///< of tensors, without their shapes: refused
  dump,   ///< what programs print of a GGUF file
  printed,
  notebook,  ///< refused
  files,     ///< named, perhaps with their sizes: refused
  named,     ///< no configuration, but the name of a model
  empty,
  binary,
  pointer,
  page,
  list,
  number,
  words
};

/// A file, or what was pasted.
struct Given {
  std::string_view name;
  std::string_view bytes;
  std::optional<std::uint64_t> size;
  std::vector<Piece> further = {};  ///< pieces of the file behind `bytes`, which are its begin
  What what = What::empty;
  std::string_view text = {};      ///< of bytes: without a mark or a fence around it
  std::string rewritten = {};      ///< holds `text` where it is not in `bytes`: other line ends, UTF-16, a configuration that is not JSON
  std::string_view notation = {};  ///< that a configuration was written in, where it is not JSON
};

/// The file as far as it is here; `wanted` outlives it.
inline Pieces pieces_of(const Given& given, std::optional<Wanted>& wanted) {
  std::vector<Piece> all = {{0, given.bytes}};
  all.insert(all.end(), given.further.begin(), given.further.end());
  return {given.name, std::move(all), given.size.value_or(given.bytes.size()), wanted};
}

/// Everything that was given, taken together.
struct Reading {
  std::vector<Given> given;
  std::optional<std::string_view> config;
  std::optional<NamedModel> named;  ///< the first that is
  What what = What::empty;
  Listing listing;
  std::optional<Listing> index;
  std::optional<Wanted> wanted;  ///< what a reader lacked last
  Settings known;                ///< of a printed model, what its text does not say
  PrintedModel printed;
  PrintedSums sums;
  std::vector<ListedRow> rows;
  std::optional<Fitted> fitted;
  GgufHead gguf;
  std::optional<GgufModel> gguf_model;
  std::vector<ListedRow> converted;  ///< of a GGUF file's: the checkpoint's that they are of
};

}  // namespace param_ledger
