#!/usr/bin/env python3
"""Small files as torch.save and NumPy write them, whole: one line of JSON each.

    torch_files.py -o torch.jsonl && gzip -9nf torch.jsonl
    torch_files.py --repository -o OUT    the sharded files of a model as save_pretrained writes them: {name: base64}

Needs: pip install torch==2.13.0 transformers==5.23.0 numpy

    id        what it is
    name      the file's name
    tensors   of the model in it: {name: [dtype in safetensors' spelling, shape]}, including tied ones
    elements  of these; with `shared`, each storage's once
    notes     words that must be in the notes
    problems  words of its problems, if it must have any; it is then partial
    buffers   elements of the buffers among these, if a module names them
    config    the model's configuration, if there is one
    file      base64 of it
"""
import argparse, base64, collections, functools, io, json, os, random, tempfile

import numpy as np
import torch
import transformers

WORDS = {torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16", torch.float64: "F64", torch.int64: "I64", torch.int8: "I8",
         torch.uint8: "U8", torch.bool: "BOOL", torch.float8_e4m3fn: "F8_E4M3", torch.int32: "I32", torch.int16: "I16", torch.complex64: "C64",
         torch.complex128: "C128"}
LLAMA = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 8, "intermediate_size": 12, "num_hidden_layers": 2,
         "num_attention_heads": 2, "num_key_value_heads": 1, "vocab_size": 10, "max_position_embeddings": 16}
GPT2 = {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "n_embd": 8, "n_layer": 1, "n_head": 2, "vocab_size": 10, "n_positions": 4}


def model(config):
    values = dict(config)
    cfg = transformers.AutoConfig.for_model(values.pop("model_type"), **values)
    torch.manual_seed(0)
    return getattr(transformers, config["architectures"][0])(cfg)


Pair = collections.namedtuple("Pair", "weight bias")


class Slots:
    __slots__ = ("weight", "bias")


class Reduced:
    """Rebuilt from the arguments of its class."""

    def __init__(self, weight):
        self.weight = weight

    def __reduce__(self):
        return Reduced, (self.weight,)


