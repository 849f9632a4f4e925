// Source: torch/serialization.py (_save, _legacy_save) and torch/_utils.py.

#include "core/inputs/torch/torch_file.hpp"

#include <algorithm>
#include <array>

#include "core/inputs/torch/pickle_machine.hpp"
#include "core/inputs/torch/zip.hpp"
#include "core/json/value_text.hpp"
#include "core/support/count.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

using Kind = Pickle::Kind;
using Value = Pickle::Value;

/// A tensor by its name.
struct Found {
  std::string name;
  std::size_t tensor;
};

/// Where a checkpoint of several states has its model's, the first that is there.
constexpr std::string_view model_keys[] = {"state_dict", "model_state_dict", "model", "module", "net", "network", "weights", "params"};

/// Bytes of a storage; `known` false where its type is not.
Count storage_bytes(const PickledStorage& storage, bool& known) {
  known = known && (storage.dtype != 0 || storage.numbers == 0);
  return storage.dtype != 0 ? bytes_of(storage.dtype, storage.numbers) : Count{storage.numbers};
}

class TensorsOf {
 public:
  TensorsOf(const Pickle& pickle, Listing& out) : pickle_(pickle), out_(out) {}

  void add(const Value& root) {
    choose(root);
    strip();
    list();
    for (const std::string& name : pickle_.unknown())
      out_.notes.push_back(concat({"The file would call ", quoted(name), ", which is not called here."}));
    if (found_.empty()) out_.problems.add(0, "No tensors stand in this file.");
  }

 private:
  /// The model's tensors into `found_`; of all else a note.
  void choose(const Value& root) {
    const Value* dict = unwrapped(root);
    if (dict == nullptr) return;
    if (root.kind == Kind::object) return collect(root, "", 0, found_);  // a module, whole
    std::string_view chosen;
    const bool flat = has_tensor(*dict);
    for (const std::string_view key : model_keys) {
      if (flat || !chosen.empty()) break;
      const Value* const state = pickle_.find(*dict, key);
      if (state == nullptr) continue;
      std::vector<Found> tensors;
      collect(*state, "", 0, tensors);
      if (tensors.empty()) continue;
      chosen = key;
      found_ = std::move(tensors);
    }
    for (std::size_t i = 0; i + 1 < dict->items.size(); i += 2) {
      const Value &key = pickle_[dict->items[i]], &value = pickle_[dict->items[i + 1]];
      const std::string name = word(key);
      if (!chosen.empty() && name == chosen) continue;
      std::vector<Found> tensors;
      const bool apart = !chosen.empty() || name.find("optim") != std::string::npos || name.find("scheduler") != std::string::npos;
      collect(value, apart ? "" : name, 0, tensors);
      if (!apart)
        found_.insert(found_.end(), std::make_move_iterator(tensors.begin()), std::make_move_iterator(tensors.end()));
      else if (!tensors.empty())
        note_beside(name, tensors);
    }
    if (!chosen.empty()) out_.notes.push_back(concat({"The model's tensors are those under ", quoted(chosen), "."}));
  }

  void note_beside(const std::string& name, const std::vector<Found>& tensors) {
    Count elements = 0, bytes = 0;
    for (const Found& found : tensors) {
      const PickledTensor& tensor = pickle_.tensors()[found.tensor];
      const Count own = elements_of(tensor.shape.data(), tensor.shape.size());
      elements = param_ledger::add(elements, own);
      bytes = param_ledger::add(bytes, param_ledger::bytes_of(tensor.dtype, own));
    }
    out_.notes.push_back(concat({"Beside the model, and not counted with it: ", quoted(name), " with ", grouped_digits(tensors.size()),
                                 " tensors of ", grouped_digits(elements), " elements in ", grouped_digits(bytes), " bytes."}));
  }

  /// A module's state, or a dict; null for what holds no names.
  const Value* unwrapped(const Value& value) const {
    if (value.kind == Kind::dict) return &value;
    if (value.kind == Kind::object && value.items.size() > 2) return unwrapped_state(pickle_[value.items[2]]);
    return nullptr;
  }
  const Value* unwrapped_state(const Value& state) const {
    if (state.kind == Kind::dict) return &state;
    // (dict, slots)
    if (state.kind == Kind::sequence && !state.items.empty() && pickle_[state.items.front()].kind == Kind::dict)
      return &pickle_[state.items.front()];
    return nullptr;
  }

  [[nodiscard]] bool has_tensor(const Value& dict) const {
    for (std::size_t i = 1; i < dict.items.size(); i += 2)
      if (pickle_[dict.items[i]].kind == Kind::tensor) return true;
    return false;
  }

