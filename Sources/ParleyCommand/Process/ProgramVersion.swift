/// The version that `--version` prints.
enum ProgramVersion {
    static let text = "0.1.0"
}
