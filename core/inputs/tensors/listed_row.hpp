#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/builder/builder.hpp"
#include "core/inputs/tensors/dtype.hpp"

namespace param_ledger {

/// What a tensor that was read is. `packed`: several numbers in each element. `scale`: what packed or narrow numbers are read by (scales,
/// zero points, tables), no parameters of the model. `buffer`: told by its name or its module. `tied`: printed, and shares the storage of
/// another.
enum class ListedKind : std::uint8_t { parameter, buffer, packed, scale, tied };
std::string_view spelling(ListedKind kind);

/// Tensors of one shape, under names that differ in their indices.
struct ListedRow {
  std::string name;             ///< with index ranges, as a count's rows
  std::string checkpoint = {};  ///< of converted files: the name in what they were converted from, where that is known
  std::vector<std::uint64_t> shape;
  Dtype dtype = 0;
  bool shaped = true;     ///< its shape is known
  bool sized = true;      ///< how many elements it has is known, with or without its shape
  bool literal = false;   ///< brackets in its name are no ranges
  bool taken = false;     ///< a printed model does not show it: it follows from the model's class and what is shown
  bool adapter = false;   ///< an adapter's, beside the model that it adapts
  bool trainable = true;  ///< false where adapters freeze it
  ListedKind kind = ListedKind::parameter;
  Count copies = 1;
  Count elements = 0;  ///< of one, as stored
  Count numbers = 0;   ///< of one, as the model has them: more than `elements` where packed
};

/// What could not be read, or contradicts the format.
struct Problem {
  std::size_t file;    ///< which of those given
  std::uint64_t line;  ///< 0: none
  std::string message;
};

/// Problems in the order of the text: the first ones, and how many.
class Problems {
 public:
  static constexpr std::size_t most = 100;
  void add(std::uint64_t line, std::initializer_list<std::string_view> message);
  void add(std::uint64_t line, std::string_view message) { add(line, {message}); }
  /// That the tensor `name` "is …" or "has …": a sentence without its end.
  void add_of(std::string_view name, std::string_view what);
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] const std::vector<Problem>& list() const { return list_; }

  std::size_t file = 0;  ///< of the next ones

 private:
  std::vector<Problem> list_;
  std::uint64_t count_ = 0;
};

/// Refuses files that are broken, or of a kind that is not read.
[[noreturn]] void refuse_file(std::string_view message);

/// Whether a file may hold so many.
constexpr bool fits(Count elements) { return elements <= ~std::uint64_t{0}; }

/// The product of dimensions; throws Error{overflow}.
Count elements_of(const std::uint64_t* dims, std::size_t rank);

/// Which part of a model a tensor's name says that it belongs to, as the answer spells it; "other" where it doesn't say.
std::string_view part_named(std::string_view name);

/// True where the name is that of what modules keep beside their parameters: running means, masks, frequencies.
bool names_buffer(std::string_view name);

/// Bytes that are UTF-8: no overlong forms, no surrogates.
bool is_utf8(std::string_view text);

}  // namespace param_ledger
