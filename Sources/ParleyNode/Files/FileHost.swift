import ParleyCore
import ParleyTransport

/// What transfers of files need from the node around them; all calls are on the node's queue.
protocol FileHost: AnyObject, Sendable {
    /// The proof of whoever asks for the file of a session on the connection of `exporter`; nil
    /// if this node cannot read the conversation any more.
    func proof(of offer: FileOffer, exporter: Bytes32) -> Bytes32?
    /// The addresses at which a device may be, the likeliest first.
    func addresses(of device: DeviceID) -> [String]
    /// Whether connections to a device are allowed.
    func admits(_ device: DeviceID) -> Bool
    /// A name of the device for people.
    func name(of device: DeviceID) -> String
    /// The device with a key.
    func device(of key: Bytes32) -> DeviceID
    /// The peer of a connection has proved that it can read a conversation.
    func proved(_ id: ConnectionID)
    /// The service has ended the connection of a peer.
    func closed(_ id: ConnectionID)
    /// The state of a file has changed.
    func changed(_ transfer: FileTransfer)
}
