#!/usr/bin/env python3
"""Makes mutants of the core by rule, all in one build, and looks for the seeds that catch them.

Each mutant changes one place: a comparison, a 1 that is added or taken away, or a statement that is
left out. A place asks the environment of the process which mutant it is, so a copy of the core with
hundreds of mutants is compiled once. A mutant is caught if a checker fails, or if the process traps
or takes no end. Places that do not compile are taken back.

usage: make.py [--sample N] [--draw SEED] [--seeds N] [--only NUMBER...]
"""

import argparse
import collections
import os
import pathlib
import random
import re
import subprocess
import sys
import time

PROJECT = pathlib.Path(__file__).resolve().parents[3]
CORE = PROJECT / "Sources/ParleyCore"

# What a comparison becomes: its boundary moves, or it says the opposite.
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
STATEMENT = re.compile(r"^(\s+)((?:[a-z]\w*[.\[(])[^{}]*|[a-z][\w.\[\]?]* (?:[-+|&]|&[-+])?= [^{}]*)$")
KEYWORDS = ("let ", "var ", "return", "throw ", "guard ", "if ", "else", "for ", "while ", "switch ",
            "case ", "default", "defer", "precondition", "self.init", "try ", "await ", "super",
            "func ", "package ", "private ", "init", "where ", "in ", "get", "set", "repeat")

Place = collections.namedtuple("Place", "number kind file line text new")


def is_code(line):
    text = line.strip()
    return text and not text.startswith("//") and '"' not in text


def places():
    """All places of the core in the order of files and lines, as (kind, file, line, old, new)."""
    for path in sorted(CORE.rglob("*.swift")):
        lines = path.read_text().split("\n")
        in_init = None
        for index, line in enumerate(lines):
            indent = len(line) - len(line.lstrip())
            if re.match(r"\s*(?:package |private |fileprivate )?(?:convenience )?init[?(<]", line):
                in_init = indent
            elif in_init is not None and line.strip() == "}" and indent == in_init:
                in_init = None
            if not is_code(line) or re.match(r"\s*(case|import|extension)\b", line) or " func " in line:
                continue
            for found in re.finditer(r" (<=|>=|==|!=|<|>) ", line):
                yield "comparison", path, index, found.span(1), found.group(1)
            for found in re.finditer(r" ([-+]=? )1\b(?![._\w])", line):
                yield "one", path, index, (found.end() - 1, found.end()), "1"
            if in_init is None and STATEMENT.match(line) and indent >= 8 and whole(lines, index) and not \
                    line.strip().startswith(KEYWORDS):
                yield "statement", path, index, (indent, len(line)), line.strip()


def whole(lines, index):
    """Whether a line is a statement of its own, not a part of one on several lines."""
    line, before = lines[index].strip(), lines[index - 1].strip()
    after = lines[index + 1].strip() if index + 1 < len(lines) else ""
    balanced = line.count("(") == line.count(")") and line.count("[") == line.count("]")
    return (balanced and not line.endswith((",", "(", "[", "=", "?", "+", "&&", "||"))
            and (before.endswith(("{", "}", ";", ":")) or STATEMENT.match(lines[index - 1]) is not None
                 or before.startswith(("let ", "var ", "guard ", "//")) or before == "")
            and before.count("(") <= before.count(")")
            and not before.endswith((",", "(", "[", "=", "?", "&&", "||"))
            and not after.startswith((".", "?", ":", "+", "-", "&&", "||", "==", "??"))
            # The only line of what has a value is the value.
            and not (before.endswith("{") and after.startswith("}")
                     and not re.match(r"(\} else|if|for|while|guard)\b|[^>]*\bfunc [^>]*$", before)))


def rewritten(number, kind, old):
    if kind == "comparison":
        return f"~{operator(number)}~"
    if kind == "one":
        return f"made({number})"
    return f"if madeMutant != {number} {{ {old} }}"


SIGNS = "<>+*%^|&"


def operator(number):
    """A sequence of signs that is an operator of no meaning yet."""
    text = ""
    for _ in range(5):
        number, digit = divmod(number, len(SIGNS))
        text += SIGNS[digit]
    return text


SUPPORT = """#if canImport(Glibc)
    import Glibc
#endif

/// The mutant of this process; 0 for none.
package let madeMutant: Int =
    getenv("PARLEY_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0

@inline(__always) func made<T: BinaryInteger>(_ number: Int) -> T {
    madeMutant == number ? 2 : 1
}
"""


