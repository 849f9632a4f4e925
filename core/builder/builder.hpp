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

/// The tower that contains a tensor: modules for images and video, modules for audio, or projections between modules. `none`: a tensor
/// outside all towers, such as those of the text model.
enum class Tower : std::uint8_t { none, vision, audio, projector };
std::string_view spelling(Tower tower);

/// The part of the model that a tensor belongs to, roughly in the order of the forward pass. Towers have the same parts as the text model.
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
  projection,  ///< only in towers: a tensor that is in no other part
};
std::string_view spelling(Part part);

/// The number of possible values of `part` in the answer: one for each tower, and one for each part of the text model.
constexpr std::size_t answer_part_count = 12;
constexpr std::size_t answer_part(Tower tower) { return static_cast<std::size_t>(tower) - 1; }
constexpr std::size_t answer_part(Part part) { return answer_part(Tower::projector) + 1 + static_cast<std::size_t>(part); }
std::string_view answer_part_name(std::size_t answer_part);

/// `buffer`: stored in a checkpoint, but not a parameter. `tied`: shares the storage of another tensor, which is counted. `published`: not
/// part of the model, but stored in the published files. `possible`: like `published`, but stored only in some published files.
enum class Kind : std::uint8_t { parameter, buffer, tied, published, possible };
std::string_view spelling(Kind kind);

/// How a computation uses a tensor: a matrix that activations are multiplied by (or one per expert, stacked), a lookup table, a convolution
/// kernel, or anything else (`vector`), such as norms, biases and scalars.
enum class StorageKind : std::uint8_t { matrix, table, kernel, vector };
constexpr std::size_t storage_kind_count = 4;
std::string_view spelling(StorageKind storage);

/// A tensor's function, whatever the model type calls it: wq, q_proj and query are all `query`. `unspecified` unless the code that records
/// the tensor sets it.
enum class TensorRole : std::uint8_t {
  unspecified,
  token_embedding,
  position_embedding,
  segment_embedding,
  query,
  key,
  value,
  query_key_value,
  output,  ///< the output projection of attention
  query_norm,
  key_norm,
  gate,
  up,
  gate_and_up,
  down,
  router,
  head,
  attention_gate,  ///< gates the output of the attention heads
  query_down,      ///< low-rank down-projection of the queries
  query_up,        ///< low-rank up-projection of the queries
  key_value_down,  ///< low-rank down-projection of keys and values
  key_value_up,    ///< low-rank up-projection of keys and values
  shared_expert_gate,
  embedding_norm,  ///< normalises the embeddings before the first layer
  norm_before_attention,
  norm_after_attention,
  norm_before_cross_attention,
  norm_after_cross_attention,
  norm_before_feed_forward,
  norm_after_feed_forward
};
/// Distinguishes tensors with the same role: those of an encoder, of cross-attention or of a shared expert, and all others (`itself`).
enum class Owner : std::uint8_t { itself, encoder, cross, shared_expert };

/// One distinct tensor and the number of its copies. Everything that it points to is in the pool or a literal, so rows are cheap to copy.
struct Row {
  std::string_view name;  ///< the tensor name with index ranges; NUL-terminated
  std::span<const Expr> shape;
  Kind kind;
  Tower tower;
  Part part;
  StorageKind storage;
  TensorRole role;
  Owner owner;
  std::string_view tied_to;
  Text reason;                    ///< for `published` and `possible`: why files contain the tensor
  std::span<const Expr> repeats;  ///< symbolic counts of the enclosing repeats, outermost first
  std::size_t repeated_at = 0;    ///< where the outermost repeat's index begins in the name; 0: none, or found only by parsing the name
  Expr elements;                  ///< elements of one copy
  Expr total;                     ///< elements of all copies
  Expr active;                    ///< the part of `total` that one token uses
  Expr experts = {};              ///< the number of experts per layer that the row stands for; empty if it is not part of an expert

  [[nodiscard]] bool in_tower() const { return tower != Tower::none; }
  /// Whether the row belongs to this part of the text model.
  [[nodiscard]] bool in_text(Part of_text) const { return !in_tower() && part == of_text; }
};
constexpr std::size_t answer_part(const Row& row) { return row.in_tower() ? answer_part(row.tower) : answer_part(row.part); }

/// Experts that are stacked in a tensor's first dimension.
struct Stacked {
  Expr experts;
  Expr active;     ///< how many of these experts a token uses; capped at their number; empty: all
  Expr rows = {};  ///< how many rows of the first dimension belong to one expert; empty: one
};

/// A recorded tensor, which others can be tied to.
class Tensor {
 public:
  Tensor() = default;
  explicit operator bool() const { return row_ != 0; }

 private:
  friend class Builder;
  explicit Tensor(std::size_t row) : row_(row + 1) {}
  std::size_t row_ = 0;
};

/// A note or a warning for the user.
struct Note {
  bool warning;
  std::string field;
  std::string message;
};

