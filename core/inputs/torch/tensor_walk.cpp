// Source: torch/nn/modules/module.py (the state of a module), torch/optim/optimizer.py (the state of an optimizer), CPython's
// object.__reduce_ex__.

#include "core/inputs/torch/tensor_walk.hpp"

#include <algorithm>
#include <array>

#include "core/inputs/tensors/listed_row.hpp"
#include "core/json/json_text.hpp"
#include "core/json/value_text.hpp"
#include "core/support/error.hpp"
#include "core/support/parse.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

using Kind = Pickle::Kind;
using Place = Pickle::Place;
using Value = Pickle::Value;

/// Keys under which checkpoints store the model next to other contents, such as the optimizer's state. The first match is used.
constexpr std::string_view model_keys[] = {"state_dict", "model_state_dict", "model", "module", "net", "network", "weights", "params"};

/// Words in the names of training metrics and of other numbers that are often stored next to a model.
constexpr std::string_view metric_words[] = {"loss",  "step", "epoch", "iter",       "metric", "accuracy",
                                             "score", "best", "seed",  "perplexity", "decay"};
constexpr std::string_view generator_words[] = {"rng", "random_state", "generator_state"};
constexpr std::string_view optimizer_words[] = {"optim", "scheduler"};

template <class Words>
bool holds_any(std::string_view text, const Words& words) {
  return std::any_of(std::begin(words), std::end(words), [&](std::string_view word) { return holds(text, word); });
}

class Walk {
 public:
  explicit Walk(const Pickle& pickle) : pickle_(pickle), states_(pickle.size()), reached_(pickle.tensors().size()) {}

  CheckpointTensors run(Place root) {
    if (pickle_[root].kind == Kind::tensor) path_ = "tensor";  // a single tensor has no name of its own
    if (pickle_[root].kind == Kind::dict && !is_apart(root))
      choose(pickle_[root]);
    else
      walk(root, 0);
    for (std::size_t i = 0; i < reached_.size(); ++i)
      if (!reached_[i]) out_.unreached.push_back(i);
    return std::move(out_);
  }

 private:
  /// How the walk classifies the tensors at its current position. `aside`: not part of the model.
  enum class Owner : std::uint8_t { parameter, buffer, aside };

  [[nodiscard]] const Value& at(Place place) const { return pickle_[place]; }
  [[nodiscard]] static bool is_container(const Value& v) {
    return v.kind == Kind::sequence || v.kind == Kind::dict || v.kind == Kind::object;
  }
  [[nodiscard]] static bool may_hold(const Value& v) { return v.kind == Kind::tensor || is_container(v); }

  void choose(const Value& root) {
    std::string_view candidate;
    for (const std::string_view key : model_keys)
      if (const std::optional<Place> state = pickle_.find(root, key); candidate.empty() && state && holds_tensors(*state)) candidate = key;
    std::vector<std::string> direct;
    for (std::size_t i = 0; i + 1 < root.items.size(); i += 2)
      if (at(root.items[i + 1]).kind == Kind::tensor && !is_stray(word(at(root.items[i])), at(root.items[i + 1])))
        direct.push_back(word(at(root.items[i])));
    const bool whole = candidate.empty() || !direct.empty();
    if (whole && !candidate.empty()) out_.unsure = std::move(direct);
    if (!whole) out_.chosen = candidate;
    for (std::size_t i = 0; i + 1 < root.items.size(); i += 2) {
      const Place item = root.items[i + 1];
      if (!may_hold(at(item))) continue;
      const std::string key = word(at(root.items[i]));
      if (whole ? is_aside(key, at(item)) : key != candidate)
        set_aside(quoted(key), item);
      else
        under(whole ? std::string_view(key) : std::string_view(), item, 0);
    }
  }

  [[nodiscard]] bool is_one_number(const Value& tensor) const {
    const PickledTensor& t = pickle_.tensors()[static_cast<std::size_t>(tensor.number)];
    return std::all_of(t.shape.begin(), t.shape.end(), [](std::uint64_t dim) { return dim <= 1; });
  }

