// The views of an app as elements of the page: every kind of view has the element that HTML has for
// it, with the author's label as its name.

import { h } from "./elements.js";

const TEXTS = { title: "h3", headline: "h4", body: "p", caption: "p" };

/// Describes a view and the views inside it. `act(node, kind, value)` carries out an action and
/// returns a promise of whether it was carried out; without it, the views only show something.
export function viewOf(node, act) {
    const make = KINDS[node.kind];
    return make ? make(node, act) : null;
}

const KINDS = {
    empty: () => null,
    text: (node) => {
        const style = node.style in TEXTS ? node.style : "body";
        return h(TEXTS[style], { ...common(node), class: `view-text text-${style}` }, node.text);
    },
    image: (node) => picture(node, "view-image"),
    button,
    textField,
    canvas,
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
        key: node.id, class: name, src: node.src, alt: node.label ?? "", width: node.width,
        height: node.height, draggable: "false", decoding: "async",
    });
}

function button(node, act) {
    const inside = (node.children ?? []).map((child) => viewOf(child));
    const isShort = !inside.length && [...(node.text ?? "")].length <= 2;
    return h("button", {
        ...common(node),
        type: "button",
        class: `view-button${isShort ? " is-short" : ""}`,
        "aria-label": node.label ?? (inside.length ? node.text : null),
        // A disabled button would lose the focus, which is then nowhere.
        "aria-disabled": node.enabled === false ? "true" : null,
        on: { click: () => node.enabled !== false && telling.then(() => act?.(node, "press")) },
    }, inside, node.text && h("span", { class: "view-title" }, node.text));
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
    // What the app says is an answer to an older text as long as the person goes on typing.
    if (state.isTelling || input.value !== state.told) return;
    state.told = text;
    if (input.value !== text) input.value = text;
}

/// The telling of what was typed; a press waits for it, as it is about the whole text.
let telling = Promise.resolve();

/// Tells the app what is typed, one edit at a time and always the latest text.
async function tellEdits(input, node, act) {
    const state = input.fieldState;
    if (state.isTelling) return;
    state.isTelling = true;
    while (input.value !== state.told && !state.isSubmitting) {
        const text = input.value;
        const isDone = await act(node, "edit", text);
        state.told = text;
        if (!isDone) break;
    }
    state.isTelling = false;
    if (input.value === state.told) appHasSaid(input, state.known);
}

async function submit(input, node, act) {
    const [state, text] = [input.fieldState, input.value];
    state.isSubmitting = true;
    const isDone = await act(node, "submit", text);
    state.isSubmitting = false;
    // The field shows again what the app says, unless somebody has typed on meanwhile.
    if (isDone && input.value === text) state.told = input.value = state.known;
}

const PEN_WIDTH = 3;
const POINTS_MAX = 4_096;
const PEN_KEYS = "Arrow keys move the pen, Space puts it down and lifts it, Escape drops the line.";

/// A drawing. Strokes are drawn as fast as the display shows them, sent when the pen is lifted, and
/// kept on the area until the app has taken them over.
function canvas(node, act) {
    const canDraw = takes(node, "draw") && node.enabled !== false;
    return h("canvas", {
        ...common(node),
        class: `view-canvas${canDraw ? " can-draw" : ""}`,
        role: canDraw ? "application" : "img",
        tabindex: canDraw ? "0" : null,
        "aria-label": node.label ?? "Drawing",
        "aria-roledescription": canDraw ? "drawing area" : null,
        title: canDraw && PEN_KEYS,
        opaque: true,
        style: { "--ratio": String(node.width / node.height) },
        made: (area) => {
            area.ink = { waiting: [], points: null, pen: null };
            new ResizeObserver(() => redraw(area)).observe(area);
        },
        shown: (area) => {
            area.ink.node = node;
            area.ink.act = canDraw ? act : null;
            if (!canDraw) area.ink.points = null;
            redraw(area);
        },
        on: {
            pointerdown: pointerDown,
            pointermove: pointerMoved,
            pointerup: (event) => penLifted(event.currentTarget),
            pointercancel: (event) => penLifted(event.currentTarget),
            keydown: penKey,
            blur: (event) => penLifted(event.currentTarget),
        },
    });
}

