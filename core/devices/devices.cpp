#include "core/devices/devices.hpp"

#include <algorithm>

#include "core/devices/device_cache.hpp"
#include "core/devices/device_steps.hpp"
#include "core/devices/device_sums.hpp"
#include "core/devices/device_training.hpp"
#include "core/devices/device_weights.hpp"
#include "core/devices/devices_request.hpp"
#include "core/devices/division_notes.hpp"
#include "core/devices/reasons.hpp"
#include "core/devices/sent.hpp"
#include "core/expr/formula_json.hpp"
#include "core/expr/like_terms.hpp"
#include "core/model/answer.hpp"
#include "core/model/prediction_layers.hpp"
#include "core/support/error.hpp"

namespace param_ledger {

namespace {

/// What a device of one kind of rank holds, and the memory that this takes.
struct Held {
  RankKind kind;
  std::vector<LocalRow> local;
  std::vector<Row> rows;  ///< the rows in `local`
  Count parameters = 0, buffers = 0;
  Expr formula = {};  ///< the number of parameters as a formula
  Storage weights = {};
  DeviceCache cache = {};

  [[nodiscard]] bool is_known() const { return weights.unknown.empty() && cache.unknown.empty(); }
  /// The bytes of weights and cache, if they are known.
  [[nodiscard]] Count need() const { return add(weights.loaded, cache.bytes); }
};

class DevicesWriter {
 public:
  DevicesWriter(Json root, Json request)
      : request_(request),
        model_(root, with_source(request_.source), request_.tokens),
        division_(model_, inference_, request_.sizes, request_.engine),
        stored_(storage_of(model_, request_.weights)) {
    for (const DividedRow& row : division_.rows())
      if (row.row->kind == Kind::parameter) total_ = add(total_, row.row->total.decide());
    if (request_.rank)
      held_.push_back(held_by(division_.of_rank(*request_.rank)));
    else
      for (const RankKind& kind : division_.kinds()) held_.push_back(held_by(kind));
    const bool known = std::all_of(held_.begin(), held_.end(), [](const Held& held) { return held.is_known(); });
    const auto size_of = [&](std::size_t i) { return known ? held_[i].need() : held_[i].parameters; };
    for (std::size_t i = 1; i < held_.size(); ++i)
      if (size_of(i) > size_of(heaviest_)) heaviest_ = i;
  }

  std::string write() {
    const Held& heaviest = held_[heaviest_];
    open_answer(json_, model_.choice);
    write_sizes();
    write_rows();
    json_.key("ranks").open_array();
    for (const Held& held : held_) write_kind(held);
    json_.close_array();
    json_.raw_member("heaviest", digits(heaviest_));
    if (!request_.rank) write_sum(json_, division_, total_);
    write_replicated(json_, division_, total_, heaviest.parameters);
    write_sent(heaviest);
    if (request_.steps) write_device_steps(json_, formulas_, model_.pool, division_, heaviest.local, total_);
    write_notes();
    json_.key("symbols");
    formulas_.write_names();
    json_.close_object();
    return json_.take();
  }

 private:
  Inference& with_source(Count source) {
    inference_.source = source;
    return inference_;
  }

  [[nodiscard]] Held held_by(const RankKind& kind) {
    Held out{kind, division_.held_by(kind), {}};
    std::vector<Term> terms;
    for (const LocalRow& local : out.local) {
      out.rows.push_back(local.row);
      if (local.row.kind == Kind::buffer) out.buffers = add(out.buffers, local.row.total.decide());
      if (local.row.kind != Kind::parameter) continue;
      out.parameters = add(out.parameters, local.row.total.decide());
      terms.push_back({local.row.elements, local.row.repeats});
    }
    out.formula = collect(model_.pool, terms);
    if (out.formula.decide() != out.parameters)
      throw Error{ErrorCode::internal, "", "The closed formula does not give the parameters of a device."};
    out.weights = weights_on(model_, division_, stored_, out.local, out.rows, request_.weights);
    out.cache = cache_on(division_, kind, inference_, request_);
    return out;
  }

