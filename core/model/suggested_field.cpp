#include "core/model/suggested_field.hpp"

#include "core/config/dimensions.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// Warns if an ignored key is the name that another model type uses for a dimension, and this configuration does not give that dimension,
/// unless the dimension has this value anyway.
std::optional<Note> same_dimension(const Configuration& config, const IgnoredField& ignored, const Dimension& known) {
  if (known.symbol.empty() || !ignored.value.is(Json::Type::integer) || !ignored.reason.empty()) return {};
  const std::string_view written = ignored.name;
  const Field* meant = nullptr;
  for (const Field& field : config.fields) {
    if (field.type != FieldType::integer) continue;
    const Dimension& d = field.dimension != nullptr ? *field.dimension : dimension(field.name);
    const std::string& path = config.sections[field.section].path;
    if (d.symbol != known.symbol || d.group != known.group || written.rfind('.') + 1 != path.size() || !written.starts_with(path)) continue;
    if (field.given && !field.given.is_null()) return {};
    if (meant == nullptr) meant = &field;
  }
  if (meant == nullptr || (meant->number && meant->number.peek() == ignored.value.magnitude() && !ignored.value.negative())) return {};
  const std::string name = config.full_name(meant->section, meant->name);
  return Note{true, ignored.name,
              meant->number ? concat({written, " is not read for this model type, which calls it ", name,
                                      ". That field is not given; its value is ", grouped_digits(meant->number.peek()),
                                      meant->source == Source::derived ? ", derived from other fields." : " by default."})
                            : concat({written, " is not read for this model type, which calls it ", name, ". That field is not given."})};
}

}  // namespace

std::optional<Note> meant_field(const Configuration& config, const IgnoredField& ignored) {
  if (ignored.value.is_null()) return {};  // a null has no effect
  const std::string_view written = ignored.name;
  const Dimension& known = dimension(written.substr(written.rfind('.') + 1));
  if (!known.spellings.empty())
    // Other model types have a field of this name, so it is not a typo.
    return same_dimension(config, ignored, known);
  for (const Field& field : config.fields) {
    const std::string& path = config.sections[field.section].path;
    if (written.size() < path.size() || written.substr(0, path.size()) != path || !nearly(written.substr(path.size()), field.name))
      continue;
    return Note{true, std::string(written),
                concat({written, " is not a field of this model type and is ignored. Did you mean ", path, field.name, "?"})};
  }
  return {};
}

}  // namespace param_ledger
