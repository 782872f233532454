/// Scripts can be run as they are, by bash, and stop at the first thing that goes wrong.
enum ScriptCheck {
    static func findings(_ file: TreeFile) -> [Finding] {
        let first = file.lines.first ?? ""
        guard file.path.hasSuffix(".sh") || first.hasPrefix("#!") else {
            return file.isExecutable ? [file.finding(0, "executable, but no script")] : []
        }
        var findings: [Finding] = []
        if !file.isExecutable { findings.append(file.finding(0, "a script must be executable")) }
        guard file.path.hasSuffix(".sh") || first.contains("sh") else { return findings }
        if !["#!/usr/bin/env bash", "#!/bin/bash"].contains(first) {
            findings.append(file.finding(0, "shell scripts start with #!/usr/bin/env bash"))
        }
        let setting = file.lines.first { $0.hasPrefix("set -") } ?? ""
        if !setting.contains("e") || !setting.contains("u") || !setting.contains("pipefail") {
            findings.append(file.finding(0, "no `set -Eeuo pipefail`"))
        }
        return findings
    }
}
