#include "core/devices/devices.hpp"

#include <algorithm>

#include "core/builder/row_names.hpp"
#include "core/devices/division.hpp"
#include "core/devices/reasons.hpp"
#include "core/devices/sent.hpp"
#include "core/expr/formula_json.hpp"
#include "core/expr/like_terms.hpp"
#include "core/json/json_fields.hpp"
#include "core/memory/memory_request.hpp"
#include "core/memory/storage.hpp"
#include "core/memory/training.hpp"
#include "core/model/answer.hpp"
#include "core/model/prediction_layers.hpp"
#include "core/model/quantized_files.hpp"
#include "core/support/error.hpp"

namespace param_ledger {

namespace {

constexpr Count most_devices = 65'536;

Sizes sizes_asked(Json request) {
  const Sizes out{asked(request, "tensor", 1, 1, most_devices), asked(request, "pipeline", 1, 1, most_devices),
                  asked(request, "expert", 1, 1, most_devices)};
  if (out.devices() > most_devices)
    throw Error{ErrorCode::out_of_range, "pipeline",
                concat({"tensor, pipeline and expert ask for ", grouped_digits(out.devices()), " devices; at most ",
                        grouped_digits(most_devices), " are counted."})};
  return out;
}

/// A share in tenths of a percent: "12.0".
std::string percent(Count part, Count whole) {
  const Count tenths = whole == 0 ? 0 : (part * 1000 + whole / 2) / whole;
  return concat({digits(tenths / 10), ".", digits(tenths % 10)});
}

/// What one device caches for each sequence.
struct LocalCache {
  Count bytes = 0;
  std::string unknown = {};
};

class DevicesWriter {
 public:
  DevicesWriter(Json root, Json request)
      : request_(request),
        engine_(engine_named(word_in(request, "plan", "transformers"))),
        sizes_(sizes_asked(request)),
        tokens_(asked(request, "tokens", 4096, 1, most_tokens)),
        sequences_(multiply(asked(request, "batch", 1, 1, Count{1} << 30U), asked(request, "beams", 1, 1, 10'000))),
        room_(asked(request, "room", 0, 0, Count{1} << 60U)),
        rank_(asked(request, "rank", sizes_.devices(), 0, most_devices)),
        weights_(word_in(request, "weights", "published")),
        numbers_(cache_numbers(request)),
        source_(inference_.source = asked(request, "source", tokens_, 1, most_tokens)),
        model_(root, inference_, tokens_),
        division_(model_, inference_, sizes_, engine_),
        stored_(storage_of(model_, weights_)),
        only_one_(static_cast<bool>(request["rank"]) && !request["rank"].is_null()),
        data_(asked(request, "data", 1, 1, most_devices)),
        training_(request["training"]),
        trains_(training_.is(Json::Type::object)),
        zero_(trains_ ? asked(training_, "stage", 0, 0, 3) : 0),
        sequence_(flag_in(request, "sequence")) {
    refuse();
  }

  std::string write() {
    for (const DividedRow& row : division_.rows())
      if (row.row->kind == Kind::parameter) total_ = add(total_, row.row->total.decide());
    open_answer(json_, model_.choice);
    json_.plain_member("plan", spelling(engine_));
    json_.digits_member("tensor", sizes_.tensor);
    json_.digits_member("pipeline", sizes_.pipeline);
    json_.digits_member("expert", sizes_.expert);
    json_.digits_member("devices", sizes_.devices());
    if (data_ > 1) json_.digits_member("data", data_);
    json_.digits_member("tokens", tokens_);
    json_.digits_member("sequences", sequences_);
    json_.digits_member("total", total_);
    json_.digits_member("share", total_ / sizes_.devices());
    write_rows();
    write_kinds();
    write_sum();
    write_replicated();
    write_sent();
    if (flag_in(request_, "steps")) write_steps();
    write_notes();
    json_.key("symbols");
    formulas_.write_names();
    json_.close_object();
    return json_.take();
  }

 private:
  /// Sums for one kind of device.
  struct Held {
    Count parameters = 0, weights = 0, cache = 0;
    bool known = false;
  };

  void refuse() const {
    if (trains_ && engine_ == Engine::vllm)
      throw Error{ErrorCode::unsupported, "training", "vLLM does not train. The plans megatron and transformers do."};
    if (sequence_ && engine_ != Engine::megatron)
      throw Error{
          ErrorCode::unsupported, "sequence",
          concat({"What ", title_of(engine_), " sends under sequence parallelism is not known here: it is known of the plan megatron."})};
    if (data_ > 1 && !trains_)
      throw Error{ErrorCode::unsupported, "data",
                  "data divides what training keeps: ask for training, too. Without it, each copy of the model holds what one does."};
  }

  /// Whether hidden states are split by tokens between the blocks. Megatron-Core requires that for training a mixture with tensor
  /// parallelism.
  [[nodiscard]] bool splits_sequence() const {
    return sizes_.tensor > 1 &&
           (sequence_ || (engine_ == Engine::megatron && std::any_of(division_.rows().begin(), division_.rows().end(),
                                                                     [](const DividedRow& row) { return !!row.row->experts; })));
  }

  /// How many devices hold the same share, over all copies of the model: of everything but whole experts, and of whole experts.
  [[nodiscard]] Count same_dense() const { return multiply(data_, sizes_.across() / sizes_.tensor); }
  [[nodiscard]] Count same_experts() const { return multiply(data_, sizes_.across() / sizes_.expert); }

  /// Writes what a device keeps of weights, gradients and the optimizer. ZeRO divides it among devices that hold the same share.
  void write_training(const std::vector<LocalRow>& local) {
    std::vector<Row> dense, experts;
    for (const LocalRow& row : local) (row.of->by_expert && row.of->style == Style::grouped_gemm ? experts : dense).push_back(row.row);
    const Training d = training_of(dense, training_), e = training_of(experts, training_);
    json_.key("training").open_object();
    json_.digits_member("trained", add(d.trained, e.trained));
    json_.digits_member("stage", zero_);
    json_.digits_member("dense_copies", same_dense());
    if (!experts.empty()) json_.digits_member("expert_copies", same_experts());
    Count total = 0, each = 0;
    json_.key("rows").open_array();
    const auto line = [&](std::string_view name, Count of_dense, Count of_experts, Count from_stage) {
      const Count all = add(of_dense, of_experts);
      if (all == 0) return;
      const bool divided = zero_ >= from_stage;
      const auto share = [&](Count of, Count among) { return divided ? (of + among - 1) / among : of; };
      const Count its = add(share(of_dense, same_dense()), share(of_experts, same_experts()));
      total = add(total, all);
      each = add(each, its);
      json_.open_object();
      json_.plain_member("name", name);
      write_bytes(json_, "total", all);
      write_bytes(json_, "each", its);
      json_.close_object();
    };
    line("weights", d.weights, e.weights, 3);
    line("gradients", d.gradients, e.gradients, 2);
    line("master", d.master, e.master, 1);
    line("states", d.states, e.states, 1);
    json_.close_array();
    write_bytes(json_, "total", total);
    write_bytes(json_, "each", each);
    json_.close_object();
  }

  void write_exchange(Text collective, Text pass, std::string_view place, Count among, Expr elements, Expr times, std::string_view why) {
    const Expr total = elements * times;
    if (total.decide() == 0) return;
    json_.open_object();
    json_.plain_member("collective", collective);
    json_.plain_member("pass", pass);
    json_.plain_member("place", place);
    json_.digits_member("among", among);
    json_.digits_member("elements", elements.decide());
    json_.digits_member("times", times.decide());
    json_.digits_member("total", total.decide());
    formulas_.member("math", total);
    json_.member("why", why);
    json_.close_object();
  }

  /// Writes what devices exchange: per token, and in training once per step.
  void write_sent() {
    json_.key("sent").open_array();
    const bool both_ways = trains_ && engine_ == Engine::megatron;
    for (const Sent& sent : sent_by(model_, division_, both_ways, splits_sequence()))
      write_exchange(sent.collective, sent.backward ? "backward" : "forward", sent.place, sent.among, sent.elements, sent.times, sent.why);
    if (trains_) {
      std::vector<Term> dense, experts;
      for (const LocalRow& row : division_.held_by(shown_[heaviest_]))
        if (row.row.kind == Kind::parameter)
          (row.of->by_expert && row.of->style == Style::grouped_gemm ? experts : dense).push_back({row.row.elements, row.row.repeats});
      write_step_of("dense", same_dense(), dense);
      write_step_of("experts", same_experts(), experts);
    }
    json_.close_array();
  }

  /// Writes what devices that hold the same share exchange once per step: gradients and parameters.
  void write_step_of(std::string_view place, Count among, const std::vector<Term>& terms) {
    if (among < 2 || terms.empty()) return;
    const Expr all = collect(model_.pool, terms);
    const auto one = [&](Text collective, Count times, std::string_view why) {
      write_exchange(collective, "step", place, among, all, model_.pool.literal(times), why);
    };
    if (zero_ == 0) return one("all_reduce", 1, "The gradients of the copies are summed.");
    one("reduce_scatter", 1, "The gradients of the copies are summed, and each device keeps the sum for what it updates.");
    if (zero_ < 3) return one("all_gather", 1, "Each device has updated its share of the parameters, and gathers the others.");
    one("all_gather", 2, "Parameters are gathered layer by layer, once forward and once backward.");
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

  void write_shape(std::span<const Expr> shape) {
    json_.open_array();
    for (const Expr e : shape) put_integer(json_.value(), e.decide());
    json_.close_array();
  }

  void write_rows() {
    json_.key("rows").open_array();
    for (const DividedRow& row : division_.rows()) {
      const Row& r = *row.row;
      json_.open_object();
      json_.member("name", r.name);
      json_.key("shape");
      write_shape(r.shape);
      json_.plain_member("part", answer_part_name(answer_part(r)));
      json_.plain_member("kind", spelling(r.kind));
      json_.plain_member("rule", rule_of(division_, row));
      json_.plain_member("style", spelling(row.style));
      json_.plain_member("stages", spelling(row.place));
      const int dimension = Division::divided_dimension(row);
      if (dimension >= 0) json_.raw_member("dimension", digits(static_cast<Count>(dimension)));
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

  void write_kinds() {
    std::vector<RankKind> kinds = division_.kinds();
    if (only_one_) kinds = {division_.of_rank(rank_)};
    shown_ = kinds;
    json_.key("ranks").open_array();
    for (const RankKind& kind : kinds) held_.push_back(write_kind(kind));
    json_.close_array();
    std::size_t heaviest = 0;
    for (std::size_t i = 1; i < held_.size(); ++i) {
      const Held &a = held_[i], &b = held_[heaviest];
      const Count x = a.known ? a.weights + a.cache : a.parameters, y = b.known ? b.weights + b.cache : b.parameters;
      if (x > y) heaviest = i;
    }
    heaviest_ = heaviest;
    json_.raw_member("heaviest", digits(heaviest));
  }

  Held write_kind(const RankKind& kind) {
    const std::vector<LocalRow> local = division_.held_by(kind);
    std::vector<Row> rows;
    for (const LocalRow& row : local) rows.push_back(row.row);
    Storage storage = storage_of(model_, rows, weights_);
    if (storage.unknown.empty()) storage.unknown = uncut(storage, rows, local);
    const LocalCache cache = cache_of(kind);
    Held held;
    Count buffers = 0;
    std::vector<Term> terms;
    for (const LocalRow& row : local) {
      if (row.row.kind == Kind::buffer) buffers = add(buffers, row.row.total.decide());
      if (row.row.kind != Kind::parameter) continue;
      held.parameters = add(held.parameters, row.row.total.decide());
      terms.push_back({row.row.elements, row.row.repeats});
    }
    held.weights = storage.loaded;
    held.cache = cache.bytes;
    held.known = storage.unknown.empty() && cache.unknown.empty();
    const Expr formula = collect(model_.pool, terms);
    if (formula.decide() != held.parameters)
      throw Error{ErrorCode::internal, "", "The closed formula does not give the parameters of a device."};
    json_.open_object();
    write_spans("ranks", kind.ranks);
    write_spans("stages", kind.stages);
    json_.digits_member("count", kind.count);
    json_.digits_member("rank", kind.stage * sizes_.across() + kind.place);
    json_.digits_member("stage", kind.stage);
    json_.digits_member("parameters", held.parameters);
    json_.digits_member("buffers", buffers);
    formulas_.member("math", formula);
    json_.key("weights").open_object();
    if (is_known(storage.unknown)) {
      json_.member("format", storage.format);
      write_bytes(json_, "loaded", storage.loaded);
    }
    json_.close_object();
    json_.key("cache").open_object();
    if (is_known(cache.unknown)) write_bytes(json_, "total", cache.bytes);
    json_.close_object();
    if (held.known) {
      write_bytes(json_, "need", add(held.weights, held.cache));
      if (room_ > 0) {
        const Count need = held.weights + held.cache;
        json_.raw_member("fits", need <= room_ ? "true" : "false");
        write_bytes(json_, need <= room_ ? "left" : "missing", need <= room_ ? room_ - need : need - room_);
      }
    }
    write_parts(local, storage, rows);
    if (trains_) write_training(local);
    json_.key("rows").open_array();
    for (const LocalRow& row : local) {
      json_.open_array();
      json_.raw(digits(static_cast<Count>(row.of - division_.rows().data())));
      json_.string(row.row.name);
      write_shape(row.row.shape);
      json_.digits(row.row.total.decide());
      formulas_.write(row.row.total);
      json_.close_array();
    }
    json_.close_array();
    json_.close_object();
    return held;
  }

  bool is_known(const std::string& why) {
    json_.raw_member("known", why.empty() ? "true" : "false");
    if (!why.empty()) json_.member("reason", why);
    return why.empty();
  }

  void write_parts(const std::vector<LocalRow>& local, const Storage& storage, const std::vector<Row>& rows) {
    Count parameters[answer_part_count] = {}, bytes[answer_part_count] = {};
    for (const LocalRow& row : local)
      if (row.row.kind == Kind::parameter) parameters[answer_part(row.row)] += row.row.total.decide();
    for (const StoredRow& row : storage.rows)
      if (row.loaded) bytes[answer_part(rows[static_cast<std::size_t>(row.row - rows.data())])] += row.bytes;
    json_.key("parts").open_array();
    for (std::size_t i = 0; i < answer_part_count; ++i) {
      if (parameters[i] == 0 && bytes[i] == 0) continue;
      json_.open_object();
      json_.plain_member("part", answer_part_name(i));
      json_.digits_member("parameters", parameters[i]);
      if (storage.unknown.empty()) json_.digits_member("bytes", bytes[i]);
      json_.close_object();
    }
    json_.close_array();
  }

  /// Why the bytes of a device's share are not known: its tensors would be stored differently from the model's. Empty: they are known.
  [[nodiscard]] std::string uncut(const Storage& storage, const std::vector<Row>& rows, const std::vector<LocalRow>& local) const {
    if (sizes_.pipeline > 1 && storage.format.ends_with("_M"))
      return concat({storage.format, " stores some layers better than others: the bytes of a stage are not known here."});
    for (const StoredRow& stored : storage.rows) {
      const LocalRow& row = local[static_cast<std::size_t>(stored.row - rows.data())];
      const Row& whole = *row.of->row;
      const bool same = std::any_of(stored_.rows.begin(), stored_.rows.end(),
                                    [&](const StoredRow& s) { return s.row == &whole && s.format == std::string_view(stored.format); });
      const int dimension = Division::divided_dimension(*row.of);
      const bool scale_cut =
          is_scale(whole) && dimension >= 0 && whole.shape[static_cast<std::size_t>(dimension)].decide() % division_.parts(*row.of) != 0;
      // Whole blocks and words divide like the tensor.
      const Count numbers = stored.bytes - stored.beside;
      Count all = 0;
      for (const StoredRow& s : stored_.rows)
        if (s.row == &whole && s.format == std::string_view(stored.format)) all += s.bytes - s.beside;
      const bool even = division_.parts(*row.of) > 1 && multiply(row.row.total.decide(), division_.parts(*row.of)) == whole.total.decide();
      if (!same || scale_cut || (even && multiply(numbers, division_.parts(*row.of)) != all))
        return concat({"The ", storage.format, " blocks of ", whole.name, " do not divide among ", digits(division_.parts(*row.of)),
                       " devices: the bytes of a share are not known here."});
    }
    return {};
  }

  [[nodiscard]] LocalCache cache_of(const RankKind& kind) const {
    LocalCache out;
    out.unknown = inference_.unknown;
    if (!out.unknown.empty()) return out;
    const auto [first, end] = division_.layers_of(kind.stage);
    for (const CacheRow& row : inference_.cache) {
      Count elements = row.at(tokens_);
      const std::string_view name = row.name;
      std::string_view index;
      any_index(name, [&](std::string_view, std::string_view word) {
        index = word;
        return true;
      });
      if (sizes_.pipeline > 1) {
        if (index.empty()) {
          out.unknown = concat({"On which stage ", name, " is kept is not known here."});
          return out;
        }
        Count here = 0, all = 0;
        for (const Run& run : spelled(index)) {
          all += run.last - run.first + 1;
          if (run.first < end && run.last >= first) here += std::min(run.last, end - 1) - std::max(run.first, first) + 1;
        }
        elements = elements / all * here;
      }
      const bool by_heads = name.ends_with(".keys") || name.ends_with(".values");
      const DividedRow* const keys = by_heads && sizes_.tensor > 1 ? keys_of_layer(name, index) : nullptr;
      // If outputs are gathered, every device has all heads.
      const bool divided = keys != nullptr && (keys->style == Style::colwise || keys->style == Style::colwise_repeated);
      if (engine_ == Engine::megatron && !by_heads) {
        out.unknown = "How Megatron-Core keeps the cache of latent attention is not known here.";
        return out;
      }
      if (divided && row.shape.size() == 3 && row.shape[0]) {
        const Count heads = row.shape[0].decide();
        if (engine_ != Engine::transformers && sizes_.tensor % heads == 0) {
          elements = elements / heads;
        } else if (heads % sizes_.tensor != 0) {
          out.unknown = concat({"A cache holds whole heads, and ", digits(sizes_.tensor), " devices do not divide the ", digits(heads),
                                " key-value heads of ", name, "."});
          return out;
        } else {
          elements = elements / sizes_.tensor;
        }
      }
      out.bytes = add(out.bytes, multiply(elements, row.float32 ? 4 : numbers_.bytes));
    }
    out.bytes = multiply(out.bytes, sequences_);
    return out;
  }

  /// The row that produces a cached tensor: it is in the same module, even if the layers in the names differ.
  [[nodiscard]] const DividedRow* keys_of_layer(std::string_view name, std::string_view index) const {
    const std::string_view before =
        index.empty() ? std::string_view{} : name.substr(0, static_cast<std::size_t>(index.data() - name.data()));
    const std::string_view after = module_of(index.empty() ? name : name.substr(before.size() + index.size()));
    const std::vector<Run> layers = spelled(index);
    for (const DividedRow& row : division_.rows()) {
      const TensorRole role = row.row->role;
      if ((role != TensorRole::key && role != TensorRole::query_key_value) || row.row->shape.size() < 2) continue;
      const std::string_view its = row.row->name;
      if (!its.starts_with(before)) continue;
      const std::string_view rest = its.substr(before.size());
      const std::string_view at = first_word(rest);
      if (rest.substr(at.size()).starts_with(after) && (layers.empty() || covers(spelled(at), layers.front().first))) return &row;
    }
    return nullptr;
  }
  static std::string_view first_word(std::string_view text) { return text.substr(0, text.find('.')); }
  static bool covers(const std::vector<Run>& runs, std::uint64_t layer) { return contains(runs, layer); }

  /// Writes the proof that what all devices hold, minus the extra copies, is the model: exactly, row by row.
  void write_sum() {
    if (only_one_) return;
    std::vector<Count> sums(division_.rows().size());
    Count all = 0;
    for (const RankKind& kind : division_.kinds())
      for (const LocalRow& row : division_.held_by(kind)) {
        const Count held = multiply(row.row.total.decide(), kind.count);
        sums[static_cast<std::size_t>(row.of - division_.rows().data())] += held;
        if (row.row.kind == Kind::parameter) all = add(all, held);
      }
    Count replicas = 0, padding = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const DividedRow& row = division_.rows()[i];
      const Count elements = row.row->total.decide(), padded = Division::padded_elements(row);
      if (sums[i] != multiply(padded, division_.copies(row)))
        throw Error{ErrorCode::internal, "", concat({"The devices do not hold all of ", row.row->name, "."})};
      if (row.row->kind != Kind::parameter) continue;
      replicas = add(replicas, multiply(elements, division_.copies(row) - 1));
      padding = add(padding, multiply(padded - elements, division_.copies(row)));
    }
    if (all - replicas - padding != total_) throw Error{ErrorCode::internal, "", "The devices together do not hold the model."};
    json_.key("sum").open_object();
    json_.digits_member("ranks", all);
    json_.digits_member("replicas", replicas);
    if (padding > 0) json_.digits_member("padding", padding);
    json_.digits_member("model", total_);
    json_.close_object();
  }

  /// Writes what several devices hold, by part, and how far that puts the heaviest device above an even share.
  void write_replicated() {
    struct Replicated {
      Count parameters = 0, extra = 0, copies = 0;
    };
    Replicated of[answer_part_count];
    for (const DividedRow& row : division_.rows()) {
      const Count copies = division_.copies(row);
      if (row.row->kind != Kind::parameter || copies == 1) continue;
      Replicated& its = of[answer_part(*row.row)];
      its.parameters = add(its.parameters, row.row->total.decide());
      its.extra = add(its.extra, multiply(row.row->total.decide(), copies - 1));
      its.copies = std::max(its.copies, copies);
    }
    json_.key("replicated").open_array();
    for (std::size_t i = 0; i < answer_part_count; ++i) {
      if (of[i].parameters == 0) continue;
      json_.open_object();
      json_.plain_member("part", answer_part_name(i));
      json_.digits_member("parameters", of[i].parameters);
      json_.digits_member("copies", of[i].copies);
      json_.digits_member("each", of[i].extra / sizes_.devices());
      json_.close_object();
    }
    json_.close_array();
    const Count heaviest = held_[heaviest_].parameters, n = sizes_.devices();
    const Count beyond = multiply(heaviest, n) > total_ ? multiply(heaviest, n) - total_ : 0;
    json_.key("over").open_object();
    json_.digits_member("parameters", beyond / n);
    json_.plain_member("percent", percent(beyond, total_));
    json_.close_object();
  }

  /// Writes the heaviest device step by step: its tensors part by part, their sum, an even share of the model, and the excess.
  void write_steps() {
    const std::vector<LocalRow> local = division_.held_by(shown_[heaviest_]);
    json_.key("steps").open_array();
    Expr sum = model_.pool.literal(0);
    for (std::size_t i = 0; i < answer_part_count; ++i) {
      std::vector<const LocalRow*> lines;
      std::vector<Term> terms;
      for (const LocalRow& row : local) {
        if (row.row.kind != Kind::parameter || answer_part(row.row) != i) continue;
        lines.push_back(&row);
        terms.push_back({row.row.elements, row.row.repeats});
      }
      if (!lines.empty()) sum = sum + write_step("part", answer_part_name(i), collect(model_.pool, terms), lines);
    }
    const Expr device = write_step("device", {}, sum);
    const Expr across = sizes_.expert > sizes_.tensor ? division_.expert() : division_.tensor();
    const Expr share = write_step("share", {}, floor_divide(step_named("parameters", total_), division_.pipeline() * across));
    if (held_[heaviest_].parameters >= total_ / sizes_.devices()) write_step("beyond", {}, device - share);
    json_.close_array();
  }

  Expr step_named(std::string_view name, Count value) {
    return model_.pool.named({.name = std::string(name), .symbol = std::string(name), .meaning = "A step.", .field = false}, value);
  }

  /// Returns the name of the step's value. A line is [row, name, shape, the shape's formulas, elements, their formula].
  Expr write_step(std::string_view kind, std::string_view part, Expr formula, std::span<const LocalRow* const> lines = {}) {
    const std::string_view shorter = part == "feed_forward"  ? "ffn"
                                     : part == "output_head" ? "head"
                                     : part == "state_space" ? "mixer"
                                                             : part;
    const std::string name = part.empty() ? std::string(kind) : concat({shorter, "_device"});
    json_.open_object();
    json_.plain_member("kind", kind);
    json_.plain_member("name", name);
    if (!part.empty()) json_.plain_member("part", part);
    formulas_.member("math", formula);
    json_.digits_member("value", formula.decide());
    json_.key("lines").open_array();
    for (const LocalRow* const line : lines) {
      json_.open_array();
      json_.raw(digits(static_cast<Count>(line->of - division_.rows().data())));
      json_.string(line->row.name);
      write_shape(line->row.shape);
      json_.open_array();
      for (const Expr e : line->row.shape) formulas_.write(e);
      json_.close_array();
      json_.digits(line->row.total.decide());
      formulas_.write(line->row.total);
      json_.close_array();
    }
    json_.close_array();
    json_.close_object();
    return step_named(name, formula.decide());
  }

  void write_notes() {
    warn_of_division(division_, model_.builder);
    if (trains_ && engine_ == Engine::transformers && sizes_.devices() > 1)
      model_.builder.note(
          "", "What transformers sends backward within a copy of the model is not known here: only what is sent forward is listed.");
    if (splits_sequence() && !sequence_)
      model_.builder.note(
          "sequence", "Megatron-Core trains a mixture over several tensor devices with sequence parallelism: what is sent is listed so.");
    const std::vector<Row>& rows = model_.builder.rows();
    if (std::any_of(rows.begin(), rows.end(), [](const Row& row) { return is_prediction(row); }))
      model_.builder.note("", "Layers that predict further tokens are in files alone, and on no device here.");
    json_.key("notes").open_array();
    for (const Note& note : model_.builder.notes()) {
      json_.open_object();
      json_.plain_member("level", note.warning ? "warning" : "info");
      if (!note.field.empty()) json_.member("field", note.field);
      json_.member("message", note.message);
      json_.close_object();
    }
    json_.close_array();
  }

  Json request_;
  Engine engine_;
  Sizes sizes_;
  Count tokens_, sequences_, room_, rank_;
  std::string_view weights_;
  CacheNumbers numbers_;
  Inference inference_;
  Count source_;
  Model model_;
  Division division_;
  Storage stored_;
  bool only_one_;
  Count data_;
  Json training_;
  bool trains_;
  Count zero_;
  bool sequence_;
  Count total_ = 0;
  std::vector<RankKind> shown_;
  std::vector<Held> held_;  ///< by kind
  std::size_t heaviest_ = 0;
  JsonWriter json_;
  FormulaJson formulas_{json_};
};

}  // namespace

std::string devices_answer(Json root, Json request) { return DevicesWriter(root, request).write(); }

}  // namespace param_ledger
