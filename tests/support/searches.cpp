#include "tests/support/searches.hpp"

#include <utility>

namespace param_ledger::test {

Json find(Json request, SearchSession& session) {
  const std::string config = request.at("config").dump();
  request.erase("config");
  return parsed(session.begin(config, request.dump()));
}

Json find(Json request) {
  SearchSession session;
  return find(std::move(request), session);
}

std::vector<std::uint64_t> range(std::uint64_t from, std::uint64_t to, std::uint64_t step) {
  std::vector<std::uint64_t> out;
  for (; from <= to; from += step) out.push_back(from);
  return out;
}

Json space(const Json& config, const std::string& target, const Ranges& fields, std::size_t most) {
  Json vary = Json::array();
  for (const auto& [field, values] : fields) vary.push_back({{"field", field}, {"values", values}});
  return {{"config", config}, {"target", target}, {"vary", vary}, {"most", most}};
}

}  // namespace param_ledger::test
