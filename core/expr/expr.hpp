#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/support/count.hpp"
#include "core/support/hash_index.hpp"

namespace param_ledger {

class Pool;
class DecisionObserver;
struct Node;
struct Run;

/// The kinds of expression nodes. `quotient` is a division without remainder; `floor` and `ceil` are divisions rounded down or up.
enum class Op : std::uint8_t { literal, name, sum, difference, product, power, quotient, floor, ceil };

/// An exact non-negative integer together with the formula that it was computed from: `peek()` returns the value, and formula.hpp writes
/// the formula. An Expr is a handle to an immutable node of a Pool: cheap to copy, and valid as long as the pool. Operators compute the
/// value immediately. They throw Error{overflow} instead of wrapping around, Error{out_of_range} if a difference would be negative, and
/// Error{unsupported} for an empty operand.
class Expr {
 public:
  Expr() = default;
  explicit Expr(const Node* node) : node_(node) {}

  /// Reads the value in order to branch on it. In a search, the recorded formula is then valid only as long as this value stays the same,
  /// so prefer `less`, `equal` or `is_multiple`.
  [[nodiscard]] Count decide() const;
  /// Reads the value for display, or for arithmetic that is recorded as an expression as well. A search does not notice it, so do not
  /// branch on the value.
  [[nodiscard]] Count peek() const;
  [[nodiscard]] Op op() const;
  /// The operands of an operation; the right one of a `power` is a literal.
  [[nodiscard]] Expr left() const;
  [[nodiscard]] Expr right() const;
  /// The pool's entry for a node of kind Op::name.
  [[nodiscard]] const struct Name& name() const;
  [[nodiscard]] bool is_literal(Count value) const;
  explicit operator bool() const { return node_ != nullptr; }

  friend Expr operator+(Expr a, Expr b);
  friend Expr operator-(Expr a, Expr b);
  friend Expr operator*(Expr a, Expr b);
  friend Expr operator+(Expr a, std::uint64_t b);
  friend Expr operator-(Expr a, std::uint64_t b);
  friend Expr operator*(std::uint64_t a, Expr b);
  /// Whether both are the same name, literal or operation. A pool never creates two equal nodes, so comparing the pointers is enough.
  friend bool operator==(Expr a, Expr b) { return a.node_ == b.node_; }

  /// a divided by b and rounded down, like Python's `//`. The node is a `quotient` if b divides a, and a `floor` otherwise. Throws
  /// Error{out_of_range} if b is 0.
  friend Expr floor_divide(Expr a, Expr b);
  /// a ÷ b rounded up.
  friend Expr ceil_divide(Expr a, Expr b);
  friend Expr power(Expr a, std::uint64_t exponent);

  [[nodiscard]] const Node* node() const { return node_; }

 private:
  const Node* node_ = nullptr;
};

/// Height and width of an image, a patch or a window; the same expression twice if the configuration gives one number for both.
struct Sides {
  Expr height, width;
};

/// A named value: a config field, an entry of a list, a count derived from fields, or a number from outside the configuration, such as the
/// number of tokens in the context.
struct Name {
  std::string name;          ///< as written in formulas; for a field, its dotted name, even if the configuration uses an alias
  std::string symbol;        ///< short form; `_` begins a subscript
  std::string_view meaning;  ///< a one-line description
  bool field = true;         ///< whether it is a config field; false for an entry of a list and for anything else
  std::uint16_t order = 0;   ///< position among the factors of a product
  Expr definition = {};      ///< the formula of a derived value; empty if there is none
  std::uint32_t index = 0;   ///< position in the pool's list of names; set by the pool
};

/// A set of fields that vary between the configurations of a search, as a bitmask. Always empty outside a search.
using VariableSet = std::uint16_t;

struct Node {
  Op op;
  VariableSet varies;  ///< the varying fields that the value depends on
  std::uint64_t rank;  ///< a sort key, unique within the pool: names come before all other nodes, in the order of Name::order
  Count value;
  const Node* left;
  const Node* right;
  const Name* name;
  Pool* pool;
};

/// Tells the pool's observer, if there is one, that code branches on the node's value.
void notice(const Node& node);

inline Count Expr::decide() const {
  if (node_->varies != 0) notice(*node_);
  return node_->value;
}
inline Count Expr::peek() const { return node_->value; }
inline Op Expr::op() const { return node_->op; }
inline Expr Expr::left() const { return Expr(node_->left); }
inline Expr Expr::right() const { return Expr(node_->right); }
inline const Name& Expr::name() const { return *node_->name; }
inline bool Expr::is_literal(Count value) const { return node_->op == Op::literal && node_->value == value; }

/// a < b, a = b, or a is a multiple of b (false if b is 0).
enum class Relation : std::uint8_t { less, equal, multiple };
/// Compares values in order to branch on the result. In a search, the recorded formula is then valid for all values that give this result.
bool less(Expr a, Expr b);
bool equal(Expr a, Expr b);
bool is_multiple(Expr a, Expr b);
bool equal(Expr a, Count b);
inline bool is_zero(Expr e) { return equal(e, 0); }
/// Whether the relation's truth value equals `demand`. If it does not, the caller must reject the configuration.
bool meets(Relation relation, Expr a, Expr b, bool demand = true);

/// A comparison that affected how a model was recorded.
struct Decision {
  Relation relation;
  Expr a, b;
  bool holds;             ///< the result; if `demanded`, the result that is required
  bool demanded = false;  ///< whether any other result makes the configuration invalid
  bool met = true;
};

/// Observes how a recorded model depends on the fields that vary in a search. The recorded formula is valid for all values that give the
/// same decisions, as long as the fields reported to `on_read` keep their values.
class DecisionObserver {
 public:
  DecisionObserver() = default;
  DecisionObserver(const DecisionObserver&) = delete;
  DecisionObserver& operator=(const DecisionObserver&) = delete;
  virtual ~DecisionObserver() = default;

