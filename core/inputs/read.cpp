#include "core/inputs/read.hpp"

#include <algorithm>

#include "core/inputs/formats.hpp"
#include "core/inputs/named_model.hpp"
#include "core/inputs/read_writer.hpp"
#include "core/inputs/tensors/quantized_rows.hpp"
#include "core/inputs/tensors/safetensors_header.hpp"
#include "core/json/json_text.hpp"
#include "core/json/json_writer.hpp"
#include "core/json/value_text.hpp"
#include "core/support/characters.hpp"
#include "core/support/count.hpp"
#include "core/support/error.hpp"
#include "core/support/parse.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// Reads a shard index, and determines which of its shards are among the inputs.
void read_index_of(Reading& read, const Given& g) {
  Listing index;
  read_index(g.text, index);
  for (Listing::File& file : index.files)
    file.given = std::any_of(read.given.begin(), read.given.end(),
                             [&](const Given& other) { return is_file_of_tensors(other.what) && other.name == file.name; });
  read.index = std::move(index);
}

/// Reports missing shards. Names such as "model-00002-of-00004.safetensors" show how many there are.
void check_shards(Reading& read) {
  constexpr std::string_view of = "-of-";
  for (const Given& g : read.given) {
    const std::size_t at = g.name.find(of);
    if (!is_file_of_tensors(g.what) || g.what == What::gguf || at == std::string_view::npos) continue;
    std::string_view behind = g.name.substr(at + of.size());
    const std::uint64_t wanted = parse_integer<std::uint64_t>(behind).value_or(0);
    const std::string_view end = g.name.substr(at);
    const auto have = static_cast<std::uint64_t>(std::count_if(
        read.given.begin(), read.given.end(), [&](const Given& other) { return other.what == g.what && other.name.ends_with(end); }));
    if (have < wanted)
      read.listing.problems.add(0,
                                concat({"Only ", digits(have), " of ", digits(wanted), " files are given, so the count is incomplete."}));
    return;
  }
}

/// Determines the original model of a GGUF file, converts the file's tensors to the names and shapes of that model, and reports missing
/// shards.
void understand_gguf(Reading& read) {
  Problems& problems = read.listing.problems;
  const GgufHead& head = read.gguf;
  if (head.here < head.shards)
    problems.add(0, concat({"Only ", digits(head.here), " of ", digits(head.shards), " files are given, so the count is incomplete."}));
  else if (head.tensors != 0 && head.tensors != read.listing.table.tensors())
    problems.add(0, concat({"The files say that they contain ", grouped_digits(head.tensors), " tensors. They list ",
                            grouped_digits(read.listing.table.tensors()), "."}));
  std::string why;
  read.gguf_model = gguf_model(head, read.rows, why);
  if (!why.empty()) read.listing.notes.push_back(std::move(why));
  if (!read.gguf_model) return;
  read.converted = as_checkpoint(read.rows, head.architecture(), *read.gguf_model->model);
  for (const ListedRow& row : read.rows)
    if (row.kind == ListedKind::buffer && row.checkpoint.empty())
      read.listing.notes.push_back(
          concat({quoted(row.name), " was added by the conversion: RoPE factors, which checkpoints do not store."}));
    else if (row.kind == ListedKind::tied)
      read.listing.notes.push_back(
          concat({quoted(row.name), " is a copy made by the conversion: in the checkpoint it is tied to another tensor."}));
}

