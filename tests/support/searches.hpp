#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/api/report.hpp"
#include "tests/support/support.hpp"

namespace param_ledger::test {

/// Begins a search and returns the first answer. The request has a member `config`.
Json find(Json request, SearchSession& session);
/// The same in a session of its own.
Json find(Json request);

/// The fields that vary, each with its values.
using Ranges = std::vector<std::pair<std::string, std::vector<std::uint64_t>>>;

/// The numbers from `from` to at most `to`, in steps of `step`.
std::vector<std::uint64_t> range(std::uint64_t from, std::uint64_t to, std::uint64_t step);

/// A request for the `most` configurations in a space that are nearest to a target.
Json space(const Json& config, const std::string& target, const Ranges& fields, std::size_t most);

}  // namespace param_ledger::test
