#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/inputs/tensors/listed_row.hpp"
#include "core/support/hash_index.hpp"

namespace param_ledger {

/// Collects tensors one by one, sometimes hundreds of thousands of them, and folds those that differ only in the indices in their names
/// into rows.
class TensorTable {
 public:
  /// Adds a tensor, or `copies` tensors with one name. The name is copied.
  void add(std::string_view name, std::span<const std::uint64_t> shape, Dtype dtype, ListedKind kind = ListedKind::parameter,
           std::uint64_t copies = 1);
  /// Adds a tensor whose name alone is known.
  void add(std::string_view name);
  /// Adds a tensor whose number of elements is known, but not its shape.
  void add_sized(std::string_view name, std::uint64_t elements);

  [[nodiscard]] std::uint64_t tensors() const { return tensors_; }

  /// The rows, in the order in which their names first occur. A repeated name is reported and counted once.
  std::vector<ListedRow> fold(Problems& problems);

 private:
  static constexpr std::size_t most_indices = 3;
  static constexpr unsigned index_bits = 21;

  /// A tensor whose name matches a template. Its outermost index is in the highest bits of `indices`.
  struct Entry {
    std::uint64_t indices;
    std::uint32_t variant;
  };
  /// The names that differ only in indices. The text has a `mark` for each index.
  struct Template {
    std::string text;
    std::uint32_t indices;
    std::vector<Entry> entries;
  };
  /// How much is known about a tensor's size.
  enum class Known : std::uint8_t { name, elements, shape };
  struct Variant {
    std::size_t first;  ///< position in `dims_` of the tensor's dimensions or, if only the number of elements is known, of that number
    std::uint32_t rank;
    Dtype dtype;
    Known known;
    ListedKind kind;
    Count elements;
    std::uint64_t copies;
  };
  static constexpr char mark = '\x01';

  void add(std::string_view name, std::uint32_t variant);
  std::uint32_t variant(std::span<const std::uint64_t> shape, Dtype dtype, Known known, ListedKind kind, std::uint64_t copies = 1);
  void fold(const Template& of, std::span<const Entry> entries, std::size_t level, std::array<std::string, most_indices>& written,
            Count copies, std::vector<ListedRow>& out) const;
  [[nodiscard]] static std::string name_of(const Template& of, std::uint64_t indices);
  [[nodiscard]] static std::uint64_t index(std::uint64_t indices, std::size_t level, std::size_t levels) {
    return (indices >> (index_bits * (levels - 1 - level))) & ((1U << index_bits) - 1);
  }

  std::vector<Template> templates_;
  HashIndex template_index_;
  std::vector<Variant> variants_;
  std::vector<std::uint64_t> dims_;
  HashIndex variant_index_;
  std::string scratch_;
  std::uint64_t tensors_ = 0;
};

}  // namespace param_ledger
