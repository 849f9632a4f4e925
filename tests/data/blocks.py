"""Recognises the blocks of core/nn in solved tensors and writes the C++ that records them."""
import re

from shape_up import Leaf, Set
from solve import Condition, Expr, field, number, product, total

ROLES = {"q_proj": "query", "query": "query", "q_lin": "query", "q": "query", "wq": "query", "k_proj": "key", "key": "key", "k_lin": "key", "k": "key", "wk": "key",
         "v_proj": "value", "value": "value", "v_lin": "value", "v": "value", "wv": "value", "o_proj": "output", "out_proj": "output", "out_lin": "output", "o": "output", "wo": "output",
         "qkv_proj": "query_key_value", "qkv": "query_key_value", "query_key_value": "query_key_value", "gate_proj": "gate", "up_proj": "up", "down_proj": "down",
         "fc1": "up", "fc2": "down", "gate_up_proj": "gate_and_up", "w1": "gate", "w2": "down", "w3": "up", "lin1": "up", "lin2": "down"}
PARTS = [(re.compile(r"attn|attention"), "attention"), (re.compile(r"mlp|ffn|feed_forward|fc\d|intermediate"), "feed_forward"),
         (re.compile(r"mamba|mixer|ssm"), "state_space"), (re.compile(r"conv|patch|stem|downsampl"), "convolution"), (re.compile(r"norm|ln"), "norm"),
         (re.compile(r"router|gate$"), "router"), (re.compile(r"embed"), "embedding")]
TRIPLES = [("q_proj", "k_proj", "v_proj"), ("query", "key", "value"), ("q_lin", "k_lin", "v_lin"), ("q", "k", "v"), ("wq", "wk", "wv"), ("to_q", "to_k", "to_v")]
OUTPUTS = ["o_proj", "out_proj", "out_lin", "o", "wo", "dense", "to_out", "projection"]


def part_of(word):
    for pattern, part in PARTS:
        if pattern.search(word):
            return part
    return None


def text(words):
    return '"' + ".".join(words) + '"'


