#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/error.hpp"

namespace param_ledger {

/// A piece of a file, and the offset at which it begins.
struct Piece {
  std::uint64_t begin;
  std::string_view bytes;
};

/// A byte range of a file that a reader needs but was not given.
struct Wanted {
  std::uint64_t begin, end;
};

/// A file of which only some pieces are in memory. Reading bytes that are not in memory throws Error and records the missing range in
/// `wanted`. Reading past the end of the file only throws Error.
class Pieces {
 public:
  Pieces(std::string_view name, std::vector<Piece> pieces, std::uint64_t size, std::optional<Wanted>& wanted)
      : name_(name), pieces_(std::move(pieces)), size_(size), wanted_(wanted) {}

  [[nodiscard]] std::uint64_t size() const { return size_; }

  [[nodiscard]] std::string_view at(std::uint64_t begin, std::uint64_t length) {
    if (begin >= begin_ && length <= bytes_.size() && begin - begin_ <= bytes_.size() - length)
      return bytes_.substr(static_cast<std::size_t>(begin - begin_), static_cast<std::size_t>(length));
    return in_another(begin, length);
  }

 private:
  std::string_view in_another(std::uint64_t begin, std::uint64_t length);

  std::string_view name_;
  std::vector<Piece> pieces_;
  std::uint64_t size_;
  std::optional<Wanted>& wanted_;
  std::uint64_t begin_ = 0;  // offset and contents of the piece that was used most recently
  std::string_view bytes_;
};

/// Reads bytes and little-endian numbers one after another from a file.
class ByteReader {
 public:
  explicit ByteReader(Pieces& file, std::uint64_t at = 0, std::uint64_t most = ~std::uint64_t{0}) : file_(file), at_(at), most_(most) {}

  [[nodiscard]] std::uint64_t position() const { return at_; }
  std::string_view bytes(std::uint64_t length) {
    const std::string_view out = file_.at(at_, length);
    skip(length);
    return out;
  }
  /// Skips `length` bytes, which need not be in memory.
  void skip(std::uint64_t length);
  /// Reads an unsigned number of `length` bytes, from 1 to 8.
  std::uint64_t number(unsigned length) {
    const std::string_view from = bytes(length);
    std::uint64_t out = 0;
    for (unsigned i = length; i-- > 0;) out = out << 8U | static_cast<unsigned char>(from[i]);
    return out;
  }

 private:
  Pieces& file_;
  std::uint64_t at_;
  std::uint64_t most_;
};

}  // namespace param_ledger
