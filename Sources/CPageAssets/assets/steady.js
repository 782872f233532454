// A control that takes the place of another one does not get the click that was meant for that.

/// The time for which a control that the screen has put under the pointer takes no click.
const STEADY = 300;

/// Where the pointer is, the control there, and when the screen has put the control there.
const pointer = { x: 0, y: 0, control: null, since: -Infinity };

const controlOf = (target) => target?.closest?.(":is(.panel-body, .alerts) button") ?? null;

/// Looks which control is under the pointer after a screen was drawn.
export function screenDrawn() {
    const control = controlOf(document.elementFromPoint(pointer.x, pointer.y));
    if (control !== pointer.control) Object.assign(pointer, { control, since: performance.now() });
}

for (const [type, slip] of [["pointermove", 3], ["pointerdown", 24]]) {
    document.addEventListener(type, ({ clientX: x, clientY: y, target }) => {
        // A pointer that has moved on means the control at its new place.
        const isFar = Math.hypot(x - pointer.x, y - pointer.y) > slip;
        Object.assign(pointer, { x, y, control: controlOf(target) }, isFar && { since: -Infinity });
    }, true);
}

document.addEventListener("click", (event) => {
    // A click by a key has no point.
    if (!event.detail || performance.now() - pointer.since > STEADY) return;
    if (controlOf(event.target)) event.stopPropagation();
}, true);
