import ParleyCore

/// A golden script: commands to a world, each group with the trace that it gives.
///
///     # What it shows.
///
///     nodes 2
///     join a b
///     ----
///     the trace
///
/// Groups are separated by empty lines.
struct Script {
    struct Group {
        var comments: [String] = []
        var commands: [String] = []
        var trace: [String] = []
    }

    var groups: [Group] = []

    init(_ text: String) {
        var group = Group()
        var isTrace = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty {
                if !group.commands.isEmpty || !group.comments.isEmpty { groups.append(group) }
                group = Group()
                isTrace = false
            } else if line == "----" {
                isTrace = true
            } else if isTrace {
                group.trace.append(String(line))
            } else if line.hasPrefix("#") {
                group.comments.append(String(line))
            } else {
                group.commands.append(String(line))
            }
        }
        if !group.commands.isEmpty { groups.append(group) }
    }

    var text: String {
        let parts = groups.map { group in
            let body = group.commands.isEmpty ? [] : group.commands + ["----"] + group.trace
            return (group.comments + body).joined(separator: "\n")
        }
        return parts.joined(separator: "\n\n") + "\n"
    }

    /// The same commands with the trace that they give now.
    func replayed() throws(ScriptError) -> Script {
        var stage = ScriptStage()
        var result = self
        for index in groups.indices {
            result.groups[index].trace = []
            for command in groups[index].commands {
                result.groups[index].trace += try stage.perform(command)
            }
        }
        return result
    }
}

/// A command that nobody understands.
struct ScriptError: Error {
    let command: String
}
