#include "core/support/buffer.hpp"

#include <algorithm>
#include <utility>

namespace param_ledger {

void Buffer::put_digits(Count value) {
  constexpr Count base = 10;
  if (value < base) return put(static_cast<char>('0' + static_cast<int>(value)));  // most numbers have a single digit
  char digits[most_digits];
  put(write_digits(digits, value));
}

std::string Buffer::take() {
  text_.resize(size());
  end_ = at_ = nullptr;
  return std::move(text_);
}

void Buffer::room(std::size_t more) {
  const std::size_t used = size();
  text_.resize(std::max(used + more, 2 * text_.size()));
  at_ = text_.data() + used;
  end_ = text_.data() + text_.size();
}

}  // namespace param_ledger
