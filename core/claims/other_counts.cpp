#include "core/claims/other_counts.hpp"

#include <algorithm>

#include "core/builder/row_names.hpp"
#include "core/json/json_fields.hpp"
#include "core/json/json_text.hpp"
#include "core/memory/adapter.hpp"
#include "core/memory/packing.hpp"
#include "core/model/module_renames.hpp"
#include "core/model/quantized_files.hpp"
#include "core/support/parse.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

Count all_parameters(const std::vector<Row>& rows) {
  Count out = 0;
  for (const Row& row : rows)
    if (row.kind == Kind::parameter) out = add(out, row.total.peek());
  return out;
}

Count ceil_of(Count a, Count b) { return (a + b - 1) / b; }

/// How a loader or a file packs the weights of a rows × width matrix, and how many elements the result has.
struct Way {
  std::string_view id;
  std::string_view label;
  std::string_view method;  ///< quant_method in quantization_config; empty for MLX, which has none
  // a reference, because a 128-bit argument would need extra glue code in a call through a pointer
  Count (*elements)(const Matrix& m, const Count& group);
  /// How many consecutive weights share a scale, unless the configuration gives another group size; 0: scales are not counted.
  Count group;
  unsigned least_digits;  ///< a stated number needs at least this many digits, because fewer could match by chance
  enum Rows : std::uint8_t { layers, tables_too, stacked } of = layers;
  Count unknown = 0;  ///< upper bound for additional elements in each matrix
};

Count of_each(const Matrix& m, Count each) { return multiply(m.count, each); }

Count halves(const Matrix& m, const Count& /*group*/) { return of_each(m, ceil_of(multiply(m.rows, m.width), 2)); }

/// With a 16-bit bnb_4bit_quant_storage, which lets FSDP shard the weights, four 4-bit numbers are stored as one element.
Count quarters(const Matrix& m, const Count& /*group*/) { return of_each(m, ceil_of(multiply(m.rows, m.width), 4)); }

/// A matrix in bitsandbytes' files with nested scales: the packed numbers, an 8-bit scale for each 64 of them, a scale for each 256 of
/// these scales, and two tables of 256 and 16 values.
Count nested_file(const Matrix& m, const Count& group) {
  const Count scales = ceil_of(multiply(m.rows, m.width), group);
  return add(halves(m, 0), of_each(m, scales + ceil_of(scales, 256) + 256 + 16));
}

Count plain_file(const Matrix& m, const Count& group) {
  return add(halves(m, 0), of_each(m, ceil_of(multiply(m.rows, m.width), group) + 16));
}

/// A matrix in AWQ's files: 32-bit words of eight numbers, packed zero points, and a scale for each group and output.
Count awq_file(const Matrix& m, const Count& group) {
  const Count groups = group == 0 ? 1 : ceil_of(m.width, group);
  return of_each(m, ceil_of(multiply(m.rows, m.width), 8) + multiply(groups, ceil_of(m.rows, 8)) + multiply(groups, m.rows));
}

/// A matrix in GPTQ's files: as in AWQ's, plus the group index of each input.
Count gptq_file(const Matrix& m, const Count& group) { return add(awq_file(m, group), of_each(m, m.width)); }

/// A matrix in MLX's files: 32-bit words of eight numbers, and a scale and a bias for each group of a row.
Count mlx_file(const Matrix& m, const Count& group) {
  return of_each(m, add(ceil_of(multiply(m.rows, m.width), 8), multiply(2 * m.rows, ceil_of(m.width, group))));
}

/// A matrix in NVFP4 files: bytes of two numbers, an 8-bit scale for each 16 numbers, one scale for all weights and one for the inputs.
Count nvfp4_file(const Matrix& m, const Count& group) {
  return add(halves(m, 0), of_each(m, multiply(m.rows, ceil_of(m.width, group)) + 2));
}

