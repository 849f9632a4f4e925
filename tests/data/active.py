#!/usr/bin/env python3
"""What one token uses, from transformers' own forward pass over one token.

    active.py ACTIVE.json [-o OUT] [TYPE...]     rebuilds the file. A new line is {"id": …} for the defaults of a type, or also has a "config".
                                                 The reasons why matrices differ from our count (`beside`), and what a token is (`why`), are kept

Needs what oracle.py needs.

    matrices    the multiply-adds of products of a weight matrix with rows (mm, addmm, grouped), on the meta device: without products of
                attention and states, and without convolutions
    active      the parameters except for experts that the token is not routed to. If the pass uses only slices of a tensor (an expert's
                matrices and biases), these count, otherwise the whole tensor. On the meta device if routers allow it, otherwise with one
                number for all weights, which takes no memory. `by`: "hand" if transformers lacks the type; by_hand.py follows its code
"""
import contextlib, io, json, os, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import by_hand, cost, oracle

PRODUCTS = ("mm", "addmm", "_grouped_mm", "_scaled_grouped_mm")
# Operations with a result that is the tensor itself, or a slice or another view of it.
VIEWS = {"transpose", "t", "permute", "view", "_unsafe_view", "expand", "detach", "unsqueeze", "squeeze", "alias", "slice", "select", "split",
         "split_with_sizes", "unbind", "as_strided", "diagonal", "unfold"}
LOOKED_UP_EXPERTS = ("down_embed", "up_embed")  # Doge's, which are tables; other tables count in full
SAME = {"kimi_k2": "deepseek_v3"}  # a type of transformers with another name
# Needed for a forward pass; no tensor depends on it.
GLM4V_ROPE = {"rope_parameters": {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.5, "mrope_section": [4, 4, 3]}}
PASSES = {"dbrx": {"attn_config": {"rope_theta": 10000.0, "clip_qkv": 8.0}}, "glm4v_moe": {"text_config": GLM4V_ROPE}, "glm4v_moe_text": GLM4V_ROPE,
          "nllb-moe": {"router_dtype": "bfloat16"}, "step3p7": {"text_config": {"sliding_window": 512}},
          "switch_transformers": {"router_dtype": "bfloat16"}}
# Experts that are separate modules, some of which the pass skips, and ERNIE-VL's experts that no text token is routed to.
LEFT_OUT = (".experts.expert_", ".vision_moe.experts.")


def configuration(row):
    kind, cls, _ = row["id"].split("/")
    return row.get("config") or {"model_type": kind, "architectures": [cls], **oracle.NEEDS.get(kind, {})}


def matrices(config):
    import torch
    from torch.utils.flop_counter import FlopCounterMode
    model = oracle.build(config).eval().to(torch.bfloat16)
    grouped = [getattr(torch.ops.aten, name) for name in PRODUCTS[2:] if hasattr(torch.ops.aten, name)]
    counter = FlopCounterMode(display=False, custom_mapping=dict.fromkeys(grouped, lambda *a, **k: cost.products_of_experts(*a)))
    with torch.no_grad(), counter:
        model(input_ids=torch.zeros((1, 1), dtype=torch.long, device="meta"), use_cache=True)
    return sum(operations for product, operations in counter.get_flop_counts()["Global"].items() if str(product).removeprefix("aten.") in PRODUCTS) // 2


def products_by_rows(rows, experts, offs):
    """Replaces the product of sorted rows with their experts: sees as many experts as there are rows."""
    seen = experts[: min(len(rows), len(experts))].sum()
    return rows.new_zeros((rows.shape[0], experts.shape[2])) + 0 * seen


def with_weights(model):
    """One number for all weights, so nothing is stored. Routers prefer real experts to LongCat's zero experts: as many as a token may use."""
    import torch
    made = {}

    def weight(parameter):
        if id(parameter) not in made:
            value = torch.full((1,), 0.01, dtype=parameter.dtype).as_strided(parameter.shape, [0] * parameter.dim())
            made[id(parameter)] = torch.nn.Parameter(value, requires_grad=False)
        return made[id(parameter)]

    for module in model.modules():
        for name, parameter in module._parameters.items():
            if parameter is not None:
                module._parameters[name] = weight(parameter)
        for name, buffer in module._buffers.items():
            if buffer is not None:
                module._buffers[name] = torch.zeros(buffer.shape, dtype=buffer.dtype)
        if hasattr(module, "config"):
            module.config._experts_implementation = "eager"
        if hasattr(module, "e_score_correction_bias") and hasattr(module, "num_experts"):
            module.e_score_correction_bias[: module.num_experts] = 1
    return model


