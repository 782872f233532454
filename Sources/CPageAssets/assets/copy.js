// Copying the text of a message.

import { iconButton } from "./elements.js";
import { tell } from "./notes.js";

/// The button that copies the text of an entry.
export function copyButton({ content, layout }, bar) {
    const text = ["text", "app"].includes(content) && layout?.caption;
    return text && iconButton("copy", "Copy", async () => {
        tell(await isCopied(text) ? "Copied." : "This browser does not let Parley copy.");
        bar.close();
    }, { key: "copy" });
}

/// Copies a text; returns whether that was possible.
async function isCopied(text) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        // Over http there is only the old way: what is selected is copied.
        const before = document.activeElement;
        const area = document.createElement("textarea");
        Object.assign(area, { className: "unseen", value: text, readOnly: true });
        before.parentNode.append(area);
        area.select();
        const isDone = document.execCommand("copy");
        area.remove();
        before.focus({ preventScroll: true });
        return isDone;
    }
}
