#!/usr/bin/env python3
"""Drafts families from observations (observe.py), without torch.

    draft.py [--into TREE] OBSERVATIONS.json...    writes core/families/TYPE.cpp, the line in families.def and new rows of dimensions.def
    draft.py --print OBSERVATIONS.json...          prints the families and the report instead

The report names what could not be drafted. A family that exists is not overwritten.
"""
import argparse, collections, json, os, re, shutil, subprocess, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from blocks import Writer, part_of
from shape_up import Leaf, Part, Set
from solve import Condition, Expr, Solver, condition, field, number, product, read

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")

SIZES = {"hidden_size": "d", "intermediate_size": "f", "num_hidden_layers": "n_layers", "vocab_size": "vocab", "num_attention_heads": "n"}
USUAL = {**SIZES, "num_key_value_heads": "n_kv", "head_dim": "h", "max_position_embeddings": "positions", "n_positions": "positions", "type_vocab_size": "types",
         "num_channels": "channels", "patch_size": "patch", "image_size": "side", "num_experts": "n_experts", "num_local_experts": "n_experts", "n_routed_experts": "n_experts",
         "moe_intermediate_size": "f_expert", "d_model": "d", "dim": "d", "n_embd": "d", "n_layers": "n_layers", "n_layer": "n_layers", "n_heads": "n", "n_head": "n",
         "hidden_dim": "f", "ffn_dim": "f", "n_inner": "f", "num_labels": "labels", "q_lora_rank": "q_rank", "kv_lora_rank": "kv_rank"}

HEADS = {"ForCausalLM": "causal_lm", "Model": "base", "ForConditionalGeneration": "conditional", "ForSequenceClassification": "sequence", "ForTokenClassification": "token",
         "ForQuestionAnswering": "question", "ForMaskedLM": "masked", "ForMultipleChoice": "choice", "ForNextSentencePrediction": "next_sentence", "ForPreTraining": "pretraining",
         "ForImageClassification": "image", "ForMaskedImageModeling": "masked_image", "ForVideoClassification": "video", "ForAudioClassification": "audio",
         "ForAudioFrameClassification": "frames", "ForXVector": "speaker", "ForCTC": "ctc", "ForObjectDetection": "objects", "ForSemanticSegmentation": "semantic",
         "ForUniversalSegmentation": "segments", "ForDepthEstimation": "depth", "Backbone": "backbone"}
ENUM = {"causal_lm": "causal_lm", "base": "none", "conditional": "conditional_generation", "sequence": "sequence_classification", "token": "token_classification", "question": "question_answering",
        "masked": "masked_lm", "choice": "multiple_choice", "next_sentence": "next_sentence_prediction", "pretraining": "pretraining", "image": "image_classification",
        "masked_image": "masked_image", "video": "video_classification", "audio": "audio_classification", "frames": "frame_classification", "speaker": "speaker", "ctc": "ctc",
        "objects": "object_detection", "semantic": "semantic_segmentation", "segments": "universal_segmentation", "depth": "depth_estimation", "backbone": "backbone"}
GROUPS = {"all": {"causal_lm", "base", "sequence", "token", "question"}, "decoder": {"causal_lm", "base"},
          "encoder": {"causal_lm", "base", "sequence", "token", "question", "masked", "choice"}, "speech": {"ctc", "base", "sequence", "frames", "speaker"}}


def heads_of(bits):
    """`heads::decoder | heads::sequence`, with the fewest words."""
    for name in ("encoder", "all", "speech", "decoder"):
        if GROUPS[name] <= bits:
            rest = [f"heads::{b}" for b in HEADS.values() if b in bits - GROUPS[name]]
            return " | ".join([f"heads::{name}", *rest])
    for name in ("encoder", "all"):
        gone = GROUPS[name] - bits
        if len(gone) == 1 and not bits - GROUPS[name]:
            return f"heads::{name} & ~heads::{gone.pop()}"
    return " | ".join(f"heads::{b}" for b in HEADS.values() if b in bits)


def without_indices(name):
    return re.sub(r"(?<=\.)(\[[\d,-]+\]|\d+)(?=\.|$)", "#", name)


