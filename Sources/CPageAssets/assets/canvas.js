// The drawing area of an app, for mouse, touch, pen and keyboard.

import { h } from "./elements.js";

/// The width of a line if the app has chosen none.
const PEN_WIDTH = 3;
/// The color of the lines, which pictures of drawings have as well (`ParleyView.Drawing`).
const INK_COLOR = "#2b3a67";
const POINTS_MAX = 4_096;
const PEN_KEYS = "Arrow keys move the pen, Space puts it down and lifts it, Escape drops the line.";

/// Describes a drawing with its identity and label in `common`; if it is no place to draw, it is a
/// picture. Without `act` nobody can draw there now, but a finger moves nothing else either.
/// Strokes are drawn as fast as the display shows them, sent when the pen is lifted, and kept on
/// the area until the app has taken them over.
export function canvasView(node, common, isPlace, act) {
    return h("canvas", {
        ...common,
        class: `view-canvas${isPlace ? " can-draw" : ""}`,
        role: isPlace ? "application" : "img",
        tabindex: isPlace ? "0" : null,
        "aria-label": node.label ?? "Drawing",
        "aria-roledescription": isPlace ? "drawing area" : null,
        "aria-disabled": isPlace && !act ? "true" : null,
        title: isPlace && PEN_KEYS,
        opaque: true,
        style: { "--ratio": String(node.width / node.height) },
        made: (area) => {
            area.ink = { waiting: [], points: null, pen: null, left: 0 };
            new ResizeObserver(() => redraw(area)).observe(area);
        },
        shown: (area) => {
            area.ink.node = node;
            area.ink.act = act;
            if (!act) area.ink.points = null;
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
    if (!area.matches(".can-draw") || event.button !== 0 || !event.isPrimary) return;
    event.preventDefault();
    if (!area.ink.act) return;
    area.focus({ preventScroll: true });
    area.setPointerCapture(event.pointerId);
    area.ink.pen = null;
    putDown(area, pointOf(area, event));
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

/// Begins a line. The app may have said how much ink there is, of which the lines that it has not
/// taken over yet need some.
function putDown(area, point) {
    const { node, waiting } = area.ink;
    const used = waiting.reduce((sum, { points }) => sum + lengthOf(points), 0);
    area.ink.left = (node.ink ?? Infinity) - used;
    area.ink.points = area.ink.left > 0 ? [point] : null;
}

function lengthOf(points) {
    return points.slice(1).reduce((sum, [x, y], index) =>
        sum + Math.hypot(x - points[index][0], y - points[index][1]), 0);
}

/// Continues the line, up to where the ink ends.
function addPoint(area, [x, y]) {
    const { ink } = area;
    const [fromX, fromY] = ink.points.at(-1);
    const length = Math.hypot(x - fromX, y - fromY);
    if (!length || ink.left <= 0) return;
    const share = Math.min(1, ink.left / length);
    const point = within(area, [fromX + (x - fromX) * share, fromY + (y - fromY) * share]);
    ink.left -= length;
    ink.points.push(point);
    if (ink.points.length < POINTS_MAX) return;
    penLifted(area);
    putDown(area, point);
}

async function penLifted(area) {
    const { points, act, node } = area.ink;
    area.ink.points = null;
    if (!points || !act) return;
    const stroke = { points, width: node.penWidth ?? PEN_WIDTH };
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
        else putDown(area, ink.pen);
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
    context.strokeStyle = INK_COLOR;
    const now = points ? [{ points, width: node.penWidth ?? PEN_WIDTH }] : [];
    for (const stroke of [...(node.strokes ?? []), ...waiting, ...now]) drawStroke(context, stroke);
    if (pen && document.activeElement === area) drawPen(context, pen, Boolean(points));
}

/// Draws a curve that bends towards the points, through the middle between each two of them.
function drawStroke(context, { points, width }) {
    if (!points.length) return;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(...points[0]);
    for (let index = 1; index + 1 < points.length; index += 1) {
        const [[x, y], [nextX, nextY]] = [points[index], points[index + 1]];
        context.quadraticCurveTo(x, y, (x + nextX) / 2, (y + nextY) / 2);
    }
    context.lineTo(...points.at(-1));
    context.stroke();
}

function drawPen(context, [x, y], isDown) {
    context.lineWidth = 2;
    context.strokeStyle = context.fillStyle = "#b4232a";
    context.beginPath();
    context.arc(x, y, 7, 0, 2 * Math.PI);
    context[isDown ? "fill" : "stroke"]();
}
