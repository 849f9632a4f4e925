// Reads the printed models in tests/data/prints.jsonl.gz, which cover many model types, and copies of them that are damaged as in chats
// and issues.

#include "tests/support/prints.hpp"

#include <sstream>

#include "tests/support/reading.hpp"

namespace param_ledger::test {

TEST_CASE("no print gives a wrong number, and no cut print causes an internal error", "[inputs][prints]") {
  // Reads every sixth print and those that once failed, because all of them would take minutes with sanitizers. tests/tools/prints.cpp
  // reads all of them, with any random seed.
  constexpr std::size_t one_of = 6;
  std::istringstream lines(text_of("prints.jsonl.gz"));
  std::size_t prints = 0;
  for (std::string line; std::getline(lines, line); ++prints) {
    const bool failed_once = line.find("\"always\"") != std::string::npos;
    if (prints % one_of != 0 && !failed_once) continue;
    const Json one = parsed(line);
    const auto id = one.at("id").get<std::string>();
    CAPTURE(id);
    const std::string text = unpacked(one.at("text").get<std::string>(), one.value("blocks", Json::array()));
    CHECK(verdict_of(reading_of(text), one.at("parameters").dump()) != Verdict::wrong);
    std::mt19937 random(static_cast<unsigned>(prints));
    for (int i = 0; i < 2; ++i) {
      const std::string cut = cut_print(text, random);
      CAPTURE(cut);
      const Json reading = reading_of(cut);
      CHECK((reading.at("ok") == true || reading.at("error").at("code") != "internal"));
    }
  }
  CHECK(prints > 200);
}

TEST_CASE("prints with a part of another type are answered", "[inputs][prints]") {
  for (const std::string text :
       {"Nemotron3_5AsrForRNNT(\n      (conv_in): NemotronAsrStreamingEncoderCausalConv2D(1, 256, kernel_size=(3, 3), stride=(2, 2))",
        "FunAsrNanoForConditionalGeneration(\n    (audio_tower): FunAsrNanoEncoder(\n    (language_model): Qwen3Model(\n"
        "      (embed_tokens): Embedding(152000, 1024)",
        "  (model): AudioFlamingo3Model(\n    (audio_tower): AudioFlamingo3Encoder(\n      (conv1): Conv1d(128, 1280, "
        "kernel_size=(3,), stride=(1,), padding=(1,))"}) {
    CAPTURE(text);
    CHECK(reading_of(text).at("partial") == true);
  }
}

}  // namespace param_ledger::test
