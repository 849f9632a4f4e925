"""Drafts of decoders: a row of LlamaType, `sparse_decoder`, `latent_decoder`. None where a type needs the blocks one by one."""
import re

from blocks import Writer
from shape_up import Set
from solve import Condition, Expr, field, number, product

FIELDS = ("hidden_size", "intermediate_size", "num_hidden_layers", "vocab_size", "num_attention_heads")


def rule_default(draft, path):
    """The field's rule as a Default that says nothing about the derived value; None: no rule is needed."""
    value, info = draft.default(path), draft.info(path)
    if path in draft.data["needs"]:
        return f"required({draft.data['needs'][path]})"
    if isinstance(value, int):
        if draft.zero_falls_back(path):
            return f"fixed_not_zero({value})"
        return f"fixed_not_null({value})" if info.get("null") else f"fixed({value})"
    if not info.get("declared", True):
        return "attribute"
    if draft.zero_falls_back(path):
        return "unless_zero"
    return None


def refuses_uneven_heads(draft):
    """Whether transformers refuses heads that do not divide the hidden size."""
    return any("multiple of the number of attention heads" in e["error"] or "divisible" in e["error"] and "hidden" in e["error"] for e in draft.data["errors"])


class Layout:
    """A decoder taken apart: its table, its layers' attention, feed-forward block and norms, and its last norm."""

    def __init__(self, draft):
        self.ok = False
        leaves = draft.backbone.leaves
        self.draft = draft
        if not all(p in draft.order for p in FIELDS if p != "intermediate_size"):
            return
        top = [leaf for leaf in leaves if "*" not in leaf.path]
        layers = [leaf for leaf in leaves if leaf.path[:2] == ("layers", "*")]
        if len(top) + len(layers) != len(leaves) or not layers:
            return
        tables = [leaf for leaf in top if leaf.name == "embed_tokens.weight"]
        last = [leaf for leaf in top if leaf not in tables]
        if len(tables) != 1 or len(last) not in (0, 1, 2) or any(len(leaf.dims) != 1 or leaf.when for leaf in last):
            return
        if tables[0].dims != [field("vocab_size"), field("hidden_size")]:
            return
        self.last = last[0].path[0] if last else None
        self.norm = "layer" if len(last) == 2 else "rms" if last else "none"
        self.modules = {}
        for leaf in layers:
            self.modules.setdefault(leaf.path[2], []).append(leaf)
        everywhere = Set("all", field("num_hidden_layers"))
        self.norms = []
        self.blocks = {}
        for name, group in self.modules.items():
            if all(len(leaf.path) == 4 and len(leaf.dims) == 1 for leaf in group) and group[0].path[3] in ("weight", "bias") and re.search("norm|ln", name):
                if any(leaf.sets[0] != everywhere or leaf.when or leaf.dims != [field("hidden_size")] for leaf in group) or ("layer" if len(group) == 2 else "rms") != self.norm:
                    return
                self.norms.append(name)
            else:
                self.blocks[name] = group
        self.everywhere = everywhere
        self.ok = True


def norm_order(names):
    """The norms in the order of the forward pass, by their usual names."""
    known = {("input_layernorm", "post_attention_layernorm"): "pre", ("post_attention_layernorm", "post_feedforward_layernorm"): "post",
             ("input_layernorm", "post_attention_layernorm", "post_feedforward_layernorm", "pre_feedforward_layernorm"): "sandwich", ("input_layernorm",): "parallel"}
    return known.get(tuple(sorted(names)))


def decoder_family(draft):
    layout = Layout(draft)
    if not layout.ok or "self_attn" not in layout.blocks or len(layout.blocks) != 2:
        return None
    other = next(name for name in layout.blocks if name != "self_attn")
    sparse = any("experts" in leaf.path for leaf in layout.blocks[other])
    return sparse_family(draft, layout, other) if sparse else dense_family(draft, layout, other)