class Writer:
    """Writes the body of a backbone or a head. `names` gives the C++ expression of a field, and notes that it is used."""

    def __init__(self, names, problems):
        self.names, self.problems = names, problems
        self.includes = set()
        self.table, self.table_leaf = None, None
        self.embeddings = {}
        self.has_part = False  # what is written stands inside a part of the model

    def in_part(self, path, lines):
        """Puts the lines inside a part of the model, unless they are in one: the part that the path's words name, the innermost first."""
        if self.has_part:
            return lines
        part = next((part for part in map(part_of, reversed(path)) if part not in (None, "norm")), "adapter")
        return [f"b.part(Part::{part}, [&] {{", *lines, "});"]

    # Expressions

    def expr(self, e, top=True):
        if e.op == "number":
            return f"c.literal({e.parts[0]})"
        if e.op == "field":
            return self.names.field(e.parts[0])
        if e.op in ("floor", "ceil"):
            return f"{e.op}_divide({self.expr(e.parts[0])}, {self.expr(e.parts[1])})"
        if e.op == "product":
            parts = list(e.parts)
            flat = []
            for p in parts:
                flat += p.parts if p.op == "product" else [p]
            constant = 1
            for p in flat:
                if p.op == "number":
                    constant *= p.parts[0]
            rest = [p for p in flat if p.op != "number"]
            written = []
            while rest:
                p = rest.pop(0)
                if p in rest:
                    rest.remove(p)
                    written.append(f"power({self.expr(p)}, 2)")
                else:
                    written.append(self.expr(p, False))
            return " * ".join(([str(constant)] if constant > 1 else []) + written)
        numbers = [p for p in e.parts if p.op == "number"]
        rest = [p for p in e.parts if p.op != "number"]
        out = " + ".join(self.expr(p) for p in rest)
        for p in numbers:
            out += f" + {p.parts[0]}" if p.parts[0] >= 0 else f" - {-p.parts[0]}"
        return out if top else f"({out})"

    def size(self, e):
        return str(e.parts[0]) if e.op == "number" else self.expr(e)

    def condition(self, when):
        return " && ".join(self.names.test(*t) for t in when.tests)

    def bias(self, weight, bias):
        """The C++ bool for a bias that exists under a condition; None: not of that kind."""
        if bias is None:
            return "false"
        more = bias.when.minus(weight.when)
        return self.condition(more) if more else "true"

    # Modules

    def write(self, leaves, depth, when=Condition(), start=None):
        """The lines for these tensors, which share the first `depth` words; their names begin at `start`."""
        groups = {}
        for leaf in leaves:
            groups.setdefault(leaf.path[depth], []).append(leaf)
        out = []
        pending, pending_when, opened = [], None, None

        def flush():
            nonlocal pending, pending_when
            if pending:
                out.extend([f"if ({self.condition(pending_when)}) {{", *pending, "}"] if pending_when else pending)
            pending, pending_when = [], None

        for word, group in groups.items():
            shared = [t for t in group[0].when.tests if t not in when.tests and all(t in leaf.when.tests for leaf in group)]
            shared = Condition(shared)
            inner = Condition(when.tests + shared.tests)
            lines = self.module(group, depth, inner, depth if start is None else start)
            if shared != (pending_when or Condition()) or not pending:
                flush()
                pending_when = shared
            # Neighbours of one part stand in it together.
            if pending and opened == lines[0]:
                pending[-1:] = lines[1:]
            else:
                pending += lines
            opened = lines[0] if lines[0].startswith("b.part(") else None
        flush()
        return out

    def holds_table(self, leaves):
        """Whether one of the tensors is a table that others are tied to, so that it has to be in reach of them."""
        return any(leaf.name in self.wanted or (self.table is None and leaf.path[-1] == "weight" and self.is_vocabulary(leaf)) for leaf in leaves if "*" not in leaf.path)

    @staticmethod
    def is_vocabulary(leaf):
        return len(leaf.dims) == 2 and leaf.dims[0].op == "field" and "vocab" in leaf.dims[0].parts[0] and "type" not in leaf.dims[0].parts[0]

    def module(self, leaves, depth, when, start):
        # Words that all of them share become one dotted name.
        end = depth + 1
        shortest = min(len(leaf.path) for leaf in leaves)
        if shortest == depth + 1:
            if len(leaves) == 1:
                return self.tensor(leaves[0], leaves[0].path[start:])
            return ["// A tensor with others inside its name: not drafted."]
        while end < shortest - 1 and len({leaf.path[end] for leaf in leaves}) == 1 and leaves[0].path[end] != "*" and not self.known(leaves, end):
            end += 1
        projector = depth == 0 and re.search("projector|connector|merger|adapter|aligner", leaves[0].path[0])
        if projector:
            end = 1
        name = leaves[0].path[start:end]
        if leaves[0].path[end] == "*":
            return self.repeat(name, leaves, end, when)
        block = None if projector else self.known(leaves, end)
        if block:
            return block(text(name), leaves, end, when)
        if self.writes_tables and self.holds_table(leaves):
            return self.write(leaves, end, when, start)
        part = part_of(name[-1])
        outer, self.has_part = self.has_part, bool(self.has_part or part or (depth == 0 and projector))
        body = self.write(leaves, end, when)
        self.has_part = outer
        if depth == 0 and projector:
            return [f"b.tower(Tower::projector, {text(name)}, [&] {{", *body, "});"]
        return [f"b.scope({f'Part::{part}, ' if part else ''}{text(name)}, [&] {{", *body, "});"]

    def repeat(self, name, leaves, at, when):
        by_set = {}
        position = sum(w == "*" for w in leaves[0].path[:at])
        for leaf in leaves:
            by_set.setdefault(leaf.sets[position], []).append(leaf)
        out = []
        for indices, group in by_set.items():
            deeper = min(len(leaf.path) for leaf in group) == at + 1
            body = sum((self.tensor(leaf, ("",)) for leaf in group), []) if deeper else self.write(group, at + 1, when)
            out += [f"b.repeat({text(name)}, {self.indices(indices)}, [&] {{", *body, "});"]
        return out

    def indices(self, s):
        if s.kind == "all":
            return f"all({self.expr(s.count)})"
        if s.kind == "only":
            return "only(0)"
        if s.kind == "rest":
            return f"between({self.expr(s.more[0])}, {self.expr(s.count)})"
        if s.kind == "first":
            return f"first({self.expr(s.count)}, {self.names.layers()})"
        return self.names.index_set(s)

    # Blocks

    def children(self, leaves, depth):
        """{module: (weight, bias)} if all tensors are weights and biases of modules."""
        out = {}
        for leaf in leaves:
            module, last = leaf.path[depth:-1], leaf.path[-1]
            if "*" in module or last not in ("weight", "bias"):
                return None
            pair = out.setdefault(".".join(module), [None, None])
            pair[last == "bias"] = leaf
        return {k: tuple(v) for k, v in out.items() if v[0] is not None} if all(v[0] for v in out.values()) else None

    def known(self, leaves, depth):
        names = {leaf.path[depth:] for leaf in leaves}
        kinds = {leaf.path[-1]: leaf for leaf in leaves}
        if any(isinstance(leaf.kind, tuple) for leaf in leaves):
            return None
        if names <= {("weight",), ("bias",)} and ("weight",) in names and not kinds["weight"].kind:
            rank = len(kinds["weight"].dims)
            if rank == 1:
                return self.norm
            if rank == 2:
                word = leaves[0].path[depth - 1]
                return self.embedding if ("bias",) not in names and (re.search(r"emb|wte|wpe|tokens|table|shared$", word)) else self.linear
            if rank in (3, 4, 5):
                return self.convolution
        if {("running_mean",), ("running_var",)} <= names and names <= {("weight",), ("bias",), ("running_mean",), ("running_var",), ("num_batches_tracked",)}:
            return self.batch_norm
        children = self.children(leaves, depth)
        if children and self.attention_parts(children):
            return self.attention
        if children and len(children) in (2, 3) and self.mlp_parts(children):
            return self.mlp
        return None

    def norm(self, name, leaves, depth, when):
        weight = next(leaf for leaf in leaves if leaf.path[-1] == "weight")
        bias = next((leaf for leaf in leaves if leaf.path[-1] == "bias"), None)
        width = self.expr(weight.dims[0])
        given = self.bias(weight, bias)
        if given in ("true", "false"):
            return [f"{'layer' if given == 'true' else 'rms'}_norm(b, {name}, {width});"]
        return [f"norm(b, {given} ? Norm::layer : Norm::rms, {name}, {width});"]

    def linear(self, name, leaves, depth, when):
        weight = next(leaf for leaf in leaves if leaf.path[-1] == "weight")
        bias = next((leaf for leaf in leaves if leaf.path[-1] == "bias"), None)
        last = weight.path[-2]
        role = ROLES.get(last)
        place = ".".join(weight.path[:-2])
        if role in ("query", "key", "value", "output", "query_key_value") and not re.search("att", place):
            role = None
        if role in ("up", "down", "gate", "gate_and_up") and not re.search("mlp|ffn|feed_forward|expert|layer", place):
            role = None
        out, inn = weight.dims
        if bias and bias.dims[0] != out:
            return [*self.tensor(weight, weight.path[depth - 1:]), *self.tensor(bias, bias.path[depth - 1:])]
        given = self.bias(weight, bias)
        more = f", {given}" if given != "false" or role else ""
        line = f"linear(b, {name}, {self.expr(inn)}, {self.expr(out)}{more}{f', TensorRole::{role}' if role else ''});"
        return self.in_part(weight.path[:-1], [line])

    def embedding(self, name, leaves, depth, when):
        leaf = leaves[0]
        word = leaf.path[-2]
        rows, width = leaf.dims
        tokens = rows.fields() and all("vocab" in f for f in rows.fields()) and "type" not in next(iter(rows.fields()))
        role = "token_embedding" if tokens else "position_embedding" if re.search("pos|wpe", word) else "segment_embedding" if "type" in word else None
        call = f"embedding(b, {name}, {self.expr(rows)}, {self.expr(width)}{f', TensorRole::{role}' if role else ''})"
        variable = None
        if leaf.name in self.wanted:
            variable = self.wanted[leaf.name]
        elif tokens and self.table is None:
            variable = "table"
        if variable:
            self.table = self.table or variable
            self.embeddings[leaf.name] = variable
            if not when:
                return [f"const Tensor {variable} = {call};"]
        return [call + ";"]

    wanted = {}
    writes_tables = False

    def convolution(self, name, leaves, depth, when):
        weight = next(leaf for leaf in leaves if leaf.path[-1] == "weight")
        bias = next((leaf for leaf in leaves if leaf.path[-1] == "bias"), None)
        out, inn, *kernel = weight.dims
        given = self.bias(weight, bias)
        if bias and bias.dims[0] != out:
            call = "transposed_conv"
            out, inn = inn, out
        elif inn == number(1):
            call = "depthwise_conv"
        else:
            call = "conv"
        if len(kernel) == 3:
            return [f"convolution(b, {name}, {self.expr(inn)}, {self.expr(out)}, {{{', '.join(map(self.expr, kernel))}}}, {given});"]
        side = self.size(kernel[0]) if len(set(kernel)) == 1 else "{" + ", ".join(map(self.size, kernel)) + "}"
        sizes = f"{self.expr(out)}" if call == "depthwise_conv" else f"{self.expr(inn)}, {self.expr(out)}"
        # Depthwise convolutions over a sequence have no default for the bias.
        default = "true" if not (call == "depthwise_conv" and len(kernel) == 1) else None
        return [f"{call}{len(kernel)}d(b, {name}, {sizes}, {side}{'' if given == default else ', ' + given});"]

    def batch_norm(self, name, leaves, depth, when):
        names = {leaf.path[-1] for leaf in leaves}
        mean = next(leaf for leaf in leaves if leaf.path[-1] == "running_mean")
        kind = "" if {"num_batches_tracked", "weight"} <= names else ", BatchNorm::frozen" if "weight" in names else ", BatchNorm::plain"
        return [f"batch_norm(b, {name}, {self.expr(mean.dims[0])}{kind});"]

    # Attention and feed-forward

    def attention_parts(self, children):
        for triple in TRIPLES:
            # Projections may be inside a module of their own: attention.query.
            for prefix in {k.rpartition(".")[0] for k in children if k.rpartition(".")[2] == triple[0]}:
                full = [f"{prefix}.{x}" if prefix else x for x in triple]
                if all(x in children for x in full):
                    rest = [k for k in children if k not in full]
                    outputs = [k for k in rest if k.rpartition(".")[2] in OUTPUTS and len(children[k][0].dims) == 2]
                    norms = [k for k in rest if k not in outputs]
                    if len(outputs) == 1 and len(norms) in (0, 2) and all(len(children[k][0].dims) == 1 and re.search("norm|ln", k) for k in norms):
                        return full, outputs[0], sorted(norms, key=lambda k: "k_" in k or k.startswith("k"))
        return None

    def attention(self, name, leaves, depth, when):
        children = self.children(leaves, depth)
        (q, k, v), o, norms = self.attention_parts(children)
        get = lambda x: children[x]
        (wq, bq), (wk, bk), (wv, bv), (wo, bo) = map(get, (q, k, v, o))
        heads = self.heads(wq, wk, wv, wo)
        plain = heads is None or len({self.bias(*get(x)) for x in (q, v)}) > 1
        biases = {x: self.bias(*get(x)) for x in (q, k, v, o)}
        if biases[k] != biases[q] and biases[k] != "false":
            plain = True
        if plain:
            return [f"b.scope(Part::attention, {name}, [&] {{", *self.write_plain(leaves, depth, when), "});"]
        items = [f".hidden = {self.expr(wq.dims[1])}", *heads]
        if biases[q] != "false":
            items.append(f".qkv_bias = {biases[q]}")
            if biases[k] == "false":
                items.append(".key_bias = false")
        if wo.dims[0] != wq.dims[1]:
            items.append(f".output = {self.expr(wo.dims[0])}")
        if biases[o] != "false":
            items.append(f".output_bias = {biases[o]}")
        if norms:
            (nq, cq), (nk, ck) = children[norms[0]], children[norms[1]]
            whole = nq.dims[0] == wq.dims[0]
            more = nq.when.minus(wq.when)
            kind = f"QkNorm::{'whole' if whole else 'per_head'}"
            items.append(f".head_norms = {self.condition(more) + ' ? ' + kind + ' : QkNorm::none' if more else kind}")
            if cq:
                items.append(".head_norm_kind = Norm::layer")
        for slot, given, default in (("q", q, "q_proj"), ("k", k, "k_proj"), ("v", v, "v_proj"), ("o", o, "o_proj")):
            if given != default:
                items.append(f'.{slot} = "{given}"')
        if norms:
            q_name, k_name = norms
            if q_name != "q_norm":
                items.append(f'.q_norm = "{q_name}"')
                items.append(f'.k_norm = "{k_name}"')
        # In the order in which Attention declares them.
        order = ["hidden", "heads", "kv_heads", "head_dim", "value_dim", "even_share", "output", "output_from", "memory", "qkv_bias", "key_bias", "output_bias", "head_norms",
                 "head_norm_kind", "q", "k", "v", "o", "q_norm", "k_norm"]
        items.sort(key=lambda item: order.index(item[1:].split(" ")[0]))
        self.includes.add("core/nn/text/attention.hpp")
        return [f"attention(b, {name}, {{{', '.join(items)}}});"]

    def write_plain(self, leaves, depth, when):
        known, self.known = self.known, lambda *a: None if Writer.known(self, *a) in (self.attention, self.mlp) else Writer.known(self, *a)
        outer, self.has_part = self.has_part, True
        try:
            return self.write(leaves, depth, when)
        finally:
            self.known, self.has_part = known, outer

    def heads(self, wq, wk, wv, wo):
        """`.heads`, `.kv_heads`, `.head_dim` of these projections; None if they are of another kind."""
        if wv.dims[0] != wk.dims[0] or wv.dims[1] != wk.dims[1]:
            return None
        hidden, queries, keys = wq.dims[1], wq.dims[0], wk.dims[0]
        memory = [] if wk.dims[1] == hidden else [f".memory = {self.expr(wk.dims[1])}"]
        tower = ""
        if queries == hidden or (queries.op == "field" and queries.parts[0] == hidden):
            n = self.names.heads_field(wq)
            if n is None:
                return None
            out = [f".heads = {self.names.field(n)}"]
            if keys != queries:
                if keys.op == "product" and keys.parts[1].op == "floor":
                    out.append(f".kv_heads = {self.expr(keys.parts[0])}")
                else:
                    return None
            return out + memory if wo.dims[1] == queries else None
        if queries.op != "product" or len(queries.parts) != 2:
            return None
        a, b = queries.parts
        if a.op == "field" and re.search(r"head_dim|kv_channels|qk_head|dim$", a.parts[0]):
            a, b = b, a
        out = [f".heads = {self.expr(a)}"]
        if keys != queries:
            if keys.op != "product" or len(keys.parts) != 2:
                return None
            other = [p for p in keys.parts if p != b]
            if len(other) != 1:
                return None
            out.append(f".kv_heads = {self.expr(other[0])}")
        out.append(f".head_dim = {self.expr(b)}")
        if wo.dims[1] != queries:
            out.append(f".output_from = {self.expr(wo.dims[1])}")
        return out + memory

    def mlp_parts(self, children):
        """('plain' | 'gated' | 'fused', names, hidden, inner) of two or three linear layers."""
        if any(len(w.dims) != 2 for w, _ in children.values()) or len({self.bias(*c) for c in children.values()}) > 1:
            return None
        if any("." in k for k in children):
            return None
        ups = list(children)
        downs = [k for k in ups if all(children[k][0].dims == children[x][0].dims[::-1] for x in ups if x != k)]
        if len(children) == 3 and len(downs) == 1:
            down = downs[0]
            two = [k for k in ups if k != down]
            if children[two[0]][0].dims != children[two[1]][0].dims:
                return None
            gate = next((k for k in two if "gate" in k or k in ("w1", "fc1_g")), two[0])
            up = next(k for k in two if k != gate)
            return "gated", (gate, up, down), children[down][0].dims
        if len(children) == 2:
            down = next((k for k in ups if re.search("down|fc2|lin2|w2|c_proj|out|output|4h_to_h|dense2|linear2|wo", k)), None) or ups[1]
            up = next(k for k in ups if k != down)
            inner, outer = children[up][0].dims
            if children[down][0].dims == [outer, inner]:
                return "plain", (up, down), [outer, inner]
            if children[down][0].dims[0] == outer and inner == product([number(2), children[down][0].dims[1]]):
                return "fused", (up, down), children[down][0].dims
        return None

    def mlp(self, name, leaves, depth, when):
        children = self.children(leaves, depth)
        kind, names, (d, f) = self.mlp_parts(children)
        bias = self.bias(*next(iter(children.values())))
        self.includes.add("core/nn/text/feed_forward.hpp")
        sizes = f"{self.expr(d)}, {self.expr(f)}"
        usual = {"gated": ("gate_proj", "up_proj", "down_proj"), "plain": ("up_proj", "down_proj"), "fused": ("gate_up_proj", "down_proj")}[kind]
        call = {"gated": "gated_mlp", "plain": "mlp", "fused": "fused_gated_mlp"}[kind]
        quoted = ", ".join(f'"{x}"' for x in names)
        more = f", {bias}" if bias != "false" or names != usual else ""
        if names != usual:
            more += f", {{{quoted}}}" if kind == "gated" else f", {quoted}"
        return [f"{call}(b, {name}, {sizes}{more});"]

    # Single tensors

    def tensor(self, leaf, path):
        name = text(path) if path != ("",) else '""'
        if isinstance(leaf.kind, tuple):
            tie = leaf.kind[1]
            target = self.embeddings.get(leaf.target)
            if target is None:
                self.problems.append((leaf.name, f"is tied to {leaf.target}, which is not in reach"))
                target = self.table or "table"
            shape = ", ".join(map(self.expr, leaf.dims))
            alone = f"b.parameter({name}, {{{shape}}}, StorageKind::matrix);"
            tied = f"b.tied({name}, {target});"
            return self.in_part(leaf.path, [f"if ({self.condition(tie)})", tied, "else", alone] if tie else [tied])
        shape = ", ".join(map(self.expr, leaf.dims))
        if leaf.kind == "buffer":
            return self.in_part(leaf.path, [f"b.buffer({name}, {{{shape}}});"])
        if len(leaf.dims) == 3 and leaf.dims[0] == number(1) and not leaf.kind:
            return [f"tokens(b, {name}, {self.size(leaf.dims[1])}, {self.expr(leaf.dims[2])});"]
        wide = [d for d in leaf.dims if d != number(1)]
        storage = ", StorageKind::matrix" if len(wide) > 1 else ""
        return self.in_part(leaf.path, [f"b.parameter({name}, {{{shape}}}{storage});"])