Count mxfp4_file(const Matrix& m, const Count& group) { return add(halves(m, 0), of_each(m, multiply(m.rows, ceil_of(m.width, group)))); }

constexpr Way ways[] = {
    {"bitsandbytes_4bit", "linear layers counted as bytes of two 4-bit numbers (bitsandbytes)", "bitsandbytes", halves, 0, 3},
    {"bitsandbytes_4bit_in_16", "linear layers counted as 16-bit numbers of four 4-bit numbers (bitsandbytes, bnb_4bit_quant_storage)",
     "bitsandbytes", quarters, 0, 4},
    {"bitsandbytes_4bit_file", "linear layers stored as bytes of two 4-bit numbers, with nested scales (bitsandbytes)", "bitsandbytes",
     nested_file, 64, 3, Way::layers, 256},
    {"bitsandbytes_4bit_plain_file", "linear layers stored as bytes of two 4-bit numbers, with scales (bitsandbytes)", "bitsandbytes",
     plain_file, 64, 5, Way::layers, 256},
    {"gptq_4bit", "linear layers stored as words of eight 4-bit numbers, with scales (GPTQ)", "gptq", gptq_file, 128, 4},
    {"awq_4bit", "linear layers stored as words of eight 4-bit numbers, with scales (AWQ)", "awq", awq_file, 128, 4},
    {"mlx_4bit", "matrices and tables stored as words of eight 4-bit numbers, with scales and biases (MLX)", "", mlx_file, 64, 4,
     Way::tables_too},
    {"nvfp4", "linear layers stored as bytes of two 4-bit numbers, with scales (NVFP4)", "modelopt", nvfp4_file, 16, 4},
    {"mxfp4", "experts stored as bytes of two 4-bit numbers, with scales (MXFP4)", "mxfp4", mxfp4_file, 32, 3, Way::stacked},
};

bool is_packed(const Way& way, const Row& row) {
  if (row.kind != Kind::parameter) return false;
  if (way.of == Way::stacked) return row.in_text(Part::feed_forward) && row.shape.size() == 3;
  if (way.of == Way::layers) return in_few_bits(row);
  return (row.storage == StorageKind::matrix || row.storage == StorageKind::table) && row.shape.size() > 1 && !row.in_tower() &&
         matrix_of(row).width % way.group == 0;
}

bool fits(const Way& way, Json quantization) {
  const std::string_view method = word_in(quantization, "quant_method");
  const Count bits = number_in(quantization, "bits", 4);
  if (bits != 4 || (way.method == "bitsandbytes" && !flag_in(quantization, "load_in_4bit"))) return false;
  const bool in_16 = is_one_of(word_in(quantization, "bnb_4bit_quant_storage"), {"bfloat16", "float16"});
  if ((way.elements == quarters && !in_16) || (way.elements == halves && in_16)) return false;
  return way.method == method;
}

OtherCount packed_count(const Model& model, const Way& way, Json quantization) {
  const std::vector<Row>& rows = model.builder.rows();
  const Count group = quantization && way.group > 0 ? number_in(quantization, "group_size", way.group) : way.group;
  const std::vector<Count> converted = converted_copies(quantization, rows);
  OtherCount out;
  Count before = 0, after = 0, matrices = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!is_packed(way, rows[i]) || converted[i] == 0) continue;
    const Matrix m = way.of == Way::stacked ? matrix_of(rows[i]) : unpacked_matrix_of(rows[i]);
    const Count packed = multiply(way.elements(m, group), converted[i]), whole = multiply(rows[i].elements.peek(), converted[i]);
    before = add(before, whole);
    after = add(after, packed);
    matrices = add(matrices, multiply(m.count, converted[i]));
    const Count total = rows[i].total.peek();
    out.rows.push_back({std::string(rows[i].name), total - whole + packed, total});
  }
  if (before == 0 || after >= before) return {};
  out.sum = all_parameters(rows) - before + after;
  out.high = add(out.sum, multiply(way.unknown, matrices));
  out.taken.push_back({way.id, std::string(way.label), Taken::packing, false, before - after});
  out.least_digits = quantization ? 2 : way.least_digits;
  out.cost = quantization ? 0 : 1;
  return out;
}

