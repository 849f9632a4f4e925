// Source: torch/serialization.py (_save, _legacy_save) and torch/_utils.py.

#include "core/inputs/torch/torch_file.hpp"

#include <algorithm>
#include <array>

#include "core/inputs/torch/pickle_machine.hpp"
#include "core/inputs/torch/tensor_walk.hpp"
#include "core/inputs/torch/zip.hpp"
#include "core/json/value_text.hpp"
#include "core/support/attempt.hpp"
#include "core/support/count.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// The size of a storage in bytes. Sets `known` to false if its dtype is unknown, unless it is empty.
Count storage_bytes(const PickledStorage& storage, bool& known) {
  known = known && (storage.dtype != 0 || storage.numbers == 0);
  return storage.dtype != 0 ? bytes_of(storage.dtype, storage.numbers) : Count{storage.numbers};
}

class TensorsOf {
 public:
  TensorsOf(const Pickle& pickle, Listing& out) : pickle_(pickle), out_(out) {}

  void add(Pickle::Place root) {
    CheckpointTensors tensors = walk_checkpoint(pickle_, root);
    found_ = std::move(tensors.model);
    strip();
    list();
    tell(tensors);
    for (const std::string& name : pickle_.unknown())
      out_.notes.push_back(concat({"The file would call ", quoted(name), ", which was not executed."}));
    if (found_.empty())
      out_.problems.add(0, tensors.aside.empty() ? "This file contains no tensors." : "This file contains no tensors of a model.");
  }

 private:
  void tell(const CheckpointTensors& tensors) {
    if (!tensors.chosen.empty()) out_.notes.push_back(concat({"The model's tensors are under ", quoted(tensors.chosen), "."}));
    for (const SetAside& aside : tensors.aside)
      out_.notes.push_back(concat({"Not counted: ", aside.what, ", ", size_of(aside.tensors), "."}));
    for (const std::string& name : tensors.unsure)
      out_.problems.add_of(name, "is next to the model and may or may not belong to it. It is counted");
    for (const std::string& name : tensors.unread)
      out_.problems.add_of(name, "is a sparse or nested tensor or a tensor subclass, and is not counted");
    if (!tensors.unreached.empty())
      out_.problems.add(0, concat({"The file contains more tensors, which are not counted: ", size_of(tensors.unreached),
                                   " in unsupported containers."}));
  }

  /// A description such as "3 tensors of 1,000 elements in 4,000 bytes".
  [[nodiscard]] std::string size_of(const std::vector<std::size_t>& list) const {
    Count elements = 0, bytes = 0;
    for (const std::size_t i : list) {
      const PickledTensor& tensor = pickle_.tensors()[i];
      const Count own = elements_of(tensor.shape.data(), tensor.shape.size());
      elements = param_ledger::add(elements, own);
      bytes = param_ledger::add(bytes, param_ledger::bytes_of(tensor.dtype, own));
    }
    return concat({grouped_digits(list.size()), list.size() == 1 ? " tensor of " : " tensors of ", grouped_digits(elements),
                   elements == 1 ? " element in " : " elements in ", grouped_digits(bytes), " bytes"});
  }

  /// Removes prefixes of wrappers that all names begin with.
  void strip() {
    for (bool again = !found_.empty(); again;) {
      again = false;
      for (const std::string_view wrapper : {"module.", "_orig_mod.", "_fsdp_wrapped_module.", "_forward_module."}) {
        if (!std::all_of(found_.begin(), found_.end(), [&](const NamedTensor& f) { return f.name.starts_with(wrapper); })) continue;
        for (NamedTensor& f : found_) f.name.erase(0, wrapper.size());
        out_.notes.push_back(concat({"All names begin with ", quoted(wrapper), ", a wrapper's prefix, which is removed."}));
        again = true;
      }
    }
  }

  void list() {
    HashIndex shown;  // index of `first`: tensors that are already listed
    std::vector<const NamedTensor*> first;
    for (const NamedTensor& found : found_) {
      const PickledTensor& tensor = pickle_.tensors()[found.tensor];
      check(found, tensor);
      const auto same = [&](std::size_t i) {
        const PickledTensor& other = pickle_.tensors()[first[i]->tensor];
        return first[i]->tensor == found.tensor ||
               (tensor.storage != PickledTensor::none && other.storage == tensor.storage && other.offset == tensor.offset &&
                other.shape == tensor.shape && other.stride == tensor.stride);
      };
      const std::size_t place = tensor.storage != PickledTensor::none ? tensor.storage : found.tensor;
      const std::uint32_t hash = mixed(mixed(static_cast<std::uint32_t>(place), tensor.offset), tensor.shape.empty() ? 0 : tensor.shape[0]);
      const bool again = shown.find_or_add(hash, first.size(), same) < first.size();
      if (!again) first.push_back(&found);
      const ListedKind kind = again ? ListedKind::tied : found.buffer ? ListedKind::buffer : ListedKind::parameter;
      if (attempt([&] { out_.table.add(found.name, tensor.shape, tensor.dtype, kind); }))
        out_.problems.add_of(found.name, "has more elements than can be counted");
      else
        ++out_.files.back().tensors;
    }
  }

