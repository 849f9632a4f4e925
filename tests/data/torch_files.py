#!/usr/bin/env python3
"""Small files as torch.save and NumPy write them, whole: one line of JSON for each.

    torch_files.py -o torch.jsonl && gzip -9nf torch.jsonl
    torch_files.py --repository -o OUT    the files of a model as save_pretrained writes them in shards: {name: base64}

Needs: pip install torch==2.13.0 transformers==5.23.0 numpy

    id        what it is
    name      the file's name
    tensors   of the model in it: {name: [dtype as safetensors spells it, shape]}, tied ones too
    elements  of these, each storage's once where `shared`
    notes     words that the reading must say
    config    the configuration whose model it is, if any
    file      base64 of it
"""
import argparse, base64, collections, io, json, os, tempfile

import numpy as np
import torch
import transformers

WORDS = {torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16", torch.float64: "F64", torch.int64: "I64", torch.int8: "I8",
         torch.uint8: "U8", torch.bool: "BOOL", torch.float8_e4m3fn: "F8_E4M3", torch.int32: "I32", torch.int16: "I16"}
LLAMA = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 8, "intermediate_size": 12, "num_hidden_layers": 2,
         "num_attention_heads": 2, "num_key_value_heads": 1, "vocab_size": 10, "max_position_embeddings": 16}
GPT2 = {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "n_embd": 8, "n_layer": 1, "n_head": 2, "vocab_size": 10, "n_positions": 4}


def model(config):
    values = dict(config)
    cfg = transformers.AutoConfig.for_model(values.pop("model_type"), **values)
    torch.manual_seed(0)
    return getattr(transformers, config["architectures"][0])(cfg)


def case(id, object, state, name="pytorch_model.bin", legacy=False, notes=(), config=None, protocol=2, shown=None):
    room = io.BytesIO()
    torch.save(object, room, _use_new_zipfile_serialization=not legacy, pickle_protocol=protocol)
    return written(id, room.getvalue(), state, name, notes, config)


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
