import Dispatch
import ParleyDiscovery
import ParleyLoop
import ParleyTransport

extension NodeShell {
    func startDiscovery() {
        do throws(DiscoveryError) {
            try discovery.start(at: listening) { [weak self] event in
                self?.atEndOfIteration { $0.discovered(event) }
            }
        } catch {
            news.log.discoveryOff("\(error)")
        }
    }

    private func discovered(_ event: DiscoveryEvent) {
        guard !isStopping else { return }
        news.log.discovery(event)
        do throws(AddressError) {
            for input in try discovery.heard(event) { feed(input) }
        } catch {
            news.log.announcementUnusable(error)
        }
    }
}