class Buffered(torch.nn.Module):
    """20 parameters; a buffer of 30, one of 40 that is not persistent, and a plain tensor of 60 and one in a list of 70."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)
        self.register_buffer("table", torch.zeros(30))
        self.register_buffer("passing", torch.zeros(40), persistent=False)
        self.plain = torch.zeros(60)
        self.several = [torch.zeros(70)]


def case(id, object, state, name="pytorch_model.bin", legacy=False, notes=(), config=None, protocol=2, **more):
    room = io.BytesIO()
    torch.save(object, room, _use_new_zipfile_serialization=not legacy, pickle_protocol=protocol)
    return {**written(id, room.getvalue(), state, name, notes, config), **more}


def nested(depth, tensor):
    for i in range(depth):
        tensor = {f"d{i}": tensor}
    return tensor


def containers(state):
    """The tensors of a model in containers of every kind, and values next to a model."""
    w, b = torch.zeros(3, 4), torch.zeros(5)
    yield case("the model beside a loss", {"model": state, "ema": state, "loss": torch.tensor(0.5)}, state, notes=['"ema"', '"loss"', '"model"'])
    yield case("nanoGPT's checkpoint", {"model": state, "iter_num": 5, "best_val_loss": torch.tensor(1.0)}, state, notes=["best_val_loss"])
    yield case("a generator's state beside the model", {"net": state, "opt": {"a": w}, "rng": torch.get_rng_state()}, state,
               notes=['"rng"', '"opt"'])
    yield case("a tensor that may belong to the model", {"model": {"w": w}, "head": b}, {"model.w": w, "head": b}, problems=["head"])
    buffered = Buffered()
    yield case("a whole module with buffers", buffered, buffered.state_dict(), notes=["not persistent", "Attributes of modules"], buffers=30)
    yield case("a module in a dict", {"model": buffered, "epoch": 3}, buffered.state_dict(), notes=["not persistent"], buffers=30)
    deep = torch.nn.Linear(2, 2)
    for _ in range(30):
        deep = torch.nn.Sequential(deep)
    yield case("a module in thirty others", deep, deep.state_dict())
    yield case("a dict in 61 others", nested(61, w), {".".join(f"d{i}" for i in reversed(range(61))): w})
    yield case("a named tuple", {"layer": Pair(w, b)}, {"layer.0": w, "layer.1": b})
    yield case("a set", {"layer": {w}}, {"layer.0.0": w})
    yield case("a frozen set", {"layer": frozenset([w])}, {"layer.0": w}, protocol=4)
    yield case("a deque", {"layer": collections.deque([w, b])}, {"layer.0": w, "layer.1": b})
    yield case("a counter", {"layer": collections.defaultdict(list, {"w": [w]})}, {"layer.w.0": w})
    yield case("a partial function", functools.partial(torch.add, w), {"0.1.0": w})
    slots = Slots()
    slots.weight, slots.bias = w, b
    yield case("slots", {"layer": slots}, {"layer.weight": w, "layer.bias": b})
    yield case("arguments of a class", {"layer": Reduced(w)}, {"layer.0": w})
    yield case("NumPy's arrays beside tensors", {"w": w, "a": np.zeros((2, 3), np.float32), "half": np.zeros(4, np.float16)},
               {"w": w, "a": np.zeros((2, 3), np.float32), "half": np.zeros(4, np.float16)})
    yield case("NumPy's arrays by protocol 5", {"w": w, "a": np.zeros((2, 3), np.float32)}, {"w": w, "a": np.zeros((2, 3), np.float32)}, protocol=5)
    yield case("a sparse tensor", {"w": w, "s": torch.eye(3).to_sparse()}, {"w": w}, problems=['"s" is a sparse', "2 tensors"])
    yield case("a sparse tensor by rows", {"w": w, "s": torch.eye(3).to_sparse_csr()}, {"w": w}, problems=['"s" is a sparse', "3 tensors"])
    yield case("a nested tensor", {"w": w, "n": torch.nested.nested_tensor([torch.zeros(2), torch.zeros(3)])}, {"w": w}, problems=['"n" is a sparse or nested'])
    yield case("a tensor alone", w, {"tensor": w})
    yield case("a list of tensors", [w, b], {"0": w, "1": b})
    yield case("a tuple of tensors", (w, {"b": b}), {"0": w, "1.b": b})
    for protocol in (3, 4, 5):
        yield case(f"the old format by protocol {protocol}", state, state, legacy=True, protocol=protocol)
    optimizer = torch.optim.AdamW([torch.nn.Parameter(w)])
    optimizer.param_groups[0]["params"][0].grad = w.clone()
    optimizer.step()
    yield case("an optimizer alone", optimizer.state_dict(), {}, name="optimizer.pt", notes=["optimizer"], problems=["no tensors of a model"])
    yield case("histories of losses", {"G": {"w": w}, "D": {"w": b}, "losses": [torch.tensor(1.0), torch.tensor(2.0)]}, {"G.w": w, "D.w": b},
               notes=['"losses"', "2 tensors of 2 elements"])
    yield case("a gradient scaler alone", {"scale": torch.tensor(65536.0), "growth_factor": 2.0, "_growth_tracker": torch.tensor(0)}, {},
               name="scaler.pt", notes=["gradient scaler"], problems=["no tensors of a model"])
    yield case("two models and an optimizer", {"generator": {"w": w}, "critic": {"w": b}, "g_opt": optimizer.state_dict()},
               {"generator.w": w, "critic.w": b}, notes=["optimizer"])
    decay = torch.tensor(0.999)
    yield case("a decay next to its averages", {"ema": {"decay": decay, "shadow": {"w": w}}, "epoch": 3}, {"ema.shadow.w": w}, notes=['"ema.decay"'])
    yield case("a decay among its averages", {"ema": {"decay": decay, "w": w}, "epoch": 3}, {"ema.w": w}, notes=['"ema.decay"'])
    yield case("a number of the model named like a metric", {"model": {"step_size": decay, "w": w}}, {"step_size": decay, "w": w},
               problems=['"step_size" is next to the model'])
    scaled = torch.nn.Linear(2, 2)
    scaled.step_size = torch.nn.Parameter(torch.ones(1))
    yield case("a parameter of a module named like a metric", scaled, scaled.state_dict())
    rng = {"python": random.getstate(), "numpy": np.random.get_state(), "cpu": torch.get_rng_state()}
    yield case("states of generators alone", rng, {}, name="rng_state.pth", notes=["random number generators"], problems=["no tensors of a model"])
    yield case("complex numbers", {"a": torch.zeros(2, dtype=torch.complex64), "b": torch.zeros(3, dtype=torch.complex128)},
               {"a": torch.zeros(2, dtype=torch.complex64), "b": torch.zeros(3, dtype=torch.complex128)})
    mask = torch.ones(4, 4, dtype=torch.bool)
    yield case("a mask", {"w": w, "mask": mask, "ids": torch.arange(6)}, {"w": w, "mask": mask, "ids": torch.arange(6)}, buffers=22)


def written(id, data, state, name, notes=(), config=None):
    seen, elements = set(), 0
    for tensor in state.values():
        key = (tensor.data_ptr(), tensor.storage_offset()) if isinstance(tensor, torch.Tensor) and tensor.numel() else id_of(tensor)
        if key in seen:
            continue
        seen.add(key)
        elements += tensor.numel() if isinstance(tensor, torch.Tensor) else tensor.size
    words = {torch.Tensor: lambda t: WORDS[t.dtype], np.ndarray: lambda a: {"float32": "F32", "float16": "F16", "int64": "I64"}[str(a.dtype)]}
    tensors = {key: [words[torch.Tensor if isinstance(t, torch.Tensor) else np.ndarray](t), list(t.shape)] for key, t in state.items()}
    out = {"id": id, "name": name, "tensors": tensors, "elements": elements, "notes": list(notes), "file": base64.b64encode(data).decode()}
    return {**out, **({"config": config} if config else {})}


def id_of(tensor):
    return ("empty", id(tensor))


def cases():
    llama = model(LLAMA)
    state = llama.state_dict()
    yield case("a state dict", state, state, config=LLAMA)
    yield case("the same in the old format", state, state, legacy=True, config=LLAMA)
    for protocol in (3, 4, 5):
        yield case(f"by protocol {protocol}", state, state, protocol=protocol, config=LLAMA)
    half = {k: v.to(torch.bfloat16) for k, v in state.items()}
    yield case("in 16 bits", half, half, config=LLAMA)
    wrapped = collections.OrderedDict((f"module._orig_mod.{k}", v) for k, v in state.items())
    yield case("wrapped", wrapped, state, notes=["module.", "_orig_mod."], config=LLAMA)
    optimizer = torch.optim.AdamW(llama.parameters())
    llama(torch.tensor([[1, 2, 3]])).logits.sum().backward()
    optimizer.step()
    n = sum(2 * p.numel() + 1 for p in llama.parameters())
    yield case("a checkpoint of training", {"model": state, "optimizer": optimizer.state_dict(), "step": 7, "args": {"lr": 0.1}}, state,
               name="ckpt.pt", notes=["optimizer", f"{n:,} elements"], config=LLAMA)
    lightning = {"epoch": 1, "state_dict": {f"model.{k}": v for k, v in state.items()}, "optimizer_states": [optimizer.state_dict()],
                 "hyper_parameters": {"a": 1}}
    yield case("Lightning's", lightning, lightning["state_dict"], name="last.ckpt", notes=["optimizer_states", "state_dict"])
    gpt2 = model(GPT2)
    yield case("tied tensors", gpt2.state_dict(), gpt2.state_dict(), config=GPT2)
    yield case("tied tensors in the old format", gpt2.state_dict(), gpt2.state_dict(), legacy=True, config=GPT2)
    odd = {"f8": torch.zeros(3, 2, dtype=torch.float8_e4m3fn), "bool": torch.zeros(4, dtype=torch.bool), "scalar": torch.tensor(1.0),
           "empty": torch.zeros(0, 5), "view": torch.zeros(6, 4)[1:3], "turned": torch.zeros(6, 4).t(), "i16": torch.zeros(2, dtype=torch.int16),
           "parameter": torch.nn.Parameter(torch.zeros(2, 2))}
    yield case("types and views", odd, odd)
    yield case("a whole module", torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4)),
               torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4)).state_dict(), name="model.pt")
    arrays = {"layers.0.weight": np.zeros((3, 4), np.float32), "layers.1.weight": np.zeros((3, 4), np.float32), "bias": np.zeros(5, np.float16),
              "scalar": np.array(3)}
    room = io.BytesIO()
    np.savez(room, **arrays)
    yield from containers({"a.weight": torch.zeros(6, 8), "a.bias": torch.zeros(6), "b.weight": torch.zeros(2, 6)})
    yield written("NumPy's archive", room.getvalue(), arrays, "weights.npz")


def repository(path):
    with tempfile.TemporaryDirectory() as folder:
        model(LLAMA).to(torch.bfloat16).save_pretrained(folder, max_shard_size="1KB")
        files = {}
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), "rb") as file:
                files[name] = base64.b64encode(file.read()).decode()
    with open(path, "w", encoding="utf-8") as out:
        json.dump(files, out, indent=1)
        out.write("\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--out", required=True)
    parser.add_argument("--repository", action="store_true")
    options = parser.parse_args()
    if options.repository:
        return repository(options.out)
    with open(options.out, "w", encoding="utf-8") as out:
        for one in cases():
            out.write(json.dumps(one, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