class Names:
    """The fields that a backbone or a head reads, each under a C++ name."""

    def __init__(self, draft, sizes_struct):
        self.draft, self.sizes_struct = draft, sizes_struct
        self.towers = {}
        self.read, self.flags, self.words, self.optional, self.sets, self.given = {}, {}, {}, {}, {}, {}

    def unique(self, name):
        taken = {*self.read.values(), *self.flags.values(), *self.words.values(), *self.optional.values()}
        while name in taken or name in ("default", "switch", "register", "c", "b", "table"):
            name += "_size" if not name.endswith("_size") else "_"
        return name

    def variable(self, path):
        section, _, last = path.rpartition(".")
        name = USUAL.get(last) or re.sub(r"^num_", "n_", re.sub(r"(?<=.)_(size|dim|dims)$", "", last))
        if section:
            name = f"{section.split('.')[-1].replace('_config', '')}_{name}"
        return self.unique(re.sub(r"\W", "_", name).lower())

    def field(self, path):
        if path in self.optional:
            return f"*{self.optional[path]}"
        section, _, last = path.rpartition(".")
        if section in self.towers and last in ("hidden_size", "d_model"):
            return f"{self.towers[section]}.hidden"
        if self.sizes_struct and path in SIZES:
            self.read[path] = f"s.{SIZES[path]}"
            return self.read[path]
        listed = re.fullmatch(r"(.*)\[(\d+)\]", path)
        if listed:
            return f"{self.list_of(listed[1])}[{listed[2]}]"
        if path == "num_labels":
            return "num_labels(c)"
        if path not in self.read:
            self.read[path] = self.variable(path)
        return self.read[path]

    def list_of(self, path):
        self.given.setdefault(path, self.variable(path))
        return self.given[path]

    def layers(self):
        return self.field(self.draft.layers_field)

    def heads_field(self, leaf):
        return self.draft.heads_field(leaf)

    def test(self, path, test, word):
        value = self.draft.default(path)
        if test in ("is", "is not"):
            name = self.words.setdefault(path, self.variable(path))
            return f'{name} {"==" if test == "is" else "!="} "{word}"'
        if test in ("given", "missing"):
            if path in self.read:
                del self.read[path]
            name = self.optional.setdefault(path, self.variable(path))
            return name if test == "given" else f"!{name}"
        if isinstance(value, int) and not isinstance(value, bool):
            return f"{self.field(path)}.decide() {'>' if test == 'true' else '=='} 0"
        name = self.flags.setdefault(path, self.variable(path))
        return name if test == "true" else f"!{name}"

    def index_set(self, s):
        if s not in self.sets:
            kind = s.more[1][0].replace("_attention", "") if s.kind == "kind" else s.more[0] if s.more and isinstance(s.more[0], str) else "some"
            self.sets[s] = f"{re.sub(r'[^a-z0-9]+', '_', kind.lower())}_layers"
        return self.sets[s]

    def reader(self, path):
        section, _, last = path.rpartition(".")
        reader = "c" + "".join(f'.section("{part}")' for part in section.split(".") if part)
        return reader, last

    def lines(self):
        """The reads at the top, in the order of the configuration."""
        out = []
        order = {p: i for i, p in enumerate(self.draft.order)}
        if any(p in SIZES and v.startswith("s.") for p, v in self.read.items()):
            sizes = [self.draft.default(p) or 0 for p in ("hidden_size", "intermediate_size", "num_hidden_layers", "vocab_size", "num_attention_heads")]
            out.append(f"const DecoderSizes s = decoder_sizes(c, {{{', '.join(map(str, sizes))}}});")
        # A rule may name other fields, which are then read, too.
        written = {}
        while True:
            missing = [p for p, v in self.read.items() if p not in written and not v.startswith("s.")]
            if not missing:
                break
            for path in missing:
                written[path] = self.integer(path)
        done = set(p for p, v in self.read.items() if v.startswith("s."))
        waiting = sorted(written, key=lambda p: order.get(p, 999))
        exprs = []
        while waiting:
            ready = next((p for p in waiting if self.draft.rule_fields(p) - {p} <= done), waiting[0])
            waiting.remove(ready)
            done.add(ready)
            exprs.append(f"{self.read[ready]} = {written[ready]}")
        if exprs:
            out.append(f"const Expr {', '.join(exprs)};")
        for path, name in self.optional.items():
            reader, last = self.reader(path)
            value = self.draft.default(path)
            out.append(f'const std::optional<Expr> {name} = {reader}.optional_integer("{last}"{f", {value}" if value is not None else ""});')
        for path, name in sorted(self.flags.items(), key=lambda x: order.get(x[0], 999)):
            reader, last = self.reader(path)
            out.append(f'const bool {name} = {reader}.flag("{last}", {"true" if self.draft.default(path) else "false"}{self.draft.null_flag(path)});')
        for path, name in self.words.items():
            reader, last = self.reader(path)
            out.append(f'const std::string_view {name} = {reader}.text("{last}", "{self.draft.default(path)}");')
        for path, name in self.given.items():
            reader, last = self.reader(path)
            out.append(f'const std::vector<Expr> {name} = {reader}.dimensions("{last}", {{{", ".join(map(str, self.draft.default(path) or []))}}});')
        for s, name in self.sets.items():
            out += self.draft.set_lines(s, name, self)
        return out

    def integer(self, path):
        reader, last = self.reader(path)
        rule = self.draft.rule(path, self)
        return f'{reader}.integer("{last}", {rule})'


