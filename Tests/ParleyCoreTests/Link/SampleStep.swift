import ParleyCore

extension Step {
    init(at now: Moment) {
        self.init()
        self.now = now
    }

    /// The connections to close, in order.
    var closes: [ClosedLink] { effects.closes.map { ClosedLink($0.link.value, $0.cause) } }

    /// The deliveries about links, in order.
    var news: [LinkNews] { effects.deliveries.map(LinkNews.init) }
}

/// A delivery about a link, so that two can be compared.
enum LinkNews: Sendable, Equatable {
    case closed(UInt64, CloseCause)
    case suspected(UInt64)
    case refused(UInt64, ParleyCore.Refusal)
    case duplicateIdentity(DeviceID, address: String)
    case another

    init(_ delivery: Delivery) {
        switch delivery {
        case .link(let notice):
            switch notice.change {
            case .closed(let cause): self = .closed(notice.link.value, cause)
            case .suspected: self = .suspected(notice.link.value)
            case .greeted, .joined, .full: self = .another
            }
        case .refused(let link, _, _, let refusal): self = .refused(link.value, refusal)
        case .duplicateIdentity(let device, let address):
            self = .duplicateIdentity(device, address: address)
        case .answer, .linked, .delivered, .shown, .conflict, .outOfTurn, .equivocation, .full,
            .headDropped, .blobArrived, .blobDamaged, .divergence, .damaged, .pairing, .shared,
            .signal, .knocked, .letIn, .admissions, .rotated, .generation:
            self = .another
        }
    }
}

/// A connection that is to be closed, as tests write it.
struct ClosedLink: Sendable, Equatable {
    let link: UInt64
    let cause: CloseCause

    init(_ link: UInt64, _ cause: CloseCause) {
        self.link = link
        self.cause = cause
    }

    /// This side ends the link and says why.
    init(_ link: UInt64, saying reason: GoodbyeReason, _ text: String = "") {
        self.init(link, .said(reason, text))
    }
}

extension Outbox {
    /// The frames that were appended since this was asked last.
    mutating func takeFrames() -> [Frame] { [Frame](decoding: take()) }
}

extension [Frame] {
    /// The frames of pieces that were handed over.
    ///
    /// All bytes that are sent form whole and legal frames, or the test sees too few.
    init(decoding pieces: [[UInt8]]) {
        self.init()
        var parser = FrameParser()
        for bytes in pieces { parser.append(Slice(bytes)) }
        while let raw = try? parser.next(frameBytesMax: Limits.frameBytes) {
            if let frame = try? Frame(decoding: raw) { append(frame) }
        }
    }

    static func goodbye(_ reason: GoodbyeReason, _ text: String = "") -> [Frame] {
        [.goodbye(Goodbye(reason: reason, text: text))]
    }
}

/// Counts from 1, so that the first ping has the number 1.
struct CountingNumbers: RandomNumberGenerator {
    private var last: UInt64 = 0

    mutating func next() -> UInt64 {
        last += 1
        return last
    }
}
