// Source: torch/_utils.py and torch/serialization.py (the functions that make tensors).

#include "core/inputs/torch/pickle_calls.hpp"

#include <algorithm>

#include "core/inputs/tensors/listed_row.hpp"
#include "core/support/count.hpp"
#include "core/support/parse.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr std::uint64_t most_rank = 64, most_work = 50'000'000;
constexpr std::size_t most_globals = 100'000;

struct StorageType {
  std::string_view name, dtype;
};
constexpr StorageType storage_types[] = {
    {"FloatStorage", "F32"},
    {"HalfStorage", "F16"},
    {"BFloat16Storage", "BF16"},
    {"DoubleStorage", "F64"},
    {"LongStorage", "I64"},
    {"IntStorage", "I32"},
    {"ShortStorage", "I16"},
    {"CharStorage", "I8"},
    {"ByteStorage", "U8"},
    {"BoolStorage", "BOOL"},
    {"QInt8Storage", "I8"},
    {"QUInt8Storage", "U8"},
    {"QInt32Storage", "I32"},
    {"ComplexFloatStorage", "C64"},
    {"ComplexDoubleStorage", "C128"},
    {"Float8_e4m3fnStorage", "F8_E4M3"},
    {"Float8_e5m2Storage", "F8_E5M2"},
};

/// Packages whose calls are not reported. They belong to Python, or their objects have no parameters outside their state.
constexpr std::string_view own_modules[] = {"collections", "builtins", "__builtin__", "torch",     "argparse",  "pathlib",
                                            "numpy",       "_codecs",  "copy_reg",    "copyreg",   "omegaconf", "typing",
                                            "datetime",    "types",    "enum",        "functools", "__torch__"};

/// Removes the module: "module\nname" -> "name"
std::string_view last_of(std::string_view name) { return name.substr(std::min(name.find('\n') + 1, name.size())); }

}  // namespace

Pickle::Place PickleCalls::global(std::string_view module, std::string_view name) {
  out_.names_.emplace_back(concat({module, "\n", name}));
  if (out_.names_.size() > most_globals) refuse_file("The pickle names too many functions and classes.");
  return out_.add({Kind::global, false, out_.names_.size() - 1});
}

std::string_view PickleCalls::named(Place place) const { return out_.name_of(place); }

Dtype PickleCalls::dtype_named(Place place) const {
  const std::string_view name = named(place);
  return name.starts_with("torch\n") ? dtype_written(name.substr(6)) : Dtype{0};
}

void PickleCalls::work(std::size_t items) {
  if ((work_ += items) > most_work) refuse_file("Reading the pickle takes too many steps.");
}

Pickle::Place PickleCalls::made(Place of, Place args) {
  const std::string_view name = named(of);
  const std::string_view module = name.substr(0, name.find('\n')), own = last_of(name);
  const std::span<const Place> given = at(args).items;  // this view remains valid when values are added
  work(given.size());
  const bool is_of_torch = module == "torch._utils" || module == "torch._tensor";
  const std::optional<Place> known = is_of_torch                   ? rebuilt(own, given)
                                     : module.starts_with("numpy") ? array_of(own, given)
                                                                   : python_value(module, own, given);
  if (known) return *known;
  note_unknown(module, own);
  return out_.add({.kind = Kind::object, .items = {of, args}});
}

/// Recognises calls that make a dict or a torch.Size, which is a tuple.
std::optional<Pickle::Place> PickleCalls::python_value(std::string_view module, std::string_view name, std::span<const Place> args) {
  const bool is_dict = name == "dict" && is_one_of(module, {"builtins", "__builtin__"});
  if (is_dict || is_one_of(name, {"OrderedDict", "defaultdict"})) return dict_of(args);
  if (module == "torch" && name == "Size" && args.size() == 1) return args.front();
  return std::nullopt;
}

/// Recognises torch's functions that build a tensor, or wrap a tensor in a parameter, during unpickling.
std::optional<Pickle::Place> PickleCalls::rebuilt(std::string_view name, std::span<const Place> args) {
  const std::size_t n = args.size();
  if (name.starts_with("_rebuild_parameter") && n >= 1 && at(args[0]).kind == Kind::tensor) return args[0];
  // Without this check, a malicious file could make the function call itself endlessly. torch never writes such a call.
  if (name == "_rebuild_from_type_v2" && n >= 3 && last_of(named(args[0])) != name) return made(args[0], args[2]);
  if (name == "_rebuild_meta_tensor_no_storage" && n >= 2) return bare_tensor(dtype_named(args[0]), args[1]);
  if (name == "_rebuild_tensor_v3" && n >= 4) return tensor_of(args, n > 6 ? dtype_named(args[6]) : Dtype{0});
  if (is_one_of(name, {"_rebuild_tensor", "_rebuild_tensor_v2", "_rebuild_qtensor"}) && n >= 4) return tensor_of(args, Dtype{0});
  return std::nullopt;
}

/// Builds a NumPy array from its form in pickle protocol 5: (bytes, dtype, shape, order).
std::optional<Pickle::Place> PickleCalls::array_of(std::string_view name, std::span<const Place> args) {
  if (name != "_frombuffer" || args.size() < 3) return std::nullopt;
  const Dtype dtype = dtype_of_array(args[1]);
  return dtype == 0 ? std::nullopt : std::optional(bare_tensor(dtype, args[2]));
}

