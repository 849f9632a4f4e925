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

/// The kinds of nodes. `quotient` divides without remainder, `floor` rounds down, `ceil` rounds up.
enum class Op : std::uint8_t { literal, name, sum, difference, product, power, quotient, floor, ceil };

/// An exact non-negative integer together with its formula: `formula.hpp` writes the formula, `peek()` gives the value. A handle to an
/// immutable node of a Pool: cheap to copy, valid as long as the pool. Operators evaluate at once. They throw Error{overflow} instead of
/// wrapping, and Error{out_of_range} for a negative difference.
class Expr {
 public:
  Expr() = default;
  explicit Expr(const Node* node) : node_(node) {}

  /// Reads the value for a decision. In a search, this pins the recorded formula to this value: prefer `less`, `equal` or `is_multiple`.
  [[nodiscard]] Count decide() const;
  /// Reads the value for display, or to compute what an expression also holds. Never for a decision.
  [[nodiscard]] Count peek() const;
  [[nodiscard]] Op op() const;
  /// The operands of an operation; the right one of a `power` is a literal.
  [[nodiscard]] Expr left() const;
  [[nodiscard]] Expr right() const;
  /// A name's entry in the pool.
  [[nodiscard]] const struct Name& name() const;
  [[nodiscard]] bool is_literal(Count value) const;
  explicit operator bool() const { return node_ != nullptr; }

  friend Expr operator+(Expr a, Expr b);
  friend Expr operator-(Expr a, Expr b);
  friend Expr operator*(Expr a, Expr b);
  friend Expr operator+(Expr a, std::uint64_t b);
  friend Expr operator-(Expr a, std::uint64_t b);
  friend Expr operator*(std::uint64_t a, Expr b);
  /// Whether both are the same name, literal or operation. A pool makes equal nodes once, so pointers are compared.
  friend bool operator==(Expr a, Expr b) { return a.node_ == b.node_; }

  /// a ÷ b if b divides a, else the floor, as Python's `//`. Throws Error{out_of_range} for b = 0.
  friend Expr floor_divide(Expr a, Expr b);
  /// a ÷ b rounded up.
  friend Expr ceil_divide(Expr a, Expr b);
  friend Expr power(Expr a, std::uint64_t exponent);

  [[nodiscard]] const Node* node() const { return node_; }

 private:
  const Node* node_ = nullptr;
};

/// Height and width of an image, a patch or a window; the same expression twice if it is square.
struct Sides {
  Expr height, width;
};

/// A named dimension: a config field, or a count derived from fields.
struct Name {
  std::string name;          ///< as formulas write it: a field as config.json spells it
  std::string symbol;        ///< short form; `_` begins a subscript
  std::string_view meaning;  ///< one line
  bool field = true;         ///< a config field, not a derived count
  std::uint16_t order = 0;   ///< position among the factors of a product
  Expr definition = {};      ///< the formula of a derived value
  std::uint32_t index = 0;   ///< position in the pool's list of names; set by the pool
};

/// The set of fields that vary between the configurations of a search; empty in any other count.
using VariableSet = std::uint16_t;

struct Node {
  Op op;
  VariableSet varies;  ///< the fields that the value depends on
  std::uint64_t rank;  ///< unique within the pool; names come first, in their order
  Count value;
  const Node* left;
  const Node* right;
  const Name* name;
  Pool* pool;
};

/// Reports the node to the pool's observer.
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
/// Compares values for a decision. In a search, the recorded formula then holds for all values with the same outcome.
bool less(Expr a, Expr b);
bool equal(Expr a, Expr b);
bool is_multiple(Expr a, Expr b);
bool equal(Expr a, Count b);
inline bool is_zero(Expr e) { return equal(e, 0); }
/// Whether the relation has the demanded outcome. If not, the caller must refuse the configuration.
bool meets(Relation relation, Expr a, Expr b, bool demand = true);

/// A comparison that affected how a model was recorded.
struct Decision {
  Relation relation;
  Expr a, b;
  bool holds;             ///< the outcome
  bool demanded = false;  ///< any other outcome refuses the configuration
  bool met = true;
};

/// Observes how a recorded model depends on the fields that vary. The recorded formula holds for all values that give the same decisions.
class DecisionObserver {
 public:
  DecisionObserver() = default;
  DecisionObserver(const DecisionObserver&) = delete;
  DecisionObserver& operator=(const DecisionObserver&) = delete;
  virtual ~DecisionObserver() = default;

  /// A name was made for the field at that dotted path. Returns the varying fields that it depends on.
  virtual VariableSet on_name(Expr name, std::string_view path) = 0;
  /// The values of these fields were read.
  virtual void on_read(VariableSet fields) = 0;
  /// The value at that path was read, and no name was made for it.
  virtual void on_read(std::string_view path) = 0;
  virtual void on_decision(const Decision& decision) = 0;
  /// `divisor` should divide `dividend`, whether or not they vary; the model can be built even if it does not.
  virtual void on_wished_multiple(Expr dividend, Expr divisor) = 0;
};

/// Owns the nodes and names of one count.
class Pool {
 public:
  Pool();
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  Expr literal(Count value) { return make(Op::literal, value, nullptr, nullptr); }
  /// Makes a name with that value. Each name is made once: ask `find` first. `path` is the field's path, if it is a field.
  Expr named(Name name, Count value, std::string_view path = {});
  /// The name's expression, or an empty one.
  [[nodiscard]] Expr find(std::string_view name) const;

  /// The literal or operation with that value; made if it does not exist yet.
  Expr make(Op op, Count value, const Node* left, const Node* right);

  /// Uninitialised storage that lives as long as the pool: for names, shapes, runs. No destructor is called.
  template <class T>
  T* room(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= aligned);
    return reinterpret_cast<T*>(bytes(count * sizeof(T)));
  }
  /// A copy that lives as long as the pool.
  template <class T>
  std::span<const T> keep(std::span<const T> items) {
    T* const kept = room<T>(items.size());
    std::uninitialized_copy(items.begin(), items.end(), kept);
    return {kept, items.size()};
  }

  /// Observes decisions that depend on varying values; null outside of a search.
  [[nodiscard]] DecisionObserver* observer() const { return observer_; }
  void set_observer(DecisionObserver* observer) { observer_ = observer; }

  /// Records that a family requires `divisor` to divide `dividend`, whatever their values.
  void demand_multiple(Expr dividend, Expr divisor);
  /// Pairs of dividend and divisor, each pair once.
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
  std::vector<std::unique_ptr<std::byte[]>> blocks_;  ///< the storage behind `room`
  std::byte *next_ = nullptr, *end_ = nullptr;        ///< the free part of the last block
  std::vector<std::pair<Expr, Expr>> demanded_;
  DecisionObserver* observer_ = nullptr;
};

}  // namespace param_ledger
