#include "core/devices/device_sums.hpp"

#include <algorithm>

#include "core/support/error.hpp"

namespace param_ledger {

namespace {

/// A share as a percentage with one decimal place: "12.0".
std::string percent(Count part, Count whole) {
  const Count tenths = whole == 0 ? 0 : (part * 1000 + whole / 2) / whole;
  return concat({digits(tenths / 10), ".", digits(tenths % 10)});
}

/// The elements of each row on all devices together.
std::vector<Count> held_by_all(const Division& division) {
  std::vector<Count> out(division.rows().size());
  for (const RankKind& kind : division.kinds())
    for (const LocalRow& local : division.held_by(kind)) {
      Count& sum = out[division.index_of(local)];
      sum = add(sum, multiply(local.row.total.decide(), kind.count));
    }
  return out;
}

/// Counts for the tensors of one part of the model that several devices hold.
struct Replicated {
  Count parameters = 0, extra = 0, copies = 0;
};

}  // namespace

void write_sum(JsonWriter& json, const Division& division, Count model) {
  const std::vector<Count> sums = held_by_all(division);
  Count all = 0, replicas = 0, padding = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const DividedRow& row = division.rows()[i];
    const Count elements = row.row->total.decide(), padded = row.padded_elements(), copies = division.copies(row);
    if (sums[i] != multiply(padded, copies))
      throw Error{ErrorCode::internal, "", concat({"The devices do not hold all of ", row.row->name, "."})};
    if (row.row->kind != Kind::parameter) continue;
    all = add(all, sums[i]);
    replicas = add(replicas, multiply(elements, copies - 1));
    padding = add(padding, multiply(padded - elements, copies));
  }
  if (all - replicas - padding != model) throw Error{ErrorCode::internal, "", "The devices together do not hold the model."};
  json.key("sum").open_object();
  json.digits_member("ranks", all);
  json.digits_member("replicas", replicas);
  if (padding > 0) json.digits_member("padding", padding);
  json.digits_member("model", model);
  json.close_object();
}

void write_replicated(JsonWriter& json, const Division& division, Count model, Count heaviest) {
  const Count devices = division.sizes().devices();
  Replicated parts[answer_part_count];
  for (const DividedRow& row : division.rows()) {
    const Count copies = division.copies(row);
    if (row.row->kind != Kind::parameter || copies == 1) continue;
    Replicated& its = parts[answer_part(*row.row)];
    its.parameters = add(its.parameters, row.row->total.decide());
    its.extra = add(its.extra, multiply(row.row->total.decide(), copies - 1));
    its.copies = std::max(its.copies, copies);
  }
  json.key("replicated").open_array();
  for (std::size_t i = 0; i < answer_part_count; ++i) {
    if (parts[i].parameters == 0) continue;
    json.open_object();
    json.plain_member("part", answer_part_name(i));
    json.digits_member("parameters", parts[i].parameters);
    json.digits_member("copies", parts[i].copies);
    json.digits_member("each", parts[i].extra / devices);
    json.close_object();
  }
  json.close_array();
  const Count all = multiply(heaviest, devices), beyond = all > model ? all - model : 0;
  json.key("over").open_object();
  json.digits_member("parameters", beyond / devices);
  json.plain_member("percent", percent(beyond, model));
  json.close_object();
}

}  // namespace param_ledger
