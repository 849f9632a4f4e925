// Sources: https://huggingface.co/docs/safetensors and safetensors/src/tensor.rs.

#include "core/inputs/tensors/safetensors_header.hpp"

#include <algorithm>
#include <array>

#include "core/inputs/tensors/json_scanner.hpp"
#include "core/json/value_text.hpp"
#include "core/support/attempt.hpp"
#include "core/support/count.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr std::size_t most_dimensions = 64;

/// The byte range of a tensor's data, counted from the end of the header.
struct Span {
  std::uint64_t begin, end;
  std::uint64_t name;  ///< position in the header, just after the tensor's name
};

class Header {
 public:
  Header(std::string_view text, bool has_offsets, Listing& out) : text_(text), scanner_(text), has_offsets_(has_offsets), out_(out) {}

  /// Reads the header. `data` is the number of bytes after the header, if known.
  void read(std::optional<std::uint64_t> data) {
    scanner_.object("the brace of the header", [&](std::string_view name) {
      if (name == "__metadata__") return read_metadata();
      name_at_ = scanner_.position();
      read_tensor(name);
    });
    scanner_.end();
    if (has_offsets_) check_spans(data);
  }

 private:
  void read_metadata() {
    if (++metadata_ > 1) out_.problems.add_of("__metadata__", "occurs twice");
    if (scanner_.peek() != '{') {
      out_.problems.add_of("__metadata__", "is not an object");
      return scanner_.skip();
    }
    scanner_.object("the brace of the metadata", [&](std::string_view key) {
      constexpr std::size_t most = 20, longest = 200;
      if (scanner_.peek() != '"') {
        out_.problems.add_of("__metadata__", "contains values other than strings");
        return scanner_.skip();
      }
      const std::string_view value = scanner_.string("a string");
      if (std::any_of(out_.metadata.begin(), out_.metadata.end(), [&](const auto& known) { return known.first == key; })) {
        if (metadata_ == 1 && out_.files.size() < 2) out_.problems.add_of("__metadata__", "contains a key twice");
        return;
      }
      if (out_.metadata.size() < most) out_.metadata.emplace_back(clipped(key, longest), clipped(value, longest));
    });
  }

  void read_tensor(std::string_view name) {
    rank_ = 0;
    bool has_shape = false, has_dtype = false, has_span = false;
    Dtype dtype = 0;
    Span span{0, 0, name_at_};
    if (!has_offsets_ && scanner_.peek() == '[') {
      read_shape();
      has_shape = true;
    } else {
      if (scanner_.peek() != '{') {
        out_.problems.add_of(name, "is not an object with dtype, shape and data_offsets");
        return scanner_.skip();
      }
      scanner_.object("the brace of a tensor", [&](std::string_view key) {
        bool* const seen = key == "dtype" ? &has_dtype : key == "shape" ? &has_shape : key == "data_offsets" ? &has_span : nullptr;
        if (seen == nullptr) return scanner_.skip();
        if (*seen) out_.problems.add_of(name, concat({"has two of ", key}));
        *seen = true;
        if (seen == &has_dtype) {
          const std::string_view word = scanner_.string("the dtype's string");
          dtype = has_offsets_ ? dtype_spelled(word) : dtype_written(word);
          if (dtype == 0) out_.problems.add_of(name, concat({"has a dtype that the format does not have: ", quoted(word)}));
        } else if (seen == &has_shape) {
          read_shape();
        } else {
          read_span(name, span);
        }
      });
    }
    if (has_offsets_) {
      if (!has_dtype) out_.problems.add_of(name, "has no dtype");
      if (!has_span) out_.problems.add_of(name, "has no data_offsets");
    }
    if (!has_shape) return out_.problems.add_of(name, "has no shape, and is not counted");
    if (attempt([&] { out_.table.add(name, {dims_.data(), rank_}, dtype); }))
      return out_.problems.add_of(name, "has more elements than can be counted");
    ++out_.files.back().tensors;
    if (!has_offsets_ || !has_span) return;
    spans_.push_back(span);
    if (has_dtype && dtype != 0) check_length(name, dtype, span);
  }