def write_core(copy, chosen):
    """Writes the core with these places; the rest of the copy is as in the project."""
    by_file = collections.defaultdict(list)
    for place in chosen:
        by_file[place.file].append(place)
    support = [SUPPORT]
    for path in sorted(CORE.rglob("*.swift")):
        lines = path.read_text().split("\n")
        # From the end of a line, so that the columns before stay.
        for place in sorted(by_file[path], key=lambda p: (p.line, p.text[0]), reverse=True):
            start, end = place.text
            lines[place.line] = lines[place.line][:start] + place.new + lines[place.line][end:]
        write(copy / path.relative_to(CORE), "\n".join(lines))
    for place in chosen:
        if place.kind != "comparison":
            continue
        old = place.file.read_text().split("\n")[place.line][slice(*place.text)]
        kind = "Equatable" if old in ("==", "!=") else "Comparable"
        support.append(
            f"infix operator {place.new}: ComparisonPrecedence\n"
            f"@inline(__always) func {place.new} <T: {kind}>(a: T, b: T) -> Bool {{\n"
            f"    madeMutant == {place.number} ? a {COMPARISONS[old]} b : a {old} b\n}}\n")
    write(copy / "Made.swift", "\n".join(support))


def copy_rest(work):
    """Copies the package of the mutants and the simulator, whose plans need another one."""
    mutants, faults = PROJECT / "Tests/Mutants", PROJECT / "Sources/ParleyFaults"
    write(work / "Package.swift", (mutants / "Package.swift").read_text())
    write(work / "Sources/mutants/main.swift", (mutants / "Runner/main.swift").read_text())
    for path in sorted(faults.rglob("*.swift")):
        if "Plans" not in path.parts:
            write(work / "Sources/ParleyFaults" / path.relative_to(faults), path.read_text())


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def build(work):
    return subprocess.run(
        ["swift", "build", "-c", "release", "-debug-info-format", "none", "--package-path", work,
         "--product", "mutants"], capture_output=True, text=True)


def built(work, chosen):
    """Builds, and leaves out the places that do not compile."""
    for _ in range(12):
        write_core(work / "Sources/ParleyCore", chosen)
        result = build(work)
        if result.returncode == 0:
            return chosen
        wrong = {(m[1], int(m[2]) - 1) for m in re.finditer(
            r"(/\S+/ParleyCore/\S+\.swift):(\d+):\d+: error", result.stdout + result.stderr)}
        bad = {p for p in chosen
               if (str(work / "Sources/ParleyCore" / p.file.relative_to(CORE)), p.line) in wrong}
        if not bad:
            sys.exit((result.stdout + result.stderr)[-3000:])
        print(f"{len(bad)} places do not compile", file=sys.stderr, flush=True)
        chosen = [p for p in chosen if p not in bad]
    sys.exit("the mutants do not compile")


def outcome(work, number, seeds):
    begin = time.time()
    program = work / ".build/release/mutants"
    try:
        result = subprocess.run(
            [program, "made", str(seeds)], capture_output=True, text=True,
            env=os.environ | {"PARLEY_MUTANT": str(number)}, timeout=30 + seeds)
    except subprocess.TimeoutExpired:
        return "takes no end", time.time() - begin
    text = result.stdout.strip().split("\n")[-1]
    if result.returncode == 0:
        return None, time.time() - begin
    return text if result.returncode == 1 else "traps", time.time() - begin


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--draw", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--only", type=int, nargs="*")
    options = parser.parse_args()
    work = PROJECT / ".build/mutants/made"
    copy_rest(work)
    found = [Place(n + 1, kind, file, line, span, rewritten(n + 1, kind, old))
             for n, (kind, file, line, span, old) in enumerate(places())]
    sample = random.Random(options.draw).sample(found, min(options.sample, len(found)))
    if options.only:
        sample = [p for p in found if p.number in options.only]
    # Two changes of one line would get into each other's way.
    lines = {}
    for place in sample:
        lines.setdefault((place.file, place.line), place)
    chosen = built(work, sorted(lines.values()))
    print(f"{len(found)} places, {len(chosen)} mutants", flush=True)
    assert outcome(work, 0, 50)[0] is None, "seeds fail without a mutant"
    kinds = collections.Counter()
    for place in chosen:
        what, seconds = outcome(work, place.number, options.seeds)
        kinds[place.kind, what is not None] += 1
        name = f"{place.file.relative_to(CORE)}:{place.line + 1}"
        old = place.file.read_text().split("\n")[place.line].strip()
        print(f"{place.number}\t{place.kind}\t{name}\t{what or 'SURVIVES'}\t{seconds:.1f} s\t{old}",
              flush=True)
    for kind in ["comparison", "one", "statement"]:
        caught, alive = kinds[kind, True], kinds[kind, False]
        print(f"{kind}: {caught} of {caught + alive} caught")


main()
