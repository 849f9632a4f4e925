#include "core/devices/devices_request.hpp"

#include "core/json/json_fields.hpp"
#include "core/support/error.hpp"

namespace param_ledger {

namespace {

constexpr Count most_devices = 65'536;

Sizes sizes_asked(Json request) {
  const Sizes out{asked(request, "tensor", 1, 1, most_devices), asked(request, "pipeline", 1, 1, most_devices),
                  asked(request, "expert", 1, 1, most_devices)};
  if (out.devices() > most_devices)
    throw Error{ErrorCode::out_of_range, "pipeline",
                concat({"tensor, pipeline and expert need ", grouped_digits(out.devices()), " devices, but at most ",
                        grouped_digits(most_devices), " are counted."})};
  return out;
}

std::optional<Count> rank_asked(Json request) {
  if (!request["rank"] || request["rank"].is_null()) return {};
  return asked(request, "rank", 0, 0, most_devices);
}

void refuse(const DevicesRequest& request) {
  if (request.trains && request.engine == Engine::vllm)
    throw Error{ErrorCode::unsupported, "training", "vLLM does not train. The plans megatron and transformers do."};
  if (request.sequence && request.engine != Engine::megatron)
    throw Error{ErrorCode::unsupported, "sequence",
                concat({"Sequence parallelism needs the plan megatron. What ", title_of(request.engine), " sends under it is not known."})};
  if (request.data > 1 && !request.trains)
    throw Error{ErrorCode::unsupported, "data",
                "data needs training: it divides what training keeps in memory. Without training, all copies of the model are identical."};
}

}  // namespace

DevicesRequest::DevicesRequest(Json request)
    : engine(engine_named(word_in(request, "plan", "transformers"))),
      sizes(sizes_asked(request)),
      tokens(asked(request, "tokens", 4096, 1, most_tokens)),
      sequences(multiply(asked(request, "batch", 1, 1, Count{1} << 30U), asked(request, "beams", 1, 1, 10'000))),
      room(asked(request, "room", 0, 0, Count{1} << 60U)),
      rank(rank_asked(request)),
      weights(word_in(request, "weights", "published")),
      cache(cache_numbers(request)),
      source(asked(request, "source", tokens, 1, most_tokens)),
      data(asked(request, "data", 1, 1, most_devices)),
      training(request["training"]),
      trains(training.is(Json::Type::object)),
      zero(trains ? asked(training, "stage", 0, 0, 3) : 0),
      sequence(flag_in(request, "sequence")),
      steps(flag_in(request, "steps")) {
  refuse(*this);
}

}  // namespace param_ledger