  /// Called when a name is created for the config field at this dotted path. Returns the varying fields that its value depends on.
  virtual VariableSet on_name(Expr name, std::string_view path) = 0;
  /// Called when code branches on a value that depends on these fields.
  virtual void on_read(VariableSet fields) = 0;
  /// Called when code may branch on the value of the field at this path, or rejects it, in a way that formulas do not show.
  virtual void on_read(std::string_view path) = 0;
  virtual void on_decision(const Decision& decision) = 0;
  /// Called when `divisor` should divide `dividend` in a sensible model, although transformers also builds the model if it does not. Called
  /// even if neither value varies.
  virtual void on_wished_multiple(Expr dividend, Expr divisor) = 0;
};

/// Owns the nodes and names of all expressions about one model.
class Pool {
 public:
  Pool();
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  Expr literal(Count value) { return make(Op::literal, value, nullptr, nullptr); }
  /// Creates a name with this value. A name must not be created twice, so call `find` first. `path` is the dotted path of a config field;
  /// leave it empty for any other name.
  Expr named(Name name, Count value, std::string_view path = {});
  /// The expression with this name, or an empty Expr if there is none.
  [[nodiscard]] Expr find(std::string_view name) const;

  /// Returns the literal or operation with this operator, operands and value, creating it if the pool does not already contain it.
  Expr make(Op op, Count value, const Node* left, const Node* right);

  /// Allocates uninitialised storage for `count` objects, such as names, shapes or runs. It lives as long as the pool, and no destructors
  /// are called.
  template <class T>
  T* room(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= aligned);
    return reinterpret_cast<T*>(bytes(count * sizeof(T)));
  }
  /// Copies the items into storage that lives as long as the pool.
  template <class T>
  std::span<const T> keep(std::span<const T> items) {
    T* const kept = room<T>(items.size());
    std::uninitialized_copy(items.begin(), items.end(), kept);
    return {kept, items.size()};
  }

  /// The observer, which only a search sets, and only while it records a model; otherwise null.
  [[nodiscard]] DecisionObserver* observer() const { return observer_; }
  void set_observer(DecisionObserver* observer) { observer_ = observer; }

  /// Records that a model family requires `divisor` to divide `dividend`, whatever their values are.
  void demand_multiple(Expr dividend, Expr divisor);
  /// The pairs of dividend and divisor recorded by `demand_multiple`, without duplicates.
  [[nodiscard]] const std::vector<std::pair<Expr, Expr>>& demanded_multiples() const { return demanded_; }

 private:
  static constexpr std::size_t chunk = 128;
  static constexpr std::size_t aligned = 8;

  [[gnu::noinline]] std::byte* bytes(std::size_t size);

  Node& append();
  [[nodiscard]] const Node* at(std::size_t place) const { return &chunks_[place / chunk][place % chunk]; }

  std::vector<std::unique_ptr<Node[]>> chunks_;
  std::size_t size_ = 0;  ///< number of nodes in chunks_
  HashIndex index_{512};  ///< finds literals and operations
  StringIndex name_index_;
  std::deque<Name> names_;
  std::deque<Expr> exprs_;                            ///< the expression of each name in names_
  std::vector<std::unique_ptr<std::byte[]>> blocks_;  ///< the memory blocks from which `room` allocates
  std::byte *next_ = nullptr, *end_ = nullptr;        ///< the free part of the last block
  std::vector<std::pair<Expr, Expr>> demanded_;
  DecisionObserver* observer_ = nullptr;
};

}  // namespace param_ledger
