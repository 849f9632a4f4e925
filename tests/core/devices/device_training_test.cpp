#include "tests/support/asked_devices.hpp"

// The memory that training takes on a device under ZeRO, worked out by hand from the paper (Rajbhandari et al. 2020) for mixed precision
// and AdamW. Each parameter takes two bytes for the weight, two for its gradient, four for a 32-bit master copy, and eight for the
// optimizer's two states. Stage 1 divides master copies and states among the devices that hold copies of a parameter, stage 2 also
// gradients, and stage 3 also weights.

using namespace param_ledger::test;

namespace {

/// The bytes that a device keeps in training: weights, gradients, master copies and optimizer states. Reads only the first kind of device,
/// so all devices must hold equal amounts.
std::vector<std::string> kept(const std::string& config, const std::string& options, int stage) {
  std::vector<std::string> out;
  const Answer answer = asked(config, "\"plan\":\"megatron\"," + options + ",\"training\":{\"stage\":" + std::to_string(stage) + "}");
  for (const Answer& row : answer.at("ranks").at(0).at("training").at("rows")) out.push_back(row.at("each").at("bytes").get<std::string>());
  return out;
}

/// Computes the bytes of weights, gradients, master copies and optimizer states by hand. A device holds `dense` and `experts` parameters.
/// ZeRO divides the former among `dense_copies` devices and the latter among `expert_copies` devices.
std::vector<std::string> by_hand(std::uint64_t dense, std::uint64_t dense_copies, std::uint64_t experts, std::uint64_t expert_copies,
                                 int stage) {
  std::vector<std::string> out;
  const auto put = [&](std::uint64_t bytes, int first_stage) {
    const bool divides = stage >= first_stage;
    out.push_back(std::to_string(bytes * dense / (divides ? dense_copies : 1) + bytes * experts / (divides ? expert_copies : 1)));
  };
  put(2, 3);
  put(2, 2);
  put(4, 1);
  put(8, 1);
  return out;
}

}  // namespace

TEST_CASE("ZeRO divides what copies of Llama keep on the devices that hold the same") {
  // Each tensor is split over 8 devices, and four such groups train together.
  const std::string options = R"("tensor":8,"data":4)";
  const std::uint64_t n = 1004802048;
  CHECK(kept(llama_8b, options, 0) == std::vector<std::string>{"2009604096", "2009604096", "4019208192", "8038416384"});
  CHECK(kept(llama_8b, options, 1) == std::vector<std::string>{"2009604096", "2009604096", "1004802048", "2009604096"});
  CHECK(kept(llama_8b, options, 2) == std::vector<std::string>{"2009604096", "502401024", "1004802048", "2009604096"});
  CHECK(kept(llama_8b, options, 3) == std::vector<std::string>{"502401024", "502401024", "1004802048", "2009604096"});
  for (const int stage : {0, 1, 2, 3}) CHECK(kept(llama_8b, options, stage) == by_hand(n, 4, 0, 1, stage));
}

TEST_CASE("ZeRO divides Mixtral's experts among fewer devices than what all of them hold") {
  // Two data-parallel copies of 8 devices each. Attention and tables are split over 2, so 8 of the 16 devices hold the same part. Each
  // device has one of 8 experts, so 2 devices hold the same expert.
  const std::uint64_t attention = 4096 * 4096 + 1024 * 4096, tables = 32000 * 4096, norms = 65 * 4096, routers = 32 * 8 * 4096;
  const std::uint64_t dense = 32 * attention + tables + norms + routers, experts = 32ULL * 3 * 4096 * 14336;
  for (const int stage : {0, 1, 2, 3})
    CHECK(kept(mixtral_8x7b, R"("tensor":2,"expert":8,"data":2)", stage) == by_hand(dense, 8, experts, 2, stage));
}

TEST_CASE("ZeRO divides what is not an expert of DeepSeek-V3 among the groups of devices that hold it") {
  // 64 devices. Eight devices hold the same part of each tensor that does not belong to a routed expert. Each of the 256 routed experts
  // is on one device, so each device has 4 of them per layer.
  const std::uint64_t routed = 58ULL * 4 * 3 * 7168 * 2048;
  const std::uint64_t attention = (7168 * 1536 + 7168 * 576) / 8 + 1536 + 512 + (1536 * 128 * 192 + 512 * 128 * 256 + 128 * 128 * 7168) / 8;
  const std::uint64_t dense_layers = 3ULL * 3 * 7168 * 18432 / 8, shared = 58ULL * 3 * 7168 * 2048 / 8, routers = 58ULL * 256 * 7168;
  const std::uint64_t norms = (2 * 61 + 1) * 7168, tables = 2ULL * 129280 / 8 * 7168;
  // 129,280 tokens are padded to 130,048, a multiple of 128 · 8.
  const std::uint64_t padded = 2ULL * (130048 - 129280) / 8 * 7168;
  const std::uint64_t dense = 61 * attention + dense_layers + shared + routers + norms + tables + padded;
  for (const int stage : {1, 2, 3}) CHECK(kept(deepseek, R"("tensor":8,"expert":64)", stage) == by_hand(dense, 8, routed, 1, stage));
}