def heads_are_standard(draft):
    bits = draft.bits()
    found = [draft.standard_head(bits[c], draft.head_leaves[c]) for c in draft.seen]
    return None not in found, any(f and f.get("bias") for f in found if f)


def attention_layout(draft, leaves, names, writer):
    """(q, k, v, o, norms, items) of standard attention whose sizes are num_attention_heads, num_key_value_heads and head_dim; else None."""
    children = writer.children(leaves, 3)
    parts = children and writer.attention_parts(children)
    if not parts:
        return None
    (q, k, v), o, norms = parts
    if any("." in x for x in (q, k, v, o)):
        return None
    (wq, bq), (wk, bk), (wv, bv), (wo, bo) = (children[x] for x in (q, k, v, o))
    n, h, n_kv, d = field("num_attention_heads"), field("head_dim"), field("num_key_value_heads"), field("hidden_size")
    with_heads = wq.dims == [product([n, h]), d] and wk.dims == wv.dims and wk.dims[1] == d and wo.dims[0] == d
    kv = "field" if with_heads and wk.dims[0] == product([n_kv, h]) else "same" if with_heads and wk.dims == wq.dims else None
    if kv is None:
        return None
    return {"children": children, "q": q, "k": k, "v": v, "o": o, "norms": norms, "kv": kv, "weights": (wq, wk, wv, wo), "biases": (bq, bk, bv, bo)}


def switch(writer, weight, bias):
    """'false', 'true', or the field of the flag that gives the bias; None: another condition."""
    if bias is None:
        return "false"
    more = bias.when.minus(weight.when)
    if not more:
        return "true"
    if len(more.tests) == 1 and more.tests[0][1] == "true":
        return ("flag", more.tests[0][0])
    return None


