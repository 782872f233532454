#!/usr/bin/env python3
"""Writes manual pages from the definitions of the commands and of the configuration.

usage: man-pages.py VERSION DATE COMMANDS KEYS FOLDER

COMMANDS is what parley --experimental-dump-help prints, and KEYS what parley config show --json
does. parley(1) lists the commands; each command has a page of its own, with its subcommands in it;
parley.yaml(5) has the keys. Sections of docs/man/NAME.md stand at the end of the page of that name.
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


def page(name, number, abstract, before, after):
    """Writes a page, with the sections that docs/man has for it."""
    title = f'.TH {escaped(name).upper()} {number} "{DATE}" "Parley {VERSION}" "Parley"'
    lines = [title, ".nh", ".ad l", ".SH NAME", f"{escaped(name)} \\- {escaped(abstract)}"]
    lines += before + sections(name) + after
    path = pathlib.Path(FOLDER, f"man{number}", f"{name}.{number}")
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return name


def without_stop(text):
    text = text.rstrip(".")
    return text[:1].lower() + text[1:]


def command_page(command):
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
    abstract = without_stop(command["abstract"])
    return page(f"parley-{command['commandName']}", 1, abstract, body, [".SH SEE ALSO", ".BR parley (1)"])


def plain(markdown):
    """Text of a line as roff, without links, and with code and what is strong in bold."""
    markdown = re.sub(r"\s*\(\[\d{4}\]\([^)]*\)\)", "", markdown)
    markdown = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", markdown)
    parts = re.split(r"(`[^`]*`|\*\*[^*]*\*\*|\*[^*]*\*)", markdown)
    return "".join(
        f"\\f{'I' if part[1] != '*' and part[0] == '*' else 'B'}{escaped(part.strip('`*'))}\\fR"
        if part[:1] in ("`", "*") and len(part) > 1 else escaped(part)
        for part in parts
    )


def entries(rows):
    """A table as a list: the first column is what it explains, and later ones have their names."""
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    lines = []
    for first, *others in cells[2:]:
        texts = [
            f"{name[:1].upper()}{name[1:]}: {cell}" if index else cell[:1].upper() + cell[1:]
            for index, (name, cell) in enumerate(zip(cells[0][1:], others))
            if cell
        ]
        lines += [".TP", plain(f"**{first.replace('`', '')}**"), plain(". ".join(texts)) + "."]
    return lines


def sections(name):
    """What docs/man has for a page: headings, paragraphs, tables, lists and commands."""
    source = SOURCES / f"{name}.md"
    if not source.exists():
        return []
    text = source.read_text(encoding="utf-8").split("\n## ", 1)[1]
    lines = []
    for block in re.split(r"\n\s*\n", "## " + text.strip()):
        rows = block.split("\n")
        if block.startswith("## "):
            lines += [".SH " + escaped(block[3:]).upper()]
        elif block.startswith("|"):
            lines += entries(rows)
        elif block.startswith("- "):
            for item in re.split(r"\n(?=- )", block):
                lines += [".IP \\(bu 2", plain(" ".join(item[2:].split()))]
        elif block.startswith("```"):
            lines += [".PP", ".RS 4", ".nf"] + [escaped(row) for row in rows[1:-1]] + [".fi", ".RE"]
        else:
            lines += [".PP", plain(" ".join(rows))]
    return lines


def main_page(root):
    body = [".SH SYNOPSIS", ".B parley", "\\fIcommand\\fR [\\fIoptions\\fR]"]
    body += [".SH DESCRIPTION"] + paragraphs(root["discussion"])
    body += [".SH COMMANDS"]
    for command in shown(root, "subcommands"):
        page_name = escaped(f"parley-{command['commandName']}")
        body += [".TP", f".BR {page_name} (1)", escaped(command["abstract"])]
    body += [".SH OPTIONS"] + options(root)
    see_also = [".SH SEE ALSO", ".BR parley.yaml (5)"]
    return page("parley", 1, without_stop(root["abstract"]), body, see_also)


def configuration_page(keys):
    body = [".SH KEYS"]
    for key in keys:
        name, variable = (f"\\fB{escaped(key[part])}\\fR" for part in ("key", "variable"))
        default = f" The default is {key['value']}." if "value" in key else ""
        body += [".TP", f"{name} ({variable})", escaped(key["meaning"] + default)]
    body += [".SH SEE ALSO", ".BR parley\\-config (1),", ".BR parley\\-node (1)"]
    return page("parley.yaml", 5, "the configuration of a node", [], body)


def main():
    root = json.loads(pathlib.Path(COMMANDS).read_text(encoding="utf-8"))["command"]
    keys = json.loads(pathlib.Path(KEYS).read_text(encoding="utf-8"))
    made = {main_page(root), configuration_page(keys)}
    made.update(
        command_page(command)
        for command in shown(root, "subcommands")
        if command["commandName"] != "help"
    )
    for source in SOURCES.iterdir():
        if source.stem not in made:
            sys.exit(f"man-pages.py: there is no page for {source}")


SOURCES = pathlib.Path(__file__).parent.parent / "docs" / "man"
if len(sys.argv) != 6:
    sys.exit(__doc__)
VERSION, DATE, COMMANDS, KEYS, FOLDER = sys.argv[1:]
main()
