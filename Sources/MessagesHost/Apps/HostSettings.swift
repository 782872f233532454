import Logging

/// How a host runs its apps.
public struct HostSettings: Sendable {
    /// Whether apps may send without a person pressing Send.
    public var sendPolicy = SendPolicy.permissive
    /// Whether an app, when opened, learns of messages that it missed.
    ///
    /// The host then calls `didReceive` with the latest message of each changed session, also after
    /// a restart of the node. Apple's framework does not.
    public var replaysArrivals = true
    /// The context in which apps are opened.
    public var context = AppContext.messages
    /// The directory for sounds and movies of messages.
    package var media = MediaFiles.temporary
    /// Writes a line to the log, for the operator or the author of an app.
    package var log: @Sendable (String) -> Void = { line in
        Logger(label: "parley.apps").warning("\(line)")
    }

    /// Parley's defaults: apps may send at any time, and learn of messages that they missed.
    public init() {}

    /// Apple's rules: each send needs a touch, and an app that is opened gets no missed messages.
    public static var strict: HostSettings {
        var settings = HostSettings()
        settings.sendPolicy = .strict
        settings.replaysArrivals = false
        return settings
    }
}
