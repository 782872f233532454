#!/usr/bin/env python3
"""Writes manual pages from the definitions of the commands.

usage: parley --experimental-dump-help | man-pages.py VERSION DATE OPERATING.md FOLDER

parley.1 lists the commands, with the exit codes from OPERATING.md; each command has a page of its
own, with its subcommands in it.
"""

import json
import pathlib
import re
import sys


def escaped(text):
    """The text as roff prints it: as it is, and hyphens as people copy them."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    lines = text.split("\n")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in lines)


def paragraphs(text):
    """A discussion: paragraphs, and examples that are indented by two spaces."""
    lines = []
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        if block.startswith("  "):
            example = "\n".join(line[2:] for line in block.split("\n"))
            lines += [".PP", ".RS 4", ".nf", escaped(example), ".fi", ".RE"]
        else:
            lines += [".PP", escaped(block)]
    return lines


def shown(command, kind):
    return [part for part in command.get(kind, []) if part.get("shouldDisplay", True)]


def name_of(name):
    return ("--" if name["kind"] == "long" else "-") + name["name"]


def value_of(argument):
    return f"\\fI{escaped(argument['valueName'])}\\fR"


def heading(argument):
    """The line over the explanation of an argument: its names and its value."""
    if argument["kind"] == "positional":
        return value_of(argument)
    names = ", ".join(f"\\fB{escaped(name_of(name))}\\fR" for name in argument["names"])
    return names + (f" {value_of(argument)}" if argument["kind"] == "option" else "")


def usage(argument):
    """An argument as the synopsis shows it."""
    if argument["kind"] == "positional":
        text = value_of(argument)
    else:
        text = f"\\fB{escaped(name_of(argument['preferredName']))}\\fR"
        if argument["kind"] == "option":
            text += f" {value_of(argument)}"
    if argument.get("isRepeating"):
        text += " ..."
    return f"[{text}]" if argument.get("isOptional") else text


def is_common(argument):
    return argument["kind"] != "positional" and argument["valueName"] in ("help", "version")


def synopsis(command):
    words = command.get("superCommands", []) + [command["commandName"]]
    parts = [f"\\fB{escaped(' '.join(words))}\\fR"]
    parts += [usage(part) for part in shown(command, "arguments") if not is_common(part)]
    return [".PP", "\n".join(parts)]


def options(command, common=True):
    lines = []
    for argument in shown(command, "arguments"):
        if is_common(argument) and not common:
            continue
        text = argument.get("abstract", "")
        if argument.get("discussion"):
            text += "\n" + argument["discussion"]
        lines += [".TP", heading(argument), escaped(text) or "\\&"]
    return lines


def with_subcommands(command):
    """The command itself, or each of its subcommands."""
    inner = shown(command, "subcommands")
    return [leaf for part in inner for leaf in with_subcommands(part)] if inner else [command]


def page(name, abstract, version, date, body):
    title = f'.TH {escaped(name).upper()} 1 "{date}" "Parley {version}" "Parley"'
    return "\n".join([title, ".SH NAME", f"{escaped(name)} \\- {escaped(abstract)}"] + body) + "\n"


def without_stop(text):
    text = text.rstrip(".")
    return text[:1].lower() + text[1:]


def command_page(command, version, date):
    leaves = with_subcommands(command)
    body = [".SH SYNOPSIS"]
    for leaf in leaves:
        body += synopsis(leaf)
    body += [".SH DESCRIPTION", ".PP", escaped(command.get("abstract", ""))]
    body += paragraphs(command.get("discussion", ""))
    if leaves == [command]:
        body += [".SH OPTIONS"] + options(command)
    else:
        for leaf in leaves:
            body += [f".SH {escaped(leaf['commandName']).upper()}"]
            body += [".PP", escaped(leaf.get("abstract", ""))]
            body += paragraphs(leaf.get("discussion", "")) + options(leaf, common=False)
    body += [".SH SEE ALSO", ".BR parley (1)"]
    name = f"parley-{command['commandName']}"
    return name, page(name, without_stop(command["abstract"]), version, date, body)


def plain(markdown):
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", markdown)
    return text.replace("`", "").strip()


def exit_codes(document):
    lines = []
    section = document.split("\n## Exit codes\n", 1)[1].split("\n## ", 1)[0]
    for row in re.findall(r"^\| (\d+) \| (.*?) \| ?(.*?) ?\|$", section, re.MULTILINE):
        code, meaning, remedy = (plain(cell) for cell in row)
        text = f"{meaning[:1].upper()}{meaning[1:]}."
        if remedy:
            text += f" Remedy: {remedy}."
        lines += [".TP", f"\\fB{code}\\fR", escaped(text)]
    if not lines:
        sys.exit("man-pages.py: the document has no table of exit codes")
    return lines


def main_page(root, document, version, date):
    body = [".SH SYNOPSIS", ".B parley", "\\fIcommand\\fR [\\fIoptions\\fR]"]
    body += [".SH DESCRIPTION"] + paragraphs(root["discussion"])
    body += [".SH COMMANDS"]
    for command in shown(root, "subcommands"):
        page_name = escaped(f"parley-{command['commandName']}")
        body += [".TP", f".BR {page_name} (1)", escaped(command["abstract"])]
    body += [".SH OPTIONS"] + options(root)
    body += [".SH ENVIRONMENT", ".TP", ".B PARLEY_DATA"]
    body += [escaped("The data directory of the node, in place of --data.")]
    body += [".SH FILES"]
    for path, text in (
        ("$XDG_STATE_HOME/parley, ~/.local/state/parley", "The data directory of a person's node."),
        ("/var/lib/parley", "The data directory of the relay that parley.service runs."),
    ):
        body += [".TP", f"\\fI{escaped(path)}\\fR", escaped(text)]
    body += [".SH EXIT STATUS"] + exit_codes(document)
    return page("parley", without_stop(root["abstract"]), version, date, body)


def main():
    version, date, document, folder = sys.argv[1:]
    root = json.load(sys.stdin)["command"]
    text = pathlib.Path(document).read_text(encoding="utf-8")
    pages = {"parley": main_page(root, text, version, date)}
    pages.update(
        command_page(command, version, date)
        for command in shown(root, "subcommands")
        if command["commandName"] != "help"
    )
    for name, content in pages.items():
        pathlib.Path(folder, f"{name}.1").write_text(content, encoding="utf-8")


main()