  static std::string word(const Value& key) {
    constexpr std::size_t longest = 500;
    if (key.kind == Kind::text) return is_utf8(key.text) ? std::string(clipped(key.text, longest)) : "?";
    return key.kind == Kind::integer ? digits(key.number) : "?";
  }
  static std::string joined(std::string_view prefix, std::string_view name) {
    if (prefix.empty() || name.empty()) return std::string(prefix.empty() ? name : prefix);
    return concat({prefix, ".", name});
  }

  /// All tensors in a value, by the way there.
  void collect(const Value& value, const std::string& prefix, int depth, std::vector<Found>& into) {
    // A memo can make loops, and few bytes name many values.
    constexpr int deepest = 60;
    constexpr std::size_t most_visits = 5'000'000, longest = 1000;
    if (++visits_ > most_visits) throw Error{ErrorCode::too_large, "", "What the pickle holds is too much to look through."};
    if (depth > deepest || prefix.size() > longest) return;
    switch (value.kind) {
      case Kind::tensor: into.push_back({prefix, static_cast<std::size_t>(value.number)}); return;
      case Kind::sequence:
        for (std::size_t i = 0; i < value.items.size(); ++i) {
          const Value& item = pickle_[value.items[i]];
          if (item.kind != Kind::integer && item.kind != Kind::text && item.kind != Kind::none && item.kind != Kind::other)
            collect(item, joined(prefix, digits(i)), depth + 1, into);
        }
        visits_ += value.items.size();
        return;
      case Kind::dict:
      case Kind::object: {
        const Value* const dict = unwrapped(value);
        if (dict == nullptr) return;
        visits_ += dict->items.size();
        for (std::size_t i = 0; i + 1 < dict->items.size(); i += 2) {
          const Value& item = pickle_[dict->items[i + 1]];
          if (item.kind != Kind::tensor && item.kind != Kind::dict && item.kind != Kind::object && item.kind != Kind::sequence) continue;
          const std::string name = word(pickle_[dict->items[i]]);
          // What a module keeps its own in stands in no name.
          const bool own = value.kind == Kind::object && (name == "_parameters" || name == "_buffers" || name == "_modules");
          collect(item, own ? prefix : joined(prefix, name), depth + 1, into);
        }
        return;
      }
      default: return;
    }
  }

  /// Without what wrappers put before every name.
  void strip() {
    for (bool again = !found_.empty(); again;) {
      again = false;
      for (const std::string_view wrapper : {"module.", "_orig_mod.", "_fsdp_wrapped_module.", "_forward_module."}) {
        if (!std::all_of(found_.begin(), found_.end(), [&](const Found& f) { return f.name.starts_with(wrapper); })) continue;
        for (Found& f : found_) f.name.erase(0, wrapper.size());
        out_.notes.push_back(concat({"All names begin with ", quoted(wrapper), ", which a wrapper put there: it is left out."}));
        again = true;
      }
    }
  }

  void list() {
    HashIndex shown;  // tensors that are there already
    std::vector<const Found*> first;
    for (const Found& found : found_) {
      const PickledTensor& tensor = pickle_.tensors()[found.tensor];
      check(found, tensor);
      bool again = false;
      if (tensor.storage != PickledTensor::none) {
        const auto same = [&](std::size_t i) {
          const PickledTensor& other = pickle_.tensors()[first[i]->tensor];
          return other.storage == tensor.storage && other.offset == tensor.offset && other.shape == tensor.shape &&
                 other.stride == tensor.stride;
        };
        const std::uint32_t hash =
            mixed(mixed(static_cast<std::uint32_t>(tensor.storage), tensor.offset), tensor.shape.empty() ? 0 : tensor.shape[0]);
        again = shown.find_or_add(hash, first.size(), same) < first.size();
        if (!again) first.push_back(&found);
      }
      try {
        out_.table.add(found.name, tensor.shape, tensor.dtype, again ? ListedKind::tied : ListedKind::parameter);
      } catch (const Error&) {
        out_.problems.add_of(found.name, "has more elements than can be counted");
        continue;
      }
      ++out_.files.back().tensors;
    }
  }

