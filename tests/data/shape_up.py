"""Turns observations of a type into named tensors with solved dimensions: what `draft.py` prints as a family."""
import collections, re

from solve import INDEX, Condition, Expr, Solver, condition, field, indices_of, number, product


class Leaf:
    """A tensor: its path with `*` for repeated indices, and when, how often and with which shape it exists."""

    def __init__(self, path, dims, kind, when, sets, target=""):
        self.path, self.dims, self.kind, self.when, self.sets, self.target = path, dims, kind, when, sets, target

    @property
    def name(self):
        return ".".join(self.path)


class Set:
    """Indices of a repeat: `all`, `first`, `rest` (after the first), `listed` (field), `kind` (field, words), or `unknown`."""

    def __init__(self, kind, count, *more):
        self.kind, self.count, self.more = kind, count, more

    def key(self):
        return (self.kind, self.count.key() if self.count else None, *(m.key() if isinstance(m, Expr) else m for m in self.more))

    def __eq__(self, other):
        return self.key() == other.key()

    def __hash__(self):
        return hash(self.key())


def split_name(name):
    """The words of a name, and the positions of those that are indices."""
    words = name.split(".")
    return words, [i for i, w in enumerate(words) if INDEX.fullmatch(w)]


class Part:
    """The tensors of one module (a backbone, or what a class adds to it) over some observations."""

    def __init__(self, observations, rows, solver, order):
        """rows: {observation number: [[name, shape, kind?, target?]]}"""
        self.observations, self.rows, self.solver, self.order = observations, rows, solver, order
        self.numbers = [o.number for o in observations]
        self.problems, self.by_words, self.indices, self.counts, self.all = [], {}, {}, [], []
        values = {path: [o.fields.get(path) for o in observations] for path in order}
        varying = [path for path, v in values.items() if any(x != v[0] for x in v)]
        self.numbers_vary = [p for p in varying if all(isinstance(v, int) and not isinstance(v, bool) for v in values[p])]
        self.lists = [p for p, v in values.items() if any(isinstance(x, list) for x in v)]
        self.flags = [p for p in varying if all(isinstance(v, (bool, type(None))) for v in values[p])]
        self.by_number = {o.number: o for o in observations}
        self.leaves = self.solve()

    def solve(self):
        repeated = self.repeated()
        # By name with `*`: in each observation the boxes of indices with their shapes.
        tensors = collections.OrderedDict()
        for n in self.numbers:
            for name, shape, *more in self.rows[n]:
                for words, sets in unrolled(name, repeated):
                    tensors.setdefault(words, {}).setdefault(n, []).append((sets, tuple(shape), *(more or [""]), *[""] * (2 - max(1, len(more)))))
        out = []
        for words, by_number in ordered(tensors, self.rows, self.numbers, repeated):
            shapes = {n: {b[1] for b in boxes} for n, boxes in by_number.items()}
            if any(len(s) > 1 for s in shapes.values()):
                out += self.by_shape(words, by_number)
                continue
            leaf = self.leaf(words, by_number)
            if leaf:
                out.append(leaf)
        return out

    def by_shape(self, words, by_number):
        """Layers of several shapes: by the sets of their indices, if these are kinds of layers."""
        shape_of = {}  # by observation and index of the first repeat
        for n, boxes in by_number.items():
            for box in boxes:
                for i in box[0][0] if box[0] else ():
                    shape_of.setdefault(n, {}).setdefault(i, []).append(box)
        at = {o.number: o.fields for o in self.observations}

        def only(by, keep):
            """The boxes of the indices that `keep` selects, in each observation."""
            out = {}
            for n, indices in by.items():
                here = [i for i in indices if keep(n, i)]
                shapes = {}
                for i in here:
                    for box in indices[i]:
                        shapes.setdefault(box[1:], []).append((i, box))
                boxes = [((tuple(sorted({i for i, _ in found})), *found[0][1][0][1:]), *key) for key, found in shapes.items()]
                if boxes:
                    out[n] = boxes
            return out

        def single(by):
            return all(len({box[1] for box in boxes}) == 1 for boxes in by.values())

        for path in self.lists:
            lists = {n: at[n].get(path) for n in shape_of}
            is_of_layers = all(isinstance(v, list) and all(isinstance(x, str) for x in v) and len(v) > max(shape_of[n]) for n, v in lists.items())
            if is_of_layers:
                kinds = list(dict.fromkeys(w for v in lists.values() for w in v))
                parts = [only(shape_of, lambda n, i: lists[n][i] == w) for w in kinds]
                if all(map(single, parts)):
                    return [leaf for part in parts if part for leaf in [self.leaf(words, part)] if leaf]
        parts = [only(shape_of, lambda n, i: i == 0), only(shape_of, lambda n, i: i > 0)]
        if all(map(single, parts)) and all(parts):
            return [leaf for part in parts for leaf in [self.leaf(words, part)] if leaf]
        self.problems.append((".".join(words), "has several shapes"))
        return []

    def leaf(self, words, by_number):
        name = ".".join(words)
        numbers = list(by_number)
        when = condition(self.observations, set(numbers), self.order)
        whole = None
        if when != Condition() and words.count("*"):
            # Layers of a kind that some configurations have none of.
            by = {n: sorted({i for box in by_number.get(n, ()) for i in box[0][0]}) for n in self.numbers}
            whole = self.kind_set(by) or self.tail_set(by) or self.stepped_set(by)
            if whole is None and when is None:  # or that a switch removes everywhere
                for c in self.switches():
                    here = {n: v for n, v in by.items() if n in c[1]}
                    if all(n in c[1] for n in numbers):
                        whole = self.kind_set(here) or self.tail_set(here)
                        if whole:
                            when = c[0]
                            break
            elif whole is not None:
                when = Condition()
        if when is None:
            here = [o for o in self.observations]
            self.problems.append((name, "exists under a condition that no field explains"))
            when = Condition()
        shape = {n: boxes[0][1] for n, boxes in by_number.items()}
        ranks = {len(s) for s in shape.values()}
        if len(ranks) > 1:
            self.problems.append((name, "has several ranks"))
            return None
        dims = []
        for i in range(ranks.pop()):
            values = {n: s[i] for n, s in shape.items()}
            e = self.known(values, self.weights(words)) or self.solver.solve(values)
            if e is None:
                self.problems.append((name, f"dimension {i} is not a sum or product of fields"))
                e = Expr("number", next(iter(shape.values()))[i])
            dims.append(e)
        sets = []
        for i in range(words.count("*")):
            by = {}
            for n, boxes in by_number.items():
                by[n] = sorted(set().union(*(set(b[0][i]) for b in boxes)))
            found = whole if whole and i == 0 else self.known_set(words, i, by) or self.index_set(words, i, by)
            self.indices[words, i] = by
            if found is None:
                self.problems.append((name, f"is repeated for indices that no field explains"))
                found = Set("unknown", number(len(next(iter(by.values())))))
            sets.append(found)
        kinds = {b[2] for boxes in by_number.values() for b in boxes}
        kind, target = "", ""
        if "tied" in kinds:
            ties = {n for n, boxes in by_number.items() if boxes[0][2] == "tied"}
            tie = condition([o for o in self.observations if o.number in by_number], ties, self.order)
            target = next(b[3] for boxes in by_number.values() for b in boxes if b[2] == "tied")
            kind = ("tied", tie)
            if tie is None:
                self.problems.append((name, "is tied under a condition that no field explains"))
                kind = ("tied", Condition())
        elif "buffer" in kinds:
            kind = "buffer"
        self.by_words[words] = out = Leaf(words, dims, kind, when, sets, target)
        self.all.append(out)
        return out

    def switches(self):
        """Each test of one switch with the observations in which it holds."""
        out = []
        for path in self.flags:
            values = {o.number: o.fields.get(path) for o in self.observations}
            if all(isinstance(v, (bool, type(None))) for v in values.values()) and len(set(values.values())) > 1:
                out += [(Condition([(path, "true", None)]), {n for n, v in values.items() if v}), (Condition([(path, "false", None)]), {n for n, v in values.items() if not v})]
        return out

    def tail_set(self, by):
        """The layers after the first k, or the first k, for a field k; there may be none."""
        at = self.by_number
        for count in self.counts:
            ends = {n: self.solver.value(count, n) for n in by}
            if None in ends.values() or any(i[-1] >= ends[n] for n, i in by.items() if i):
                continue
            for path in self.numbers_vary:
                starts = {n: at[n].fields.get(path) for n in by}
                if all(isinstance(v, int) and not isinstance(v, bool) for v in starts.values()):
                    if all(by[n] == list(range(min(starts[n], ends[n]), ends[n])) for n in by) and len(set(starts.values())) > 1:
                        return Set("rest", count, field(path))
                    if all(by[n] == list(range(min(starts[n], ends[n]))) for n in by) and len(set(starts.values())) > 1:
                        return Set("first", field(path), path)
        return None

    def weights(self, words):
        """The dimensions of the weights of a bias's module, which may differ between kinds of layers."""
        return [e for leaf in self.all if leaf.path == (*words[:-1], "weight") for e in leaf.dims] if words[-1] == "bias" else []

    def known(self, values, first):
        """A dimension of another tensor with these values in all observations: what few observations leave open."""
        if len(values) >= len(self.numbers) - 8:
            first = list(first)
            rest = []
        else:
            rest = [e for e, _ in collections.Counter(e for leaf in self.by_words.values() for e in leaf.dims).most_common()]
        for e in [*first, *rest]:
            if e.fields() and all(self.solver.value(e, n) == v for n, v in values.items()):
                return e
        return None

    def known_set(self, words, position, by):
        """The indices of another tensor in the same repeat."""
        place = words[: [i for i, w in enumerate(words) if w == "*"][position]]
        for leaf in self.by_words.values():
            if leaf.path[: len(place)] == place and leaf.path[len(place): len(place) + 1] == ("*",):
                found = leaf.sets[sum(w == "*" for w in place)]
                given = self.indices.get((leaf.path, sum(w == "*" for w in place)), {})
                if all(given.get(n) == v for n, v in by.items()):
                    return found
        return None

    def repeated(self):
        """The places (names up to an index) where indices repeat the same tensors; the others are names."""
        places = collections.OrderedDict()
        for n in self.numbers:
            at = collections.defaultdict(lambda: collections.defaultdict(set))
            for name, shape, *more in self.rows[n]:
                words, positions = split_name(name)
                for p in positions:
                    place = tuple("*" if INDEX.fullmatch(w) else w for w in words[:p])
                    rest = tuple(re.sub(r"\d+", "#", w) if INDEX.fullmatch(w) else w for w in words[p + 1:])
                    for i in indices_of(words[p]):
                        at[place][i].add((rest, tuple(shape)))
            for place, by in at.items():
                places.setdefault(place, {})[n] = by
        out = set()
        for place, by_number in places.items():
            counts = {n: len(by) for n, by in by_number.items()}
            alike = all(len(set(map(frozenset, by.values()))) <= 3 for by in by_number.values())
            contiguous = all(sorted(by) == list(range(len(by))) for by in by_number.values())
            varies = len(set(counts.values())) > 1
            same = all(len(set(map(frozenset, by.values()))) == 1 for by in by_number.values())
            if (varies and (alike or len(next(iter(counts.values())) if False else counts) > 0)) or (same and contiguous and max(counts.values()) > 2):
                out.add(place)
        return out

    def index_set(self, words, position, by, quick=False):
        """The set of indices, {observation: [index]}."""
        lists = {n: list(v) for n, v in by.items()}
        if all(v == [0] for v in lists.values()):
            return Set("only", number(1))
        if all(v == list(range(len(v))) for v in lists.values()):
            count = self.solver.solve({n: len(v) for n, v in lists.items()})
            if count is not None:
                if position == 0 and count.op == "field" and count not in self.counts:
                    self.counts.append(count)
                return Set("all", count)
        if all(v == list(range(v[0], v[-1] + 1)) for v in lists.values()):
            end = self.solver.solve({n: v[-1] + 1 for n, v in lists.items()})
            start = self.solver.solve({n: v[0] for n, v in lists.items()})
            if end is not None and start is not None:
                return Set("rest", end, start)
        return self.kind_set(lists) or self.tail_set(lists) or self.first_set(lists) or self.stepped_set(lists)

    def kind_set(self, lists):
        """The layers of some kinds in a list, those that a list marks, or those that it names."""
        o = self.by_number
        for path in self.lists:
            values = {n: o[n].fields.get(path) for n in lists}
            if all(isinstance(v, list) for v in values.values()):
                if all(isinstance(x, str) for v in values.values() for x in v):
                    words_in, words_out = set(), set()
                    for n, v in values.items():
                        for i, w in enumerate(v):
                            (words_in if i in lists[n] else words_out).add(w)
                    if words_in and not words_in & words_out and words_out:
                        return Set("kind", field(path), path, tuple(sorted(words_in)), tuple(sorted(words_out)))
                elif all(isinstance(x, (int, bool)) for v in values.values() for x in v):
                    if all({i for i, x in enumerate(v) if x and not isinstance(x, bool) or x is True} == set(lists[n]) for n, v in values.items()) and any(values.values()):
                        return Set("marked", field(path), path)
                    if all(set(v) == set(lists[n]) for n, v in values.items()):
                        return Set("listed", field(path), path)
        return None

    def stepped_set(self, by):
        """Qwen's rule: every decoder_sparse_step-th layer, except those in mlp_only_layers; or the other layers."""
        at = {o.number: o.fields for o in self.observations}
        if "decoder_sparse_step" not in self.order:
            return None
        for count in self.counts:
            inside, outside = True, True
            for n, indices in by.items():
                step, dense, layers = at[n].get("decoder_sparse_step"), at[n].get("mlp_only_layers"), self.solver.value(count, n)
                if not isinstance(step, int) or layers is None:
                    return None
                rule = [i for i in range(layers) if step and (i + 1) % step == 0 and i not in (dense or [])]
                inside &= rule == indices
                outside &= [i for i in range(layers) if i not in rule] == indices
            if inside or outside:
                return Set("stepped", count, "in" if inside else "out")
        return None

    def first_set(self, lists):
        """The first k of all layers."""
        o = self.by_number
        for path in self.numbers_vary:
            values = {n: o[n].fields.get(path) for n in lists}
            if all(isinstance(v, int) and not isinstance(v, bool) for v in values.values()):
                if all(lists[n] == list(range(min(v, len(lists[n]) + 0))) and len(lists[n]) <= v for n, v in values.items()):
                    if any(len(lists[n]) == v for n, v in values.items()):
                        return Set("first", field(path), path)
        return None


def unrolled(name, repeated):
    """The name with `*` at repeated places, and the indices there; one result per index elsewhere."""
    words, _ = split_name(name)
    results = [([], [])]
    for word in words:
        if not INDEX.fullmatch(word):
            results = [(w + [word], s) for w, s in results]
            continue
        new = []
        for w, s in results:
            place = tuple("*" if re.fullmatch(r"\d+", x) else x for x in w)
            if place in repeated:
                new.append((w + ["*"], s + [tuple(indices_of(word))]))
            else:
                new += [(w + [str(i)], s) for i in indices_of(word)]
        results = new
    return [(tuple(w), tuple(s)) for w, s in results]


def ordered(tensors, rows, numbers, repeated):
    """The tensors in the order of the model; those of some observations are put where they stand there."""
    order = []
    seen = set()
    for n in numbers:
        previous = None
        for name, *_ in rows[n]:
            for words, _ in unrolled(name, repeated):
                if words not in seen:
                    seen.add(words)
                    order.insert(order.index(previous) + 1 if previous else 0, words)
                previous = words
    return [(w, tensors[w]) for w in order]
