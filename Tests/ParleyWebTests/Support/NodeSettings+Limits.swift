import ParleyCore
import ParleyNode

extension NodeSettings {
    /// How many sessions one device may begin in a conversation.
    var sessionsMax: Int {
        get { limits.sessionsPerOrigin }
        set { limits.sessionsPerOrigin = newValue }
    }
}
