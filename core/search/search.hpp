#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/json/json_text.hpp"
#include "core/search/recording.hpp"
#include "core/search/search_space.hpp"

namespace param_ledger {

/// The configurations nearest to a number of parameters, over a space of fields that vary.
///
/// One configuration is recorded: its closed formula, and what that depends on beside its fields (recording.hpp). The formula is bounded
/// over boxes of the space: all of it is monotone or an interval, so that a box whose bounds are further away than what was found already
/// is left aside as a whole. Along one field in which the formula is linear the nearest configurations follow from two evaluations. Where
/// the formula does not hold another configuration is recorded; what is found is counted as any model is before it is kept.
///
/// Exact once it is done: no configuration of the space is nearer than the last that is given, but for those as near.
class Search {
 public:
  /// A space (search_space.hpp) with {"target": "405B", "total": "parameters" or "active", "most": 20, "uneven": false}. Throws Error for
  /// what makes no space.
  Search(std::string config_text, Json request);

  /// Goes on for about so many evaluations of a formula; a count is worth a hundred.
  void run(std::uint64_t evaluations);
  [[nodiscard]] bool done() const { return boxes_.empty(); }

  /// How far it is and what was found; SearchAnswer in web/lib/types.ts. Throws Error where all that there is was refused.
  [[nodiscard]] std::string answer() const;

 private:
  using Point = Space::Point;
  struct Box {
    Point low{}, high{};
    std::shared_ptr<const Recording> recording = nullptr;  ///< none: nothing is known of it
    bool settled = false;                                  ///< all of it goes the way that was recorded
  };
  struct Found {
    Point point;
    Count value, distance;
  };

  void take(Box box);
  void record(Box box);
  /// A point of the box that meets the demands by which another was refused, where one turns up.
  [[nodiscard]] std::optional<Point> find_like(const Box& box, const Recording& refused);
  /// Bounds of each step of a recording's tape. Valid until the next bounds or values.
  struct Bounds {
    std::span<const Tape::Value> low, high;
  };
  enum class Outcome : std::uint8_t { same, other, refused, open };
  /// Whether all of a box comes out as it was recorded; where that is open, the fields on which it depends.
  struct BoxOutcome {
    Outcome outcome;
    VariableSet depends_on = 0;
  };
  [[nodiscard]] static BoxOutcome outcome_of(const Recording& recording, const Bounds& bounds);
  /// Whether a configuration of the box may be wanted and near enough.
  [[nodiscard]] bool may_hold_nearer(const Recording& recording, const Bounds& bounds);
  /// Halves the box along the widest of these fields, or of all fields.
  void halve(const Box& box, const Bounds& bounds, VariableSet among);
  void take_line(Box whole);
  /// The part of the line that the demands and limits allow; none where that is empty.
  [[nodiscard]] std::optional<Box> narrowed(Box line);
  /// The part of the line on which `fits` holds, which it does from some value on, or up to one.
  template <class Fits>
  [[nodiscard]] bool cut(Box& line, const Fits& fits);
  void go_outwards(const Box& line, std::uint64_t at_low, std::uint64_t at_high);
  [[nodiscard]] Bounds bound(const Box& box);
  /// The values of the recording's steps at a point. Valid until the next bounds or values.
  [[nodiscard]] std::span<const Tape::Value> evaluate(const Recording& recording, const Point& point);
  /// Counts a point, which the formula says to have so many parameters, and keeps it where it is among the nearest.
  void offer(const Point& point, std::uint64_t value);
  void keep(const Point& point, Count total);
  void push(Box box) { boxes_.push_back(std::move(box)); }

  [[nodiscard]] Count distance(Count value) const { return value < target_ ? target_ - value : value - target_; }
  [[nodiscard]] bool hopeless(Count distance) const { return found_.size() == most_ && distance >= found_.back().distance; }
  /// How many configurations it has.
  [[nodiscard]] Count volume(const Box& box) const;
  [[nodiscard]] std::uint64_t work() const { return evaluations_ + count_cost * counted_; }

  static constexpr std::uint64_t count_cost = 100;

  std::string config_text_;
  Document config_;
  Space space_;
  Sought wanted_;
  std::uint64_t target_ = 0;
  std::size_t most_ = 20;

  std::vector<Box> boxes_;  ///< what is left, the next one last
  std::vector<Found> found_;
  Count points_ = 1;
  std::uint64_t evaluations_ = 0, counted_ = 0, refused_ = 0, mistaken_ = 0, random_ = 1;
  VariableSet looked_at_ = 0;
  bool models_ = false;      ///< some configuration could be counted
  bool left_aside_ = false;  ///< some for a division that does not come out
  std::string refusal_;
  std::vector<Tape::Value> least_, most_values_, low_, high_;  ///< room for `bound` and `evaluate`, which return what is in it
};

}  // namespace param_ledger