def dense_family(draft, layout, other):
    from draft import Names
    names = Names(draft, True)
    writer = Writer(names, draft.problems)
    standard, head_bias = heads_are_standard(draft)
    a = attention_layout(draft, layout.blocks["self_attn"], names, writer)
    if not standard or other != "mlp":
        return None
    children = writer.children(layout.blocks["mlp"], 3)
    parts = children and len(children) in (2, 3) and writer.mlp_parts(children)
    if not parts or any(leaf.sets[0] != layout.everywhere for leaf in layout.blocks["mlp"] + layout.blocks["self_attn"]):
        return None
    kind, mlp_names, (d, f) = parts
    if (d, f) != (field("hidden_size"), field("intermediate_size")):
        return None
    mlp_bias = switch(writer, *next(iter(children.values())))
    order = norm_order(layout.norms)
    if a is None or mlp_bias is None:
        return latent_family(draft, layout, writer, mlp_bias) if kind == "gated" and order == "pre" else None
    biases = [switch(writer, w, b) for w, b in zip(a["weights"], a["biases"])]
    if biases[0] != biases[2] or biases[1] not in (biases[0], "false") or None in biases:
        return None
    # Settings that never change, and switches.
    attention, extra = [], []
    switches = []
    flags = {}
    qkv, out = biases[0], biases[3]
    for slot, given in (("attention.qkv_bias", qkv), ("attention.output_bias", out), ("mlp_bias", mlp_bias)):
        if given == "true":
            (attention if slot.startswith("attention") else extra).append(f".{slot.split('.')[-1]} = true")
        elif given != "false":
            flags.setdefault(given[1], []).append(slot)
    if qkv != "false" and biases[1] == "false":
        attention.append(".key_bias = false")
    if a["norms"]:
        (nq, cq), (nk, ck) = (a["children"][x] for x in a["norms"])
        norm_kind = "whole" if nq.dims[0] == a["weights"][0].dims[0] else "per_head"
        if norm_kind == "per_head" and nq.dims[0] != field("head_dim") or any(x is not None and x.when != nq.when for x in (nk,)):
            return None
        if nq.when:
            if len(nq.when.tests) != 1 or nq.when.tests[0][1] != "true":
                return None
            path = nq.when.tests[0][0]
            switches.append(f'if (c.flag("{path}", {str(bool(draft.default(path))).lower()}{draft.null_flag(path)})) m.attention.head_norms = QkNorm::{norm_kind};')
        else:
            attention.append(f".head_norms = QkNorm::{norm_kind}")
        if cq is not None:
            attention.append(".head_norm_kind = Norm::layer")
    for slot, usual in (("q", "q_proj"), ("k", "k_proj"), ("v", "v_proj"), ("o", "o_proj")):
        if a[slot] != usual:
            attention.append(f'.{slot} = "{a[slot]}"')
    if a["norms"] and a["norms"][0] != "q_norm":
        attention += [f'.q_norm = "{a["norms"][0]}"', f'.k_norm = "{a["norms"][1]}"']
    if a["weights"][3].dims[1] != a["weights"][0].dims[0]:
        if a["weights"][3].dims[1] != field("hidden_size"):
            return None
        switches.append("m.attention.output_from = m.attention.hidden;")
    usual = {"gated": ("gate_proj", "up_proj", "down_proj"), "plain": ("up_proj", "down_proj"), "fused": ("gate_up_proj", "down_proj")}[kind]
    items = []
    if kind != "gated":
        items.append(f".feed_forward = FeedForward::{'gated_fused' if kind == 'fused' else 'plain'}")
        if mlp_names[0] != usual[0]:
            items.append(f'.up = "{mlp_names[0]}"')
        if mlp_names[1] != usual[1]:
            items.append(f'.down = "{mlp_names[1]}"')
    elif mlp_names != usual:
        return None
    if order is None:
        if len(layout.norms) != 2:
            return None
        x, y = layout.norms
        items.append(f'.norms = {{.before_attention = "{x}", .before_feed_forward = "{y}"}}')
    elif order != "pre":
        items.append(f".norms = {order}_norms")
    if layout.norm != "rms":
        items.append(f".norm = Norm::{layout.norm}")
    if layout.last not in (None, "norm"):
        items.append(f'.last_norm = "{layout.last}"')
    if draft.default("tie_word_embeddings"):
        items.append(".tied = true")
    # The usual switches have names.
    shared = {tuple(v): k for k, v in flags.items()}
    default = lambda p: str(bool(draft.default(p))).lower()
    plain = {k: v for k, v in flags.items() if default(k) == "false" and not draft.null_flag(k)}
    named = None
    if not switches and plain == flags:
        if flags == {"attention_bias": ["attention.qkv_bias", "attention.output_bias"]}:
            named = "attention_bias"
        elif flags == {"mlp_bias": ["mlp_bias"]}:
            named = "mlp_bias"
        elif flags == {"attention_bias": ["attention.qkv_bias", "attention.output_bias"], "mlp_bias": ["mlp_bias"]}:
            named = "both_biases"
    lines = []
    for path in draft.order:
        if path in flags:
            slots = flags[path]
            if plain.get(path) == ["mlp_bias"] and path == "mlp_bias":
                lines.append("mlp_bias(c, m);")
            elif path in plain and path == "attention_bias" and slots == ["attention.qkv_bias", "attention.output_bias"]:
                lines.append("attention_bias(c, m);")
            else:
                lines.append(" = ".join(f"m.{s}" for s in slots) + f' = c.flag("{path}", {default(path)}{draft.null_flag(path)});')
    lines += switches
    uses_config = any(re.search(r"\bc\b", line) for line in lines)
    row = [f".sizes = {{{', '.join(str(draft.default(p) or 0) for p in FIELDS)}}}"]
    if a["kv"] == "field":
        if "num_key_value_heads" in draft.order and (rule := rule_default(draft, "num_key_value_heads")):
            row.append(f".kv_heads = {rule}")
    else:
        row.append(".kv_heads = absent")
    if "head_dim" in draft.order and (rule := rule_default(draft, "head_dim")):
        row.append(f".head_dim = {rule}")
    if named:
        row.append(f".switches = {named}")
    elif lines:
        row.append(f".switches = [](Config{' c' if uses_config else ''}, LlamaDecoder& m) {{ {' '.join(lines)} }}")
    if refuses_uneven_heads(draft):
        row.append(".divisible = true")
    if attention:
        items.insert(0, f".attention = {{{', '.join(attention)}}}")
    items[1 if attention else 0:1 if attention else 0] = extra
    if items:
        row.append(f".layout = {{{', '.join(items)}}}")
    draft.includes = {"core/nn/text/decoders.hpp"}
    source = [f"constexpr LlamaType type{{{', '.join(row)}}};"]
    backbone = ".backbone = of_type<type>"
    if head_bias:
        source += ["", "BackboneOutput backbone(Config c, Builder& b) {", "BackboneOutput out = llama_type(c, b, type);", "out.language_model_bias = true;", "return out;", "}"]
        backbone = ".backbone = backbone"
    differs = []
    if kind == "plain":
        differs.append("a plain feed-forward block")
    elif kind == "fused":
        differs.append("a fused gate and up projection")
    if order == "post":
        differs.append("norms after each block instead of before")
    elif order == "sandwich":
        differs.append("norms before and after each block")
    elif order == "parallel":
        differs.append("attention and feed-forward in parallel after one norm")
    if a["norms"]:
        differs.append("norms on query and key heads" if "per_head" in " ".join(attention + switches) else "norms on queries and keys")
    if layout.norm == "layer":
        differs.append("layer norms")
    if "true" in (qkv, out, mlp_bias):
        differs.append("biases")
    if draft.default("tie_word_embeddings"):
        differs.append("tied embeddings")
    text = "like Llama, with " + (" and ".join([", ".join(differs[:-1]), differs[-1]]) if len(differs) > 1 else differs[0] if differs else "other default sizes") + "."
    return draft.file(source, [], backbone, "", summary=text[0].upper() + text[1:], title=f"{draft.pretty()}: {text}")


