import ParleyProxy

/// Drives a chain in virtual time and records what leaves it, byte for byte.
struct ChainRun {
    /// A byte or a mark that left, and when.
    struct Out: Hashable, CustomStringConvertible {
        let time: ProxyTime
        let what: What

        enum What: Hashable {
            case byte(UInt8)
            case mark(StreamItem)
        }

        var description: String {
            let milliseconds = Double(time.nanoseconds) / 1e6
            return switch what {
            case .byte(let byte): "\(milliseconds): \(Character(UnicodeScalar(byte)))"
            case .mark(let mark): "\(milliseconds): \(mark)"
            }
        }
    }

    private(set) var chain: ToxicChain
    private(set) var outputs: [Out] = []
    private(set) var faults: [ChainFault] = []
    private var now = ProxyTime.zero

    init(seed: UInt64 = 1, connection: UInt64 = 1, _ toxics: [Toxic]) {
        chain = ToxicChain(
            FaultDraws(seed: seed),
            proxy: "web",
            connection: connection,
            direction: .downstream
        )
        for toxic in toxics { chain.add(toxic, at: .zero) }
    }

    /// The time in milliseconds, to which the chain is driven.
    mutating func run(to milliseconds: Double) {
        let end = ProxyTime(nanoseconds: Int64(milliseconds * 1e6))
        while chain.due <= end {
            // What is late in a chain was due before.
            now = max(now, chain.due)
            record(chain.advance(to: now), at: now)
        }
        now = end
    }

    mutating func send(_ bytes: some Collection<UInt8>, at milliseconds: Double) {
        run(to: milliseconds)
        record(chain.push(ArraySlice(bytes), at: now), at: now)
    }

    mutating func send(_ mark: StreamItem, at milliseconds: Double) {
        run(to: milliseconds)
        record(chain.push(mark, at: now), at: now)
    }

    mutating func add(_ toxic: Toxic) {
        chain.add(toxic, at: now)
    }

    mutating func change(to toxic: Toxic, at milliseconds: Double) {
        run(to: milliseconds)
        record(chain.change(to: toxic, at: now), at: now)
    }

    mutating func remove(_ name: String, at milliseconds: Double) {
        run(to: milliseconds)
        record(chain.remove(name, at: now), at: now)
    }

    /// The outputs as text: `0:ab 100:c|` for two bytes at once, one 100 ms later, and the end.
    var text: String {
        var words: [(time: Int64, text: String)] = []
        for output in outputs {
            let sign =
                switch output.what {
                case .byte(let byte): String(UnicodeScalar(byte))
                case .mark(.end): "|"
                case .mark(.close): "X"
                default: "R"
                }
            if words.last?.time == output.time.nanoseconds {
                words[words.count - 1].text += sign
            } else {
                words.append((output.time.nanoseconds, sign))
            }
        }
        return words.map { word in
            let micros = word.time / 1_000
            let time = micros % 1_000 == 0 ? "\(micros / 1_000)" : "\(micros)us"
            return "\(time):\(word.text)"
        }
        .joined(separator: " ")
    }

    var bytes: [UInt8] {
        outputs.compactMap { if case .byte(let byte) = $0.what { byte } else { nil } }
    }

    private mutating func record(_ items: [StreamItem], at time: ProxyTime) {
        faults += chain.takeFaults()
        for item in items {
            guard case .bytes(let parcel) = item else {
                outputs.append(Out(time: time, what: .mark(item)))
                continue
            }
            outputs += parcel.bytes.map { Out(time: time, what: .byte($0)) }
        }
    }
}

extension Toxic {
    /// A toxic of the downstream with these attributes.
    static func make(
        _ kind: ToxicKind,
        _ attributes: [String: AttributeValue] = [:],
        name: String? = nil,
        toxicity: Float = 1
    ) throws -> Toxic {
        guard var toxic = Toxic(kind, name: name, toxicity: toxicity) else { throw NoSuchToxic() }
        for (name, value) in attributes {
            guard let field = kind.fields.first(where: { $0.name == name }) else {
                throw NoSuchToxic()
            }
            toxic[field] = value
        }
        return toxic
    }

    private struct NoSuchToxic: Error {}
}
