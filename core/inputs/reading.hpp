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
  torch_pickle,  ///< a pickle, the format that torch.save wrote before PyTorch 1.6
  npz,
  hdf5,
  onnx,
  flax,
  index,
  tensors,  ///< a JSON object with the names and shapes of tensors
  lines,
  table,       ///< a table of layers with their numbers of parameters
  numbers,     ///< tensor names with their numbers of elements
  own_answer,  ///< a JSON answer of this program
  own_table,
  names,  ///< tensor names without shapes, which are refused
  dump,   ///< the output of a tool that lists the tensors of a GGUF file
  printed,
  notebook,  ///< a Jupyter notebook, which is refused
  files,     ///< file names, possibly with sizes, which are refused
  named,     ///< a text that names a model but is not its configuration
  empty,
  binary,
  pointer,
  page,
  list,
  number,
  words
};

/// An input: a file or pasted text.
struct Given {
  std::string_view name;
  std::string_view bytes;
  std::optional<std::uint64_t> size;
  std::vector<Piece> further = {};  ///< pieces of the file after `bytes`, which is its beginning
  What what = What::empty;
  std::string_view text = {};  ///< the input as text without a byte order mark or a code fence: a view of `bytes` or `rewritten`
  std::string rewritten =
      {};  ///< owns `text` if it was converted from UTF-16, other line ends or another notation, or had escape sequences
  std::string_view notation = {};  ///< the notation from which `text` was converted to JSON or to one tensor per line; otherwise empty
};

/// The pieces of a file that are available. `wanted` must outlive the result.
inline Pieces pieces_of(const Given& given, std::optional<Wanted>& wanted) {
  std::vector<Piece> all = {{0, given.bytes}};
  all.insert(all.end(), given.further.begin(), given.further.end());
  return {given.name, std::move(all), given.size.value_or(given.bytes.size()), wanted};
}

/// The inputs of a request, and what was read from them.
struct Reading {
  std::vector<Given> given;
  std::optional<std::string_view> config;
  std::optional<NamedModel> named;  ///< the first input that names a model without being its configuration
  What what = What::empty;
  Listing listing;
  std::optional<Listing> index;
  std::optional<Wanted> wanted;  ///< the last byte range that a reader needed but was not given
  Settings known;                ///< for a printed model: fields whose values the request gives as known
  PrintedModel printed;
  PrintedSums sums;
  std::vector<ListedRow> rows;
  std::optional<Fitted> fitted;
  GgufHead gguf;
  std::optional<GgufModel> gguf_model;
  std::vector<ListedRow> converted;  ///< a GGUF file's rows under the names of the original checkpoint
};

}  // namespace param_ledger