struct ModuleSet {
  std::vector<TensorRole> roles;
  unsigned usual;
};

using enum TensorRole;
const ModuleSet module_sets[] = {
    {{query, value}, 0},
    {{query, key, value, output}, 0},
    {{query_key_value}, 0},
    {{query, key, value, query_key_value, output, gate, up, gate_and_up, down}, 0},
    {{query, key, value}, 1},
    {{query, key, value, query_key_value, output, gate, up, gate_and_up, down, TensorRole::head}, 1},
    {{query_key_value, output}, 1},
    {{query, key}, 1},
    {{query}, 1},
    {{gate, up, gate_and_up, down}, 1},
    {{query, key, value, query_key_value, output, gate, up, gate_and_up}, 1},
};

/// The names that adapters use for the modules with these roles.
std::vector<std::string> modules_with(const Model& model, const std::vector<TensorRole>& roles) {
  const std::vector<const ModuleRename*> renames = module_renames(model.choice.family->model_type);
  std::vector<std::string> out;
  for (const Row& row : model.builder.rows()) {
    const bool linear = row.storage == StorageKind::matrix || row.role == TensorRole::head;
    if (row.in_tower() || row.kind != Kind::parameter || !linear || row.shape.size() != 2) continue;
    if (std::find(roles.begin(), roles.end(), row.role) == roles.end()) continue;
    const std::string module = renamed(renames, std::string(without_weight(row.name)));
    std::string leaf = module.substr(module.rfind('.') + 1);
    if (std::find(out.begin(), out.end(), leaf) == out.end()) out.push_back(std::move(leaf));
  }
  return out;
}

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) out += concat({i == 0 ? "" : i + 1 == names.size() ? " and " : ", ", names[i]});
  return out;
}

/// The number of parameters that an adapter of rank 1 trains; 0 if peft refuses the adapter or if its behaviour is not known.
Count trained_per_rank(const Model& model, const std::string& modules) {
  const Document request(concat({R"({"r":1,"target_modules":)", modules, "}"}));
  Adapter adapter(model, {}, request.root());
  Count out = 0;
  for (const Row& row : model.builder.rows()) {
    const Adapted adapted = adapter.of(row);
    for (const Trained& t : adapted.tensors) out = add(out, multiply(adapted.copies, t.elements()));
  }
  return adapter.refusal().empty() ? out : 0;
}

}  // namespace

std::string label_of(const UnitAdapter& adapter, std::size_t rank) {
  return concat({"LoRA of rank ", digits(adapter_ranks[rank]), " on ", adapter.modules});
}

Count published_count(const Model& model, Json root) {
  if (quantization_of(root).json) return 0;
  return RowTallies(model).sum({.published = true});
}

const Count adapter_ranks[17] = {8, 16, 32, 64, 128, 1, 2, 4, 6, 10, 12, 20, 24, 48, 96, 256, 512};

std::vector<OtherCount> packed_counts(const Model& model, Json root) {
  const Json quantization = quantization_of(root).json;
  std::vector<OtherCount> out;
  for (const Way& way : ways) {
    if (quantization && !fits(way, quantization)) continue;
    OtherCount count = packed_count(model, way, quantization);
    if (count.taken.empty()) continue;
    if (way.elements == halves) {  // the parameters that stay trainable after loading
      OtherCount rest;
      rest.trainable = true;
      rest.least_digits = 5;
      const Count all = all_parameters(model.builder.rows());
      Count packed = 0;
      for (const RowShare& row : count.rows) {
        packed = add(packed, row.usual);
        rest.rows.push_back({row.name, 0, row.usual});
      }
      rest.sum = rest.high = all - packed;
      rest.taken.push_back({"unpacked", "linear layers, which a 4-bit loader freezes", Taken::packing, false, packed});
      out.push_back(std::move(rest));
    }
    out.push_back(std::move(count));
  }
  return out;
}