function pointOf(area, event) {
    const box = area.getBoundingClientRect();
    const { width, height } = area.ink.node;
    return within(area, [((event.clientX - box.left) / box.width) * width,
        ((event.clientY - box.top) / box.height) * height]);
}

function within(area, [x, y]) {
    const { width, height } = area.ink.node;
    const round = (value, top) => Math.round(Math.min(Math.max(value, 0), top) * 10) / 10;
    return [round(x, width), round(y, height)];
}

function pointerDown(event) {
    const area = event.currentTarget;
    if (!area.ink.act || event.button !== 0 || !event.isPrimary) return;
    event.preventDefault();
    area.focus({ preventScroll: true });
    area.setPointerCapture(event.pointerId);
    area.ink.pen = null;
    area.ink.points = [pointOf(area, event)];
    redraw(area);
}

function pointerMoved(event) {
    const area = event.currentTarget;
    if (!area.ink.points || !event.isPrimary || area.ink.pen) return;
    // The points between two frames as well, as a pen reports more of them than a display shows.
    const events = event.getCoalescedEvents?.() ?? [];
    for (const each of [...events, event]) addPoint(area, pointOf(area, each));
    redraw(area);
}

function addPoint(area, point) {
    const { points } = area.ink;
    if (String(points.at(-1)) === String(point)) return;
    points.push(point);
    if (points.length < POINTS_MAX) return;
    penLifted(area);
    area.ink.points = [point];
}

async function penLifted(area) {
    const { points, act, node } = area.ink;
    area.ink.points = null;
    if (!points || !act) return;
    const stroke = { points, width: PEN_WIDTH };
    area.ink.waiting.push(stroke);
    redraw(area);
    // After the answer the app's own drawing has the stroke, or the app did not want it.
    await act(node, "draw", stroke);
    area.ink.waiting = area.ink.waiting.filter((other) => other !== stroke);
    redraw(area);
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function penKey(event) {
    const area = event.currentTarget;
    const { ink } = area;
    if (!ink.act) return;
    const { width, height } = ink.node;
    if (event.key in ARROWS) {
        const step = (Math.max(width, height) / 100) * (event.shiftKey ? 10 : 2);
        const [x, y] = ink.pen ?? [width / 2, height / 2];
        const [dx, dy] = ARROWS[event.key];
        ink.pen = within(area, [x + dx * step, y + dy * step]);
        if (ink.points) addPoint(area, ink.pen);
    } else if (event.key === " " || event.key === "Enter") {
        ink.pen ??= within(area, [width / 2, height / 2]);
        if (ink.points) penLifted(area);
        else ink.points = [ink.pen];
    } else if (event.key === "Escape" && ink.points) {
        ink.points = null;
        event.stopPropagation();
    } else {
        return;
    }
    event.preventDefault();
    redraw(area);
}

/// Draws everything again with the next frame.
function redraw(area) {
    if (!area.ink.isDue) requestAnimationFrame(() => redrawNow(area));
    area.ink.isDue = true;
}

function redrawNow(area) {
    const { node, waiting, points, pen } = area.ink;
    area.ink.isDue = false;
    const box = area.getBoundingClientRect();
    const ratio = window.devicePixelRatio || 1;
    const [wide, high] = [Math.round(box.width * ratio), Math.round(box.height * ratio)];
    if (!node || !wide || !high) return;
    if (area.width !== wide || area.height !== high) [area.width, area.height] = [wide, high];
    const context = area.getContext("2d");
    context.setTransform(wide / node.width, 0, 0, high / node.height, 0, 0);
    context.clearRect(0, 0, node.width, node.height);
    context.lineCap = context.lineJoin = "round";
    context.strokeStyle = "#1b1d1f";
    const now = points ? [{ points, width: PEN_WIDTH }] : [];
    for (const stroke of [...(node.strokes ?? []), ...waiting, ...now]) drawStroke(context, stroke);
    if (pen && document.activeElement === area) drawPen(context, pen, Boolean(points));
}

function drawStroke(context, { points, width }) {
    if (!points.length) return;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(...points[0]);
    for (const point of points) context.lineTo(...point);
    context.stroke();
}

function drawPen(context, [x, y], isDown) {
    context.lineWidth = 2;
    context.strokeStyle = context.fillStyle = "#b4232a";
    context.beginPath();
    context.arc(x, y, 7, 0, 2 * Math.PI);
    context[isDown ? "fill" : "stroke"]();
}
