#include "core/config/edit.hpp"

#include <algorithm>

namespace param_ledger {

namespace {

class Editor {
 public:
  explicit Editor(std::span<const Edit> edits) : edits_(edits) {}

  std::string text(Json root) {
    write(root, "");
    return out_.take();
  }

 private:
  void write(Json object, const std::string& path) {
    std::vector<std::string_view> seen;
    char before = '{';
    const auto key = [&](std::string_view name) {
      out_.put(before);
      before = ',';
      put_json(out_, name);
      out_.put(':');
      seen.push_back(name);
    };
    for (const auto& [name, value] : object.members()) {
      key(name);
      write_value(value, concat({path, name}));
    }
    for (const Edit& edit : edits_) {
      if (!edit.path.starts_with(path)) continue;
      const std::string_view rest = std::string_view(edit.path).substr(path.size()), name = rest.substr(0, rest.find('.'));
      if (std::find(seen.begin(), seen.end(), name) != seen.end()) continue;
      key(name);
      write_value({}, concat({path, name}));
    }
    out_.put(before == '{' ? "{}" : "}");
  }

  void write_value(Json value, const std::string& path) {
    const auto edit = std::find_if(edits_.begin(), edits_.end(), [&](const Edit& e) { return e.path == path; });
    if (edit != edits_.end()) {
      out_.put(edit->json);
      return;
    }
    const std::string inside = path + '.';
    if (std::any_of(edits_.begin(), edits_.end(), [&](const Edit& e) { return e.path.starts_with(inside); }) &&
        (!value || value.is(Json::Type::object) || value.is_null()))
      write(value, inside);
    else
      put_json(out_, value);
  }

  std::span<const Edit> edits_;
  Buffer out_;
};

}  // namespace

std::string edited(Json root, std::span<const Edit> edits) { return Editor(edits).text(root); }

std::string value_text(const Field& field) { return field.given ? dump(field.given) : field.value; }

Edit edit_of(const Configuration& configuration, const Field& field, std::string json) {
  return {configuration.full_name(field.section, field.given_as.value_or(field.name)), std::move(json)};
}

std::vector<Edit> edits_of_missing_section(const Configuration& configuration, const Field& field) {
  std::vector<Edit> out;
  const ConfigReader& section = configuration.sections[field.section];
  if (section.path.empty() || section.json.is(Json::Type::object)) return out;
  for (const Field& other : configuration.fields)
    if (other.section == field.section && !other.value.empty()) out.push_back(edit_of(configuration, other, other.value));
  return out;
}

std::vector<Edit> edits_of_layers(const Configuration& configuration, const Field& field, std::uint64_t n_layers) {
  std::vector<Edit> out{edit_of(configuration, field, digits(n_layers))};
  const ConfigReader& section = configuration.sections[field.section];
  const Count now = field.number.peek();
  for (const auto& [name, list] : section.json.members()) {
    if (!list.is(Json::Type::list) || list.size() != now || now < 2) continue;
    Buffer json;
    json.put('[');
    for (std::uint64_t i = 0; i < n_layers; ++i) {
      if (i > 0) json.put(',');
      put_json(json, list[static_cast<std::size_t>(std::min<Count>(i, now - 1))]);
    }
    json.put(']');
    out.push_back({concat({section.path, name}), json.take()});
  }
  return out;
}

}  // namespace param_ledger
