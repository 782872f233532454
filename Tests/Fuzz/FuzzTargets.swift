/// All targets by their names, which are also those of their folders.
enum FuzzTargets {
    static let all: [String: any FuzzTarget.Type] = [
        "frames": FramesTarget.self, "cbor": CBORTarget.self, "envelopes": EnvelopesTarget.self,
        "batches": BatchesTarget.self, "links": LinksTarget.self, "invites": InvitesTarget.self,
        "configuration": ConfigurationTarget.self, "plans": PlansTarget.self,
        "control": ControlTarget.self, "proxy": ProxyTarget.self,
        "recovery": RecoveryTarget.self, "store": StoreTarget.self,
    ]
}
