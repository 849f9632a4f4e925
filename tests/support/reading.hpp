#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/support.hpp"

// Sends requests to `read` as the JavaScript package does.
namespace param_ledger::test {

struct InputFile {
  std::string name;
  std::string bytes;
  std::optional<std::uint64_t> size = {};
};

std::string request_of(const std::vector<InputFile>& files, const std::optional<std::string>& config = {});

Json reading_of(const std::vector<InputFile>& files, const std::optional<std::string>& config = {});

/// The answer for a printed model. `fields` gives values of fields that the print does not show.
Json printed_reading(const std::string& text, const Json& fields = Json::object());

/// The answer for pasted text, which is compared with `config` if that is given.
Json reading_of(std::string text, const std::optional<std::string>& config = {});

/// The parameter count of the configuration found in a text. If none is found, the answer or the error as text.
std::string parameters_of(const std::string& text);

/// The beginning of a safetensors file with this header: the header's length and the header.
std::string with_length(std::string_view header);

/// The answer for a safetensors file with this header and `data` bytes of data.
Json safetensors(std::string_view header, std::uint64_t data);

/// Decodes base64.
std::string from_base64(std::string_view text);

/// The rows of an answer, expanded to single tensors.
std::map<std::string, Json> single_tensors(const Json& reading);

/// Requests parts of a file with `wants` until all headers are available, and then calls `read`. Returns the answer, and the number of
/// bytes requested.
std::pair<Json, std::uint64_t> reading_by_pieces(const std::string& name, const std::string& file);

/// The problems in an answer, one per line.
std::string problems_of(const Json& reading);

}  // namespace param_ledger::test
