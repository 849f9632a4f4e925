#include "core/inputs/tensors/dtype.hpp"

#include <algorithm>
#include <iterator>

#include "core/support/characters.hpp"
#include "core/support/count.hpp"

namespace param_ledger {

namespace {

struct Type {
  std::string_view name;   ///< the type's name in safetensors or ggml; a NUL-terminated literal
  std::uint8_t bits;       ///< bits per element; 0 for block formats
  std::string_view torch;  ///< PyTorch's name without "torch.", or another spelling of the type; empty if there is none
  std::uint16_t numbers = 0, bytes = 0;
};

// Sources: safetensors/src/tensor.rs and torch.dtype; ggml-common.h for block formats.
constexpr Type types[] = {
    {"", 0, ""},
    {"BOOL", 8, "bool"},
    {"F4", 4, "float4_e2m1fn_x2"},
    {"F6_E2M3", 6, ""},
    {"F6_E3M2", 6, ""},
    {"U8", 8, "uint8"},
    {"I8", 8, "int8"},
    {"F8_E5M2", 8, "float8_e5m2"},
    {"F8_E4M3", 8, "float8_e4m3fn"},
    {"F8_E8M0", 8, "float8_e8m0fnu"},
    {"F8_E4M3FNUZ", 8, "float8_e4m3fnuz"},
    {"F8_E5M2FNUZ", 8, "float8_e5m2fnuz"},
    {"I16", 16, "int16"},
    {"U16", 16, "uint16"},
    {"F16", 16, "float16"},
    {"BF16", 16, "bfloat16"},
    {"I32", 32, "int32"},
    {"U32", 32, "uint32"},
    {"F32", 32, "float32"},
    {"C64", 64, "complex64"},
    {"F64", 64, "float64"},
    {"I64", 64, "int64"},
    {"U64", 64, "uint64"},
    {"C128", 128, "complex128"},
    {"Q4_0", 0, "", 32, 18},
    {"Q4_1", 0, "", 32, 20},
    {"Q5_0", 0, "", 32, 22},
    {"Q5_1", 0, "", 32, 24},
    {"Q8_0", 0, "", 32, 34},
    {"Q8_1", 0, "", 32, 40},
    {"Q2_K", 0, "", 256, 84},
    {"Q3_K", 0, "", 256, 110},
    {"Q4_K", 0, "", 256, 144},
    {"Q5_K", 0, "", 256, 176},
    {"Q6_K", 0, "", 256, 210},
    {"Q8_K", 0, "", 256, 292},
    {"IQ2_XXS", 0, "", 256, 66},
    {"IQ2_XS", 0, "", 256, 74},
    {"IQ3_XXS", 0, "", 256, 98},
    {"IQ1_S", 0, "", 256, 50},
    {"IQ4_NL", 0, "", 32, 18},
    {"IQ3_S", 0, "", 256, 110},
    {"IQ2_S", 0, "", 256, 82},
    {"IQ4_XS", 0, "", 256, 136},
    {"IQ1_M", 0, "", 256, 56},
    {"TQ1_0", 0, "", 256, 54},
    {"TQ2_0", 0, "", 256, 66},
    {"MXFP4", 0, "", 32, 17},
    {"NVFP4", 0, "", 64, 36},
    {"Q1_0", 0, "", 128, 18},
};
constexpr std::size_t first_in_blocks = 24;
static_assert(types[first_in_blocks - 1].bits == 128 && types[first_in_blocks].numbers == 32);

/// Accepted spellings of dtypes in addition to those in `types`.
constexpr Type other_words[] = {{"F16", 0, "half"}, {"F16", 0, "fp16"},   {"BF16", 0, "bf16"}, {"F32", 0, "float"},
                                {"F32", 0, "fp32"}, {"F64", 0, "double"}, {"I64", 0, "long"},  {"F8_E4M3", 0, "fp8"}};

bool same_letters(std::string_view written, std::string_view known) {
  return std::equal(written.begin(), written.end(), known.begin(), known.end(), [](char a, char b) { return lower(a) == lower(b); });
}

}  // namespace

Text spelling(Dtype dtype) { return types[dtype].name.data(); }
std::uint64_t bits(Dtype dtype) { return types[dtype].bits; }

Dtype dtype_spelled(std::string_view word) {
  for (std::size_t i = 1; i < first_in_blocks; ++i)
    if (word == types[i].name) return static_cast<Dtype>(i);
  return 0;
}

std::uint64_t numbers_of_block(Dtype dtype) { return std::max<std::uint64_t>(types[dtype].numbers, 1); }

Count bytes_of(Dtype dtype, Count elements) {
  const Type& type = types[dtype];
  return type.numbers != 0 ? multiply(elements / type.numbers, type.bytes) : multiply(elements, type.bits) / 8;
}

Dtype dtype_of_ggml(std::uint64_t number) {
  // Source: ggml, enum ggml_type. The names of types that ggml has removed are empty.
  static constexpr std::string_view names[] = {
      "F32",  "F16",   "Q4_0",    "Q4_1",   "",        "",      "Q5_0",   "Q5_1",  "Q8_0",  "Q8_1",   "Q2_K", "Q3_K",  "Q4_K",  "Q5_K",
      "Q6_K", "Q8_K",  "IQ2_XXS", "IQ2_XS", "IQ3_XXS", "IQ1_S", "IQ4_NL", "IQ3_S", "IQ2_S", "IQ4_XS", "I8",   "I16",   "I32",   "I64",
      "F64",  "IQ1_M", "BF16",    "",       "",        "",      "TQ1_0",  "TQ2_0", "",      "",       "",     "MXFP4", "NVFP4", "Q1_0"};
  return number < std::size(names) ? dtype_written(names[number]) : 0;
}

Dtype dtype_of_numpy(std::string_view word) {
  struct Word {
    std::string_view numpy, dtype;
  };
  // NumPy has no bfloat16. Such arrays are stored as raw two-byte elements (V2).
  static constexpr Word words[] = {{"f4", "F32"}, {"f2", "F16"},  {"f8", "F64"},  {"i8", "I64"}, {"i4", "I32"},
                                   {"i2", "I16"}, {"i1", "I8"},   {"u1", "U8"},   {"u2", "U16"}, {"u4", "U32"},
                                   {"u8", "U64"}, {"b1", "BOOL"}, {"V2", "BF16"}, {"c8", "C64"}, {"c16", "C128"}};
  if (!word.empty() && std::string_view("<>|=").find(word.front()) != std::string_view::npos) word.remove_prefix(1);
  for (const Word& known : words)
    if (word == known.numpy) return dtype_spelled(known.dtype);
  return 0;
}

Dtype dtype_written(std::string_view word) {
  constexpr std::string_view prefix = "torch.";
  if (word.starts_with(prefix)) word.remove_prefix(prefix.size());
  constexpr std::size_t shortest = 2, longest = 16;  // most words are not dtypes, so their length is checked first
  static_assert(std::all_of(std::begin(types) + 1, std::end(types), [](const Type& type) {
    return type.name.size() >= shortest && std::max(type.name.size(), type.torch.size()) <= longest;
  }));
  if (word.size() < shortest || word.size() > longest) return 0;
  for (std::size_t i = 1; i < std::size(types); ++i)
    if (same_letters(word, types[i].name) || same_letters(word, types[i].torch)) return static_cast<Dtype>(i);
  for (const Type& other : other_words)
    if (same_letters(word, other.torch)) return dtype_spelled(other.name);
  return 0;
}

}  // namespace param_ledger
