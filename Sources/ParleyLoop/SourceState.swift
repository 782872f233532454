/// The life of a Dispatch source that was activated when it was made.
///
/// Legal transitions:
/// - `running <-> paused`
/// - `running`, `paused -> cancelled`; `cancelled` is final
enum SourceState {
    case running
    case paused
    case cancelled
}
