#include "tests/support/oracle.hpp"

#include <stdexcept>
#include <utility>

namespace param_ledger::test {

namespace {

/// The JSON object that begins at `start`, up to its closing brace.
std::string_view object_at(std::string_view text, std::size_t start) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = start; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      quoted = !quoted;
    else if (!quoted && text[i] == '{')
      ++depth;
    else if (!quoted && text[i] == '}' && --depth == 0)
      return text.substr(start, i + 1 - start);
  }
  throw std::runtime_error("an object does not end");
}

/// A tensor whose kind and target are in `row` at the indices `next` and `next + 1`. Both are optional.
Tensor tensor_of(std::string name, const Json& shape, const Json& row, std::size_t next) {
  const auto word = [&](std::size_t i, const char* missing) { return row.size() > i ? row[i].get<std::string>() : std::string(missing); };
  return {std::move(name), shape.dump(), word(next, "parameter"), word(next + 1, "")};
}

using Cases = std::map<std::string, std::vector<Tensor>>;

/// Adds the tensors of a module that an earlier case of the same model type describes. `text` is that case's id without the type, a space,
/// and the module's path, which is empty for the whole model. `path` is the prefix of the added names.
void add_module(std::vector<Tensor>& out, const std::string& path, const std::string& text, const Cases& before) {
  const std::size_t space = text.rfind(' ');
  const std::string module = text.substr(space + 1);
  for (const Tensor& there : before.at(text.substr(0, space))) {
    if (!module.empty() && there.name.compare(0, module.size() + 1, module + '.') != 0) continue;
    const std::string name = module.empty() ? there.name : there.name.substr(module.size() + 1);
    out.push_back({path.empty() ? name : path + '.' + name, there.shape, there.kind, there.target});
  }
}

/// Adds the tensors of a tree of modules, in the format that tests/data/pack.py writes.
void add_tensors(std::vector<Tensor>& out, const std::string& path, const Json& node, const Cases& before) {
  if (node.is_object())
    for (const auto& [word, inner] : node.items()) add_tensors(out, path.empty() ? word : path + '.' + word, inner, before);
  else if (node.is_string())
    add_module(out, path, node.get<std::string>(), before);
  else if (!node.empty() && node[0].is_array())
    out.push_back(tensor_of(path, node[0], node, 1));
  else
    out.push_back(tensor_of(path, node, Json::array(), 0));
}

}  // namespace

Line line_of(std::string text) {
  const std::size_t start = text.find('{', text.find("\"config\":"));
  std::string config(object_at(text, start));
  return {config, parsed(text.replace(start, config.size(), "null"))};
}

Case CaseReader::read(std::string line) {
  const auto [config, rest] = line_of(std::move(line));
  Case out;
  out.config = config;
  out.id = rest.at("id").get<std::string>();
  if (rest.contains("error")) {
    out.error = rest.at("error").get<std::string>();
    return out;
  }
  out.parameters = rest.at("parameters").dump();
  out.buffers = rest.at("buffers").dump();
  const std::size_t slash = out.id.find('/');
  if (std::exchange(type_, out.id.substr(0, slash)) != out.id.substr(0, slash)) of_type_.clear();
  const Json& tensors = rest.at("tensors");
  if (tensors.is_array())  // the format that oracle.py writes
    for (const Json& row : tensors) out.tensors.push_back(tensor_of(row[0].get<std::string>(), row[1], row, 2));
  else
    add_tensors(out.tensors, "", tensors, of_type_);
  of_type_.emplace(out.id.substr(slash + 1), out.tensors);
  return out;
}

std::vector<Case> cases_of(std::string_view text) {
  CaseReader reader;
  std::vector<Case> out;
  for (std::size_t start = 0, end = 0; (end = text.find('\n', start)) != std::string::npos; start = end + 1)
    out.push_back(reader.read(std::string(text.substr(start, end - start))));
  return out;
}

const std::vector<Case>& oracle_cases() {
  static const std::vector<Case> cases = [] {
    std::vector<Case> out = cases_of(text_of("oracle.jsonl"));
    for (Case& edge : cases_of(text_of("edges.jsonl"))) out.push_back(std::move(edge));
    return out;
  }();
  return cases;
}

}  // namespace param_ledger::test
