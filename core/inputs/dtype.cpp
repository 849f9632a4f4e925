#include "core/inputs/dtype.hpp"

#include <algorithm>
#include <iterator>

namespace param_ledger {

namespace {

struct Type {
  std::string_view name;  ///< a literal: it ends in a NUL
  std::uint8_t bits;
  std::string_view torch;  ///< after "torch."
};

// Source: the format's reference, safetensors/src/tensor.rs, and torch.dtype.
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
};

/// Other words for them.
constexpr Type other_words[] = {{"F16", 0, "half"}, {"F16", 0, "fp16"},   {"BF16", 0, "bf16"}, {"F32", 0, "float"},
                                {"F32", 0, "fp32"}, {"F64", 0, "double"}, {"I64", 0, "long"},  {"F8_E4M3", 0, "fp8"}};

bool same_letters(std::string_view written, std::string_view lower) {
  return std::equal(written.begin(), written.end(), lower.begin(), lower.end(), [](char a, char b) {
    const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return small(a) == small(b);
  });
}

}  // namespace

Text spelling(Dtype dtype) { return types[dtype].name.data(); }
std::uint64_t bits(Dtype dtype) { return types[dtype].bits; }

Dtype dtype_spelled(std::string_view word) {
  for (std::size_t i = 1; i < std::size(types); ++i)
    if (word == types[i].name) return static_cast<Dtype>(i);
  return 0;
}

Dtype dtype_written(std::string_view word) {
  constexpr std::string_view prefix = "torch.";
  if (word.starts_with(prefix)) word.remove_prefix(prefix.size());
  if (word.empty()) return 0;
  for (std::size_t i = 1; i < std::size(types); ++i)
    if (same_letters(word, types[i].name) || same_letters(word, types[i].torch)) return static_cast<Dtype>(i);
  for (const Type& other : other_words)
    if (same_letters(word, other.torch)) return dtype_spelled(other.name);
  return 0;
}

}  // namespace param_ledger