class Draft:
    def __init__(self, path):
        self.data = data = read(path)
        self.type = data["type"]
        self.problems = []
        observed = data["observed"]
        self.main = observed[0].cls
        self.classes = list(dict.fromkeys(data["classes"].values()))
        self.seen = [c for c in self.classes if any(o.cls == c for o in observed)]
        for c in self.classes:
            if c not in self.seen:
                error = next((e["error"] for e in data["errors"] if e["class"] == c), "no observation")
                self.problems.append((c, f"was not built: {error}"))
        self.order = list(dict.fromkeys(k for o in observed for k in o.fields))
        self.prefix = {}
        self.first = {c: next(o for o in observed if o.cls == c) for c in self.seen}
        self.base = data["classes"].get("BASE")
        if self.base not in self.seen:
            self.base = self.main
        base_names = {row[0] for row in self.first[self.base].rows}
        self.base_names = {without_indices(row[0]) for o in observed if o.cls == self.base for row in o.rows}
        self.pre = {c: self.prefix_of(c, base_names) for c in self.seen}
        self.observations = [o for o in observed if o.cls == self.main]
        self.solver = Solver(observed, data["fields"], self.order)
        self.layers_field = next((p for p in self.order if re.search(r"(^|_)(n_)?layers?$", p) and isinstance(observed[0].fields[p], int)), "num_hidden_layers")
        self.fall_back()
        rows = {o.number: self.inside(o) for o in self.observations}
        self.backbone = self.part(self.observations, rows)
        self.problems += self.backbone.problems
        self.head_leaves = {}
        for c in self.seen:
            mine = [o for o in observed if o.cls == c]
            extra = {o.number: self.outside(o) for o in mine}
            if any(extra.values()):
                part = self.part(mine, extra)
                self.head_leaves[c] = part.leaves
                self.problems += [(f"{c}: {name}", why) for name, why in part.problems]
            else:
                self.head_leaves[c] = []

    def part(self, observations, rows):
        return Part(observations, rows, self.solver, self.order)

    # Classes

    def prefix_of(self, cls, base_names):
        names = [row[0] for row in self.first[cls].rows]
        best, most = "", len(base_names & set(names))
        for depth in (1, 2):
            for prefix in {".".join(n.split(".")[:depth]) for n in names}:
                count = sum(f"{prefix}.{n}" in names for n in base_names) if len(base_names) < 4000 else 0
                if count > most:
                    best, most = prefix, count
        return best

    def inside(self, o):
        """The rows of the backbone in an observation, without its prefix."""
        prefix = self.pre[o.cls]
        if prefix:
            return [[row[0][len(prefix) + 1:], *row[1:]] for row in o.rows if row[0].startswith(prefix + ".")]
        if o.cls == self.base:
            return o.rows
        return [row for row in o.rows if without_indices(row[0]) in self.base_names]

    def outside(self, o):
        prefix = self.pre[o.cls]
        if prefix:
            return [row for row in o.rows if not row[0].startswith(prefix + ".")]
        if o.cls == self.base:
            return []
        return [row for row in o.rows if without_indices(row[0]) not in self.base_names]

    # Fields

    def fall_back(self):
        """What optional fields mean without a value: tried in turn, until the observations agree."""
        def tries(section):
            at = lambda name: field(f"{section}.{name}" if section else name)
            have = lambda *names: next((at(n) for n in names if (f"{section}.{n}" if section else n) in self.order), None)
            d, n = have("hidden_size", "d_model", "n_embd", "dim"), have("num_attention_heads", "n_heads", "n_head", "num_heads")
            share = Expr("floor", d, n) if d and n else None
            return [e for e in (share, n, d, d and product([number(4), d]), d and product([number(2), d])) if e]
        for path in self.order:
            values = [o.fields.get(path) for o in self.observations]
            known = [isinstance(v, int) and not isinstance(v, bool) for v in values]
            if not any(known) or all(known):
                continue
            options = tries(path.rpartition(".")[0])
            name = path.rsplit(".", 1)[-1]
            if "rank" in name:
                continue
            best, least = None, None
            for e in options:
                if e.fields() & {path}:
                    continue
                self.solver.effective[path] = e
                self.solver.tables, self.solver.found = {}, {}
                cost = self.unsolved(path)
                if least is None or cost < least:
                    best, least = e, cost
                if cost == 0:
                    break
            self.solver.effective[path] = best
        self.solver.tables, self.solver.found = {}, {}
        self.solver.names = [p for p in self.order if self.solver.numeric(p)]

    def unsolved(self, path):
        """How many of the tensors that a field changes are not solved."""
        touched = collections.OrderedDict()
        first = self.observations[0]
        shapes = {row[0]: row[1] for row in first.rows}
        for o in self.observations:
            if list(o.set) == [path] and o.set[path] is not None:
                for row in o.rows:
                    if row[0] in shapes and shapes[row[0]] != row[1]:
                        touched[row[0]] = True
        bad = 0
        done = set()
        for name in list(touched)[:6]:
            by = {o.number: next((r[1] for r in o.rows if r[0] == name), None) for o in self.observations}
            by = {n: s for n, s in by.items() if s}
            for i in range(len(shapes[name])):
                values = {n: s[i] for n, s in by.items() if len(s) > i}
                key = tuple(values.items())
                if key in done:
                    continue
                done.add(key)
                bad += self.solver.solve(values) is None
        return bad if touched else 1

    def info(self, path):
        return self.data["fields"].get(path, {})

    def default(self, path):
        value = self.info(path).get("default")
        if value is None and path not in self.data["fields"]:
            value = self.observations[-1 if self.data["whole"] else 0].fields.get(path)
        if value is None and path in self.data["needs"]:
            value = self.data["needs"][path]
        return value

    def null_flag(self, path):
        return ", Null::allowed" if self.info(path).get("null") and self.default(path) is not None else ", Null::allowed" if self.info(path).get("null") else ""

    def rule_fields(self, path):
        e = self.derived(path)
        return e.fields() if e is not None and self.uses_rule(path) else set()

    def uses_rule(self, path):
        return self.derived(path) is not None and (not isinstance(self.default(path), int) or self.info(path).get("null"))

    def derived(self, path):
        """What the field is without a value, as an expression of others; None if that is not known."""
        if path in self.solver.effective:
            return self.solver.effective[path]
        if isinstance(self.default(path), int):
            return None
        if not hasattr(self, "found"):
            self.found = {}
        if path not in self.found:
            values = {o.number: o.fields.get(path) for o in self.observations if path not in o.set and isinstance(o.fields.get(path), int)}
            others = [p for p in self.order if p != path]
            solver = Solver(self.observations, self.data["fields"], others)
            solver.names = [p for p in solver.names if p != path]
            self.found[path] = None
            if values:
                e = solver.solve(values, tuple(p for p in ("hidden_size", "num_attention_heads") if p in others))
                self.found[path] = e if e is None or e.op != "number" or True else None
        return self.found[path]

    def zero_falls_back(self, path):
        o = next((o for o in self.data["observations"] if o["set"] == {path: 0} and o["class"] == self.main and "error" not in o), None)
        return o is not None and not o.get("with") and not o.get("without")

    def rule(self, path, names):
        value = self.default(path)
        e = self.derived(path)
        info = self.info(path)
        if path in self.data["needs"]:
            return f"required({self.data['needs'][path]})"
        if isinstance(value, int) and not isinstance(value, bool):
            if info.get("null") and e is not None:
                return f"fixed_not_null({value}).or_else({self.written(e, names)})"
            return str(value)
        if e is None:
            self.problems.append((path, "has no default, and what it means without a value was not found"))
            return "required(1)"
        if not info.get("declared", True):
            return f"attribute.or_else({self.written(e, names)})"
        if self.zero_falls_back(path):
            return f"unless_zero.or_else({self.written(e, names)})"
        return self.written(e, names)

    def written(self, e, names):
        return Writer(names, self.problems).expr(e)

    def heads_field(self, leaf):
        """The field with the number of heads for an attention whose width does not show it."""
        words = " ".join(leaf.path)
        found = [p for p in self.order if re.search(r"(^|_|\.)((n|num)_)?(attention_)?heads?$|^n_heads?$", p.rsplit(".", 1)[-1]) and "key_value" not in p and "kv" not in p]
        for side in ("encoder", "decoder"):
            if re.search(rf"\b{side}\b", words):
                found = [p for p in found if side in p] or found
        return found[0] if found else None

    def set_lines(self, s, name, names):
        """How a set of layers is read from its field."""
        layers = names.layers()
        names.draft.includes.add("core/nn/layer_kinds.hpp")
        if s.kind == "kind":
            path, inside, outside = s.more
            choices = ", ".join(f'"{w}"' for w in dict.fromkeys((*inside, *outside)))
            reader, last = names.reader(path)
            is_in = " || ".join(f'kind == "{w}"' for w in inside)
            self.problems.append((path, "the default kinds of layers without this list have to be checked"))
            pattern = self.pattern(path)
            kinds = f"{last.removesuffix('layer_types').removesuffix('_types')}kinds"
            lines = []
            if kinds not in self.kinds:
                self.kinds.add(kinds)
                lines += [f"static constexpr std::string_view {kinds}_choices[] = {{{choices}}};",
                          f'const std::vector<std::string_view> {kinds} = layer_kinds({reader}, "{last}", {layers}, {kinds}_choices, [&](std::size_t i) -> std::string_view {{ return {pattern}; }});']
            test = " || ".join(f'{kinds}[i] == "{w}"' for w in inside)
            words = inside[0].replace("_", " ").replace(" attention", "")
            lines.append(f'const IndexSet {name} = layers_where({reader}, {layers}, "{name}", "L_{words[0]}", "Layers of kind {" or ".join(inside)}.", [&](std::size_t i) {{ return {test}; }});')
            return lines
        if s.kind == "listed":
            path = s.more[0]
            reader, last = names.reader(path)
            return [f'const LayerList {name}_listed({reader}.integers("{last}").value_or(std::vector<std::int64_t>{{}}));',
                    f'const IndexSet {name} = layers_where({reader}, {layers}, "{name}", "L_s", "Layers listed in {last}.", [&](std::size_t i) {{ return {name}_listed.has(i); }});']
        self.problems.append((name, "which layers it has was not found"))
        return [f"const IndexSet {name} = all({layers});"]

    kinds = set()

    def pattern(self, path):
        """The kind of layer i if the list is missing, as C++."""
        lists = [o.fields[path] for o in self.observations if path not in o.set and isinstance(o.fields.get(path), list)]
        lists += [o.fields[path] for o in self.data["observed"] if isinstance(o.fields.get(path), list) and path not in o.set]
        longest = max(lists, key=len, default=[])
        words = list(dict.fromkeys(longest))
        if len(words) == 1:
            return f'"{words[0]}"'
        if len(words) == 2:
            for period in range(2, len(longest)):
                for at in range(period):
                    for a, b in (words, words[::-1]):
                        if all((x == a) == (i % period == at) for i, x in enumerate(longest)):
                            test = f"(i + 1) % {period} == 0" if at == period - 1 else f"i % {period} == {at}"
                            return f'{test} ? "{a}" : "{b}"'
            first = next(i for i, x in enumerate(longest) if x != longest[0])
            if all(x == longest[0] for x in longest[:first]) and all(x != longest[0] for x in longest[first:]):
                return f'i < {first} ? "{longest[0]}" : "{longest[first]}"'
        self.problems.append((path, "its default has no simple pattern"))
        return f'"{words[0] if words else ""}"'

    # The family

    includes = set()

    def family(self):
        self.includes, self.kinds = {"core/builder/family.hpp"}, set()
        from decoders import decoder_family
        special = decoder_family(self)
        return special or self.generic()

    def generic(self):
        sizes_struct = all(p in self.order for p in SIZES) and not any(p.startswith(("encoder_", "decoder_")) for p in self.order)
        names = Names(self, sizes_struct)
        writer = Writer(names, self.problems)
        writer.wanted, writer.writes_tables = self.wanted_tables(), True
        leaves, nested_lines, declarations = self.nested(self.backbone.leaves, names)
        body = nested_lines + writer.write(leaves, 0)
        text = next((v for v in self.towers.values() if v == "out"), None)
        hidden = text or self.hidden(writer)
        head, head_lines, more = self.heads(writer)
        answer = [f".hidden = {hidden}"]
        if writer.table:
            answer.append(f".embedding = {writer.table}")
        answer += more
        self.includes |= writer.includes | {"core/nn/layers.hpp"}
        reads = names.lines()
        if any("s = decoder_sizes" in line for line in reads):
            self.includes.add("core/nn/text/decoders.hpp")
        joined = "\n".join(reads + body)
        if "std::optional" in joined:
            self.includes.add("<optional>")
        if "std::vector" in joined:
            self.includes.add("<vector>")
        end = [f"return {{{', '.join(answer)}}};"]
        if text:
            end = [f"out{x};" for x in more + self.language_model_lines()] + ["return out;"]
        source = ["BackboneOutput backbone(Config c, Builder& b) {", *reads, *body, *end, "}"]
        return self.file(source, head_lines, ".backbone = backbone", head, declarations=declarations)

    towers = {}

    def nested(self, leaves, names):
        """The modules that are models of a section: (the other leaves, their lines, declarations of families)."""
        self.towers = {}
        families = {m[1] for m in re.finditer(r"^(?:X|PUBLISHED|COMMON)\((\w+)\)", open(os.path.join(ROOT, "core/registry/families.def")).read(), re.M)}
        lines, declared = [], []
        for path, info in self.data["sections"].items():
            if "." in path:
                continue
            family = re.sub(r"\W", "_", info["type"])
            place = self.place_of(path, leaves)
            if place is None:
                continue
            if family not in families:
                self.problems.append((path, f"is a model of type {info['type']}, which has no family: its tensors are drafted here"))
                continue
            leaves = [leaf for leaf in leaves if leaf.path[: len(place)] != place]
            kind = "vision" if re.search("vision|image|visual", path) else "audio" if re.search("audio|speech", path) else "text" if re.search("text|decoder|llm|language", path) else ""
            name = ".".join(place)
            self.includes.add("core/nn/nested.hpp")
            reader = f'c.section("{path}")'
            if kind == "vision":
                self.includes.add("core/nn/vision/vision.hpp")
                variable = "tower"
                lines.append(f'const BackboneOutput tower = vision_tower({reader}, b, "{name}", {{"{info["type"]}"}});')
            elif kind == "audio":
                variable = "audio"
                lines.append(f'const BackboneOutput audio = nested_tower({reader}, b, Tower::audio, "{name}", {{"{info["type"]}"}});')
            else:
                variable = "out" if "out" not in self.towers.values() else re.sub(r"_config$", "", path)
                const = "" if variable == "out" else "const "
                if info["auto"]:
                    call = "text_beside_vision" if kind == "text" and "tower" in self.towers.values() else "nested_auto"
                    if call == "text_beside_vision":
                        self.includes.add("core/nn/vision/vision.hpp")
                    lines.append(f'{const}BackboneOutput {variable} = {call}({reader}, b, "{name}", "{info["type"]}");')
                else:
                    declared.append(family)
                    lines.append(f'{const}BackboneOutput {variable} = nested({reader}, b, "{name}", {family});')
            self.towers[path] = variable
        names.towers = self.towers
        # The tower first, as the model runs.
        return leaves, sorted(lines, key=lambda line: "BackboneOutput out" in line), declared

    def place_of(self, section, leaves):
        """The largest module with tensors that depend on nothing but this section."""
        def used(leaf):
            out = set().union(*(e.fields() for e in leaf.dims)) | {t[0] for t in leaf.when.tests}
            for s in leaf.sets:
                out |= (s.count.fields() if s.count else set()) | {m for m in s.more if isinstance(m, str)}
            return {p for p in out if not p.startswith(section + ".")}, any(p.startswith(section + ".") for p in out)

        best, most = None, 4
        for depth in (1, 2, 3):
            for place in {leaf.path[:depth] for leaf in leaves if len(leaf.path) > depth}:
                if "*" in place:
                    continue
                group = [used(leaf) for leaf in leaves if leaf.path[: len(place)] == place]
                if any(others for others, _ in group) or not any(mine for _, mine in group):
                    continue
                if len(group) > most:
                    best, most = place, len(group)
        while best:  # a bare model begins with its table and its layers
            deeper = {leaf.path[len(best)] for leaf in leaves if leaf.path[: len(best)] == best}
            if deeper != {"model"}:
                break
            best = (*best, "model")
        return best

    def language_model_lines(self):
        for c, leaves in self.head_leaves.items():
            for leaf in leaves:
                if leaf.path[-2:] == ("lm_head", "weight") and leaf.name != "lm_head.weight":
                    return [f'.language_model = "{leaf.name.removesuffix(".weight")}"']
        return []

    def wanted_tables(self):
        """The tables that other tensors are tied to, with a variable each."""
        out = {}
        for leaf in [*self.backbone.leaves, *(x for leaves in self.head_leaves.values() for x in leaves)]:
            if isinstance(leaf.kind, tuple):
                target = leaf.target
                for prefix in set(self.pre.values()):
                    if prefix and target.startswith(prefix + "."):
                        target = target[len(prefix) + 1:]
                leaf.target = target
                out.setdefault(target, "table" if not out else f"table_{len(out) + 1}")
        return {k: v for k, v in out.items() if any(leaf.name == k for leaf in self.backbone.leaves)}

    def hidden(self, writer):
        for c, leaves in self.head_leaves.items():
            for leaf in leaves:
                if leaf.path[-1] == "weight" and len(leaf.dims) == 2 and leaf.dims[1].op == "field":
                    return writer.expr(leaf.dims[1])
        norms = [leaf for leaf in self.backbone.leaves if len(leaf.dims) == 1 and leaf.path[-1] == "weight"]
        return writer.expr(norms[-1].dims[0]) if norms else "c.literal(0)"

    def bits(self):
        prefix = self.class_prefix()
        return {c: HEADS.get(c[len(prefix):]) if c.startswith(prefix) else None for c in self.seen}

    def class_prefix(self):
        base = self.data["classes"].get("BASE") or self.main
        for suffix in sorted(HEADS, key=len, reverse=True):
            if base.endswith(suffix):
                return base[: -len(suffix)]
        return base

    def classes_text(self, extra=""):
        bits = self.bits()
        known = {b for b in bits.values() if b}
        prefixes = {c: self.pre[c] for c in self.seen if bits[c] and bits[c] not in ("base", "backbone")}
        most = collections.Counter(prefixes.values()).most_common(1)
        module = most[0][0] if most else "model"  # of classes with a head
        question = next((self.pre[c] for c in self.seen if bits[c] == "question"), None)
        out = [f'"{self.class_prefix()}"', heads_of(known)]
        others = [c for c in self.seen if not bits[c]]
        if module != "model" or question not in (None, module) or others:
            out.append(f'"{module}"')
        if question not in (None, module) or others:
            out.append(f'"{question}"' if question not in (None, module) else "{}")
        lines = []
        if others:
            out.append("listed")
            entries = ", ".join(f'{{"{c}", Head::other, "{self.pre[c]}"}}' for c in others)
            lines = [f"constexpr Architecture listed[] = {{{entries}}};"]
        if not others and question in (None, module) and module == "model":
            out = out[:2]
        return "{" + ", ".join(out) + "}", lines

    def standard_head(self, bit, leaves):
        """Whether decoder_head records these tensors; with what it needs to know."""
        names = {leaf.name: leaf for leaf in leaves}
        heads = [n for n in names if n == "lm_head.weight" or n.endswith(".lm_head.weight")]
        if bit in ("causal_lm", "conditional") and len(heads) == 1 and set(names) <= {heads[0], "lm_head.bias"}:
            head = names[heads[0]]
            if not isinstance(head.kind, tuple) or head.kind[1].tests != (("tie_word_embeddings", "true", None),):
                return None
            return {"bias": "lm_head.bias" in names}
        if bit == "sequence" and set(names) == {"score.weight"}:
            return {}
        if bit == "token" and set(names) == {"score.weight", "score.bias"}:
            return {}
        if bit == "question" and set(names) == {"qa_outputs.weight", "qa_outputs.bias"} and names["qa_outputs.weight"].dims[0] == number(2):
            return {}
        if not leaves:
            return {}
        return None

    def heads(self, writer):
        """The head's function, its lines, and more members of BackboneOutput."""
        bits = self.bits()
        more = []
        own = {}
        for c in self.seen:
            found = self.standard_head(bits[c], self.head_leaves[c])
            if found is None:
                own[c] = bits[c]
            elif found.get("bias"):
                more.append(".language_model_bias = true")
        if self.default("tie_word_embeddings") and any(b in ("causal_lm", "conditional") for b in bits.values()):
            more.insert(0, ".tie_by_default = true")
        if not own:
            classifies = any(self.head_leaves[c] for c in self.seen)
            if not classifies and len(self.seen) == 1:
                return "", [], more
            return "", [], more
        cases = []
        names = Names(self, False)
        for c, bit in own.items():
            w = Writer(names, self.problems)
            w.wanted = {}
            w.has_part = True
            w.table = "m.embedding"
            w.embeddings = {k: "m.embedding" for k in writer.embeddings}
            lines = w.write(self.head_leaves[c], 0)
            self.includes |= w.includes
            cases.append((c, bit, lines))
        standard = [c for c in self.seen if c not in own and self.head_leaves[c]]
        out = []
        self.includes.add("core/nn/heads.hpp")
        by_lines = collections.OrderedDict()
        for c, bit, lines in cases:
            by_lines.setdefault(tuple(lines), []).append((c, bit))
        out.append("void head(Config c, Builder& b, const BackboneOutput& m) {")
        reads = names.lines()
        out += reads
        out.append("b.part(Part::output_head, [&] {")
        first = True
        for lines, owners in by_lines.items():
            tests = [f"b.architecture().head == Head::{ENUM[bit]}" if bit else f'b.architecture().name == "{c}"' for c, bit in owners]
            out.append(f"{'if' if first else 'else if'} ({' || '.join(tests)}) {{")
            out += lines
            out.append("}")
            first = False
        out.append("});")
        if standard:
            tests = [f"b.architecture().head == Head::{ENUM[bits[c]]}" for c in standard]
            out.append(f"if ({' || '.join(tests)}) decoder_head(c, b, m);")
        out.append("}")
        # The widths that the backbone read are those of its output.
        return ".head = head", out, more

    def aliases_lines(self):
        top = self.data["aliases"].get("", {})
        pairs = [(a, f) for a, f in top.items() if f in self.order]
        if not pairs:
            return [], ""
        return [f"constexpr Alias aliases[] = {{{', '.join(f'{{{json.dumps(a)}, {json.dumps(f)}}}' for a, f in pairs)}}};"], ".aliases = aliases,"

    def file(self, source, head_lines, backbone, head, summary=None, title=None, declarations=()):
        classes, class_lines = self.classes_text()
        alias_lines, aliases = self.aliases_lines()
        used = "\n".join([*source, *head_lines])
        if "num_labels" in used:
            self.includes.add("core/nn/heads.hpp")
        mine = sorted(i for i in self.includes if not i.startswith("<"))
        if any("text/" in i for i in mine):  # these include the family's header
            mine = [i for i in mine if i != "core/builder/family.hpp"]
        if any(i.startswith("core/nn/text/sparse_decoders") for i in mine):
            mine = [i for i in mine if i not in ("core/nn/text/decoders.hpp", "core/nn/layer_kinds.hpp", "core/nn/layers.hpp", "core/nn/text/attention.hpp", "core/nn/text/feed_forward.hpp")]
        if any(i.startswith("core/nn/text/decoders") for i in mine):
            mine = [i for i in mine if i not in ("core/nn/layers.hpp", "core/nn/text/attention.hpp", "core/nn/text/feed_forward.hpp")]
        if "core/nn/text/decoders.hpp" not in mine and "core/nn/text/sparse_decoders.hpp" not in mine and "core/builder/family.hpp" not in mine:
            mine.insert(0, "core/builder/family.hpp")
        standard = sorted(i for i in self.includes if i.startswith("<"))
        name = re.sub(r"\W", "_", self.type)
        title = title or self.title()
        cache = ""
        lines = [f"// {title}", f"// Source: transformers, models/{self.package()}.", "",
                 *(f"#include {i}" for i in standard), *([""] if standard else []),
                 *(f'#include "{i}"' for i in mine), "", "namespace param_ledger {", "", *([f"extern const Family {', '.join(sorted(set(declarations)))};  // each in its own file", ""] if declarations else []), "namespace {", "", *alias_lines, *class_lines,
                 *([""] if alias_lines or class_lines else []), *source, "", *head_lines, *([""] if head_lines else []), "}  // namespace", "",
                 f"extern const Family {name}{{", f'.model_type = "{self.type}",', f".summary = {json.dumps(summary or self.summary())},", f".classes = {classes},",
                 *([aliases] if aliases else []), f"{backbone},", *([f"{head},"] if head else []), *([cache] if cache else []), "};", "", "}  // namespace param_ledger", ""]
        return formatted("\n".join(lines))

    def package(self):
        return self.data.get("package", self.type)

    def pretty(self):
        return self.class_prefix()

    def neighbour(self):
        return getattr(self, "near", None)

    def title(self):
        return f"{self.pretty()}: {self.description()}"

    def description(self):
        words = []
        names = " ".join(leaf.name for leaf in self.backbone.leaves)
        if "experts" in names:
            words.append("a mixture of experts")
        if re.search(r"mamba|mixer|A_log", names):
            words.append("state-space mixers")
        if re.search(r"attn|attention|q_proj|query", names):
            words.append("attention")
        if re.search(r"conv", names):
            words.append("convolutions")
        return " and ".join(words or ["layers"]) + "."

    def summary(self):
        text = self.description()
        return text[0].upper() + text[1:]


