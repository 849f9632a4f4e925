#include "core/claims/claim_totals.hpp"

#include <algorithm>

#include "core/model/totals.hpp"
#include "core/support/quantity.hpp"
#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

Count sum_of(const RowTallies& rows, std::string_view id) {
  const auto found = std::find_if(claim_totals().begin(), claim_totals().end(), [&](const ClaimTotal& t) { return t.id == id; });
  REQUIRE(found != claim_totals().end());
  return rows.sum(found->scope());
}

std::string offered(std::string_view config) {
  const Document document(config);
  const RowTallies rows{Model(document.root())};
  std::string out;
  for (const ClaimTotal& total : claim_totals().subspan(1))
    if (!total.id.ends_with("_alone") && differs(total, rows)) out += std::string(total.id) + ' ';
  return out;
}

}  // namespace

TEST_CASE("totals of answers and of claims with the same id are equal", "[claim]") {
  for (const Json& model : json_of("models.json")) {
    INFO(model.at("name").get<std::string>());
    const std::string config = model.at("config").dump();
    const Document document(config);
    const Model counted(document.root());
    const RowTallies rows(counted);
    const Totals totals = totals_of(counted.builder.rows());
    std::size_t n = 0;
    for (const NamedTotal& named : named_totals()) {
      if (named.name == "buffers") continue;  // no claim means the buffers alone
      CHECK(digits(sum_of(rows, named.name)) == digits(named.of(totals)));
      ++n;
    }
    CHECK(n == 8);
  }
}

TEST_CASE("a total exists only if all its pieces exist", "[claim]") {
  CHECK(offered(R"({"model_type": "llama"})") == "non_embedding without_head without_embeddings embedding output_head embedding_and_head ");
  CHECK(offered(R"({"model_type": "llama", "tie_word_embeddings": true})") == "without_embeddings embedding ");
  CHECK(offered(R"({"model_type": "mixtral", "tie_word_embeddings": true})") ==
        "active without_embeddings active_non_embedding embedding ");
  const std::string seeing = offered(R"({"model_type": "gemma3"})");
  for (const char* id : {"text ", "text_without_embeddings ", "vision ", "projector ", "vision_and_projector "})
    CHECK(seeing.find(id) != std::string::npos);
  for (const char* id : {"audio", "active", "head"}) CHECK(seeing.find(id) == std::string::npos);
}

TEST_CASE("a total of two pieces is the sum of both", "[claim]") {
  for (const char* config : {R"({"model_type": "gemma3"})", R"({"model_type": "qwen2_audio"})"}) {
    const Document document(config);
    const RowTallies rows{Model(document.root())};
    const Count projector = sum_of(rows, "projector"), vision = sum_of(rows, "vision"), audio = sum_of(rows, "audio");
    const Count embedding = sum_of(rows, "embedding"), head = sum_of(rows, "output_head");
    CHECK(projector > 0);
    CHECK(vision + audio > 0);
    CHECK(embedding > 0);
    CHECK((sum_of(rows, "vision_and_projector") == vision + projector));
    CHECK((sum_of(rows, "audio_and_projector") == audio + projector));
    CHECK((sum_of(rows, "embedding_and_projector") == embedding + projector));
    CHECK((sum_of(rows, "embedding_and_head") == embedding + head));
  }
}

TEST_CASE("words without effect fit any total", "[claim]") {
  const auto said = [](std::string_view config) {
    const Document document(config);
    return said_of_all(RowTallies{Model(document.root())});
  };
  CHECK(said(R"({"model_type": "llama"})") == (subject::active | subject::text));
  CHECK(said(R"({"model_type": "mixtral"})") == subject::text);
  CHECK(said(R"({"model_type": "llama", "tie_word_embeddings": true})") == (subject::active | subject::text | subject::no_head));
  CHECK(said(R"({"model_type": "gemma3"})") == (subject::active | subject::no_head));
}

}  // namespace param_ledger::test
