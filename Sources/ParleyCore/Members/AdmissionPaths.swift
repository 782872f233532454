/// For each device, the admissions from the creator of a conversation down to the device by which
/// it ranks highest.
///
/// Without a creator all paths are empty.
package struct AdmissionPaths: Sendable {
    private let paths: [DeviceID: [Admission]]?

    init(_ admissions: [Admission], from creator: Bytes32?, using crypto: some Cryptography) {
        guard let creator else {
            paths = nil
            return
        }
        let byKey = Dictionary(grouping: admissions.filter { $0.role == .writer }, by: \.inviterKey)
        var byInviter: [DeviceID: [Admission]] = [:]
        for (key, admitted) in byKey {
            byInviter[DeviceID(publicKey: key, using: crypto)] = admitted.sorted {
                ($0.number, $0.device) < ($1.number, $1.device)
            }
        }
        let first = DeviceID(publicKey: creator, using: crypto)
        var paths: [DeviceID: [Admission]] = [first: []]
        var reached = [first]
        // Step by step, those who were reached first and with lower numbers come first.
        for _ in 0..<Limits.admissionSteps {
            var next: [DeviceID] = []
            for inviter in reached {
                for admission in byInviter[inviter] ?? [] where paths[admission.device] == nil {
                    paths[admission.device] = (paths[inviter] ?? []) + [admission]
                    next.append(admission.device)
                }
            }
            reached = next
        }
        self.paths = paths
    }

    /// The path of a device, nil if no admissions lead there.
    subscript(device: DeviceID) -> [Admission]? {
        guard let paths else { return [] }
        return paths[device]
    }

    /// The rank of a device, as far as its admissions are known here.
    package func rank(of device: DeviceID) -> MemberRank? {
        self[device].map { MemberRank(numbers: $0.map(\.number), device: device) }
    }
}
