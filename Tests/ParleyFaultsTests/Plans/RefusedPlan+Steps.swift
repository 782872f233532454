import ParleyFaults
import ParleyYAML

/// Steps that are no steps.
extension RefusedPlan {
    static let messages = [
        RefusedPlan("- sned: {by: ann}", .unknownKey, "Did you mean send?"),
        RefusedPlan("- {}", .missingKey, "does nothing"),
        RefusedPlan("- stop: ann\n  start: ann", .repeated, "two things"),
        RefusedPlan("- send: {by: ann, session: s}", .missingKey, "needs url"),
        RefusedPlan("- send: {by: anm, session: s, url: u}", .unknownName, "Did you mean ann?"),
        RefusedPlan("- send: {by: [ann], session: s, url: u}", .wrongType, "a list"),
        RefusedPlan(
            "- send: {by: ann, in: gams, session: s, url: u}",
            .unknownName,
            "Did you mean games?"
        ),
        RefusedPlan(
            "- send: {by: ann, session: s, url: u, picture: 5MB}",
            .badValue,
            "out of range"
        ),
        RefusedPlan("- send: {by: ann, session: s, url: u, picture: 5}", .wrongType, "100KB"),
        RefusedPlan("- send: {by: ann, session: s, url: u, replaces: q}", .unknownName, "as: q"),
        RefusedPlan("- send: {by: ann, session: s, url: u, refused: stael}", .badValue, "stale?"),
        RefusedPlan("- send: {by: ann, session: s, url: u, delivered: 9}", .badValue, "1 to 2"),
        RefusedPlan("- send: {by: ann, session: s, url: u, url-bytes: 1MB}", .wrongType, "whole"),
        RefusedPlan("- answer: {by: [ann], session: s, to: q}", .badValue, "2 or more"),
        RefusedPlan("- answer: {by: [ann, ben], session: s, to: q}", .unknownName, "called q"),
        RefusedPlan("- batch: {by: ann, session: s, count: many}", .wrongType, "whole number"),
        RefusedPlan("- batch: {by: ann, session: s, count: 5, rate: 10}", .wrongType, "500/s"),
        RefusedPlan("- turns: {by: ann, session: s, moves: 0}", .badValue, "1 to 1000"),
        RefusedPlan(
            "- turns: {by: ann, session: s, moves: 2, pictures: {3: 1KB}}",
            .badValue,
            "1 to 2"
        ),
        RefusedPlan("- works: {between: ann}", .badValue, "names 1 hosts"),
    ]

    static let expectations = [
        RefusedPlan("- expect: {within: 1s}", .missingKey, "does not say what"),
        RefusedPlan("- expect: {same: yes, linked: all}", .repeated, "two things"),
        RefusedPlan("- expect: {samme: yes}", .unknownKey, "Did you mean same?"),
        RefusedPlan("- expect: {same: {message: 4}}", .unknownKey, "messages?"),
        RefusedPlan("- expect: {linked: ann}", .badValue, "names 1 hosts"),
        RefusedPlan("- expect: {linked: [ann, cid]}", .impossible, "does not run"),
        RefusedPlan("- expect: {nothing-lost: no}", .badValue, "only be yes"),
        RefusedPlan("- expect: {conflict: {session: s, heads: 1}}", .badValue, "2 to 64"),
        RefusedPlan("- expect: {same: yes, on: cid}", .impossible, "start"),
    ]

