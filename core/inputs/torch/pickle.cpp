#include "core/inputs/torch/pickle.hpp"

#include "core/inputs/tensors/listed_row.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

Pickle::Place Pickle::add(Value value) {
  if (values_.size() >= most_values) refuse_file(concat({"The pickle contains more than ", grouped_digits(most_values), " values."}));
  values_.push_back(std::move(value));
  return static_cast<Place>(values_.size() - 1);
}

std::string_view Pickle::name_of(Place place) const {
  const Value& value = values_[place];
  return value.kind == Kind::global ? std::string_view(names_[static_cast<std::size_t>(value.number)]) : std::string_view();
}

std::optional<Pickle::Place> Pickle::find(const Value& dict, std::string_view key) const {
  for (std::size_t i = 0; dict.kind == Kind::dict && i + 1 < dict.items.size(); i += 2)
    if (values_[dict.items[i]].kind == Kind::text && values_[dict.items[i]].text == key) return dict.items[i + 1];
  return std::nullopt;
}

}  // namespace param_ledger
