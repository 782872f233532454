#!/usr/bin/env python3
"""Writes the newest section of CHANGELOG.md as an entry of debian/changelog.

usage: debian-changelog.py CHANGELOG.md VERSION "NAME <ADDRESS>" SECONDS-SINCE-1970
"""

import email.utils
import pathlib
import re
import sys
import textwrap


def plain(markdown):
    text = re.sub(r"\s*\(\[[^]]*\]\([^)]*\)\)", "", markdown)
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"\s+", " ", text.replace("**", "").replace("`", "")).strip()


def changes(document):
    """The lines of the entry: a heading for each group of people, and an item for each change."""
    section = document.split("\n## ", 2)[1].split("\n", 1)[1]
    for block in re.split(r"\n(?=- |\n)", section):
        block = block.strip()
        if block.startswith("- "):
            yield from textwrap.wrap(
                plain(block[2:]), 78, initial_indent="  * ", subsequent_indent="    ",
                break_long_words=False,
            )
        elif block:
            yield f"  [ {plain(block).rstrip(':')} ]"


def main():
    path, version, maintainer, seconds = sys.argv[1:]
    document = pathlib.Path(path).read_text(encoding="utf-8")
    print(f"parley ({version}) unstable; urgency=medium\n")
    print("\n".join(changes(document)))
    print(f"\n -- {maintainer}  {email.utils.formatdate(int(seconds))}")


main()
