#include "core/inputs/read_writer.hpp"

#include <algorithm>

#include "core/inputs/formats.hpp"
#include "core/inputs/tensors/tensor_comparison.hpp"
#include "core/json/json_text.hpp"
#include "core/json/json_writer.hpp"
#include "core/json/value_text.hpp"
#include "core/model/answer.hpp"
#include "core/model/model.hpp"
#include "core/support/attempt.hpp"
#include "core/support/count.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// The maximum numbers of rows, of differences of each kind, and of files in an answer. The answer gives the numbers of omitted rows and
/// differences.
constexpr std::size_t most_rows = 20'000, most_differences = 200, most_files = 1000;

struct Sums {
  Count tensors = 0, elements = 0, parameters = 0, buffers = 0, scales = 0, bytes = 0, trainable = 0;
  bool shaped = true, sized = true;
};

class ReadingWriter {
 public:
  std::string write(const Reading& read) {
    json_.open_object();
    json_.raw_member("ok", "true");
    const bool known = lists_tensors(read.what) || read.what == What::config || read.named;
    json_.member("kind", known ? word_for(read.what) : "other");
    if (read.what == What::config) write_place(read);
    if (read.named) write_named(read);
    if (!known) json_.member("what", word_for(read.what));
    if (lists_tensors(read.what)) write_listing(read);
    json_.close_object();
    return json_.take();
  }

 private:
  void count_member(std::string_view name, Count value) { json_.digits_member(name, value); }
  void number_member(std::string_view name, std::size_t value) { json_.raw_member(name, digits(value)); }

  /// Writes which of the inputs is the configuration, and its byte range there or, if it was converted, its text.
  void write_place(const Reading& read) {
    const auto g = std::find_if(read.given.begin(), read.given.end(), [](const Given& one) { return one.what == What::config; });
    number_member("file", static_cast<std::size_t>(g - read.given.begin()));
    if (!g->notation.empty()) json_.member("notation", g->notation);
    if (!g->rewritten.empty()) return json_.member("text", g->text);
    number_member("begin", static_cast<std::size_t>(g->text.data() - g->bytes.data()));
    number_member("end", static_cast<std::size_t>(g->text.data() - g->bytes.data()) + g->text.size());
  }

  /// Writes the model that an input names. The parameters of its adapter are counted if a configuration is given.
  void write_named(const Reading& read) {
    const NamedModel& named = *read.named;
    json_.member("what", named.what);
    json_.member("id", named.id);
    if (named.parameters) count_member("parameters", *named.parameters);
    if (!named.dtypes.empty()) {
      json_.key("dtypes").open_array();
      for (const auto& [dtype, elements] : named.dtypes) {
        json_.open_object();
        json_.member("dtype", dtype);
        count_member("elements", elements);
        json_.close_object();
      }
      json_.close_array();
    }
    if (named.adapter.empty()) return;
    json_.key("adapter").open_object();
    json_.member("type", named.adapter);
    std::string why = named.uncounted;
    if (read.config) {
      const std::optional<Error> refusal = attempt([&] {
        if (const std::optional<Count> trained = adapter_parameters(named, *read.config, why)) count_member("parameters", *trained);
      });
      if (refusal) why = refusal->message;
    }
    if (!why.empty()) json_.member("uncounted", why);
    json_.close_object();
  }

  void write_listing(const Reading& read) {
    const Listing& listing = read.listing;
    if (!read.printed.class_name.empty()) json_.member("class", read.printed.class_name);
    const bool open = read.what == What::printed && !read.sums.parameters;
    json_.raw_member("partial", listing.problems.empty() && !open ? "false" : "true");
    write_problems(listing.problems);
    write_totals(read);
    write_dtypes(read.rows);
    write_parts(read.rows);
    write_rows(read.rows);
    write_files(read);
    if (!listing.metadata.empty()) {
      json_.key("metadata").open_array();
      for (const auto& [key, value] : listing.metadata) {
        json_.open_object();
        json_.member("key", key);
        json_.member("value", value);
        json_.close_object();
      }
      json_.close_array();
    }
    if (read.printed.quantized != 0) count_member("quantized_modules", read.printed.quantized);
    if (!listing.notes.empty()) {
      json_.key("notes").open_array();
      for (const std::string& note : listing.notes) json_.string(note);
      json_.close_array();
    }
    if (read.fitted) write_recognised(read);
    if (read.gguf_model) write_converted(read);
    if (read.config) write_check(*read.config, read);
  }