/// Whether this is the full program, which answers questions about inference, such as memory. The smaller programs do not, so in them no
/// blocks, caches and operations are recorded.
extern const bool asks_for_inference;

/// Records the tensors of a model. Nested scopes form the tensor names, and inside a repeat one row stands for many tensors.
class Builder {
 public:
  /// Finds the family of a nested model. A function pointer, because core/builder must not depend on the registry.
  using FindFamily = const Family* (*)(std::string_view model_type);
  Builder(Pool& pool, const Architecture& architecture, FindFamily resolve)
      : pool_(pool), architecture_(&architecture), find_family_(resolve) {}
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;

  /// The model class that is being counted; inside `as`, the class of the nested model.
  [[nodiscard]] const Architecture& architecture() const { return *architecture_; }

  /// The family of a model type, or null.
  [[nodiscard]] const Family* find_family(std::string_view model_type) const { return find_family_(model_type); }

  /// Prefixes the names of the tensors recorded in `body` with `name.`; an empty name adds nothing.
  template <class Body>
  void scope(Text name, Body&& body) {
    enter(name);
    body();
    leave();
  }

  /// Prefixes the names of the tensors recorded in `body` with `name.` and sets their part.
  template <class Body>
  void scope(Part part, Text name, Body&& body) {
    enter(part, name);
    body();
    leave();
  }

  /// Prefixes the names of the tensors recorded in `body` with `name.` and sets their part, unless an enclosing scope has set it. In a
  /// tower, only scopes inside the tower count.
  template <class Body>
  void scope_by_default(Part part, Text name, Body&& body) {
    enter_default(part, name);
    body();
    leave();
  }

  /// Sets the part of the tensors recorded in `body`.
  template <class Body>
  void part(Part part, Body&& body) {
    enter(part, {});
    body();
    leave();
  }

  /// Prefixes the names of the tensors recorded in `body` with `name.` and sets their role; the role `unspecified` changes nothing.
  template <class Body>
  void scope(TensorRole role, Text name, Body&& body) {
    enter(role, name);
    body();
    leave();
  }

  /// Sets the owner of the tensors recorded in `body`; `itself` changes nothing.
  template <class Body>
  void owned_by(Owner owner, Body&& body) {
    enter(owner);
    body();
    leave();
  }

  /// Prefixes the names of the tensors recorded in `body` with `name.` and puts them in this tower, unless they are inside another one. A
  /// tensor for which no scope inside the tower sets a part belongs to `convolution` if it is a kernel, to `embedding` if it is a table,
  /// and to `projection` otherwise.
  template <class Body>
  void tower(Tower tower, Text name, Body&& body) {
    enter(tower, name);
    body();
    leave();
  }

  /// Records `body` once for all indices, as `name.<indices>.…`, e.g. `name.[0-31].…`, or without the first dot if the name ends in `_`.
  /// Without indices, nothing is recorded and `body` is not called.
  template <class Body>
  void repeat(Text name, const IndexSet& indices, Body&& body) {
    if (!enter_repeat(name, indices)) return;
    body();
    leave();
  }

  /// Records `body` once for all experts of a layer. A token uses `active` of them, capped at their number; empty: all.
  template <class Body>
  void repeat_experts(Text name, Expr experts, Expr active, Body&& body) {
    repeat_experts(name, all(experts), active, body);
  }

  /// Like the overload above, for the experts with these indices.
  template <class Body>
  void repeat_experts(Text name, const IndexSet& experts, Expr active, Body&& body) {
    if (!enter_experts(name, experts, active)) return;
    body();
    leave();
  }

  /// Records `body` once for all indices. Each tensor is tied to its counterpart at index `owner` of the list `name`, which must be
  /// recorded separately.
  template <class Body>
  void repeat_tied(Text name, const IndexSet& indices, std::uint64_t owner, Body&& body) {
    if (indices.empty()) return;
    enter_tied(name, indices, owner);
    body();
    leave();
  }

  /// Marks the tensors recorded in `body` as not part of the model but stored in all (`published`) or some (`possible`) published files.
  /// `reason` says why.
  template <class Body>
  void beside(Kind kind, Text reason, Body&& body) {
    enter_beside(kind, reason);
    body();
    leave();
  }

  /// Batch norms that `batch_norm` records in `body` have buffers but no parameters. For detection models whose backbones have frozen batch
  /// norms.
  template <class Body>
  void frozen(Body&& body) {
    enter_frozen();
    body();
    leave();
  }
  [[nodiscard]] bool is_frozen() const { return now_.frozen; }

  /// Repeats called `layers` in `body` are recorded as `name` instead. When transformers saves some models, it renames the layers of the
  /// vision tower, and the rule also matches the layers of the text model.
  template <class Body>
  void renaming_layers(Text name, Body&& body) {
    enter_renaming(name);
    body();
    leave();
  }

  /// Sets the class of the nested model that `body` records.
  template <class Body>
  void as(const Architecture& architecture, Body&& body) {
    const Architecture* const outer = architecture_;
    architecture_ = &architecture;
    body();
    architecture_ = outer;
  }

