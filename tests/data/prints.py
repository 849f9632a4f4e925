#!/usr/bin/env python3
"""Prints of models of every type, built by transformers from its defaults and from random configurations on the meta device.

    prints.py FOLDER [TYPE...]              a file of JSON lines per type: all its cases, about half of them also with peft's adapters
    prints.py --pack FOLDER > prints.jsonl && gzip -9nf prints.jsonl      the smallest print of each type, for the tests

Needs what oracle.py needs, peft, and oracle.py's defaults.jsonl and variants.jsonl in the folder $ORACLE. Each type has its own process with
a memory limit. A line: id, architecture, parameters, text. In packed files a module that occurs more than once in a text is a line "@N" and
is in `blocks` (printed.py).
"""
import json, os, pathlib, random, resource, signal, sys, warnings

MEMORY, SECONDS = 12 << 30, 240


def cases():
    here = pathlib.Path(os.environ.get("ORACLE", "."))
    out = {}
    for name in ("defaults.jsonl", "variants.jsonl"):
        for line in (here / name).open(encoding="utf-8"):
            case = json.loads(line)
            out.setdefault(case["id"].split("/")[0], []).append((case["id"], case["config"]))
    return out


def prints(path, cases, oracle, torch, peft):
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.alarm(SECONDS)

    def put(out, id, model):
        line = {"id": id, "architecture": type(model).__name__, "parameters": sum(p.numel() for p in model.parameters()), "text": str(model)}
        out.write(json.dumps(line) + "\n")

    with open(path + ".part", "w", encoding="utf-8") as out:
        for id, config in cases:
            try:
                model = oracle.build(config)
                put(out, id, model)
                choice = random.Random(id)
                more = [{}, {"use_dora": True}, {"lora_bias": True}, {"use_rslora": True}][choice.randrange(4)]
                if choice.random() < 0.5:
                    with torch.device("meta"):
                        put(out, id + "/lora", peft.get_peft_model(model, peft.LoraConfig(r=8, target_modules="all-linear", **more)))
            except Exception as error:  # a class that needs more than a configuration, or that peft refuses
                print(id, type(error).__name__, error, file=sys.stderr)
    os.rename(path + ".part", path)


def make(folder, types):
    warnings.filterwarnings("ignore")
    os.environ |= {"TRANSFORMERS_VERBOSITY": "error", "HF_HUB_OFFLINE": "1"}
    sys.path.insert(0, os.environ.get("ORACLE", "."))
    import oracle, peft, torch  # once: the process of each type is a fork of this one

    oracle.library()
    for kind, its in cases().items():
        path = os.path.join(folder, kind + ".jsonl")
        if os.path.exists(path) or (types and kind not in types):
            continue
        if (child := os.fork()) == 0:
            try:
                prints(path, its, oracle, torch, peft)
            finally:
                os._exit(0)
        os.waitpid(child, 0)


def pack(folder):
    from printed import packed

    for path in sorted(pathlib.Path(folder).glob("*.jsonl")):
        lines = [json.loads(line) for line in path.open(encoding="utf-8")]
        if not lines:
            continue
        one = min(lines, key=lambda line: len(line["text"]))
        one["text"], blocks = packed(one["text"])
        one = {key: one[key] for key in ("id", "architecture", "parameters", "text")}
        print(json.dumps({**one, **({"blocks": blocks} if blocks else {})}))


if __name__ == "__main__":
    if sys.argv[1] == "--pack":
        pack(sys.argv[2])
    else:
        make(sys.argv[1], sys.argv[2:])
