#include "core/inputs/text/file_listing.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/json/json_text.hpp"
#include "core/support/count.hpp"
#include "core/support/error.hpp"
#include "core/support/parse.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr std::string_view endings[] = {".safetensors", ".gguf", ".bin", ".pt", ".pth", ".ckpt"};

/// A weight file in a file listing.
struct Listed {
  std::string_view name;
  std::optional<std::uint64_t> bytes;  ///< none if the line gives no size, or a rounded one
};

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; (at = line.find_first_not_of(" \t\r", at)) != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    out.push_back(line.substr(at, end - at));
    at = end;
  }
  return out;
}

/// Parses `-rw-r--r-- 1 root root 4976698672 Apr 18 12:00 model-00001-of-00004.safetensors`, `4976698672 model.safetensors`, or a name
/// alone.
std::optional<Listed> listed(std::string_view line) {
  const std::vector<std::string_view> words = words_of(line);
  // In the line of a symbolic link, the target follows an arrow.
  const auto arrow = std::find(words.begin(), words.end(), std::string_view("->"));
  const auto file = std::find_if(words.begin(), arrow, [](std::string_view word) {
    return std::any_of(std::begin(endings), std::end(endings), [&](std::string_view ending) { return word.ends_with(ending); });
  });
  if (file == arrow || std::count_if(words.begin(), arrow,
                                     [](std::string_view word) { return word.find_first_of("[](){}=") != std::string_view::npos; }) > 0)
    return std::nullopt;
  Listed out{*file, std::nullopt};
  constexpr std::size_t size_of_ls = 4;
  const bool long_form = words.front().size() >= 10 && std::string_view("-l").find(words.front()[0]) != std::string_view::npos &&
                         words.front().find_first_not_of("-lrwxsStT.+@") == std::string_view::npos;
  // For a symbolic link, `ls` shows the length of the target's path instead of a file size.
  if (long_form && words.front()[0] != 'l' && words.size() > size_of_ls + 1)
    out.bytes = integer_written(words[size_of_ls]);
  else if (!long_form && words.size() == 2)
    out.bytes = integer_written(words[file == words.begin() ? 1 : 0]);
  return out;
}

}  // namespace

bool is_file_listing(std::string_view text) {
  if (text.size() > largest_text) return false;
  std::size_t files = 0, others = 0;
  each_line(text, [&](std::string_view line, std::uint64_t) {
    if (listed(line)) ++files;
    // A listing may also contain a total, folders and other files. Any other line shows that the text is not a listing.
    else if (const std::vector<std::string_view> words = words_of(line);
             !words.empty() && words.front() != "total" && !words.front().starts_with('-') && !words.front().starts_with('d') &&
             !(words.size() == 2 && integer_written(words.front())) &&
             !(words.size() == 1 && words.front().find('.') != std::string_view::npos))
      ++others;
    return others == 0;
  });
  return files > 0 && others == 0;
}

void refuse_file_listing(std::string_view text) {
  std::uint64_t files = 0, sized = 0, shards = 0;
  Count bytes = 0;
  each_line(text, [&](std::string_view line, std::uint64_t) {
    const std::optional<Listed> file = listed(line);
    if (!file) return true;
    ++files;
    if (file->bytes) ++sized, bytes = add(bytes, *file->bytes);
    constexpr std::string_view of = "-of-";
    if (const std::size_t at = file->name.find(of); at != std::string_view::npos) {
      const std::string_view behind = file->name.substr(at + of.size());
      shards = std::max(shards, integer_written(behind.substr(0, behind.find_first_not_of("0123456789"))).value_or(0));
    }
    return true;
  });
  std::string said = concat({"That lists ", grouped_digits(files), files == 1 ? " file of weights" : " files of weights"});
  if (sized == files) said += concat({", of ", grouped_digits(bytes), " bytes together"});
  if (shards > files) said += concat({", out of ", grouped_digits(shards)});
  said += sized == files ? ". Sizes do not determine the tensors. Give the files themselves (only their headers are read), their index or "
                           "config.json, or check that number of bytes against a model."
                         : ". Names do not determine the tensors. Give the files themselves (only their headers are read), their "
                           "index or config.json.";
  throw Error{ErrorCode::unsupported, "", std::move(said)};
}

}  // namespace param_ledger