  /// Whether hidden states are split by tokens between the blocks. With tensor parallelism they are if the request asks for it, and always
  /// for a mixture of experts in Megatron-Core, which requires this for training.
  [[nodiscard]] bool splits_sequence() const {
    const bool is_mixture = std::any_of(division_.rows().begin(), division_.rows().end(),
                                        [](const DividedRow& row) { return static_cast<bool>(row.row->experts); });
    return request_.sizes.tensor > 1 && (request_.sequence || (request_.engine == Engine::megatron && is_mixture));
  }

  void write_sizes() {
    const Sizes& sizes = request_.sizes;
    json_.plain_member("plan", spelling(request_.engine));
    json_.digits_member("tensor", sizes.tensor);
    json_.digits_member("pipeline", sizes.pipeline);
    json_.digits_member("expert", sizes.expert);
    json_.digits_member("devices", sizes.devices());
    if (request_.data > 1) json_.digits_member("data", request_.data);
    json_.digits_member("tokens", request_.tokens);
    json_.digits_member("sequences", request_.sequences);
    json_.digits_member("total", total_);
    json_.digits_member("share", total_ / sizes.devices());
  }

  void write_rows() {
    json_.key("rows").open_array();
    for (const DividedRow& row : division_.rows()) {
      const Row& r = *row.row;
      json_.open_object();
      json_.member("name", r.name);
      json_.key("shape");
      write_shape(json_, r.shape);
      json_.plain_member("part", answer_part_name(answer_part(r)));
      json_.plain_member("kind", spelling(r.kind));
      json_.plain_member("rule", rule_of(division_, row));
      json_.plain_member("style", spelling(row.style));
      json_.plain_member("stages", spelling(row.place));
      if (const int dimension = row.divided_dimension(); dimension >= 0)
        json_.raw_member("dimension", digits(static_cast<Count>(dimension)));
      if (!row.holder.empty()) json_.plain_member("holder", row.holder);
      if (row.padded) json_.digits_member("padded", row.padded.decide());
      json_.digits_member("parts", division_.parts(row));
      json_.digits_member("copies", division_.copies(row));
      json_.digits_member("elements", r.total.decide());
      json_.member("why", reason_for(division_, row, model_.choice.family->model_type));
      json_.close_object();
    }
    json_.close_array();
  }

  void write_kind(const Held& held) {
    const RankKind& kind = held.kind;
    json_.open_object();
    write_spans("ranks", kind.ranks);
    write_spans("stages", kind.stages);
    json_.digits_member("count", kind.count);
    json_.digits_member("rank", kind.stage * request_.sizes.across() + kind.place);
    json_.digits_member("stage", kind.stage);
    json_.digits_member("parameters", held.parameters);
    json_.digits_member("buffers", held.buffers);
    formulas_.member("math", held.formula);
    write_bytes_of(held);
    write_parts(held);
    if (request_.trains) write_device_training(json_, request_, held.local);
    write_local_rows(held);
    json_.close_object();
  }

  void write_spans(std::string_view name, const std::vector<Run>& runs) {
    json_.key(name).open_array();
    for (const Run& run : runs) {
      json_.open_array();
      json_.raw(digits(run.first));
      json_.raw(digits(run.last));
      json_.close_array();
    }
    json_.close_array();
  }

  /// Writes the bytes of weights and cache as far as they are known. If both are known, also writes their sum and, if the request gives the
  /// device's memory, whether they fit.
  void write_bytes_of(const Held& held) {
    json_.key("weights").open_object();
    if (write_known(held.weights.unknown)) {
      json_.member("format", held.weights.format);
      write_bytes(json_, "loaded", held.weights.loaded);
    }
    json_.close_object();
    json_.key("cache").open_object();
    if (write_known(held.cache.unknown)) write_bytes(json_, "total", held.cache.bytes);
    json_.close_object();
    if (!held.is_known()) return;
    const Count need = held.need(), room = request_.room;
    write_bytes(json_, "need", need);
    if (room == 0) return;
    json_.raw_member("fits", need <= room ? "true" : "false");
    write_bytes(json_, need <= room ? "left" : "missing", need <= room ? room - need : need - room);
  }

