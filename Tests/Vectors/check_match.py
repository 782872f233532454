#!/usr/bin/env python3
"""Checks match.json with other code than Parley's: the rules of docs/protocol.md, section Turn games.

Exits with 0 and one line if every message has its verdict.
"""
import items
from items import same

STATE = ("phase", "size", "seats", "turn", "clock", "outcomes", "claim", "rematch", "mayUndo", "url", "roll", "deck", "parts", "settled")


class Message:
    def __init__(self, step, known, number, second):
        self.step, self.name, self.by = step, step["message"], step["by"]
        self.number, self.second, self.is_late = number, second, step.get("late", False)
        names = step.get("knows", [one.name for one in known])
        chosen = [one for one in known if one.name in names]
        self.context = {one.by: max(other.number for other in chosen if other.by == one.by) for one in chosen}
        self.context[self.by] = number
        self.revision = step.get("revision", 1 + max([one.revision for one in chosen], default=0))
        self.order = (self.revision, step.get("order", 0), number)
        self.seats, self.turn = step.get("seats", []), step.get("turn", [])
        self.overruled = step.get("overruled", [])
        self.follows = step.get("base")
        self.known = names

    def has(self, other):
        return other is not self and self.context.get(other.by, 0) >= other.number

    def same_state(self, other):
        return all(self.step.get(key) == other.step.get(key) for key in STATE)


