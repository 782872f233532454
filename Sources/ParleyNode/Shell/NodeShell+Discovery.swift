import Dispatch
import ParleyDiscovery
import ParleyLoop
import ParleyTransport

extension NodeShell {
    func startDiscovery() {
        let queue = executor.queue
        do throws(DiscoveryError) {
            try discovery.start(at: listening) { [weak self] event in
                queue.async { [weak self] in self?.assumeIsolated { $0.discovered(event) } }
            }
        } catch {
            log.discoveryOff("\(error)")
        }
    }

    private func discovered(_ event: DiscoveryEvent) {
        guard !isStopping else { return }
        log.discovery(event)
        do throws(AddressError) {
            for input in try discovery.heard(event) { feed(input) }
        } catch {
            log.announcementUnusable(error)
        }
    }
}
