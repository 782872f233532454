/// A signal to send.
package struct SignalRequest: Sendable, Equatable {
    package let conversation: UInt32
    /// The guest whose signal it is; nil for this device.
    package let guest: ParticipantID?
    package let signal: Signal

    package init(conversation: UInt32, guest: ParticipantID? = nil, _ signal: Signal) {
        self.conversation = conversation
        self.guest = guest
        self.signal = signal
    }
}

/// A signal that was sent here, or arrived.
package struct SignalNotice: Sendable, Equatable {
    package let conversation: UInt32
    package let author: ParticipantID
    /// The author's device, or the host of the guest who is the author.
    package let device: DeviceID
    /// The origin and the counter of the signal.
    package let dot: Dot
    package let signal: Signal
}
