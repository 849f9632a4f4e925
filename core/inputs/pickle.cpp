// Source: CPython, Lib/pickletools.py (the opcodes of protocols 0 to 5); torch/_utils.py and torch/serialization.py (what tensors are made
// by).

#include "core/inputs/pickle.hpp"

#include <algorithm>

#include "core/count.hpp"
#include "core/error.hpp"
#include "core/inputs/listing.hpp"
#include "core/text.hpp"

namespace param_ledger {

namespace {

constexpr std::uint64_t most_values = 4'000'000, most_bytes = 64'000'000, most_rank = 64, most_work = 50'000'000;

[[noreturn]] void broken() { refuse_file("The pickle is broken: it takes what is not there."); }

struct StorageType {
  std::string_view name, dtype;
};
constexpr StorageType storage_types[] = {
    {"FloatStorage", "F32"},           {"HalfStorage", "F16"},         {"BFloat16Storage", "BF16"},
    {"DoubleStorage", "F64"},          {"LongStorage", "I64"},         {"IntStorage", "I32"},
    {"ShortStorage", "I16"},           {"CharStorage", "I8"},          {"ByteStorage", "U8"},
    {"BoolStorage", "BOOL"},           {"QInt8Storage", "I8"},         {"QUInt8Storage", "U8"},
    {"QInt32Storage", "I32"},          {"ComplexFloatStorage", "C64"}, {"Float8_e4m3fnStorage", "F8_E4M3"},
    {"Float8_e5m2Storage", "F8_E5M2"},
};

/// Modules whose objects hold no parameters that are not told by their state, or that Python itself has.
constexpr std::string_view own_modules[] = {"collections", "builtins", "__builtin__", "torch",     "argparse",  "pathlib",
                                            "numpy",       "_codecs",  "copy_reg",    "copyreg",   "omegaconf", "typing",
                                            "datetime",    "types",    "enum",        "functools", "__torch__"};

}  // namespace

/// Follows the opcodes with a stack and a memo, as Python would, but that nothing is called.
class PickleMachine {
 public:
  PickleMachine(Pickle& out, Pieces& file, std::uint64_t at, std::uint64_t end) : out_(out), in_(file, at), end_(end) {}

  Pickle::Place run() {
    for (;;) {
      if (in_.position() > end_) refuse_file("The pickle ends before it says so.");
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
      case 0x80: in_.skip(1); return;  // the protocol
      case 0x95: in_.skip(8); return;  // a frame's length
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
        return add_global(module, line());
      }
      case 0x93: {
        const Place name = pop(), module = pop();
        return add_global(at(module).text, at(name).text);
      }
      case 'i': {
        const std::string_view module = line(), name = line();
        std::vector<Place> args = taken();
        add_global(module, name);
        return made(pop(), arguments(std::move(args)));
      }
      case 'o': {
        std::vector<Place> args = taken();
        if (args.empty()) broken();
        const Place of = args.front();
        args.erase(args.begin());
        return made(of, arguments(std::move(args)));
      }
      case 'R':
      case 0x81: {
        const Place args = pop(), of = pop();
        return made(of, args);
      }
      case 0x92: {
        pop();
        const Place args = pop(), of = pop();
        return made(of, args);
      }
      case 'b': return build();
      case 'p': return put(decimal(line()));
      case 'q': return put(in_.number(1));
      case 'r': return put(in_.number(4));
      case 0x94: return put(memo_.size());
      case 'g': return get(decimal(line()));
      case 'h': return get(in_.number(1));
      case 'j': return get(in_.number(4));
      case 'Q': return persistent(pop());
      case 'P':
        line();
        add_kind(Kind::other);
        return;
      default: refuse_file(concat({"The pickle has the opcode ", digits(op), ", which is not read here."}));
    }
  }

  // --- The stack ---