class Node:
    def __init__(self, row):
        self.before_game = row.get("seatsBefore")
        self.legal = self.before = self.offerer = None
        self.broken = []  # (message, base or None)
        self.messages, self.added = [], {"seat": [], "quit": []}
        self.steps = row["steps"]
        self.offers, self.answers = {}, {}  # by author; by (author, author of the offer): None if taken back

    def base(self, message):
        named = message.follows
        if self.legal is None:
            return "first" if named is None and message.revision == 1 else None
        knows_legal = message.has(self.legal)
        if knows_legal and message.revision <= self.legal.revision:
            return "takenBack"
        if named == self.legal.name:
            return self.legal if knows_legal else None
        if any(one.name == named for one, _ in self.broken):
            return "builtOnFault"
        before = self.before.name if self.before else None
        if knows_legal and named in (None, before) and self.legal.name not in message.overruled:
            hides = (one.by != message.by and message.has(one) and one.has(self.legal) for one, _ in self.broken)
            return None if any(hides) else "takenBack"
        return self.before if named and named == before and message.has(self.before) else None

    def upon(self, base, message):
        return [one for one, its_base in self.broken if its_base is base and message.has(one)]

    def verdict(self, message, second):
        """The verdict, and whether others must not go on without the message."""
        found = self.verdict_by_what_is_here(message, second)
        left_out = message.step.get("leftOut", [])
        if found[0] in ("legal", "notChecked") or not left_out:
            return found
        before, others = self.added, [one for one in left_out if one != message.by]
        self.added = {"seat": before["seat"] + left_out, "quit": before["quit"] + others}
        found = self.verdict_by_what_is_here(message, second)
        self.added = before
        return ("notChecked", False) if found[0] == "legal" else found

    def verdict_by_what_is_here(self, message, second):
        if "phase" not in message.step:
            may_end = message.step.get("end") and message.by == self.offerer
            return ("legal" if may_end and self.legal.step["phase"] == 0 else "noGame"), True
        return alone(message, self.may_begin(message)) or self.beside(message, second)

    def may_begin(self, message):
        if message.step["phase"] != 1 or self.offerer not in (None, message.by):
            return False
        base = self.base(message)
        return base is None or isinstance(base, Message) and (
            base.step["phase"] == 0 or base.name in message.overruled
        )

    def beside(self, message, second):
        base = self.base(message)
        if base is None:
            return "notChecked", False
        if base in ("takenBack", "builtOnFault"):
            return base, True
        if base == "first":
            if carries(message, []):
                return ("exchangeOpen" if "settled" in message.step else self.first(message)), True
            return "partChanged", True
        overruled = []
        for known in (self.legal, self.before):
            if known and known.name in message.overruled:
                overruled.append(known)
        if overruled:
            is_sure = any(known.is_firm for known in overruled)
            return ("overruledLegal", True) if is_sure else ("notChecked", False)
        last = max(self.upon(base, message), key=lambda one: one.order, default=None)
        if last and last.name not in message.overruled:
            return "builtOnFault", True
        verdict, is_firm = self.after(message, base, second)
        app = message.step.get("app")
        if verdict in ("legal", "notChecked"):
            if "undone" not in message.step and not carries(message, base.step.get("parts", [])):
                return "partChanged", True
            settles = "undone" in message.step or self.settles(message, base)
            if settles is False:
                return "exchangeOpen", True
            if app == "against":
                return "appRule", True
            if settles is None:
                return "notChecked", False
        return verdict, is_firm and app != "unknown"

    def made(self, offer):
        """Who makes the offer and when, here or later."""
        steps = [(step["by"], number) for number, step in enumerate(self.steps) if step.get("adds") == "offer"
                 and step["offer"] == offer]
        return steps[0] if steps else (None, 0)

    def settles(self, message, base):
        """Whether the exchanges are answered; None if that cannot be told any more."""
        new, old = message.step.get("settled", []), base.step.get("settled", [])
        for offer in old:
            author, number = self.made(offer)
            if not any(self.made(other)[0] == author and self.made(other)[1] >= number for other in new):
                return False
        found = [self.is_settled(offer, message) for offer in new if offer not in old]
        return False if False in found else None if None in found else True

    def is_settled(self, offer, message):
        seats, left_out = message.seats, message.step.get("leftOut", [])
        author, number = self.made(offer)
        if author not in seats:
            return False
        standing = self.offers.get(author)
        if standing != offer:
            is_earlier = standing is not None and self.made(standing)[1] < number
            may_be = author in self.offers or author in left_out
            return None if may_be and not is_earlier else False
        asked = next(step["asks"] for step in self.steps if step.get("adds") == "offer" and step["offer"] == offer)
        if not set(asked) <= set(seats):
            return False
        missing = [one for one in asked if one not in self.added["quit"] and self.answers.get((one, author)) != offer]
        if not missing:
            return True
        return None if all((one, author) in self.answers or one in left_out for one in missing) else False

    def add(self, step):
        kind, by = step["adds"], step["by"]
        if kind in self.added:
            self.added[kind].append(by)
        elif kind == "answer" or "asks" not in step:
            self.answers[by, self.made(step["offer"])[0]] = step["offer"] if kind == "answer" else None
        else:
            self.offers[by] = step["offer"] if kind == "offer" else None

    def first(self, message):
        if "claim" in message.step:
            return "claimOfAnother"
        if "undone" in message.step:
            return "undoOfAnother"
        return ["legal", self.seating(message, message.by), "phaseSkipped"][message.step["phase"]]

    def after(self, message, base, second):
        then, now = base.step["phase"], message.step["phase"]
        if then == 2:
            return "isOver", True
        if now < then:
            return "phaseFell", True
        if then == 0 and now == 2:
            return "phaseSkipped", True
        if then == 0 and self.offerer is None and (now == 0 or not message.step.keys() & {"claim", "undone"}):
            return "notChecked", False
        if now == 0:
            return ("legal" if message.by == self.offerer else "notOfferer"), True
        if then == 0:
            return self.start(message, base, second)
        if (message.seats, message.step["size"]) != (base.seats, base.step["size"]):
            return "seatsChanged", True
        if "undone" in message.step:
            return self.undo(message, base)
        verdict = self.turn(message, base, second)
        if verdict[0] in ("legal", "notChecked"):
            deck, roll = self.deck(message, base), self.roll(message, base)
            fault = roll or deck if deck in (None, "notChecked") else deck
            if fault:
                return fault, fault != "notChecked"
        return verdict

    def turn(self, message, base, second):
        if "claim" in message.step:
            if message.step["claim"][0] != base.name:
                return "claimOfAnother", True
            if "clock" not in base.step:
                return "noClock", True
            return timed(message, base, base.step["clock"], second, "claimedTooEarly")
        turn = [base.seats[seat] for seat in base.turn]
        may = message.by in turn or all(one in self.added["quit"] for one in turn)
        return ("legal" if may else "outOfTurn"), True

    def roll(self, message, base):
        """What is wrong with the roll; None if nothing is."""
        old, new, has_claim = base.step.get("roll"), message.step.get("roll"), "claim" in message.step
        has_quit = [seat for seat, one in enumerate(message.seats) if one in self.added["quit"]]
        answers = {None: None, "unknown": "notChecked"}.get(message.step.get("answers"), "rollUnanswered")
        if not old:
            if not new:
                return None
            if new[1] != 2 or new[0] == "shown":
                return "rollChanged"
            left = set(range(len(message.seats))) - set(has_quit)
            return None if left <= set(new[2]) and gives(message, new) else "rollSeats"
        if not new:
            return "rollChanged"
        if new[1] == old[1]:
            if new[2:] != old[2:] or (old[0], new[0]) not in [(old[0], old[0]), ("hidden", "shown")]:
                return "rollChanged"
            return None if has_claim or message.step["phase"] == 2 else answers
        if new[1] != old[1] + 1 or new[0] == "shown":
            return "rollChanged"
        out = set(old[2]) - set(new[2])
        if not set(new[2]) <= set(old[2]) or not gives(message, new):
            return "rollSeats"
        if has_claim:
            return None
        if old[0] == "hidden":
            return None if out and out <= set(has_quit) else "rollChanged"
        return answers

    def deck(self, message, base):
        """What is wrong with the deck; None if nothing is."""
        old, new = base.step.get("deck"), message.step.get("deck")
        has_quit = [seat for seat, one in enumerate(message.seats) if one in self.added["quit"]]
        if not new:
            return "deckChanged" if old else None
        number, count, seats, dealt, is_over = new
        if old and number == old[0]:
            pairs = list(zip(dealt, old[3]))
            stays = new[1:3] == old[1:3] and len(pairs) == len(old[3]) and is_over >= old[4]
            own = message.seats.index(message.by)
            shows = all(now == then or now is None and then == own for now, then in pairs)
            return None if stays and shows else "deckChanged"
        if number != (old[0] if old else 0) + 1 or is_over:
            return "deckChanged"
        able = old[2] if old else range(len(message.seats))
        if not set(seats) <= set(able) or len(seats) < min(2, len(able)):
            return "deckSeats"
        is_claimed = old and "claim" in message.step and len(seats) < len(old[2])
        if not old or is_claimed or set(old[2]) & set(has_quit):
            return None
        shown = message.step.get("shown") if old[4] else "no"
        return {None: None, "unknown": "notChecked", "no": "deckChanged"}[shown]

    def start(self, message, base, second):
        if "claim" in message.step:
            return "claimOfAnother", True
        if "undone" in message.step:
            return "undoOfAnother", True
        if "deck" in message.step:
            return "deckChanged", True
        if "roll" in message.step:
            return "rollChanged", True
        seating = self.seating(message, self.offerer)
        if seating not in ("legal", "notChecked") or message.by == self.offerer:
            return seating, True
        time = timed(message, base, 60, second, "notOfferer")
        return time if time[0] != "legal" else (seating, time[1])

    def seating(self, message, offerer):
        if message.step.get("rematch") and self.before_game:
            if message.seats != self.before_game[1:] + self.before_game[:1]:
                return "rematchSeats"
        taken = self.added["seat"] + [offerer]
        return "legal" if all(one in taken for one in message.seats) else "seatNotTaken"

    def undo(self, message, base):
        if message.step["undone"] != base.name or message.by != base.by:
            return "undoOfAnother", True
        if not base.step.get("mayUndo") or "undone" in base.step:
            return "undoNotAllowed", True
        if base is not self.legal or self.before is None:
            return "notChecked", False
        if any(base.step.get(key) != self.before.step.get(key) for key in ("roll", "deck")):
            return "undoNotAllowed", True
        return ("legal" if message.same_state(self.before) else "undoDiffers"), True

    def take(self, message, verdict, is_firm):
        base = self.base(message)
        if base == "builtOnFault":
            base = next(its_base for one, its_base in self.broken if one.name == message.follows)
        base = base if isinstance(base, Message) else None
        self.broken = [pair for pair in self.broken if pair[0] is not message]
        if verdict not in ("legal", "notChecked"):
            self.broken = (self.broken + [(message, base)])[-16:]
        elif base and base is self.legal or not self.legal or message.order > self.legal.order:
            if message.revision == 1:
                self.offerer = message.by
            self.before = base if verdict == "legal" else None
            self.legal = message
            message.is_firm = verdict == "legal" and is_firm and (base is None or base.is_firm)


