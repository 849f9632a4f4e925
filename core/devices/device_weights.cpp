#include "core/devices/device_weights.hpp"

#include <algorithm>

namespace param_ledger {

namespace {

/// The bytes of a row's weights in a format, without scales and zero points; nothing if no part of the row is stored in this format.
std::optional<Count> numbers_in(const Storage& storage, const Row& row, std::string_view format) {
  std::optional<Count> out;
  for (const StoredRow& stored : storage.rows)
    if (stored.row == &row && stored.format == format) out = out.value_or(0) + stored.bytes - stored.beside;
  return out;
}

/// Whether a device's share of a row is stored in the format of the whole row. If all devices hold equal shares, each must also take an
/// equal part of the row's bytes, so that no quantization block or packed word is split. Scales must be evenly divisible.
bool divides_with(const StoredRow& share, const LocalRow& local, Count parts, const Storage& whole) {
  const Row& row = *local.of->row;
  const std::optional<Count> all = numbers_in(whole, row, share.format);
  if (!all) return false;
  const int dimension = local.of->divided_dimension();
  if (is_scale(row) && dimension >= 0 && row.shape[static_cast<std::size_t>(dimension)].decide() % parts != 0) return false;
  const bool is_even = parts > 1 && multiply(local.row.total.decide(), parts) == row.total.decide();
  return !is_even || multiply(share.bytes - share.beside, parts) == *all;
}

/// Why the bytes of the weights are unknown; empty if they are known.
std::string why_unknown(const Division& division, const Storage& whole, const Storage& storage, const std::vector<LocalRow>& held,
                        const std::vector<Row>& rows) {
  if (division.sizes().pipeline > 1 && storage.format.ends_with("_M"))
    return concat({storage.format, " stores some layers more precisely than others, so the bytes of a stage are not known."});
  for (const StoredRow& stored : storage.rows) {
    const LocalRow& local = held[static_cast<std::size_t>(stored.row - rows.data())];
    const Count parts = division.parts(*local.of);
    if (!divides_with(stored, local, parts, whole))
      return concat({"The ", storage.format, " blocks of ", local.of->row->name, " cannot be divided evenly among ", digits(parts),
                     " devices, so the bytes of a share are not known."});
  }
  return {};
}

}  // namespace

Storage weights_on(const Model& model, const Division& division, const Storage& whole, const std::vector<LocalRow>& held,
                   const std::vector<Row>& rows, std::string_view format) {
  Storage out = storage_of(model, rows, format);
  if (out.unknown.empty()) out.unknown = why_unknown(division, whole, out, held, rows);
  return out;
}

}  // namespace param_ledger