/// The element type of a NumPy array, taken from a call such as dtype('f4', …). 0 if unknown, as for Python objects.
Dtype PickleCalls::dtype_of_array(Place dtype) const {
  const Value& object = at(dtype);
  if (object.kind != Kind::object || object.items.size() < 2 || named(object.items[0]) != "numpy\ndtype") return 0;
  const Value& args = at(object.items[1]);
  return args.items.empty() ? Dtype{0} : dtype_of_numpy(at(args.items.front()).text);
}

void PickleCalls::built(Place object, Place state) {
  Value& of = out_.values_[object];
  if (of.kind != Kind::object) return;
  const std::string_view name = named(of.items[0]);
  constexpr std::size_t parts = 5;  // a NumPy array's state: version, shape, dtype, order, bytes
  if (name.starts_with("numpy") && last_of(name) == "_reconstruct" && at(state).items.size() == parts)
    if (const Dtype dtype = dtype_of_array(at(state).items[2]); dtype != 0) {
      const Value tensor = at(bare_tensor(dtype, at(state).items[1]));
      out_.values_[object] = tensor;
      return;
    }
  of.items.push_back(state);
}

/// Makes a dict from a call's arguments. Old files build an OrderedDict from a list of pairs.
Pickle::Place PickleCalls::dict_of(std::span<const Place> args) {
  std::vector<Place> items;
  for (const Place arg : args) {
    if (at(arg).kind != Kind::sequence) continue;
    work(at(arg).items.size());
    for (const Place pair : at(arg).items)
      if (at(pair).kind == Kind::sequence && at(pair).items.size() == 2)
        items.insert(items.end(), at(pair).items.begin(), at(pair).items.end());
  }
  return out_.add({.kind = Kind::dict, .items = std::move(items)});
}

void PickleCalls::note_unknown(std::string_view module, std::string_view name) {
  constexpr std::size_t most = 20;
  const std::string_view package = module.substr(0, module.find('.'));
  if (std::find(std::begin(own_modules), std::end(own_modules), package) != std::end(own_modules)) return;
  std::string full = concat({module, module.empty() ? "" : ".", name.empty() ? "something without a name" : name});
  if (!is_utf8(full)) full = "something without a readable name";
  full = std::string(clipped(full, 100));
  if (out_.unknown_.size() < most && std::find(out_.unknown_.begin(), out_.unknown_.end(), full) == out_.unknown_.end())
    out_.unknown_.push_back(std::move(full));
}

std::vector<std::uint64_t> PickleCalls::integers(Place place) const {
  std::vector<std::uint64_t> out;
  for (const Place item : at(place).items) {
    if (at(item).kind != Kind::integer || at(item).negative) refuse_file("A tensor's shape is not a list of sizes.");
    out.push_back(at(item).number);
    if (out.size() > most_rank) refuse_file("A tensor has more than 64 dimensions.");
  }
  return out;
}

Pickle::Place PickleCalls::tensor_of(std::span<const Place> args, Dtype dtype) {
  const Value& storage = at(args[0]);
  if (storage.kind != Kind::storage || at(args[1]).kind != Kind::integer) return out_.add({Kind::other});
  PickledTensor tensor;
  tensor.storage = static_cast<std::size_t>(storage.number);
  tensor.dtype = dtype != 0 ? dtype : out_.storages_[tensor.storage].dtype;
  tensor.offset = at(args[1]).number;
  tensor.shape = integers(args[2]);
  tensor.stride = integers(args[3]);
  return kept(std::move(tensor));
}

Pickle::Place PickleCalls::bare_tensor(Dtype dtype, Place shape) {
  PickledTensor tensor;
  tensor.dtype = dtype;
  tensor.shape = integers(shape);
  return kept(std::move(tensor));
}

Pickle::Place PickleCalls::kept(PickledTensor tensor) {
  out_.tensors_.push_back(std::move(tensor));
  return out_.add({Kind::tensor, false, out_.tensors_.size() - 1});
}

Pickle::Place PickleCalls::persistent(Place id) {
  const std::span<const Place> parts = at(id).items;
  // Old files store a module's class as a tuple with its source code.
  if (parts.size() > 1 && at(parts[0]).text == "module") return parts[1];
  if (parts.size() < 5 || at(parts[0]).text != "storage" || at(parts[4]).kind != Kind::integer) return out_.add({Kind::other});
  const std::string_view key = at(parts[2]).text;
  const std::size_t found = out_.storage_index_.intern(key, out_.storages_.size(), [&](std::size_t i) { return out_.storages_[i].key; });
  if (found == out_.storages_.size()) {
    const std::string_view own = last_of(named(parts[1]));
    PickledStorage storage{key, 0, at(parts[4]).number};
    for (const StorageType& type : storage_types)
      if (own == type.name) storage.dtype = dtype_spelled(type.dtype);
    out_.storages_.push_back(storage);
  }
  return out_.add({Kind::storage, false, found});
}

}  // namespace param_ledger
