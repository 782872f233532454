/// The addresses at which members were reached.
extension AddressBook {
    /// The entries of members, one for each device, in the order of the addresses.
    ///
    /// For a device, the first entry that is being dialled counts, or else the first entry.
    package var members: [Entry] {
        var members: [Entry] = []
        var indices: [DeviceID: Int] = [:]
        for entry in entries where entry.isMember {
            guard let device = entry.device else { continue }
            if let index = indices[device] {
                if entry.isDialled, !members[index].isDialled { members[index] = entry }
            } else {
                indices[device] = members.count
                members.append(entry)
            }
        }
        return members.sorted { $0.address < $1.address }
    }
}
