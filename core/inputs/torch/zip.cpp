// Source: PKWARE's APPNOTE.TXT, sections 4.3 and 4.5.3.

#include "core/inputs/torch/zip.hpp"

#include <algorithm>

#include "core/json/value_text.hpp"
#include "core/support/count.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr std::uint64_t most_directory = 64'000'000;
constexpr std::uint64_t end_length = 22, far_length = 20, far_end_length = 56, entry_length = 46, local_length = 30;
constexpr std::uint64_t far16 = 0xffff, far32 = 0xffff'ffff;  // values that mean that the number is stored in 64 bits elsewhere

/// The position of the archive's end record. A comment may follow this record.
std::uint64_t end_record(Pieces& file) {
  constexpr std::uint64_t longest_comment = 65'535;
  constexpr std::string_view mark = "PK\x05\x06";
  const std::uint64_t size = file.size();
  if (size < end_length) refuse_file("The archive is too short to be a ZIP file.");
  if (file.at(size - end_length, end_length).starts_with(mark)) return size - end_length;
  const std::uint64_t length = std::min(size, end_length + longest_comment);
  const std::string_view tail = file.at(size - length, length);
  const std::size_t at = tail.rfind(mark, tail.size() - end_length);
  if (at == std::string_view::npos) refuse_file("The archive's directory is missing: the file is incomplete or not an archive.");
  return size - length + at;
}

struct Directory {
  std::uint64_t entries, length, begin;
};

Directory directory_of(Pieces& file) {
  const std::uint64_t end = end_record(file);
  ByteReader in(file, end + 8);
  in.skip(2);
  Directory out{};
  out.entries = in.number(2);
  out.length = in.number(4);
  out.begin = in.number(4);
  if (out.entries != far16 && out.length != far32 && out.begin != far32) return out;
  if (end < far_length || !file.at(end - far_length, far_length).starts_with("PK\x06\x07")) return out;
  const std::uint64_t far = ByteReader(file, end - far_length + 8).number(8);
  if (!file.at(far, far_end_length).starts_with("PK\x06\x06")) refuse_file("The archive's ZIP64 directory is not where it should be.");
  ByteReader wide(file, far + 32);
  out.entries = wide.number(8);
  out.length = wide.number(8);
  out.begin = wide.number(8);
  return out;
}

/// Reads an entry's numbers that do not fit into 32 bits from its extra fields.
void widen(ZipEntry& entry, Pieces& file, std::uint64_t at, std::uint64_t length) {
  ByteReader in(file, at);
  while (length >= 4) {
    const std::uint64_t kind = in.number(2), size = in.number(2);
    length -= 4;
    if (size > length) return;
    length -= size;
    ByteReader inner(file, in.position());
    in.skip(size);
    if (kind != 1) continue;
    std::uint64_t left = size;
    for (std::uint64_t* const number : {&entry.size, &entry.stored, &entry.header})
      if (*number == far32 && left >= 8) {
        *number = inner.number(8);
        left -= 8;
      }
  }
}

}  // namespace

bool begins_zip(std::string_view bytes) { return bytes.starts_with("PK\x03\x04") || bytes.starts_with("PK\x05\x06"); }

std::vector<ZipEntry> zip_directory(Pieces& file, Problems& problems) {
  const Directory directory = directory_of(file);
  if (directory.length > most_directory)
    refuse_file(concat({"The archive's directory would have ", grouped_digits(directory.length), " bytes."}));
  if (directory.entries > directory.length / entry_length)
    refuse_file(concat({"The archive's directory would list ", grouped_digits(directory.entries), " files in ",
                        grouped_digits(directory.length), " bytes."}));
  static_cast<void>(file.at(directory.begin, directory.length));  // if bytes are missing, this requests the whole directory at once
  std::vector<ZipEntry> out;
  ByteReader in(file, directory.begin);
  for (std::uint64_t i = 0; i < directory.entries; ++i) {
    if (in.bytes(4) != "PK\x01\x02") refuse_file("The archive's directory is broken.");
    in.skip(6);
    ZipEntry entry{};
    entry.deflated = in.number(2) != 0;
    in.skip(8);
    entry.stored = in.number(4);
    entry.size = in.number(4);
    const std::uint64_t name = in.number(2), fields = in.number(2), comment = in.number(2);
    in.skip(8);
    entry.header = in.number(4);
    entry.name = in.bytes(name);
    if (!is_utf8(entry.name)) refuse_file("The name of a file in the archive is not UTF-8.");
    widen(entry, file, in.position(), fields);
    in.skip(fields);
    in.skip(comment);
    out.push_back(entry);
  }
  std::vector<const ZipEntry*> order;
  order.reserve(out.size());
  for (const ZipEntry& entry : out) order.push_back(&entry);
  std::sort(order.begin(), order.end(),
            [](const ZipEntry* a, const ZipEntry* b) { return a->header != b->header ? a->header < b->header : a < b; });
  std::uint64_t end = 0;
  for (const ZipEntry* const entry : order) {
    if (entry->header < end) problems.add(0, {quoted(entry->name), " overlaps the file before it in the archive."});
    if (entry->stored > file.size() || entry->header > file.size() - entry->stored)
      problems.add(0, {quoted(entry->name), " extends past the end of the archive."});
    else
      end = std::max(end, entry->header + local_length + entry->name.size() + entry->stored);
  }
  return out;
}

std::uint64_t zip_data(Pieces& file, const ZipEntry& entry) {
  const std::string_view header = file.at(entry.header, local_length);
  if (!header.starts_with("PK\x03\x04")) refuse_file(concat({quoted(entry.name), " is not where the archive's directory says."}));
  ByteReader in(file, entry.header + 26);
  const std::uint64_t name = in.number(2), fields = in.number(2);
  return entry.header + local_length + name + fields;
}

}  // namespace param_ledger
