#!/usr/bin/env python3
"""What one token multiplies by matrices of weights, from transformers' own forward pass on the meta device over the defaults of each type.

    active.py ACTIVE.json [-o OUT] [TYPE...]     the file anew: a new line is {"id": …}; why one differs from our count (`beside`) is kept

Needs what oracle.py needs. `matrices` is the multiply-adds of the products that are written as a matrix of weights times rows (mm, addmm,
grouped): without products of attention and of states, and convolutions.
"""
import json, os, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cost, oracle

PRODUCTS = ("mm", "addmm", "_grouped_mm", "_scaled_grouped_mm")


def matrices(config):
    import torch
    from torch.utils.flop_counter import FlopCounterMode
    model = oracle.build(config).eval().to(torch.bfloat16)
    grouped = [getattr(torch.ops.aten, name) for name in PRODUCTS[2:] if hasattr(torch.ops.aten, name)]
    counter = FlopCounterMode(display=False, custom_mapping=dict.fromkeys(grouped, lambda *a, **k: cost.products_of_experts(*a)))
    with torch.no_grad(), counter:
        model(input_ids=torch.zeros((1, 1), dtype=torch.long, device="meta"), use_cache=True)
    return sum(operations for product, operations in counter.get_flop_counts()["Global"].items() if str(product).removeprefix("aten.") in PRODUCTS) // 2


def main():
    options = cost.asked(__doc__)
    with open(options.file, encoding="utf-8") as file:
        rows = json.load(file)
    for row in rows:
        kind, cls, _ = row["id"].split("/")
        if options.types and kind not in options.types:
            continue
        row["matrices"] = matrices({"model_type": kind, "architectures": [cls], **oracle.NEEDS.get(kind, {})})
    text = "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows) + "\n]\n"
    with cost.output(options.out) as out:
        out.write(text)


if __name__ == "__main__":
    main()
