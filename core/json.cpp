#include "core/json.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/json_writer.hpp"

namespace param_ledger {

int compare_keys(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return a.compare(b);
}

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
  if (is(Type::number)) return std::strtod(text().data(), nullptr);  // knows NaN and Infinity, too
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

void append_json(std::string& out, std::string_view text, std::size_t most) {
  std::size_t end = out.size() < most ? std::min(text.size(), most - out.size()) : 0;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) ++end;  // amid a character
  JsonWriter writer;
  writer.string(text.substr(0, end));
  out += writer.take();
}

void append_json(std::string& out, Json value, std::size_t most) {
  switch (value.type()) {
    case Json::Type::null: out += "null"; return;
    case Json::Type::boolean: out += value.boolean() ? "true" : "false"; return;
    case Json::Type::integer:
      if (value.negative()) out += '-';
      out += std::to_string(value.magnitude());
      return;
    case Json::Type::number: {
      const std::string_view number = value.text();
      if (number.find_first_of("NI") != std::string_view::npos) return append_json(out, number);
      const std::size_t room = out.size() < most ? most - out.size() : 0;
      out += number.size() <= room ? number : number.substr(0, room + 1);
      return;
    }
    case Json::Type::string: append_json(out, value.text(), most); return;
    case Json::Type::list:
    case Json::Type::object: break;
  }
  const bool list = value.is(Json::Type::list);
  out += list ? '[' : '{';
  bool first = true;
  for (const auto& [key, entry] : value.members()) {
    if (out.size() > most) return;
    if (!std::exchange(first, false)) out += ',';
    if (!list) {
      append_json(out, key, most);
      out += ':';
    }
    append_json(out, entry, most);
  }
  out += list ? ']' : '}';
}

}  // namespace param_ledger
