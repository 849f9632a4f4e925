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

/// The kinds of input: configurations, formats that list tensors, and others.
enum class What : std::uint8_t {
  config,
  safetensors,
  gguf,
  torch,
  torch_pickle,  ///< as torch wrote before version 1.6
  npz,
  hdf5,
  onnx,
  flax,
  index,
  tensors,  ///< as JSON
  lines,
  table,       ///< layers with the parameters of each
  numbers,     ///< names with numbers of elements
  own_answer,  ///< of this program
  own_table,
  names,  ///< tensor names without shapes: refused
  dump,   ///< tools' listings of a GGUF file
  printed,
  notebook,  ///< refused
  files,     ///< file names, possibly with sizes: refused
  named,     ///< names a model without being its configuration
  empty,
  binary,
  pointer,
  page,
  list,
  number,
  words
};

/// A file or pasted text.
struct Given {
  std::string_view name;
  std::string_view bytes;
  std::optional<std::uint64_t> size;
  std::vector<Piece> further = {};  ///< pieces of the file after `bytes`, its beginning
  What what = What::empty;
  std::string_view text = {};      ///< view of `bytes`, without a byte order mark or a fence
  std::string rewritten = {};      ///< holds `text` if that is converted: from other line ends, UTF-16, or a configuration that is not JSON
  std::string_view notation = {};  ///< the notation of a configuration that is not JSON
};

/// The available part of the file; `wanted` must outlive it.
inline Pieces pieces_of(const Given& given, std::optional<Wanted>& wanted) {
  std::vector<Piece> all = {{0, given.bytes}};
  all.insert(all.end(), given.further.begin(), given.further.end());
  return {given.name, std::move(all), given.size.value_or(given.bytes.size()), wanted};
}

/// What was read from all inputs of a request.
struct Reading {
  std::vector<Given> given;
  std::optional<std::string_view> config;
  std::optional<NamedModel> named;  ///< the first of these
  What what = What::empty;
  Listing listing;
  std::optional<Listing> index;
  std::optional<Wanted> wanted;  ///< the last range that a reader needed
  Settings known;                ///< for a printed model: fields that its text does not give
  PrintedModel printed;
  PrintedSums sums;
  std::vector<ListedRow> rows;
  std::optional<Fitted> fitted;
  GgufHead gguf;
  std::optional<GgufModel> gguf_model;
  std::vector<ListedRow> converted;  ///< a GGUF file's rows under the original checkpoint's names
};

}  // namespace param_ledger