LATENT = {"q_lora_rank": "q_rank", "kv_lora_rank": "kv_rank", "qk_nope_head_dim": "nope_dim", "qk_rope_head_dim": "rope_dim", "v_head_dim": "value_dim"}
LATENT_DEFAULTS = {"q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128}
LATENT_NAMES = {"q_proj", "q_a_proj", "q_a_layernorm", "q_b_proj", "kv_a_proj_with_mqa", "kv_a_layernorm", "kv_b_proj", "o_proj"}


def latent_fields(draft, leaves):
    """`latent_attention_fields(c, …)` if these are the tensors of latent attention with its usual fields."""
    names = {leaf.path[3] for leaf in leaves}
    if not {"kv_a_proj_with_mqa", "kv_b_proj", "o_proj"} <= names or not names <= LATENT_NAMES or not all(p in draft.order for p in LATENT):
        return None
    biased = {leaf.path[3]: leaf.when for leaf in leaves if leaf.path[-1] == "bias" and "norm" not in leaf.path[3]}
    if biased and set(map(lambda c: c.tests[-1] if c else None, biased.values())) != {("attention_bias", "true", None)}:
        return None
    if not biased and draft.info("attention_bias"):
        draft.problems.append(("attention_bias", "changes nothing here; latent_attention_fields reads it"))
    given = []
    for path, slot in LATENT.items():
        value = draft.default(path)
        if value is None and path == "v_head_dim":
            value = 0
        if value != LATENT_DEFAULTS[path]:
            given.append(f".{slot} = {'{}' if value is None else value}")
    if not draft.info("q_lora_rank").get("null"):
        given.append(".compressed = true")
    return "latent_attention_fields(c, s.d, s.n" + (f", {{{', '.join(given)}}}" if given else "") + ")"


def latent_family(draft, layout, writer, mlp_bias):
    call = latent_fields(draft, layout.blocks["self_attn"])
    if call is None or layout.last != "norm" or layout.norm != "rms" or mlp_bias is None:
        return None
    sizes = ", ".join(str(draft.default(p) or 0) for p in FIELDS)
    lines = ["BackboneOutput backbone(Config c, Builder& b) {", f"const DecoderSizes s = decoder_sizes(c, {{{sizes}}});"]
    more = ""
    if mlp_bias == "true":
        more = ", true"
    elif mlp_bias != "false":
        path = mlp_bias[1]
        more = f', c.flag("{path}", {str(bool(draft.default(path))).lower()}{draft.null_flag(path)})'
    if more.startswith(", c.flag"):
        lines += [f"const LatentAttention latent = {call};", f"const bool mlp_bias = {more[2:]};"]
        record = "latent_decoder(b, s, latent, mlp_bias)"
    else:
        record = f"latent_decoder(b, s, {call}{more})"
    if draft.default("tie_word_embeddings"):
        lines += [f"BackboneOutput out = {record};", "out.tie_by_default = true;", "return out;", "}"]
    else:
        lines += [f"return {record};", "}"]
    draft.includes = {"core/nn/text/decoders.hpp"}
    text = "dense decoder with multi-head latent attention (MLA)" + ("; tied embeddings." if draft.default("tie_word_embeddings") else ".")
    return draft.file(lines, [], ".backbone = backbone", "", summary=text[0].upper() + text[1:], title=f"{draft.pretty()}: {text}")


def mixture_parts(draft, leaves, depth):
    """What `mixture` needs to know about these tensors (a module with experts): fields and settings; None if they are of another kind."""
    by = {}
    for leaf in leaves:
        by[leaf.path[depth:]] = leaf
    experts = {p: leaf for p, leaf in by.items() if p[0] == "experts"}
    routers = [p for p in by if len(p) >= 2 and p[-1] == "weight" and len(by[p].dims) == 2 and p not in experts and "shared" not in p[0] and "shared" not in ".".join(p)]
    routers = [p for p in routers if len(p) == 2]
    if len(routers) != 1 or not experts:
        return None
    router = routers[0]
    count, hidden = by[router].dims
    out = {"count": count, "hidden": hidden, "settings": {}, "inner": None, "shared": None}
    used = {router}
    if router[0] != "gate":
        out["settings"]["router"] = f'"{router[0]}"'
    bias = (router[0], "bias")
    if bias in by:
        out["settings"]["router_bias"] = "true"
        used.add(bias)
    one_by_one = {p for p in experts if len(p) == 4 and p[1] == "*" and p[3] == "weight"}
    if one_by_one and one_by_one == set(experts):
        mats = {p[2]: experts[p] for p in one_by_one}
        if len(mats) != 3 or any(leaf.sets[-1] != Set("all", count) for leaf in mats.values()):
            return None
        down = [k for k, leaf in mats.items() if leaf.dims[0] == hidden]
        if len(down) != 1:
            down = [k for k in down if re.search("down|w2", k)]
        if len(down) != 1:
            return None
        inner = mats[down[0]].dims[1]
        two = [k for k in mats if k != down[0]]
        gate = next((k for k in two if "gate" in k or k == "w1"), two[0])
        up = next(k for k in two if k != gate)
        out["inner"] = inner
        out["names"] = (gate, up, down[0])
    elif set(experts) <= {("experts", "gate_up_proj"), ("experts", "down_proj"), ("experts", "gate_up_proj_bias"), ("experts", "down_proj_bias")} and ("experts", "gate_up_proj") in experts:
        gate_up, down = experts[("experts", "gate_up_proj")], experts[("experts", "down_proj")]
        if gate_up.dims[0] != count:
            return None
        transposed = down.dims[2] == hidden and gate_up.dims[1] == hidden
        out["inner"] = down.dims[1] if transposed else down.dims[2]
        out["settings"]["layout"] = f"ExpertLayout::stacked{'_transposed' if transposed else ''}"
        if ("experts", "gate_up_proj_bias") in experts:
            out["settings"]["expert_bias"] = "true"
        out["names"] = ("gate_proj", "up_proj", "down_proj")
    else:
        return None
    used |= set(experts)
    for p, leaf in by.items():
        if p in used:
            continue
        if p[-1] == "e_score_correction_bias" or len(leaf.dims) == 1 and leaf.dims[0] == count and re.search("correction|bias", p[-1]):
            out["settings"]["correction"] = f"RouterBias::{'buffer' if leaf.kind == 'buffer' else 'parameter'}"
            if ".".join(p) != "gate.e_score_correction_bias":
                out["settings"]["correction_name"] = f'"{".".join(p)}"'
            used.add(p)
    shared = {p: leaf for p, leaf in by.items() if p not in used and "shared" in p[0] and len(p) == 3}
    if shared:
        name = next(iter(shared))[0]
        weights = {p[1]: leaf for p, leaf in shared.items() if p[2] == "weight" and p[0] == name}
        if set(weights) == {"gate_proj", "up_proj", "down_proj"}:
            out["shared"] = weights["down_proj"].dims[1]
            out["shared_when"] = weights["down_proj"].when
            if name != "shared_experts":
                out["settings"]["shared_name"] = f'"{name}"'
            used |= {p for p in shared if p[2] == "weight"}
    gates = [p for p in by if p not in used and len(p) == 2 and "shared" in p[0] and by[p].dims == [number(1), hidden]]
    if gates:
        out["settings"]["shared_gate"] = f'"{gates[0][0]}"'
        used.add(gates[0])
    if used != set(by):
        return None
    # How many experts a token uses changes no tensor: the usual names.
    out["active"] = next((p for p in ("num_experts_per_tok", "num_experts_per_token", "moe_top_k", "moe_topk", "top_k_experts", "moe_k", "num_selected_experts") if p in draft.order or p in draft.data["fields"]), None)
    out["sets"] = by[router].sets[0] if by[router].sets else None
    return out


def mixture_lines(draft, m, names, writer):
    """`const Mixture m = mixture_fields(…);`"""
    text = lambda name, usual: "" if name == usual else f'"{name}"'
    if m["count"].op != "field" or m["active"] is None:
        return None
    fields = [f".count = {draft.default(m['count'].parts[0])}"]
    active = draft.default(m["active"])
    fields.append(f".active = {active if active is not None else '{}'}")
    settings = dict(m["settings"])
    mixtral = m["names"] == ("w1", "w3", "w2")
    before = []
    inner = m["inner"]
    own_inner = inner.op == "field" and inner.parts[0] != "intermediate_size"
    if own_inner:
        fields.append(f".inner = {draft.default(inner.parts[0])}")
    shared_field = None
    if m["shared"] is not None:
        if m.get("shared_when") and m["shared_when"].tests:
            pass
        parts = m["shared"].parts if m["shared"].op == "product" else ()
        others = [p for p in parts if p != inner]
        if len(parts) == 2 and len(others) == 1 and others[0].op == "field":
            shared_field = others[0].parts[0]
            fields.append(f".shared = {draft.default(shared_field)}")
        else:
            settings["shared"] = writer.expr(m["shared"])
    if m["count"].parts[0] != "n_routed_experts":
        fields.append(f'.count_field = "{m["count"].parts[0]}"')
    if m["active"] != "num_experts_per_tok":
        fields.append(f'.active_field = "{m["active"]}"')
    if own_inner and inner.parts[0] != "moe_intermediate_size":
        fields.append(f'.inner_field = "{inner.parts[0]}"')
    if shared_field and shared_field != "n_shared_experts":
        fields.append(f'.shared_field = "{shared_field}"')
    tail = ""
    if not own_inner:
        settings = {"inner": writer.expr(inner), **settings}
    if mixtral and not own_inner and set(settings) <= {"inner"}:
        tail = f", mixtral_experts({settings['inner']})"
    else:
        if m["names"] != ("gate_proj", "up_proj", "down_proj"):
            settings.update(zip(("gate", "up", "down"), (f'"{x}"' for x in m["names"])))
        order = ["inner", "layout", "expert_bias", "gate", "up", "down", "router", "router_bias", "correction", "correction_name", "shared", "shared_name", "shared_gate"]
        if settings:
            tail = ", {" + ", ".join(f".{k} = {settings[k]}" for k in order if k in settings) + "}"
    for path in (m["count"].parts[0], inner.parts[0] if own_inner else None, shared_field):
        if path and draft.default(path) is None:
            return None
    return [f"const Mixture m = mixture_fields(c, s.d, {{{', '.join(fields)}}}{tail});"]


def sparse_family(draft, layout, other):
    from draft import Names
    names = Names(draft, True)
    writer = Writer(names, draft.problems)
    standard, head_bias = heads_are_standard(draft)
    if not standard or layout.last != "norm":
        return None
    sparse = [leaf for leaf in layout.blocks[other] if leaf.sets]
    with_mixture = next(leaf.sets[0] for leaf in sparse if "experts" in leaf.path)
    mixture = [leaf for leaf in sparse if leaf.sets[0] == with_mixture]
    dense = [leaf for leaf in sparse if leaf.sets[0] != with_mixture]
    m = mixture_parts(draft, mixture, 3)
    if m is None or m["hidden"] != field("hidden_size"):
        return None
    if any(leaf.sets[0] != layout.everywhere for leaf in layout.blocks["self_attn"]):
        return None
    # Attention.
    latent = latent_fields(draft, layout.blocks["self_attn"])
    lines = []
    if latent:
        attention = [f"const LatentAttention a = {latent};"]
    else:
        a = attention_layout(draft, layout.blocks["self_attn"], names, writer)
        attention = standard_attention(draft, a, names, writer) if a else None
        if attention is None:
            return None
    mixture_text = mixture_lines(draft, m, names, writer)
    if mixture_text is None:
        return None
    # Which layers have a mixture.
    if with_mixture == layout.everywhere and not dense:
        where = "sparse_everywhere(s.n_layers)"
    elif with_mixture.kind == "rest" and with_mixture.more[0].op == "field":
        path = with_mixture.more[0].parts[0]
        where = f'dense_first(s.n_layers, c.integer("{path}", {draft.default(path)}))'
    elif with_mixture.kind == "stepped" and with_mixture.more[0] == "in":
        where = "sparse_layers(c, s.n_layers)"
    elif with_mixture.kind == "kind" and with_mixture.more[0] == "mlp_layer_types":
        pattern = draft.pattern("mlp_layer_types")
        first = re.match(r'i < (\d+) \? "dense"', pattern)
        n_dense = f"c.literal({first[1]})" if first else "c.literal(0)"
        if not first and pattern != '"sparse"':
            return None
        by_field = first_dense_field(draft)
        if by_field:
            n_dense = f'c.integer("{by_field}", {draft.default(by_field)})'
        where = f"listed_sparse_layers(c, s.n_layers, {n_dense})"
    else:
        return None
    items = [f".layers = {'layers' if 'c.' in where or len(where) > 40 else where}", ".mixture = m"]
    bias_line = ""
    if dense:
        children = writer.children(dense, 3)
        parts = children and len(children) == 3 and writer.mlp_parts(children)
        if not parts or parts[0] != "gated":
            return None
        items.append(f".dense = {writer.expr(parts[2][1])}")
        if parts[1] != ("gate_proj", "up_proj", "down_proj"):
            items.append('.dense_names = {' + ", ".join(f'"{x}"' for x in parts[1]) + '}')
        given = writer.bias(*next(iter(children.values())))
        if given != "false":
            items.append(f".dense_bias = {given}")
    if other != "mlp":
        items.append(f'.name = "{other}"')
    decoder = f"s, {{{', '.join(items)}}}"
    order = norm_order(layout.norms)
    if layout.norm != "rms":
        decoder += f", Norm::{layout.norm}"
    if order not in ("pre",):
        if order is None or order == "parallel":
            return None
        in_order = {"post": ["post_attention_layernorm", "post_feedforward_layernorm"],
                    "sandwich": ["input_layernorm", "post_attention_layernorm", "pre_feedforward_layernorm", "post_feedforward_layernorm"]}[order]
        decoder = f".sizes = s, .feed_forward = {{{', '.join(items)}}}, .norms = {{{', '.join(json_text(x) for x in in_order)}}}"
    body = [*attention, *mixture_text]
    if "c." in where or len(where) > 40:
        body.append(f"const Split layers = {where};")
    record = f"sparse_decoder(b, {{{decoder}}}, a)"
    tied = draft.default("tie_word_embeddings")
    if tied or head_bias:
        body += [f"BackboneOutput out = {record};", *(["out.tie_by_default = true;"] if tied else []), *(["out.language_model_bias = true;"] if head_bias else []), "return out;"]
    else:
        body.append(f"return {record};")
    for path in FIELDS:
        names.read.setdefault(path, f"s.{path}")
    names.read = {p: v if p in FIELDS else v for p, v in names.read.items()}
    for path in FIELDS:
        names.read[path] = "s."
    reads = names.lines()
    draft.includes = {"core/nn/text/sparse_decoders.hpp"} | ({"<optional>"} if any("std::optional" in r for r in reads) else set())
    text = "a mixture of experts" + (" with shared experts" if m["shared"] is not None else "") + (" in each layer" if not dense else " after any dense layers" if with_mixture.kind == "rest" else " in some layers")
    if latent:
        text = "multi-head latent attention (MLA); " + text
    return draft.file(["BackboneOutput backbone(Config c, Builder& b) {", *reads, *body, "}"], [], ".backbone = backbone", "",
                      summary=text[0].upper() + text[1:] + ".", title=f"{draft.pretty()}: {text}.")


def json_text(x):
    return f'"{x}"'


def first_dense_field(draft):
    return next((p for p in draft.data["fields"] if p.startswith("first_k_dense")), None)


def standard_attention(draft, a, names, writer):
    """`const Attention a = attention_fields(…);` or the same written out."""
    biases = [switch(writer, w, b) for w, b in zip(a["weights"], a["biases"])]
    if None in biases or biases[0] != biases[2] or biases[1] != biases[0]:
        return None
    items = []
    if a["norms"]:
        (nq, cq), (nk, ck) = (a["children"][x] for x in a["norms"])
        kind = "QkNorm::whole" if nq.dims[0] == a["weights"][0].dims[0] else "QkNorm::per_head"
        more = nq.when.minus(a["weights"][0].when)
        items.append(f".head_norms = {writer.condition(more) + ' ? ' + kind + ' : QkNorm::none' if more else kind}")
        if cq is not None:
            items.append(".head_norm_kind = Norm::layer")
    for slot, usual in (("q", "q_proj"), ("k", "k_proj"), ("v", "v_proj"), ("o", "o_proj")):
        if a[slot] != usual:
            items.append(f'.{slot} = "{a[slot]}"')
    if a["norms"] and a["norms"][0] != "q_norm":
        items += [f'.q_norm = "{a["norms"][0]}"', f'.k_norm = "{a["norms"][1]}"']
    if biases[0] == biases[3] == ("flag", "attention_bias") and draft.default("attention_bias") is False and not draft.null_flag("attention_bias") and a["kv"] == "field":
        rules = [rule_default(draft, p) or "{}" for p in ("num_key_value_heads", "head_dim")]
        tail = f", {{{', '.join(items)}}}" if items else ""
        return [f"const Attention a = attention_fields(c, s, {rules[0]}, {rules[1]}{tail});"]
    heads = [f".hidden = s.d", ".heads = s.n"]
    if a["kv"] == "field":
        heads.append(f".kv_heads = {names.field('num_key_value_heads')}")
    heads.append(f".head_dim = {names.field('head_dim')}")
    given = lambda b: b if isinstance(b, str) else names.test(b[1], "true", None)
    if biases[0] != "false":
        heads.append(f".qkv_bias = {given(biases[0])}")
    if biases[3] != "false":
        heads.append(f".output_bias = {given(biases[3])}")
    return [f"const Attention a{{{', '.join(heads + items)}}};"]
