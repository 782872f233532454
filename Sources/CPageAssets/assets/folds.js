// The lines that the earlier messages of a session have left, of which one stands for all.

import { h } from "./elements.js";
import { isMessage } from "./entries.js";
import { changed } from "./model.js";

/// The most lines of a session that stand one by one.
const LINES_MAX = 2;

/// The sessions whose lines somebody wants to see.
const unfolded = new Set();
/// Last lines with the number of those before them, by the lines themselves.
const folds = new WeakMap();

/// The entries with only the last line of each session that has many.
export function folded(entries) {
    const [counts, lasts] = [new Map(), new Map()];
    for (const entry of entries) {
        if (isMessage(entry)) continue;
        counts.set(entry.session, (counts.get(entry.session) ?? 0) + 1);
        lasts.set(entry.session, entry);
    }
    return entries.flatMap((entry) => {
        const { session } = entry;
        const count = counts.get(session);
        if (isMessage(entry) || count <= LINES_MAX || unfolded.has(session)) return [entry];
        return entry === lasts.get(session) ? [foldOf(entry, count - 1)] : [];
    });
}

/// The same object as long as the number is the same, so that it is described once.
function foldOf(entry, more) {
    if (folds.get(entry)?.more !== more) folds.set(entry, { ...entry, more });
    return folds.get(entry);
}

/// Describes a line, which shows those before it if it stands for them.
export const lineView = ({ id, line, more, session }) => more
    ? h("button", {
        key: `summary ${id}`, type: "button", class: "summary", dir: "auto",
        on: { click: () => changed(unfolded.add(session)) },
    }, `${line}, and ${more} more`)
    : h("p", { key: `summary ${id}`, class: "summary", dir: "auto" }, line);
