#include "core/memory.hpp"

#include "core/compute.hpp"
#include "core/formula.hpp"
#include "core/json_writer.hpp"
#include "core/model.hpp"
#include "core/text.hpp"

namespace param_ledger {

namespace {

constexpr std::uint64_t most_tokens = std::uint64_t{1} << 53U;

/// A count of the request, as a number or as digits; `fallback` where missing.
Count asked(Json request, Text field, Count fallback, Count most = most_tokens) {
  const Json given = request[field];
  if (!given || given.is_null()) return fallback;
  Count out = 0;
  bool right = given.is(Json::Type::integer) && !given.negative();
  if (right) {
    out = given.magnitude();
  } else if (given.is(Json::Type::string)) {
    const std::string_view text = given.string();
    right = !text.empty() && text.size() <= 30;
    for (const char c : text) {
      right = right && c >= '0' && c <= '9';
      out = out * 10 + static_cast<Count>(c - '0');
    }
  }
  if (!right || out > most) throw Error{ErrorCode::out_of_range, std::string(field), concat({field, " must be a whole number, at most ", grouped_digits(most), "."})};
  return out;
}

class Answer {
 public:
  explicit Answer(Json request)
      : request_(request), tokens_(asked(request, "tokens", 4096)), sequences_(asked(request, "batch", 1, 1U << 30U)),
        model_(request["config"], inference_, tokens_) {}

  std::string write() {
    json_.open_object();
    json_.raw_member("ok", "true");
    json_.member("model_type", model_.choice.family->model_type);
    json_.member("architecture", model_.choice.architecture.name);
    count("tokens", tokens_);
    count("batch", sequences_);
    write_cache();
    write_compute();
    write_symbols();
    json_.close_object();
    return json_.take();
  }

 private:
  void count(std::string_view name, Count value) { json_.digits_member(name, value); }
  void math(Expr formula) {
    json_.key("math");
    Buffer& out = json_.value();
    out.put('"');
    prefix_.write(out, formula);
    out.put('"');
  }

  void write_cache() {
    json_.key("cache").open_object();
    if (!inference_.unknown.empty()) {
      json_.raw_member("known", "false");
      json_.member("reason", inference_.unknown);
      json_.close_object();
      return;
    }
    json_.raw_member("known", "true");
    json_.key("rows").open_array();
    for (const CacheRow& row : inference_.cache) {
      if (row.total.value() == 0) continue;  // nothing is kept yet
      json_.open_object();
      json_.member("name", row.name);
      json_.key("shape").open_array();
      json_.raw(digits(sequences_));
      for (const Expr e : dimensions(row, inference_.tokens)) json_.raw(digits(e.value()));
      json_.close_array();
      json_.member("dtype", row.float32 ? "float32" : "bfloat16");
      math(row.total);
      json_.close_object();
    }
    json_.close_array();
    json_.close_object();
  }

  void write_compute() {
    const Compute c = compute_of(model_.builder, inference_, model_.choice.family->model_type);
    json_.key("compute").open_object();
    json_.raw_member("known", c.unknown.empty() ? "true" : "false");
    if (c.unknown.empty()) {
      count("matrices", c.matrices);
      count("prompt", multiply(2, add(multiply(c.matrices, tokens_), c.prompt_pairs)));
      count("next", multiply(2, add(c.matrices, c.next_pairs)));
      json_.key("left_out").open_array();
      for (const Text what : c.left_out) json_.string(what);
      json_.close_array();
    } else {
      json_.member("reason", c.unknown);
    }
    json_.close_object();
  }

  void write_symbols() {
    json_.key("symbols").open_array();
    for (std::size_t i = 0; i != prefix_.names().size(); ++i) {
      const Expr symbol = prefix_.names()[i];
      json_.open_object();
      json_.member("name", symbol.name().name);
      json_.member("symbol", symbol.name().symbol);
      count("value", symbol.value());
      json_.close_object();
    }
    json_.close_array();
  }

  Json request_;
  Count tokens_, sequences_;
  Inference inference_;
  Model model_;
  JsonWriter json_;
  PrefixWriter prefix_;
};

}  // namespace

std::string memory_answer(Json request) { return Answer(request).write(); }

}  // namespace param_ledger
