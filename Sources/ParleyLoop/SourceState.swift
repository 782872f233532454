/// The states of a Dispatch source that was activated on creation.
///
/// Legal transitions:
/// - `running <-> paused`
/// - `running`, `paused -> cancelled`; `cancelled` is final
enum SourceState {
    case running
    case paused
    case cancelled
}
