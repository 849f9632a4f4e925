#include "core/inputs/formats.hpp"

#include <algorithm>

#include "core/inputs/bytes/line_ends.hpp"
#include "core/inputs/gguf/gguf_log.hpp"
#include "core/inputs/printed/printed_reader.hpp"
#include "core/inputs/printed/printed_tree.hpp"
#include "core/inputs/tensors/safetensors_header.hpp"
#include "core/inputs/text/file_listing.hpp"
#include "core/inputs/text/layer_table.hpp"
#include "core/inputs/text/own_outputs.hpp"
#include "core/inputs/text/tables.hpp"
#include "core/inputs/text/tensor_lines.hpp"
#include "core/inputs/torch/npz.hpp"
#include "core/inputs/torch/torch_file.hpp"
#include "core/inputs/torch/zip.hpp"
#include "core/json/json_text.hpp"
#include "core/notations/config_text.hpp"
#include "core/support/attempt.hpp"
#include "core/support/characters.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"
#include "core/support/utf16.hpp"

namespace param_ledger {

namespace {

/// Removes the fence around a Markdown code block.
std::string_view unfenced(std::string_view text) {
  const std::string_view inner = trimmed(text);
  for (const std::string_view fence : {"```", "~~~"}) {
    if (inner.size() < 2 * fence.size() || !inner.starts_with(fence) || !inner.ends_with(fence)) continue;
    const std::size_t line = inner.find('\n');
    if (line < inner.size() - fence.size()) return inner.substr(line + 1, inner.size() - fence.size() - line - 1);
  }
  return text;
}

/// Whether the bytes begin with the length of a safetensors header and its opening brace. A text never begins with such bytes.
bool begins_header(std::string_view bytes) {
  constexpr std::size_t prefix = 8;
  if (bytes.size() <= prefix || bytes[prefix] != '{') return false;
  std::uint64_t length = 0;
  for (std::size_t i = prefix; i-- > 0;) length = length << 8U | static_cast<unsigned char>(bytes[i]);
  return length <= longest_header;
}

bool is_pointer(const Given& g) { return trimmed(g.bytes).starts_with("version https://git-lfs"); }
bool is_safetensors(const Given& g) { return begins_header(g.bytes) || (g.name.ends_with(".safetensors") && !trimmed(g.bytes).empty()); }
bool is_gguf(const Given& g) { return begins_gguf(g.bytes); }
bool is_npz(const Given& g) { return begins_zip(g.bytes) && g.name.ends_with(".npz"); }
bool is_zip(const Given& g) { return begins_zip(g.bytes); }
bool is_pickle(const Given& g) { return begins_pickle(g.bytes); }
bool is_hdf5(const Given& g) { return g.bytes.starts_with("\x89HDF\r\n"); }
bool is_onnx(const Given& g) { return g.name.ends_with(".onnx"); }
bool is_flax(const Given& g) { return g.name.ends_with(".msgpack"); }
bool is_binary(const Given& g) { return !is_utf8(g.text) || g.text.find('\0') != std::string_view::npos; }

// The following functions take a text without leading and trailing blanks.

bool is_object(std::string_view text) { return text.front() == '{'; }
bool is_shard_index(std::string_view text) { return is_object(text) && json_input(text) == JsonInput::index; }
bool is_tensors(std::string_view text) { return is_object(text) && json_input(text) == JsonInput::tensors; }
/// Whether the text is a printed Python dict of shapes with one entry per line. Such a dict is not JSON.
bool is_dict(std::string_view text) {
  if (!is_object(text) || text.find('"') != std::string_view::npos) return false;
  const LineCount lines = count_tensor_lines(text, [](const LineCount& c) { return c.others > 0; });
  return lines.tensors > 2 && lines.others == 0;
}
bool is_notebook(std::string_view text) { return is_object(text) && holds(text, "\"nbformat\"") && holds(text, "\"cells\""); }
bool is_named(std::string_view text) { return named_model(text).has_value(); }
/// Whether the text begins like an HTML page. A text that begins with `<class 'collections.OrderedDict'>` is output of Python instead.
bool is_page(std::string_view text) { return text.front() == '<' && !text.starts_with("<class '"); }
bool is_lines(std::string_view text) {
  // A text with 1,000 more tensor lines than other lines is a list, whatever follows. Stopping there avoids reading a long text twice.
  const LineCount lines = count_tensor_lines(text, [](const LineCount& c) { return c.tensors >= c.others + 1000; });
  return lines.tensors > 0 && lines.tensors >= lines.others;
}
bool is_list(std::string_view text) { return text.front() == '['; }
bool is_number(std::string_view text) { return text.find_first_not_of("0123456789.,_ ") == std::string_view::npos; }

bool is_json(std::string_view text) {
  const std::optional<Error> refusal = attempt([&] { const Document document(text); });
  return !refusal || refusal->code != ErrorCode::malformed_json;
}

/// Rewrites a printed Python dict or list of names and shapes, so that each entry has a line of its own.
std::optional<ConfigText> entries_as_lines(std::string_view text) {
  constexpr std::string_view begins[] = {"{", "[", "OrderedDict(", "odict_items(", "dict_items("};
  if (std::none_of(std::begin(begins), std::end(begins), [&](std::string_view begin) { return text.starts_with(begin); }) ||
      text.find('"') != std::string_view::npos)
    return std::nullopt;
  std::string out;
  std::size_t depth = 0;
  const std::size_t outer = text.front() == '{' || text.front() == '[' ? 1 : 2;
  for (const char c : text) {
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && depth > 0) --depth;
    if (depth < outer || (out.empty() && depth == outer && (c == '{' || c == '['))) continue;
    out += c == ',' && depth == outer ? '\n' : c == '\n' ? ' ' : c;
  }
  const LineCount lines = count_tensor_lines(out, [](const LineCount& c) { return c.others > 0; });
  if (lines.tensors < 2 || lines.others > 0) return std::nullopt;
  return ConfigText{std::move(out), "lines"};
}

/// Converts an object that is not valid JSON, such as a Python dict or JSON with comments.
std::optional<ConfigText> other_object(std::string_view text) { return is_object(text) && !is_json(text) ? config_in(text) : std::nullopt; }

void read_file(Reading& r, const Given& g) { read_safetensors(g.bytes, g.size, r.listing); }
void read_gguf_file(Reading& r, const Given& g) {
  Pieces file = pieces_of(g, r.wanted);
  read_gguf(file, r.listing, r.gguf);
}
template <void (*read_pieces)(Pieces& file, Listing& out)>
void read_by_pieces(Reading& r, const Given& g) {
  Pieces file = pieces_of(g, r.wanted);
  read_pieces(file, r.listing);
}
void read_tensors(Reading& r, const Given& g) { read_header_text(g.text, r.listing); }
void read_table(Reading& r, const Given& g) { read_layer_table(g.text, r.listing); }
void read_numbers(Reading& r, const Given& g) { read_number_list(g.text, r.listing); }
void read_dump(Reading& r, const Given& g) { read_gguf_dump(g.text, r.listing); }
void read_answer_of_ours(Reading& r, const Given& g) { read_own_answer(g.text, r.listing); }
void read_table_of_ours(Reading& r, const Given& g) { read_own_table(g.text, r.listing); }
void read_names(Reading& /*r*/, const Given& g) { refuse_name_list(g.text); }
void read_notebook(Reading& /*r*/, const Given& /*g*/) {
  throw Error{ErrorCode::unsupported, "", "This is a Jupyter notebook. Give the output that shows the model, its tensors or its config."};
}
void read_files(Reading& /*r*/, const Given& g) { refuse_file_listing(g.text); }
void read_lines(Reading& r, const Given& g) { read_tensor_lines(g.text, r.listing); }

void read_printed(Reading& r, const Given& g) {
  Problems& problems = r.listing.problems;
  PrintedModel printed = read_printed_model(g.text, problems);
  if (printed.rows.empty()) problems.add(0, "The text shows no module with parameters.");
  if (!r.printed.rows.empty()) problems.add(0, "There are several printed models; the last one is shown.");
  r.printed = std::move(printed);
}

/// An input format, recognised by the file's name and bytes or by its text. The first entry of `formats` that matches applies.
struct Format {
  What what;
  std::string_view word;
  bool (*of_bytes)(const Given& g) = nullptr;
  bool (*of_text)(std::string_view text) = nullptr;
  void (*read)(Reading& r,
               const Given& g) = nullptr;  ///< reads the tensors, or refuses the input with an explanation; null if the format is not read
                                           ///< as a list of tensors, and for a shard index, which `read_index_of` reads
  std::optional<ConfigText> (*config_in)(std::string_view text) =
      nullptr;  ///< used instead of `of_text`: if the text has this format, returns the text converted to JSON or to one tensor per line
};

constexpr Format formats[] = {
    {What::pointer, "pointer", is_pointer},
    {What::safetensors, "safetensors", is_safetensors, nullptr, read_file},
    {What::gguf, "gguf", is_gguf, nullptr, read_gguf_file},
    {What::npz, "numpy", is_npz, nullptr, read_by_pieces<read_npz>},
    {What::torch, "pytorch", is_zip, nullptr, read_by_pieces<read_torch_archive>},
    {What::torch_pickle, "pytorch", is_pickle, nullptr, read_by_pieces<read_torch_pickle>},
    {What::hdf5, "hdf5", is_hdf5},
    {What::onnx, "onnx", is_onnx},
    {What::flax, "flax", is_flax},
    {What::binary, "binary", is_binary},
    {What::empty, "empty", nullptr, [](std::string_view text) { return text.empty(); }},
    {What::own_answer, "tensor_list", nullptr, is_own_answer, read_answer_of_ours},
    {What::own_table, "tensor_list", nullptr, is_own_table, read_table_of_ours},
    {What::notebook, "files", nullptr, is_notebook, read_notebook},
    {What::index, "safetensors_index", nullptr, is_shard_index},
    {What::tensors, "tensor_list", nullptr, is_tensors, read_tensors},
    {What::lines, "tensor_list", nullptr, is_dict, read_lines},
    {What::lines, "tensor_list", nullptr, nullptr, read_lines, entries_as_lines},
    {What::named, "named", nullptr, is_named},
    {What::config, "config", nullptr, nullptr, nullptr, training_in},
    {What::config, "config", nullptr, nullptr, nullptr, gguf_log_in},
    {What::config, "config", nullptr, nullptr, nullptr, other_object},
    {What::config, "config", nullptr, is_object},
    {What::page, "page", nullptr, is_page},
    {What::table, "tensor_list", nullptr, is_layer_table, read_table},
    {What::dump, "tensor_list", nullptr, is_gguf_dump, read_dump},
    {What::printed, "printed_model", nullptr, is_printed_model, read_printed},
    {What::files, "files", nullptr, is_file_listing, read_files},
    {What::numbers, "tensor_list", nullptr, is_number_list, read_numbers},
    {What::names, "files", nullptr, is_name_list, read_names},
    {What::lines, "tensor_list", nullptr, is_lines, read_lines},
    {What::config, "config", nullptr, nullptr, nullptr, config_in},
    {What::list, "list", nullptr, is_list},
    {What::number, "number", nullptr, is_number},
    {What::words, "words", nullptr, [](std::string_view) { return true; }},
};

const Format& format_of(What what) {
  return *std::find_if(std::begin(formats), std::end(formats), [&](const Format& f) { return f.what == what; });
}

/// Recognises the format of a text. Converts a configuration in another notation to JSON, and a printed Python dict or list of shapes to
/// one tensor per line; the converted text replaces `g.text`.
What what_of_text(Given& g, std::string_view inner) {
  for (const Format& f : formats) {
    if (f.of_text != nullptr && f.of_text(inner)) return f.what;
    if (f.config_in == nullptr) continue;
    if (std::optional<ConfigText> found = f.config_in(inner)) {
      g.rewritten = std::move(found->json);
      g.text = g.rewritten;
      g.notation = found->notation;
      return f.what;
    }
  }
  return What::words;
}

}  // namespace