  /// Writes the family and configuration found for a printed model, and the fields that its text does not determine.
  void write_recognised(const Reading& read) {
    const Fitted& fitted = *read.fitted;
    json_.key("recognised").open_object();
    write_choice(json_, fitted.model->choice);
    json_.raw_member("config", fitted.config);
    json_.key("open").open_array();
    for (const OpenField& open : fitted.open) {
      json_.open_object();
      json_.member("field", open.field);
      json_.raw_member("assumed", open.assumed);
      if (open.other) {
        json_.raw_member("other", open.other_value);
        count_member("other_parameters", *open.other);
      }
      json_.key("tensors").open_array();
      for (const std::string& name : open.in) json_.string(name);
      json_.close_array();
      json_.close_object();
    }
    json_.close_array();
    write_comparison(comparison_of(fitted.match, read.printed.rows, *fitted.model), fitted.agrees);
    json_.close_object();
  }

  /// Writes the original model of a GGUF file, and how the file's tensors differ from it.
  void write_converted(const Reading& read) {
    const Model& model = *read.gguf_model->model;
    json_.key("recognised").open_object();
    write_choice(json_, model.choice);
    json_.raw_member("config", read.gguf_model->config);
    json_.key("open").open_array();
    json_.close_array();
    const Comparison comparison = compare_tensors(read.converted, model);
    write_comparison(comparison, comparison.agrees());
    json_.close_object();
  }

  void write_problems(const Problems& problems) {
    json_.key("problems").open_array();
    for (const Problem& p : problems.list()) {
      json_.open_object();
      if (p.file != 0) number_member("file", p.file);
      if (p.line != 0) number_member("line", static_cast<std::size_t>(p.line));
      json_.member("message", p.message);
      json_.close_object();
    }
    json_.close_array();
    if (problems.count() > problems.list().size()) count_member("problems_left_out", problems.count() - problems.list().size());
  }

  static Sums sums_of(const std::vector<ListedRow>& rows) {
    Sums s;
    for (const ListedRow& row : rows) {
      s.tensors = add(s.tensors, row.copies);
      s.shaped = s.shaped && row.sized;
      s.sized = s.sized && row.dtype != 0;
      const Count stored = multiply(row.copies, row.elements), numbers = multiply(row.copies, row.numbers);
      s.elements = add(s.elements, stored);
      s.bytes = add(s.bytes, bytes_of(row));
      if (row.kind == ListedKind::buffer)
        s.buffers = add(s.buffers, stored);
      else if (row.kind == ListedKind::scale)
        s.scales = add(s.scales, stored);
      else if (row.kind == ListedKind::tied)
        continue;
      else
        s.parameters = add(s.parameters, numbers);
      if (row.trainable && row.kind != ListedKind::buffer) s.trainable = add(s.trainable, numbers);
    }
    return s;
  }

  static std::string_view part_of(const ListedRow& row) { return part_named(row.checkpoint.empty() ? row.name : row.checkpoint); }
  static Count bytes_of(const ListedRow& row) { return multiply(row.copies, param_ledger::bytes_of(row.dtype, row.elements)); }

