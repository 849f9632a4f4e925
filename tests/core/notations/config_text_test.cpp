// Reads configurations in Python, YAML and other notations. Each must be converted to the right JSON, give the right count, or be refused.

#include <algorithm>

#include "tests/support/reading.hpp"

namespace param_ledger::test {

namespace {

/// The configuration found in a text, as JSON. If there is none, the whole answer.
Json config_of_text(const std::string& text) {
  const Json reading = reading_of(text);
  if (reading.value("kind", "") != "config" || !reading.contains("text")) return reading;
  return parsed(reading.at("text").get<std::string>());
}

std::string refusal_of(const std::string& text) {
  const Json reading = reading_of(text);
  return reading.at("ok").get<bool>()
             ? reading.dump()
             : reading.at("error").at("field").get<std::string>() + ": " + reading.at("error").at("message").get<std::string>();
}

}  // namespace

TEST_CASE("a configuration that Python printed is read inside other text", "[notations]") {
  const Json wanted = {{"model_type", "llama"}, {"hidden_size", 64}, {"rope_theta", 10000.0}, {"tie_word_embeddings", true}};
  const std::string object =
      "{\n  \"model_type\": \"llama\",\n  \"hidden_size\": 64,\n  \"rope_theta\": 10000.0,\n  \"tie_word_embeddings\": true\n}";
  for (const std::string& text :
       {"LlamaConfig " + object, "LlamaConfig " + object + "\n", ">>> model.config\nLlamaConfig " + object + "\n>>> ",
        "INFO:transformers:Model config LlamaConfig " + object + "\nloading weights", "transformers.LlamaConfig " + object,
        "Here it is:\n\n" + object + "\nThanks!"}) {
    CAPTURE(text);
    CHECK(config_of_text(text) == wanted);
  }
}

TEST_CASE("configurations in Python code are read", "[notations]") {
  const Json wanted = {{"model_type", "llama"}, {"hidden_size", 4096}, {"rms_norm_eps", 1e-5}, {"rope_scaling", nullptr}};
  for (const std::string text :
       {"LlamaConfig(hidden_size=4096, rms_norm_eps=1e-5, rope_scaling=None)",
        "from transformers import LlamaConfig\nconfig = LlamaConfig(\n    hidden_size=4_096,  # wide\n    rms_norm_eps=1e-05,\n    "
        "rope_scaling=None,\n)\n",
        ">>> config = transformers.LlamaConfig(hidden_size=4096,\n...     rms_norm_eps=.00001, rope_scaling = None)\n",
        "{'model_type': 'llama', 'hidden_size': 4096, 'rms_norm_eps': 1e-5, 'rope_scaling': None,}",
        "cfg = dict(model_type='llama', hidden_size=4096, rms_norm_eps=1e-5, rope_scaling=None)",
        "cfg: dict = {\"model_type\": \"llama\", \"hidden_size\": np.int64(4096), \"rms_norm_eps\": (1e-5), \"rope_scaling\": None}"}) {
    CAPTURE(text);
    CHECK(config_of_text(text) == wanted);
  }
  CHECK(config_of_text("LlamaConfig()") == Json{{"model_type", "llama"}});
  CHECK(config_of_text("model = LlamaModel(LlamaConfig(vocab_size=10))") ==
        parsed(R"({"architectures": ["LlamaModel"], "model_type": "llama", "vocab_size": 10})"));
  CHECK(config_of_text("from transformers import LlamaModel, LlamaForCausalLM\nLlamaConfig(vocab_size=10)") ==
        Json{{"model_type", "llama"}, {"vocab_size", 10}});
}

TEST_CASE("every kind of value is converted to JSON", "[notations]") {
  const auto value = [](const std::string& written) {
    const Json reading = reading_of("{'model_type': 'llama', 'x': " + written + "}");
    if (!reading.contains("text")) return reading.dump();
    const auto text = reading.at("text").get<std::string>();
    const std::string begin = "\"x\": ";
    const std::size_t at = text.find(begin) + begin.size();
    return text.substr(at, text.rfind('\n') - at);
  };
  CHECK(value("True") == "true");
  CHECK(value("torch.bfloat16") == "\"bfloat16\"");
  CHECK(value("torch.dtype('float16')") == "\"float16\"");
  CHECK(value("(1, 2)") == "[1, 2]");
  CHECK(value("(1)") == "1");
  CHECK(value("(1,)") == "[1]");
  CHECK(value("()") == "[]");
  CHECK(value("((1, 2), [3])") == "[[1, 2], [3]]");
  CHECK(value("{0: 'x', 1: \"y\"}") == "{\"0\": \"x\",\"1\": \"y\"}");
  CHECK(value("'it\\'s' ' one'") == "\"it's one\"");
  CHECK(value("\"\"\"a\nb\"\"\"") == "\"a\\nb\"");
  CHECK(value("float('-inf')") == "-Infinity");
  CHECK(value("-math.inf") == "-Infinity");
  CHECK(value("'\\u00e9\\ud83d\\ude00'") == "\"é😀\"");
  CHECK(value("'\\ud83d\\u00e9'") == "\"\xef\xbf\xbdé\"");  // a half of a character becomes U+FFFD
  CHECK(value("-3") == "-3");
  CHECK(value("5.") == "5.0");
  CHECK(value(".5e-3") == "0.5e-3");
  CHECK(value("1_000_000") == "1000000");
  CHECK(value("np.float32(0.5)") == "0.5");
  CHECK(value("nn.GELU(approximate='tanh')") == "\"GELU(approximate='tanh')\"");
  CHECK(value("CLIPVisionConfig(hidden_size=8)") == "{\"model_type\": \"clip_vision_model\",\"hidden_size\": 8}");
  CHECK(value("1, # one\n 'y': 2") == "1,\n  \"y\": 2");
  CHECK(value("1, // one\n /* and */ \"y\": 2") == "1,\n  \"y\": 2");
}

TEST_CASE("values that depend on something outside of the text are refused by name", "[notations]") {
  CHECK(refusal_of("LlamaConfig(hidden_size=width)") == "hidden_size: width is a name that the text does not define.");
  CHECK(refusal_of("LlamaConfig(hidden_size=64 * 32)") == "hidden_size: 64 begins a computation. Give its result.");
  CHECK(refusal_of("LlamaConfig(hidden_size=4096 // 2)") == "hidden_size: 4096 begins a computation. Give its result.");
  CHECK(refusal_of("LlamaConfig(**kwargs)") == ": ** adds values that the text does not give.");
  CHECK(refusal_of("LlamaConfig(text_config=dict(a=int(x)))") == "text_config.a: int(…) is a computation. Give its result.");
  CHECK(refusal_of("config = LlamaConfig(hidden_size=64)\nconfig.num_hidden_layers = 2") ==
        ": config is changed after its definition. Give the final values.");
  CHECK(refusal_of("LlamaConfig(hidden_size=64)\nLlamaConfig(hidden_size=32)") ==
        ": There are several configurations in this text. Give one of them.");
  // None of these texts contains the configuration of a model.
  for (const std::string text : {"LoraConfig(r=16)", "TrainingArguments(output_dir='x')", "x = {'a': 1}",
                                 "def f(LlamaConfig):", "class MyConfig(PretrainedConfig):\n  pass", "hidden: 3\nother: 4",
                                 "How many parameters has LlamaConfig(?)"}) {
    CAPTURE(text);
    CHECK(reading_of(text).value("kind", "") == "other");
  }
  // A broken config.json is refused as JSON.
  CHECK_FALSE(reading_of("{\"model_type\": \"llama\",,}").contains("text"));
}

TEST_CASE("dicts and classes from courses are counted as what they build", "[notations]") {
  // The number in the book "Build a Large Language Model (From Scratch)": 163 million with an untied head.
  const std::string course = R"(GPT_CONFIG_124M = {
    "vocab_size": 50257,    # Vocabulary size
    "context_length": 1024, # Context length
    "emb_dim": 768,         # Embedding dimension
    "n_heads": 12,          # Number of attention heads
    "n_layers": 12,         # Number of layers
    "drop_rate": 0.1,       # Dropout rate
    "qkv_bias": False       # Query-Key-Value bias
})";
  CHECK(parameters_of(course) == "163009536");
  // nanoGPT's code builds 124,475,904 parameters with biases and 50,304 tokens. Its log of a training without biases says 123.59M, which
  // also leaves out positions.
  CHECK(parameters_of("GPTConfig(block_size=1024, vocab_size=50304, n_layer=12, n_head=12, n_embd=768, dropout=0.0, bias=True)") ==
        "124475904");
  CHECK(
      parameters_of("@dataclass\nclass GPTConfig:\n    block_size: int = 1024\n    vocab_size: int = 50304 # padded\n    n_layer: int = "
                    "12\n    n_head: int = 12\n"
                    "    n_embd: int = 768\n    dropout: float = 0.0\n    bias: bool = False # a bit better\n\nclass GPT(nn.Module):\n") ==
      std::to_string(123587328 + 1024 * 768));
  CHECK(refusal_of(
            "class GPTConfig:\n    block_size: int = 1024\n    n_layer: int = LAYERS\n    n_head: int = 12\n    n_embd: int = 768\n") ==
        "n_layer: LAYERS is a name that the text does not define.");
}

