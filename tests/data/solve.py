"""Expresses the dimensions of observed tensors in configuration fields, and finds which fields add, remove or repeat them."""
import collections, gzip, itertools, json, re

PRIME = (1 << 61) - 1


class Expr:
    """A number, a configuration field, or an operation on other expressions."""

    def __init__(self, op, *parts):
        self.op, self.parts = op, parts

    def key(self):
        return (self.op, *(p.key() if isinstance(p, Expr) else p for p in self.parts))

    def __eq__(self, other):
        return isinstance(other, Expr) and self.key() == other.key()

    def __hash__(self):
        return hash(self.key())

    def fields(self):
        if self.op == "field":
            return {self.parts[0]}
        return set().union(*(p.fields() for p in self.parts if isinstance(p, Expr))) if self.parts else set()

    def value(self, fields):
        if self.op == "number":
            return self.parts[0]
        if self.op == "field":
            return fields[self.parts[0]]
        values = [p.value(fields) for p in self.parts]
        if self.op == "product":
            out = 1
            for v in values:
                out *= v
            return out
        if self.op == "sum":
            return sum(values)
        if self.op == "floor":
            return values[0] // values[1]
        return -(-values[0] // values[1])

    def weight(self):
        """How complicated it is."""
        return 1 if self.op in ("number", "field") else sum(p.weight() for p in self.parts) + (self.op in ("floor", "ceil"))

    def __repr__(self):
        if self.op in ("number", "field"):
            return str(self.parts[0])
        sign = {"product": " * ", "sum": " + ", "floor": " // ", "ceil": " /^ "}[self.op]
        return "(" + sign.join(map(repr, self.parts)) + ")"


def number(value):
    return Expr("number", value)


def field(path):
    return Expr("field", path)


def product(parts):
    parts = [p for p in parts if p != number(1)]
    return number(1) if not parts else parts[0] if len(parts) == 1 else Expr("product", *parts)


def total(parts):
    return parts[0] if len(parts) == 1 else Expr("sum", *parts)


INDEX = re.compile(r"\d+|\[[\d,-]+\]")


def indices_of(word):
    out = []
    for run in word.strip("[]").split(","):
        first, _, last = run.partition("-")
        out += range(int(first), int(last or first) + 1)
    return out


class Row:
    __slots__ = ("name", "shape", "kind", "target")

    def __init__(self, name, shape, kind, target):
        self.name, self.shape, self.kind, self.target = name, tuple(shape), kind, target


class Observation:
    """One configuration that was built: its class, what was set, all fields, and its tensors by name without index ranges."""

    def __init__(self, number, cls, changes, fields, rows):
        self.number, self.cls, self.set, self.fields = number, cls, changes, fields
        self.rows = rows


def read(path):
    """The observation file, with whole lists of tensors and fields in each observation."""
    data = json.load((gzip.open if path.endswith(".gz") else open)(path))
    out, first, fields = [], {}, None
    data["errors"] = [o for o in data["observations"] if "error" in o]
    for i, o in enumerate(data["observations"]):
        if "error" in o:
            continue
        if fields is None:
            fields = o["fields"]
            here = dict(fields)
        else:
            here = {**fields, **o["fields"]}
            for gone in o.get("gone", ()):
                here.pop(gone, None)
        here = {**{path: None for path in data["fields"]}, **o["set"], **here}
        if "num_labels" not in here and o["class"] != "":
            here["num_labels"] = o["set"].get("num_labels", 2)
        if "tensors" in o:
            first[o["class"]] = rows = o["tensors"]
        else:
            without = collections.Counter(json.dumps(row) for row in o["without"])
            rows = [row for row in first[o["class"]] if json.dumps(row) not in without] + o["with"]
        for path, value in list(here.items()):  # lists of a few numbers: an item each; all lists: their length
            if isinstance(value, list):
                here[path + ".length"] = len(value)
                if len(value) <= 8:
                    for n, item in enumerate(value):
                        here[f"{path}[{n}]"] = item
        out.append(Observation(i, o["class"], o["set"], here, rows))
    data["observed"] = [o for o in out if not any(senseless(p, v) for p, v in o.set.items())]
    return data


def senseless(path, value):
    """Whether the value is a size of 0, with which transformers builds something only by accident."""
    return value == 0 and not isinstance(value, bool) and re.search(r"experts$|heads?$|size$|_dim$|dim$|model$|groups?$|embd$", path)


class Solver:
    """Solves vectors of numbers, one for each observation, as expressions of fields."""

    def __init__(self, observations, declared, order):
        self.observations = {o.number: o for o in observations}
        self.declared, self.order = declared, order
        self.effective = {}
        self.used = collections.Counter()
        self.tables = {}
        self.found = {}
        self.names = [path for path in order if self.numeric(path)]

    def numeric(self, path):
        values = {o.fields.get(path) for o in self.observations.values() if not isinstance(o.fields.get(path), (list, dict))}
        return any(isinstance(v, int) and not isinstance(v, bool) for v in values) and len(values) > 1

    def of(self, path, number):
        """The field's value in an observation; what it falls back to if it is None."""
        o = self.observations[number]
        value = o.fields.get(path)
        if isinstance(value, bool) or not isinstance(value, int):
            rest = self.effective.get(path)
            if rest is None:
                return None
            return self.value(rest, number)
        return value

    def value(self, e, number):
        """The value of an expression in an observation, or None."""
        try:
            return e.value({p: self.of(p, number) for p in e.fields()})
        except (TypeError, ZeroDivisionError):
            return None

    def vary(self, values):
        """The fields that change these values when nothing else is set."""
        out = set()
        first = next(iter(values))
        for number, value in values.items():
            o = self.observations[number]
            if len(o.set) == 1 and value != values[first]:
                out |= set(o.set)
        return out

    def table(self, names, numbers):
        key = (names, numbers)
        if key in self.tables:
            return self.tables[key]
        weights = [pow(31, i + 1, PRIME) * 2654435761 % PRIME for i in range(len(numbers))]
        mark = lambda vector: sum(w * v for w, v in zip(weights, vector)) % PRIME
        atoms = []
        for name in names:
            vector = [self.of(name, n) for n in numbers]
            if None not in vector and any(v != vector[0] for v in vector):
                atoms.append((field(name), vector))
        ratios = []
        for (a, u), (b, v) in itertools.permutations(atoms, 2):
            if all(v) and all(x >= y for x, y in zip(u, v)):
                ratios.append((Expr("floor", a, b), [x // y for x, y in zip(u, v)]))
        for a, u in atoms:
            for k in (16, 8, 4, 3, 2, 32, 64):
                ratios.append((Expr("floor", a, number(k)), [x // k for x in u]))
                ratios.append((Expr("ceil", a, number(k)), [-(-x // k) for x in u]))
        terms = [(number(1), [1] * len(numbers))]
        for degree in (1, 2, 3, 4):
            for parts in itertools.combinations_with_replacement(atoms, degree):
                if degree > 2 and len({p[0] for p in parts}) < degree:
                    continue
                vector = [1] * len(numbers)
                for _, v in parts:
                    vector = [x * y for x, y in zip(vector, v)]
                terms.append((product([p[0] for p in parts]), vector))
            if degree == 1:
                terms += ratios
            if degree == 2:
                for (a, u), (b, v) in itertools.product(ratios, atoms + ratios if len(ratios) < 200 else atoms):
                    terms.append((product([b, a]), [x * y for x, y in zip(u, v)]))
            if len(terms) > 4000:
                break
        marks = {}
        for e, v in terms:
            marks.setdefault(mark(v), e)
        out = (terms, marks, mark)
        self.tables[key] = out
        return out

    def solve(self, values, extra=()):
        """{observation: number} as an expression, or None."""
        numbers = tuple(n for n in values if not any(v == 0 and not isinstance(v, bool) for v in self.observations[n].set.values()))
        if not numbers:
            numbers = tuple(values)
        vector = [values[n] for n in numbers]
        key = (numbers, tuple(vector))
        if key in self.found:
            return self.found[key]
        self.found[key] = out = self._solve(numbers, vector, {n: values[n] for n in numbers}, extra)
        return out

    def _solve(self, numbers, vector, values, extra):
        if all(v == vector[0] for v in vector):
            # Few observations: a size that did not vary in them may still be a field.
            if vector[0] > 24 and len(numbers) * 4 < len(self.observations):
                alike = [p for p in self.names if all(self.of(p, n) == vector[0] for n in numbers)]
                if len(alike) == 1:
                    return field(alike[0])
            return number(vector[0])
        support = self.vary(values)
        if not support:  # only several fields at once change it
            differ = {p for n in numbers for p in self.observations[n].set}
            support = set(sorted(differ, key=lambda p: -self.used[p])[:8])
        close = [name for name in self.names if self.relates(name, support) or name in extra]
        wide = [name for name in self.names if name not in close and len(self.names) <= 14]
        for names in ([tuple(close), tuple(close + wide)] if wide else [tuple(close)]):
            out = self.search(names, numbers, vector, 3 if len(names) <= 7 else 2)
            if out:
                self.used.update(out.fields())
                return out
        return None

    def relates(self, name, support):
        if name in support or name.partition("[")[0] in support or name.removesuffix(".length") in support:
            return True
        if "head" in name:
            return any(name.rpartition(".")[0] == p.rpartition(".")[0] for p in support)
        rest = self.effective.get(name)
        return bool(rest and rest.fields() & support)

    def search(self, names, numbers, vector, most):
        terms, marks, mark = self.table(names, numbers)
        wanted = mark(vector)
        factors = (1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 32, 64)
        found = [(c, marks.get(mark([v // c for v in vector]))) for c in factors if all(v % c == 0 for v in vector)]
        # 3 * d is simpler than d * ceil(n_layers / 2), which few observations may not tell apart.
        found = [(e.weight() + (c > 1), c, e) for c, e in found if e is not None]
        if found:
            _, c, e = min(found, key=lambda x: x[:2])
            return product([number(c), e] if c > 1 else [e])
        scaled = [(c, e, c * mark(v) % PRIME) for e, v in terms[:600] for c in (1, 2, 3, 4)]
        by_mark = {}
        for c, e, m in scaled:
            by_mark.setdefault(m, product([number(c), e] if c > 1 else [e]))
        constants = {mark([k] * len(numbers)): number(k) for k in range(1, 40)}
        for m, e in constants.items():
            by_mark.setdefault(m, e)
        for c, e, m in scaled:
            rest = by_mark.get((wanted - m) % PRIME)
            if rest is not None:
                return total([product([number(c), e] if c > 1 else [e]), rest])
        minus = {(-m) % PRIME: k for m, k in constants.items()}
        for c, e, m in scaled:
            rest = minus.get((wanted - m) % PRIME)
            if rest is not None:
                return total([product([number(c), e] if c > 1 else [e]), number(-rest.parts[0])])
        # A longer product beside a field and a number: rows of a position table.
        small = [(c, e, m) for c, e, m in scaled if e.op == "field"] + [(1, e, m) for m, e in constants.items() if e.parts[0] < 5]
        for c, e, m in small:
            rest = marks.get((wanted - m) % PRIME)
            if rest is not None:
                return total([rest, product([number(c), e] if c > 1 else [e])])
        for (c1, e1, m1), (c2, e2, m2) in itertools.combinations(small, 2):
            rest = marks.get((wanted - m1 - m2) % PRIME)
            if rest is not None:
                return total([rest] + [product([number(c), e] if c > 1 else [e]) for c, e in ((c1, e1), (c2, e2))])
        # Two products and a field: a state-space mixer's input.
        for c1, e1, m1 in small:
            for c2, e2, m2 in scaled:
                rest = by_mark.get((wanted - m1 - m2) % PRIME)
                if rest is not None:
                    return total([product([number(c2), e2] if c2 > 1 else [e2]), rest, product([number(c1), e1] if c1 > 1 else [e1])])
        if most > 2 and len(scaled) <= 1600:
            small = scaled[:700]
            for (c1, e1, m1), (c2, e2, m2) in itertools.combinations(small, 2):
                rest = by_mark.get((wanted - m1 - m2) % PRIME)
                if rest is not None:
                    return total([product([number(c) , e] if c > 1 else [e]) for c, e in ((c1, e1), (c2, e2))] + [rest])
        return None

    def fallbacks(self, candidates):
        """Finds what fields mean that may be None: `candidates` are expressions to try for each."""
        for path in self.order:
            values = [self.observations[n].fields.get(path) for n in self.observations]
            known = [isinstance(v, int) and not isinstance(v, bool) for v in values]
            if any(known) and not all(known):
                for e in candidates.get(path.rsplit(".", 1)[-1], ()):
                    if all(any(o.fields.get(p) is not None for o in self.observations.values()) for p in e.fields()):
                        self.effective[path] = e
                        break


class Condition:
    """When a tensor exists: a list of (field, test, word), all of which hold."""

    def __init__(self, tests=()):
        self.tests = tuple(tests)

    def __eq__(self, other):
        return isinstance(other, Condition) and self.tests == other.tests

    def __hash__(self):
        return hash(self.tests)

    def __bool__(self):
        return bool(self.tests)

    def minus(self, other):
        return Condition([t for t in self.tests if t not in other.tests])

    def __repr__(self):
        return " and ".join(" ".join(map(str, t)) for t in self.tests)


def holds(value, test, word):
    if test == "is":
        return value == word
    if test == "is not":
        return value != word
    if test == "given":
        return value is not None
    if test == "missing":
        return value is None
    return bool(value) == (test == "true")


def condition(observations, exists, order):
    """The condition for the observations in which something exists (numbers), or None."""
    if all(o.number in exists for o in observations):
        return Condition()
    tests = []
    names = set()
    first = observations[0]
    for o in observations:
        if (o.number in exists) != (first.number in exists) or len(o.set) == 1:
            names |= set(o.set)
    for path in [p for p in order if p in names] + [p for p in names if p not in order]:
        values = [o.fields.get(path) for o in observations]
        if all(isinstance(v, (bool, type(None))) for v in values):
            tests += [(path, "true", None), (path, "false", None)]
        elif any(isinstance(v, str) for v in values):
            for word in dict.fromkeys(v for v in values if isinstance(v, str)):
                tests += [(path, "is", word), (path, "is not", word)]
        elif not any(isinstance(v, (list, dict)) for v in values):
            tests += [(path, "true", None), (path, "false", None), (path, "given", None), (path, "missing", None)]
    result = [({o.number for o in observations if holds(o.fields.get(t[0]), t[1], t[2])}, t) for t in tests]
    for numbers, t in result:
        if numbers == exists:
            return Condition([t])
    for (a, t), (b, u) in itertools.combinations(result, 2):
        if a & b == exists:
            return Condition([t, u])
    return None
