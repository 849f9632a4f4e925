#include "core/claims/article.hpp"

#include "core/api/report.hpp"
#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

Json judged(const Json& article_json) { return parsed(article(article_json.dump())); }

/// An article as it is stored in web/data/articles.
Json written(const std::string& id) { return json_of("../../web/data/articles/" + id + ".json"); }
Json shipped(const std::string& id) { return judged(written(id)); }

std::string verdicts(const Json& answer) {
  std::string out;
  for (const Json& step : answer.at("steps")) out += step.at("verdict").get<std::string>() + ' ';
  return out + "= " + answer.at("total").at("verdict").get<std::string>();
}

/// The waterfall as text: "printed 78235566080, slip -83886080, …".
std::string waterfall(const Json& answer) {
  std::string out;
  for (const Json& bar : answer.at("waterfall"))
    out += (out.empty() ? "" : ", ") + bar.at("kind").get<std::string>() + ' ' +
           (bar.contains("change") ? bar.at("change") : bar.at("total")).get<std::string>();
  return out;
}

const Json* step_of(const Json& answer, const std::string& name) {
  for (const Json& step : answer.at("steps"))
    if (step.value("name", "") == name) return &step;
  return nullptr;
}

Json one_step(const std::string& expression, const std::string& prints) {
  const Json answer =
      judged({{"setting", {{"model_type", "llama"}}}, {"steps", {{{"says", "it"}, {"expression", expression}, {"prints", prints}}}}});
  REQUIRE(answer.at("ok") == true);
  return answer.at("steps").at(0);
}

}  // namespace

TEST_CASE("the first seed computes correctly, but for no real model", "[article]") {
  const Json answer = shipped("hypothetical-405b");
  CHECK(verdicts(answer) == "right right right right right right right right right right right right right = right");
  CHECK(answer.at("total").at("value") == "403350487040");
  // The article's total is close to the real model's only by chance, because the differences between the two models nearly cancel.
  CHECK(waterfall(answer) ==
        "printed 403350487040, own 403350487040, cause 1971322880, cause -145488871424, cause 148176371712, cause -63417876480, cause "
        "-50734301184, cause 2101346304, cause 109924319232, cause 4145152, cause -33554432, model 405853388800");
  CHECK(answer.at("waterfall").at(8).at("label") == "gate");
  // The increases are 1,971,322,880 + 148,176,371,712 + 2,101,346,304 + 109,924,319,232 + 4,145,152, and the decreases are 145,488,871,424
  // + 63,417,876,480 + 50,734,301,184 + 33,554,432.
  CHECK(answer.at("total").at("sentence") ==
        "The sum is right, but for a different model. Compared with it, the real one has 262,177,505,280 more parameters in some places "
        "and 259,674,603,520 fewer in others, so the differences nearly cancel.");
}

TEST_CASE("the second seed has two wrong products", "[article]") {
  const Json answer = shipped("llama-2-70b");
  CHECK(verdicts(answer) == "right right convention right convention wrong wrong carried carried carried left_out carried right = carried");
  const Json& first = *step_of(answer, "first");
  CHECK(first.at("value") == "469762048");
  CHECK(first.at("slip") == "factor");
  CHECK(step_of(answer, "second")->at("value") == "234881024");
  CHECK(step_of(answer, "grand")->at("value") == "78108426240");
  CHECK(step_of(answer, "qkv")->at("model") == "83886080");
  CHECK(step_of(answer, "qkv")->at("convention") == "201,326,592 = all parameters 83,886,080 + as if with 64 key-value heads 117,440,512");
  CHECK(answer.at("total").at("printed") == "78235566080");
  CHECK(answer.at("total").at("value") == "78109736960");
  CHECK(answer.at("model") == "68976648192");
  CHECK(waterfall(answer) ==
        "printed 78235566080, slip -83886080, slip -41943040, own 78109736960, convention 8192, convention 262144000, convention "
        "-9395240960, model 68976648192");
  // The bars of the two slips and of the first convention name a step. The bars of totals do not.
  const Json& bars = answer.at("waterfall");
  CHECK((bars.at(1).at("step") == "first" && bars.at(2).at("step") == "second" && bars.at(4).at("step") == "final_norm"));
  for (const std::size_t i : {0U, 3U, 7U}) CHECK_FALSE(bars.at(i).contains("step"));
}

