#include "core/inputs/read.hpp"

#include <algorithm>

#include "core/count.hpp"
#include "core/error.hpp"
#include "core/inputs/formats.hpp"
#include "core/inputs/named_model.hpp"
#include "core/inputs/quantized.hpp"
#include "core/inputs/read_writer.hpp"
#include "core/json_text.hpp"
#include "core/text.hpp"

namespace param_ledger {

namespace {

/// An index beside its files says which are there and which are not; by itself it says the names alone.
void read_index_of(Reading& read, const Given& g) {
  Listing index;
  read_index(g.text, index);
  for (Listing::File& file : index.files)
    file.given = std::any_of(read.given.begin(), read.given.end(),
                             [&](const Given& other) { return other.what == What::safetensors && other.name == file.name; });
  read.index = std::move(index);
}

/// "model-00002-of-00004.safetensors": says so where one of them is not there.
void check_shards(Reading& read) {
  constexpr std::string_view of = "-of-";
  for (const Given& g : read.given) {
    const std::size_t at = g.name.find(of);
    if (g.what != What::safetensors || at == std::string_view::npos) continue;
    std::uint64_t wanted = 0;
    for (std::size_t i = at + of.size(); i < g.name.size() && is_digit(g.name[i]) && wanted < 100'000; ++i)
      wanted = 10 * wanted + static_cast<std::uint64_t>(g.name[i] - '0');
    const std::string_view end = g.name.substr(at);
    const auto have = static_cast<std::uint64_t>(std::count_if(read.given.begin(), read.given.end(), [&](const Given& other) {
      return other.what == What::safetensors && other.name.ends_with(end);
    }));
    if (have < wanted)
      read.listing.problems.add(
          0, concat({"Of ", digits(wanted), " files only ", digits(have), " are here: the count is part of the model's."}));
    return;
  }
}

/// Finds the configuration of a printed model, and says what it comes to.
void understand_printed(Reading& read) {
  Problems& problems = read.listing.problems;
  const bool whole = problems.empty();
  read.fitted = fit(read.printed, read.known);
  const Fitted* const fitted = read.fitted ? &*read.fitted : nullptr;
  read.sums = printed_sums(read.printed, fitted, whole);
  read.rows = rows_of(read.printed, fitted);
  if (!read.sums.parameters && !read.sums.if_assumed)
    for (const PrintedPlace* place : unexplained(read.printed, fitted))
      problems.add(place->line,
                   problems.listed() ? concat({place->name, " (", place->type, ") does not show what it holds."}) : std::string());
}

void read_all(Reading& read) {
  for (Given& g : read.given) recognise(g);
  const auto first = std::find_if(read.given.begin(), read.given.end(), [](const Given& g) { return lists_tensors(g.what); });
  if (first == read.given.end()) {
    const auto config = std::find_if(read.given.begin(), read.given.end(), [](const Given& g) { return g.what == What::config; });
    const auto named = std::find_if(read.given.begin(), read.given.end(), [](const Given& g) { return g.what == What::named; });
    if (named != read.given.end()) {
      read.what = What::named;
      read.named = named_model(trimmed(named->text));
      if (!read.config && config != read.given.end()) read.config = config->text;
      return;
    }
    read.what = config != read.given.end() ? What::config : read.given.empty() ? What::empty : read.given.front().what;
    return;
  }
  read.what = first->what;
  bool only_index = true;
  for (const Given& g : read.given) {
    if (g.what == What::config && !read.config) read.config = g.text;
    if (g.what == What::index)
      read_index_of(read, g);
    else if (lists_tensors(g.what)) {
      only_index = false;
      read_into(read, g);
      if (read.what == What::index) read.what = g.what;
    } else if (g.what != What::config && g.what != What::named) {
      read.listing.problems.add(0, concat({quoted(g.name), " is neither a list of tensors nor a config.json."}));
    }
  }
  if (only_index && read.index) {
    read.listing = std::move(*read.index);
    read.index.reset();
  } else if (read.index) {
    for (const Listing::File& file : read.index->files)
      if (!file.given) read.listing.problems.add(0, concat({quoted(file.name), ", which the index names, is not here."}));
  } else {
    check_shards(read);
  }
  std::vector<ListedRow> folded = read.listing.table.fold(read.listing.problems);
  mark_quantized(folded);
  read.rows.insert(read.rows.end(), std::make_move_iterator(folded.begin()), std::make_move_iterator(folded.end()));
  if (read.what == What::printed) understand_printed(read);
}

// --- The request ---

[[noreturn]] void defect(Text what) { throw Error{ErrorCode::wrong_type, "", concat({"The request of `read` ", what, "."})}; }

std::uint64_t number_of(Json object, std::string_view key) {
  const Json value = object[key];
  if (!value.is(Json::Type::integer) || value.negative()) defect("lacks a number of bytes");
  return value.magnitude();
}

/// Fields that were filled in, by dotted names or in sections.
void known_fields(Json object, const std::string& section, Settings& out) {
  if (object && !object.is(Json::Type::object)) defect("holds fields that are no object");
  for (const auto& [key, value] : object.members()) {
    const std::string name = section + std::string(key);
    if (value.is(Json::Type::object))
      known_fields(value, name + '.', out);
    else
      out.set(name, dump(value));
  }
}

}  // namespace

std::string read_answer(std::string_view request) {
  const std::size_t line = request.find('\n');
  if (line == std::string_view::npos) defect("has no first line");
  const Document document(request.substr(0, line));
  std::string_view rest = request.substr(line + 1);
  const auto next = [&](std::uint64_t bytes) {
    if (bytes > rest.size()) defect("is shorter than it says");
    const std::string_view out = rest.substr(0, static_cast<std::size_t>(bytes));
    rest.remove_prefix(out.size());
    return out;
  };
  Reading read;
  for (const auto& [_, file] : document.root()["files"].members()) {
    Given g;
    if (file["name"].is(Json::Type::string)) g.name = file["name"].string();
    g.bytes = next(number_of(file, "bytes"));
    if (file["size"]) g.size = number_of(file, "size");
    read.given.push_back(g);
  }
  if (document.root()["config"]) read.config = next(number_of(document.root(), "config"));
  known_fields(document.root()["fields"], "", read.known);
  read_all(read);
  return reading_answer(read);
}

}  // namespace param_ledger
