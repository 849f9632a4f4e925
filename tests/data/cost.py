#!/usr/bin/env python3
"""What transformers caches and multiplies during generation, from its own forward pass on the meta device: shapes only.

    cost.py CASES.jsonl [-o OUT] [TYPE...]     rebuilds the cases of a file at the lengths in each; a new one is {"id": …, "config": …}

With types, other cases stay as they are, and a type without a case gets one: the default of its language model.

Needs what oracle.py needs. A case is one line of JSON:

    cache   {"100": [[name, shape, dtype], …]}: each cached tensor after a prompt of that many tokens, in bfloat16 and for one sequence. A
            name ends in its layer's index, "[0-31]" for equal layers, and its role
    flops   {"100": N}: two per multiply-add of the matrix products, convolutions and attention in that pass. Experts count by the rows
            that they multiply, attention as the full square, convolutions by the outputs that are kept, one position per token
    next    {"200": N}: the same for the next token, with the cache; the id then ends in /next
    without ["Mamba2Mixer"]: classes of modules that process a prompt in chunks. `flops` leaves out their products of activations with
            each other. `next` includes them, also if they are written as the sum of a product as large as a cached state
    source  13: the number of tokens of an encoder's text; 0: the encoder's output is given for all positions
    sums    ["Inkling2DynamicShortConvolution"]: classes of modules that write their products as sums
"""
import argparse, contextlib, io, json, math, os, re, signal, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import oracle

LENGTHS = [1, 7, 100, 5000, 40000]
LONGEST_COUNTED = 5000
SECONDS = 25  # a scan written as a loop over tokens would take minutes


def products_of_experts(rows, experts, *_, **__):
    """Rows sorted by expert: each is multiplied by one expert's matrix."""
    rows, experts = (list(getattr(x, "shape", x)) for x in (rows, experts))
    return 2 * rows[-2] * rows[-1] * experts[-1]


def kept_in(holder, path, met):
    """(path, tensor) of everything that a cache of any kind holds, without counters."""
    import torch
    if id(holder) in met:
        return
    if torch.is_tensor(holder):
        met.add(id(holder))
        if holder.is_floating_point() and holder.numel():
            yield path, holder
        return
    if isinstance(holder, (list, tuple)):
        inside = enumerate(holder)
    elif isinstance(holder, dict):
        inside = list(holder.items())
    elif type(holder).__module__.startswith("transformers") and "config" not in type(holder).__name__.lower():
        met.add(id(holder))
        inside = [(name, value) for name, value in vars(holder).items() if name != "config"]
    else:
        return
    for name, value in inside:
        yield from kept_in(value, f"{path}.{name}" if path else str(name), met)


def listed(cache):
    """The tensors of a cache as [name, shape, dtype]; one entry for layers whose tensors agree in role, shape and dtype."""
    alike = {}
    for path, tensor in kept_in(cache, "", set()):
        index = re.search(r"\.(\d+)", path)
        role = path if index is None else path[:index.start(1)] + "{}" + path[index.end(1):]
        key = role, tuple(tensor.shape), str(tensor.dtype).removeprefix("torch.")
        alike.setdefault(key, []).append(int(index[1]) if index else 0)
    return [[role.replace("{}", oracle.runs(layers) if len(set(layers)) > 1 else str(layers[0])), list(shape), dtype]
            for (role, shape, dtype), layers in alike.items()]


def counting(model, tokens, case, states):
    """A counter for one pass over that many tokens; `states`: the sizes of existing states."""
    import torch
    from torch.utils.flop_counter import FlopCounterMode
    aten = torch.ops.aten
    grouped = [getattr(aten, name) for name in ("_grouped_mm", "_scaled_grouped_mm") if hasattr(aten, name)]
    weights = {parameter.untyped_storage()._cdata for parameter in model.parameters()}

    def modules(key):
        return {name for name, module in model.named_modules() if type(module).__name__ in case.get(key, [])}

    left_out, summing = modules("without"), modules("sums")

    class Counter(FlopCounterMode):
        def _count_flops(self, product, out, args, kwargs):
            of_weights = any(torch.is_tensor(x) and x.untyped_storage()._cdata in weights for x in args)
            around = {name.partition(".")[2] for name in self.mod_tracker.parents}
            inside = left_out & around
            if inside and states is None and product in (aten.bmm, aten.baddbmm) and not of_weights:
                return out
            if product is aten.sum and (around & summing or (inside and states is not None and args[0].numel() in states)):
                self.flop_counts["Global"][product] += 2 * args[0].numel()
            return super()._count_flops(product, out, args, kwargs)

    def places_kept(rows, kernel, *_, out_shape=None, **__):
        return 2 * rows[0] * math.prod(kernel) * min(tokens, out_shape[-1])

    mapping = dict.fromkeys(grouped, lambda *a, **k: products_of_experts(*a))
    return Counter(display=False, custom_mapping={**mapping, aten.convolution: places_kept})


