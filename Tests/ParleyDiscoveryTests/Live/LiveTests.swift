import Testing

/// All tests with real daemons, one after the other: waiting for an exit test holds one of the few
/// threads that all asynchronous tests share.
@Suite(.serialized) enum LiveTests {}
