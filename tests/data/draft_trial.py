#!/usr/bin/env python3
"""Takes families out of a tree, drafts them anew from observations alone, and counts what a person has to change.

    draft_trial.py [--corrected FOLDER] TREE OBSERVATIONS TYPE...

TREE is a clean worktree with a configured debug build; its families are replaced. OBSERVATIONS has a TYPE.json from observe.py for each type.
Each draft is compiled and compared with all cases of its type in oracle.jsonl. FOLDER has a TYPE.cpp for drafts that a person has corrected:
these are compared instead, and the lines counted that differ from the draft (a changed line counts once; comments and summaries do not).
"""
import argparse, difflib, os, re, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))


class Tree:
    def __init__(self, root):
        self.root = root
        self.run("git", "checkout", "--quiet", ".")
        self.run("git", "clean", "--quiet", "--force", "core")

    def run(self, *command, **more):
        return subprocess.run(command, cwd=self.root, capture_output=True, text=True, **more)

    def path(self, *words):
        return os.path.join(self.root, *words)

    def family(self, name):
        return self.path("core/families", f"{name}.cpp")

    def original(self, name):
        return self.run("git", "show", f"HEAD:core/families/{name}.cpp", check=True).stdout

    def edit(self, file, change):
        path = self.path(file)
        lines = open(path).read().splitlines(True)
        open(path, "w").write("".join(change(lines)))

    def take_out(self, name):
        """Removes the family, its line, and the rows of fields that only it names. Other families of its file stay, in a file of their own."""
        others = re.sub(rf"^(extern const Family {name})\{{", r"\1_taken_out{", self.original(name), flags=re.M)
        if len(re.findall(r"^extern const Family \w+\{", others, re.M)) > 1:
            open(self.family(f"{name}_others"), "w").write(others)
        os.remove(self.family(name))
        self.edit("core/registry/families.def", lambda lines: [x for x in lines if not re.match(rf"(X|PUBLISHED|COMMON)\({name}\)", x)])
        fields = self.run("git", "grep", "-hoE", r'"\w+"', "--", "core", ":!core/config/dimensions.def").stdout
        named = set(fields.replace('"', "").split())
        row = re.compile(r'(?:X|COMMON)\("([^"]*)"')
        self.edit("core/config/dimensions.def", lambda lines: [x for x in lines if not row.match(x) or set(row.match(x)[1].split()) & named])

    def put_back(self, name):
        if os.path.exists(self.family(f"{name}_others")):
            os.remove(self.family(f"{name}_others"))
        open(self.family(name), "w").write(self.original(name))
        line = f"X({name})\n"
        self.edit("core/registry/families.def", lambda lines: lines if any(re.match(rf"(X|PUBLISHED|COMMON)\({name}\)", x) for x in lines) else lines + [line])

    def build(self):
        """The families that do not compile, with the compiler's first error; "" is what else fails."""
        done = self.run("cmake", "--build", "--preset", "debug", "--target", "check", "--", "-k", "0")
        failed = {}
        if done.returncode:
            for name, error in re.findall(r"core/families/(\w+)\.cpp:\d+:\d+: error: ([^\n]*)", done.stdout + done.stderr):
                failed.setdefault(name, []).append(error)
            if not failed:
                failed[""] = [done.stdout[-1500:]]
        return failed

    def compare(self, types):
        """{type: (exact, all)} and the text of the comparison."""
        done = self.run(self.path(".build/debug/tests/check"), self.path("tests/data/oracle.jsonl"), *types)
        out = {}
        for kind, *sums in re.findall(r"^(\S+) +(\d+) exact, (\d+) refused by both, (\d+) refused on purpose, (\d+) counted alone, (\d+) REFUSED, (\d+) WRONG", done.stdout, re.M):
            exact, both, purpose, alone, refused, wrong = map(int, sums)
            before = out.get(kind, (0, 0))  # defaults and variants have a line each
            out[kind] = (before[0] + exact + both, before[1] + exact + both + purpose + alone + refused + wrong)
        return out, done.stdout


def code(text):
    """The lines of a family without comments and summaries."""
    return [line for line in text.splitlines() if line.strip() and not line.startswith("//") and ".summary" not in line]


def changed(before, after):
    blocks = difflib.SequenceMatcher(None, code(before), code(after), autojunk=False).get_opcodes()
    return sum(max(b - a, d - c) for kind, a, b, c, d in blocks if kind != "equal")


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--corrected")
    ap.add_argument("--keep", help="a folder for drafts and the comparison")
    ap.add_argument("tree")
    ap.add_argument("observations")
    ap.add_argument("types", nargs="+")
    a = ap.parse_args()
    tree, drafts, verdict, corrected = Tree(a.tree), {}, {}, {}
    for name in a.types:
        tree.take_out(name)
    for name in a.types:
        try:
            command = [sys.executable, os.path.join(HERE, "draft.py"), "--into", a.tree, os.path.join(a.observations, f"{name}.json")]
            done = subprocess.run(command, capture_output=True, text=True, timeout=600)
            report = done.stdout.strip() or done.stderr.strip()
        except subprocess.TimeoutExpired:
            report = f"{name}: not drafted in 10 minutes"
        print(report, flush=True)
        if os.path.exists(tree.family(name)):
            drafts[name] = open(tree.family(name)).read()
            own = a.corrected and os.path.join(a.corrected, f"{name}.cpp")
            if own and os.path.exists(own):
                corrected[name] = open(own).read()
                open(tree.family(name), "w").write(corrected[name])
        else:
            verdict[name] = "not drafted"
            tree.put_back(name)
    while failed := tree.build():
        if not set(failed) & set(drafts) - set(verdict):
            sys.exit(f"other sources do not compile: {failed}")
        for name in set(failed) & set(drafts):
            verdict[name] = f"does not compile: {failed[name][0][:120]}"
            tree.put_back(name)
    sums, text = tree.compare(a.types)
    if a.keep:
        os.makedirs(a.keep, exist_ok=True)
        open(os.path.join(a.keep, "comparison.txt"), "w").write(text)
        for name, draft in drafts.items():
            open(os.path.join(a.keep, f"{name}.cpp"), "w").write(draft)
    print(f"{'type':20} {'lines':>5} {'cases exact':>12}  {'changed':>7}  note")
    for name in a.types:
        exact, cases = sums.get(name, (0, 0))
        lines = len(code(drafts.get(name, "")))
        number = changed(drafts[name], corrected[name]) if name in corrected else 0 if exact == cases and name not in verdict else "open"
        print(f"{name:20} {lines:5} {'' if name in verdict else f'{exact} of {cases}':>12}  {number:>7}  {verdict.get(name, '')}")


if __name__ == "__main__":
    main()
