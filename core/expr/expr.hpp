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

/// What a formula may contain. `quotient` divides without remainder, `floor` rounds down; `ceil` rounds up, perhaps nothing.
enum class Op : std::uint8_t { literal, name, sum, difference, product, power, quotient, floor, ceil };

/// An exact non-negative integer that knows how it came about: `formula.hpp` writes the formula, `peek()` is its value,
/// and both come from this one object. A handle to an immutable node of a Pool: cheap to copy, valid as long as the
/// pool. Operators evaluate at once and throw Error{overflow} rather than wrap, Error{out_of_range} for a negative
/// difference.
class Expr {
 public:
  Expr() = default;
  explicit Expr(const Node* node) : node_(node) {}

  /// Reads the value for a decision. In a search, this pins the recorded formula to this value: prefer `less`, `equal` or `is_multiple`.
  [[nodiscard]] Count decide() const;
  /// Reads the value to show it, or to compute what an expression holds as well. Never for a decision.
  [[nodiscard]] Count peek() const;
  [[nodiscard]] Op op() const;
  /// Operands of an operation; for `power` the right one is a literal.
  [[nodiscard]] Expr left() const;
  [[nodiscard]] Expr right() const;
  /// Of a name: its entry in the pool.
  [[nodiscard]] const struct Name& name() const;
  [[nodiscard]] bool is_literal(Count value) const;
  explicit operator bool() const { return node_ != nullptr; }

  friend Expr operator+(Expr a, Expr b);
  friend Expr operator-(Expr a, Expr b);
  friend Expr operator*(Expr a, Expr b);
  friend Expr operator+(Expr a, std::uint64_t b);
  friend Expr operator-(Expr a, std::uint64_t b);
  friend Expr operator*(std::uint64_t a, Expr b);
  /// The same name, the same literal or the same operation on equal operands: one node, as a pool makes none twice.
  friend bool operator==(Expr a, Expr b) { return a.node_ == b.node_; }

  /// a ÷ b where b divides a, else the floor, as Python's `//`. Throws Error{out_of_range} for b = 0.
  friend Expr floor_divide(Expr a, Expr b);
  /// a ÷ b rounded up.
  friend Expr ceil_divide(Expr a, Expr b);
  friend Expr power(Expr a, std::uint64_t exponent);

  [[nodiscard]] const Node* node() const { return node_; }

 private:
  const Node* node_ = nullptr;
};

/// Height and width of an image, a patch or a window: one and the same expression where it is a square.
struct Sides {
  Expr height, width;
};

/// A named dimension: a config field or a count over one.
struct Name {
  std::string name;          ///< as formulas write it; for a field as config.json spells it
  std::string symbol;        ///< short form; `_` begins a subscript
  std::string_view meaning;  ///< one line
  bool field = true;         ///< a config field, not a count over one
  std::uint16_t order = 0;   ///< place among the factors of a product
  Expr definition = {};      ///< what the value follows from, where it is derived
  std::uint32_t index = 0;   ///< place among the names of the pool, which sets it
};

/// Fields whose values vary from one configuration of a search to the next, as a set; none in any other count.
using VariableSet = std::uint16_t;

struct Node {
  Op op;
  VariableSet varies;  ///< what the value depends on
  std::uint64_t rank;  ///< no two nodes of a pool share one; names come first, in their order
  Count value;
  const Node* left;
  const Node* right;
  const Name* name;
  Pool* pool;
};

/// Tells the pool's observer.
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

/// a < b, a = b, and a is a multiple of b (which 0 has none).
enum class Relation : std::uint8_t { less, equal, multiple };
/// Decides by a relation: where fields vary, what is counted after holds for all values that come out the same.
bool less(Expr a, Expr b);
bool equal(Expr a, Expr b);
bool is_multiple(Expr a, Expr b);
bool equal(Expr a, Count b);
inline bool is_zero(Expr e) { return equal(e, 0); }
/// Whether a relation comes out as a demand has it. The caller refuses the configuration where it does not.
bool meets(Relation relation, Expr a, Expr b, bool demand = true);

/// A comparison of two expressions that decided something while a model was recorded.
struct Decision {
  Relation relation;
  Expr a, b;
  bool holds;             ///< the outcome
  bool demanded = false;  ///< the configuration is refused unless the outcome is `met`
  bool met = true;
};

/// Observes, while a model is recorded, what depends on fields that vary: the recorded formula holds for all values with the same
/// decisions.
class DecisionObserver {
 public:
  DecisionObserver() = default;
  DecisionObserver(const DecisionObserver&) = delete;
  DecisionObserver& operator=(const DecisionObserver&) = delete;
  virtual ~DecisionObserver() = default;

  /// A name was made for the field given at that dotted path. Returns the varying fields that it depends on.
  virtual VariableSet on_name(Expr name, std::string_view path) = 0;
  /// The values of these fields were read.
  virtual void on_read(VariableSet fields) = 0;
  /// The value at that path was read without making a name for it.
  virtual void on_read(std::string_view path) = 0;
  virtual void on_decision(const Decision& decision) = 0;
  /// The model can be built, but `divisor` should divide `dividend`, whether they vary or not.
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
  /// A name of that value. Each name is made once: ask `find` first. `path`: of the field that it is, where one is given.
  Expr named(Name name, Count value, std::string_view path = {});
  /// The expression made for a name, or an empty one.
  [[nodiscard]] Expr find(std::string_view name) const;

  /// The literal of that value, or the operation on these operands, which is that value; made where there is none yet.
  Expr make(Op op, Count value, const Node* left, const Node* right);

  /// Room for so many, which lasts as long as the pool: names, shapes, runs. Nothing in it is destroyed.
  template <class T>
  T* room(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= aligned);
    return reinterpret_cast<T*>(bytes(count * sizeof(T)));
  }
  /// A copy that lasts as long as the pool.
  template <class T>
  std::span<const T> keep(std::span<const T> items) {
    T* const kept = room<T>(items.size());
    std::uninitialized_copy(items.begin(), items.end(), kept);
    return {kept, items.size()};
  }

  /// Who is told what is decided by values that vary; null but in a search.
  [[nodiscard]] DecisionObserver* observer() const { return observer_; }
  void set_observer(DecisionObserver* observer) { observer_ = observer; }

  /// Notes that a family demands that the one divides the other, whatever their values.
  void demand_multiple(Expr dividend, Expr divisor);
  /// Dividends and divisors, each pair once.
  [[nodiscard]] const std::vector<std::pair<Expr, Expr>>& demanded_multiples() const { return demanded_; }

 private:
  static constexpr std::size_t chunk = 128;
  static constexpr std::size_t aligned = 8;

  [[gnu::noinline]] std::byte* bytes(std::size_t size);

  Node& append();
  [[nodiscard]] const Node* at(std::size_t place) const { return &chunks_[place / chunk][place % chunk]; }

  std::vector<std::unique_ptr<Node[]>> chunks_;
  std::size_t size_ = 0;  ///< nodes in chunks_
  HashIndex index_{512};  ///< of literals and operations
  StringIndex name_index_;
  std::deque<Name> names_;
  std::deque<Expr> exprs_;                            ///< one for each of names_
  std::vector<std::unique_ptr<std::byte[]>> blocks_;  ///< what `room` comes from
  std::byte *next_ = nullptr, *end_ = nullptr;        ///< of the last block, what is free
  std::vector<std::pair<Expr, Expr>> demanded_;
  DecisionObserver* observer_ = nullptr;
};

}  // namespace param_ledger
