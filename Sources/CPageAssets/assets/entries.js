// The entries of a transcript, in the order of the node.

export const isMessage = (entry) => entry.kind === "message";

/// Gives edited texts, which keep their places, times that fit there in place of those of the edits.
export function inTime(entries) {
    for (let index = entries.length - 2; index >= 0; index -= 1) {
        const [entry, { sentAt }] = [entries[index], entries[index + 1]];
        if (entry.edited && entry.sentAt > sentAt) entries[index] = { ...entry, sentAt };
    }
    return entries;
}

/// An entry in the place of an earlier one, whose time an edited text keeps.
const keepingTime = (entry, { sentAt }) => entry.edited ? { ...entry, sentAt } : entry;

/// Puts an entry where it belongs; returns whether it is a message that was not there before. One
/// that was told `again` may be among those that are not loaded.
export function take({ entries }, entry, again) {
    const same = entries.findLastIndex((other) => other.id === entry.id);
    if (entry.kind === "summary" || same >= 0) {
        if (same >= 0) entries[same] = keepingTime(entry, entries[same]);
        return false;
    }
    const old = entries.findLastIndex((other) =>
        isMessage(other) && other.session === entry.session);
    if (entry.kind === "gone" && old >= 0) entries.splice(old, 1);
    if (entry.kind === "gone" || (old < 0 && again)) return false;
    if (old >= 0) {
        if (entries[old].revision > entry.revision) return false;
        if (entry.edited) {
            entries[old] = keepingTime(entry, entries[old]);
            return false;
        }
        // The summary of the replaced message takes its place when it comes. In a conflict there
        // is none: the other message is still one of the heads.
        if (entry.conflict) entries.splice(old, 1);
        else entries[old] = { kind: "gone", id: entries[old].id };
    }
    entries.push(entry);
    return true;
}

/// Gives the message that offers a file what is new of the file.
export function takeFile({ entries }, { session, state, done, rate, reason }) {
    const index = entries.findLastIndex((entry) => entry.session === session && entry.file);
    if (index < 0) return;
    const { [index]: entry } = entries;
    const file = { ...entry.file, state, done, rate, reason, here: state === "here" };
    entries[index] = { ...entry, file };
}
