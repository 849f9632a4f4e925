#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/edit.hpp"
#include "core/json.hpp"
#include "core/json_text.hpp"
#include "core/model.hpp"
#include "core/tape.hpp"

namespace param_ledger {

/// The configurations nearest to a number of parameters, over a space of fields that vary.
///
/// The closed formula is recorded once and bounded over boxes of the space: all of it is monotone or an interval, so a box whose bounds
/// are further away than what was found already is left aside as a whole. Along one field in which the formula is linear the nearest
/// points follow from two evaluations. What is found is counted as any model is before it is kept: shapes that are refused are none,
/// and a formula that was not closed would show. Fields over which the formula is not closed (layers of several kinds, say) are
/// gone through value by value, with a formula for each.
///
/// Exact: no configuration of the space is nearer than the last that is given, but for those as near. Shapes that the family refuses
/// (heads that do not share the width out, where it demands that) are none of the space; other divisions round as the family rounds.
class Search {
 public:
  /// {"config": {…}, "target": "405B", "vary": [{"field", "from", "to", "step"} or {"field", "values": […]}],
  ///  "tied": [{"field", "of", "times": "8/3", "multiple": 256}], "limits": [{"field", "over", "least": "64", "most": "256"}],
  ///  "total": "parameters" or "active", "most": 20}. Fields are dotted where nested. A tied field is the other times the ratio, rounded up
  /// to the multiple; without one it must come out even. Throws Error for what makes no space.
  explicit Search(std::string request);
  ~Search();

  /// Goes on for about so many evaluations.
  void run(std::uint64_t evaluations);
  [[nodiscard]] bool done() const { return done_; }

  /// How far it is and what was found; Search in web/lib/types.ts.
  [[nodiscard]] std::string answer() const;

 private:
  struct Variable {
    std::string field;
    std::vector<std::uint64_t> values;  ///< rising
    bool sliced = false;                ///< gone through value by value
  };
  struct Tied {
    std::string field, of;
    std::uint64_t times, over, multiple;  ///< multiple 0: must come out even
  };
  struct Limit {
    std::string field, over;
    std::uint64_t least_times, least_over, most_times, most_over;
  };
  static constexpr std::size_t most_variables = 10;
  using Point = std::array<std::uint32_t, most_variables>;  ///< places among the values
  struct Box {
    Point low{}, high{};
  };
  struct Found {
    Point point;
    std::uint64_t value, distance;
  };
  /// The formula while the sliced fields hold still.
  struct Slice;

  void read_variables(Json vary);
  void read_tied(Json tied);
  void read_limits(Json limits);
  [[nodiscard]] std::vector<Edit> edits(const Point& point) const;
  /// The total of a point's own count; none where it is no model.
  [[nodiscard]] bool count(const Point& point, std::uint64_t& total);
  [[nodiscard]] std::unique_ptr<Slice> slice_at(const Point& point);
  [[nodiscard]] Point first_model();
  void find_sliced(const Point& model);
  [[nodiscard]] Point random_point();
  bool next_slice();
  void take(const Box& box);
  void take_line(const Box& box);
  void offer(const Point& point, std::uint64_t value);
  [[nodiscard]] std::uint64_t distance(std::uint64_t value) const { return value < target_ ? target_ - value : value - target_; }
  [[nodiscard]] bool hopeless(std::uint64_t distance) const { return found_.size() == most_ && distance >= found_.back().distance; }
  [[nodiscard]] double volume(const Box& box) const;
  void fill(const Point& point, std::vector<std::uint64_t>& values) const;

  std::string request_text_;
  std::unique_ptr<Document> request_;
  Json config_;
  bool active_ = false;
  std::uint64_t target_ = 0;
  std::size_t most_ = 20;
  std::vector<Variable> variables_;
  std::vector<Tied> tied_;
  std::vector<Limit> limits_;

  std::unique_ptr<Slice> slice_;
  Point slice_point_{}, model_{};  ///< `model_`: a point that could be counted
  std::vector<Box> boxes_;
  std::vector<Found> found_;
  std::uint64_t evaluations_ = 0, counted_ = 0, refused_ = 0, mistaken_ = 0, random_ = 1;
  double points_ = 1, passed_ = 0;
  bool done_ = false, given_up_ = false, unseen_ = false;  ///< `unseen_`: a slice without a model at hand
  std::string last_refusal_;
  std::vector<std::uint64_t> low_, high_;
};

}  // namespace param_ledger
