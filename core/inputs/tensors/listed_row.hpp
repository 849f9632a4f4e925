#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/builder/builder.hpp"
#include "core/inputs/tensors/dtype.hpp"

namespace param_ledger {

/// The kind of a tensor that was read. `packed`: each element holds several numbers. `scale`: an auxiliary tensor of a quantized weight,
/// such as its scales or zero points; not a parameter. `tied`: shares the storage of another tensor.
enum class ListedKind : std::uint8_t { parameter, buffer, packed, scale, tied };
std::string_view spelling(ListedKind kind);

/// Tensors that have the same shape, and names that differ only in indices.
struct ListedRow {
  std::string name;             ///< with index ranges: "layers.[0-31].mlp"
  std::string checkpoint = {};  ///< in a converted file: the name in the original checkpoint, if known
  std::vector<std::uint64_t> shape;
  Dtype dtype = 0;
  bool shaped = true;    ///< whether the shape is known
  bool sized = true;     ///< whether the number of elements is known, even if the shape is not
  bool literal = false;  ///< whether brackets in the name are ordinary characters, not index ranges
  bool taken = false;  ///< whether the row is partly assumed: either tensors that a printed model's class implies, or the number of weights
                       ///< in each element of a packed tensor
  bool adapter = false;   ///< whether it belongs to an adapter
  bool trainable = true;  ///< whether it is trained; false if it is frozen because the model has adapters
  ListedKind kind = ListedKind::parameter;
  Count copies = 1;
  Count elements = 0;  ///< number of stored elements in one tensor
  Count numbers = 0;   ///< number of weights in one tensor: more than `elements` if they are packed
};

/// Something that could not be read or contradicts the format.
struct Problem {
  std::size_t file;    ///< position of the file in the list of inputs
  std::uint64_t line;  ///< the problem's line in the file; 0 if it has none
  std::string message;
};

/// The first problems in the order in which they were found, and the total number of problems.
class Problems {
 public:
  static constexpr std::size_t most = 100;
  void add(std::uint64_t line, std::initializer_list<std::string_view> message);
  void add(std::uint64_t line, std::string_view message) { add(line, {message}); }
  /// Adds a problem with the tensor `name`. `what` is the rest of the sentence, from its verb on and without the full stop: "is not
  /// aligned".
  void add_of(std::string_view name, std::string_view what);
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] const std::vector<Problem>& list() const { return list_; }

  std::size_t file = 0;  ///< position of the input in which further problems are found

 private:
  std::vector<Problem> list_;
  std::uint64_t count_ = 0;
};

/// Throws an Error that refuses a broken or unsupported file.
[[noreturn]] void refuse_file(std::string_view message);

/// Whether a number of elements fits into 64 bits. Files cannot contain more elements.
constexpr bool fits(Count elements) { return elements <= ~std::uint64_t{0}; }

/// The product of the dimensions. Throws Error{overflow} if it is too large.
Count elements_of(const std::uint64_t* dims, std::size_t rank);

/// The part of a model (as named in the answer) that a tensor's name indicates; "other" if it indicates none.
std::string_view part_named(std::string_view name);

/// Whether the name is typical of a buffer, such as a running mean, a mask or RoPE frequencies.
bool names_buffer(std::string_view name);

/// Whether the bytes are valid UTF-8, without overlong forms and surrogates.
bool is_utf8(std::string_view text);

}  // namespace param_ledger
