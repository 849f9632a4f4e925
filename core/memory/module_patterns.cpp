#include "core/memory/module_patterns.hpp"

#include <algorithm>

#include "core/builder/row_names.hpp"
#include "core/memory/stored_rows.hpp"
#include "core/model/quantized_files.hpp"

namespace param_ledger {

class ModulePattern::Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  std::optional<ModulePattern> read() {
    ModulePattern out;
    if (rest_.starts_with('^')) rest_.remove_prefix(1);
    if (rest_.ends_with('$') && !rest_.ends_with("\\$")) {
      out.to_the_end_ = true;
      rest_.remove_suffix(1);
    }
    if (!sequence(out.sequence_, 0) || !rest_.empty()) return std::nullopt;
    return out;
  }

 private:
  /// Reads a sequence of items up to the end, a `|` or a `)`. Returns false if the expression uses unsupported syntax.
  bool sequence(Sequence& out, unsigned depth) {
    while (!rest_.empty() && rest_.front() != '|' && rest_.front() != ')') {
      Item item;
      if (!one(item, depth)) return false;
      if (!rest_.empty() && holds("*+?", rest_.substr(0, 1))) {
        item.repeats = rest_.front() != '?';
        item.optional = rest_.front() != '+';
        rest_.remove_prefix(1);
      }
      out.push_back(std::move(item));
    }
    return true;
  }

  bool one(Item& item, unsigned depth) {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    if (c == '(') return group(item, depth + 1);
    if (c == '.') {
      item.kind = Item::any;
      return true;
    }
    if (c == '\\') return escaped(item);
    item.letter = c;
    return in_word(c) || c == '-' || c == '/';
  }

  bool escaped(Item& item) {
    if (rest_.empty()) return false;
    item.letter = rest_.front();
    rest_.remove_prefix(1);
    if (item.letter == 'd') item.kind = Item::digit;
    return item.kind == Item::digit || !(is_letter(item.letter) || is_digit(item.letter));
  }

  bool group(Item& item, unsigned depth) {
    constexpr unsigned deepest = 8;
    item.kind = Item::group;
    if (rest_.starts_with("?:")) rest_.remove_prefix(2);
    if (depth > deepest) return false;
    for (;;) {
      if (!sequence(item.alternatives.emplace_back(), depth) || rest_.empty()) return false;
      const char end = rest_.front();
      rest_.remove_prefix(1);
      if (end == ')') return true;
    }
  }

  std::string_view rest_;
};

std::optional<ModulePattern> ModulePattern::read(std::string_view expression) {
  constexpr std::size_t longest = 500;
  return expression.size() > longest ? std::nullopt : Reader(expression).read();
}

ModulePattern::Positions ModulePattern::after(const Item& item, const Positions& from, std::string_view name) {
  const auto once = [&](const Positions& begin) {
    Positions out(begin.size());
    if (item.kind == Item::group) {
      for (const Sequence& alternative : item.alternatives) {
        const Positions end = after(alternative, begin, name);
        for (std::size_t i = 0; i < end.size(); ++i) out[i] = out[i] || end[i];
      }
      return out;
    }
    for (std::size_t i = 0; i < name.size(); ++i)
      out[i + 1] = begin[i] && (item.kind == Item::any || (item.kind == Item::digit ? is_digit(name[i]) : name[i] == item.letter));
    return out;
  };
  Positions out = item.optional ? from : Positions(from.size());
  for (Positions now = once(from);;) {
    bool more = false;
    for (std::size_t i = 0; i < now.size(); ++i) {
      more = more || (now[i] && !out[i]);
      out[i] = out[i] || now[i];
    }
    if (!item.repeats || !more) return out;
    now = once(now);
  }
}

ModulePattern::Positions ModulePattern::after(const Sequence& sequence, Positions from, std::string_view name) {
  for (const Item& item : sequence) from = after(item, from, name);
  return from;
}

bool ModulePattern::matches(std::string_view name) const {
  Positions begin(name.size() + 1);
  begin.front() = true;
  const Positions end = after(sequence_, begin, name);
  return to_the_end_ ? end.back() : std::find(end.begin(), end.end(), true) != end.end();
}

bool ModulePattern::begins_anywhere() const {
  return !sequence_.empty() && sequence_.front().kind == Item::any && sequence_.front().repeats && sequence_.front().optional;
}

namespace {

/// The name with every index or range of indices replaced by a single index: `first` for the outermost one, `other` for all others.
std::string with_indices(std::string_view name, std::string_view first, std::string_view other) {
  std::string out;
  std::size_t done = 0, n = 0;
  any_index(name, [&](std::string_view before, std::string_view word) {
    out += concat({name.substr(done, before.size() + 1 - done), n++ == 0 ? first : other});
    done = before.size() + 1 + word.size();
    return false;
  });
  return out + std::string(name.substr(done));
}

/// The names of the modules that a row stands for. For a stacked tensor, these are the linear layers of one expert.
std::vector<std::string> modules_of(const Row& row, std::string_view first, std::string_view other) {
  const std::string name = with_indices(without_weight(row.name), first, other);
  if (row.shape.size() != 3) return {name};
  const std::string expert = concat({module_of(name), ".", other, "."});
  if (name.ends_with("gate_up_proj")) return {expert + "gate_proj", expert + "up_proj"};
  return {expert + name.substr(name.rfind('.') + 1)};
}

/// A list of module names in the configuration: `ignore` or `targets`.
class Names {
 public:
  explicit Names(Json list) {
    for (const auto& [_, entry] : list.members()) {
      if (!entry.is(Json::Type::string)) continue;
      const std::string_view text = entry.string();
      given_ = true;
      if (text == "Linear") {
        linear_ = true;
      } else if (!text.starts_with("re:")) {
        literal_ = true;
      } else if (std::optional<ModulePattern> pattern = ModulePattern::read(text.substr(3))) {
        digits_ = digits_ || std::any_of(text.begin(), text.end(), is_digit);
        patterns_.emplace_back(*std::move(pattern), false);
      } else {
        unread_ = std::string(clipped(text, 60));
      }
    }
  }

