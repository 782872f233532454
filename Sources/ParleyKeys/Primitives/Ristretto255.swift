import CSodium
import ParleyCore

/// ristretto255 (RFC 9496), computed by libsodium.
struct Ristretto255: PrimeGroup {
    func point(of uniform: [UInt8]) -> Bytes32 {
        Bytes32 { _ = crypto_core_ristretto255_from_hash($0, uniform) }
    }

    func isPoint(_ bytes: Bytes32) -> Bool {
        bytes != .zero
            && bytes.withPointer { crypto_core_ristretto255_is_valid_point($0) == 1 }
    }

    func multiply(_ point: Bytes32, by scalar: Bytes32) -> Bytes32? {
        var isLegal = false
        let result = Bytes32 { result in
            scalar.withPointer { scalar in
                point.withPointer {
                    isLegal = crypto_scalarmult_ristretto255(result, scalar, $0) == 0
                }
            }
        }
        return isLegal ? result : nil
    }

    func scalar(of uniform: [UInt8]) -> Bytes32 {
        Bytes32 { crypto_core_ristretto255_scalar_reduce($0, uniform) }
    }

    func product(_ one: Bytes32, _ other: Bytes32) -> Bytes32 {
        Bytes32 { result in
            one.withPointer { one in
                other.withPointer { crypto_core_ristretto255_scalar_mul(result, one, $0) }
            }
        }
    }

    func inverse(of scalar: Bytes32) -> Bytes32? {
        var isLegal = false
        let result = Bytes32 { result in
            scalar.withPointer {
                isLegal = crypto_core_ristretto255_scalar_invert(result, $0) == 0
            }
        }
        return isLegal ? result : nil
    }
}
