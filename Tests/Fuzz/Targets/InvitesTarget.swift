import ParleyCore
import ParleyKeys

/// The text of an invite, as somebody pastes it.
struct InvitesTarget: FuzzTarget {
    func run(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        do throws(InviteError) {
            let invite = try InviteLink(parsing: text)
            promise((try? InviteLink(parsing: invite.text)) == invite, "an invite is another one")
        } catch {
            promise(!error.message.isEmpty && !error.hint.isEmpty, "a refusal without words")
        }
        if let id = try? DeviceID(parsing: text) {
            promise((try? DeviceID(parsing: id.text)) == id, "a device is another one")
        }
    }

    var seeds: [[UInt8]] {
        ["open:chess", " open:caf\u{E9}\u{200B}\n", "https://example.org"].map { Array($0.utf8) }
    }
}
