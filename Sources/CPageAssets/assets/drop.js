// Files that are dropped onto a conversation, and pictures that are pasted into it.

import { attach } from "./composer.js";
import { draftOf } from "./drafts.js";
import { h, plain } from "./elements.js";
import { changed, state } from "./model.js";

/// The time after which files that are not moved any more have left the window.
const LEFT_AFTER = 600;

let isOver = false;
let timer = null;

/// The frame over a conversation while files are above it.
export const dropView = () =>
    isOver && h("p", { key: "drop", class: "drop-frame", "aria-hidden": "true" }, "Drop to send");

function setOver(value) {
    clearTimeout(timer);
    if (value) timer = setTimeout(setOver, LEFT_AFTER, false);
    if (value === isOver) return;
    isOver = value;
    changed();
}

const hasFiles = ({ dataTransfer }) => dataTransfer?.types.includes("Files");

/// Whether something can be sent in the conversation that is open.
const canSend = () =>
    document.querySelector("form.composer") && !document.querySelector("dialog[open]");

/// Whether what is dropped on an element is for the conversation that is open.
const isPlace = (element) => Boolean(canSend() && element.closest?.(".main"));

function over(event) {
    if (!hasFiles(event)) return;
    // Without this the browser opens the file in place of the page.
    event.preventDefault();
    const isHere = isPlace(event.target);
    event.dataTransfer.dropEffect = isHere ? "copy" : "none";
    setOver(isHere);
}

function dropped(event) {
    if (!hasFiles(event)) return;
    event.preventDefault();
    setOver(false);
    if (!isPlace(event.target)) return;
    const items = [...event.dataTransfer.items].filter(({ kind }) => kind === "file");
    const isFolder = items.map((item) => item.webkitGetAsEntry?.()?.isDirectory);
    take([...event.dataTransfer.files], isFolder);
}

async function take(files, isFolder) {
    const { current } = state;
    await attach(current, files.filter((_, index) => !isFolder[index]));
    const folder = files.find((_, index) => isFolder[index]);
    if (!folder) return;
    draftOf(current).problem = `${plain(folder.name)} is a folder: only files can be sent.`;
    changed();
}

/// A picture goes to the conversation wherever the focus is, but in a field of something else.
function pasted({ target, clipboardData }) {
    if (!canSend() || target.matches?.("input") || !clipboardData?.files.length) return;
    attach(state.current, [...clipboardData.files]);
}

document.addEventListener("dragenter", over);
document.addEventListener("dragover", over);
document.addEventListener("dragleave", ({ relatedTarget }) => relatedTarget || setOver(false));
document.addEventListener("drop", dropped);
document.addEventListener("paste", pasted);
