/// The admissions to a conversation, by this device and by others.
package struct AdmissionTable: Sendable {
    /// Ascending by device, then by the inviter's key, each pair once.
    private var admissions: [Admission] = []
    /// The sum of the records, by which two nodes compare.
    private(set) var sum: UInt64 = 0
    /// How many admissions each link brought that replace others or are of unknown inviters.
    private var brought: [LinkID: Int] = [:]
    /// The links that were sent all admissions.
    private var told: Set<LinkID> = []

    package init() {}

    package var all: [Admission] { admissions }

    package var count: Int { admissions.count }

    /// The admissions of a device.
    package func admissions(of device: DeviceID) -> [Admission] {
        admissions.filter { $0.device == device }
    }

    /// The next number of the inviter with this key.
    func nextNumber(of inviterKey: Bytes32) -> UInt32 {
        (admissions.lazy.filter { $0.inviterKey == inviterKey }.map(\.number).max() ?? 0) + 1
    }

    /// Adds an admission, whose signature was checked.
    ///
    /// If an inviter has let a device in twice, the lower number counts: all nodes agree.
    ///
    /// - Returns: whether the admission is new here.
    mutating func add(_ admission: Admission, using crypto: some Cryptography) -> Bool {
        let index = admissions.firstIndex { !($0.key < admission.key) } ?? admissions.count
        if index < admissions.count, admissions[index].key == admission.key {
            guard admission.precedes(admissions[index]) else { return false }
            sum &-= admissions[index].digest(using: crypto)
            admissions[index] = admission
        } else {
            guard admissions.count < Limits.admissions else { return false }
            admissions.insert(admission, at: index)
        }
        sum &+= admission.digest(using: crypto)
        return true
    }

    /// Whether an admission would be new here.
    func lacks(_ admission: Admission) -> Bool {
        guard let known = admissions.first(where: { $0.key == admission.key }) else {
            return admissions.count < Limits.admissions
        }
        return admission.precedes(known)
    }

    /// Whether an admission of the same device by the same inviter is here.
    func replaces(_ admission: Admission) -> Bool {
        admissions.contains { $0.key == admission.key }
    }

    /// Counts an admission that replaces another one, or is of an unknown inviter.
    ///
    /// Half of the table is for inviters who have written, as a relay can invent others.
    ///
    /// - Returns: whether the link may still bring one.
    mutating func mayBring(_ admission: Admission, on link: LinkID) -> Bool {
        let count = brought[link] ?? 0
        brought[link] = count + 1
        return count < Limits.admissionsPerLink
            && (admissions.count < Limits.admissions / 2 || replaces(admission))
    }

    /// Whether a link has yet to be sent all admissions; the answer is yes once.
    mutating func tells(_ link: LinkID) -> Bool { told.insert(link).inserted }

    mutating func linkClosed(_ link: LinkID) {
        brought[link] = nil
        told.remove(link)
    }
}

extension Admission {
    fileprivate struct Key: Equatable {
        let device: DeviceID
        let inviter: Bytes32

        static func < (left: Key, right: Key) -> Bool {
            (left.device, left.inviter) < (right.device, right.inviter)
        }
    }

    fileprivate var key: Key { Key(device: device, inviter: inviterKey) }

    /// Whether this is the one to keep of two with one key.
    fileprivate func precedes(_ other: Admission) -> Bool {
        let (own, others) = (signature.first, other.signature.first)
        return number < other.number
            || number == other.number
                && (role.rawValue, own, signature.second)
                    < (other.role.rawValue, others, other.signature.second)
    }

    /// The first eight bytes of SHA-256("parley member 1" ‖ u8 3 ‖ record).
    fileprivate func digest(using crypto: some Cryptography) -> UInt64 {
        crypto.sha256(Array("parley member 1".utf8) + [3] + packed).words.0
    }
}