std::vector<UnitAdapter> unit_adapters(const Model& model) {
  std::vector<UnitAdapter> out;
  const auto put = [&](std::string modules, const std::string& request, unsigned usual) {
    const Count each = trained_per_rank(model, request);
    const auto same = [&](const UnitAdapter& a) { return a.each == each; };
    if (each > 0 && std::none_of(out.begin(), out.end(), same)) out.push_back({std::move(modules), each, usual});
  };
  put("all linear layers", R"("all-linear")", 0);
  for (const ModuleSet& set : module_sets) {
    const std::vector<std::string> names = modules_with(model, set.roles);
    // Skip a set whose attention projections this model does not have: separate projections if the model fuses them, or a fused one if it
    // does not.
    const TensorRole first = set.roles.front();
    const bool both = first == query && std::find(set.roles.begin(), set.roles.end(), query_key_value) != set.roles.end();
    const bool attends = first == query || first == query_key_value;
    if (names.empty() || (attends && !both && modules_with(model, {first}).empty())) continue;
    std::string request;
    for (const std::string& name : names) request += concat({request.empty() ? "[\"" : ",\"", name, "\""});
    put(listed(names), request + "]", set.usual);
  }
  return out;
}

namespace {

/// Adds the counts of an encoder with the dense modules that sentence-transformers and PyLate put after it. `width` is the encoder's hidden
/// size.
void put_dense_modules(std::vector<OtherCount>& out, const Count& all, const Count& width) {
  const auto put = [&](std::string label, const Count& own) {
    OtherCount dense;
    dense.taken.push_back({"dense_modules", std::move(label), Taken::head, true, own});
    dense.sum = dense.high = add(all, own);
    dense.least_digits = 0;
    out.push_back(std::move(dense));
  };
  const auto sizes = [](const Count& from, const Count& to) { return concat({grouped_digits(from), " to ", grouped_digits(to)}); };
  for (const Count to : {width, Count{96}, Count{128}, Count{256}, Count{512}, Count{768}, Count{1024}}) {
    const Count weight = multiply(width, to);
    put(concat({"dense module of ", sizes(width, to), ", without bias"}), weight);
    put(concat({"dense module of ", sizes(width, to)}), add(weight, to));
  }
  put(concat({"dense modules of ", sizes(width, 4 * width), " and back, without biases"}), multiply(8 * width, width));
}

}  // namespace

std::vector<OtherCount> small_heads(const Model& model) {
  const std::vector<Row>& rows = model.builder.rows();
  Count width = 0, head = 0;
  for (const Row& row : rows) {
    if (row.in_text(Part::embedding) && row.storage == StorageKind::table && row.shape.size() == 2 && width == 0)
      width = row.shape[1].peek();
    if (row.in_text(Part::output_head) && row.kind == Kind::parameter) head = add(head, row.total.peek());
  }
  if (width == 0) return {};
  const Count all = all_parameters(rows);
  std::vector<OtherCount> out;
  const Head of = model.choice.architecture.architecture.head;
  if (of == Head::none || of == Head::encoder) put_dense_modules(out, all, width);
  OtherCount value;
  value.taken.push_back({"value_head", "value head, a linear layer to one number", Taken::head, true, width + 1});
  value.sum = value.high = add(all, width + 1);
  value.least_digits = 0;
  out.push_back(std::move(value));
  OtherCount reward;
  if (head > 0) reward.taken.push_back({"without_head", "output head", Taken::total, false, head});
  reward.taken.push_back({"reward_head", "reward head, a linear layer to one number without bias", Taken::head, true, width});
  reward.sum = reward.high = add(all - head, width);
  reward.least_digits = 0;
  out.push_back(std::move(reward));
  return out;
}

}  // namespace param_ledger