  void write_totals(const Reading& read) {
    const Sums s = sums_of(read.rows);
    json_.key("totals").open_object();
    count_member("tensors", s.tensors);
    if (s.shaped) {
      count_member("elements", s.elements);
      if (read.what == What::printed)
        write_printed_totals(read);
      else
        count_member("parameters", s.parameters);
      count_member("buffers", s.buffers);
      count_member("scales", s.scales);
      if (s.sized && read.what != What::printed) count_member("bytes", s.bytes);
      if (read.printed.adapted) {
        count_member("trainable", s.trainable);
        // The share of trainable parameters, in millionths, rounded.
        const Count all = read.sums.parameters.value_or(read.sums.shown);
        if (all != 0) count_member("trainable_share", (multiply(s.trainable, 1'000'000) + all / 2) / all);
      }
    }
    const Listing& sized = read.index ? *read.index : read.listing;
    if (sized.total_size) count_member("total_size", *sized.total_size);
    if (sized.total_parameters) count_member("total_parameters", *sized.total_parameters);
    json_.close_object();
  }

  void write_dtypes(const std::vector<ListedRow>& rows) {
    struct Owner {
      Count tensors = 0, elements = 0, bytes = 0;
    };
    std::vector<Owner> by(256);
    for (const ListedRow& row : rows) {
      Owner& of = by[row.dtype];
      of.tensors = add(of.tensors, row.copies);
      of.elements = add(of.elements, multiply(row.copies, row.elements));
      of.bytes = add(of.bytes, bytes_of(row));
    }
    json_.key("dtypes").open_array();
    for (std::size_t i = 1; i < by.size(); ++i) {
      if (by[i].tensors == 0) continue;
      json_.open_object();
      json_.member("dtype", spelling(static_cast<Dtype>(i)));
      count_member("tensors", by[i].tensors);
      count_member("elements", by[i].elements);
      count_member("bytes", by[i].bytes);
      json_.close_object();
    }
    json_.close_array();
  }

  void write_parts(const std::vector<ListedRow>& rows) {
    std::vector<std::pair<std::string_view, Count>> parts;
    for (std::size_t i = 0; i < answer_part_count; ++i) parts.emplace_back(answer_part_name(i), 0);
    parts.emplace_back("other", 0);
    for (const ListedRow& row : rows) {
      if (row.kind == ListedKind::buffer || row.kind == ListedKind::scale || row.kind == ListedKind::tied) continue;
      const std::string_view part = part_of(row);
      for (auto& [name, sum] : parts)
        if (name == part) sum = add(sum, multiply(row.copies, row.numbers));
    }
    json_.key("parts").open_array();
    for (const auto& [name, sum] : parts) {
      if (sum == 0) continue;
      json_.open_object();
      json_.member("part", name);
      count_member("parameters", sum);
      json_.close_object();
    }
    json_.close_array();
  }

  void write_shape(std::string_view name, const std::vector<std::uint64_t>& shape) {
    json_.key(name).open_array();
    for (const std::uint64_t dim : shape) json_.raw(integer_text(dim));
    json_.close_array();
  }

  void write_rows(const std::vector<ListedRow>& rows) {
    json_.key("tensors").open_array();
    for (std::size_t i = 0; i < std::min(rows.size(), most_rows); ++i) {
      const ListedRow& row = rows[i];
      json_.open_object();
      json_.member("name", row.name);
      if (row.shaped) write_shape("shape", row.shape);
      if (row.dtype != 0) json_.member("dtype", spelling(row.dtype));
      json_.member("part", part_of(row));
      if (!row.checkpoint.empty()) json_.member("checkpoint", row.checkpoint);
      if (row.kind != ListedKind::parameter) json_.member("kind", spelling(row.kind));
      if (row.taken) json_.raw_member("taken", "true");
      if (!row.trainable) json_.raw_member("trainable", "false");
      if (row.copies != 1) count_member("copies", row.copies);
      if (row.sized) {
        if (row.copies != 1) count_member("elements", row.elements);
        if (row.numbers != row.elements) count_member("stored", multiply(row.copies, row.elements));
        count_member("total", multiply(row.copies, row.numbers));
      }
      json_.close_object();
    }
    json_.close_array();
    if (rows.size() > most_rows) number_member("tensors_left_out", rows.size() - most_rows);
  }