  [[nodiscard]] std::size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }
  Place top() const {
    if (stack_.size() <= floor()) broken();
    return stack_.back();
  }
  [[gnu::noinline]] Place pop() {
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
  /// What stands above the last mark.
  [[gnu::noinline]] std::vector<Place> taken() {
    if (marks_.empty()) broken();
    std::vector<Place> out(stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back()), stack_.end());
    stack_.resize(marks_.back());
    marks_.pop_back();
    return out;
  }

  // --- Values ---

  Value& at(Place place) { return out_.values_[place]; }
  [[gnu::noinline]] void add_kind(Kind kind) { add({kind}); }
  [[gnu::noinline]] void add(Value value) {
    if (out_.values_.size() >= most_values) refuse_file(concat({"The pickle holds more than ", grouped_digits(most_values), " values."}));
    out_.values_.push_back(std::move(value));
    push(static_cast<Place>(out_.values_.size() - 1));
  }
  [[gnu::noinline]] void add_integer(std::uint64_t number, bool negative = false) { add({Kind::integer, negative, number}); }
  void add_signed(unsigned length) {
    const std::uint64_t bits = in_.number(length), sign = std::uint64_t{1} << (8 * length - 1);
    (bits & sign) != 0 ? add_integer((sign << 1U) - bits, true) : add_integer(bits);
  }
  /// An integer of any length: one beyond 64 bits is none that a shape has.
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
    std::uint64_t out = 0;
    for (const char c : figures) {
      if (!is_digit(c) || out > most_values * 1'000'000'000) refuse_file("The pickle has a number that is none.");
      out = 10 * out + static_cast<std::uint64_t>(c - '0');
    }
    return out;
  }
  void add_decimal(std::string_view written) {
    if (written.ends_with('L')) written.remove_suffix(1);
    const bool negative = written.starts_with('-');
    if (negative) written.remove_prefix(1);
    constexpr std::size_t most = 15;
    if (written.size() > most) {
      add_kind(Kind::other);
      return;
    }
    add_integer(decimal(written), negative);
  }
  [[gnu::noinline]] void add_text(std::string_view text) { add({Kind::text, false, 0, text}); }
  static std::string_view unquoted(std::string_view text) {
    return text.size() > 1 && (text.front() == '\'' || text.front() == '"') ? text.substr(1, text.size() - 2) : text;
  }
  std::string_view text(std::uint64_t length) {
    if (length > most_bytes) refuse_file(concat({"The pickle holds a text of ", grouped_digits(length), " bytes."}));
    return in_.bytes(length);
  }
  [[gnu::noinline]] std::string_view line() {
    constexpr std::uint64_t most = 10'000;
    std::uint64_t length = 0;
    ByteReader ahead = in_;
    while (ahead.number(1) != '\n')
      if (++length > most) refuse_file("The pickle has a line without an end.");
    const std::string_view out = in_.bytes(length);
    in_.skip(1);
    return out;
  }
  [[gnu::noinline]] void add_items(Kind kind, std::vector<Place> items) { add({kind, false, 0, {}, std::move(items)}); }
  void add_last(std::size_t count) {
    std::vector<Place> items(count);
    for (std::size_t i = count; i-- > 0;) items[i] = pop();
    add_items(Kind::sequence, std::move(items));
  }
  Place arguments(std::vector<Place> items) {
    add_items(Kind::sequence, std::move(items));
    return pop();
  }
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
    if (place >= most_values) refuse_file("The pickle's memo is too large.");
    if (place >= memo_.size()) memo_.resize(static_cast<std::size_t>(place) + 1, nothing);
    memo_[static_cast<std::size_t>(place)] = top();
  }
  void get(std::uint64_t place) {
    if (place >= memo_.size() || memo_[static_cast<std::size_t>(place)] == nothing) broken();
    push(memo_[static_cast<std::size_t>(place)]);
  }

  // --- What would be called ---

  void add_global(std::string_view module, std::string_view name) {
    names_.emplace_back(concat({module, "\n", name}));
    if (names_.size() > most_globals) refuse_file("The pickle names too many functions and classes.");
    add({Kind::global, false, names_.size() - 1});
  }
  [[nodiscard]] std::string_view named(Place place) {
    const Value& value = at(place);
    return value.kind == Kind::global && value.number < names_.size() ? std::string_view(names_[static_cast<std::size_t>(value.number)])
                                                                      : std::string_view();
  }

  void made(Place of, Place args) {
    const std::string_view name = named(of);
    const std::string_view module = name.substr(0, name.find('\n')), own = last_of(name);
    const std::span<const Place> given = at(args).items;  // stays where it is when others are added
    if ((work_ += given.size()) > most_work) refuse_file("The pickle takes too much work.");
    const bool of_torch = module == "torch._utils" || module == "torch._tensor";
    if (own == "OrderedDict" || own == "defaultdict" || (own == "dict" && module.ends_with("in__"))) return add_pairs(given);
    if (module == "torch" && own == "Size" && given.size() == 1) return push(given.front());
    if (of_torch && own.starts_with("_rebuild_parameter") && !given.empty() && at(given.front()).kind == Kind::tensor)
      return push(given.front());
    if (of_torch && own == "_rebuild_from_type_v2" && given.size() >= 3) return made(given[0], given[2]);
    if (of_torch && (own == "_rebuild_tensor" || own == "_rebuild_tensor_v2" || own == "_rebuild_tensor_v3" || own == "_rebuild_qtensor") &&
        given.size() >= 4)
      return add_tensor(given, own == "_rebuild_tensor_v3" && given.size() > 6 ? dtype_named(given[6]) : Dtype{0});
    if (of_torch && own == "_rebuild_meta_tensor_no_storage" && given.size() >= 2) return add_bare(dtype_named(given[0]), given[1]);
    note_unknown(module, own);
    add_items(Kind::object, {of, args});
  }

  /// "module\nname" -> "name"
  static std::string_view last_of(std::string_view name) { return name.substr(std::min(name.find('\n') + 1, name.size())); }

  /// An ordered dict, as old files have it from a list of pairs.
  void add_pairs(std::span<const Place> args) {
    std::vector<Place> items;
    for (const Place arg : args) {
      if (at(arg).kind != Kind::sequence) continue;
      if ((work_ += at(arg).items.size()) > most_work) refuse_file("The pickle takes too much work.");
      for (const Place pair : at(arg).items)
        if (at(pair).kind == Kind::sequence && at(pair).items.size() == 2)
          items.insert(items.end(), at(pair).items.begin(), at(pair).items.end());
    }
    add_items(Kind::dict, std::move(items));
  }

  void build() {
    const Place state = pop();
    Value& of = at(top());
    if (of.kind == Kind::object) of.items.push_back(state);
  }

  void note_unknown(std::string_view module, std::string_view name) {
    constexpr std::size_t most = 20;
    const std::string_view package = module.substr(0, module.find('.'));
    if (std::find(std::begin(own_modules), std::end(own_modules), package) != std::end(own_modules)) return;
    std::string full = concat({module, module.empty() ? "" : ".", name.empty() ? "what has no name" : name});
    if (!is_utf8(full)) full = "what has no readable name";
    full = std::string(clipped(full, 100));
    if (out_.unknown_.size() < most && std::find(out_.unknown_.begin(), out_.unknown_.end(), full) == out_.unknown_.end())
      out_.unknown_.push_back(std::move(full));
  }

  [[nodiscard]] Dtype dtype_named(Place place) {
    const std::string_view name = named(place);
    return name.starts_with("torch\n") ? dtype_written(name.substr(6)) : Dtype{0};
  }

  std::vector<std::uint64_t> integers(Place place) {
    std::vector<std::uint64_t> out;
    for (const Place item : at(place).items) {
      if (at(item).kind != Kind::integer || at(item).negative) refuse_file("A tensor's shape is no list of sizes.");
      out.push_back(at(item).number);
      if (out.size() > most_rank) refuse_file("A tensor has more than 64 dimensions.");
    }
    return out;
  }

  void add_tensor(std::span<const Place> args, Dtype dtype) {
    const Value& storage = at(args[0]);
    if (storage.kind != Kind::storage || at(args[1]).kind != Kind::integer) {
      add_kind(Kind::other);
      return;
    }
    PickledTensor tensor;
    tensor.storage = static_cast<std::size_t>(storage.number);
    tensor.dtype = dtype != 0 ? dtype : out_.storages_[tensor.storage].dtype;
    tensor.offset = at(args[1]).number;
    tensor.shape = integers(args[2]);
    tensor.stride = integers(args[3]);
    keep(std::move(tensor));
  }
  void add_bare(Dtype dtype, Place shape) {
    PickledTensor tensor;
    tensor.dtype = dtype;
    tensor.shape = integers(shape);
    keep(std::move(tensor));
  }
  void keep(PickledTensor tensor) {
    out_.tensors_.push_back(std::move(tensor));
    add({Kind::tensor, false, out_.tensors_.size() - 1});
  }

  /// ("storage", its class, its key, where it was, how many numbers it has)
  void persistent(Place place) {
    const std::span<const Place> parts = at(place).items;
    // Old files have a module's class so, and its source.
    if (parts.size() > 1 && at(parts[0]).text == "module") return push(parts[1]);
    if (parts.size() < 5 || at(parts[0]).text != "storage" || at(parts[4]).kind != Kind::integer) {
      add_kind(Kind::other);
      return;
    }
    const std::string_view key = at(parts[2]).text;
    const std::size_t found =
        out_.storage_index_.find_or_add(hash_of(key), out_.storages_.size(), [&](std::size_t i) { return out_.storages_[i].key == key; });
    if (found == out_.storages_.size()) {
      const std::string_view own = last_of(named(parts[1]));
      PickledStorage storage{key, 0, at(parts[4]).number};
      for (const StorageType& type : storage_types)
        if (own == type.name) storage.dtype = dtype_spelled(type.dtype);
      out_.storages_.push_back(storage);
    }
    add({Kind::storage, false, found});
  }

  static constexpr Place nothing = ~Place{0};
  static constexpr std::size_t most_globals = 100'000;

  Pickle& out_;
  ByteReader in_;
  std::uint64_t end_;
  std::uint64_t work_ = 0;  // items that were looked through: a memo lets few bytes name many
  std::vector<Place> stack_;
  std::vector<std::size_t> marks_;
  std::vector<Place> memo_;
  std::vector<std::string> names_;
};

Pickle::Place Pickle::read(Pieces& file, std::uint64_t& at, std::uint64_t end) {
  PickleMachine machine(*this, file, at, end);
  const Place out = machine.run();
  at = machine.position();
  return out;
}

const Pickle::Value* Pickle::find(const Value& dict, std::string_view key) const {
  for (std::size_t i = 0; dict.kind == Kind::dict && i + 1 < dict.items.size(); i += 2)
    if (values_[dict.items[i]].kind == Kind::text && values_[dict.items[i]].text == key) return &values_[dict.items[i + 1]];
  return nullptr;
}

}  // namespace param_ledger