  /// Whether a tensor at the top level of a checkpoint is not part of the model: a training metric, another single number, or the state of
  /// a random number generator.
  [[nodiscard]] bool is_stray(std::string_view key, const Value& tensor) const {
    const std::string lowered = lower_of(key);
    return is_one_number(tensor) || holds_any(lowered, generator_words) || (!holds(key, ".") && holds_any(lowered, metric_words));
  }

  /// Whether a key names an optimizer, a scheduler, a random number generator or metrics instead of a part of the model. A list or dict of
  /// metrics must contain only single numbers.
  [[nodiscard]] bool is_aside(std::string_view key, const Value& item) const {
    const std::string lowered = lower_of(key);
    if (holds_any(lowered, optimizer_words) || holds_any(lowered, generator_words)) return true;
    if (holds(key, ".") || !holds_any(lowered, metric_words)) return false;
    return item.kind == Kind::tensor ? is_stray(key, item) : holds_only_numbers(item);
  }

  /// Whether a list or dict, such as a history of losses, contains neither other containers nor tensors of more than one element.
  [[nodiscard]] bool holds_only_numbers(const Value& container) const {
    if (container.kind == Kind::object) return false;
    return std::all_of(container.items.begin(), container.items.end(),
                       [&](Place place) { return at(place).kind == Kind::tensor ? is_one_number(at(place)) : !is_container(at(place)); });
  }

  static std::string lower_of(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = lower(c);
    return out;
  }

  /// A description of a dict whose keys show that it is the state of an optimizer, a gradient scaler or random number generators. Empty for
  /// other dicts.
  [[nodiscard]] std::string_view apart_as(const Value& dict) const {
    const auto has = [&](std::string_view key) { return pickle_.find(dict, key).has_value(); };
    if (has("state") && has("param_groups")) return "The state of an optimizer";
    if (has("scale") && has("_growth_tracker")) return "The state of a gradient scaler";
    if (has("python") && (has("cpu") || has("numpy"))) return "The states of random number generators";
    return {};
  }
  [[nodiscard]] bool is_apart(Place place) const { return at(place).kind == Kind::dict && !apart_as(at(place)).empty(); }

  /// Whether a container holds a tensor that may belong to the model. Tensors that are set aside, such as an optimizer's state, do not
  /// count.
  bool holds_tensors(Place place) {
    if (!is_container(at(place))) return false;
    const std::vector<std::uint8_t> states = states_;
    const std::vector<bool> reached = reached_;
    CheckpointTensors kept = std::move(out_);
    out_ = {};
    walk(place, 0);
    const bool found = !out_.model.empty();
    out_ = std::move(kept);
    states_ = states;
    reached_ = reached;
    return found;
  }

  void set_aside(std::string what, Place item) {
    const Owner outer = std::exchange(owner_, Owner::aside);
    const std::size_t before = aside_.size();
    walk(item, 0);
    owner_ = outer;
    if (aside_.size() == before || owner_ == Owner::aside) return;
    auto found = std::find_if(out_.aside.begin(), out_.aside.end(), [&](const SetAside& s) { return s.what == what; });
    if (found == out_.aside.end()) found = out_.aside.insert(found, SetAside{std::move(what), {}});
    found->tensors.insert(found->tensors.end(), aside_.begin(), aside_.end());
    aside_.clear();
  }

  /// Walks a value, with `name` appended to the current path.
  void under(std::string_view name, Place place, std::size_t depth) {
    const std::size_t length = path_.size();
    if (!path_.empty() && !name.empty()) path_ += '.';
    path_ += name;
    walk(place, depth);
    path_.resize(length);
  }

  void walk(Place place, std::size_t depth) {
    // With its memo a pickle can contain cycles, and can refer to many values in a few bytes. A value without tensors is therefore visited
    // only once.
    constexpr std::size_t deepest = 1000, most_visits = 5'000'000, longest = 2000;
    const Value& value = at(place);
    if (value.kind == Kind::tensor) return take(static_cast<std::size_t>(value.number));
    if (!is_container(value) || states_[place] != State::unknown || depth > deepest || path_.size() > longest) return;
    if ((visits_ += value.items.size() + 1) > most_visits) throw Error{ErrorCode::too_large, "", "The pickle has too many values."};
    states_[place] = State::open;
    const std::size_t before = taken_;
    if (value.kind == Kind::sequence)
      sequence(value, depth);
    else if (value.kind == Kind::dict)
      dict(value, depth);
    else
      object(value, depth);
    states_[place] = taken_ == before ? State::barren : State::unknown;
  }