def given(model, tokens, case, kept):
    """The inputs of a pass besides the cache."""
    import torch
    zeros = torch.zeros((1, tokens), dtype=torch.long, device="meta")
    if "source" not in case:
        return {"input_ids": zeros}
    heard = case["source"] or model.config.max_source_positions
    if kept or not case["source"]:
        return {"decoder_input_ids": zeros, "encoder_outputs": (torch.zeros((1, heard, model.config.hidden_size), dtype=torch.bfloat16, device="meta"),)}
    return {"decoder_input_ids": zeros, "input_ids": torch.zeros((1, heard), dtype=torch.long, device="meta")}


def passed(model, tokens, case, kept=None):
    """What one pass caches, by the name that the next pass uses, and its operations."""
    import torch
    import transformers.masking_utils
    # These functions read values, which meta tensors do not have. There is one sequence and no padding.
    transformers.masking_utils.find_packed_sequence_indices = lambda *_: None
    transformers.masking_utils.fast_all = lambda *_: True
    states = None if kept is None else {tensor.numel() for _, tensor in kept_in(list(kept.values()), "", set())}
    counter = counting(model, tokens, case, states)
    with torch.no_grad(), contextlib.redirect_stdout(io.StringIO()), counter:
        out = model(**given(model, tokens, case, kept), use_cache=True, **(kept or {}))
    names = [name for name in ("past_key_values", "cache_params") if getattr(out, name, None) is not None]
    return {name: out[name] for name in names[:1]}, counter.get_total_flops()


def measured(case):
    import torch
    model = oracle.build(case["config"]).eval().to(torch.bfloat16)
    further = case["id"].endswith("/next")
    named = sorted({int(n) for part in ("cache", "flops", "next") for n in case.get(part, {})})
    parts = {"flops": {}, "next": {}} if further else {"cache": {}, "flops": {}}
    for n in named or LENGTHS:
        try:
            if not named:
                signal.alarm(SECONDS)
            kept, operations = passed(model, n, case)
            if further:
                parts["next"][str(n)] = passed(model, 1, case, kept)[1]
            elif kept:
                parts["cache"][str(n)] = listed(*kept.values())
            if n <= LONGEST_COUNTED:
                parts["flops"][str(n)] = operations
        except Exception as error:
            if named:
                raise
            print(f"{case['id']}: no more than before {n} tokens: {error}"[:300], file=sys.stderr)
            break
        finally:
            signal.alarm(0)
    return {**{key: case[key] for key in ("id", "config", "without", "sums", "source") if key in case}, **parts}


def too_long(*_):
    raise TimeoutError(f"more than {SECONDS} s")


def asked(documentation):
    """The file to rebuild, optionally some of its types, and the output."""
    parser = argparse.ArgumentParser(description=documentation, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("types", nargs="*")
    parser.add_argument("-o", "--out")
    return parser.parse_intermixed_args()


def output(path):
    """Standard output if there is no path."""
    return open(path, "w", encoding="utf-8") if path else contextlib.nullcontext(sys.stdout)


def default_of(kind):
    """The default configuration of a type's language model, as a case without measurements."""
    name = oracle.classes()[kind].get("CAUSAL_LM")
    if name is None:
        sys.exit(f"{kind} has no causal language model: add a case to the file")
    return {"id": f"{kind}/{name}/default", "config": oracle.minimal(kind, name)}


def main():
    options = asked(__doc__)
    signal.signal(signal.SIGALRM, too_long)
    with open(options.file, encoding="utf-8") as file:
        cases = [json.loads(line) for line in file]
    known = {case["config"]["model_type"] for case in cases}
    cases += [default_of(kind) for kind in options.types if kind not in known]
    with output(options.out) as out:
        for case in cases:
            if not options.types or case["config"]["model_type"] in options.types:
                case = measured(case)
            print(json.dumps(case, separators=(",", ":")), file=out, flush=True)


if __name__ == "__main__":
    main()