  void write_files(const Reading& read) {
    const std::vector<Listing::File>& files = read.index ? read.index->files : read.listing.files;
    if (files.size() < 2 && (files.empty() || files.front().name.empty())) return;
    json_.key("files").open_array();
    for (std::size_t i = 0; i < std::min(files.size(), most_files); ++i) {
      json_.open_object();
      json_.member("name", files[i].name);
      number_member("tensors", static_cast<std::size_t>(files[i].tensors));
      if (!files[i].given) json_.raw_member("given", "false");
      json_.close_object();
    }
    json_.close_array();
  }

  void write_differences(std::string_view name, const std::vector<Difference>& list) {
    json_.key(name).open_array();
    for (std::size_t i = 0; i < std::min(list.size(), most_differences); ++i) {
      const Difference& d = list[i];
      json_.open_object();
      json_.member("name", d.name);
      write_shape("shape", d.shape);
      if (!d.expected.empty()) write_shape("expected", d.expected);
      count_member("tensors", d.tensors);
      count_member("total", d.elements);
      json_.close_object();
    }
    json_.close_array();
    if (list.size() > most_differences) number_member(concat({name, "_left_out"}), list.size() - most_differences);
  }

  void write_printed_totals(const Reading& read) {
    count_member("shown", read.sums.shown);
    if (read.sums.parameters) count_member("parameters", *read.sums.parameters);
    if (read.sums.if_tied) count_member("if_tied", *read.sums.if_tied);
    if (read.sums.if_assumed) count_member("if_assumed", *read.sums.if_assumed);
  }

  void write_comparison(const Comparison& c, bool agrees) {
    json_.raw_member("agrees", agrees ? "true" : "false");
    json_.key("totals").open_object();
    count_member("matched_tensors", c.matched_tensors);
    count_member("matched", c.matched_elements);
    count_member("missing", c.missing_elements);
    count_member("unexpected", c.unexpected_elements);
    json_.close_object();
    write_differences("missing", c.missing);
    write_differences("unexpected", c.unexpected);
    write_differences("other_shape", c.other_shape);
    write_differences("tied_stored", c.tied_stored);
  }

  /// Compares a GGUF file with a model, using the tensor names of the original checkpoint.
  static Comparison compare_gguf(const Model& model, const Reading& read) {
    const std::string_view architecture = read.gguf.architecture();
    if (!knows_gguf_names(architecture))
      throw Error{ErrorCode::unsupported, "",
                  concat({"The checkpoint's tensor names are not known for the architecture ", quoted(architecture), "."})};
    std::vector<ListedRow> rows = read.rows;
    return compare_tensors(as_checkpoint(rows, architecture, model), model);
  }

  void write_check(std::string_view config, const Reading& read) {
    const std::optional<Error> refusal = try_count(config, [&](const Model& model) {
      const bool printed = read.what == What::printed;
      PrintedMatch match;
      if (printed)
        match = PrintedMatcher(read.printed, read.fitted ? read.fitted->prefix : "", model.choice.family->model_type).match(model);
      const Comparison comparison = printed                   ? comparison_of(match, read.printed.rows, model)
                                    : read.what == What::gguf ? compare_gguf(model, read)
                                                              : compare_tensors(read.rows, model);
      json_.key("check");
      open_answer(json_, model.choice);
      write_comparison(comparison, printed ? match.wrong == 0 : comparison.agrees());
      json_.close_object();
    });
    if (refusal) json_.raw_member("check", refusal_answer(*refusal));  // the other parts of the answer do not need the configuration
  }

  JsonWriter json_;
};

}  // namespace

std::string reading_answer(const Reading& reading) { return ReadingWriter().write(reading); }

}  // namespace param_ledger
