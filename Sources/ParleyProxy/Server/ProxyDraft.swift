/// A proxy that somebody asks for.
package struct ProxyDraft: Sendable {
    package var name = ""
    package var listen = ""
    package var upstream = ""
    package var isEnabled = true
    package var seed: UInt64?
    package var toxics: [Toxic] = []

    package init() {}
}
