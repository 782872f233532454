/// Random numbers without a state: each is a function of a key and of the place it is drawn for.
///
/// A draw for a byte offset is the same however the bytes before it arrived, and whatever else was
/// drawn.
package struct FaultDraws: Hashable, Sendable {
    private let key: UInt64

    package init(seed: UInt64) {
        key = Self.mixed(seed)
    }

    private init(key: UInt64) {
        self.key = key
    }

    /// The draws of a part, which are independent of those of all other parts.
    package func part(_ name: String) -> FaultDraws {
        // FNV-1a.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return FaultDraws(key: Self.mixed(key ^ Self.mixed(hash)))
    }

    package func part(_ number: UInt64) -> FaultDraws {
        FaultDraws(key: word(number))
    }

    /// 64 random bits for a place.
    package func word(_ place: UInt64) -> UInt64 {
        Self.mixed(key &+ (place &+ 1) &* 0x9e37_79b9_7f4a_7c15)
    }

    /// A number from 0 up to but not including 1, for a place.
    package func share(_ place: UInt64) -> Double {
        Double(word(place) >> 11) * 0x1p-53
    }

    /// The finalizer of SplitMix64.
    private static func mixed(_ word: UInt64) -> UInt64 {
        var mixed = word
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
