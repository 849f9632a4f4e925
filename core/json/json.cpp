#include "core/json/json.hpp"

#include <algorithm>
#include <utility>

#include "core/json/json_writer.hpp"
#include "core/support/decimal.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

Json::Type Json::type() const {
  assert(node_ != nullptr);
  return node_->type;
}

bool Json::boolean() const {
  assert(is(Type::boolean));
  return node_->flag;
}

bool Json::negative() const {
  assert(is(Type::integer));
  return node_->flag;
}

std::uint64_t Json::magnitude() const {
  assert(is(Type::integer));
  return node_->magnitude;
}

double Json::number() const {
  if (is(Type::number)) return decimal(text());
  const auto absolute = static_cast<double>(magnitude());
  return negative() ? -absolute : absolute;
}

std::string_view Json::string() const {
  assert(is(Type::string));
  return text();
}

std::string_view Json::text() const { return {store_->text.data() + node_->first, node_->size}; }

std::size_t Json::size() const { return is(Type::list) || is(Type::object) ? node_->size : 0; }

Json::Member Json::member(std::size_t i) const {
  assert(i < size());
  const JsonNode* entries = store_->nodes.data() + node_->first;
  if (type() == Type::list) return {{}, {*store_, entries[i]}};
  return {Json(*store_, entries[2 * i]).text(), {*store_, entries[2 * i + 1]}};
}

Json Json::operator[](std::size_t i) const {
  assert(is(Type::list));
  return member(i).value;
}

Json Json::operator[](std::string_view key) const {
  if (!is(Type::object)) return {};
  const JsonNode* entries = store_->nodes.data() + node_->first;
  for (std::size_t low = 0, high = size(); low < high;) {
    const std::size_t middle = (low + high) / 2;
    const Member found = member(entries[2 * middle].ordered);
    const int order = compare_keys(found.key, key);
    if (order == 0) return found.value;
    (order < 0 ? low : high) = order < 0 ? middle + 1 : middle;
  }
  return {};
}

Json::Members Json::members() const { return Members(*this); }

bool operator==(Json a, Json b) {
  if (!a || !b) return !a && !b;
  if (a.type() != b.type() || a.size() != b.size()) return false;
  switch (a.type()) {
    case Json::Type::null: return true;
    case Json::Type::boolean: return a.boolean() == b.boolean();
    case Json::Type::integer: return a.negative() == b.negative() && a.magnitude() == b.magnitude();
    case Json::Type::number: return a.text() == b.text() || a.number() == b.number();
    case Json::Type::string: return a.text() == b.text();
    case Json::Type::list:
      for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] != b[i]) return false;
      return true;
    case Json::Type::object:
      for (const auto& [key, value] : a.members())
        if (value != b[key]) return false;
      return true;
  }
  return false;
}

void put_json(Buffer& out, std::string_view text, std::size_t most) {
  std::size_t end = std::min(text.size(), most);
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) ++end;  // never cuts a UTF-8 character
  put_json_string(out, text.substr(0, end));
}

void put_json(Buffer& out, Json value, std::size_t most) {
  const std::size_t begin = out.size();
  const auto room = [&] { return out.size() - begin < most ? most - (out.size() - begin) : 0; };
  switch (value.type()) {
    case Json::Type::null: return out.put("null");
    case Json::Type::boolean: return out.put(value.boolean() ? "true" : "false");
    case Json::Type::integer:
      if (value.negative()) out.put('-');
      return out.put_digits(value.magnitude());
    case Json::Type::number: {
      const std::string_view number = value.text();
      if (number.find_first_of("NI") != std::string_view::npos) return put_json(out, number);
      return out.put(number.size() <= most ? number : number.substr(0, most + 1));
    }
    case Json::Type::string: return put_json(out, value.text(), most);
    case Json::Type::list:
    case Json::Type::object: break;
  }
  const bool list = value.is(Json::Type::list);
  out.put(list ? '[' : '{');
  bool first = true;
  for (const auto& [key, entry] : value.members()) {
    if (out.size() - begin > most) return;
    if (!std::exchange(first, false)) out.put(',');
    if (!list) {
      put_json(out, key, room());
      out.put(':');
    }
    put_json(out, entry, room());
  }
  out.put(list ? ']' : '}');
}

}  // namespace param_ledger
