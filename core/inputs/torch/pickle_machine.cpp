// Source: CPython, Lib/pickletools.py (the opcodes of protocols 0 to 5).

#include "core/inputs/torch/pickle_machine.hpp"

#include <algorithm>
#include <optional>

#include "core/inputs/tensors/listed_row.hpp"
#include "core/inputs/torch/pickle_calls.hpp"
#include "core/support/count.hpp"
#include "core/support/parse.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr std::uint64_t most_bytes = 64'000'000;

[[noreturn]] void broken() { refuse_file("The pickle is broken: it refers to values that it does not contain."); }

}  // namespace

/// Interprets the opcodes of a pickle with a stack and a memo as Python does, but calls nothing.
class PickleMachine {
 public:
  PickleMachine(Pickle& out, Pieces& file, std::uint64_t at, std::uint64_t end) : out_(out), calls_(out), in_(file, at), end_(end) {}

  Pickle::Place run() {
    for (;;) {
      if (in_.position() > end_) refuse_file("The pickle ends without a STOP opcode.");
      const auto op = static_cast<unsigned char>(in_.number(1));
      if (op == '.') return pop();
      step(op);
    }
  }
  [[nodiscard]] std::uint64_t position() const { return in_.position(); }

 private:
  using Kind = Pickle::Kind;
  using Value = Pickle::Value;
  using Place = Pickle::Place;

  void step(unsigned char op) {
    switch (op) {
      case 0x80: in_.skip(1); return;  // skips the protocol's number
      case 0x95: in_.skip(8); return;  // skips a frame's length
      case '(': marks_.push_back(stack_.size()); return;
      case '0': pop_or_mark(); return;
      case '1': taken(); return;
      case '2': push(top()); return;
      case 'N': add_kind(Kind::none); return;
      case 0x88: return add_integer(1);
      case 0x89: return add_integer(0);
      case 'I':
      case 'L': return add_decimal(line());
      case 'F':
        line();
        add_kind(Kind::other);
        return;
      case 'G':
        in_.skip(8);
        add_kind(Kind::other);
        return;
      case 'K': return add_integer(in_.number(1));
      case 'M': return add_integer(in_.number(2));
      case 'J': return add_signed(4);
      case 0x8a: return add_long(in_.number(1));
      case 0x8b: return add_long(in_.number(4));
      case 'S': return add_text(unquoted(line()));
      case 'V': return add_text(line());
      case 'U':
      case 0x8c:
      case 'C': return add_text(text(in_.number(1)));
      case 'T':
      case 'X':
      case 'B': return add_text(text(in_.number(4)));
      case 0x8d:
      case 0x8e:
      case 0x96: return add_text(text(in_.number(8)));
      case '}': add_kind(Kind::dict); return;
      case ']':
      case ')':
      case 0x8f: add_kind(Kind::sequence); return;
      case 't':
      case 'l':
      case 0x91: return add_items(Kind::sequence, taken());
      case 'd': return add_items(Kind::dict, taken());
      case 0x85: return add_last(1);
      case 0x86: return add_last(2);
      case 0x87: return add_last(3);
      case 'a': return append(1);
      case 'e':
      case 0x90: return append_taken();
      case 's': return append(2);
      case 'u': return append_taken();
      case 'c': {
        const std::string_view module = line();
        return push(calls_.global(module, line()));
      }
      case 0x93: {
        const Place name = pop(), module = pop();
        return push(calls_.global(at(module).text, at(name).text));
      }
      case 'i': {
        const std::string_view module = line(), name = line();
        std::vector<Place> args = taken();
        return push(calls_.made(calls_.global(module, name), arguments(std::move(args))));
      }
      case 'o': {
        std::vector<Place> args = taken();
        if (args.empty()) broken();
        const Place of = args.front();
        args.erase(args.begin());
        return push(calls_.made(of, arguments(std::move(args))));
      }
      case 'R':
      case 0x81: {
        const Place args = pop(), of = pop();
        return push(calls_.made(of, args));
      }
      case 0x92: {
        pop();
        const Place args = pop(), of = pop();
        return push(calls_.made(of, args));
      }
      case 'b': return build();
      case 'p': return put(decimal(line()));
      case 'q': return put(in_.number(1));
      case 'r': return put(in_.number(4));
      case 0x94: return put(memo_.size());
      case 'g': return get(decimal(line()));
      case 'h': return get(in_.number(1));
      case 'j': return get(in_.number(4));
      case 'Q': return push(calls_.persistent(pop()));
      case 'P':
        line();
        add_kind(Kind::other);
        return;
      default: refuse_file(concat({"The pickle has the opcode ", digits(op), ", which is not supported."}));
    }
  }