TEST_CASE("the third seed omits the final norm", "[article]") {
  const Json llama_3 = shipped("llama-3-8b"), llama_2 = shipped("llama-2-7b");
  CHECK(verdicts(llama_3) ==
        "right right right right right right right right misread misread misread right right right right left_out = left_out");
  CHECK(verdicts(llama_2) == "right right right right right right right right right right right right left_out = left_out");
  CHECK(waterfall(llama_3) == "printed 8030257152, own 8030257152, convention 4096, model 8030261248");
  CHECK(waterfall(llama_2) == "printed 6738411520, own 6738411520, convention 4096, model 6738415616");
  CHECK(llama_2.at("total").at("sentence") == "Right without the final norm; the model has 6,738,415,616.");
}

TEST_CASE("the fourth seed follows the code", "[article]") {
  const Json answer = shipped("llama-7b-from-code");
  CHECK(answer.at("steps").at(0).at("verdict") == "misread");
  CHECK(answer.at("steps").at(0).at("sentence") ==
        "The product is right, but the model has no matrix of 50,200,576 rows and 4,096 columns.");
  CHECK(step_of(answer, "total_weights")->at("verdict") == "right");
  CHECK(step_of(answer, "total_weights")->at("value") == "6476005376");
  CHECK(step_of(answer, "hidden_dim")->at("value") == "11008");
  CHECK(answer.at("total").at("value") == "6885605376");
  CHECK(answer.at("total").at("verdict") == "convention");
  // The article's two tables of width 4,096 have 18,000 rows too many each, and it leaves out 65 norms of 4,096.
  CHECK(waterfall(answer) ==
        "printed 6900000000, rounding -14394624, own 6885605376, convention 266240, convention -147456000, model 6738415616");
}

TEST_CASE("the fifth seed's norms have a wrong unit", "[article]") {
  const Json small = shipped("llama-1-7b"), large = shipped("llama-1-65b");
  CHECK(step_of(small, "norm")->at("verdict") == "unit");
  CHECK(step_of(small, "norm")->at("sentence") == "The unit is wrong: 8.19M is 8.19K, 8,192.");
  CHECK(waterfall(small) == "printed 6607300000, rounding 39520, own 6607339520, convention 4096, convention 131072000, model 6738415616");
  CHECK(waterfall(large) ==
        "printed 65023500000, rounding 8480, own 65023508480, convention 8192, convention 262144000, model 65285660672");
  CHECK(large.at("total").at("verdict") == "left_out");
}

// Tables in papers. The expected numbers were calculated by hand from the dimensions in the tables.
TEST_CASE("the literature's tables", "[article]") {
  const auto wrong_of = [](const Json& answer) {
    std::string out;
    for (const Json& step : answer.at("steps"))
      if (step.at("verdict") == "wrong") out += (out.empty() ? "" : ", ") + step.at("value").get<std::string>();
    return out;
  };
  // GPT-3's table 2.1: 24 × 128 is not 2,048, and 40 × 128 is not 5,140. It gives 350M for 356 million and 175.0B for 174.6 billion
  // parameters. In table D.1, 12.85B is wrong for a width of 5,140, but right for 5,120.
  const Json gpt_3 = shipped("gpt-3-table");
  CHECK(wrong_of(gpt_3) == "3072, 5120, 355871744, 12952938780, 174604259328");
  CHECK(gpt_3.at("total").at("value") == "174604259328");
  CHECK(gpt_3.at("total").at("verdict") == "right");
  // Chinchilla: 80·12·8192² + 32,000·8192. With one more square matrix in each layer the total would be 70B.
  const Json chinchilla = shipped("chinchilla-table");
  CHECK(wrong_of(chinchilla) == "64686653440");
  CHECK(chinchilla.at("total").at("verdict") == "right");
  CHECK(chinchilla.at("total").at("value") == "70055362560");
  CHECK(wrong_of(shipped("pythia-table")).empty());
  CHECK(wrong_of(shipped("llama-tables")) == "68976648192");
  const Json kaplan = shipped("kaplan-12-l-d2");
  CHECK(kaplan.at("total").at("verdict") == "left_out");
  CHECK(kaplan.at("total").at("value") == "1474560000");
  const Json mixtral = shipped("mixtral-8x7b");
  CHECK(mixtral.at("steps").at(0).at("verdict") == "misread");
  CHECK(step_of(mixtral, "all")->at("verdict") == "right");
  CHECK(step_of(mixtral, "all")->at("value") == "46702792704");
  const Json deepseek = shipped("deepseek-v3");
  CHECK(step_of(deepseek, "all")->at("value") == "671026404352");
  // DeepSeek-V3: "36.7B" is too small for a count with the embedding and the head, "11.5B" leaves out the prediction layer's projection of
  // 2 · 7,168², and "14B" is right only if the scales of all 8-bit matrices are added.
  CHECK(wrong_of(deepseek) == "37552282624, 11610067968, 13463426304");
  CHECK(deepseek.at("total").at("value") == "684531386000");
  CHECK(deepseek.at("total").at("verdict") == "right");
  const Json gemma = shipped("gemma-3-table");
  // Gemma 3: the embedding tables have 262,208 rows of 2,560, 3,840 and 5,376. Some of the numbers include a projector of 1,152 × (d + 1).
  CHECK(wrong_of(gemma) == "671252480, 674202752, 1006878720, 1011303552, 1409630208");
  CHECK(gemma.at("total").at("value") == "999885952");
}

