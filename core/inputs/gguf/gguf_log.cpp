// Source: llama.cpp, src/llama-model-loader.cpp and llama_model::print_info.

#include "core/inputs/gguf/gguf_log.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "core/inputs/gguf/gguf_config.hpp"
#include "core/inputs/text/tables.hpp"
#include "core/json/json_text.hpp"
#include "core/json/value_text.hpp"
#include "core/model/totals.hpp"
#include "core/support/characters.hpp"
#include "core/support/error.hpp"
#include "core/support/parse.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

[[noreturn]] void refuse(std::string message) { throw Error{ErrorCode::unsupported, "", std::move(message)}; }

/// A hyperparameter's label in the output of print_info or print_meta, and its GGUF key (without the architecture's prefix).
struct Printed {
  std::string_view name, key;
};
constexpr Printed printed[] = {{"n_embd", "embedding_length"},
                               {"n_layer", "block_count"},
                               {"n_head", "attention.head_count"},
                               {"n_head_kv", "attention.head_count_kv"},
                               {"n_ff", "feed_forward_length"},
                               {"n_vocab", "vocab_size"},
                               {"n_ctx_train", "context_length"},
                               {"n_swa", "attention.sliding_window"},
                               {"n_embd_head_k", "attention.key_length"},
                               {"n_embd_head_v", "attention.value_length"},
                               {"n_expert", "expert_count"},
                               {"n_expert_used", "expert_used_count"},
                               {"ssm_d_conv", "ssm.conv_kernel"},
                               {"ssm_d_inner", "ssm.inner_size"},
                               {"ssm_d_state", "ssm.state_size"},
                               {"ssm_dt_rank", "ssm.time_step_rank"}};

/// Tensors whose presence determines configuration fields, but which the log does not list. `possible_configs` tries configurations with
/// and without them.
constexpr std::string_view switches[] = {"output.weight",
                                         "blk.[0-1].attn_q.bias",
                                         "blk.[0-1].attn_q_norm.weight",
                                         "blk.[0-1].attn_qkv.bias",
                                         "blk.[0-1].ffn_up.bias",
                                         "blk.[0-1].attn_output.bias",
                                         "blk.[0-1].ssm_in.bias",
                                         "blk.[0-1].ssm_conv1d.bias",
                                         "blk.[0-1].attn_norm_2.weight",
                                         "blk.[0-1].ffn_norm.weight",
                                         "blk.[0-1].exp_probs_b.bias"};

/// Parses an integer. Booleans become 1 or 0.
std::optional<std::uint64_t> number_of(std::string_view text) {
  if (text == "true") return 1;
  if (text == "false") return 0;
  return integer_written(text);
}

/// The metadata that a llama.cpp log shows.
struct Log {
  GgufHead head;
  std::vector<std::pair<std::string, std::string>> second;  ///< labels and values from the lines of print_info or print_meta
  std::uint64_t tensors = 0;                                ///< the number of tensors that the log reports; 0 if the log does not report it

  void add(std::string_view key, std::string_view text, std::optional<std::uint64_t> number, std::uint64_t length) {
    constexpr std::size_t most_values = 2000;
    if (head.values.size() >= most_values) return;
    const std::size_t at =
        head.index.intern(key, head.values.size(), [&](std::size_t i) -> std::string_view { return head.values[i].key; });
    if (at < head.values.size()) return;
    GgufValue value{std::string(key), std::string(text), {}, length};
    if (number) value.integers.push_back(*number);
    head.values.push_back(std::move(value));
  }

  explicit Log(std::string_view text) {
    each_line(text, [&](std::string_view line, std::uint64_t) {
      read(line);
      return true;
    });
    const std::string architecture(head.architecture());
    for (const auto& line : second) {
      const std::string &name = line.first, &value = line.second;
      if (name == "arch" && architecture.empty()) add("general.architecture", value, std::nullopt, 0);
      const auto* const known = std::find_if(std::begin(printed), std::end(printed), [&](const Printed& p) { return p.name == name; });
      const std::string_view of = architecture.empty() ? head.architecture() : std::string_view(architecture);
      if (known == std::end(printed) || of.empty()) continue;
      const std::string key = concat({of, ".", known->key});
      const std::optional<std::uint64_t> number = number_of(value);
      // A value that is not a number is a list with one number per layer, which is not supported.
      if (head.find(key) == nullptr && !number) refuse(concat({name, " is ", quoted(value), ". Give the file, or its config.json."}));
      if (head.find(key) == nullptr && (*number > 0 || known->key == "attention.head_count_kv")) add(key, "", number, 0);
    }
    // The embedding table has one row per token.
    const GgufValue* const tokens = head.find("tokenizer.ggml.tokens");
    if (tokens != nullptr && tokens->length > 0) add(concat({head.architecture(), ".vocab_size"}), "", tokens->length, 0);
  }

