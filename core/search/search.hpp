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
/// This is a branch-and-bound search. One configuration is recorded: its closed formula and the conditions under which the formula is valid
/// (recording.hpp). Interval bounds of the formula over a box of the space exclude boxes that are further from the target than the results
/// so far. Along a field in which the formula is linear, the nearest configurations are computed directly. Where the formula is not valid,
/// another configuration is recorded. Every result is counted as an ordinary model before it is kept.
///
/// When the search is done, every acceptable configuration of the space that is nearer than the last result is among the results, unless a
/// count differed from its formula. The answer's member `exact` is true if the search is done and no count differed.
class Search {
 public:
  /// The request describes a space (search_space.hpp) and contains {"target": "405B", "total": "parameters" or "active", "most": 20,
  /// "uneven": false}. Throws Error for an invalid configuration or request.
  Search(std::string config_text, Json request);

  /// Continues the search for about this many evaluations of a formula. A full count of a model counts as a hundred evaluations.
  void run(std::uint64_t evaluations);
  [[nodiscard]] bool done() const { return boxes_.empty(); }

  /// The progress and the results: SearchAnswer in web/types/search.ts. Throws Error if the search is done without results, because every
  /// configuration was refused or has heads that do not divide evenly.
  [[nodiscard]] std::string answer() const;

 private:
  using Point = Space::Point;
  struct Box {
    Point low{}, high{};
    std::shared_ptr<const Recording> recording = nullptr;  ///< null: a configuration of this box must be recorded first
    bool settled = false;                                  ///< the recording is valid in the whole box
  };
  struct Found {
    Point point;
    Count value, distance;
  };

  void take(Box box);
  void record(Box box);
  /// A point of the box that meets the conditions that the refused recording demands; none if none is found.
  [[nodiscard]] std::optional<Point> find_like(const Box& box, const Recording& refused);
  /// Bounds of each step on a recording's tape. Valid until the next call that computes bounds or values.
  struct Bounds {
    std::span<const Tape::Value> low, high;
  };
  enum class Outcome : std::uint8_t { same, other, refused, open };
  /// Whether the recording is valid in the whole box. If this is undecided, `depends_on` contains the fields on which it depends.
  struct BoxOutcome {
    Outcome outcome;
    VariableSet depends_on = 0;
  };
  [[nodiscard]] static BoxOutcome outcome_of(const Recording& recording, const Bounds& bounds);
  /// Whether the box may contain an acceptable configuration that is near enough to the target.
  [[nodiscard]] bool may_hold_nearer(const Recording& recording, const Bounds& bounds);
  /// Halves the box along the widest of the fields in `among`, or along the widest of all fields if none of those in `among` varies.
  void halve(const Box& box, const Bounds& bounds, VariableSet among);
  void take_line(Box whole);
  /// The part of the line that meets the demands and limits; none if it is empty.
  [[nodiscard]] std::optional<Box> narrowed(Box line);
  /// Shortens the line to the part where `fits` is true. Returns false if there is none. `fits` must be true from some value on, or up to
  /// some value.
  template <class Fits>
  [[nodiscard]] bool cut(Box& line, const Fits& fits);
  void go_outwards(const Box& line, std::uint64_t at_low, std::uint64_t at_high);
  [[nodiscard]] Bounds bound(const Box& box);
  /// The values of the recording's steps at a point. Valid until the next call that computes bounds or values.
  [[nodiscard]] std::span<const Tape::Value> evaluate(const Recording& recording, const Point& point);
  /// Counts the model at a point where the formula gives this value, unless that is too far from the target. Keeps the point if it is among
  /// the nearest.
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

  std::vector<Box> boxes_;  ///< the boxes that remain to be searched, as a stack
  std::vector<Found> found_;
  Count points_ = 1;
  std::uint64_t evaluations_ = 0, counted_ = 0, refused_ = 0, mistaken_ = 0, random_ = 1;
  VariableSet looked_at_ = 0;
  bool models_ = false;      ///< whether any configuration could be counted
  bool left_aside_ = false;  ///< whether configurations were skipped because of an inexact division
  std::string refusal_;
  std::vector<Tape::Value> least_, most_values_, low_, high_;  ///< storage for the arguments and results of `bound` and `evaluate`
};

}  // namespace param_ledger