  /// Writes whether a number of bytes is known and, if it is not, why. Returns whether it is known.
  bool write_known(const std::string& unknown) {
    json_.raw_member("known", unknown.empty() ? "true" : "false");
    if (!unknown.empty()) json_.member("reason", unknown);
    return unknown.empty();
  }

  void write_parts(const Held& held) {
    Count parameters[answer_part_count] = {}, bytes[answer_part_count] = {};
    for (const Row& row : held.rows)
      if (row.kind == Kind::parameter) parameters[answer_part(row)] += row.total.decide();
    for (const StoredRow& stored : held.weights.rows)
      if (stored.loaded) bytes[answer_part(*stored.row)] += stored.bytes;
    json_.key("parts").open_array();
    for (std::size_t i = 0; i < answer_part_count; ++i) {
      if (parameters[i] == 0 && bytes[i] == 0) continue;
      json_.open_object();
      json_.plain_member("part", answer_part_name(i));
      json_.digits_member("parameters", parameters[i]);
      if (held.weights.unknown.empty()) json_.digits_member("bytes", bytes[i]);
      json_.close_object();
    }
    json_.close_array();
  }

  void write_local_rows(const Held& held) {
    json_.key("rows").open_array();
    for (const LocalRow& local : held.local) {
      json_.open_array();
      json_.raw(digits(division_.index_of(local)));
      json_.string(local.row.name);
      write_shape(json_, local.row.shape);
      json_.digits(local.row.total.decide());
      formulas_.write(local.row.total);
      json_.close_array();
    }
    json_.close_array();
  }

  /// Writes what devices exchange: per token, and in training once per step.
  void write_sent(const Held& heaviest) {
    json_.key("sent").open_array();
    const bool both_ways = request_.trains && request_.engine == Engine::megatron;
    for (const Sent& sent : sent_by(model_, division_, both_ways, splits_sequence())) write_exchange(sent);
    if (request_.trains)
      for (const Sent& sent : sent_in_step(model_.pool, request_, splits_sequence(), heaviest.local)) write_exchange(sent);
    json_.close_array();
  }

  void write_exchange(const Sent& sent) {
    const Expr total = sent.elements * sent.times;
    if (total.decide() == 0) return;
    json_.open_object();
    json_.plain_member("collective", sent.collective);
    json_.plain_member("pass", spelling(sent.pass));
    json_.plain_member("place", sent.place);
    json_.digits_member("among", sent.among);
    json_.digits_member("elements", sent.elements.decide());
    json_.digits_member("times", sent.times.decide());
    json_.digits_member("total", total.decide());
    formulas_.member("math", total);
    json_.member("why", sent.why);
    json_.close_object();
  }

  void write_notes() {
    Builder& notes = model_.builder;
    note_division(division_, notes);
    if (request_.trains && request_.engine == Engine::transformers && request_.sizes.devices() > 1)
      notes.note(
          "", "What transformers sends in the backward pass within a copy of the model is not known, so only the forward pass is listed.");
    if (splits_sequence() && !request_.sequence)
      notes.note("sequence",
                 "Megatron-Core needs sequence parallelism to train a mixture of experts with tensor parallelism, so what is sent is "
                 "listed with it.");
    if (std::any_of(notes.rows().begin(), notes.rows().end(), [](const Row& row) { return is_prediction(row); }))
      notes.note("", "Multi-token-prediction layers are only in the published files, so no device holds them here.");
    json_.key("notes").open_array();
    for (const Note& note : notes.notes()) {
      json_.open_object();
      json_.plain_member("level", note.warning ? "warning" : "info");
      if (!note.field.empty()) json_.member("field", note.field);
      json_.member("message", note.message);
      json_.close_object();
    }
    json_.close_array();
  }

  DevicesRequest request_;
  Inference inference_;
  Model model_;
  Division division_;
  Storage stored_;
  Count total_ = 0;
  std::vector<Held> held_;  ///< one for each kind of rank, or only for the rank in the request
  std::size_t heaviest_ = 0;
  JsonWriter json_;
  FormulaJson formulas_{json_};
};

}  // namespace

std::string devices_answer(Json root, Json request) { return DevicesWriter(root, request).write(); }

}  // namespace param_ledger
