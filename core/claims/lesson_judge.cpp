#include "core/claims/lesson_judge.hpp"

#include <algorithm>
#include <optional>

#include "core/claims/conventions.hpp"
#include "core/claims/slips.hpp"
#include "core/support/attempt.hpp"
#include "core/support/characters.hpp"
#include "core/support/quantity.hpp"

namespace param_ledger {

namespace {

constexpr std::string_view answer_field = "answer";

/// Replaces an x between two digits by a multiplication sign: `4096 x 4096` becomes `4096 * 4096`.
std::string with_signs(std::string_view text) {
  std::string out(text);
  for (std::size_t i = 1; i < out.size(); ++i) {
    if (out[i] != 'x' && out[i] != 'X') continue;
    const std::size_t before = out.find_last_not_of(' ', i - 1), after = out.find_first_not_of(' ', i + 1);
    if (before != std::string::npos && after != std::string::npos && is_digit(out[before]) && is_digit(out[after])) out[i] = '*';
  }
  return out;
}

Quantity exactly(Count value) {
  Quantity out;
  out.value = out.low = out.high = value;
  out.figures = digits(value);
  out.text = english_digits(value);
  out.digits = static_cast<unsigned>(out.figures.size());
  return out;
}

[[noreturn]] void not_read(std::string_view answer) {
  throw Error{ErrorCode::wrong_type, std::string(answer_field),
              concat({"“", clipped(answer, 40), "” cannot be read as a number. Write it as 16,777,216, 16.8M, 2^24 or 4096*4096."})};
}

/// Reads an answer: a number, or an expression with a whole value.
Quantity read(std::string_view answer, const std::vector<Binding>& names) {
  Quantity out;
  if (!attempt([&] { out = read_quantity(answer, answer_field); })) {
    if (out.bytes) throw Error{ErrorCode::wrong_type, std::string(answer_field), "This is a number of bytes. The answer has no unit."};
    return out;
  }
  Fraction value;
  if (attempt([&] { value = Arithmetic(with_signs(answer), answer_field).value(names); })) not_read(answer);
  if (!value.whole()) throw Error{ErrorCode::wrong_type, std::string(answer_field), "This is not a whole number, so it cannot be a count."};
  return exactly(value.above);
}

bool stands_for(const Quantity& written, Count value) { return within(written, value) || cut_off(written, value); }

/// A rounded number with fewer digits could mean too many different numbers.
constexpr unsigned least_digits = 3;

bool is_precise(const Quantity& written) { return written.exact() ? written.value > 1 : written.digits >= least_digits; }

std::optional<Judgement> by_convention(const Quantity& written, const NumberQuestion& q) {
  if (q.subset.names.empty()) return {};
  const Conventions conventions(q.config, q.subset);
  const Conventions::Found found = conventions.explain(written);
  if (found.agreeing.empty() || found.agreeing.front().taken.empty() || !within(written, found.agreeing.front().sum)) return {};
  return Judgement{"convention", concat({"This is the number ", conditions_text(found.agreeing.front()), ". The model has ",
                                         grouped_digits(q.right), "."})};
}

/// A tensor's name after its last index range: `self_attn.q_proj.weight` for `model.layers.[0-31].self_attn.q_proj.weight`. The whole name
/// if it has none.
std::string_view short_name(std::string_view name) {
  const std::size_t last = name.rfind(']');
  if (last != std::string_view::npos && last + 2 < name.size()) return name.substr(last + 2);
  return name;
}

std::optional<Judgement> as_other_tensors(const Quantity& written, const NumberQuestion& q) {
  for (const bool one : {true, false})
    for (const Row& row : q.model.builder.rows()) {
      if (row.kind != Kind::parameter) continue;
      const Count value = one ? row.elements.peek() : row.total.peek();
      if (value == q.right || !within(written, value)) continue;
      return Judgement{"wrong",
                       concat({"This is the size of ", one ? "one " : "all ", short_name(row.name), ", which is not what was asked."})};
    }
  return {};
}

std::string list_of(const std::vector<std::string_view>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) out += concat({i == 0 ? "" : i + 1 == names.size() ? " and " : ", ", names[i]});
  return out;
}

/// Diagnoses an answer that is too small or too large by a factor that is the value of one of the model's fields.
std::optional<Judgement> by_factor(const Quantity& written, const NumberQuestion& q) {
  for (const Field& field : q.model.configuration.fields) {
    if (!field.number) continue;
    const Count factor = field.number.peek();
    if (factor < 2) continue;
    const bool too_small = q.right % factor == 0 && within(written, q.right / factor);
    if (!too_small && !(q.right < ~Count{0} / factor && within(written, q.right * factor))) continue;
    std::vector<std::string_view> named;
    for (const Field& other : q.model.configuration.fields)
      if (other.number && other.number.peek() == factor && named.size() < 3) named.push_back(other.number.name().name);
    return Judgement{"wrong", concat({"This is ", grouped_digits(factor), " times too ", too_small ? "small" : "large", ". In this model ",
                                      list_of(named), named.size() == 1 ? " is " : " are ", grouped_digits(factor), "."})};
  }
  return {};
}

std::string distance(const Quantity& written, Count right) {
  const bool above = written.value > right;
  const Count off = above ? written.value - right : right - written.value;
  return concat({"This is too ", above ? "large" : "small", " by ", grouped_digits(off), "."});
}

}  // namespace

Count whole_number(std::string_view answer, const std::vector<Binding>& names) { return read(answer, names).value; }

Judgement judge_number(std::string_view answer, const NumberQuestion& q) {
  Quantity written;
  if (const std::optional<Error> error = attempt([&] { written = read(answer, q.names); })) return {"unreadable", error->message};
  if (within(written, q.right)) {
    if (written.exact() || written.digits > 1 || q.right < 10) return {"right"};
    return {"unreadable", "One digit could stand for too many numbers. Write at least two digits."};
  }
  if (cut_off(written, q.right)) return {"right", concat({"Cut off instead of rounded: it is ", grouped_digits(q.right), "."})};
  for (const NumberQuestion::Wrong& wrong : q.wrong)
    if (wrong.value != q.right && stands_for(written, wrong.value)) return {"wrong", wrong.says};
  if (is_precise(written)) {
    if (std::optional<Judgement> found = by_convention(written, q)) return *found;
    if (std::optional<Judgement> found = as_other_tensors(written, q)) return *found;
    if (std::optional<Judgement> found = by_factor(written, q)) return *found;
  }
  if (const std::string unit = right_unit(written, q.right); !unit.empty())
    return {"unit", concat({"The unit is wrong: it is ", unit, ", not ", written.text, "."})};
  const Slip slip = slip_of(q.expression, written, q.right, q.names);
  return {"wrong", slip.kind.empty() ? distance(written, q.right) : slip.sentence};
}

}  // namespace param_ledger