  void take(std::size_t tensor) {
    ++taken_;
    reached_[tensor] = true;
    if (owner_ == Owner::aside)
      aside_.push_back(tensor);
    else
      out_.model.push_back({path_, tensor, owner_ == Owner::buffer});
  }

  void sequence(const Value& value, std::size_t depth) {
    // A list that begins with "MT19937" is the state of NumPy's random number generator.
    if (!value.items.empty() && at(value.items[0]).text == "MT19937" && owner_ != Owner::aside)
      for (const Place item : value.items) set_aside("The states of random number generators", item);
    else
      for (std::size_t i = 0; i < value.items.size(); ++i)
        if (may_hold(at(value.items[i]))) under(digits(i), value.items[i], depth + 1);
  }

  void dict(const Value& value, std::size_t depth) {
    if (const std::string_view apart = apart_as(value); !apart.empty() && owner_ != Owner::aside) {
      for (std::size_t i = 1; i < value.items.size(); i += 2) set_aside(std::string(apart), value.items[i]);
      return;
    }
    if (pickle_.find(value, "_parameters") && pickle_.find(value, "_modules")) return module(value, depth);
    const bool states = holds_containers(value);
    for (std::size_t i = 0; i + 1 < value.items.size(); i += 2) {
      const Place item = value.items[i + 1];
      if (!may_hold(at(item))) continue;
      const std::string name = word(at(value.items[i]));
      if (is_metric(name, at(item)) && owner_ != Owner::aside)
        metric(name, item, states, depth);
      else
        under(name, item, depth + 1);
    }
  }

  [[nodiscard]] bool is_metric(std::string_view name, const Value& value) const {
    return value.kind == Kind::tensor && is_one_number(value) && !holds(name, ".") && holds_any(lower_of(name), metric_words);
  }
  [[nodiscard]] bool holds_containers(const Value& dict) const {
    for (std::size_t i = 1; i < dict.items.size(); i += 2)
      if (is_container(at(dict.items[i]))) return true;
    return false;
  }

  /// Handles a single number below the root whose name is that of a training metric. It is not a parameter if its dict also holds
  /// containers, or if no key of the root was chosen for the model. Within the chosen model it may be a parameter.
  void metric(const std::string& name, Place item, bool next_to_states, std::size_t depth) {
    const std::string path = path_.empty() ? name : concat({path_, ".", name});
    if (next_to_states || out_.chosen.empty()) return set_aside(quoted(path), item);
    out_.unsure.push_back(path);
    under(name, item, depth + 1);
  }