def alone(message, may_begin):
    step, seats = message.step, message.seats
    (least, most), phase = step["size"], step["phase"]
    claim, has_undo = step.get("claim"), "undone" in step
    outcomes = len(step.get("outcomes", []))
    is_out_of_place = phase != 1 and message.turn or phase == 0 and (claim or has_undo)
    rules = [
        (step.get("bytes", 0) > 15360, "tooLong"),
        (len(set(seats)) < len(seats), "seatTwice"),
        (len(seats) > most, "seatCount"),
        (phase != 1 and message.turn, "wrongPhase"),
        (outcomes != (len(seats) if phase == 2 else 0), "outcomes"),
        (is_out_of_place, "wrongPhase"),
        (phase > 0 and len(seats) < least, "seatCount"),
        (phase == 0 and (step.keys() & {"roll", "deck", "parts", "settled"}), "wrongPhase"),
        (phase > 0 and message.by not in seats and not may_begin, "notSeated"),
        ("roll" in step and any(seat not in step["roll"][2] for seat in message.turn), "rollSeats"),
        (claim and (has_undo or (claim[1] == "ends") != (phase == 2)), "wrongPhase"),
        (has_undo and phase == 2, "wrongPhase"),
    ]
    return next(((fault, True) for is_broken, fault in rules if is_broken), None)


