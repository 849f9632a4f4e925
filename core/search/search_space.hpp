#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/config/edit.hpp"
#include "core/json/json.hpp"
#include "core/support/error.hpp"

namespace param_ledger {

/// Throws the Error that rejects a search request.
[[noreturn]] void refuse_search(std::string_view field, std::string message, ErrorCode code = ErrorCode::wrong_type);

/// The values of a field, ascending: a list, or a range with a step.
class Values {
 public:
  /// Throws Error naming `field` for an invalid range or list.
  Values(Json entry, std::string_view field);
  [[nodiscard]] std::size_t size() const { return size_; }
  std::uint64_t operator[](std::size_t place) const { return list_.empty() ? from_ + step_ * place : list_[place]; }
  /// The first position whose value is at least this one; `size()` if there is none.
  [[nodiscard]] std::size_t first_from(std::uint64_t value) const;

 private:
  std::vector<std::uint64_t> list_;
  std::uint64_t from_ = 0, step_ = 1;
  std::size_t size_ = 0;
};

/// A set of configurations: the fields that vary, the fields that are computed from them, and limits on ratios of fields.
struct Space {
  static constexpr std::size_t most_variables = 10;
  /// A configuration of the space: for each variable, the position of its value.
  using Point = std::array<std::uint32_t, most_variables>;

  struct Variable {
    std::string field;
    Values values;
  };
  /// A field that is computed from another: the other field times a ratio, rounded up to a multiple of `multiple`. If `multiple` is 0, the
  /// product must be a whole number.
  struct Tied {
    std::string field, of;
    std::uint64_t times, over, multiple;
  };
  static constexpr std::uint64_t no_most = ~std::uint64_t{0};
  /// Lower and upper limits for the ratio of two fields.
  struct Limit {
    std::string field, over;
    std::uint64_t least_times, least_over, most_times, most_over;

    [[nodiscard]] bool reached(std::uint64_t of, std::uint64_t by) const { return Count{of} * least_over >= Count{by} * least_times; }
    [[nodiscard]] bool exceeded(std::uint64_t of, std::uint64_t by) const {
      return most_times != no_most && Count{of} * most_over > Count{by} * most_times;
    }
  };

  /// Reads a request such as
  ///   {"vary": [{"field", "from", "to", "step"} or {"field", "values": […]}],
  ///    "tied": [{"field", "of", "times": "8/3", "multiple": 256}], "limits": [{"field", "over", "least": "64", "most": "256"}]}
  /// The names of nested fields are dotted. Throws Error for an invalid request. The configuration must outlive the space.
  Space(Json root, Json request);

  [[nodiscard]] std::size_t size() const { return variables.size(); }
  /// The text of the configuration at a point. Throws Error{overflow} if a tied field would be too large.
  [[nodiscard]] std::string config_of(const Point& point) const { return edited(config, edits(point)); }
  /// The values of the varying and tied fields at a point, as edits of the configuration.
  [[nodiscard]] std::vector<Edit> edits(const Point& point) const;
  /// Fills `values` with the values of all variables at a point.
  void fill(const Point& point, std::vector<std::uint64_t>& values) const;

  Json config;
  std::vector<Variable> variables;
  std::vector<Tied> tied;
  std::vector<Limit> limits;

 private:
  void read_variables(Json vary);
  void read_tied(Json list);
  void read_limits(Json list);
};

}  // namespace param_ledger
