#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

// Mutates values, members and lists of JSON instead of bytes, so that few of the mutated inputs have syntax errors.
namespace param_ledger::fuzz {

using Tree = nlohmann::ordered_json;

/// Pseudorandom numbers that depend only on a seed.
class Random {
 public:
  explicit Random(unsigned seed) : state_(seed * 2654435761U + 1) {}
  std::uint64_t next() {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return state_;
  }
  /// A random number below `n`, which must be at least 1.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }
  bool chance(unsigned percent) { return below(100) < percent; }

 private:
  std::uint64_t state_;
};

/// Changes a JSON tree. `keys` are the keys of members that may be added, and `words` the strings that may become values.
class Mutation {
 public:
  Mutation(Tree& tree, const std::vector<std::string>& keys, const std::vector<std::string>& words, Random& random)
      : tree_(tree), keys_(keys), words_(words), random_(random) {}

  void change() {
    places_.clear();
    collect(tree_);
    Tree& place = *places_[random_.below(places_.size())];
    if (place.is_object() && random_.chance(70)) return change_object(place);
    if (place.is_array() && random_.chance(70)) return change_list(place);
    if (place.is_number_integer() && random_.chance(80)) {
      place = number(place);
      return;
    }
    // The root is never replaced, so it stays an object.
    if (&place != &tree_) place = random_.chance(40) ? Tree(*places_[random_.below(places_.size())]) : value();
  }

 private:
  void collect(Tree& tree) {
    constexpr std::size_t most = 2000;
    if (places_.size() >= most) return;
    places_.push_back(&tree);
    if (tree.is_structured())
      for (Tree& inner : tree) collect(inner);
  }

  Tree number(const Tree& now) {
    static constexpr std::uint64_t known[] = {
        0, 1, 2, 3, 4, 7, 8, 12, 16, 64, 128, 1000, 4096, 65536, 1U << 31U, std::uint64_t{1} << 53U, ~std::uint64_t{0}};
    const auto n = now.is_number_integer() ? now.get<std::uint64_t>() : std::uint64_t{1};
    switch (random_.below(8)) {
      case 0: return n + 1;
      case 1: return n == 0 ? n : n - 1;
      case 2: return n * 2;
      case 3: return n / 2;
      case 4: return n * (1 + random_.below(9));
      case 5: return random_.below(64);
      case 6: return random_.chance(10) ? Tree(-1) : Tree(known[random_.below(std::size(known))]);
      default: {
        const Tree& other = *places_[random_.below(places_.size())];
        return other.is_number() ? other : Tree(random_.below(4096));
      }
    }
  }

  Tree value() {
    switch (random_.below(9)) {
      case 0: return nullptr;
      case 1: return random_.chance(50);
      case 2: return static_cast<double>(random_.below(1000)) / 8;
      case 3: return Tree::array();
      case 4: return Tree::object();
      case 5:
      case 6: return words_.empty() ? Tree("") : Tree(words_[random_.below(words_.size())]);
      default: return number(1);
    }
  }

  void change_object(Tree& object) {
    if (!object.empty() && random_.chance(30)) {
      auto at = object.begin();
      std::advance(at, static_cast<std::ptrdiff_t>(random_.below(object.size())));
      object.erase(at);
      return;
    }
    if (keys_.empty()) return;
    const std::string& key = keys_[random_.below(keys_.size())];
    object[key] = random_.chance(25) ? Tree(*places_[random_.below(places_.size())]) : value();
  }

  void change_list(Tree& list) {
    constexpr std::size_t most = 64;
    if (list.empty() || random_.chance(20)) {
      list.push_back(value());
    } else if (random_.chance(30)) {
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(random_.below(list.size())));
    } else if (random_.chance(50)) {
      // Changes the list's length to the value at a random place in the tree, modulo `most`, because lists in configurations often have one
      // entry per layer. If that value is not an unsigned integer, the length is random.
      const Tree& length = *places_[random_.below(places_.size())];
      const std::size_t wanted = length.is_number_unsigned() ? length.get<std::size_t>() % most : random_.below(most);
      const Tree item = list[random_.below(list.size())];
      while (list.size() > wanted) list.erase(list.end() - 1);
      while (list.size() < wanted) list.push_back(item);
    } else {
      list[random_.below(list.size())] = value();
    }
  }

  Tree& tree_;
  const std::vector<std::string>&keys_, &words_;
  Random& random_;
  std::vector<Tree*> places_;
};

/// Mutates a text. A JSON object is usually mutated at the level of JSON values, any other text at the level of bytes. Returns the new size
/// in bytes. `finish` may make a last change to the tree.
template <class Finish>
std::size_t mutated_json(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed, const std::vector<std::string>& keys,
                         const std::vector<std::string>& words, Finish&& finish) {
  Random random(seed);
  constexpr unsigned by_bytes = 12;
  Tree tree = Tree::parse(data, data + size, nullptr, false);
  if (!tree.is_object() || random.chance(by_bytes)) return LLVMFuzzerMutate(data, size, most);
  for (std::size_t changes = 1 + random.below(4); changes > 0; --changes) Mutation(tree, keys, words, random).change();
  finish(tree, random);
  const std::string text = tree.dump(-1, ' ', false, Tree::error_handler_t::replace);
  if (text.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::copy(text.begin(), text.end(), data);
  return text.size();
}

}  // namespace param_ledger::fuzz