def carries(message, parts):
    """Whether each part is the author's own, or one of these."""
    return all(
        message.seats[part[1]] == message.by or part in parts
        for part in message.step.get("parts", [])
    )


def gives(message, roll):
    kind, _, seats, giving = roll
    if len(seats) < 2 < 1 + len(message.seats):
        return False
    two = set(message.turn) | {message.seats.index(message.by)}
    return giving == seats or (kind == "open" and message.turn and len(two) > 1 and set(giving) == two)


def timed(message, base, seconds, second, fault):
    if base.is_late:
        return "notChecked", False
    elapsed = second - base.second
    if elapsed < seconds * 0.9 - 5:
        return fault, True
    return ("notChecked", False) if message.is_late else ("legal", elapsed >= seconds * 1.1 + 5)


def check(row):
    node, second = Node(row), 0
    for number, step in enumerate(row["steps"], 1):
        second = step.get("at", second)
        if "adds" not in step:
            message = Message(step, node.messages, number, second)
            if not message.follows:
                legal = [one.name for one in (node.legal, node.before) if one]
                message.follows = next((name for name in legal if name in message.known), None)
            node.messages.append(message)
            verdict, is_firm = node.verdict(message, second)
            same(f'{row["name"]}: {message.name}', step["verdict"], verdict)
            if "phase" in step or verdict == "noGame":
                node.take(message, verdict, is_firm)
            continue
        node.add(step)
        changed = {}
        for message, _ in list(node.broken):
            if "phase" not in message.step:
                continue
            verdict, is_firm = node.verdict(message, message.second)
            if verdict in ("legal", "notChecked"):
                node.take(message, verdict, is_firm)
                changed[message.name] = verdict
        same(f'{row["name"]}: anew', step.get("then", {}), changed)


def main():
    for row in items.load("match.json")["rows"]:
        check(row)
    print(f"match.json: {items.checked} verdicts are right")


main()
