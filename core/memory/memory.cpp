#include "core/memory/memory.hpp"

#include <algorithm>

#include "core/expr/formula_json.hpp"
#include "core/expr/like_terms.hpp"
#include "core/json/json_fields.hpp"
#include "core/memory/compute.hpp"
#include "core/memory/engine_caches.hpp"
#include "core/memory/memory_request.hpp"
#include "core/memory/storage.hpp"
#include "core/memory/training.hpp"
#include "core/model/answer.hpp"
#include "core/model/model.hpp"
#include "core/model/totals.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// The longest sequence that a configuration declares, and the field that declares it.
struct Positions {
  std::string_view field;  ///< empty if neither max_position_embeddings nor n_positions gives a positive integer
  Count tokens = 0;
};

Positions positions_of(Json root) {
  for (const Json section : {root, root["text_config"]})
    for (const std::string_view field : {"max_position_embeddings", "n_positions"})
      if (const Json given = section[field]; given.is(Json::Type::integer) && !given.negative() && given.magnitude() > 0)
        return {field, given.magnitude()};
  return {};
}

class MemoryWriter {
 public:
  MemoryWriter(Json root, Json request)
      : root_(root),
        request_(request),
        tokens_(asked(request, "tokens", 4096, 1, most_tokens)),
        batch_(asked(request, "batch", 1, 1, Count{1} << 30U)),
        beams_(asked(request, "beams", 1, 1, 10'000)),
        sequences_(batch_ * beams_),
        source_(inference_.source = asked(request, "source", tokens_, 1, most_tokens)),
        model_(root, inference_, tokens_),
        storage_(storage_of(model_, word_in(request, "weights", "published"))) {
    const CacheNumbers type = cache_numbers(request);
    cache_type_ = type.name;
    width_ = type.bytes;
  }

  std::string write() {
    open_answer(json_, model_.choice);
    json_.digits_member("tokens", tokens_);
    json_.digits_member("batch", batch_);
    if (beams_ > 1) json_.digits_member("beams", beams_);
    if (model_.builder.pool().find("source_tokens")) json_.digits_member("source", source_);
    write_weights();
    write_cache();
    if (known()) bytes("need", need());
    write_room();
    write_compute();
    write_training();
    json_.key("symbols");
    formulas_.write_names();
    json_.close_object();
    return json_.take();
  }

 private:
  [[nodiscard]] bool known() const { return inference_.unknown.empty() && storage_.unknown.empty(); }
  [[nodiscard]] Count asked_devices() const { return asked(request_, "devices", 1, 1, 1'000'000); }
  [[nodiscard]] Count need() const { return add(storage_.loaded, cache_bytes(tokens_)); }

  [[nodiscard]] Count width_of(const CacheRow& row) const { return row.float32 ? 4 : width_; }

  /// Bytes of the cache after `tokens` tokens, for all sequences. With `steady`, leaves out entries that are cached only until a window is
  /// full.
  [[nodiscard]] Count cache_bytes(Count tokens, bool steady = false) const {
    Count out = 0;
    for (const CacheRow& row : inference_.cache)
      if (!steady || row.extent.kind != Extent::Kind::rest) out = add(out, multiply(row.at(tokens), width_of(row)));
    return multiply(out, sequences_);
  }

  /// The longest context of at most `most_tokens` whose cache takes at most `room` bytes; 0 if there is none.
  [[nodiscard]] Count longest(Count room) const {
    Count low = 0, high = most_tokens;
    while (low < high) {
      const Count middle = low + (high - low + 1) / 2;
      if (cache_bytes(middle, true) <= room)
        low = middle;
      else
        high = middle - 1;
    }
    // Layers that compress tokens keep the uncompressed ones until a window is full, so a shorter context may need more memory than a
    // longer one. The loop ends at the latest at a context that leaves no tokens uncompressed.
    while (low > 0 && cache_bytes(low) > room) --low;
    return low;
  }

  void bytes(std::string_view name, Count value) { write_bytes(json_, name, value); }

  bool is_known(const std::string& why) {
    json_.raw_member("known", why.empty() ? "true" : "false");
    if (!why.empty()) json_.member("reason", why);
    return why.empty();
  }

  void write_weights() {
    json_.key("weights").open_object();
    if (is_known(storage_.unknown)) {
      json_.member("format", storage_.format);
      if (!storage_.note.empty()) json_.member("note", storage_.note);
      bytes("loaded", storage_.loaded);
      if (const Count parameters = totals_of(model_.builder.rows()).parameter_sum; parameters > 0)
        json_.plain_member("bits_per_parameter", in_units(8 * storage_.loaded, parameters));
      if (storage_.files != storage_.loaded) bytes("files", storage_.files);
      json_.key("rows").open_array();
      for (const StoredRow& row : storage_.rows) {
        json_.open_object();
        json_.member("name", row.row->name);
        json_.member("format", row.format);
        json_.digits_member("elements", row.row->total.peek());
        json_.digits_member("bytes", row.bytes);
        if (row.beside > 0) json_.digits_member("beside", row.beside);
        if (!row.loaded) json_.raw_member("loaded", "false");
        json_.close_object();
      }
      json_.close_array();
    }
    json_.close_object();
  }

  void write_cache() {
    json_.key("cache").open_object();
    if (is_known(inference_.unknown)) {
      bytes("total", cache_bytes(tokens_));
      write_growth();
      json_.key("rows").open_array();
      for (const CacheRow& row : inference_.cache) {
        if (row.total.peek() == 0) continue;  // this row of the cache is empty in a context of this length
        json_.open_object();
        json_.member("name", row.name);
        json_.key("shape").open_array();
        json_.raw(digits(sequences_));
        for (const Expr e : dimensions(row, inference_.tokens)) json_.raw(digits(e.peek()));
        json_.close_array();
        json_.member("dtype", row.float32 ? "float32" : cache_type_);
        json_.digits_member("elements", multiply(row.total.peek(), sequences_));
        json_.digits_member("bytes", multiply(multiply(row.total.peek(), sequences_), width_of(row)));
        formulas_.member("math", in_bytes(row.total, row));
        json_.close_object();
      }
      json_.close_array();
      write_formula();
      if (!inference_.cache.empty()) write_engines();
    }
    json_.close_object();
  }

  void write_engines() {
    json_.key("engines").open_array();
    const CacheUse use{tokens_, sequences_, width_, asked_devices(), states_in_float32(root_)};
    for (const EngineCache& cache : engine_caches(inference_, use)) {
      json_.open_object();
      json_.member("engine", cache.engine);
      if (is_known(cache.unknown)) {
        json_.member("type", cache.type);
        bytes("keys", cache.keys);
        bytes("values", cache.values);
        if (cache.states > 0) bytes("states", cache.states);
        bytes("total", add(add(cache.keys, cache.values), cache.states));
        if (cache.block > 0) json_.digits_member("block", cache.block);
        if (cache.devices > 1) json_.digits_member("devices", cache.devices);
      }
      json_.close_object();
    }
    json_.close_array();
  }

  /// Writes the bytes that each further token adds once windows are full, and the constant part. Writes nothing if tokens are compressed.
  void write_growth() {
    Count each = 0, fixed = 0;
    for (const CacheRow& row : inference_.cache) {
      const Count entry = multiply(multiply(row.entry.peek(), width_of(row)), sequences_);
      switch (row.extent.kind) {
        case Extent::Kind::tokens:
          each = add(each, entry);
          fixed = add(fixed, multiply(entry, row.extent.by));
          break;
        case Extent::Kind::window: fixed = add(fixed, multiply(entry, row.extent.by)); break;
        case Extent::Kind::fixed: fixed = add(fixed, entry); break;
        default: return;
      }
    }
    json_.digits_member("per_token", each);
    json_.digits_member("constant", fixed);
  }

  /// Converts a formula for the elements of one sequence to one for the bytes of all sequences.
  Expr in_bytes(Expr elements, const CacheRow& row) {
    Pool& pool = model_.pool;
    Expr out = width_of(row) == 1 ? elements : pool.literal(width_of(row)) * elements;
    if (sequences_ == 1) return out;
    const Expr found = pool.find("sequences");
    const Expr sequences =
        found ? found
              : pool.named(
                    {.name = "sequences", .symbol = "B", .meaning = "Sequences: the batch size times the number of beams.", .field = false},
                    sequences_);
    return sequences * out;
  }

  void write_formula() {
    std::vector<Term> terms;
    for (const CacheRow& row : inference_.cache)
      if (row.total.peek() > 0) terms.push_back({in_bytes(row.elements, row), row.repeats});
    const Expr formula = collect(model_.pool, terms);
    if (formula.peek() != cache_bytes(tokens_))
      throw Error{ErrorCode::internal, "", "The closed formula does not give the sum of the cache."};
    formulas_.member("math", formula);
  }

  void write_room() {
    const Count devices = asked_devices();
    const Count each = asked(request_, "room", 0, 0, Count{1} << 60U);
    if (each == 0 || !known()) return;
    const Count room = multiply(each, devices), needed = need();
    json_.key("room").open_object();
    bytes("total", room);
    json_.digits_member("devices", devices);
    json_.raw_member("fits", needed <= room ? "true" : "false");
    bytes(needed <= room ? "left" : "missing", needed <= room ? room - needed : needed - room);
    bytes("one", each);
    bytes("share", (needed + devices - 1) / devices);
    // The drawing's bars for weights, cache and available memory, in ten-thousandths of the larger of `needed` and `room`.
    const Count scale = std::max(needed, room);
    json_.raw_member("weights_share", digits(multiply(storage_.loaded, 10'000) / scale));
    json_.raw_member("cache_share", digits(multiply(cache_bytes(tokens_), 10'000) / scale));
    json_.raw_member("room_share", digits(multiply(room, 10'000) / scale));
    const Count most = room < storage_.loaded ? 0 : longest(room - storage_.loaded);
    json_.digits_member("longest", most);
    if (most == most_tokens) {
      json_.raw_member("unlimited", "true");
    } else if (const Positions made_for = positions_of(root_); !made_for.field.empty() && most > made_for.tokens) {
      json_.key("beyond").open_object();
      json_.member("field", made_for.field);
      json_.digits_member("tokens", made_for.tokens);
      json_.close_object();
    }
    json_.close_object();
  }

  void write_compute() {
    Compute c = compute_of(model_.builder, inference_);
    if (const Field* const open = missing_active(model_.configuration, model_.builder.rows()))
      c.unknown = concat({open->name, " is missing: what a token costs depends on how many experts it is routed to."});
    json_.key("compute").open_object();
    if (is_known(c.unknown)) {
      const Count of_tokens = multiply(add(c.matrices, c.states), tokens_);
      const Count prompt = multiply(2, add(add(of_tokens, c.prompt_pairs), c.prompt_once));
      json_.digits_member("matrices", c.matrices);
      json_.digits_member("head", c.head);
      json_.digits_member("prompt", multiply(prompt, sequences_));
      json_.digits_member("prompt_attention", multiply(multiply(2, c.prompt_pairs), sequences_));
      json_.digits_member("next", multiply(multiply(2, add(add(c.matrices, c.states), c.next_pairs)), sequences_));
      json_.digits_member("next_attention", multiply(multiply(2, c.next_pairs), sequences_));
      json_.digits_member("states", multiply(multiply(2, c.states), sequences_));
      json_.digits_member("training", multiply(multiply(3, prompt), sequences_));
      json_.key("left_out").open_array();
      for (const Text what : c.left_out) json_.string(what);
      json_.close_array();
    }
    json_.close_object();
  }

  void write_training() {
    const Json request = request_["training"];
    if (!request.is(Json::Type::object)) return;
    const Training t = training_of(model_, inference_.blocks, request);
    const bool adapts = request["lora"].is(Json::Type::object);
    const Count stage = asked(request, "stage", 0, 0, 3), devices = asked_devices();
    json_.key("training").open_object();
    if (!is_known(t.unknown)) {
      json_.close_object();
      return;
    }
    json_.digits_member("trained", t.trained);
    if (!t.note.empty()) json_.member("note", t.note);
    if (adapts) json_.digits_member("frozen", t.frozen);
    Count total = 0, each = 0;
    json_.key("rows").open_array();
    const auto line = [&](std::string_view name, Count value, Count from_stage) {
      if (value == 0) return;
      const bool divided = stage >= from_stage && devices > 1;
      const Count share = divided ? (value + devices - 1) / devices : value;
      total = add(total, value);
      each = add(each, share);
      json_.open_object();
      json_.plain_member("name", name);
      bytes("total", value);
      bytes("each", share);
      if (divided && value % devices != 0) json_.digits_member("rest", value % devices);
      json_.close_object();
    };
    if (adapts && storage_.unknown.empty()) line("frozen", storage_.loaded, 3);
    line("weights", t.weights, 3);
    line("gradients", t.gradients, 2);
    line("master", t.master, 1);
    line("states", t.states, 1);
    json_.close_array();
    bytes("total", total);
    bytes("each", each);
    json_.key("tensors").open_array();
    if (adapts)
      for (const TrainedRow& row : t.rows) {
        json_.open_object();
        json_.member("name", row.row->name);
        json_.digits_member("trained", row.trained);
        json_.close_object();
      }
    json_.close_array();
    json_.close_object();
  }

  Json root_, request_;
  Count tokens_, batch_, beams_, sequences_;
  Inference inference_;
  Count source_;
  Model model_;
  Storage storage_;
  std::string_view cache_type_;
  Count width_ = 2;
  JsonWriter json_;
  FormulaJson formulas_{json_};
};

}  // namespace

std::string memory_answer(Json root, Json request) { return MemoryWriter(root, request).write(); }

}  // namespace param_ledger
