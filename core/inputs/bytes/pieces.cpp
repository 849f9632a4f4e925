#include "core/inputs/bytes/pieces.hpp"

#include "core/json/json_text.hpp"
#include "core/json/value_text.hpp"
#include "core/support/count.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

std::string_view Pieces::in_another(std::uint64_t begin, std::uint64_t length) {
  if (begin > size_ || length > size_ - begin)
    throw Error{ErrorCode::malformed_json, "",
                concat({"The file has ", grouped_digits(size_), " bytes, but refers to data beyond its end."})};
  std::uint64_t missing = begin;  // where the missing bytes begin; do not request the available ones again
  for (const Piece& piece : pieces_) {
    if (begin < piece.begin || begin - piece.begin > piece.bytes.size()) continue;
    const std::uint64_t here = piece.bytes.size() - (begin - piece.begin);
    if (here >= length) {
      begin_ = piece.begin;
      bytes_ = piece.bytes;
      return piece.bytes.substr(static_cast<std::size_t>(begin - piece.begin), static_cast<std::size_t>(length));
    }
    missing = std::max(missing, begin + here);
  }
  wanted_ = Wanted{missing, begin + length};
  throw Error{ErrorCode::malformed_json, "",
              concat({"Bytes ", grouped_digits(missing), " to ", grouped_digits(begin + length), " of ", quoted(name_),
                      " are needed, but were not given."})};
}

void ByteReader::skip(std::uint64_t length) {
  if (length > file_.size() || at_ > file_.size() - length)
    throw Error{ErrorCode::malformed_json, "",
                concat({"The file has ", grouped_digits(file_.size()), " bytes, but refers to data beyond its end."})};
  at_ += length;
  if (at_ > most_)
    throw Error{ErrorCode::too_large, "", concat({"The data before the tensors has more than ", grouped_digits(most_), " bytes."})};
}

}  // namespace param_ledger