def formatted(text):
    """As clang-format writes it, if it is here and takes less than a minute: very long lines take it hours."""
    tool = shutil.which("clang-format") or shutil.which("clang-format-14")
    if not tool:
        return text
    command = [tool, f"--style=file:{os.path.join(ROOT, '.clang-format')}"]
    try:
        return subprocess.run(command, input=text, capture_output=True, text=True, check=True, timeout=60).stdout
    except subprocess.TimeoutExpired:
        return text


# The table of fields

def known_fields():
    out = {}
    for line in open(os.path.join(ROOT, "core/config/dimensions.def")):
        m = re.match(r'(?:X|COMMON)\("([^"]*)"', line)
        if m:
            out.update(dict.fromkeys(m[1].split(), True))
    return out


def dimension_rows(source):
    """Rows for the fields that a family reads and the table lacks."""
    known = known_fields()
    out = []
    for call, name in re.findall(r'\.(integer|optional_integer|flag|text|number|dimensions|sides|words|integers|scaled)\("(\w+)"', source):
        if name in known or any(name == n for n, *_ in out) or name in ("num_labels", "tie_word_embeddings"):
            continue
        size = call in ("integer", "optional_integer", "dimensions", "sides")
        symbol = re.sub(r"^(num|n)_", "", name)[0].lower() + "_" + "".join(w[0] for w in name.split("_")[-2:]) if size else ""
        group = "layers" if "layer" in name else "attention" if re.search("head|attn|attention|qk|kv", name) else "experts" if "expert" in name or "moe" in name else "other"
        step = 8 if re.search("size|dim|rank|width", name) else 1
        out.append((name, f'X("{name}", "{symbol}", {group}, "{name.replace("_", " ").capitalize()}."{f", {step}" if step > 1 and size else ""})'))
    return out