  void read(std::string_view line) {
    constexpr std::string_view value_mark = "- kv ",
                               list_mark = "print_meta: ", info_mark = "print_info: ", count_mark = "key-value pairs and ";
    if (const std::size_t at = line.find(value_mark); at != std::string_view::npos) {
      const std::size_t colon = line.find(':', at), equals = line.find(" = ", at);
      if (colon == std::string_view::npos || equals == std::string_view::npos || colon > equals) return;
      const std::string_view named = trimmed(line.substr(colon + 1, equals - colon - 1));
      const std::string_view key = named.substr(0, named.find(' ')), type = trimmed(named.substr(key.size()));
      const std::string_view value = trimmed(line.substr(equals + 3));
      std::uint64_t length = 0;
      if (const std::size_t comma = type.find(','); type.starts_with("arr[") && comma != std::string_view::npos)
        length = integer_written(type.substr(comma + 1, type.find(']') - comma - 1)).value_or(0);
      add(key, type == "str" ? value : std::string_view(), length > 0 ? std::nullopt : number_of(value), length);
      // For these keys, a list has one value per layer. The log truncates long lists, so the values of some layers may be unknown.
      if (length > 0 && !holds(type, "str") &&
          (key.ends_with("head_count") || key.ends_with("head_count_kv") || key.ends_with("feed_forward_length")))
        refuse(concat({key, " has a value for each layer. Give the file, or its config.json."}));
      return;
    }
    for (const std::string_view mark : {list_mark, info_mark}) {
      const std::size_t at = line.find(mark), equals = line.find('=', std::min(at, line.size()));
      if (at == std::string_view::npos || equals == std::string_view::npos) continue;
      constexpr std::size_t most_lines = 1000;
      if (second.size() < most_lines)
        second.emplace_back(trimmed(line.substr(at + mark.size(), equals - at - mark.size())), trimmed(line.substr(equals + 1)));
    }
    if (const std::size_t at = line.find(count_mark); at != std::string_view::npos) {
      const std::string_view behind = line.substr(at + count_mark.size());
      tensors = integer_written(behind.substr(0, behind.find(' '))).value_or(0);
    }
  }

  [[nodiscard]] std::string_view said(std::string_view name) const {
    const auto found = std::find_if(second.begin(), second.end(), [&](const auto& line) { return line.first == name; });
    return found == second.end() ? std::string_view() : std::string_view(found->second);
  }
};

/// Whether a text such as "8.03 B" equals `parameters`, rounded to two decimals.
bool agrees(std::string_view said, Count parameters) {
  const std::size_t point = said.find('.');
  if (point == std::string_view::npos || said.size() < point + 5) return false;
  const std::optional<std::uint64_t> whole_part = integer_written(said.substr(0, point)),
                                     hundredths = integer_written(said.substr(point + 1, 2));
  const char unit = said[point + 4];
  const Count size = unit == 'T' ? 1'000'000'000'000 : unit == 'B' ? 1'000'000'000 : unit == 'M' ? 1'000'000 : 0;
  if (!whole_part || !hundredths || size == 0) return false;
  const Count middle = size / 100 * (100 * *whole_part + *hundredths), half = size / 200 + 1;
  return parameters + half >= middle && parameters <= middle + half;
}

/// The distinct configurations that the metadata gives with each combination of those tensors in `switches` that affect the fields.
std::vector<std::string> possible_configs(const GgufHead& head) {
  const auto config_with = [&](const std::vector<std::string_view>& names) {
    std::vector<ListedRow> rows;
    for (const std::string_view name : names) rows.emplace_back().name = name;
    return gguf_config(head, rows);
  };
  std::vector<std::string_view> of_architecture;
  const std::string plain = config_with({});
  for (const std::string_view name : switches)
    if (config_with({name}) != plain) of_architecture.push_back(name);
  std::vector<std::string> out;
  for (std::size_t bits = 0; bits < std::size_t{1} << of_architecture.size(); ++bits) {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < of_architecture.size(); ++i)
      if ((bits >> i & 1U) != 0) names.push_back(of_architecture[i]);
    std::string config = config_with(names);
    if (std::find(out.begin(), out.end(), config) == out.end()) out.push_back(std::move(config));
  }
  return out;
}

/// Whether the model has as many tensors and parameters as the log reports. Numbers that the log does not report are not compared.
bool fits(const Log& log, std::string_view architecture, const Model& model) {
  constexpr Count most_added = 2;  // at most two tensors of RoPE factors, which only the converter adds
  const Count tensors = converted_tensors(architecture, model);
  if (log.tensors > 0 && (log.tensors < tensors || log.tensors > tensors + most_added)) return false;
  const std::string_view parameters = log.said("model params");
  return parameters.empty() || agrees(parameters, totals_of(model.builder.rows()).parameter_sum);
}

bool is_log(std::string_view text) {
  const auto says = [&](std::string_view word) { return holds(text, word); };
  return text.size() <= largest_text && (says("llama_model_loader: ") || says("print_meta: ") || says("print_info: ")) &&
         !is_gguf_dump(text);
}

}  // namespace

std::optional<ConfigText> gguf_log_in(std::string_view text) {
  if (!is_log(text)) return std::nullopt;
  const Log log(text);
  const std::string_view architecture = log.head.architecture();
  if (architecture.empty()) return std::nullopt;
  if (!knows_gguf_names(architecture))
    refuse(concat({"The original model type of the architecture ", quoted(architecture), " is not known."}));
  const std::vector<std::string> possible = possible_configs(log.head);
  std::vector<std::string> found;
  std::optional<Error> doubt;
  for (const std::string& config : possible) {
    std::optional<Error> refusal = try_count(config, [&](const Model& model) {
      if (fits(log, architecture, model)) found.push_back(config);
    });
    if (refusal) doubt = std::move(refusal);
  }
  const bool is_checked = log.tensors > 0 || !log.said("model params").empty();
  if (found.size() == 1 && (possible.size() == 1 || is_checked)) return ConfigText{found.front(), "log"};
  if (possible.size() == 1 && doubt) throw Error(*doubt);
  refuse(found.empty() ? "The metadata in this log does not give the number of tensors that it reports. Give the file, or its config.json."
                       : "This log leaves open whether the head is tied, or which biases there are. Give the file, or its config.json.");
}

}  // namespace param_ledger
