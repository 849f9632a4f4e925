#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/expr/expr.hpp"
#include "core/expr/index_set.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

struct Architecture;
struct Family;
struct Inference;

/// The tower that a tensor stands in: an encoder of images or sound, or what connects one to the text. `none`: the text model.
enum class Tower : std::uint8_t { none, vision, audio, projector };
std::string_view spelling(Tower tower);

/// What a tensor belongs to, in a tower as in the text model; in the order in which data passes.
enum class Part : std::uint8_t {
  embedding,
  convolution,
  attention,
  state_space,
  feed_forward,
  router,
  adapter,
  norm,
  output_head,
  projection,  ///< in towers alone: what stands directly in one
};
std::string_view spelling(Part part);

/// The answer's `part` of a row: a tower counts as one part, and so does each part of the text model.
constexpr std::size_t answer_part_count = 12;
constexpr std::size_t answer_part(Tower tower) { return static_cast<std::size_t>(tower) - 1; }
constexpr std::size_t answer_part(Part part) { return answer_part(Tower::projector) + 1 + static_cast<std::size_t>(part); }
std::string_view answer_part_name(std::size_t answer_part);

/// `buffer`: stored in a checkpoint, not a parameter. `tied`: another tensor's storage, counted there. `published`: not of
/// the model, but held by the files as published. `possible`: held by some published files only.
enum class Kind : std::uint8_t { parameter, buffer, tied, published, possible };
std::string_view spelling(Kind kind);

/// What a tensor is to a computation: a matrix that activations are multiplied by (also one per expert, stacked), a table
/// that rows are looked up in, the kernel of a convolution, or a vector (norms, biases, scalars).
enum class StorageKind : std::uint8_t { matrix, table, kernel, vector };
constexpr std::size_t role_count = 4;
std::string_view spelling(StorageKind role);

/// What a tensor does, whatever a type calls it, as far as the block says that records it: wq, q_proj and query are all `query`.
enum class TensorRole : std::uint8_t {
  unsaid,
  token_embedding,
  position_embedding,
  segment_embedding,
  query,
  key,
  value,
  query_key_value,
  output,  ///< of attention
  query_norm,
  key_norm,
  gate,
  up,
  gate_and_up,
  down,
  router,
  head,
  attention_gate,  ///< of what heads give
  query_down,      ///< to the rank of queries
  query_up,        ///< from it
  key_value_down,  ///< to the rank of keys and values
  key_value_up,    ///< from it
  shared_expert_gate
};
/// Whose it is, where a model has several of a kind; beside that a row knows its experts.
enum class Owner : std::uint8_t { itself, encoder, cross, shared_expert };

/// One distinct tensor and how often it occurs. What it views is kept in the pool: a row is copied as it stands.
struct Row {
  std::string_view name;  ///< with index ranges; a NUL follows
  std::span<const Expr> shape;
  Kind kind;
  Tower tower;
  Part part;
  StorageKind role;
  TensorRole does;
  Owner of;
  std::string_view tied_to;
  Text reason;                    ///< of `published` and `possible`: why files hold it
  std::span<const Expr> repeats;  ///< symbolic counts of the repeats it stands in, outermost first
  Expr elements;                  ///< of one tensor
  Expr total;                     ///< of all copies
  Expr active;                    ///< of total, what one token uses where it is the model's
  Expr experts = {};              ///< how many experts of a layer it stands for; empty: it is none's

  [[nodiscard]] bool in_tower() const { return tower != Tower::none; }
  /// Whether it is that part of the text model, in no tower.
  [[nodiscard]] bool in_text(Part of_text) const { return !in_tower() && part == of_text; }
};
constexpr std::size_t answer_part(const Row& row) { return row.in_tower() ? answer_part(row.tower) : answer_part(row.part); }

/// Experts that are stacked in a tensor's first dimension.
struct Stacked {
  Expr experts;
  Expr active;     ///< how many of them a token uses; all, if there are fewer
  Expr rows = {};  ///< of one expert; empty: one
};

/// A tensor that was recorded: what others can be tied to.
class Tensor {
 public:
  Tensor() = default;
  explicit operator bool() const { return row_ != 0; }

 private:
  friend class Builder;
  explicit Tensor(std::size_t row) : row_(row + 1) {}
  std::size_t row_ = 0;
};