  /// Walks the items of a dict, with their keys as names.
  void each(const Value& dict, std::size_t depth) {
    for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2)
      if (may_hold(at(dict.items[i + 1]))) under(word(at(dict.items[i])), dict.items[i + 1], depth + 1);
  }

  /// Walks the attributes of a module. `_parameters` holds parameters, `_buffers` holds buffers, and `_modules` holds submodules. All other
  /// attributes are set aside.
  void module(const Value& attributes, std::size_t depth) {
    const std::optional<Place> passing = pickle_.find(attributes, "_non_persistent_buffers_set");
    for (std::size_t i = 0; i + 1 < attributes.items.size(); i += 2) {
      const Place item = attributes.items[i + 1];
      if (!may_hold(at(item))) continue;
      const std::string_view key = at(attributes.items[i]).text;
      if (key == "_parameters" && at(item).kind == Kind::dict) {
        each(at(item), depth);  // everything here is a parameter, regardless of its name
      } else if (key == "_parameters" || key == "_modules") {
        under({}, item, depth + 1);
      } else if (key == "_buffers") {
        for (std::size_t k = 0; k + 1 < at(item).items.size(); k += 2) {
          const Place name = at(item).items[k], tensor = at(item).items[k + 1];
          if (passing && is_named_in(*passing, at(name).text)) {
            set_aside("Buffers that are not persistent, so that no state_dict contains them", tensor);
            continue;
          }
          const Owner outer = owner_;
          if (owner_ == Owner::parameter) owner_ = Owner::buffer;
          under(word(at(name)), tensor, depth + 1);
          owner_ = outer;
        }
      } else {
        set_aside("Attributes of modules, which are neither parameters nor buffers", item);
      }
    }
  }

  /// Whether a set of strings contains `name`. A set is a sequence, or an object with a sequence as its argument.
  [[nodiscard]] bool is_named_in(Place set, std::string_view name) const {
    const Value& value = at(set);
    return std::any_of(value.items.begin(), value.items.end(), [&](Place item) {
      return at(item).kind == Kind::sequence
                 ? std::any_of(at(item).items.begin(), at(item).items.end(),
                               [&](Place inner) {
                                 return at(inner).text == name || std::any_of(at(inner).items.begin(), at(inner).items.end(),
                                                                              [&](Place last) { return at(last).text == name; });
                               })
                 : at(item).text == name;
    });
  }

  /// Walks an object's arguments, items and state.
  void object(const Value& value, std::size_t depth) {
    if (is_special_tensor(value)) {
      constexpr std::size_t most = 20;
      if (owner_ != Owner::aside && out_.unread.size() < most) out_.unread.push_back(path_.empty() ? "tensor" : path_);
      return;
    }
    if (value.items.size() > 1) under({}, value.items[1], depth + 1);
    for (std::size_t i = 2; i < value.items.size(); ++i) {
      const Value& item = at(value.items[i]);
      const bool keyed = item.kind == Kind::text && i + 1 < value.items.size() && may_hold(at(value.items[i + 1]));
      if (keyed)  // items of a dict subclass are pairs of key and value
        under(word(item), value.items[++i], depth + 1);
      else if (is_state(item))
        state(value.items[i], depth);
      else if (may_hold(item))
        under(digits(i - 2), value.items[i], depth + 1);
    }
  }

  /// Whether torch would rebuild the object as a tensor of an unsupported kind, such as a sparse or nested tensor or a tensor subclass.
  [[nodiscard]] bool is_special_tensor(const Value& object) const {
    const std::string_view of = pickle_.name_of(object.items[0]);
    return (of.starts_with("torch._utils\n_rebuild") || of.starts_with("torch._tensor\n_rebuild")) && object.items.size() > 1;
  }

  /// Whether a value is an object's state: a dict of attributes, or a pair (dict, dict of slots) in which either may be None.
  [[nodiscard]] bool is_state(const Value& value) const {
    if (value.kind == Kind::dict) return true;
    return value.kind == Kind::sequence && value.items.size() == 2 && std::all_of(value.items.begin(), value.items.end(), [&](Place item) {
             return at(item).kind == Kind::dict || at(item).kind == Kind::none;
           });
  }
  void state(Place place, std::size_t depth) {
    if (at(place).kind == Kind::dict) return under({}, place, depth + 1);
    for (const Place item : at(place).items)
      if (at(item).kind == Kind::dict) under({}, item, depth + 1);
  }

  static std::string word(const Value& key) {
    constexpr std::size_t longest = 500;
    if (key.kind == Kind::text) return is_utf8(key.text) ? std::string(clipped(key.text, longest)) : "?";
    return key.kind == Kind::integer ? digits(key.number) : "?";
  }

  enum State : std::uint8_t { unknown, open, barren };

  const Pickle& pickle_;
  std::vector<std::uint8_t> states_;
  std::vector<bool> reached_;
  CheckpointTensors out_;
  std::vector<std::size_t> aside_;  ///< tensors found by the current call of `set_aside`
  std::string path_;
  Owner owner_ = Owner::parameter;
  std::size_t visits_ = 0, taken_ = 0;
};

}  // namespace

CheckpointTensors walk_checkpoint(const Pickle& pickle, Pickle::Place root) { return Walk(pickle).run(root); }

}  // namespace param_ledger