  [[nodiscard]] std::size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }
  Place top() const {
    if (stack_.size() <= floor()) broken();
    return stack_.back();
  }
  Place pop() {
    const Place out = top();
    stack_.pop_back();
    return out;
  }
  void pop_or_mark() {
    if (stack_.size() > floor())
      stack_.pop_back();
    else if (!marks_.empty())
      marks_.pop_back();
    else
      broken();
  }
  void push(Place place) { stack_.push_back(place); }
  /// Removes the values above the last mark from the stack, and returns them.
  std::vector<Place> taken() {
    if (marks_.empty()) broken();
    std::vector<Place> out(stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back()), stack_.end());
    stack_.resize(marks_.back());
    marks_.pop_back();
    return out;
  }

  Value& at(Place place) { return out_.values_[place]; }
  void add_kind(Kind kind) { add({kind}); }
  void add(Value value) { push(out_.add(std::move(value))); }
  void add_integer(std::uint64_t number, bool negative = false) { add({Kind::integer, negative, number}); }
  void add_signed(unsigned length) {
    const std::uint64_t bits = in_.number(length), sign = std::uint64_t{1} << (8 * length - 1);
    (bits & sign) != 0 ? add_integer((sign << 1U) - bits, true) : add_integer(bits);
  }
  /// Adds an integer that may have more than 64 bits. Such an integer cannot be a size, so its value is dropped.
  void add_long(std::uint64_t length) {
    if (length > 8) {
      in_.skip(length);
      add_kind(Kind::other);
      return;
    }
    if (length == 0) return add_integer(0);
    if (length < 8) return add_signed(static_cast<unsigned>(length));
    const std::uint64_t bits = in_.number(8);
    (bits >> 63U) != 0 ? add_integer(~bits + 1, true) : add_integer(bits);
  }
  static std::uint64_t decimal(std::string_view figures) {
    const std::optional<std::uint64_t> out = parse_integer<std::uint64_t>(figures);
    if (!out || !figures.empty()) refuse_file("The pickle has a number that cannot be read.");
    return *out;
  }
  void add_decimal(std::string_view written) {
    if (written.ends_with('L')) written.remove_suffix(1);
    const bool negative = written.starts_with('-');
    if (negative) written.remove_prefix(1);
    std::string_view rest = written;
    const std::optional<std::uint64_t> number = parse_integer<std::uint64_t>(rest);
    // A number with more than 64 bits cannot be a size, so its value is dropped.
    if (!number && !rest.empty() && rest.find_first_not_of("0123456789") == std::string_view::npos) return add_kind(Kind::other);
    if (!number || !rest.empty()) refuse_file("The pickle has a number that cannot be read.");
    add_integer(*number, negative);
  }
  void add_text(std::string_view text) { add({.kind = Kind::text, .text = text}); }
  static std::string_view unquoted(std::string_view text) {
    return text.size() > 1 && (text.front() == '\'' || text.front() == '"') ? text.substr(1, text.size() - 2) : text;
  }
  std::string_view text(std::uint64_t length) {
    if (length > most_bytes) refuse_file(concat({"The pickle contains a string of ", grouped_digits(length), " bytes."}));
    return in_.bytes(length);
  }
  std::string_view line() {
    constexpr std::uint64_t most = 10'000;
    std::uint64_t length = 0;
    ByteReader ahead = in_;
    while (ahead.number(1) != '\n')
      if (++length > most) refuse_file("The pickle has an unterminated line.");
    const std::string_view out = in_.bytes(length);
    in_.skip(1);
    return out;
  }
  void add_items(Kind kind, std::vector<Place> items) { add({.kind = kind, .items = std::move(items)}); }
  void add_last(std::size_t count) {
    std::vector<Place> items(count);
    for (std::size_t i = count; i-- > 0;) items[i] = pop();
    add_items(Kind::sequence, std::move(items));
  }
  Place arguments(std::vector<Place> items) { return out_.add({.kind = Kind::sequence, .items = std::move(items)}); }
  void append(std::size_t count) {
    Place items[2] = {};
    for (std::size_t i = count; i-- > 0;) items[i] = pop();
    Value& to = at(top());
    to.items.insert(to.items.end(), items, items + count);
  }
  void append_taken() {
    const std::vector<Place> items = taken();
    Value& to = at(top());
    to.items.insert(to.items.end(), items.begin(), items.end());
  }
  void put(std::uint64_t place) {
    if (place >= Pickle::most_values) refuse_file("The pickle's memo is too large.");
    if (place >= memo_.size()) memo_.resize(static_cast<std::size_t>(place) + 1, nothing);
    memo_[static_cast<std::size_t>(place)] = top();
  }
  void get(std::uint64_t place) {
    if (place >= memo_.size() || memo_[static_cast<std::size_t>(place)] == nothing) broken();
    push(memo_[static_cast<std::size_t>(place)]);
  }

  /// Executes the opcode BUILD, which sets an object's state.
  void build() {
    const Place state = pop();
    calls_.built(top(), state);
  }

  static constexpr Place nothing = ~Place{0};

  Pickle& out_;
  PickleCalls calls_;
  ByteReader in_;
  std::uint64_t end_;
  std::vector<Place> stack_;
  std::vector<std::size_t> marks_;
  std::vector<Place> memo_;
};

Pickle::Place read_pickle(Pickle& pickle, Pieces& file, std::uint64_t& at, std::uint64_t end) {
  PickleMachine machine(pickle, file, at, end);
  const Pickle::Place out = machine.run();
  at = machine.position();
  return out;
}

}  // namespace param_ledger