  void check(const Found& found, const PickledTensor& tensor) {
    if (tensor.dtype == 0) out_.problems.add_of(found.name, "is of a type that is not known here: its bytes are not counted");
    if (tensor.storage == PickledTensor::none) return;
    const PickledStorage& storage = pickle_.storages()[tensor.storage];
    if (tensor.stride.size() != tensor.shape.size())
      return out_.problems.add_of(found.name, "has a shape and strides of different lengths");
    // Of storages that are bytes the elements have a width of their own.
    const std::uint64_t width = storage.dtype != 0 || tensor.dtype == 0 ? 1 : std::max<std::uint64_t>(bits(tensor.dtype) / 8, 1);
    Count last = tensor.offset;
    for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
      if (tensor.shape[i] == 0) return;
      last = param_ledger::add(last, multiply(tensor.shape[i] - 1, tensor.stride[i]));
    }
    if (multiply(param_ledger::add(last, 1), width) > storage.numbers)
      out_.problems.add_of(found.name, "reaches behind the end of its storage");
  }

  const Pickle& pickle_;
  Listing& out_;
  std::vector<Found> found_;
  std::size_t visits_ = 0;
};

/// The storages' files in the archive: whether they are there, and as long as the pickle says.
void check_storages(const std::vector<ZipEntry>& entries, std::string_view folder, const Pickle& pickle, Problems& problems) {
  HashIndex index;
  for (std::size_t i = 0; i < entries.size(); ++i)
    index.find_or_add(hash_of(entries[i].name), i, [&](std::size_t k) { return entries[k].name == entries[i].name; });
  for (const PickledStorage& storage : pickle.storages()) {
    const std::string name = concat({folder, "data/", storage.key});
    const std::size_t at = index.find(hash_of(name), entries.size(), [&](std::size_t k) { return entries[k].name == name; });
    bool known = true;
    const Count bytes = storage_bytes(storage, known);
    if (at == entries.size())
      problems.add(0, {"The storage ", quoted(storage.key), " is not in the archive."});
    else if (entries[at].deflated)
      refuse_file("The tensors in this archive are compressed, which torch never writes: pack it without compression.");
    else if (known && entries[at].size != bytes)
      problems.add(0, {"The storage ", quoted(storage.key), " has ", grouped_digits(entries[at].size), " bytes where the pickle says ",
                       grouped_digits(bytes), "."});
  }
}

}  // namespace

bool begins_pickle(std::string_view bytes) { return bytes.size() > 2 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5; }

void read_torch_archive(Pieces& file, Listing& out) {
  const std::vector<ZipEntry> entries = zip_directory(file, out.problems);
  constexpr std::string_view wanted = "data.pkl";
  const auto of_pickle = [&](const ZipEntry& e) {
    return e.name == wanted || (e.name.ends_with(wanted) && e.name[e.name.size() - wanted.size() - 1] == '/');
  };
  const auto found = std::find_if(entries.begin(), entries.end(), of_pickle);
  if (found == entries.end()) refuse_file("An archive without data.pkl: neither torch nor NumPy wrote it.");
  if (found->deflated) refuse_file("The pickle in this archive is compressed, which torch never writes: pack it without compression.");
  constexpr std::uint64_t most_pickle = 64'000'000;
  if (found->size > most_pickle)
    refuse_file(
        concat({"The pickle has ", grouped_digits(found->size), " bytes; what is read has at most ", grouped_digits(most_pickle), "."}));
  std::uint64_t at = zip_data(file, *found);
  const std::uint64_t end = at + found->size;
  static_cast<void>(file.at(at, found->size));
  Pickle pickle;
  const Pickle::Place root = read_pickle(pickle, file, at, end);
  check_storages(entries, found->name.substr(0, found->name.size() - wanted.size()), pickle, out.problems);
  TensorsOf(pickle, out).add(pickle[root]);
}

void read_torch_pickle(Pieces& file, Listing& out) {
  constexpr std::string_view magic = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.";
  constexpr std::uint64_t most = 256'000'000;
  const std::uint64_t end = std::min(file.size(), most);
  std::uint64_t at = 0;
  Pickle pickle;
  const bool of_torch = file.size() > magic.size() && file.at(0, magic.size()) == magic;
  // A number by which the format is known, its version, and what machine wrote it.
  for (int i = 0; of_torch && i < 3; ++i) read_pickle(pickle, file, at, end);
  const Pickle::Place root = read_pickle(pickle, file, at, end);
  if (of_torch) {
    read_pickle(pickle, file, at, end);  // the storages' keys in their order
    bool known = true;
    Count bytes = at;
    for (const PickledStorage& storage : pickle.storages()) bytes = add(bytes, 8 + storage_bytes(storage, known));
    if (known && bytes != file.size())
      out.problems.add(
          0, concat({"The file has ", grouped_digits(file.size()), " bytes where its tensors need ", grouped_digits(bytes), "."}));
  }
  TensorsOf(pickle, out).add(pickle[root]);
}

}  // namespace param_ledger
