import Testing

/// The tests with real daemons, which run one after the other: waiting for an exit test blocks one
/// of the few threads that all asynchronous tests share.
@Suite(.serialized) enum LiveTests {}