  void check(const NamedTensor& found, const PickledTensor& tensor) {
    if (tensor.dtype == 0) out_.problems.add_of(found.name, "has an unknown type, so its bytes are not counted");
    if (tensor.storage == PickledTensor::none) return;
    const PickledStorage& storage = pickle_.storages()[tensor.storage];
    if (tensor.stride.size() != tensor.shape.size())
      return out_.problems.add_of(found.name, "has a shape and strides of different lengths");
    // The size of an untyped storage is in bytes, so the number of elements must be multiplied by the bytes per element.
    const std::uint64_t width = storage.dtype != 0 || tensor.dtype == 0 ? 1 : std::max<std::uint64_t>(bits(tensor.dtype) / 8, 1);
    Count last = tensor.offset;
    for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
      if (tensor.shape[i] == 0) return;
      last = param_ledger::add(last, multiply(tensor.shape[i] - 1, tensor.stride[i]));
    }
    if (multiply(param_ledger::add(last, 1), width) > storage.numbers)
      out_.problems.add_of(found.name, "extends past the end of its storage");
  }

  const Pickle& pickle_;
  Listing& out_;
  std::vector<NamedTensor> found_;
};

/// Checks that the archive contains a file for each storage, with the size that the pickle gives.
void check_storages(const std::vector<ZipEntry>& entries, std::string_view folder, const Pickle& pickle, Problems& problems) {
  const auto name_of = [&](std::size_t i) -> std::string_view { return entries[i].name; };
  StringIndex index;
  for (std::size_t i = 0; i < entries.size(); ++i) index.intern(entries[i].name, i, name_of);
  for (const PickledStorage& storage : pickle.storages()) {
    const std::string name = concat({folder, "data/", storage.key});
    const std::size_t at = index.find(name, entries.size(), name_of);
    bool known = true;
    const Count bytes = storage_bytes(storage, known);
    if (at == entries.size())
      problems.add(0, {"The storage ", quoted(storage.key), " is not in the archive."});
    else if (entries[at].deflated)
      refuse_file("The tensors in this archive are compressed, which torch never writes. Pack it without compression.");
    else if (known && entries[at].size != bytes)
      problems.add(0, {"The storage ", quoted(storage.key), " has ", grouped_digits(entries[at].size), " bytes, but the pickle gives ",
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
  if (found == entries.end()) {
    const bool exported = std::any_of(entries.begin(), entries.end(), [](const ZipEntry& e) { return e.name.ends_with("archive_format"); });
    refuse_file(exported ? "This is a torch.export program, which is not supported. Save the module's state_dict() with torch.save."
                         : "This archive has no data.pkl, so it is neither a torch.save file nor a NumPy archive.");
  }
  if (found->deflated) refuse_file("The pickle in this archive is compressed, which torch never writes. Pack it without compression.");
  constexpr std::uint64_t most_pickle = 64'000'000;
  if (found->size > most_pickle)
    refuse_file(concat({"The pickle has ", grouped_digits(found->size), " bytes; the limit is ", grouped_digits(most_pickle), "."}));
  std::uint64_t at = zip_data(file, *found);
  const std::uint64_t end = at + found->size;
  static_cast<void>(file.at(at, found->size));
  Pickle pickle;
  const Pickle::Place root = read_pickle(pickle, file, at, end);
  check_storages(entries, found->name.substr(0, found->name.size() - wanted.size()), pickle, out.problems);
  TensorsOf(pickle, out).add(root);
}

/// Whether the file begins with torch's magic number for its old format, pickled with protocol 2 or later.
static bool begins_old_format(Pieces& file) {
  constexpr std::string_view number = "\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.";
  constexpr std::size_t protocol = 2, frame = 9;
  if (file.size() <= protocol + frame + number.size()) return false;
  std::string_view begin = file.at(0, protocol + frame + number.size()).substr(protocol);
  if (begin.front() == '\x95') begin.remove_prefix(frame);
  return begin.starts_with(number);
}

void read_torch_pickle(Pieces& file, Listing& out) {
  constexpr std::uint64_t most = 256'000'000;
  const std::uint64_t end = std::min(file.size(), most);
  std::uint64_t at = 0;
  Pickle pickle;
  const bool of_torch = begins_old_format(file);
  // The first three pickles: the magic number, the format's version, and properties of the machine that wrote the file.
  for (int i = 0; of_torch && i < 3; ++i) read_pickle(pickle, file, at, end);
  const Pickle::Place root = read_pickle(pickle, file, at, end);
  if (of_torch) {
    read_pickle(pickle, file, at, end);  // the storages' keys, in the order of their data
    bool known = true;
    Count bytes = at;
    for (const PickledStorage& storage : pickle.storages()) bytes = add(bytes, 8 + storage_bytes(storage, known));
    if (known && bytes != file.size())
      out.problems.add(0,
                       concat({"The file has ", grouped_digits(file.size()), " bytes, but its tensors need ", grouped_digits(bytes), "."}));
  }
  TensorsOf(pickle, out).add(root);
}

}  // namespace param_ledger