TEST_CASE("a total that counts something twice leaves nothing out", "[article]") {
  const auto total = [](const std::string& expression, const std::string& prints) {
    const Json sum = {{"says", "all"}, {"expression", expression}, {"prints", prints}};
    return judged({{"model", {{"model_type", "gpt2"}}}, {"steps", Json::array()}, {"total", sum}}).at("total");
  };
  // GPT-2 has 124,439,808 parameters. The second claim counts the table of 50,257 × 768 twice, and the third leaves out the position table
  // of 1,024 × 768.
  CHECK(total("124439808", "124,439,808").at("verdict") == "right");
  CHECK(total("124439808 + 50257 * 768", "163,037,184").at("verdict") == "convention");
  CHECK(total("124439808 - 1024 * 768", "123,653,376").at("verdict") == "left_out");
  CHECK(total("50257 * 768 + 1024 * 768", "39,383,808").at("sentence") ==
        "Right without everything but the embeddings; the model has 124,439,808.");
}

TEST_CASE("a step may count one copy of each tensor", "[article]") {
  const auto step = [](const std::string& expression, const std::string& prints) {
    return judged({{"model", {{"model_type", "llama"}}},
                   {"steps", {{{"says", "a"}, {"expression", expression}, {"prints", prints}, {"tensors", {"q_proj", "k_proj"}}}}}})
        .at("steps")
        .at(0);
  };
  // Two matrices of 4,096 × 4,096 in each of 32 layers.
  CHECK(step("4096^2 * 2 * 32", "1,073,741,824").at("verdict") == "right");
  const Json once = step("4096^2 * 2", "33,554,432");
  CHECK(once.at("verdict") == "convention");
  CHECK(once.at("sentence") == "Right for one copy of each tensor; the model has 1,073,741,824 in all copies.");
  CHECK(step("4096^2 * 2 + 1", "33,554,433").at("sentence") == "The product is right, but the model has 1,073,741,824 here.");
}

TEST_CASE("a step may name a vector that the model lacks", "[article]") {
  const auto sentence = [](const Json& matrix, const Json& tensors) {
    const Json step = {{"says", "a"}, {"expression", "1"}, {"matrix", matrix}, {"tensors", tensors}};
    return judged({{"model", {{"model_type", "llama"}}}, {"steps", {step}}}).at("steps").at(0).at("sentence");
  };
  // Llama's norms have 4,096 weights, and its query projections are matrices of 4,096 × 4,096.
  CHECK(sentence({"4097"}, Json::array()) == "The model has no matrix of 4,097 rows.");
  CHECK(sentence({"4097"}, {"input_layernorm"}) == "The model has no matrix of 4,097 rows. input_layernorm has 4,096 rows.");
  CHECK(sentence({"4097", "1"}, {"q_proj"}) ==
        "The model has no matrix of 4,097 rows and 1 columns. q_proj has 4,096 rows and 4,096 columns.");
}

TEST_CASE("a step without an expression keeps its number in later steps", "[article]") {
  const Json answer = judged(
      {{"setting", {{"model_type", "llama"}}},
       {"steps",
        {{{"name", "a"}, {"says", "a"}, {"prints", "4096"}}, {{"name", "b"}, {"says", "b"}, {"expression", "a * 2"}, {"prints", "8193"}}}},
       {"total", {{"says", "c"}, {"expression", "a + b"}, {"prints", "12289"}}}});
  CHECK(waterfall(answer) == "printed 12289, slip -1, own 12288");
}

