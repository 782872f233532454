#!/usr/bin/env python3
"""Asks a Prometheus all queries of the dashboard and of the alert rules.

usage: watching.py URL      ends with 1 if one of them is empty or no query

An alert that is not wanted has no rows, so of a comparison the left side is asked.
"""

import json
import re
import sys
import time
import urllib.parse
import urllib.request


def ask(url, path, **words):
    address = f"{url}/api/v1/{path}?{urllib.parse.urlencode(words)}"
    with urllib.request.urlopen(address, timeout=10) as answer:
        return json.load(answer)["data"]


def queries(url):
    with open("Deploy/grafana/parley.json", encoding="utf-8") as file:
        dashboard = json.load(file)
    for panel in dashboard["panels"]:
        for target in panel.get("targets", []):
            query = target["expr"].replace("$instance", ".*")
            yield panel["title"], query.replace("$__rate_interval", "1m")
    for rule in ask(url, "rules")["groups"][0]["rules"]:
        for part in re.split(r"\band\b", rule["query"]):
            yield rule["name"], re.sub(r"\s(==|<|>)\s[0-9.]+\s*$", "", part.strip())


def rows(url, query):
    found = ask(url, "query", query=query)["result"]
    return [row for row in found if row["value"][1] != "NaN"]


def main():
    url = sys.argv[1]
    wanted = dict.fromkeys(queries(url))
    end = time.monotonic() + 60
    empty = list(wanted)
    # Rates need two readings.
    while empty and time.monotonic() < end:
        empty = [(name, query) for name, query in empty if not rows(url, query)]
        if empty:
            time.sleep(0.5)
    for name, query in empty:
        print(f"no rows: {name}: {query}", file=sys.stderr)
    firing = [alert["labels"]["alertname"] for alert in ask(url, "alerts")["alerts"]
              if alert["state"] == "firing"]
    if firing:
        print(f"alerts of nodes that are well: {firing}", file=sys.stderr)
    print(f"{len(wanted) - len(empty)} of {len(wanted)} queries have rows")
    return 1 if empty or firing else 0


sys.exit(main())
