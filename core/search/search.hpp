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

/// Finds the configurations nearest to a number of parameters in a space of varying fields.
///
/// A branch-and-bound search. One configuration is recorded: its closed formula and the conditions under which it holds (recording.hpp).
/// Interval bounds of the formula over a box of the space exclude boxes that are further away than the results so far. Along a field in
/// which the formula is linear, two evaluations give the nearest configurations. Where the formula's conditions do not hold, another
/// configuration is recorded. Every result is counted as an ordinary model before it is kept.
///
/// Exact when done: every configuration of the space that is nearer than the last result is among the results.
class Search {
 public:
  /// The request describes a space (search_space.hpp) and contains {"target": "405B", "total": "parameters" or "active", "most": 20,
  /// "uneven": false}. Throws Error for an invalid request.
  Search(std::string config_text, Json request);

  /// Continues for about this many evaluations of a formula; a full count of a model is reckoned as a hundred of them.
  void run(std::uint64_t evaluations);
  [[nodiscard]] bool done() const { return boxes_.empty(); }

  /// The progress and the results: SearchAnswer in web/types/search.ts. Throws Error if every configuration was refused.
  [[nodiscard]] std::string answer() const;

 private:
  using Point = Space::Point;
  struct Box {
    Point low{}, high{};
    std::shared_ptr<const Recording> recording = nullptr;  ///< null: nothing was recorded in this box
    bool settled = false;                                  ///< the recording is valid in the whole box
  };
  struct Found {
    Point point;
    Count value, distance;
  };

  void take(Box box);
  void record(Box box);
  /// A point of the box that meets the demands of a refused recording, if one is found.
  [[nodiscard]] std::optional<Point> find_like(const Box& box, const Recording& refused);
  /// Bounds of each step of a recording's tape. Valid until the next call that computes bounds or values.
  struct Bounds {
    std::span<const Tape::Value> low, high;
  };
  enum class Outcome : std::uint8_t { same, other, refused, open };
  /// Whether the recording is valid in the whole box. If this is open, `depends_on` contains the fields that decide it.
  struct BoxOutcome {
    Outcome outcome;
    VariableSet depends_on = 0;
  };
  [[nodiscard]] static BoxOutcome outcome_of(const Recording& recording, const Bounds& bounds);
  /// Whether the box may contain an accepted configuration that is near enough.
  [[nodiscard]] bool may_hold_nearer(const Recording& recording, const Bounds& bounds);
  /// Halves the box along the widest of the fields in `among`, or along the widest of all fields if none of these varies in the box.
  void halve(const Box& box, const Bounds& bounds, VariableSet among);
  void take_line(Box whole);
  /// The part of the line within the demands and limits; none if it is empty.
  [[nodiscard]] std::optional<Box> narrowed(Box line);
  /// Cuts the line down to the part where `fits` holds. Returns false if there is none. `fits` must hold from some value on, or up to some
  /// value.
  template <class Fits>
  [[nodiscard]] bool cut(Box& line, const Fits& fits);
  void go_outwards(const Box& line, std::uint64_t at_low, std::uint64_t at_high);
  [[nodiscard]] Bounds bound(const Box& box);
  /// The values of the recording's steps at a point. Valid until the next call that computes bounds or values.
  [[nodiscard]] std::span<const Tape::Value> evaluate(const Recording& recording, const Point& point);
  /// Counts a point with the given value of the formula, and keeps it if it is among the nearest.
  void offer(const Point& point, std::uint64_t value);
  void keep(const Point& point, Count total);
  void push(Box box) { boxes_.push_back(std::move(box)); }

  [[nodiscard]] Count distance(Count value) const { return value < target_ ? target_ - value : value - target_; }
  [[nodiscard]] bool hopeless(Count distance) const { return found_.size() == most_ && distance >= found_.back().distance; }
  /// The number of configurations in a box.
  [[nodiscard]] Count volume(const Box& box) const;
  [[nodiscard]] std::uint64_t work() const { return evaluations_ + count_cost * counted_; }

  static constexpr std::uint64_t count_cost = 100;

  std::string config_text_;
  Document config_;
  Space space_;
  Sought wanted_;
  std::uint64_t target_ = 0;
  std::size_t most_ = 20;

  std::vector<Box> boxes_;  ///< a stack of boxes to search
  std::vector<Found> found_;
  Count points_ = 1;
  std::uint64_t evaluations_ = 0, counted_ = 0, refused_ = 0, mistaken_ = 0, random_ = 1;
  VariableSet looked_at_ = 0;
  bool models_ = false;      ///< some configuration could be counted
  bool left_aside_ = false;  ///< some configurations were skipped because of an inexact division
  std::string refusal_;
  std::vector<Tape::Value> least_, most_values_, low_, high_;  ///< storage that the results of `bound` and `evaluate` point into
};

}  // namespace param_ledger
