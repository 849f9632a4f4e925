#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/support.hpp"

// Requests of the question `read`, as the package makes them.
namespace param_ledger::test {

struct InputFile {
  std::string name;
  std::string bytes;
  std::optional<std::uint64_t> size = {};
};

std::string request_of(const std::vector<InputFile>& files, const std::optional<std::string>& config = {});

Json reading_of(const std::vector<InputFile>& files, const std::optional<std::string>& config = {});

/// A printed model, with fields that its text does not say.
Json printed_reading(const std::string& text, const Json& fields = Json::object());

/// What pasted text is.
Json reading_of(std::string text, const std::optional<std::string>& config = {});

/// The parameters of the configuration that a text comes to; else the reading, or why it is refused.
std::string parameters_of(const std::string& text);

/// The begin of a safetensors file with that header: its length, then itself.
std::string with_length(std::string_view header);

/// The file of that header and so many bytes of data.
Json safetensors(std::string_view header, std::uint64_t data);

/// The bytes that were written so.
std::string from_base64(std::string_view text);

/// The rows of an answer, a tensor each: names without ranges.
std::map<std::string, Json> single_tensors(const Json& reading);

/// What is asked until all heads are there, of files whose bytes are at hand: gives the answer, and how many bytes were asked for.
std::pair<Json, std::uint64_t> reading_by_pieces(const std::string& name, const std::string& file);

/// The messages of what could not be read, a line each.
std::string problems_of(const Json& reading);

}  // namespace param_ledger::test