TEST_CASE("YAML is read as PyYAML reads it", "[notations]") {
  // litgpt's model_config.yaml of TinyLlama. The published files hold 1,100,048,384 parameters.
  CHECK(parameters_of(R"(attention_logit_softcapping: null
bias: false
block_size: 2048
first_k_dense_replace: null
gelu_approximate: none
head_size: 64
hf_config:
  name: TinyLlama-1.1B-Chat-v1.0
  org: TinyLlama
intermediate_size: 5632
lm_head_bias: false
mlp_class_name: LLaMAMLP
n_embd: 2048
n_expert: 0
n_expert_per_token: 0
n_head: 32
n_layer: 22
n_query_groups: 4
name: tiny-llama-1.1b-chat
norm_class_name: RMSNorm
norm_eps: 1.0e-05
padded_vocab_size: 32000
padding_multiple: 64
parallel_residual: false
rope_base: 10000
rope_condense_ratio: 1
rotary_percentage: 1.0
scale_embeddings: false
shared_attention_norm: false
sliding_window_size: null
vocab_size: 32000
)") == "1100048384");
  // litgpt recognises OLMo by its name. OLMo's 33 norms of 2,048 dimensions have neither weights nor biases. By hand: 2 · 50,304 · 2,048 +
  // 16 · (4 · 2,048² + 3 · 2,048 · 8,192).
  const std::string olmo = R"(hf_config:
  name: OLMo-1B-hf
  org: allenai
bias: false
block_size: 2048
intermediate_size: 8192
mlp_class_name: LLaMAMLP
n_embd: 2048
n_head: 16
n_layer: 16
n_query_groups: 16
name: OLMo-1B-hf
norm_class_name: LayerNorm
padded_vocab_size: 50304
padding_multiple: 512
parallel_residual: false
vocab_size: 50280
)";
  CHECK(parameters_of(olmo) == "1279787008");
  CHECK(
      config_of_text("# a comment\n---\nmodel_type: llama   # the type\nsizes: [1, 2,\n  3]\nnested:\n  'a b': ~\n  c:\n  - x\n  - y: 1\n  "
                     "  z: yes\n\"q\": {k: 1, l: \"m\"}\nt: |\n  two\n  "
                     "lines\ns: 'it''s'\nf: 1e3\nh: a:b\ni: 1_000\n") ==
      parsed(
          R"({"model_type": "llama", "sizes": [1, 2, 3], "nested": {"a b": null, "c": ["x", {"y": 1, "z": true}]}, "q": {"k": 1, "l": "m"},
                   "t": "  two\n  lines\n", "s": "it's", "f": 1e3, "h": "a:b", "i": 1000})"));
  // A list may be indented like its key, as PyYAML writes it.
  CHECK(config_of_text("model_type: gemma2\nkinds:\n- 1\n- a: 2\n  b:\n  - 3\n  c: 4\n-\nafter: 5\nlast:\n- 6\n") ==
        parsed(R"({"model_type": "gemma2", "kinds": [1, {"a": 2, "b": [3], "c": 4}, null], "after": 5, "last": [6]})"));
  for (const std::string text : {"model_type: llama\na: &x 1", "model_type: llama\na: *x", "model_type: llama\na: !!python/tuple [1]",
                                 "model_type: llama\n  b: 1", "model_type: llama\n\tb: 1", "model_type: llama\nvocab_size: 010",
                                 "model_type: llama\na:\n  - 1\n  b: 2", "model_type: llama\n---\nmodel_type: gpt2"}) {
    CAPTURE(text);
    CHECK(reading_of(text).value("kind", "") == "other");
  }
}

TEST_CASE("a configuration is read in UTF-16 and with any line ends", "[notations]") {
  const std::string text = "LlamaConfig(\n  hidden_size=64, # é\n  vocab_size=10\n)";
  const Json wanted = {{"model_type", "llama"}, {"hidden_size", 64}, {"vocab_size", 10}};
  std::string little = "\xff\xfe", big = "\xfe\xff", carriage = text;
  std::replace(carriage.begin(), carriage.end(), '\n', '\r');
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::uint32_t code = static_cast<unsigned char>(text[i]);
    if (code == 0xc3) code = 0xe9, ++i;
    (little += static_cast<char>(code)) += '\0';
    (big += '\0') += static_cast<char>(code);
  }
  CHECK(config_of_text(little) == wanted);
  CHECK(config_of_text(big) == wanted);
  CHECK(config_of_text(carriage) == wanted);
  const std::string json = R"({"model_type": "llama"})";
  std::string wide = "\xff\xfe";
  for (const char c : json) (wide += c) += '\0';
  CHECK(config_of_text(wide) == parsed(json));
}

}  // namespace param_ledger::test