def report(draft):
    lines = [f"{draft.type}: drafted{'' if not draft.problems else ', except:'}"]
    lines += [f"  {name}: {why}" for name, why in dict.fromkeys(draft.problems)]
    return "\n".join(lines)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("files", nargs="+")
    ap.add_argument("--into", default=ROOT)
    ap.add_argument("--print", action="store_true")
    a = ap.parse_args()
    failed = False
    for path in a.files:
        try:
            draft = Draft(path)
            source = draft.family()
        except Exception as e:
            if os.environ.get("DRAFT_TRACE"):
                raise
            print(f"{os.path.basename(path).partition('.')[0]}: not drafted: {type(e).__name__}: {e}")
            failed = True
            continue
        rows = dimension_rows(source)
        if a.print:
            print(source)
            for _, row in rows:
                print(row)
            print(report(draft))
            continue
        name = re.sub(r"\W", "_", draft.type)
        target = os.path.join(a.into, "core/families", f"{name}.cpp")
        families = os.path.join(a.into, "core/registry/families.def")
        text = open(families).read()
        if re.search(rf"^(X|PUBLISHED|COMMON)\({name}\)", text, re.M):
            print(f"{draft.type}: not written: the family exists")
            failed = True
            continue
        open(target, "w").write(source)
        lines = text.splitlines()
        at = next((i for i, line in enumerate(lines) if re.match(r"(X|PUBLISHED|COMMON)\((\w+)\)", line) and re.match(r"(X|PUBLISHED|COMMON)\((\w+)\)", line)[2] > name), len(lines))
        lines.insert(at, f"X({name})")
        open(families, "w").write("\n".join(lines) + "\n")
        if rows:
            with open(os.path.join(a.into, "core/config/dimensions.def"), "a") as file:
                file.write("".join(row + "\n" for _, row in rows))
        print(report(draft))
    sys.exit(failed)


if __name__ == "__main__":
    main()
