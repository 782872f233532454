// The presence of a device in words, which are the same in every list.

import { isolated, timeText } from "./elements.js";
import { state } from "./model.js";

/// The dot and the words for each presence of a person and each state of a device nearby.
const PRESENCES = {
    connected: ["here", "here"],
    throughOthers: ["reachable", "reachable through others"],
    unresponsive: ["silent", "does not answer at the moment"],
    connecting: ["away", "connecting…"],
    discovered: ["away", "on this network"],
};

/// The presence of everybody while the page has no connection to the node.
const UNKNOWN = ["away", "not known at the moment"];

const isCurrent = () => state.connection === "connected";

const known = (device) => isCurrent()
    ? PRESENCES[device.presence ?? device.state] ?? ["away", "away"] : UNKNOWN;

/// The dot of a person or a device: here, reachable, silent or away.
export function presenceOf(device) {
    return device.mine ? "here" : known(device)[0];
}

/// Whether messages reach a person now.
export function isThere(person) {
    return ["here", "reachable"].includes(presenceOf(person));
}

/// The presence of a device in words; `written` is when its last message was written.
export function presenceText(device, written) {
    if (device.mine) return "this device";
    if (!isCurrent()) return known(device)[1];
    if (device.through) return `reachable through ${isolated(device.through)}`;
    if (device.seen) return `last seen ${timeText(device.seen)}`;
    if (device.presence === "away" && written) return `last wrote ${timeText(written)}`;
    return known(device)[1];
}