def watching(parameters):
    """A mode that records how many elements of each parameter each operation uses."""
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils._pytree import tree_leaves

    class Watching(TorchDispatchMode):
        def __init__(self):
            super().__init__()
            self.used = {storage(p): [] for p in parameters}

        def __torch_dispatch__(self, operation, types, args=(), kwargs=None):
            out = operation(*args, **(kwargs or {}))
            name = operation.__name__.split(".")[0]
            if name in VIEWS or (torch.is_tensor(out) and out.numel() == 0):  # no row is routed to that expert
                return out
            for taken in tree_leaves((args, kwargs)):
                if not torch.is_tensor(taken) or storage(taken) not in self.used:
                    continue
                elements = taken.numel()
                if taken is args[0] and name in ("index", "embedding"):
                    elements = out.numel()
                elif name == "bmm" and args[0].device.type != "meta" and taken is args[1]:  # rows of zeros: Llama 4's other experts
                    elements = elements // len(taken) * int(args[0].flatten(1).any(1).sum())
                self.used[storage(taken)].append((name, elements))
            return out

    return Watching()


def storage(tensor):
    return tensor.untyped_storage()._cdata


def pass_over(config, device, keeps):
    """The model after a pass over one token, and what it used. Vision experts that text does not reach get a token, too."""
    import torch, transformers.integrations.moe as moe
    moe._grouped_mm = products_by_rows
    model = oracle.build(config).eval().to(torch.bfloat16)
    if device == "cpu":
        with_weights(model)
    watch = watching(list(model.parameters()))
    with torch.no_grad(), contextlib.redirect_stdout(io.StringIO()), watch:
        token = torch.zeros((1, 1), dtype=torch.long, device=device)
        model(input_ids=token, use_cache=keeps, **({"decoder_input_ids": token} if model.config.is_encoder_decoder else {}))
        for name, module in model.named_modules():
            if name.endswith(".vision_moe"):
                continue
            if hasattr(module, "experts") and hasattr(module, "gate") and not any(watch.used[storage(p)] for p in module.parameters()):
                module(torch.zeros((1, 1, module.gate.hidden_dim), dtype=torch.bfloat16, device=device))
    return model, watch.used


def active(config):
    failures = []
    config = {**config, "model_type": SAME.get(config["model_type"], config["model_type"])}
    for field, value in PASSES.get(config["model_type"], {}).items():
        config = {**config, field: {**config.get(field, {}), **value} if isinstance(value, dict) else value}
    zeros_tell = config["model_type"].startswith("llama4")
    for device, keeps in (("meta", True), ("cpu", True), ("cpu", False)):
        if zeros_tell and device == "meta":
            continue
        try:
            model, used = pass_over(config, device, keeps)
            break
        except Exception as error:
            failures.append(f"{device}: {error}")
    else:
        raise RuntimeError(" ".join(failures))
    total = 0
    for name, parameter in model.named_parameters():
        seen = used[storage(parameter)]
        by_slices = [elements for operation, elements in seen if operation != "embedding" or any(table in name for table in LOOKED_UP_EXPERTS)]
        if not seen and any(experts in name for experts in LEFT_OUT):
            continue
        whole = not by_slices or max(by_slices) >= parameter.numel() or ".router." in name
        total += parameter.numel() if whole else min(parameter.numel(), sum(by_slices))
    return total


def main():
    options = cost.asked(__doc__)
    with open(options.file, encoding="utf-8") as file:
        rows = json.load(file)
    for row in rows:
        if options.types and row["id"].split("/")[0] not in options.types:
            continue
        config = configuration(row)
        if "matrices" in row:
            row["matrices"] = matrices(config)
        if row.get("by") == "hand":
            row["active"] = by_hand.active(row["id"].split("/")[0], config)
        elif "active" in row:
            row["active"] = active(config)
        print(row["id"], file=sys.stderr)
    text = "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows) + "\n]\n"
    with cost.output(options.out) as out:
        out.write(text)


if __name__ == "__main__":
    main()
