// Tests the model type `generic`. Settings that reproduce other models must give equal tensors (apart from names and, for some models,
// orientation), caches and operations.

#include <algorithm>
#include <map>

#include "core/api/report.hpp"
#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

/// The number of tensors by kind, shape and layers, except tensors that only some files contain. If `sorted` is set, the order of the
/// dimensions is ignored.
std::map<std::string, std::uint64_t> shapes_of(const Json& answer, bool sorted) {
  std::map<std::string, std::uint64_t> out;
  for (const Json& row : answer.at("tensors")) {
    const std::string kind = row.value("kind", "parameter");
    if (kind == "possible") continue;
    std::vector<std::uint64_t> shape = row.at("shape").get<std::vector<std::uint64_t>>();
    if (sorted) std::sort(shape.begin(), shape.end());
    const auto name = row.at("name").get<std::string>();
    const std::size_t open = name.find('['), close = name.find(']');
    std::string of = kind + ' ' + Json(shape).dump() + ' ' + (open == std::string::npos ? "" : name.substr(open, close + 1 - open));
    out[of] += std::stoull(row.value("copies", "1"));
  }
  return out;
}

std::string differing(const std::map<std::string, std::uint64_t>& wanted, const std::map<std::string, std::uint64_t>& found) {
  std::string out;
  const auto look = [&](const auto& a, const auto& b, const char* what) {
    for (const auto& [of, copies] : a) {
      const auto other = b.find(of);
      if (other == b.end() || other->second != copies) out += std::string(what) + of + " × " + std::to_string(copies) + '\n';
    }
  };
  look(wanted, found, "lacks ");
  look(found, wanted, "has ");
  return out;
}

std::string error_field(std::string_view config) {
  const Json answer = answer_to(config);
  return answer.at("ok") == true ? "counted" : answer.at("error").at("field").get<std::string>();
}

std::string error_message(std::string_view config) {
  const Json answer = answer_to(config);
  return answer.at("ok") == true ? "counted" : answer.at("error").at("message").get<std::string>();
}

}  // namespace

TEST_CASE("settings of the generic transformer reproduce published models", "[generic]") {
  std::size_t known = 0;
  for (const Json& row : json_of("generic.json")) {
    CAPTURE(row.at("name").get<std::string>());
    const Json like = answer_to(row.at("like").dump()), own = answer_to(row.at("generic").dump());
    REQUIRE(like.at("ok") == true);
    if (own.at("ok") == false) FAIL_CHECK(own.dump());
    if (own.at("ok") == false) continue;
    const bool sorted = row.value("transposed", false);
    CHECK(differing(shapes_of(like, sorted), shapes_of(own, sorted)) == "");
    for (const char* name : {"parameters", "buffers", "published", "active"}) CHECK(total(own, name) == total(like, name));
    ++known;
  }
  CHECK(known >= 20);
}

TEST_CASE("settings of the generic transformer have the caches and operations of published models", "[generic]") {
  const auto asked = [](Json config, const std::string& tokens) {
    for (const char* name : {"dtype", "torch_dtype"}) config.erase(name);
    return parsed(memory(config.dump(), "{\"tokens\":" + tokens + "}"));
  };
  std::size_t caches = 0, operations = 0;
  for (const Json& row : json_of("generic.json")) {
    for (const std::string tokens : {"3", "100", "20000"}) {
      const auto name = row.at("name").get<std::string>() + " after " + tokens + ": ";
      const Json like = asked(row.at("like"), tokens), own = asked(row.at("generic"), tokens);
      if (like.at("cache").at("known") == true) {
        CHECK(name + own.at("cache").value("total", own.at("cache")).value("bytes", own.at("cache").dump()) ==
              name + like.at("cache").at("total").at("bytes").get<std::string>());
        ++caches;
      }
      if (like.at("compute").at("known") == true) {
        CHECK(name + own.at("compute").dump() == name + like.at("compute").dump());
        ++operations;
      }
    }
  }
  CHECK(caches >= 60);
  CHECK(operations >= 60);
}

TEST_CASE("the length of a pattern is the number of layers", "[generic]") {
  CHECK(error_message(R"({"model_type": "generic", "num_hidden_layers": 4, "layer_types": "AWA"})").find('3') != std::string::npos);
  CHECK(error_message(R"({"model_type": "generic", "num_hidden_layers": 4, "layer_types": "AWA"})").find('4') != std::string::npos);
  CHECK(error_field(R"({"model_type": "generic", "num_hidden_layers": 4, "layer_types": "AWAX"})") == "layer_types");
  CHECK(error_field(R"({"model_type": "generic", "num_hidden_layers": 2, "mlp_layer_types": ["dense"]})") == "mlp_layer_types");
  CHECK(error_field(R"({"model_type": "generic", "num_hidden_layers": 2, "mlp_layer_types": "DE"})") == "mlp_layer_types");
  CHECK(error_field(R"({"model_type": "generic", "num_hidden_layers": 2, "layer_types": "MS"})") == "layer_types");
  CHECK(error_field(R"({"model_type": "generic", "num_hidden_layers": 2, "layer_types": "AW"})") == "counted");
}

TEST_CASE("a switch adds what it names", "[generic]") {
  const GivenFields small{{"hidden_size", "8"}, {"num_hidden_layers", "2"}, {"num_attention_heads", "2"}, {"vocab_size", "10"}};
  // An embedding table and, in each of two layers, four matrices of attention and two of the feed-forward block. By default, norms have no
  // parameters.
  CHECK(parameters("generic", small) == std::to_string(80 + 2 * (4 * 64 + 2 * 8 * 32)));
  // One layer without a mixer, and one without a feed-forward block.
  CHECK(parameters("generic", {{"hidden_size", "8"},
                               {"num_hidden_layers", "2"},
                               {"num_attention_heads", "2"},
                               {"vocab_size", "10"},
                               {"layer_types", R"("A-")"},
                               {"mlp_layer_types", R"(["none", "dense"])"}}) == std::to_string(80 + 4 * 64 + 2 * 8 * 32));
  // Two experts of three matrices, a router, and a shared expert of twice the width with a gate.
  CHECK(parameters("generic", {{"hidden_size", "8"},
                               {"num_hidden_layers", "1"},
                               {"num_attention_heads", "2"},
                               {"vocab_size", "10"},
                               {"gated_mlp", "true"},
                               {"num_experts", "2"},
                               {"moe_intermediate_size", "4"},
                               {"n_shared_experts", "2"},
                               {"shared_expert_gate", "true"}}) == std::to_string(80 + 4 * 64 + 2 * (3 * 8 * 4) + 2 * 8 + 3 * 8 * 8 + 8));
}

}  // namespace param_ledger::test