  void read_shape() {
    rank_ = 0;
    scanner_.list("the shape's bracket", [&] {
      if (rank_ == most_dimensions) scanner_.refuse("a shape of more than 64 dimensions");
      dims_[rank_++] = scanner_.whole("a dimension");
    });
  }

  void read_span(std::string_view name, Span& span) {
    std::size_t offsets = 0;
    scanner_.list("the bracket of the offsets", [&] {
      const std::uint64_t offset = scanner_.whole("an offset");
      if (offsets == 0) span.begin = offset;
      if (offsets == 1) span.end = offset;
      ++offsets;
    });
    if (offsets != 2) out_.problems.add_of(name, "has data_offsets that are not two numbers");
    if (span.end < span.begin) out_.problems.add_of(name, "ends before it begins");
  }

  void check_length(std::string_view name, Dtype dtype, const Span& span) {
    const Count stored = multiply(elements_of(dims_.data(), rank_), bits(dtype));
    if (stored % 8 != 0) out_.problems.add_of(name, "does not fill whole bytes");
    if (span.end >= span.begin && stored / 8 != span.end - span.begin)
      out_.problems.add_of(name, concat({"has ", grouped_digits(span.end - span.begin), " bytes, but its shape and dtype need ",
                                         grouped_digits(stored / 8)}));
  }

  void check_spans(std::optional<std::uint64_t> data) {
    const auto before = [](const Span& a, const Span& b) { return a.begin != b.begin ? a.begin < b.begin : a.end < b.end; };
    if (!std::is_sorted(spans_.begin(), spans_.end(), before)) std::sort(spans_.begin(), spans_.end(), before);
    std::uint64_t end = 0;
    for (const Span& span : spans_) {
      if (span.end < span.begin) continue;  // an invalid range is already reported
      if (span.begin > end) out_.problems.add_of(name_at(span), "leaves a gap before it in the file");
      if (span.begin < end) out_.problems.add_of(name_at(span), "overlaps the data before it in the file");
      end = std::max(end, span.end);
    }
    if (!data || *data == end) return;
    out_.problems.add(0, *data < end ? concat({"The file ends ", grouped_digits(end - *data), " bytes before the end of its last tensor."})
                                     : concat({"The file has ", grouped_digits(*data - end), " bytes after its last tensor."}));
  }

  /// The name of the tensor with this byte range.
  [[nodiscard]] std::string_view name_at(const Span& span) const {
    const std::size_t end = text_.rfind('"', static_cast<std::size_t>(span.name));
    std::size_t begin = end;
    while (begin > 0 && text_[begin - 1] != '"') --begin;
    return text_.substr(begin, end - begin);
  }

  std::string_view text_;
  JsonScanner scanner_;
  bool has_offsets_;
  Listing& out_;
  std::array<std::uint64_t, most_dimensions> dims_{};
  std::size_t rank_ = 0;
  std::uint64_t name_at_ = 0;
  int metadata_ = 0;
  std::vector<Span> spans_;
};

}  // namespace

void read_safetensors(std::string_view bytes, std::optional<std::uint64_t> file_size, Listing& out) {
  constexpr std::size_t prefix = 8;
  if (bytes.size() < prefix)
    refuse_file("A safetensors file begins with eight bytes that give the length of its header; this one is shorter.");
  std::uint64_t length = 0;
  for (std::size_t i = prefix; i-- > 0;) length = length << 8U | static_cast<unsigned char>(bytes[i]);
  if (length > longest_header)
    refuse_file(
        concat({"The header would have ", grouped_digits(length), " bytes; the format allows ", grouped_digits(longest_header), "."}));
  if (length < 2) refuse_file("The header has fewer than two bytes: not even {}.");
  if (file_size && length > *file_size - std::min<std::uint64_t>(*file_size, prefix))
    refuse_file(
        concat({"The header would have ", grouped_digits(length), " bytes, but the whole file has ", grouped_digits(*file_size), "."}));
  if (bytes.size() - prefix < length)
    refuse_file(
        concat({"The header has ", grouped_digits(length), " bytes, but only ", grouped_digits(bytes.size() - prefix), " are given."}));
  const std::string_view text = bytes.substr(prefix, static_cast<std::size_t>(length));
  if (text.front() != '{') out.problems.add(0, "The header does not begin with a brace.");
  Header(text, true, out).read(file_size ? std::optional(*file_size - prefix - length) : std::nullopt);
}

