#!/usr/bin/env python3
"""What each device holds under transformers' own plans, from its own functions on the meta device with a fake process group: shapes only.

    shards.py CASES.jsonl [-o OUT] [-j PART/OF]    rebuilds the cases of a file; a new one is {"id": …, "config": …, "tp": 8, "pp": 1, "ep": 1, "rank": 0}

Needs what oracle.py needs. A case is one line of JSON:

    total, local    parameters of the model and of that rank
    tensors         [[name, full shape, local shape], …] with checkpoint names, experts separately if checkpoints store them so; the local
                    shape is left out if it is the full one. Tied tensors are left out
    refused         why transformers refuses
    beyond          why transformers would not run what is counted nevertheless: pipelines are applied after the other plans, and experts
                    on more devices than tensors need data parallelism

Ranks count tensor parallelism fastest, then the pipeline stages, each with max(tp, ep) devices.
"""
import argparse, json, os, re, sys, warnings

warnings.filterwarnings("ignore")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import oracle


def distribution(tp, pp, ep):
    """The sizes in transformers' form, and why it would refuse; raises if it refuses the sizes alone."""
    from transformers.distributed.configuration_utils import DistributedConfig

    try:
        return DistributedConfig(tp_size=tp, pp_size=pp, ep_size=ep, fsdp_size=1), ""
    except ValueError as refusal:
        if ep % tp:
            raise
        beyond = str(refusal)
    # More expert ranks than tensor ranks need data parallelism, which is divided separately and left out here.
    sizes = DistributedConfig(tp_size=tp, pp_size=1, ep_size=ep, fsdp_size=ep // tp)
    sizes.pp_size, sizes.fsdp_size = pp, 1
    return sizes, beyond


def shards(config, tp, pp, ep, rank):
    import torch
    import torch.distributed as dist
    from torch.distributed.device_mesh import init_device_mesh
    from torch.testing._internal.distributed.fake_pg import FakeStore
    from transformers.core_model_loading import revert_weight_conversion
    from transformers.distributed.configuration_utils import DistributedConfig
    from transformers.distributed.expert_parallel import apply_expert_parallelism
    from transformers.distributed.pipeline_parallel import apply_pipeline_parallelism
    from transformers.distributed.tensor_parallel import apply_tensor_parallelism

    model = oracle.build({k: v for k, v in config.items() if k != "quantization_config"})
    total = sum(p.numel() for p in model.parameters())
    seen = {k for k, _ in model.named_parameters()}
    ties = [k for k, _ in model.named_parameters(remove_duplicate=False) if k not in seen]
    for k in ties:  # split by a rule of their own, not counted again
        holder, _, leaf = k.rpartition(".")
        holder = model.get_submodule(holder)
        setattr(holder, leaf, torch.nn.Parameter(torch.empty_like(getattr(holder, leaf)), requires_grad=False))

    sizes, beyond = distribution(tp, pp, ep)
    across = max(tp, ep)
    if dist.is_initialized():
        dist.destroy_process_group()
    dist.init_process_group("fake", rank=rank, world_size=across * pp, store=FakeStore())
    dense = init_device_mesh("cpu", (pp, across // tp, tp), mesh_dim_names=("pp", "dp", "tp"))
    experts = init_device_mesh("cpu", (pp, across // ep, ep), mesh_dim_names=("pp", "edp", "ep"))

    check = DistributedConfig._validate_resolved_ep_plan

    def checked(self, plan):
        nonlocal beyond
        try:
            check(self, plan)
        except ValueError as refusal:
            beyond = beyond or str(refusal)

    DistributedConfig._validate_resolved_ep_plan = checked
    try:
        tp_plan, ep_plan, _ = model._resolve_parallel_plans(sizes)
    finally:
        DistributedConfig._validate_resolved_ep_plan = check

    full = {k: tuple(p.shape) for k, p in model.named_parameters()}
    if tp > 1:
        model = apply_tensor_parallelism(model, dense["tp"], tp_plan)
    if ep > 1:
        model = apply_expert_parallelism(model, experts["ep"], dense["tp"], ep_plan)
    if pp > 1:
        model = apply_pipeline_parallelism(model, dense["pp"])

    def named(name, shape):
        tensor = {name: torch.empty(shape, device="meta")}
        try:
            return {k: tuple(t.shape) for k, t in revert_weight_conversion(model, tensor).items()}
        except Exception:
            return {name: tuple(shape)}

    local, rows = 0, []
    for name, parameter in model.named_parameters():
        if name in ties:
            continue
        mine = tuple((parameter.to_local() if hasattr(parameter, "to_local") else parameter).shape)
        count = oracle.np_prod(mine)
        local += count
        whole = named(name, full[name])
        if full[name] == mine:
            rows += [(k, shape, None, "") for k, shape in whole.items()]
            continue
        part = named(name, mine)
        first = 0
        if len(part) < len(whole):  # separate experts: those of this rank
            first = mine[0] * (rank % across % ep)
        for k, shape in part.items():
            k = re.sub(r"(experts\.)(\d+)(?=\.)", lambda m: m[1] + str(int(m[2]) + first), k) if first else k
            rows.append((k, whole[k], shape if shape != whole[k] else None, ""))
    folded = [row for row in oracle.collapse([(k, (shape, part), "", "") for k, shape, part, _ in rows])]
    tensors = [[name, list(shape)] + ([list(part)] if part is not None else []) for name, (shape, part) in folded]
    out = {"total": total, "local": local, "tensors": tensors}
    return out | ({"beyond": beyond} if beyond else {})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("-o")
    parser.add_argument("-j", default="0/1")
    given = parser.parse_args()
    part, of = map(int, given.j.split("/"))
    lines = [json.loads(line) for line in open(given.file)]
    out = open(given.o, "w") if given.o else sys.stdout
    for case in lines[part::of]:
        case = {k: case[k] for k in ("id", "config", "tp", "pp", "ep", "rank")}
        try:
            case |= shards(case["config"], case["tp"], case["pp"], case["ep"], case["rank"])
        except Exception as refusal:
            case["refused"] = f"{type(refusal).__name__}: {refusal}"[:300]
        out.write(json.dumps(case, separators=(",", ":")) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
