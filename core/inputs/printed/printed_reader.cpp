#include "core/inputs/printed/printed_reader.hpp"

#include "core/inputs/printed/printed_modules.hpp"
#include "core/inputs/printed/printed_tree.hpp"
#include "core/inputs/printed/row_folding.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// The outermost modules, each inside the one before it. The model is the first of them whose class is known; wrappers may surround it.
std::vector<PrintedModel::Candidate> candidates_of(const std::vector<PrintedModule>& modules) {
  constexpr std::size_t most = 6;
  std::vector<PrintedModel::Candidate> out;
  std::string prefix;
  for (std::size_t i = 1; i < modules.size() && out.size() < most; ++i) {
    const PrintedModule& m = modules[i];
    if (m.parent != i - 1) break;  // a module that is not inside the previous one ends the chain
    if (!m.name.empty()) prefix.append(m.name).append(".");
    out.push_back({prefix, std::string(clipped(m.type.substr(m.type.rfind('.') + 1), 200))});
    const bool single = i + 1 < modules.size() && modules[i + 1].parent == i && modules[i + 1].end == m.end;
    if (!single && !is_wrapper(modules, i)) break;
  }
  return out;
}

}  // namespace

PrintedModel read_printed_model(std::string_view text, Problems& problems) {
  const std::vector<PrintedModule> modules = printed_tree(text, problems);
  PrintedModel out;
  if (modules.size() > 1 && modules[1].name.empty()) out.class_name = std::string(clipped(modules[1].type, 200));
  out.candidates = candidates_of(modules);
  read_printed_modules(modules, out, problems);
  fold(out.rows);
  fold(out.places);
  return out;
}

}  // namespace param_ledger
