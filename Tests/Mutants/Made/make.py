#!/usr/bin/env python3
"""Makes mutants of the core by rule, all in one build, and looks for what catches them.

Each mutant changes one place: a comparison, a 1 that is added or taken away, or a statement that is
left out. A place asks the environment of the process which mutant it is, so a copy of the core with
hundreds of mutants is compiled once, with the tests of the core and the vectors. Places that do not
compile are taken back.

The tests of the same folder come first, then seeds of the simulator, then all other tests; those
that take more than SLOW seconds only if asked for. A mutant is caught by the first test or checker
that fails, by a trap, by more memory than MEMORY, or by more processor time than ten times that of
no mutant. Tests that fail without a mutant are left out.

usage: make.py [--sample N] [--draw SEED] [--seeds N] [--guided] [--only NUMBER...] [--slow]
               [--list]
       --only: runs these, and compiles the sample too, so that it need not be compiled anew
"""

import argparse
import collections
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import sys

PROJECT = pathlib.Path(__file__).resolve().parents[3]
CORE = PROJECT / "Sources/ParleyCore"

# The tests of these folders of the core have another name.
FOLDERS = {"Cryptography": "Codec", "Envelope": "Codec", "Frames": "Codec", "Boundary": "Node"}

# What is built with the core, or read by its tests.
COPIED = ["Sources/ParleyFaults", "Sources/ParleyKeys", "Sources/COpenSSL", "Sources/CSodium",
          "Tests/TestSupport", "Tests/ParleyCoreTests", "Tests/VectorTests", "Tests/Vectors"]

# The address space of a process. A mutant that allocates without an end shall not take the machine.
MEMORY = 8 << 30

# Tests that take longer are for the few mutants that survive all others.
SLOW = 1.0

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
    for stale in copy.rglob("*.swift"):
        if stale.name != "Made.swift" and not (CORE / stale.relative_to(copy)).exists():
            stale.unlink()
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
    """Copies the package of the mutants, the simulator without its plans, and the tests."""
    mutants = PROJECT / "Tests/Mutants"
    write(work / "Package.swift", (mutants / "Made/Package.swift").read_text())
    write(work / "Sources/mutants/main.swift", (mutants / "Runner/main.swift").read_text())
    kept = {work / "Package.swift", work / "Sources/mutants/main.swift"}
    for folder in COPIED:
        for path in sorted((PROJECT / folder).rglob("*")):
            copy = work / path.relative_to(PROJECT)
            if path.is_file() and "Plans" not in path.parts:
                kept.add(copy)
                write(copy, path.read_text())
    for folder in COPIED:
        for copy in (work / folder).rglob("*"):
            if copy.is_file() and copy not in kept:
                copy.unlink()


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def build(work):
    return subprocess.run(
        ["swift", "build", "-c", "release", "-debug-info-format", "none", "--package-path", work,
         "--build-tests"], capture_output=True, text=True)


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


class Run:
    """A process with a mutant, as far as its first failure."""

    def __init__(self, command, number, seconds):
        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        begin = cpu()
        self.failures, self.durations, self.closing, started = [], {}, "", ""
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
            env=os.environ | {"PARLEY_MUTANT": str(number)}, preexec_fn=limit)
        for line in process.stdout:
            line = re.sub(r"\033\[[0-9;]*m", "", line).strip()
            self.closing = line or self.closing
            if found := re.match(r"◇ Test (?!case |run )(.+) started", line):
                started = found[1]
            elif found := re.match(r"✘ Test (?!case )(.+?) recorded an issue.* at (\w+)\S*:\d", line):
                self.failures.append(f"{found[2]}.{found[1]}")
                if number:
                    process.kill()
            elif found := re.match(r"✔ Test (?!case |run )(\w+)\(.* passed after ([\d.]+) s", line):
                self.durations[found[1]] = float(found[2])
        code = process.wait()
        self.seconds = cpu() - begin
        if self.failures:
            self.outcome = self.failures[0]
        elif code < 0:
            end = "takes no end" if -code in (signal.SIGXCPU, signal.SIGKILL) else "traps"
            self.outcome = f"{end} {started}".strip()
        else:
            self.outcome = self.closing if code else None


def limit(run):
    """The processor time, in seconds, after which a mutant in place of this run takes no end."""
    return 20 + round(10 * run.seconds)