std::string_view word_for(What what) { return format_of(what).word; }

bool is_file_of_tensors(What what) { return format_of(what).of_bytes != nullptr && format_of(what).read != nullptr; }

bool lists_tensors(What what) { return what == What::index || format_of(what).read != nullptr; }

void recognise(Given& g) {
  g.text = g.bytes;
  const bool file = begins_header(g.bytes) || begins_gguf(g.bytes) || begins_zip(g.bytes) || begins_pickle(g.bytes);
  if (std::optional<std::string> text = file ? std::nullopt : from_utf16(g.bytes)) {
    g.rewritten = std::move(*text);
    g.text = g.rewritten;
  }
  constexpr std::string_view mark = "\xef\xbb\xbf";
  if (g.text.starts_with(mark)) g.text.remove_prefix(mark.size());
  for (const Format& format : formats)
    if (format.of_bytes != nullptr && format.of_bytes(g)) {
      g.what = format.what;
      return;
    }
  if (has_escapes(g.text)) {
    g.rewritten = without_escapes(g.text);
    g.text = g.rewritten;
  }
  const std::string_view whole = g.text;
  g.text = unfenced(whole);
  const std::string_view inner = trimmed(g.text);
  // JSON keeps its line ends, because positions in error messages refer to it. Most other text formats are read line by line.
  const bool json = !inner.empty() && is_object(inner) && (is_shard_index(inner) || is_tensors(inner) || is_json(inner));
  if (json || !has_other_line_ends(whole)) {
    g.what = what_of_text(g, inner);
    return;
  }
  std::string lines = with_line_feeds(whole);
  const std::string_view text = unfenced(lines);
  const auto begin = static_cast<std::size_t>(text.data() - lines.data());
  const std::size_t size = text.size();
  g.what = what_of_text(g, trimmed(text));
  if (!g.notation.empty() || g.what == What::config) return;  // positions in error messages refer to the original text
  g.rewritten = std::move(lines);
  g.text = std::string_view(g.rewritten).substr(begin, size);
}

