// Source: ggml's specification of the format, docs/gguf.md.

#include "core/inputs/gguf/gguf.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/json/value_text.hpp"
#include "core/support/attempt.hpp"
#include "core/support/count.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// The maximum sizes in bytes: of the header, and of a tensor's name or of the part of a metadata key that is kept.
constexpr std::uint64_t most_head = 256'000'000, most_name = 1024;
/// Limits on the metadata that is kept: the number of keys, of integers in a list, and of values shown to the user.
constexpr std::size_t most_kept = 2000, most_integers = 4096, most_shown = 60;

enum Type : std::uint64_t { u8, i8, u16, i16, u32, i32, f32, boolean, string, list, u64, i64, f64 };
constexpr unsigned sizes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

bool is_signed(std::uint64_t type) { return type == i8 || type == i16 || type == i32 || type == i64; }
bool is_float(std::uint64_t type) { return type == f32 || type == f64; }

/// The byte range of a tensor, counted from the start of the tensor data.
struct Span {
  std::uint64_t begin, end;
  std::string_view name;
};

class HeadReader {
 public:
  HeadReader(Pieces& file, Listing& out, GgufHead& head) : file_(file), in_(file, 4, most_head), out_(out), head_(head) {}

  void read() {
    const std::uint64_t version = in_.number(4);
    if (version > 0 && (version & 0xffffU) == 0) refuse_file("This GGUF file is big-endian. Convert it to little-endian.");
    if (version == 1) refuse_file("This is GGUF version 1, which no tool has written since 2023. Convert the model again.");
    if (version != 2 && version != 3) refuse_file(concat({"GGUF version ", digits(version), ", which is not supported."}));
    const std::uint64_t tensors = in_.number(8), values = in_.number(8);
    first_ = head_.values.size();
    ++head_.here;
    for (std::uint64_t i = 0; i < values; ++i) read_value();
    check_alignment();
    for (std::uint64_t i = 0; i < tensors; ++i) read_tensor();
    check_spans();
  }

 private:
  std::string_view text(std::uint64_t most) {
    const std::uint64_t length = in_.number(8);
    if (length > most) refuse_file(concat({"A name of ", grouped_digits(length), " bytes; at most ", grouped_digits(most), " are read."}));
    return in_.bytes(length);
  }

  void read_value() {
    constexpr std::uint64_t longest_key = 65'535;
    const std::string_view key = text(longest_key);
    GgufValue value{std::string(clipped(key, most_name))};
    const std::uint64_t type = in_.number(4);
    std::string shown;
    if (type == list) {
      read_list(value, 0);
      shown = concat({"a list of ", grouped_digits(value.length)});
    } else if (type == string) {
      shown = read_text(value);
    } else {
      read_number(type, value.integers, shown);
      if (!value.integers.empty()) shown = digits(value.integers.front());
    }
    if (key == "general.alignment" && value.integers.size() == 1) alignment_ = value.integers.front();
    if (key == "split.count" && value.integers.size() == 1) head_.shards = std::max(head_.shards, value.integers.front());
    if (key == "split.tensors.count" && value.integers.size() == 1) head_.tensors = value.integers.front();
    keep(std::move(value), std::move(shown));
  }

  /// Reads a string value, and returns the text to show to the user.
  std::string read_text(GgufValue& value) {
    const std::uint64_t length = in_.number(8);
    constexpr std::uint64_t most = 200;  // of longer texts, such as chat templates, only the length is shown
    const std::string_view begin = length <= most ? in_.bytes(length) : std::string_view();
    if (length > most) in_.skip(length);
    if (is_utf8(begin)) value.text = std::string(begin);
    return length > most ? concat({"a text of ", grouped_digits(length), " bytes"}) : value.text;
  }

  void read_number(std::uint64_t type, std::vector<std::uint64_t>& integers, std::string& shown) {
    if (type > f64) refuse_file(concat({"A value of the type ", digits(type), ", which GGUF does not have."}));
    const unsigned size = sizes[type];
    const std::uint64_t bits = in_.number(size);
    if (is_float(type)) {
      double number = 0;
      if (type == f64) {
        std::memcpy(&number, &bits, sizeof number);
      } else {
        float narrow = 0;
        std::memcpy(&narrow, &bits, sizeof narrow);
        number = static_cast<double>(narrow);
      }
      constexpr double most = 9e15;  // doubles represent all integers up to this one exactly
      if (number >= 0 && number <= most && static_cast<double>(static_cast<std::uint64_t>(number)) == number)
        shown = digits(static_cast<std::uint64_t>(number));
    } else if (!is_signed(type) || (bits >> (8 * size - 1)) == 0) {
      if (integers.size() < most_integers) integers.push_back(bits);
    }
  }

  void read_list(GgufValue& value, int depth) {
    constexpr int deepest = 4;
    if (depth == deepest) refuse_file("Lists are nested too deeply.");
    const std::uint64_t type = in_.number(4), length = in_.number(8);
    if (depth == 0) value.length = length;
    if (type > f64) refuse_file(concat({"A value of the type ", digits(type), ", which GGUF does not have."}));
    if (type == string) {
      for (std::uint64_t i = 0; i < length; ++i) in_.skip(in_.number(8));
    } else if (type == list) {
      for (std::uint64_t i = 0; i < length; ++i) read_list(value, depth + 1);
    } else if (depth == 0 && !is_float(type) && length <= most_integers) {
      std::string shown;
      for (std::uint64_t i = 0; i < length; ++i) read_number(type, value.integers, shown);
    } else {
      if (length > most_head * 8) refuse_file(concat({"A list of ", grouped_digits(length), " entries."}));
      in_.skip(length * sizes[type]);
    }
  }

