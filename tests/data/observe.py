#!/usr/bin/env python3
"""Records what transformers builds for a type under varied fields, for `draft.py`.

    observe.py [-o FOLDER] [--memory GIB] [--seconds N] TYPE...    writes FOLDER/TYPE.json, one process per type; names the types that failed
    observe.py --list                                              every type of this release with its package

An observation file has
    type, release, classes     {task: class}
    fields     {path: {"default": …, "null": whether None is declared, "declared": whether the configuration class declares it}}
    sections   {path: {"type": model_type, "auto": whether any type may stand there}}
    aliases    {section: {spelling: field}}
    needs      what has to be given because the type has no working default
    base       what is set in each observation, so that it is small
    observations    [{"class", "set": {path: value}, "fields": the fields of the loaded configuration that differ from the first observation,
                      "tensors": as in oracle.py, or "without" and "with": the difference from the first observation of the class;
                      "error": why nothing was built}]
"""
import argparse, importlib, inspect, json, os, random, re, resource, subprocess, sys, tempfile, typing

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import oracle

LAYERS, EXPERTS = 5, 8
FEW = {re.compile(r"(^|_)(n_)?layers?$|(^|_)depth$|^num_(encoder|decoder)_blocks$"): LAYERS,
       re.compile(r"^(moe_)?(n|num)_(local_|routed_)?experts$"): EXPERTS}


class Reads:
    """The names that models read from configurations, while it is active."""

    def __init__(self, config_class):
        self.base, self.names = config_class, {}

    def __enter__(self):
        self.plain = plain = self.base.__getattribute__
        names = self.names

        def noting(config, name):
            if not name.startswith("_"):
                names.setdefault(id(config), set()).add(name)
            return plain(config, name)

        self.base.__getattribute__ = noting
        return self

    def __exit__(self, *_):
        self.base.__getattribute__ = self.plain


def declared(config_class):
    """{field: (default, whether None is allowed)} of a configuration class."""
    out = {}
    for name, parameter in inspect.signature(config_class.__init__).parameters.items():
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL) or name == "self":
            continue
        default = None if parameter.default is parameter.empty else parameter.default
        kinds = typing.get_args(parameter.annotation)
        out[name] = (default, type(None) in kinds if parameter.annotation is not parameter.empty else True)
    return out


def words_of(kind, field):
    """The strings that the type's code compares a field with."""
    out = []
    for module in (f"transformers.models.{package_of(kind)}.{part}_{package_of(kind)}" for part in ("modeling", "configuration")):
        try:
            source = inspect.getsource(importlib.import_module(module))
        except Exception:
            continue
        name = re.escape(field.rsplit(".", 1)[-1])
        out += re.findall(rf"\b{name}\b\s*(?:==|!=)\s*[\"']([\w-]+)[\"']", source)
        for listed in re.findall(rf"\b{name}\b\s*(?:not )?in\s*[\[(]([^\])]*)[\])]", source):
            out += re.findall(r"[\"']([\w-]+)[\"']", listed)
    return list(dict.fromkeys(out))


def package_of(kind):
    from transformers.models.auto.configuration_auto import model_type_to_module_name
    return model_type_to_module_name(kind)


def plain(value):
    return json.loads(json.dumps(value, default=str))