/// Something a reader should know.
struct Note {
  bool warning;
  std::string field;
  std::string message;
};

/// Whether this program has questions about inference. The one that only counts has none, and leaves out what blocks record for them.
extern const bool asks_for_inference;

/// What a family records its tensors into: nested scopes make names, repeats make one row stand for many tensors.
class Builder {
 public:
  /// `resolve` finds the model types of nested models: the registry stands above.
  using FindFamily = const Family* (*)(std::string_view model_type);
  Builder(Pool& pool, const Architecture& architecture, FindFamily resolve)
      : pool_(pool), architecture_(&architecture), find_family_(resolve) {}
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;

  /// The class that is counted; inside `as`, that of the nested model.
  [[nodiscard]] const Architecture& architecture() const { return *architecture_; }

  /// The family of a model type, or null.
  [[nodiscard]] const Family* find_family(std::string_view model_type) const { return find_family_(model_type); }

  /// Everything recorded in `body` is named `name.…`; an empty name adds nothing.
  template <class Body>
  void scope(Text name, Body&& body) {
    enter(name);
    body();
    leave();
  }

  /// The same, and belongs to that part of the model.
  template <class Body>
  void scope(Part part, Text name, Body&& body) {
    enter(part, name);
    body();
    leave();
  }

  /// The same, unless a scope around it says another part.
  template <class Body>
  void scope_by_default(Part part, Text name, Body&& body) {
    enter_default(part, name);
    body();
    leave();
  }

  /// Tensors recorded in `body` belong to that part of the model.
  template <class Body>
  void part(Part part, Body&& body) {
    enter(part, {});
    body();
    leave();
  }

  /// The same, and does that, where it is said.
  template <class Body>
  void scope(TensorRole does, Text name, Body&& body) {
    enter(does, name);
    body();
    leave();
  }

  /// What `body` records is that one's, where it is said.
  template <class Body>
  void of(Owner of, Body&& body) {
    enter(of);
    body();
    leave();
  }

  /// What `body` records stands in that tower, or in the tower around it. Tensors directly in a tower are a projection, or what their
  /// storage says: a convolution or an embedding.
  template <class Body>
  void tower(Tower tower, Text name, Body&& body) {
    enter(tower, name);
    body();
    leave();
  }

  /// What `body` records exists once per index: `name.[0-31].…`; `name_[0-31].…` for a name that ends so. Without indices `body` does not
  /// run.
  template <class Body>
  void repeat(Text name, const IndexSet& indices, Body&& body) {
    if (!enter_repeat(name, indices)) return;
    body();
    leave();
  }

  /// The same for experts of which each token uses `active` (or all, if there are fewer).
  template <class Body>
  void repeat_experts(Text name, Expr experts, Expr active, Body&& body) {
    repeat_experts(name, all(experts), active, body);
  }

  /// The same for these of them.
  template <class Body>
  void repeat_experts(Text name, const IndexSet& experts, Expr active, Body&& body) {
    if (!enter_experts(name, experts, active)) return;
    body();
    leave();
  }

  /// What `body` records is tied, for each index, to what stands under index `owner` of the same repeat.
  template <class Body>
  void repeat_tied(Text name, const IndexSet& indices, std::uint64_t owner, Body&& body) {
    if (indices.empty()) return;
    enter_tied(name, indices, owner);
    body();
    leave();
  }

  /// What `body` records is held by published files beside the model, for that reason: all of them, or some.
  template <class Body>
  void beside(Kind kind, Text reason, Body&& body) {
    enter_beside(kind, reason);
    body();
    leave();
  }

  /// Batch norms that `body` records hold buffers alone: detectors freeze those of their backbones.
  template <class Body>
  void frozen(Body&& body) {
    enter_frozen();
    body();
    leave();
  }
  [[nodiscard]] bool is_frozen() const { return now_.frozen; }

  /// Repeats that `body` records as `layers` are called otherwise: transformers renames a tower's layers, and with them all.
  template <class Body>
  void renaming_layers(Text name, Body&& body) {
    enter_renaming(name);
    body();
    leave();
  }

  /// `body` records a nested model of that class.
  template <class Body>
  void as(const Architecture& architecture, Body&& body) {
    const Architecture* const outer = architecture_;
    architecture_ = &architecture;
    body();
    architecture_ = outer;
  }