TEST_CASE("a rounded total that is wrong is to blame itself", "[article]") {
  const Json answer = judged({{"setting", {{"model_type", "llama"}}},
                              {"steps", {{{"name", "a"}, {"says", "a"}, {"expression", "10 * 10"}, {"prints", "101"}}}},
                              {"total", {{"says", "b"}, {"expression", "4096 * 4096"}, {"prints", "17.0M"}}}});
  CHECK(verdicts(answer) == "wrong = wrong");
  CHECK(waterfall(answer) == "printed 17000000, slip -222784, own 16777216");
  CHECK(answer.at("waterfall").at(1).at("label") == "b");
}

TEST_CASE("articles contain no verdicts", "[article]") {
  for (const char* id :
       {"hypothetical-405b", "llama-2-70b", "llama-3-8b", "llama-2-7b", "llama-7b-from-code", "llama-1-7b", "llama-1-65b", "kaplan-12-l-d2",
        "gpt-3-table", "chinchilla-table", "pythia-table", "llama-tables", "mixtral-8x7b", "deepseek-v3", "gemma-3-table"}) {
    const Json article_json = written(id);
    for (const Json& step : article_json.at("steps"))
      for (const auto& member : step.items()) {
        const std::string key = member.key();
        CHECK((key == "name" || key == "says" || key == "expression" || key == "prints" || key == "tensors" || key == "each" ||
               key == "matrix"));
      }
  }
}

TEST_CASE("likely errors are found", "[article]") {
  CHECK(one_step("4096 * 4096", "16,777,216").at("verdict") == "right");
  CHECK(one_step("4096 * 4096", "16.78M").at("verdict") == "right");
  CHECK(one_step("4096 * 4096", "16.77M").at("sentence") == "Cut off rather than rounded: it is 16,777,216.");
  const auto slip = [](const std::string& expression, const std::string& prints) {
    const Json step = one_step(expression, prints);
    CHECK(step.at("verdict") == "wrong");
    return step.value("slip", "none") + ": " + step.at("sentence").get<std::string>();
  };
  CHECK(slip("4096 * 4096", "16,777,236") == "digit: It is 16,777,216. One digit differs.");
  CHECK(slip("4096 * 4096", "16,778,226") == "digit: It is 16,777,216. Two digits differ.");
  CHECK(slip("4096 * 4096", "16,778,227") == "none: It is 16,777,216.");
  CHECK(slip("4096 * 4096", "16,777,226") == "digit: It is 16,777,216. One digit differs.");
  CHECK(slip("4096 * 11008", "45,350,912") == "factor: It is 45,088,768. As if 11,008 were 11,072: 4,096 × 11,072 is 45,350,912.");
  CHECK(slip("2 * 4096", "8,320") == "factor: It is 8,192. As if 4,096 were 4,160: 2 × 4,160 is 8,320.");
  CHECK(slip("1000 + 234 + 50000", "51,000") == "term: It is 51,234. The term 234 is missing.");
  CHECK(slip("987 + 234 + 50000", "52,208") == "term: It is 51,221. The term 987 is counted twice.");
  CHECK(slip("d^2", "50331648") == "ratio: It is 16,777,216. It is 3 times too large.");
  CHECK(slip("d^2", "8388608") == "ratio: It is 16,777,216. It is 2 times too small.");
  CHECK(slip("d^2", "131072") == "ratio: It is 16,777,216. It is 128 times too small.");
  CHECK(slip("d^2", "12345678") == "none: It is 16,777,216.");
  CHECK(slip("d^2", "5592405") == "none: It is 16,777,216.");  // a third, rounded down
}

TEST_CASE("a line that cannot be parsed has an error as its verdict", "[article]") {
  const Json answer = judged({{"setting", {{"model_type", "llama"}}},
                              {"steps",
                               {{{"says", "a"}, {"expression", "4 * nonsense"}},
                                {{"says", "b"}, {"expression", "4 *"}},
                                {{"says", "c"}, {"expression", "d"}, {"prints", "many"}},
                                {{"says", "d"}, {"expression", "8 / 3"}},
                                {{"says", "e"}, {"expression", "hidden_size"}, {"prints", "4096"}}}}});
  REQUIRE(answer.at("ok") == true);
  for (std::size_t i = 0; i < 4; ++i) CHECK(answer.at("steps").at(i).at("verdict") == "unreadable");
  CHECK(answer.at("steps").at(4).at("verdict") == "right");
  CHECK(judged(Json::array()).at("error").at("field") == "article");
  CHECK(judged({{"title", "none"}}).at("error").at("field") == "steps");
  CHECK(judged({{"setting", {{"model_type", "nothing"}}}, {"steps", Json::array()}}).at("error").at("code") == "unknown_architecture");
}

}  // namespace param_ledger::test
