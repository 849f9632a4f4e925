#!/usr/bin/env python3
"""What transformers keeps and multiplies while a model generates, from its own forward pass on the meta device: shapes, no numbers.

    cost.py CASES.jsonl [-o OUT] [TYPE...]     the cases of a file anew, at the lengths that each names; a new one is {"id": …, "config": …}

Needs what oracle.py needs, which stands beside it. A case is one line of JSON:

    cache   {"100": [[name, shape, dtype], …]}: each tensor that the cache holds after one prompt of so many tokens, in bfloat16 and for one
            sequence; a name ends in its layer's index, "[0-31]" where layers are alike, and its role
    flops   {"100": N}: of the matrix products, convolutions and products of attention in that pass, two for each multiply-add; experts by
            the rows that they multiply, attention as the full square
    next    {"200": N}: the same of one token more, with what is kept; where the id ends in /next
"""
import argparse, contextlib, io, json, os, re, signal, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import oracle

LENGTHS = [1, 7, 100, 5000, 40000]
LONGEST_COUNTED = 5000
SECONDS = 25  # a scan that is written as a loop over tokens takes minutes


def products_of_experts(rows, experts, *_, **__):
    """Rows sorted by expert: each meets one expert's matrix."""
    rows, experts = (list(getattr(x, "shape", x)) for x in (rows, experts))
    return 2 * rows[-2] * rows[-1] * experts[-1]


def kept_in(holder, path, met):
    """(path, tensor) of all numbers that a cache holds, however it is made; counters are left out."""
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
    """Tensors of the same shape and role in one line."""
    alike = {}
    for path, tensor in kept_in(cache, "", set()):
        index = re.search(r"\.(\d+)", path)
        role = path if index is None else path[:index.start(1)] + "{}" + path[index.end(1):]
        key = role, tuple(tensor.shape), str(tensor.dtype).removeprefix("torch.")
        alike.setdefault(key, []).append(int(index[1]) if index else 0)
    return [[role.replace("{}", oracle.runs(layers) if len(set(layers)) > 1 else str(layers[0])), list(shape), dtype]
            for (role, shape, dtype), layers in alike.items()]


def passed(model, tokens, kept=None):
    """What comes out of one pass, and its operations."""
    import torch
    from torch.utils.flop_counter import FlopCounterMode
    grouped = [getattr(torch.ops.aten, name) for name in ("_grouped_mm", "_scaled_grouped_mm") if hasattr(torch.ops.aten, name)]
    counter = FlopCounterMode(display=False, custom_mapping=dict.fromkeys(grouped, lambda *a, **k: products_of_experts(*a)))
    given = {"past_key_values": kept} if kept is not None else {}
    with torch.no_grad(), contextlib.redirect_stdout(io.StringIO()), counter:
        out = model(input_ids=torch.zeros((1, tokens), dtype=torch.long, device="meta"), use_cache=True, **given)
    return out, counter.get_total_flops()


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
            out, operations = passed(model, n)
            kept = getattr(out, "past_key_values", None)
            kept = kept if kept is not None else getattr(out, "cache_params", None)
            if further:
                parts["next"][str(n)] = passed(model, 1, kept)[1]
            elif kept is not None:
                parts["cache"][str(n)] = listed(kept)
            if n <= LONGEST_COUNTED:
                parts["flops"][str(n)] = operations
        except Exception as error:
            if named:
                raise
            print(f"{case['id']}: no more than before {n} tokens: {error}"[:300], file=sys.stderr)
            break
        finally:
            signal.alarm(0)
    return {"id": case["id"], "config": case["config"], **parts}


def too_long(*_):
    raise TimeoutError(f"more than {SECONDS} s")


def asked(documentation):
    """The file to measure anew, the types of it if not all, and where to write."""
    parser = argparse.ArgumentParser(description=documentation, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("types", nargs="*")
    parser.add_argument("-o", "--out")
    return parser.parse_intermixed_args()


def output(path):
    """Standard output where there is no path."""
    return open(path, "w", encoding="utf-8") if path else contextlib.nullcontext(sys.stdout)


def main():
    options = asked(__doc__)
    signal.signal(signal.SIGALRM, too_long)
    with open(options.file, encoding="utf-8") as file:
        cases = [json.loads(line) for line in file]
    with output(options.out) as out:
        for case in cases:
            if not options.types or case["config"]["model_type"] in options.types:
                print(json.dumps(measured(case), separators=(",", ":")), file=out, flush=True)


if __name__ == "__main__":
    main()
