#include "core/claims/claim_bytes.hpp"

#include <algorithm>

#include "core/memory/storage.hpp"
#include "core/support/attempt.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// The most common GGUF formats. Other formats are tried only if the claim names them.
constexpr std::string_view usual_formats[] = {"Q4_K_M", "Q8_0", "Q5_K_M", "Q6_K", "Q4_0"};

/// Upper bounds for the bytes in the header of a GGUF file: per token of the vocabulary, including merges, and for everything else. The
/// files in tests/data/files.jsonl have 23 to 62 bytes per token.
constexpr Count most_for_a_token = 64, most_for_the_rest = 65'536;

Count tokens_of(const Model& model) {
  Count out = 0;
  for (const Row& row : model.builder.rows())
    if (row.in_text(Part::embedding) && row.storage == StorageKind::table && row.shape.size() == 2)
      out = std::max(out, row.shape.front().peek());
  return out;
}

class Ways {
 public:
  Ways(const Model& model, Json root, const Quantity& claim) : model_(model), root_(root), claim_(claim) {}

  ByteWays find() {
    if (!claim_.format.empty()) {
      in_gguf(claim_.format, 0);
      if (claim_.format == "MXFP4") as_published(4);
    } else {
      widths();
      as_published(claim_.bits);
      if (claim_.bits == 8) stored_as(claim_.dtype, concat({"matrices in ", claim_.dtype}));
      if (claim_.bits == 4)
        for (const std::string_view format : {"int4", "nf4"}) stored_as(format, concat({"matrices in ", format}));
      if (claim_.bits == 0)
        // For a claim with more than three digits, the unknown size of the header would explain too many numbers.
        if (claim_.digits <= 3)
          for (const std::string_view format : usual_formats) in_gguf(format, format == usual_formats[0] ? 0 : 1);
    }
    return std::move(out_);
  }

 private:
  void widths() {
    NumberType type{claim_.dtype, claim_.bits};
    out_.type_from = "claim";
    if (type.bits == 0) {
      type = configured_type(root_, 1);
      out_.type_from = "config";
    }
    const bool known = type.bits != 0;
    if (!known) {
      type = {"bfloat16", 16};
      out_.type_from = "default";
    }
    out_.widths.push_back({type.bits, type.name, 0});
    if (!known) out_.widths.push_back({32, "float32", 1});
    out_.name_widths.push_back(out_.widths.front());
    if (claim_.bits != 0) return;
    for (const Width& other : {Width{32, "float32", 1}, Width{16, "float16", 1}, Width{8, "int8", 1}, Width{4, "int4", 1}})
      if (other.bits != type.bits) out_.name_widths.push_back(other);
  }

  void put(const Storage& storage, const std::string& how, Count header, unsigned cost) {
    if (!storage.unknown.empty() || storage.files == 0) return;
    out_.stored.push_back({how, storage.files, add(storage.files, header), cost});
    if (storage.loaded != storage.files)
      out_.stored.push_back({concat({how, ", except prediction layers"}), storage.loaded, add(storage.loaded, header), cost});
  }

  void in_gguf(std::string_view format, unsigned cost) {
    std::optional<Error> refusal = attempt([&] {
      put(storage_of(model_, format), concat({"a file in ", format}), add(multiply(tokens_of(model_), most_for_a_token), most_for_the_rest),
          cost);
    });
    if (!refusal) return;
    if (refusal->code == ErrorCode::out_of_range && refusal->field == "weights") refusal->field = "claim";
    throw Error(*std::move(refusal));
  }

  void stored_as(std::string_view format, const std::string& how) { put(storage_of(model_, format), how, 0, 0); }

  /// Adds the size of the published files if they are quantized and their weights have `bits` bits; 0 stands for any number of bits.
  void as_published(unsigned bits) {
    if (quantization_of(root_).field.empty()) return;
    const Storage storage = storage_of(model_, "published");
    const bool four = storage.format == "MXFP4" || storage.format == "nf4" || number_type(storage.format).bits == 4;
    if (bits != 0 && bits != (four ? 4 : number_type(storage.format).bits)) return;
    put(storage, concat({"the files as published, in ", storage.format}), 0, 0);
  }

  const Model& model_;
  Json root_;
  const Quantity& claim_;
  ByteWays out_{};
};

}  // namespace

ByteWays ways_of_storing(const Model& model, Json root, const Quantity& claim) { return Ways(model, root, claim).find(); }

}  // namespace param_ledger