def cpu():
    """The processor time of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Stages:
    """What is run against a mutant, one after the other, until something fails."""

    def __init__(self, work, seeds, is_guided, runs_slow):
        self.suites = {}
        self.runs_slow = runs_slow
        for folder in (PROJECT / "Tests/ParleyCoreTests").iterdir():
            names = [n for path in folder.rglob("*.swift") for n in
                     re.findall(r"^(?:@Suite.* )?struct (\w+Tests)\b", path.read_text(), re.M)]
            self.suites[folder.name] = names
        binaries = work / ".build/release"
        self.tests = [binaries / "mutantsPackageTests.xctest", "--testing-library",
                      "swift-testing", "--no-parallel"]
        self.simulator = [binaries / "mutants", "made", str(seeds), *["guided"] * is_guided]
        tests = Run(self.tests, 0, 3600)
        for name in sorted(set(tests.failures)):
            print(f"left out, as it fails without a mutant: {name}", flush=True)
            self.tests += ["--skip", rf"/{name.split('.')[-1].split('(')[0]}\("]
        self.slow = [name for name, time in tests.durations.items() if time > SLOW]
        simulator = Run(self.simulator, 0, 3600)
        assert simulator.outcome is None, f"seeds fail without a mutant: {simulator.outcome}"
        self.limits = [limit(tests), limit(simulator)]
        self.near_limits = {}
        print(f"{tests.seconds:.0f} s of tests, {simulator.seconds:.0f} s of seeds, slow:",
              *self.slow, flush=True)

    def commands(self, place):
        """The commands with their limits of processor time."""
        tests, simulator = self.limits
        folder = place.file.relative_to(CORE).parts[0]
        suites = self.suites.get(FOLDERS.get(folder, folder), [])
        slow = rf"/({'|'.join(self.slow)})\("
        rest = [*self.tests, "--skip", slow]
        if suites:
            near = rf"\.({'|'.join(suites)})/"
            if folder not in self.near_limits:
                self.near_limits[folder] = limit(Run([*rest, "--filter", near], 0, tests))
            yield [*rest, "--filter", near], self.near_limits[folder]
            rest += ["--skip", near]
        yield self.simulator, simulator
        yield rest, tests
        if self.runs_slow:
            yield [*self.tests, "--filter", slow], tests

    def outcome(self, place):
        """What catches the mutant, or `None`; and the processor time until then."""
        begin = cpu()
        for command, seconds in self.commands(place):
            run = Run(command, place.number, seconds)
            if run.outcome:
                return run.outcome, cpu() - begin
        return None, cpu() - begin


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--draw", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--guided", action="store_true")
    parser.add_argument("--only", type=int, nargs="*")
    parser.add_argument("--slow", action="store_true", help="run the slow tests, too")
    parser.add_argument("--list", action="store_true", help="print the places and build nothing")
    options = parser.parse_args()
    found = [Place(n + 1, kind, file, line, span, rewritten(n + 1, kind, old))
             for n, (kind, file, line, span, old) in enumerate(places())]
    sample = random.Random(options.draw).sample(found, min(options.sample, len(found)))
    only = [p for p in found if p.number in (options.only or [])]
    # Two changes of one line would get into each other's way.
    lines = {}
    for place in only + sample:
        lines.setdefault((place.file, place.line), place)
    chosen = sorted(lines.values())
    if options.list:
        for place in chosen:
            print(row(place))
        return
    work = PROJECT / ".build/mutants/made"
    copy_rest(work)
    chosen = built(work, chosen)
    print(f"{len(found)} places, {len(chosen)} mutants", flush=True)
    stages = Stages(work, options.seeds, options.guided, options.slow)
    kinds = collections.Counter()
    # All folders have their turn early, so that a part of the table is already fair.
    for place in random.Random(0).sample(chosen, len(chosen)):
        if only and place not in only:
            continue
        what, seconds = stages.outcome(place)
        kinds[place.kind, what is not None] += 1
        print(f"{row(place)}\t{what or 'SURVIVES'}\t{seconds:.1f} s", flush=True)
    for kind in ["comparison", "one", "statement"]:
        caught, alive = kinds[kind, True], kinds[kind, False]
        print(f"{kind}: {caught} of {caught + alive} caught")


def row(place):
    code = place.file.read_text().split("\n")[place.line].strip()
    return f"{place.number}\t{place.kind}\t{place.file.relative_to(CORE)}:{place.line + 1}\t{code}"


main()
