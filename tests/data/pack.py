#!/usr/bin/env python3
"""pack.py FILE...: writes the tensors of cases as a tree of modules, which takes half the space of a list of names.

    [["a.b.weight", [2, 3]], ["a.b.bias", [2]], ["a.c", [], "tied", "d"]]    {"a": {"b": {"weight": [2, 3], "bias": [2]}, "c": [[], "tied", "d"]}}

A key may have several words of a name if there is nothing else between them. A module that an earlier case of the same type has, in an earlier
line without another type in between, is written as a reference: "LlamaModel/default layers" (nothing after the space: all of it). Of cases with
the same id the first one is kept. Packed cases stay unchanged.
"""
import json
import sys


def tree(rows):
    root = {}
    for name, shape, *kind in rows:
        *path, last = name.split(".")
        node = root
        for word in path:
            node = node.setdefault(word, {})
            if isinstance(node, list):
                return None  # a tensor with others inside its name
        if last in node:
            return None  # two with the same name
        node[last] = [shape, *kind] if kind else shape
    return shortened(root)


def shortened(node):
    out = {}
    for word, inner in node.items():
        if isinstance(inner, dict):
            inner = shortened(inner)
            if len(inner) == 1:
                [(more, inner)] = inner.items()
                word = f"{word}.{more}"
        out[word] = inner
    return out


def referred(node, modules, own, case, path=""):
    """The tree with modules that are in `modules` (text to "case path") replaced by references; the others are added to `own`."""
    if not isinstance(node, dict):
        return node
    text = json.dumps(node, separators=(",", ":"))
    there = modules.get(text)
    if there and len(there) + 2 < len(text):
        return there
    own.setdefault(text, f"{case} {path}")
    return {word: referred(inner, modules, own, case, f"{path}.{word}" if path else word) for word, inner in node.items()}


for path in sys.argv[1:]:
    lines, seen, modules, kind = [], set(), {}, None
    for line in open(path):
        case = json.loads(line)
        if case["id"] in seen:
            continue
        seen.add(case["id"])
        if isinstance(case.get("tensors"), list):
            case["tensors"] = tree(case["tensors"]) or case["tensors"]
        of, rest_of_id = case["id"].split("/", 1)
        if of != kind:
            kind, modules = of, {}
        if isinstance(case.get("tensors"), dict):
            own = {}
            case["tensors"] = referred(case["tensors"], modules, own, rest_of_id)
            modules = {**own, **modules}
        start = line.index("{", line.index('"config":'))
        config = json.dumps(case.pop("config"))
        assert config in line, case["id"]
        rest = {key: value for key, value in case.items() if key != "id"}
        begin = f'{{"id": {json.dumps(case["id"])}, "config": {config}'
        lines.append(f'{begin},{json.dumps(rest, separators=(",", ":"))[1:]}\n' if rest else f"{begin}}}\n")
    open(path, "w").writelines(lines)
