/// A group of prime order in which nobody can tell by how much a point was multiplied.
///
/// `ParleyKeys` has ristretto255, RFC 9496; the simulator has numbers modulo a prime.
package protocol PrimeGroup: Sendable {
    /// The point that 64 uniform bytes stand for.
    func point(of uniform: [UInt8]) -> Bytes32

    /// Whether bytes are a point, and not the identity.
    func isPoint(_ bytes: Bytes32) -> Bool

    /// A point multiplied by a scalar; nil if one is not legal, or the result is the identity.
    func multiply(_ point: Bytes32, by scalar: Bytes32) -> Bytes32?

    /// The scalar that 64 uniform bytes stand for.
    func scalar(of uniform: [UInt8]) -> Bytes32

    /// The product of two scalars.
    func product(_ one: Bytes32, _ other: Bytes32) -> Bytes32

    /// The scalar whose product with `scalar` is one; nil for zero.
    func inverse(of scalar: Bytes32) -> Bytes32?
}
