/// The amounts kept of a conversation: of all devices, and of each with a stored origin.
///
/// A device among these is a writer, and has a number.
struct KeptByWriter: Sendable {
    private(set) var all = KeptAmount()
    private var writers: [KeptAmount] = []
    private var numbers: [DeviceID: Int32] = [:]
    /// The part of `all` that the totals of all conversations include.
    private var counted = KeptAmount()

    /// The number of a device; `noWriter` without a stored origin.
    func number(of device: DeviceID) -> Int32 { numbers[device] ?? OriginState.noWriter }

    /// The number of a device that is a writer from now on.
    mutating func writer(_ device: DeviceID) -> Int32 {
        if let known = numbers[device] { return known }
        let number = Int32(writers.count)
        writers.append(KeptAmount())
        numbers[device] = number
        return number
    }

    /// The amount kept of a writer; nothing of `noWriter`.
    func amount(of writer: Int32) -> KeptAmount {
        writer == OriginState.noWriter ? KeptAmount() : writers[Int(writer)]
    }

    /// Adds an amount of a writer.
    mutating func add(_ amount: KeptAmount, of writer: Int32) {
        all += amount
        if writer != OriginState.noWriter { writers[Int(writer)] += amount }
    }

    /// Subtracts an amount of a writer.
    mutating func subtract(_ amount: KeptAmount, of writer: Int32) {
        all -= amount
        if writer != OriginState.noWriter { writers[Int(writer)] -= amount }
    }

    /// Updates the totals of all conversations with the present amount.
    mutating func count(in totals: inout KeptTotals, isOpen: Bool) {
        totals.changed(counted, to: all, isOpen: isOpen)
        counted = all
    }
}