void read_header_text(std::string_view text, Listing& out) { Header(text, false, out).read({}); }

void read_index(std::string_view text, Listing& out) {
  JsonScanner scanner(text);
  StringIndex files;
  const std::size_t first = out.files.size();
  const auto number = [&](std::optional<std::uint64_t>& to) {
    // Some tools write sizes as floats. These are inexact, so they are ignored.
    const char c = scanner.peek();
    const std::size_t begin = scanner.position();
    JsonScanner ahead(text.substr(begin));
    ahead.skip();
    const std::string_view written = text.substr(begin, ahead.position());
    if (is_digit(c) && written.find_first_not_of("0123456789") == std::string_view::npos)
      to = scanner.whole("a size");
    else
      scanner.skip();
  };
  scanner.object("the brace of the index", [&](std::string_view key) {
    if (key == "metadata" && scanner.peek() == '{') {
      scanner.object("the brace of the metadata", [&](std::string_view about) {
        if (about == "total_size") return number(out.total_size);
        if (about == "total_parameters") return number(out.total_parameters);
        scanner.skip();
      });
    } else if (key == "weight_map") {
      scanner.object("the brace of the weight_map", [&](std::string_view name) {
        const std::string_view file = scanner.string("the name of a file");
        const std::size_t at = first + files.intern(file, out.files.size() - first,
                                                    [&](std::size_t i) -> std::string_view { return out.files[first + i].name; });
        if (at == out.files.size()) out.files.push_back({std::string(file)});
        ++out.files[at].tensors;
        out.table.add(name);
      });
    } else {
      scanner.skip();
    }
  });
  scanner.end();
}

namespace {

/// What a member of a JSON object reveals about the kind of the object.
enum class Says : std::uint8_t { nothing, tensor, shape, index };

Says read_member(JsonScanner& scanner, std::string_view key) {
  const char c = scanner.peek();
  const bool metadata = key == "__metadata__" || key == "metadata";
  if (key == "weight_map" && c == '{') return Says::index;
  if (c == '{' && !metadata) {
    bool shape = false, dtype = false;
    scanner.object("a brace", [&](std::string_view inner) {
      shape = shape || inner == "shape";
      dtype = dtype || inner == "dtype";
      scanner.skip();
    });
    return shape && dtype ? Says::tensor : Says::nothing;
  }
  bool integers = c == '[' && !metadata;
  if (integers)
    scanner.list("a bracket", [&] {
      integers = integers && is_digit(scanner.peek());
      scanner.skip();
    });
  else
    scanner.skip();
  return key == "__metadata__" ? Says::tensor : integers ? Says::shape : Says::nothing;
}

}  // namespace

JsonInput json_input(std::string_view text) {
  // An object with shapes is recognised by three keys with dots, which configurations do not have. Some keys without dots (logit_scale) may
  // come first. With fewer such keys, all members must be shapes.
  constexpr int enough = 3;
  int dotted = 0;
  bool only_shapes = true, any = false;
  std::optional<JsonInput> decided;
  const std::optional<Error> refusal = attempt([&] {
    JsonScanner scanner(text);
    scanner.object("a brace", [&](std::string_view key) {
      const bool metadata = key == "metadata";
      const bool has_dot = key.find('.') != std::string_view::npos;
      const Says says = read_member(scanner, key);
      if (says == Says::index)
        decided = JsonInput::index;
      else if (says == Says::tensor || (says == Says::shape && has_dot && ++dotted == enough))
        decided = JsonInput::tensors;
      if (decided) scanner.stop();
      any = any || !metadata;
      only_shapes = only_shapes && (metadata || says == Says::shape);
    });
  });
  if (refusal) return JsonInput::config;  // the code that reads configurations will report the JSON error with line and column
  return decided.value_or(any && only_shapes ? JsonInput::tensors : JsonInput::config);
}

}  // namespace param_ledger
