// A hint how a phone keeps the page on its home screen. Browsers offer that by themselves only over
// https and on the machine of the node.

import { h, iconButton } from "./elements.js";
import { changed } from "./model.js";

const SEEN = "home hint seen";
const isPhone = matchMedia("(pointer: coarse)");
const isOnHomeScreen = matchMedia("(display-mode: standalone)");

let isSeen = localStorage.getItem(SEEN) !== null;

function hide() {
    isSeen = true;
    // Where nothing can be kept, the hint comes again with the next visit.
    try {
        localStorage.setItem(SEEN, "yes");
    } catch {
        // There is nothing else to do.
    }
    changed();
}

/// Describes the hint; null where it does not help, or once a person has closed it.
export function homeHint() {
    if (isSeen || isSecureContext || !isPhone.matches) return null;
    if (isOnHomeScreen.matches || navigator.standalone) return null;
    const menu = /iPhone|iPad|Macintosh/.test(navigator.userAgent)
        ? "Share, and then “Add to Home Screen”" : "the menu ⋮, and then “Add to Home screen”";
    return h("p", { key: "home", class: "home-hint" },
        h("span", null, `Keep Parley at hand: tap ${menu}.`),
        iconButton("close", "Close the hint", hide));
}
