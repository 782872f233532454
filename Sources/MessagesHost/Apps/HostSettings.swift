/// How a host runs its apps.
public struct HostSettings: Sendable {
    /// Whether apps may send without a person pressing Send.
    public var sendPolicy = SendPolicy.permissive
    /// Whether an app that is opened hears of what it missed.
    ///
    /// It is then told, by `didReceive`, of the latest message of each session that changed while
    /// it was closed. Apple's is not.
    public var replaysArrivals = true
    /// Where an app is opened.
    public var context = AppContext.messages
    /// Where sounds and movies of messages are kept.
    package var media = MediaFiles.temporary

    /// Parley's way: apps may send, and hear of what they missed.
    public init() {}

    /// Apple's way: one touch buys one send, and nothing is told twice.
    public static var strict: HostSettings {
        var settings = HostSettings()
        settings.sendPolicy = .strict
        settings.replaysArrivals = false
        return settings
    }
}
