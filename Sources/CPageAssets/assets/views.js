// The views of an app as elements of the page: every kind of view has the element that HTML has for
// it, with the author's label as its name.

import { canvasView } from "./canvas.js";
import { countdownView } from "./countdown.js";
import { h } from "./elements.js";
import { proved } from "./proof.js";

/// The width from which a picture scales with the window.
const LARGE = 200;
const TEXTS = { title: "h3", headline: "h3", body: "p", caption: "p" };

/// Describes a view and the views inside it. `act(node, kind, value)` carries out an action and
/// returns a promise of whether it was carried out; without it, the views only show something.
export function viewOf(node, act) {
    const make = KINDS[node.kind];
    return make ? make(node, act) : null;
}

const KINDS = {
    empty: () => null,
    text: (node) => {
        if (node.until) return countdownView(node, common(node));
        const style = node.style in TEXTS ? node.style : "body";
        return h(TEXTS[style], { ...common(node), class: `view-text text-${style}` }, node.text);
    },
    image: (node) => picture(node, node.width >= LARGE ? "view-image is-large" : "view-image"),
    button,
    textField,
    canvas: (node, act) => {
        const isPlace = Boolean(act) && takes(node, "draw");
        return canvasView(node, common(node), isPlace,
            isPlace && node.enabled !== false ? act : null);
    },
    sticker: (node, act) => takes(node, "press")
        ? h("button", {
            ...common(node), type: "button", class: "view-sticker", disabled: !node.enabled,
            "aria-label": node.label ?? node.text, on: { click: () => act?.(node, "press") },
        }, picture({ ...node, label: "" }, "sticker-image"))
        : picture({ label: node.text, ...node }, "sticker-image"),
    spacer: (node) => h("div", { key: node.id, class: "view-spacer", "aria-hidden": "true" }),
    list: (node, act) => h("ul", { ...common(node), class: "view-list" },
        (node.children ?? []).map((child) => h("li", { key: child.id }, viewOf(child, act)))),
    grid: (node, act) => box(node, act, "view-grid", { "--columns": String(node.columns ?? 1) }),
    row: (node, act) => box(node, act, "view-row"),
    column: (node, act) => box(node, act, "view-column"),
    layers: (node, act) => box(node, act, "view-layers"),
    controller: (node, act) => box(node, act, "view-controller"),
};

const takes = (node, kind) => (node.takes ?? []).includes(kind);

/// The identity and the author's label. The data attribute is for tests and style sheets.
function common(node) {
    return { key: node.id, "data-node": node.id, "aria-label": node.label };
}

function box(node, act, name, style) {
    return h("div", { ...common(node), class: name, role: node.label ? "group" : null, style },
        (node.children ?? []).map((child) => viewOf(child, act)));
}

function picture(node, name) {
    return h("img", {
        key: node.id, class: name, src: proved(node.src), alt: node.label ?? "", width: node.width,
        height: node.height, draggable: "false", decoding: "async",
        style: { "--ratio": String(node.width / node.height || 1) },
    });
}

function button(node, act) {
    const inside = (node.children ?? []).map((child) => viewOf(child));
    const isShort = !inside.length && [...(node.text ?? "")].length <= 2;
    return h("button", {
        ...common(node),
        type: "button",
        class: ["view-button", isShort && "is-short", node.prominent && "primary",
            node.tint && `tint-${node.tint}`].filter(Boolean).join(" "),
        "aria-label": node.label ?? (inside.length ? node.text : null),
        // A disabled button would lose the focus, which is then nowhere.
        "aria-disabled": node.enabled === false ? "true" : null,
        on: {
            pointerdown: pressedBeside,
            click: ({ currentTarget }) => node.enabled !== false
                && telling.then(() => act?.(node, "press")).then(() => backToField(currentTarget)),
        },
    }, inside, node.text && h("span", { class: "view-title" }, node.text));
}

/// The field beside a button in which somebody wrote when the button was pressed, or null.
let written = null;

function pressedBeside({ currentTarget }) {
    const { activeElement: field } = document;
    const isBeside = field.matches(".view-field") && field.parentNode === currentTarget.parentNode;
    written = isBeside ? field : null;
}

/// After a press, people write on in that field; a keyboard on the screen would hide what they look
/// at.
function backToField(button) {
    const field = written;
    written = null;
    if (document.activeElement !== button || matchMedia("(pointer: coarse)").matches) return;
    field?.focus({ preventScroll: true });
}

/// A field whose text belongs to the person while it is being typed: the app's text is taken over
/// when no edit is under way and the app has changed it.
function textField(node, act) {
    return h("input", {
        ...common(node),
        type: "text",
        class: "view-field",
        "aria-label": node.label ?? node.placeholder,
        placeholder: node.placeholder,
        maxlength: "10000",
        readonly: node.enabled === false,
        autocomplete: "off",
        made: (input) => {
            input.value = node.text ?? "";
            input.fieldState = { told: input.value, known: input.value, isTelling: false };
        },
        shown: (input) => appHasSaid(input, node.text ?? ""),
        on: {
            input: ({ target }) => takes(node, "edit")
                && (telling = Promise.all([telling, tellEdits(target, node, act)]).then(Boolean)),
            keydown: (event) => {
                if (event.key !== "Enter" || event.isComposing || !takes(node, "submit")) return;
                event.preventDefault();
                submit(event.target, node, act);
            },
        },
    });
}

function appHasSaid(input, text) {
    const state = input.fieldState;
    if (text === state.known) return;
    state.known = text;
    // The app's text is an answer to an older text as long as the person goes on typing.
    if (state.isTelling || input.value !== state.told) return;
    state.told = text;
    if (input.value !== text) input.value = text;
}

/// The telling of what was typed. Presses and submits wait for it, as they are about the whole text.
let telling = Promise.resolve();

/// Tells the app what is typed, one edit at a time and always the latest text.
async function tellEdits(input, node, act) {
    const state = input.fieldState;
    if (state.isTelling) return;
    state.isTelling = true;
    while (input.value !== state.told && state.submitted === undefined) {
        const text = input.value;
        const isDone = await act(node, "edit", text);
        state.told = text;
        if (!isDone) break;
    }
    state.isTelling = false;
}

function submit(input, node, act) {
    const [state, text] = [input.fieldState, input.value];
    if (state.submitted === text) return;
    state.submitted = text;
    // An edit that came after it would bring the text back.
    telling = telling.then(async () => {
        const isDone = await act(node, "submit", text);
        if (state.submitted === text) state.submitted = undefined;
        // The field shows again what the app says, unless somebody has typed on meanwhile.
        if (isDone && input.value === text) state.told = input.value = state.known;
        await tellEdits(input, node, act);
    });
}