def values_for(kind, path, value):
    """The values that a field is set to: at least two more numbers for each integer, so that sums and products differ."""
    name = path.rsplit(".", 1)[-1]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        if "layers" in name or "depth" in name:
            return [value + 1, value + 3, 2]
        if re.search(r"heads?$|groups?$", name):
            return [2 * value, max(1, value // 2), 3 * value, value + 1, 1]
        return [2 * value, 3 * value, max(1, value // 2), value + 8, value + 1, 0]
    if isinstance(value, str):
        return [word for word in words_of(kind, path) if word != value]
    if isinstance(value, list) and value and all(isinstance(x, str) for x in value):
        kinds = list(dict.fromkeys(value + words_of(kind, path) + words_of(kind, "layer_type") + words_of(kind, "attention_type")))
        n = len(value)
        return [[kinds[(i + 1) % len(kinds)] for i in range(n)], value[::-1], *([k] * n for k in kinds)] if len(kinds) > 1 else []
    if isinstance(value, list) and value and all(isinstance(x, int) and not isinstance(x, bool) for x in value):
        n = len(value)
        return [[2 * x for x in value], *([*value[:i], 2 * value[i], *value[i + 1:]] for i in range(n)), *([*value[:i], 3 * value[i], *value[i + 1:]] for i in range(n))]
    return [v for v in oracle.candidates(path, value) if v is not None]


class Recorder:
    def __init__(self, kind):
        import torch, transformers
        self.kind = kind
        self.release = transformers.__version__
        self.classes = oracle.classes().get(kind, {})
        if not self.classes:
            raise LookupError("no class of this release builds this type")
        self.observations, self.first = [], {}
        self.needs = {**oracle.NEEDS.get(kind, {}), **oracle.INSTEAD_OF_TIMM.get(kind, {})}
        self.base = {}

    def config(self, cls, changes):
        config = {"model_type": self.kind, "architectures": [cls], **plain(self.needs)}
        for path, value in {**self.base, **changes}.items():
            oracle.put(config, path, plain(value))
        return config

    def observe(self, cls, changes):
        config = self.config(cls, changes)
        out = {"class": cls, "set": changes}
        try:
            case = oracle.case("", config)
            rows = case["tensors"]
            fields = dict(self.flat(plain(oracle.load_config(config).to_dict())))
        except MemoryError:
            raise
        except Exception as e:
            out["error"] = f"{type(e).__name__}: {' '.join(str(e).split())[:160]}"
            if self.observations:
                self.observations.append(out)
            return out
        if "note" in case:
            out["note"] = case["note"]
        if cls not in self.first:
            self.first[cls] = rows
            out["tensors"] = rows
        else:
            known = {json.dumps(row) for row in self.first[cls]}
            new = {json.dumps(row) for row in rows}
            out["without"] = [row for row in self.first[cls] if json.dumps(row) not in new]
            out["with"] = [row for row in rows if json.dumps(row) not in known]
        if not self.observations:
            self.defaults = fields
            out["fields"] = fields
        else:
            out["fields"] = {k: v for k, v in fields.items() if k not in self.defaults or self.defaults[k] != v}
            gone = [k for k in self.defaults if k not in fields]
            if gone:
                out["gone"] = gone
        self.observations.append(out)
        return out

    @staticmethod
    def flat(config):
        yield from oracle.flatten(config)
        if "tie_word_embeddings" in config:
            yield "tie_word_embeddings", config["tie_word_embeddings"]

    def changed(self, out):
        return bool(out.get("with") or out.get("without"))

    def run(self):
        import transformers
        from transformers import CONFIG_MAPPING, AutoConfig
        tasks = list(dict.fromkeys(self.classes[t] for t in oracle.TASKS + oracle.MORE if t in self.classes))
        main = tasks[0]
        # Few layers and experts, if the type still builds with them.
        loaded = oracle.load_config(self.config(main, {}))
        full = plain(loaded.to_dict())
        few = {}
        for path, value in oracle.flatten(full):
            for names, size in FEW.items():
                if isinstance(value, int) and not isinstance(value, bool) and value > size and names.search(path.rsplit(".", 1)[-1]):
                    few[path] = size
        self.base = few
        try:
            oracle.case("", self.config(main, {}))
        except Exception:
            self.base = {}
        first = self.observe(main, {})
        if "error" in first:
            raise RuntimeError(first["error"])
        whole = oracle.load_config(self.config(main, {}))
        objects = {id(whole): ""}
        sections = {}

        def walk(config, prefix):
            for name, part in vars(config).items():
                if isinstance(part, transformers.PreTrainedConfig) and not name.startswith("_"):
                    path = f"{prefix}{name}"
                    auto = getattr(type(config), "sub_configs", {}).get(name)
                    sections[path] = {"type": part.model_type, "auto": auto is AutoConfig}
                    objects[id(part)] = path + "."
                    walk(part, path + ".")

        walk(whole, "")
        # What the model's code reads, also where the configuration class does not declare it.
        read = set()
        with Reads(transformers.PreTrainedConfig) as reads:
            try:
                import torch, contextlib, io
                cls = getattr(transformers, main)
                given = whole if isinstance(whole, getattr(cls, "config_class", object)) else whole.get_text_config()
                objects.setdefault(id(given), "")
                with contextlib.redirect_stdout(io.StringIO()), torch.device("meta"):
                    cls(given)
            except Exception:
                pass
        for number, names in reads.names.items():
            if number in objects:
                read |= {objects[number] + name for name in names}
        self.fields, aliases = {}, {}

        def declare(config, prefix):
            aliases[prefix[:-1]] = dict(getattr(type(config), "attribute_map", None) or {})
            for name, (default, null) in declared(type(config)).items():
                self.fields[prefix + name] = {"default": plain(default), "null": null, "declared": True}
            for path, section in sections.items():
                if path.rpartition(".")[0] == prefix[:-1]:
                    declare(eval("config." + path[len(prefix):], {"config": config}), path + ".")

        declare(whole, "")
        aliases = {k: v for k, v in aliases.items() if v}
        other = {f"{k}.{spelling}" if k else spelling for k, spellings in aliases.items() for spelling in spellings}
        known = dict(self.flat(plain(whole.to_dict())))
        for path in sorted(read):
            name = path.rsplit(".", 1)[-1]
            if path in known or path in other or oracle.SKIP.search(path) or name in HOUSE or name.startswith(("use_return", "get_")):
                continue
            if callable(getattr(type(whole), name, None)) or isinstance(getattr(type(whole), name, None), property):
                continue
            known[path] = None
            self.fields.setdefault(path, {"default": None, "null": True, "declared": False})
        for path, value in known.items():
            base, *_ = self.base.get(path, value),
            for v in values_for(self.kind, path, value if value is None else base):
                self.observe(main, {path: v})
            field = self.fields.get(path)
            if field and field["null"] and value is not None and not isinstance(value, (dict,)):
                self.observe(main, {path: None})
        # Fields of which none builds alone have to fit others: twice a width with twice its heads, or half of what multiplies it.
        alone = {path: [o for o in self.observations if list(o["set"]) == [path]] for path in known}
        stuck = [path for path, tried in alone.items() if tried and all("error" in o for o in tried) and type(known[path]) is int]
        for a in stuck:
            for b in known:
                if a != b and type(known[b]) is int and known[b] > 1:
                    for factor, more in ((2, 2 * known[b]), (3, 3 * known[b]), (2, known[b] // 2)):
                        if "error" in self.observe(main, {a: factor * known[a], b: more}):
                            self.observations.pop()
        # The other classes, and whether they follow the same switches.
        active = [list(o["set"]) for o in self.observations if self.changed(o)]
        # Also fields that only change other fields: the heads, where their dimension follows from them.
        active += [list(o["set"]) for o in self.observations if "error" not in o and set(o.get("fields", ())) - set(o["set"])]
        active = list(dict.fromkeys(path for paths in active for path in paths))
        for cls in tasks[1:]:
            out = self.observe(cls, {})
            if "error" in out:
                continue
            for extra in ({"num_labels": 5}, {"tie_word_embeddings": not known.get("tie_word_embeddings", True)}):
                if "num_labels" in extra or "tie_word_embeddings" in known:
                    self.observe(cls, extra)
            for path in active:
                v = next((o["set"][path] for o in self.observations if self.changed(o) and list(o["set"]) == [path]), None)
                self.observe(cls, {path: v})
        # Several fields at once: they tell sums from products.
        rng = random.Random(self.kind)
        values = {path: [o["set"][path] for o in self.observations if list(o["set"]) == [path] and "error" not in o and o["set"][path] != 0]
                  for path in active}
        good = 0
        for _ in range(80):
            if good == 16 or not active:
                break
            chosen = [path for path in rng.sample(active, min(len(active), rng.choice([2, 2, 3, 4, 6]))) if values[path]]
            good += "error" not in self.observe(main, {path: rng.choice(values[path]) for path in chosen})
        # The defaults as they are.
        small, self.base = self.base, {}
        self.first.pop(main)
        if small:
            self.observe(main, {})
        return {"type": self.kind, "release": self.release, "package": package_of(self.kind), "classes": self.classes, "fields": {k: v for k, v in self.fields.items() if not oracle.SKIP.search(k) or k == "tie_word_embeddings"},
                "sections": sections, "aliases": aliases, "needs": self.needs, "base": small, "whole": bool(small), "observations": self.observations}


# Undeclared fields that models read but that are not recorded: no tensor depends on them, or they are handled separately.
HOUSE = {"torchscript", "pruned_heads", "name_or_path", "attn_implementation", "sub_configs", "base_config_key", "base_model_tp_plan", "base_model_pp_plan",
         "base_model_ep_plan", "attribute_map", "tie_encoder_decoder", "keys_to_ignore_at_inference", "model_type", "dtype", "label2id", "id2label",
         "num_labels", "has_no_defaults_at_init", "generation_config", "gradient_checkpointing", "is_composition", "base_model_fsdp_plan",
         "decoder", "generator", "text_config", "text_encoder", "experts_implementation", "rope_parameters",
         "loss_type", "to_dict", "architectures", "default_theta", "ignore_keys_at_rope_validation", "use_kernels", "is_heterogeneous", "per_layer_config"}


def one(kind, path, memory):
    limit = int(memory * 2**30)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    oracle.library()
    import transformers.utils.logging as logging
    logging.set_verbosity_error()
    out = Recorder(kind).run()
    with open(path, "w") as file:
        file.write(dumped(out))


def dumped(out):
    """One line per observation."""
    head = {k: v for k, v in out.items() if k != "observations"}
    lines = ",\n".join(json.dumps(o, separators=(",", ":")) for o in out["observations"])
    return json.dumps(head)[:-1] + ', "observations": [\n' + lines + "\n]}\n"


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("types", nargs="*")
    ap.add_argument("-o", "--out", default=".")
    ap.add_argument("--memory", type=float, default=6, help="GiB for each type")
    ap.add_argument("--seconds", type=float, default=900, help="for each type")
    ap.add_argument("--one", help=argparse.SUPPRESS)
    ap.add_argument("--list", action="store_true")
    a = ap.parse_args()
    if a.list:
        oracle.library()
        for kind in sorted(oracle.classes()):
            print(kind, package_of(kind))
        return
    if a.one:
        one(a.one, os.path.join(a.out, f"{a.one}.json"), a.memory)
        return
    os.makedirs(a.out, exist_ok=True)
    failed = 0
    for kind in a.types:
        command = [sys.executable, os.path.abspath(__file__), "--one", kind, "-o", a.out, "--memory", str(a.memory)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=a.seconds)
            reason = "" if done.returncode == 0 else why(done, a.memory)
        except subprocess.TimeoutExpired:
            reason = f"took longer than {a.seconds:g} seconds"
        failed += bool(reason)
        print(f"{kind}: {'not recorded: ' + reason if reason else 'recorded'}", flush=True)
    sys.exit(1 if failed == len(a.types) and failed else 0)


def why(done, memory):
    """Why the process of a type ended, in a few words."""
    last = (done.stderr.strip().splitlines() or [""])[-1]
    if done.returncode < 0 or "MemoryError" in last or "not enough memory" in last or "can't allocate" in last:
        return f"needs more than {memory:g} GiB of memory, or crashed (signal {-done.returncode})" if done.returncode < 0 else f"needs more than {memory:g} GiB of memory"
    package = re.search(r"No module named '([\w.]+)'|requires the (?:following )?([\w ,]+?) librar", done.stderr)
    if package:
        return f"needs the package {package[1] or package[2]}"
    return last[:200]


if __name__ == "__main__":
    main()
