// Source for the format of arrays: numpy/lib/format.py.

#include "core/inputs/torch/npz.hpp"

#include <array>
#include <optional>

#include "core/inputs/torch/zip.hpp"
#include "core/json/value_text.hpp"
#include "core/support/attempt.hpp"
#include "core/support/count.hpp"
#include "core/support/error.hpp"
#include "core/support/parse.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// The text after a key of a Python dict.
std::string_view behind(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return {};
  const std::size_t value = text.find_first_not_of(": ", at + key.size());
  return value == std::string_view::npos ? std::string_view() : text.substr(value);
}

/// Parses a dtype in quotes, such as "'<f4', …".
Dtype dtype_of(std::string_view descr) {
  if (!descr.starts_with('\'')) return 0;
  descr.remove_prefix(1);
  return dtype_of_numpy(descr.substr(0, descr.find('\'')));
}

/// Parses the header of an array. Returns false if it contains no readable shape.
bool read_array(std::string_view header, std::array<std::uint64_t, 64>& dims, std::size_t& rank, Dtype& dtype) {
  dtype = dtype_of(behind(header, "'descr'"));
  std::string_view shape = behind(header, "'shape'");
  if (!shape.starts_with('(')) return false;
  shape.remove_prefix(1);
  for (rank = 0; !shape.empty();) {
    if (shape.front() == ')') return true;
    if (!is_digit(shape.front())) {
      if (shape.front() != ',' && shape.front() != ' ') return false;
      shape.remove_prefix(1);
      continue;
    }
    const std::optional<std::uint64_t> dim = parse_integer<std::uint64_t>(shape);
    if (!dim || rank == dims.size()) return false;
    dims[rank++] = *dim;
  }
  return false;
}

}  // namespace

void read_npz(Pieces& file, Listing& out) {
  constexpr std::string_view ending = ".npy";
  constexpr std::uint64_t usual = 128, longest = 65'536;
  for (const ZipEntry& entry : zip_directory(file, out.problems)) {
    if (!entry.name.ends_with(ending)) continue;
    if (entry.deflated) refuse_file("The arrays in this archive and their shapes are compressed (savez_compressed). Save it with savez.");
    const std::uint64_t at = zip_data(file, entry);
    if (entry.size < usual) refuse_file(concat({quoted(entry.name), " is not a NumPy array."}));
    static_cast<void>(file.at(at, usual));
    ByteReader in(file, at);
    if (in.bytes(6) != "\x93NUMPY") refuse_file(concat({quoted(entry.name), " is not a NumPy array."}));
    const std::uint64_t version = in.number(1);
    in.skip(1);
    const std::uint64_t length = in.number(version == 1 ? 2 : 4);
    if (length > longest) refuse_file(concat({"The header of ", quoted(entry.name), " would have ", grouped_digits(length), " bytes."}));
    std::array<std::uint64_t, 64> dims{};
    std::size_t rank = 0;
    Dtype dtype = 0;
    const std::string_view name = entry.name.substr(0, entry.name.size() - ending.size());
    if (!read_array(in.bytes(length), dims, rank, dtype)) {
      out.problems.add_of(name, "has a header without a shape");
      continue;
    }
    if (dtype == 0) out.problems.add_of(name, "has an unknown type, so its bytes are not counted");
    Count bytes = 0;
    if (attempt([&] {
          bytes = bytes_of(dtype, elements_of(dims.data(), rank));
          out.table.add(name, {dims.data(), rank}, dtype);
        })) {
      out.problems.add_of(name, "has more elements than can be counted");
      continue;
    }
    if (dtype != 0 && in.position() - at + bytes != entry.size)
      out.problems.add_of(name, "has a length that does not match its shape and type");
    ++out.files.back().tensors;
  }
}

}  // namespace param_ledger
