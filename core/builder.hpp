#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/config.hpp"
#include "core/expr.hpp"
#include "core/formula.hpp"
#include "core/index_set.hpp"

namespace param_ledger {

/// Where in the model a tensor sits; in the order in which data passes. As the answer spells it.
enum class Part : std::uint8_t { embedding, attention, state_space, feed_forward, router, adapter, norm, output_head };
constexpr std::size_t part_count = 8;
std::string_view spelling(Part part);

/// `buffer`: stored in a checkpoint, not a parameter. `tied`: another tensor's storage, counted there.
enum class Kind : std::uint8_t { parameter, buffer, tied };
std::string_view spelling(Kind kind);

/// One distinct tensor and how often it occurs.
struct Row {
  std::string name;  ///< with index ranges
  std::vector<Expr> shape;
  Kind kind;
  Part part;
  std::string tied_to;
  std::vector<Expr> repeats;  ///< symbolic counts of the repeats it stands in, outermost first
  Expr elements;              ///< of one tensor
  Expr total;                 ///< of all copies
  Expr active;                ///< of total, what one token uses
};

/// Something a reader should know.
struct Note {
  bool warning;
  std::string field;
  std::string message;
};

/// One class of a family, see family.hpp.
struct Architecture;

/// What a family records its tensors into: nested scopes make names, repeats make one row stand for many tensors.
class Builder {
 public:
  Builder(Pool& pool, const Architecture& architecture) : pool_(pool), architecture_(architecture) {}
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;

  /// The class that is counted.
  [[nodiscard]] const Architecture& architecture() const { return architecture_; }

  /// Everything recorded in `body` is named `name.…`; an empty name adds nothing.
  template <class Body>
  void scope(std::string_view name, Body&& body) {
    const Mark mark = enter(name);
    body();
    leave(mark);
  }

  /// What `body` records exists once per index: `name.[0-31].…`. Without indices `body` does not run.
  template <class Body>
  void repeat(std::string_view name, const IndexSet& indices, Body&& body) {
    if (indices.empty()) return;
    const Mark mark = enter_repeat(name, indices, indices.count);
    body();
    leave(mark);
  }

  /// The same for experts of which each token uses `active` (or all, if there are fewer).
  template <class Body>
  void repeat_experts(std::string_view name, Expr experts, Expr active, Body&& body) {
    const IndexSet indices = all(experts);
    if (indices.empty()) return;
    const Mark mark = enter_repeat(name, indices, active.value() < experts.value() ? active : experts);
    body();
    leave(mark);
  }

  /// What `body` records is tied, for each index, to what stands under index `owner` of the same repeat.
  template <class Body>
  void repeat_tied(std::string_view name, const IndexSet& indices, std::uint64_t owner, Body&& body) {
    if (indices.empty()) return;
    const Mark mark = enter_tied(name, indices, owner);
    body();
    leave(mark);
  }

  /// Tensors recorded in `body` belong to that part of the model.
  template <class Body>
  void part(Part part, Body&& body) {
    const Part outer = std::exchange(part_, part);
    body();
    part_ = outer;
  }

  /// Records a parameter of that shape (as stored).
  void parameter(std::string_view name, std::initializer_list<Expr> shape) { record(name, shape, Kind::parameter, {}, {}); }
  /// A parameter whose first dimension is the experts, of which each token uses `active`.
  void expert_parameter(std::string_view name, std::initializer_list<Expr> shape, Expr active) {
    record(name, shape, Kind::parameter, {}, active);
  }
  /// A persistent buffer.
  void buffer(std::string_view name, std::initializer_list<Expr> shape) { record(name, shape, Kind::buffer, {}, {}); }
  /// A tensor that shares the storage of `target` (a full name).
  void tied(std::string_view name, std::initializer_list<Expr> shape, std::string_view target) {
    record(name, shape, Kind::tied, target, {});
  }

  void note(std::string_view field, std::string message) { notes_.push_back({false, std::string(field), std::move(message)}); }
  void warn(std::string_view field, std::string message) { notes_.push_back({true, std::string(field), std::move(message)}); }

  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  [[nodiscard]] const std::vector<Note>& notes() const { return notes_; }

 private:
  struct Mark {
    std::size_t name_length;
    std::size_t owner_length;
    std::size_t repeats;
    bool tied;
  };
  struct Repeat {
    Expr count;  ///< empty: one fixed index
    Expr active;
  };

  Mark enter(std::string_view name);
  Mark enter_repeat(std::string_view name, const IndexSet& indices, Expr active);
  Mark enter_tied(std::string_view name, const IndexSet& indices, std::uint64_t owner);
  void leave(const Mark& mark);
  void record(std::string_view name, std::initializer_list<Expr> shape, Kind kind, std::string_view target, Expr active);

  Pool& pool_;
  const Architecture& architecture_;
  std::string prefix_;        ///< "model.layers.[0-31]."
  std::string owner_prefix_;  ///< the same with the owner's index, inside repeat_tied
  std::vector<Repeat> repeats_;
  Part part_ = Part::feed_forward;
  bool tied_ = false;
  std::vector<Row> rows_;
  std::vector<Note> notes_;
};

}  // namespace param_ledger