  /// Keeps a value, unless this file or an earlier shard has already given one for its key, or too many values are kept. Reports a key that
  /// occurs twice in this file.
  void keep(GgufValue value, std::string shown) {
    const auto key_of = [&](std::size_t i) -> std::string_view { return head_.values[i].key; };
    const std::size_t known = head_.index.find(value.key, head_.values.size(), key_of);
    if (known < head_.values.size()) {
      if (known >= first_) out_.problems.add(0, {"The key ", quoted(value.key), " occurs twice."});
      return;
    }
    if (head_.values.size() >= most_kept) return;
    if (!shown.empty() && out_.metadata.size() < most_shown && is_utf8(value.key)) out_.metadata.emplace_back(value.key, std::move(shown));
    head_.index.intern(value.key, head_.values.size(), key_of);
    head_.values.push_back(std::move(value));
  }

  void check_alignment() const {
    if (alignment_ == 0 || alignment_ % 8 != 0)
      refuse_file(concat({"The tensors would be aligned to ", grouped_digits(alignment_), " bytes."}));
  }

  void read_tensor() {
    const std::string_view name = text(most_name);
    const auto rank = static_cast<std::size_t>(in_.number(4));
    if (rank > most_dimensions) refuse_file(concat({"A tensor of ", grouped_digits(rank), " dimensions; GGUF has four at most."}));
    // GGUF lists the fastest-varying dimension first; other formats list it last.
    std::array<std::uint64_t, most_dimensions> dims{};
    for (std::size_t i = rank; i-- > 0;) dims[i] = in_.number(8);
    const std::uint64_t number = in_.number(4), begin = in_.number(8);
    const Dtype dtype = dtype_of_ggml(number);
    if (!is_utf8(name)) refuse_file("A tensor's name is not UTF-8.");
    if (dtype == 0)
      out_.problems.add_of(name, concat({"is of the type ", digits(number), ", which is unknown, so its bytes are not counted"}));
    all_known_ = all_known_ && dtype != 0;
    Count bytes = 0;
    if (attempt([&] {
          bytes = bytes_of(dtype, elements_of(dims.data(), rank));
          out_.table.add(name, {dims.data(), rank}, dtype);
        }))
      return out_.problems.add_of(name, "has more elements than can be counted");
    ++out_.files.back().tensors;
    if (rank > 0 && dims[rank - 1] % numbers_of_block(dtype) != 0)
      out_.problems.add_of(name, "has rows that are not a whole number of blocks");
    if (begin % alignment_ != 0) out_.problems.add_of(name, "is not aligned");
    if (bytes > file_.size() || begin > file_.size() - static_cast<std::uint64_t>(bytes))
      return out_.problems.add_of(name, "extends past the end of the file");
    head_.data_bytes += static_cast<std::uint64_t>(bytes);
    if (dtype != 0) spans_.push_back({begin, begin + static_cast<std::uint64_t>(bytes), name});
  }

  void check_spans() {
    const std::uint64_t data = (in_.position() + alignment_ - 1) / alignment_ * alignment_;
    std::sort(spans_.begin(), spans_.end(),
              [](const Span& a, const Span& b) { return a.begin != b.begin ? a.begin < b.begin : a.name.data() < b.name.data(); });
    std::uint64_t end = 0;
    Count between = 0;
    for (const Span& span : spans_) {
      if (span.begin < end) out_.problems.add_of(span.name, "overlaps the data before it in the file");
      if (span.begin > end) between += Count{span.begin - end} / alignment_ * alignment_;
      end = std::max(end, span.end);
    }
    if (data <= file_.size() && end <= file_.size() - data) between += Count{file_.size() - data - end} / alignment_ * alignment_;
    // In a valid file, only alignment padding lies between or after tensors.
    if (between != 0 && all_known_)
      out_.problems.add(0,
                        {"The file has ", grouped_digits(between), " bytes that belong to no tensor: its header lists too few tensors."});
    if (!spans_.empty() && (data > file_.size() || end > file_.size() - data))
      out_.problems.add(0, {"The file ends ", grouped_digits(data + end - file_.size()), " bytes before the end of its last tensor."});
  }

  static constexpr std::size_t most_dimensions = 4;

  Pieces& file_;
  ByteReader in_;
  Listing& out_;
  GgufHead& head_;
  std::vector<Span> spans_;
  std::uint64_t alignment_ = 32;
  bool all_known_ = true;  ///< whether the types of all tensors, and therefore their sizes in bytes, are known
  std::size_t first_ = 0;  // the position of this file's first value in `head_.values`
};

}  // namespace

const GgufValue* GgufHead::find(std::string_view key) const {
  const auto found = std::find_if(values.begin(), values.end(), [&](const GgufValue& v) { return v.key == key; });
  return found == values.end() ? nullptr : &*found;
}

std::uint64_t GgufHead::integer(std::string_view key, std::uint64_t otherwise) const {
  const GgufValue* const value = find(key);
  if (value == nullptr || value->integers.empty()) return otherwise;
  const std::uint64_t first = value->integers.front();
  const bool one = std::all_of(value->integers.begin(), value->integers.end(), [&](std::uint64_t other) { return other == first; });
  return one && value->integers.size() == std::max<std::uint64_t>(value->length, 1) ? first : otherwise;
}

std::string_view GgufHead::architecture() const {
  const GgufValue* const value = find("general.architecture");
  return value != nullptr ? std::string_view(value->text) : std::string_view();
}

bool begins_gguf(std::string_view bytes) { return bytes.starts_with("GGUF"); }

void read_gguf(Pieces& file, Listing& out, GgufHead& head) { HeadReader(file, out, head).read(); }

}  // namespace param_ledger
