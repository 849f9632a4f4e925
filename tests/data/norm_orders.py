"""Compares where explanations place a layer's norms with transformers' forward pass, for core/compare/norm_orders.def.

python tests/data/norm_orders.py [TYPE...]     # after web/run --build

Runs each type on the meta device, with three layers where its configuration allows that, and notes in which order modules are called. Prints
for each type the number of norms that were called, and those that stand elsewhere than claimed. Needs the environment of tests/data/oracle.py.
"""

import json
import pathlib
import re
import signal
import subprocess
import sys
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).parent))
warnings.filterwarnings("ignore")

import oracle  # noqa: E402
import torch  # noqa: E402

SECONDS = 200
DEPTHS = ["num_hidden_layers", "encoder_layers", "decoder_layers", "n_layer", "n_layers", "num_layers"]
NORM = re.compile(r"(norm|ln_?\d?|LayerNorm|layernorm)")
CROSS = re.compile(r"cross|encoder_attn|EncDec|encdec")
BLOCKS = {
    "attention": re.compile(r"att|mixer|SelfAttention"),
    "cross attention": CROSS,
    "feed-forward": re.compile(r"mlp|fc|ffn|feed|dense|intermediate|DenseRelu|expert|gate|router|moe|lin|w1|output|wi|wo"),
}


def late(*_):
    raise TimeoutError(f"more than {SECONDS} s")


def inputs(config):
    """Keyword arguments to try, one after another."""
    on_meta = {"device": "meta"}
    ids = torch.zeros((1, 9), dtype=torch.long, **on_meta)
    size = getattr(config, "image_size", None) or getattr(getattr(config, "vision_config", None), "image_size", None) or 224
    height, width = size if isinstance(size, (list, tuple)) else (size, size)
    channels = getattr(config, "num_channels", None) or 3
    image = torch.zeros((1, channels, height, width), **on_meta)
    bins = getattr(config, "num_mel_bins", None) or 80
    yield {"input_ids": ids}
    yield {"input_ids": ids, "decoder_input_ids": ids}
    yield {"pixel_values": image}
    yield {"input_ids": ids, "pixel_values": image}
    for shape in [(1, bins, 3000), (1, 300, bins)]:
        yield {"input_features": torch.zeros(shape, **on_meta), "decoder_input_ids": ids}
        yield {"input_features": torch.zeros(shape, **on_meta)}
    yield {"input_values": torch.zeros((1, 16000), **on_meta)}


def build(config):
    try:
        return oracle.build({**config, **{depth: 3 for depth in DEPTHS}})
    except Exception:  # a list with a value for each layer, for example
        return oracle.build(config)


def calls(model):
    """The names of modules with parameters, in the order in which a forward pass calls them."""
    order = []
    for name, module in model.named_modules():
        if name and any(True for _ in module.parameters(recurse=False)):
            module.register_forward_pre_hook(lambda *_, name=name: order.append(name))
    for arguments in inputs(model.config):
        order.clear()
        try:
            with torch.no_grad():
                model(**arguments)
        except TimeoutError:
            raise
        except Exception:  # another input, or a step that the meta device lacks: what was called before it counts
            if len(order) <= 6:
                continue
        break
    return order


def place(order, norm, block):
    """Where the norm is called: before or after the first module of the block in the same layer; None if one of them is not called."""
    layer = re.match(r"(.*\.\d+\.)?", norm + ".").group(0)
    inside = [name for name in order if name.startswith(layer)]
    if norm not in inside:
        return None

    def is_in_block(name):
        own = name[len(layer):]
        if NORM.search(own.rsplit(".", 1)[-1]) or not BLOCKS[block].search(own):
            return False
        if block == "attention":
            return not CROSS.search(own)
        return block != "feed-forward" or not re.search(r"att(n|ention)", own)

    first = next((i for i, name in enumerate(inside) if is_in_block(name)), None)
    return None if first is None else "before" if inside.index(norm) < first else "after"


def compare(config, norms):
    order = calls(build(config).eval())
    checked, wrong = 0, []
    for tensor, claim in norms:
        kind, block = re.search(r"norm (before|after) (.*?)(?: bias)?$", claim).groups()
        norm = re.sub(r"\[(\d+)[^\]]*\]", r"\1", re.sub(r"\.(weight|bias|gamma|beta)$", "", tensor))
        real = place(order, norm, block)
        checked += real is not None
        if real not in (None, kind):
            wrong.append([tensor, claim, real])
    return checked, wrong


def claims(config):
    """[(tensor, "norm before attention"), …] as the derivation of the command line says."""
    command = ["node", "web/dist/package/cli.js", "derive", "--json"]
    answer = json.loads(subprocess.run(command, input=json.dumps(config), capture_output=True, text=True, check=False).stdout or "{}")
    steps = [step for section in answer.get("sections", []) for step in section["steps"]]
    tensors = [tensor for step in steps for tensor in step.get("tensors", [])]
    return [(tensor["name"], tensor["task"]) for tensor in tensors if re.search(r"norm (before|after) ", tensor.get("task", ""))]


def main():
    signal.signal(signal.SIGALRM, late)
    cases = {}
    for line in pathlib.Path("tests/data/oracle.jsonl").read_text().splitlines():
        config = json.loads(line)["config"]
        cases.setdefault(config["model_type"], config)
    for name in sys.argv[1:] or sorted(cases):
        norms = claims(cases[name])
        if not norms:
            continue
        signal.alarm(SECONDS)
        try:
            checked, wrong = compare(cases[name], norms)
            print(json.dumps([name, len(norms), checked, wrong]), flush=True)
        except Exception as error:
            print(json.dumps([name, "not run", repr(error)[:120]]), flush=True)
        finally:
            signal.alarm(0)


main()
