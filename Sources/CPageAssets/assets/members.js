// The members of a conversation, and new keys for those who stay.

import { face, h, isolated } from "./elements.js";
import { changed, state } from "./model.js";
import { ask, at } from "./requests.js";

/// Whether this person can change the keys of a conversation.
export const mayChangeKeys = ({ role, open, absence }) =>
    role === "writer" && !open && !absence && !state.guest;

const plainName = ({ name, device }) => name ?? device.slice(0, 7);
const nameOf = (member) => isolated(plainName(member));
const namesOf = (members) => members.map(nameOf).join(", ");

/// The members that go; `dialog.device` is the one that the dialog was opened for, if any.
const whoGoes = ({ members, goes }) => members.filter(({ device }) => goes.has(device));

/// The member that the dialog was opened for, if nobody here can remove it.
export const whoStandsHigher = ({ members, device }) =>
    members?.find((member) => member.device === device && member.standsHigher);

/// Loads the members for the dialog.
export async function loadMembers(dialog) {
    const { participants } = state.conversations.find(({ name }) => name === dialog.conversation);
    const members = (await ask("GET", at(dialog.conversation, "/members"))).map((member) =>
        ({ ...participants.find(({ device }) => device === member.device), ...member }));
    dialog.members = members.sort((one, other) =>
        other.own - one.own || plainName(one).localeCompare(plainName(other)));
    const isThere = dialog.members.some(({ device }) => device === dialog.device);
    dialog.goes = new Set(isThere && !whoStandsHigher(dialog) ? [dialog.device] : []);
}

/// Changes the keys; returns what was done in a sentence.
export async function changeKeys(dialog) {
    const without = [...dialog.goes];
    const { goes } = await ask("POST", at(dialog.conversation, "/keys"), { without })
        .catch(async (problem) => {
            // Perhaps somebody else has changed the keys meanwhile.
            await loadMembers(dialog).catch(() => {});
            throw problem;
        });
    return goes.length
        ? `${namesOf(goes)} ${goes.length === 1 ? "is" : "are"} out.` : `${isolated(dialog.conversation)} has new keys.`;
}

/// The label of the dialog's button.
export function deedOf(dialog) {
    if (dialog.isBusy) return "Changing keys…";
    const goes = whoGoes(dialog);
    return goes.length ? `Remove ${goes.length === 1 ? nameOf(goes[0]) : goes.length}`
        : "Change keys";
}

/// Why a member stays that stands higher, and what helps.
export const higherView = (dialog, member) => h("p", { key: "higher" },
    h("b", { dir: "auto" }, nameOf(member)), " cannot be removed from here: who stands higher, "
        + "closer to whoever began ", h("b", { dir: "auto" }, dialog.conversation),
    `, can undo that at any time. To go on without ${nameOf(member)}, begin a new conversation.`);

/// The members, each with a box that says whether it stays.
export function membersView(dialog) {
    const goes = whoGoes(dialog);
    return [
        h("p", { key: "why" }, "Who stays gets new keys for ",
            h("b", { dir: "auto" }, dialog.conversation), ", now or when they are back. Who goes "
                + "keeps what was read before, and reads and writes nothing new."),
        h("fieldset", { key: "members", class: "devices" },
            h("legend", { key: "legend", class: "field-label" }, "Stays"),
            dialog.members.map((member, index) => memberView(dialog, member, `member-${index}`))),
        h("p", { key: "goes", role: "status" }, goes.length
            ? [h("b", { dir: "auto" }, namesOf(goes)), goes.length === 1 ? " goes." : " go."]
            : "Everybody listed stays."),
        h("p", { key: "ends", class: "meta" }, "All invites end. A device that is not listed here "
            + "needs a new one."),
    ];
}

function memberView(dialog, member, id) {
    const { device, role, own, standsHigher, invitedBy } = member;
    const { goes } = dialog;
    return h("label", { key: device, class: goes.has(device) ? "device is-out" : "device" },
        h("input", {
            key: "stays", type: "checkbox", "aria-label": plainName(member), "aria-describedby": id,
            disabled: own || standsHigher || dialog.isBusy, set: { checked: !goes.has(device) },
            on: {
                change: ({ target }) => {
                    if (target.checked) goes.delete(device);
                    else goes.add(device);
                    changed();
                },
            },
        }),
        face(member),
        h("span", { key: "text", class: "device-text" },
            h("b", { dir: "auto" }, nameOf(member), own && " (you)"),
            h("span", { class: "meta", id }, [
                role === "writer" ? null : `a ${role}`,
                invitedBy && `invited by ${isolated(invitedBy)}`,
                standsHigher && "stands higher, so always stays",
            ].filter(Boolean).join(", "))));
}

/// Why this device can write no more, and what helps; null for a member.
export function absenceText({ name, absence }) {
    if (!absence) return null;
    const whose = state.guest ? `${isolated(state.guest.host)}’s machine` : "this device";
    const by = isolated(absence.by ?? "somebody");
    if (!absence.thrownOut) {
        return `The keys of ${isolated(name)} were changed, and those for ${whose} have not come `
            + "yet. They come as soon as a member is found.";
    }
    return state.guest
        ? `${whose} is out of ${isolated(name)}: ${by} changed the keys without it. You can read `
            + "what came before."
        : `You are out of ${isolated(name)}: ${by} changed the keys without this device. You can `
            + "read what came before. To be back, ask a member for a new invite, leave the "
            + "conversation, and join again.";
}
