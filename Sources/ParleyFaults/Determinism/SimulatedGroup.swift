package import ParleyCore

/// Numbers modulo the prime 2^61 − 1, of which the product stands for the multiplication of a
/// point: as commutative as ristretto255, and without any security.
package struct SimulatedGroup: PrimeGroup {
    private static let order: UInt64 = 1 << 61 - 1

    package init() {}

    package func point(of uniform: [UInt8]) -> Bytes32 { scalar(of: uniform) }

    package func isPoint(_ bytes: Bytes32) -> Bool {
        let (number, b, c, d) = bytes.words
        return (1..<Self.order).contains(number) && (b, c, d) == (0, 0, 0)
    }

    package func multiply(_ point: Bytes32, by scalar: Bytes32) -> Bytes32? {
        guard isPoint(point), isPoint(scalar) else { return nil }
        return product(point, scalar)
    }

    package func scalar(of uniform: [UInt8]) -> Bytes32 {
        var number: UInt64 = 0
        for byte in uniform.prefix(8) { number = number << 8 | UInt64(byte) }
        return Bytes32(number % (Self.order - 1) + 1, 0, 0, 0)
    }

    package func product(_ one: Bytes32, _ other: Bytes32) -> Bytes32 {
        Bytes32(Self.product(one.words.0, other.words.0), 0, 0, 0)
    }

    /// By Fermat's little theorem.
    package func inverse(of scalar: Bytes32) -> Bytes32? {
        guard isPoint(scalar) else { return nil }
        var (result, base, exponent) = (UInt64(1), scalar.words.0, Self.order - 2)
        while exponent > 0 {
            if exponent & 1 == 1 { result = Self.product(result, base) }
            base = Self.product(base, base)
            exponent >>= 1
        }
        return Bytes32(result, 0, 0, 0)
    }

    private static func product(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let (high, low) = one.multipliedFullWidth(by: other)
        return order.dividingFullWidth((high, low)).remainder
    }
}
