#include "core/claims/claim_totals.hpp"

#include <algorithm>

#include "core/support/quantity.hpp"

namespace param_ledger {

namespace {

constexpr Places embedding = place(Part::embedding) | beside_tables, tables = place(Part::embedding), head = place(Part::output_head),
                 vision = place(Tower::vision), audio = place(Tower::audio), projector = place(Tower::projector),
                 towers = vision | audio | projector;

namespace says = subject;

/// The cost of a part that people rarely mean without naming it.
constexpr unsigned unlikely = 3;

constexpr ClaimTotal every_total[] = {
    {.id = "parameters", .label = "", .pieces = {}, .cut = true},
    {.id = "active", .label = "inactive experts", .pieces = {}, .active = true, .cut = true, .subject = says::active},
    {.id = "published", .label = "rest of the published files", .pieces = {}, .buffers = true, .published = true, .cut = true},
    {.id = "published_with_prediction_layers",
     .label = "rest of the published files, with prediction layers",
     .pieces = {},
     .buffers = true,
     .published = true,
     .predicting = true,
     .cut = true},
    {.id = "stored", .label = "buffers", .pieces = {}, .buffers = true, .cut = true},
    {.id = "non_embedding",
     .label = "embeddings and output head",
     .pieces = {embedding, head},
     .subject = says::no_embeddings | says::no_head},
    {.id = "without_head", .label = "output head", .pieces = {head}, .subject = says::no_head},
    {.id = "without_embeddings", .label = "embeddings", .pieces = {embedding}, .subject = says::no_embeddings},
    {.id = "active_non_embedding",
     .label = "inactive experts, and embedding tables",
     .pieces = {tables},
     .active = true,
     .subject = says::active | says::no_embeddings},
    {.id = "active_without_embeddings_and_head",
     .label = "inactive experts, embeddings and output head",
     .pieces = {embedding, head},
     .active = true,
     .subject = says::active | says::no_embeddings | says::no_head},
    {.id = "active_without_head",
     .label = "inactive experts, and output head",
     .pieces = {head},
     .active = true,
     .subject = says::active | says::no_head},
    {.id = "text", .label = "vision and audio towers", .pieces = {towers}, .subject = says::text},
    {.id = "text_without_embeddings",
     .label = "vision and audio towers, and embeddings",
     .pieces = {towers, embedding},
     .subject = says::text | says::no_embeddings},
    {.id = "text_non_embedding",
     .label = "vision and audio towers, embeddings and output head",
     .pieces = {towers, embedding, head},
     .subject = says::text | says::no_embeddings | says::no_head},
    {.id = "text_without_head",
     .label = "vision and audio towers, and output head",
     .pieces = {towers, head},
     .subject = says::text | says::no_head},
    {.id = "text_active",
     .label = "vision and audio towers, and inactive experts",
     .pieces = {towers},
     .active = true,
     .subject = says::text | says::active},
    {.id = "text_active_non_embedding",
     .label = "vision and audio towers, inactive experts, and embedding tables",
     .pieces = {towers, tables},
     .active = true,
     .subject = says::text | says::active | says::no_embeddings},
    {.id = "text_active_without_embeddings_and_head",
     .label = "vision and audio towers, inactive experts, embeddings and output head",
     .pieces = {towers, embedding, head},
     .active = true,
     .subject = says::text | says::active | says::no_embeddings | says::no_head},
    {.id = "embedding",
     .label = "everything but the embeddings",
     .pieces = {embedding},
     .alone = true,
     .cut = true,
     .subject = says::embeddings},
    {.id = "output_head", .label = "everything but the output head", .pieces = {head}, .alone = true, .subject = says::head},
    {.id = "embedding_and_head",
     .label = "everything but embeddings and output head",
     .pieces = {embedding, head},
     .alone = true,
     .subject = says::embeddings | says::head},
    {.id = "vision", .label = "everything but the vision tower", .pieces = {vision}, .alone = true, .cut = true, .subject = says::vision},
    {.id = "audio", .label = "everything but the audio tower", .pieces = {audio}, .alone = true, .cut = true, .subject = says::audio},
    {.id = "projector", .label = "everything but the projector", .pieces = {projector}, .alone = true, .subject = says::projector},
    {.id = "vision_and_projector",
     .label = "everything but vision tower and projector",
     .pieces = {vision, projector},
     .alone = true,
     .cut = true,
     .subject = says::vision | says::projector},
    {.id = "audio_and_projector",
     .label = "everything but audio tower and projector",
     .pieces = {audio, projector},
     .alone = true,
     .cut = true,
     .subject = says::audio | says::projector},
    {.id = "embedding_and_projector",
     .label = "everything but embeddings and projector",
     .pieces = {embedding, projector},
     .alone = true,
     .cut = true,
     .subject = says::embeddings | says::projector},
    {.id = "beside", .label = "everything but the tensors that only the published files hold", .pieces = {}, .beside = true, .cost = 1},
    {.id = "attention_alone",
     .label = "everything but attention",
     .pieces = {place(Part::attention)},
     .alone = true,
     .cost = unlikely,
     .subject = says::attention},
    {.id = "feed_forward_alone",
     .label = "everything but the feed-forward blocks",
     .pieces = {place(Part::feed_forward)},
     .alone = true,
     .cost = unlikely,
     .subject = says::feed_forward},
    {.id = "router_alone",
     .label = "everything but routers",
     .pieces = {place(Part::router)},
     .alone = true,
     .cost = unlikely,
     .subject = says::router},
    {.id = "norms_alone",
     .label = "everything but norms",
     .pieces = {place(Part::norm)},
     .alone = true,
     .cost = unlikely,
     .subject = says::norms},
};

}  // namespace

Scope ClaimTotal::scope() const {
  Places joined = 0;
  for (const Places piece : pieces) joined |= piece;
  return {alone ? joined : static_cast<Places>(all_places & ~joined), active, buffers, published, predicting, beside};
}

std::span<const ClaimTotal> claim_totals() { return every_total; }

bool differs(const ClaimTotal& total, const RowTallies& rows) {
  const Scope scope = total.scope();
  const Count sum = rows.sum(scope);
  // Whether undoing one part of the scope changes the sum.
  const auto matters = [&](const auto& undo) {
    Scope other = scope;
    undo(other);
    return rows.sum(other) != sum;
  };
  if (total.alone && !matters([](Scope& s) { s.places = all_places; })) return false;
  for (const Places piece : total.pieces)
    if (piece != 0 && !matters([&](Scope& s) { s.places = static_cast<Places>(s.places ^ piece); })) return false;
  if (total.active && !matters([](Scope& s) { s.active = false; })) return false;
  if (total.beside) return sum != 0;
  if (total.predicting) return matters([](Scope& s) { s.predicting = false; });
  if (total.published) return matters([](Scope& s) { s.published = false; });
  return !total.buffers || matters([](Scope& s) { s.buffers = false; });
}

std::uint16_t said_of_all(const RowTallies& rows) {
  std::uint16_t out = 0;
  for (const ClaimTotal& total : every_total) {
    const std::uint16_t word = total.subject;
    if (!total.alone && (word & (word - 1)) == 0 && !differs(total, rows)) out |= word;
  }
  return out;
}

}  // namespace param_ledger
