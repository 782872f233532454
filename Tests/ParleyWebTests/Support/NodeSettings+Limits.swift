import ParleyCore
import ParleyNode

extension NodeSettings {
    /// The number of sessions that one device may begin in a conversation.
    var sessionsMax: Int {
        get { limits.sessionsPerOrigin }
        set { limits.sessionsPerOrigin = newValue }
    }
}