/// Finds the configuration of a printed model, and computes its totals.
void understand_printed(Reading& read) {
  Problems& problems = read.listing.problems;
  const bool whole = problems.empty();
  read.fitted = fit(read.printed, read.known);
  const Fitted* const fitted = read.fitted ? &*read.fitted : nullptr;
  read.sums = printed_sums(read.printed, fitted, whole);
  read.rows = rows_of(read.printed, fitted);
  if (!read.sums.parameters && !read.sums.if_assumed)
    for (const PrintedPlace* place : unexplained(read.printed, fitted))
      problems.add(place->line, {place->name, " (", place->type, ") does not show its parameters."});
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
      read.listing.problems.add(0, {quoted(g.name), " is neither a list of tensors nor a config.json."});
    }
  }
  if (only_index && read.index) {
    read.listing = std::move(*read.index);
    read.index.reset();
  } else if (read.index) {
    for (const Listing::File& file : read.index->files)
      if (!file.given) read.listing.problems.add(0, {quoted(file.name), ", which the index names, is missing."});
  } else {
    check_shards(read);
  }
  std::vector<ListedRow> folded = read.listing.table.fold(read.listing.problems);
  mark_quantized(folded);
  read.rows.insert(read.rows.end(), std::make_move_iterator(folded.begin()), std::make_move_iterator(folded.end()));
  if (read.what == What::printed) understand_printed(read);
  if (read.what == What::gguf) understand_gguf(read);
}

[[noreturn]] void defect(Text what) { throw Error{ErrorCode::wrong_type, "", concat({"The request of `read` ", what, "."})}; }

std::uint64_t number_of(Json object, std::string_view key) {
  const Json value = object[key];
  if (!value.is(Json::Type::integer) || value.negative()) defect("lacks a number of bytes");
  return value.magnitude();
}

/// Collects the field values that the request gives as known. A field of a section may have a dotted name or be nested in an object.
void known_fields(Json object, const std::string& section, Settings& out) {
  if (object && !object.is(Json::Type::object)) defect("has fields that are not an object");
  for (const auto& [key, value] : object.members()) {
    const std::string name = section + std::string(key);
    if (value.is(Json::Type::object))
      known_fields(value, name + '.', out);
    else
      out.set(name, dump(value));
  }
}

/// Takes the bytes at the beginning of a file, and its further pieces, from the request.
template <class Next>
void take_pieces(Json file, Given& g, const Next& next) {
  g.bytes = next(number_of(file, "bytes"));
  if (file["size"]) g.size = number_of(file, "size");
  for (const auto& [_, piece] : file["further"].members()) {
    if (piece.size() != 2 || !piece[0].is(Json::Type::integer) || !piece[1].is(Json::Type::integer)) defect("has an invalid piece");
    g.further.push_back({piece[0].magnitude(), next(piece[1].magnitude())});
  }
}

/// A parsed request. The file contents are views of the request's text.
struct Request {
  Document document;
  Reading reading;

  explicit Request(std::string_view text) : document(text.substr(0, text.find('\n'))) {
    if (!holds(text, "\n")) defect("has no first line");
    std::string_view rest = text.substr(text.find('\n') + 1);
    const auto next = [&](std::uint64_t bytes) {
      if (bytes > rest.size()) defect("is shorter than it says");
      const std::string_view out = rest.substr(0, static_cast<std::size_t>(bytes));
      rest.remove_prefix(out.size());
      return out;
    };
    for (const auto& [_, file] : document.root()["files"].members()) {
      Given g;
      if (file["name"].is(Json::Type::string)) g.name = file["name"].string();
      take_pieces(file, g, next);
      reading.given.push_back(std::move(g));
    }
    if (document.root()["config"]) reading.config = next(number_of(document.root(), "config"));
    known_fields(document.root()["fields"], "", reading.known);
  }
};

}  // namespace

std::string read_answer(std::string_view request) {
  Request asked(request);
  read_all(asked.reading);
  return reading_answer(asked.reading);
}

std::string wants_answer(std::string_view request) {
  const Request asked(request);
  JsonWriter json;
  json.open_object();
  json.raw_member("ok", "true");
  json.key("wants").open_array();
  for (const Given& g : asked.reading.given) {
    const std::optional<Wanted> wanted = wanted_of(g);
    if (!wanted) continue;
    json.open_object();
    json.raw_member("file", digits(static_cast<Count>(&g - asked.reading.given.data())));
    json.raw_member("begin", digits(wanted->begin));
    json.raw_member("end", digits(wanted->end));
    json.close_object();
  }
  json.close_array();
  json.close_object();
  return json.take();
}

}  // namespace param_ledger