  /// Records a parameter with this shape, in the order in which checkpoints store the dimensions. The name may be dotted, or empty to use
  /// the name of the scope itself.
  Tensor parameter(Text name, std::initializer_list<Expr> shape, StorageKind storage = StorageKind::vector);
  /// Records a parameter whose first dimension holds all experts, or the rows of all experts.
  Tensor expert_parameter(Text name, std::initializer_list<Expr> shape, const Stacked& stacked, StorageKind storage = StorageKind::matrix);
  /// Records a persistent buffer: a tensor that is saved with the model but not trained.
  Tensor buffer(Text name, std::initializer_list<Expr> shape);
  /// Records a tensor that shares the storage and shape of another.
  void tied(Text name, Tensor target);
  /// Records a tensor tied to the copy of `target` that is called `target_name`.
  void tied(Text name, Tensor target, std::string_view target_name);

  /// Records a tensor with the part of `other`, its tower unless a tower encloses this call, and its repeats except the outermost
  /// `dropped`, nested in the current repeats. If `storage` is that of `other`, it also has its role and owner.
  Tensor like(const Row& other, Text name, std::span<const Expr> shape, StorageKind storage, std::size_t dropped = 0);

  /// Records a tensor with the shape, storage kind, part, role, owner and repeats of `other`, and its tower unless a tower encloses this
  /// call. Ties each copy to its counterpart or, if that is tied, to the counterpart's target. If `other` is a buffer, a new buffer is
  /// recorded instead.
  void tied_like(const Row& other, Text name);

  /// Where blocks record caches and operations (core/builder/inference.hpp). Null inside towers, and if the caller did not ask for
  /// inference.
  [[nodiscard]] Inference* inference() const { return asks_for_inference && now_.tower == Tower::none ? inference_ : nullptr; }
  /// Like `inference`, but not null inside towers.
  [[nodiscard]] Inference* recorder() const { return asks_for_inference ? inference_ : nullptr; }
  void record_inference(Inference& to) { inference_ = &to; }
  /// The current name prefix, ending in a dot unless it is empty.
  [[nodiscard]] const std::string& prefix() const { return prefix_; }
  /// The counts of the enclosing repeats, outermost first.
  [[nodiscard]] std::vector<Expr> repeats() const;

  /// The row of a tensor. Throws Error{unsupported} for an empty Tensor, such as the embedding table of a model that has none.
  [[nodiscard]] const Row& row(Tensor tensor) const;

  void note(std::string_view field, std::string message) { notes_.push_back({false, std::string(field), std::move(message)}); }
  void warn(std::string_view field, std::string message) { notes_.push_back({true, std::string(field), std::move(message)}); }

  [[nodiscard]] Pool& pool() const { return pool_; }
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  [[nodiscard]] const std::vector<Note>& notes() const { return notes_; }

 private:
  /// The state that a scope changes and restores.
  struct State {
    std::size_t name_length = 0;
    std::size_t owner_length = 0;
    std::size_t repeats = 0;
    Tower tower = Tower::none;
    Part part = Part::projection;
    Kind kind = Kind::parameter;
    TensorRole role = TensorRole::unspecified;
    Owner owner = Owner::itself;
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
    std::size_t at;  ///< where the repeat's index begins in the prefix; 0 if the repeat is copied from another row
  };

  [[gnu::noinline]] void enter(Text name);
  [[gnu::noinline]] void enter(Part part, Text name);
  [[gnu::noinline]] void enter_default(Part part, Text name);
  [[gnu::noinline]] void enter(TensorRole role, Text name);
  [[gnu::noinline]] void enter(Owner owner);
  void enter_like(const Row& row);
  [[gnu::noinline]] void enter(Tower tower, Text name);
  /// Enters a list of modules with these indices. Returns false, without entering, if the set of indices is empty.
  [[gnu::noinline]] bool enter_repeat(Text name, const IndexSet& indices);
  [[gnu::noinline]] bool enter_experts(Text name, const IndexSet& experts, Expr active);
  void enter_tied(Text name, const IndexSet& indices, std::uint64_t owner);
  [[gnu::noinline]] void enter_beside(Kind kind, Text reason);
  void enter_frozen();
  void enter_renaming(Text name);
  [[gnu::noinline]] void leave();
  Tensor record(Text name, std::span<const Expr> shape, Kind kind, StorageKind storage, const Stacked* stacked = nullptr);
  [[nodiscard]] std::string_view kept(std::initializer_list<std::string_view> pieces) const;

  Pool& pool_;
  const Architecture* architecture_;
  FindFamily find_family_;
  Inference* inference_ = nullptr;
  std::string prefix_;        ///< the current name prefix, e.g. "model.layers.[0-31]."
  std::string owner_prefix_;  ///< like `prefix_`, but inside `repeat_tied` with the index of the owner
  std::vector<Repeat> repeats_;
  State now_;
  std::vector<State> outer_;
  std::vector<Row> rows_;
  std::vector<Note> notes_;
};

}  // namespace param_ledger
