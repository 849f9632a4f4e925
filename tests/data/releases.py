#!/usr/bin/env python3
"""Names the types whose default fields or tensors differ between two releases of transformers.

    releases.py PYTHON_OF_THE_OLD PYTHON_OF_THE_NEW [TYPE...]    without types: all that both have

Each release records the defaults of every class of a type, in a process of its own. If a type crashes it, another process goes on with the
next type. Exits with 1 if a type differs.
"""
import argparse, collections, json, os, resource, subprocess, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

# Fields of every configuration that are not compared, because releases change them for all types.
HOUSE = {"use_return_dict", "torchscript", "is_decoder", "add_cross_attention", "tie_encoder_decoder"}


def record(kinds):
    """Prints a line for each type: {"type", "fields", "classes": {class: rows, or the text of the error}}."""
    import oracle
    oracle.library()
    build = oracle.build

    def tied(config):
        model = build(config)
        model.tie_weights()  # 5.0.0 does not tie a model that is only built
        return model

    oracle.build = tied
    known = oracle.classes()
    for kind in kinds or sorted(known):
        out = {"type": kind, "classes": {}}
        for cls in dict.fromkeys(known.get(kind, {}).values()):
            config = oracle.minimal(kind, cls)
            try:
                loaded = json.loads(json.dumps(oracle.load_config(config).to_dict(), default=str))
                out.setdefault("fields", {path: value for path, value in oracle.flatten(loaded) if path.rsplit(".", 1)[-1] not in HOUSE})
                out["classes"][cls] = oracle.case("", config)["tensors"]
            except Exception as e:
                out["classes"][cls] = f"{type(e).__name__}: {' '.join(str(e).split())[:120]}"
        print(json.dumps(out, separators=(",", ":")), flush=True)


def recorded(python, kinds, memory):
    """{type: record} of a release; a type that ends the process is left out, and named."""
    def limit():
        resource.setrlimit(resource.RLIMIT_DATA, (int(memory * 2**30),) * 2)

    out, rest = {}, list(kinds)
    while rest:
        with subprocess.Popen([python, os.path.abspath(__file__), "--record", *rest], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, preexec_fn=limit) as process:
            for line in process.stdout:
                if line.startswith('{"type"'):
                    case = json.loads(line)
                    out[case["type"]] = case
        left = [kind for kind in rest if kind not in out]
        if left:
            print(f"{left[0]}: ends the process of {python}, with {memory:g} GiB of memory")
        rest = left[1:]
    return out


def types_of(python):
    code = "import oracle; oracle.library(); print(*sorted(oracle.classes()))"
    done = subprocess.run([python, "-c", code], cwd=os.path.dirname(os.path.abspath(__file__)), capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{python}: {done.stderr.strip().splitlines()[-1]}")
    return set(done.stdout.splitlines()[-1].split())


def differences(old, new):
    """Sentences: what differs between two records of a type."""
    fields = []
    a, b = old.get("fields", {}), new.get("fields", {})
    for path in sorted(set(a) & set(b)):
        if a[path] != b[path]:
            fields.append(f"{path} is {json.dumps(b[path])[:60]} instead of {json.dumps(a[path])[:60]}")
    tensors = []
    for cls in [c for c in old["classes"] if c in new["classes"]]:
        before, after = old["classes"][cls], new["classes"][cls]
        if isinstance(before, str) or isinstance(after, str):
            if isinstance(before, str) and isinstance(after, str):
                continue  # neither release builds it
            built, error = ("new", before) if isinstance(before, str) else ("old", after)
            tensors.append(f"{cls} is only built by the {built} release; the other: {error}")
            continue
        first, second = ({row[0]: row[1:] for row in rows} for rows in (before, after))
        gone, added = [n for n in first if n not in second], [n for n in second if n not in first]
        both = [n for n in first if n in second]
        other = [n for n in both if first[n][0] != second[n][0]]
        tied = [n for n in both if n not in other and first[n] != second[n]]
        kinds = (added, "new"), (gone, "gone"), (other, "with another shape"), (tied, "tied otherwise")
        words = [f"{len(names)} {what} ({names[0]})" for names, what in kinds if names]
        if words:  # their order does not matter
            tensors.append(f"{cls}: tensors {', '.join(words)}")
    return fields, tensors


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--record", nargs="*", help=argparse.SUPPRESS)
    ap.add_argument("--memory", type=float, default=6, help="GiB for each release")
    ap.add_argument("old", nargs="?")
    ap.add_argument("new", nargs="?")
    ap.add_argument("types", nargs="*")
    if sys.argv[1:2] == ["--record"]:
        record(sys.argv[2:])
        return
    a = ap.parse_args()
    if not a.new:
        ap.error("two releases are needed")
    old_types, new_types = types_of(a.old), types_of(a.new)
    kinds = [kind for kind in a.types or sorted(old_types & new_types)]
    for kind in [k for k in kinds if k not in old_types or k not in new_types]:
        print(f"{kind}: only the {'new' if kind in new_types else 'old' if kind in old_types else 'older or newer'} release has it")
    kinds = [k for k in kinds if k in old_types and k in new_types]
    old, new = recorded(a.old, kinds, a.memory), recorded(a.new, kinds, a.memory)
    sums = collections.Counter()
    for kind in kinds:
        if kind not in old or kind not in new:
            continue
        fields, tensors = differences(old[kind], new[kind])
        sums["compared"] += 1
        sums["tensors"] += bool(tensors)
        sums["fields"] += bool(fields)
        for line in [*tensors, *fields]:
            print(f"{kind}: {line}")
    print(f"{sums['compared']} types are in both: {sums['tensors']} with other tensors, {sums['fields']} with other defaults; {len(new_types - old_types)} are new, {len(old_types - new_types)} are gone")
    sys.exit(bool(sums["tensors"] or sums["fields"]))


if __name__ == "__main__":
    main()