    static let times = [
        RefusedPlan("- pass: 10", .wrongType, "300ms"),
        RefusedPlan("- pass: soon", .wrongType, "a time"),
        RefusedPlan("- pass: -1s", .badValue, "out of range"),
        RefusedPlan("- pass: 200000d", .badValue, "100 years"),
        RefusedPlan("- repeat: {times: 3, steps: [pass: 36000d]}", .tooLarge, "36500 days"),
        RefusedPlan(
            "- at: 2s\n  pass: 1s\n- at: 1s\n  pass: 1s",
            .impossible,
            line: 3,
            "before the steps above are done, at 3 s"
        ),
        RefusedPlan(
            "- pass: 3s\n- at: 2s\n  pass: 1s",
            .impossible,
            line: 2,
            "before the steps above are done, at 3 s"
        ),
        RefusedPlan(
            "- repeat: {times: 2, steps: [{at: 1s, pass: 1s}]}",
            .impossible,
            "time of its own"
        ),
        RefusedPlan(
            "- repeat: {times: 2, steps: [{repeat: {times: 2, steps: [finish]}}]}",
            .impossible,
            "another repeat"
        ),
        RefusedPlan(
            "- repeat: {times: 1000, steps: [{turns: {by: ann, session: s, moves: 900}}]}",
            .tooLarge,
            "Repeat less"
        ),
    ]

    static let states = [
        RefusedPlan("- start: ann", .impossible, "runs already"),
        RefusedPlan("- stop: ann\n- stop: ann", .impossible, line: 2, "does not run"),
        RefusedPlan("- kill: cid", .impossible, "does not run"),
        RefusedPlan("- resume: ann", .impossible, "does not stand still"),
        RefusedPlan(
            "- pause: ann\n- send: {by: ann, session: s, url: u}",
            .impossible,
            line: 2,
            "stands still"
        ),
        RefusedPlan("- clone: {of: ann, to: ben}", .impossible, "starts: later"),
        RefusedPlan("- restore: ann", .impossible, "backup"),
        RefusedPlan("- backup: ann\n- restore: ann", .impossible, line: 2, "stop"),
        RefusedPlan("- fill-disk: ben", .impossible, "ben: {disk: 8MB}"),
    ]

    static let faults = [
        RefusedPlan("- cut: [ann]", .badValue, "names 1 hosts"),
        RefusedPlan("- cut: [ann, ann]", .repeated, "twice"),
        RefusedPlan("- partition: [[ann], [ann, ben]]", .repeated, "two parts"),
        RefusedPlan("- one-way: {from: ann}", .missingKey, "needs to"),
        RefusedPlan("- one-way: {from: ann, to: [ben, ann]}", .impossible, "ann is in from"),
        RefusedPlan("- mend: ann", .badValue, "names 1 hosts"),
        RefusedPlan("- flap: {between: [ann, ben], every: 1s}", .missingKey, "needs for"),
        RefusedPlan(
            "- flap: {between: [ann, ben], every: 10ms, for: 1s}",
            .badValue,
            "100 ms to 1 s"
        ),
        RefusedPlan(
            "- flap: {between: [ann, ben], every: 2s, for: 1s}",
            .badValue,
            "100 ms to 1 s"
        ),
        RefusedPlan("- heal: everything", .unknownName, "everything"),
        RefusedPlan("- slow: {host: ann, rate: fast}", .wrongType, "512kbit"),
        RefusedPlan("- slow: {host: ann, rat: 1Mbit}", .unknownKey, "rate?"),
        RefusedPlan("- loss: {host: ann, share: 101%}", .wrongType, "5%"),
        RefusedPlan("- reorder: {host: ann, by: 1s}", .unknownKey, "up-to"),
        RefusedPlan("- avahi: {host: ann, do: kil}", .badValue, "Did you mean kill?"),
        RefusedPlan("- run: {on: ann}", .missingKey, "needs command"),
        RefusedPlan("- run: {on: ann, command: x, exits: 256}", .badValue, "0 to 255"),
        RefusedPlan("- program: {host: ann, name: web, do: kill}", .unknownName, "no program web"),
        RefusedPlan("- clock: {host: ann, by: yesterday}", .wrongType, "a time"),
        RefusedPlan("- intrude: {by: ann, at: ben}", .missingKey, "needs with"),
        RefusedPlan("- intrude: {by: ann, at: ann, with: zeros}", .impossible, "another host"),
        RefusedPlan("- intrude: {by: ann, at: ben, with: zeroes}", .badValue, "zeros?"),
        RefusedPlan("- intrude: {by: ann, at: cid, with: zeros}", .impossible, "start"),
    ]
}
