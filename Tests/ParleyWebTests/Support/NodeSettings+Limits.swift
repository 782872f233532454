import ParleyCore
import ParleyNode

extension NodeSettings {
    /// The number of heads that one device may have in a conversation.
    var headsMax: Int {
        get { limits.quota.device.heads }
        set { limits.quota.device.heads = newValue }
    }
}
