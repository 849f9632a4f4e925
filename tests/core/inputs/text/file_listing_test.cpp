// Tests lists of files instead of tensors. They are refused with a message that gives the number of weight files and, if known, their
// bytes.

#include "core/support/text.hpp"
#include "tests/support/reading.hpp"

namespace param_ledger::test {

namespace {

/// The beginning of the refusal of a list of files; empty if the text is not read as such a list.
std::string listed(const std::string& text) {
  const Json reading = reading_of(text);
  if (reading.at("ok") == true) return {};
  const auto message = reading.at("error").at("message").get<std::string>();
  return message.starts_with("That lists ") ? message.substr(0, message.find(" do not determine")) : std::string();
}

const std::string folder = "drwxr-xr-x 2 root root 4096 Apr 18 12:00 folder\n";

std::string long_form(const std::string& size, const std::string& name) {
  return "-rw-r--r-- 1 root root " + size + " Apr 18 12:00 " + name + "\n";
}

}  // namespace

TEST_CASE("a list of weight files is refused with their number and their bytes", "[inputs]") {
  CHECK(listed("model.safetensors\n") == "That lists 1 file of weights. Names");
  CHECK(listed("a.safetensors\nb.gguf\nc.bin\nd.pt\ne.pth\nf.ckpt\n") == "That lists 6 files of weights. Names");
  CHECK(listed("100 a.safetensors\n250 b.bin\n") == "That lists 2 files of weights, of 350 bytes together. Sizes");
  CHECK(listed("a.safetensors 100\n\tb.bin\t250\r\n") == "That lists 2 files of weights, of 350 bytes together. Sizes");
  CHECK(listed("100 a.safetensors\nb.bin\n") == "That lists 2 files of weights. Names");
  CHECK(listed("total 1000\n" + long_form("100", "a.safetensors") + folder + long_form("250", "b.bin")) ==
        "That lists 2 files of weights, of 350 bytes together. Sizes");
  CHECK(listed(long_form("4.7G", "a.safetensors")) == "That lists 1 file of weights. Names");
}

TEST_CASE("a list of shards is refused with the number of all shards", "[inputs]") {
  CHECK(listed("model-00001-of-00004.bin\nmodel-00003-of-00004.bin\n") == "That lists 2 files of weights, out of 4. Names");
  CHECK(listed("1 model-00001-of-00002.bin\n2 model-00002-of-00002.bin\n") == "That lists 2 files of weights, of 3 bytes together. Sizes");
  CHECK(listed("part-of-model.bin\n") == "That lists 1 file of weights. Names");
  CHECK(listed(long_form("100", "model-00001-of-00030.safetensors")) ==
        "That lists 1 file of weights, of 100 bytes together, out of 30. Sizes");
}

TEST_CASE("the size of a symbolic link is not that of a file", "[inputs]") {
  const std::string link = "lrwxrwxrwx 1 root root 76 Apr 18 12:00 model.safetensors -> ../../blobs/0123";
  CHECK(listed(link) == "That lists 1 file of weights. Names");
  CHECK(listed("lrwxrwxrwx 1 root root 76 Apr 18 12:00 blob -> model.safetensors").empty());
}

TEST_CASE("a list of files may contain other files, but no sentences or tensors", "[inputs]") {
  CHECK(listed("model.bin\nconfig.json\n512 README\n") == "That lists 1 file of weights. Names");
  CHECK(listed(long_form("9", "config.json") + folder).empty());
  CHECK(listed("config.json\ntokenizer.json\n").empty());
  CHECK(listed("model.bin\nREADME\n").empty());
  CHECK(listed("These are my files:\nmodel.bin\n").empty());
  CHECK(listed("a.weight [10, 10]\nmodel.bin [10]\n").empty());
}

}  // namespace param_ledger::test