  [[nodiscard]] bool given() const { return given_; }
  [[nodiscard]] bool linear() const { return linear_; }
  [[nodiscard]] bool literal() const { return literal_; }
  [[nodiscard]] bool patterns() const { return !patterns_.empty(); }
  /// Whether a pattern contains a digit, and so may distinguish indices with equally many digits.
  [[nodiscard]] bool digits() const { return digits_; }
  [[nodiscard]] const std::string& unread() const { return unread_; }

  bool match(std::string_view module) {
    bool out = false;
    for (auto& [pattern, matched] : patterns_)
      if (pattern.matches(module)) out = matched = true;
    return out;
  }

  /// Whether a pattern that does not begin with `.*` matched nothing. The names in the files may then have another prefix.
  [[nodiscard]] bool misses() const {
    return std::any_of(patterns_.begin(), patterns_.end(), [](const auto& p) { return !p.second && !p.first.begins_anywhere(); });
  }

 private:
  std::vector<std::pair<ModulePattern, bool>> patterns_;
  std::string unread_;
  bool given_ = false, linear_ = false, literal_ = false, digits_ = false;
};

/// Counts the copies of rows that patterns select.
class Selection {
 public:
  explicit Selection(Names names) : names_(std::move(names)) {}

  Names& names() { return names_; }

  /// How many of the row's copies match. Empty if `matches` gives no answer, or if a pattern may distinguish more than 2,000 layers, or
  /// experts in a layer.
  std::optional<Count> of(const Row& row) {
    const Count all = copies_of(row);
    const Repeated name = repeated(row);
    constexpr Count most = 2000;
    const std::vector<Run> runs = name ? name.runs() : std::vector<Run>{{0, 0}};
    const Count outer = size_of(runs);
    inner_ = row.shape.size() == 3 ? row.shape[0].peek() : all / std::max<Count>(1, outer);
    if (names_.digits() && std::max(outer, inner_) > most) return std::nullopt;
    Count matched = 0;
    for (const Run& run : runs)
      for (Count i = run.first, next = 0; i <= run.last; i = next) {
        next = std::min<Count>(next_distinct(i), Count{run.last} + 1);
        const std::optional<bool> match = matches(row, digits(i));
        if (!match) return std::nullopt;
        if (*match) matched = add(matched, next - i);
      }
    return outer == 0 ? 0 : multiply(all / outer, matched);
  }

 private:
  /// The next index that the patterns may distinguish from index `i`. Without a digit in any pattern, it is the next one with more digits.
  [[nodiscard]] Count next_distinct(Count i) const {
    if (names_.digits()) return i + 1;
    Count out = 10;
    while (out <= i) out *= 10;
    return out;
  }

  /// Whether the row matches at one outermost index. Empty if this differs between inner indices, or between the linear layers of a fused
  /// expert.
  std::optional<bool> matches(const Row& row, std::string_view index) {
    std::optional<bool> out;
    for (Count i = 0; i < std::max<Count>(1, inner_); i = next_distinct(i))
      for (const std::string& module : modules_of(row, index, digits(i))) {
        const bool match = names_.match(module);
        if (out && *out != match) return std::nullopt;
        out = match;
      }
    return out;
  }

  Names names_;
  Count inner_ = 1;  ///< for the current row, the number of inner indices in each layer
};

}  // namespace

ConvertedCopies converted_by_patterns(Json quantization, const std::vector<Row>& rows) {
  ConvertedCopies out{converted_copies(quantization, rows), {}};
  std::vector<Count>& copies = out.copies;
  const auto refuse = [&](std::string why) {
    out.unknown = std::move(why);
    return out;
  };
  Json targets;
  for (const auto& [_, group] : quantization["config_groups"].members()) targets = group["targets"];
  Selection kept{Names(quantization["ignore"])}, chosen{Names(targets)};
  for (const Names* const names : {&kept.names(), &chosen.names()})
    if (!names->unread().empty()) return refuse(concat({"Which modules \"", names->unread(), "\" matches is not known."}));
  const bool by_target = chosen.names().given() && !chosen.names().linear();
  if (by_target && chosen.names().literal()) return refuse("Which modules `targets` names is not known.");
  if (!by_target && !kept.names().patterns()) return out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    const Count all = copies_of(row);
    const std::optional<Count> left_out = kept.of(row), wanted = by_target ? chosen.of(row) : all;
    // If several lists each select only some of the copies, their overlap is not known.
    const bool some = left_out && wanted &&
                      ((*left_out != 0 && *left_out != all) + (*wanted != 0 && *wanted != all) + (copies[i] != 0 && copies[i] != all)) > 1;
    if (!in_few_bits(row) && !row.in_text(Part::router)) continue;
    if (!left_out || !wanted || some) return refuse(concat({"How many of ", row.name, " are converted is not known."}));
    copies[i] = std::min({copies[i], all - *left_out, *wanted});
  }
  if (kept.names().misses() || chosen.names().misses())
    return refuse("A pattern of `ignore` or `targets` matches no module of this model.");
  return out;
}

}  // namespace param_ledger
