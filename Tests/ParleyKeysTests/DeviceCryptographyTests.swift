import ParleyCore
import ParleyKeys
import Testing

@Suite struct DeviceCryptographyTests {
    private let crypto = DeviceCryptography(DeviceKey(seed: counting(from: 1)))

    @Test(arguments: [
        Answer("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        Answer("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        Answer(
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func hashesAsInFIPS180(_ answer: Answer) {
        #expect(crypto.sha256(Array(answer.input.utf8)).hex == answer.output)
        #expect(crypto.sha256(Slice(Array(answer.input.utf8))).hex == answer.output)
        let bytes = Slice(Array(answer.input.utf8))
        for count in 0...bytes.count {
            let hash = bytes.withBytes {
                crypto.sha256($0.extracting(..<count), then: $0.extracting(count...))
            }
            #expect(hash.hex == answer.output)
        }
    }

    /// RFC 4231, cases 1 to 4, 6 and 7: keys below 32 bytes are padded with zero bytes and longer
    /// keys are hashed, as RFC 2104 prescribes.
    @Test(arguments: [
        MAC(
            key: [UInt8](repeating: 0x0b, count: 20),
            "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        MAC(
            key: Array("Jefe".utf8),
            "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        MAC(
            key: [UInt8](repeating: 0xaa, count: 20),
            bytes: [UInt8](repeating: 0xdd, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        MAC(
            key: Array(1...25),
            bytes: [UInt8](repeating: 0xcd, count: 50),
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
        ),
        MAC(
            key: [UInt8](repeating: 0xaa, count: 131),
            "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        MAC(
            key: [UInt8](repeating: 0xaa, count: 131),
            "This is a test using a larger than block-size key and a larger than block-size data."
                + " The key needs to be hashed before being used by the HMAC algorithm.",
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ),
    ])
    func authenticatesAsInRFC4231(_ mac: MAC) throws {
        let padded = mac.key + [UInt8](repeating: 0, count: max(0, 32 - mac.key.count))
        let key = mac.key.count > 64 ? crypto.sha256(mac.key) : try #require(Bytes32(padded))
        #expect(crypto.hmac(mac.bytes, key: key).hex == mac.output)
    }

    /// RFC 5869 case 3 (no salt, no info), whose input key is not 32 bytes long, on our HMAC, and
    /// then the same two steps on a 32-byte key against `deriveKey`.
    @Test func derivesAsInRFC5869() throws {
        let input = [UInt8](repeating: 0x0b, count: 22)
        let extracted = crypto.hmac(input, key: .zero)
        #expect(
            extracted.hex == "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04"
        )
        #expect(
            crypto.hmac([1], key: extracted).hex
                == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"
        )
        for info in ["", "parley read"] {
            let label = Array(info.utf8)
            let key = counting(from: 7)
            let pseudorandom = crypto.hmac(key.bytes, key: .zero)
            let expected = crypto.hmac((label + [1]), key: pseudorandom)
            #expect(crypto.deriveKey(from: key, info: label) == expected)
        }
    }

    @Test(arguments: [
        Vector8032(
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bac"
                + "c61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
        Vector8032(
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e"
                + "458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
        Vector8032(
            "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            "af82",
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290"
                + "ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
        ),
    ])
    func signsAsInRFC8032(_ vector: Vector8032) throws {
        let signer = DeviceCryptography(DeviceKey(seed: try bytes32(vector.seed)))
        let message = try bytes(vector.message)
        #expect(signer.devicePublicKey.hex == vector.publicKey)
        let signed = signer.sign(message)
        #expect(signed.bytes == (try bytes(vector.signature)))
        #expect(crypto.verify(signed, of: message, by: signer.devicePublicKey))
        #expect(!crypto.verify(signed, of: [9], by: signer.devicePublicKey))
        #expect(!crypto.verify(signed, of: message, by: crypto.devicePublicKey))
    }

    @Test func refusesASignatureWithAnyBitChanged() throws {
        let message = Array("turn".utf8)
        let signed = crypto.sign(message).bytes
        for bit in 0..<signed.count * 8 {
            var changed = signed
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            let isValid = crypto.verify(
                try signature(changed),
                of: message,
                by: crypto.devicePublicKey
            )
            #expect(!isValid, "bit \(bit)")
        }
    }

    /// S plus the group order satisfies the same equation, so accepting it would make signatures
    /// malleable.
    @Test func refusesSNotBelowTheGroupOrder() throws {
        let order = try bytes("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
        let message = Array("turn".utf8)
        var signed = crypto.sign(message).bytes
        var carry = 0
        for index in 0..<32 {
            let sum = Int(signed[32 + index]) + Int(order[index]) + carry
            signed[32 + index] = UInt8(truncatingIfNeeded: sum)
            carry = sum >> 8
        }
        let isValid = crypto.verify(
            try signature(signed),
            of: message,
            by: crypto.devicePublicKey
        )
        #expect(!isValid)
    }

    /// R has a component of order 8, so the signature satisfies only the equation with the
    /// cofactor.
    @Test func refusesWhatOnlyTheCofactorMakesRight() throws {
        let made = try bytes(
            "d63c01223147541df4e170763e9e2788a8bf5971f52a93c5829dbe6f5ff6bba9"
                + "f44f332c145f40252d9ebb415960afe3b98d610dc4fd11fbddad99e184e2e307"
        )
        let key = try bytes32("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
        let message = Array("cofactor".utf8)
        #expect(!crypto.verify(try signature(made), of: message, by: key))
    }

    /// The public key has a component of order 8, and the signature satisfies the equation without
    /// the cofactor nevertheless.
    @Test func acceptsAKeyOfMixedOrderWhenTheEquationHolds() throws {
        let made = try bytes(
            "d4b4f5784868c3020403246717ec169ff79e26608ea126a1ab69ee77d1b16712"
                + "786c76f3442b920fdcc9e8d13f3468bdf24768e188369256811d6879cb256005"
        )
        let key = try bytes32("9158312a9a8d6e3b34c891d6d61444f8b8211c5117ebad15bdb0bd68b07e0245")
        let message = Array("cofactor".utf8)
        #expect(crypto.verify(try signature(made), of: message, by: key))
    }

    /// For a key of order 1, `[1]B` and 1 satisfy the equation for every message.
    ///
    /// The second encoding of the key is not reduced.
    @Test(arguments: [
        "0100000000000000000000000000000000000000000000000000000000000000",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ])
    func refusesAKeyOfSmallOrder(_ neutral: String) throws {
        let base = "5866666666666666666666666666666666666666666666666666666666666666"
        let one = "0100000000000000000000000000000000000000000000000000000000000000"
        let made = try signature(bytes(base + one))
        #expect(!crypto.verify(made, of: [1], by: try bytes32(neutral)))
    }

    /// The neutral point as `R`, signed by the neutral point with `S` = 0.
    @Test func refusesAnRAndAKeyOfSmallOrder() throws {
        let neutral = "0100000000000000000000000000000000000000000000000000000000000000"
        let zero = String(repeating: "0", count: 64)
        let made = try signature(bytes(neutral + zero))
        #expect(!crypto.verify(made, of: [1], by: try bytes32(neutral)))
    }

    @Test func answersNoForAPublicKeyThatIsNoPoint() throws {
        var off = [UInt8](repeating: 0, count: 32)
        off[0] = 2
        let key = try #require(Bytes32(off))
        #expect(!crypto.verify(crypto.sign([1]), of: [1], by: key))
    }

    /// Cases 13, 14 and 16 of the GCM submission to NIST.
    @Test(arguments: [
        VectorGCM("00", "000000000000000000000000", "", "", "530f8afbc74536b9a963b4f1c4cb738b"),
        VectorGCM(
            "00",
            "000000000000000000000000",
            "00000000000000000000000000000000",
            "",
            "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"
        ),
        VectorGCM(
            "feffe9928665731c6d6a8f9467308308",
            "cafebabefacedbaddecaf888",
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c9595680953"
                + "2fcf0e2449a6b525b16aedf5aa0de657ba637b39",
            "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3d"
                + "a7b08b1056828838c5f61e6393ba7a0abcc9f66276fc6ece0f4e1768cddf8853bb2d551b"
        ),
    ])
    func sealsAsInTheGCMVectors(_ vector: VectorGCM) throws {
        let half = try bytes(vector.key)
        let pattern = half.count == 1 ? [UInt8](repeating: 0, count: 32) : half + half
        let key = try #require(Bytes32(pattern))
        let nonce = Slice(try bytes(vector.nonce))
        let plain = try bytes(vector.plaintext)
        let header = try bytes(vector.header)
        let sealed = crypto.seal(
            plain,
            key: key,
            nonce: SealNonce(high: nonce.bigEndian(at: 0), low: nonce.bigEndian(at: 4)),
            authenticating: header
        )
        #expect(sealed == nonce.bytes + (try bytes(vector.output)))
        let opened = crypto.open(sealed, key: key, authenticating: header)
        #expect(opened == plain)
    }

    @Test func opensOnlyWhatIsUnchanged() throws {
        let key = counting(from: 3)
        let header = Array("header".utf8)
        let sealed = crypto.seal(
            Array("move".utf8),
            key: key,
            nonce: SealNonce(high: 1, low: 2),
            authenticating: header
        )
        #expect(sealed.count == 4 + SealNonce.overhead)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(
                crypto.open(changed, key: key, authenticating: header) == nil
            )
        }
        for count in 0..<sealed.count {
            let short = Array(sealed[..<count])
            #expect(
                crypto.open(short, key: key, authenticating: header) == nil
            )
        }
        let other = counting(from: 4)
        #expect(
            crypto.open(sealed, key: other, authenticating: header) == nil
        )
        #expect(crypto.open(sealed, key: key, authenticating: [1]) == nil)
    }

    @Test func sealsFourMebibytes() {
        let plain = [UInt8](repeating: 0x5a, count: Limits.blobBytes - SealNonce.overhead)
        let key = counting(from: 9)
        let nonce = SealNonce(high: 7, low: 8)
        let none: [UInt8] = []
        let sealed = crypto.seal(
            plain,
            key: key,
            nonce: nonce,
            authenticating: none
        )
        #expect(sealed.count == Limits.blobBytes)
        #expect(crypto.open(sealed, key: key, authenticating: none) == plain)
    }
}

/// An input text and the expected output in hexadecimal digits.
struct Answer: Sendable {
    let input: String
    let output: String

    init(_ input: String, _ output: String) {
        self.input = input
        self.output = output
    }
}

/// A case of RFC 4231.
struct MAC: Sendable {
    let key: [UInt8]
    let bytes: [UInt8]
    let output: String

    init(key: [UInt8], bytes: [UInt8], _ output: String) {
        self.key = key
        self.bytes = bytes
        self.output = output
    }

    init(key: [UInt8], _ text: String, _ output: String) {
        self.init(key: key, bytes: Array(text.utf8), output)
    }
}

/// A case of RFC 8032 section 7.1, in hexadecimal digits.
struct Vector8032: Sendable {
    let seed: String
    let publicKey: String
    let message: String
    let signature: String

    init(_ seed: String, _ publicKey: String, _ message: String, _ signature: String) {
        self.seed = seed
        self.publicKey = publicKey
        self.message = message
        self.signature = signature
    }
}

/// A case of AES-256-GCM, in hexadecimal digits; both halves of the key are equal, so only one is
/// given.
struct VectorGCM: Sendable {
    let key: String
    let nonce: String
    let plaintext: String
    let header: String
    let output: String

    init(_ key: String, _ nonce: String, _ plaintext: String, _ header: String, _ output: String) {
        self.key = key
        self.nonce = nonce
        self.plaintext = plaintext
        self.header = header
        self.output = output
    }
}