  /// Records a parameter of that shape (as stored). Names may be dotted, or empty: that of the scope.
  Tensor parameter(Text name, std::initializer_list<Expr> shape, StorageKind role = StorageKind::vector);
  /// A parameter whose first dimension is the experts, or the rows of all of them.
  Tensor expert_parameter(Text name, std::initializer_list<Expr> shape, const Stacked& stacked, StorageKind role = StorageKind::matrix);
  /// A persistent buffer.
  Tensor buffer(Text name, std::initializer_list<Expr> shape);
  /// A tensor that shares the storage of another, and its shape.
  void tied(Text name, Tensor target);
  /// The same for a target of many copies, of which it is that one.
  void tied(Text name, Tensor target, std::string_view target_name);

  /// Records a tensor in that one's part and repeats, but its outermost `dropped` ones, after the repeats around it.
  Tensor like(const Row& other, Text name, std::span<const Expr> shape, StorageKind role, std::size_t dropped = 0);

  /// Records a tensor in that one's part and repeats that shares its storage, copy by copy; a buffer anew.
  void tied_like(const Row& other, Text name);

  /// Where blocks record what inference keeps and multiplies (core/builder/inference.hpp); null unless that is asked for, and in towers.
  [[nodiscard]] Inference* inference() const { return asks_for_inference && now_.tower == Tower::none ? inference_ : nullptr; }
  void record_inference(Inference& to) { inference_ = &to; }
  /// What names begin with here, and the counts of the repeats around.
  [[nodiscard]] const std::string& prefix() const { return prefix_; }
  [[nodiscard]] std::vector<Expr> repeats() const;

  [[nodiscard]] const Row& row(Tensor tensor) const { return rows_[tensor.row_ - 1]; }

  void note(std::string_view field, std::string message) { notes_.push_back({false, std::string(field), std::move(message)}); }
  void warn(std::string_view field, std::string message) { notes_.push_back({true, std::string(field), std::move(message)}); }

  [[nodiscard]] Pool& pool() const { return pool_; }
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  [[nodiscard]] const std::vector<Note>& notes() const { return notes_; }

 private:
  /// What a scope changes; restored when it ends.
  struct State {
    std::size_t name_length = 0;
    std::size_t owner_length = 0;
    std::size_t repeats = 0;
    Tower tower = Tower::none;
    Part part = Part::projection;
    Kind kind = Kind::parameter;
    TensorRole does = TensorRole::unsaid;
    Owner of = Owner::itself;
    Text reason = {};
    Text layers = {};
    bool has_part = false;
    bool tied = false;
    bool frozen = false;
  };
  struct Repeat {
    Expr count;
    Expr active;
    bool experts;
  };

  [[gnu::noinline]] void enter(Text name);
  [[gnu::noinline]] void enter(Part part, Text name);
  [[gnu::noinline]] void enter_default(Part part, Text name);
  [[gnu::noinline]] void enter(TensorRole does, Text name);
  [[gnu::noinline]] void enter(Owner of);
  void enter_like(const Row& row);
  [[gnu::noinline]] void enter(Tower tower, Text name);
  /// False where there is no index.
  [[gnu::noinline]] bool enter_repeat(Text name, const IndexSet& indices);
  [[gnu::noinline]] bool enter_experts(Text name, const IndexSet& experts, Expr active);
  void enter_tied(Text name, const IndexSet& indices, std::uint64_t owner);
  [[gnu::noinline]] void enter_beside(Kind kind, Text reason);
  void enter_frozen();
  void enter_renaming(Text name);
  [[gnu::noinline]] void leave();
  Tensor record(Text name, std::span<const Expr> shape, Kind kind, StorageKind role, const Stacked* stacked = nullptr);
  [[nodiscard]] std::string_view kept(std::initializer_list<std::string_view> pieces) const;

  Pool& pool_;
  const Architecture* architecture_;
  FindFamily find_family_;
  Inference* inference_ = nullptr;
  std::string prefix_;        ///< "model.layers.[0-31]."
  std::string owner_prefix_;  ///< the same with the owner's index, inside repeat_tied
  std::vector<Repeat> repeats_;
  State now_;
  std::vector<State> outer_;
  std::vector<Row> rows_;
  std::vector<Note> notes_;
};

}  // namespace param_ledger