std::optional<Wanted> wanted_of(const Given& given) {
  constexpr std::uint64_t enough = 65'536;  // the number of bytes that suffice to recognise the format
  const std::uint64_t size = given.size.value_or(given.bytes.size()), here = given.bytes.size();
  if (here >= size) return {};
  if (here < std::min(enough, size)) return Wanted{here, std::min(enough, size)};
  Reading scratch;
  scratch.given.push_back(given);
  Given& g = scratch.given.front();
  recognise(g);
  const bool no_text = (format_of(g.what).of_bytes != nullptr && format_of(g.what).read == nullptr && g.what != What::binary) ||
                       (g.what == What::binary && holds(g.bytes, std::string_view("\0", 1)));
  if (no_text) return {};
  const Format& format = format_of(g.what);
  if (format.of_bytes == nullptr || format.read == nullptr) return Wanted{here, size};
  const std::optional<Error> refusal = attempt([&] {
    if (g.what == What::safetensors) {
      Pieces file = pieces_of(g, scratch.wanted);
      static_cast<void>(file.at(0, std::min(8 + std::min(ByteReader(file).number(8), longest_header), size)));
    } else {
      read_into(scratch, g);
    }
  });
  // If no bytes are missing, the error is reported later, when the file is read.
  return refusal ? scratch.wanted : std::nullopt;
}

void read_into(Reading& reading, const Given& given) {
  Listing& out = reading.listing;
  out.files.push_back({std::string(clipped(given.name, 200))});
  out.problems.file = static_cast<std::size_t>(&given - reading.given.data());
  format_of(given.what).read(reading, given);
}

}  // namespace param_ledger
