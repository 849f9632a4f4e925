#include "core/devices/device_training.hpp"

#include "core/memory/training.hpp"

namespace param_ledger {

namespace {

/// One kind of data that training keeps in memory, and the first stage of ZeRO that divides it (Rajbhandari et al. 2020).
struct Kept {
  std::string_view name;
  Count Training::*bytes;
  Count first_stage;
};
constexpr Kept all_kept[] = {{"weights", &Training::weights, 3},
                             {"gradients", &Training::gradients, 2},
                             {"master", &Training::master, 1},
                             {"states", &Training::states, 1}};

Count share(Count bytes, Count among) { return (bytes + among - 1) / among; }

}  // namespace

void write_device_training(JsonWriter& json, const DevicesRequest& request, const std::vector<LocalRow>& held) {
  std::vector<Row> dense_rows, expert_rows;
  for (const LocalRow& row : held) (row.of->is_whole_experts() ? expert_rows : dense_rows).push_back(row.row);
  const Training dense = training_of(dense_rows, request.training), experts = training_of(expert_rows, request.training);
  json.key("training").open_object();
  json.digits_member("trained", add(dense.trained, experts.trained));
  json.digits_member("stage", request.zero);
  json.digits_member("dense_copies", request.dense_copies());
  if (!expert_rows.empty()) json.digits_member("expert_copies", request.expert_copies());
  Count total = 0, each = 0;
  json.key("rows").open_array();
  for (const Kept& kept : all_kept) {
    const Count of_dense = dense.*kept.bytes, of_experts = experts.*kept.bytes, all = add(of_dense, of_experts);
    if (all == 0) continue;
    const bool divides = request.zero >= kept.first_stage;
    const Count its = divides ? add(share(of_dense, request.dense_copies()), share(of_experts, request.expert_copies())) : all;
    total = add(total, all);
    each = add(each, its);
    json.open_object();
    json.plain_member("name", kept.name);
    write_bytes(json, "total", all);
    write_bytes(json, "each", its);
    json.close_object();
  }
  json.close_array();
  write_bytes(json, "total", total);
  write_bytes(json, "each", each);
  json.close_object();
}

}  // namespace param_ledger
