import Messages
import UIKit

/// Songs to vote for, which a loader hands over on a queue of its own; what follows, children
/// included, is done right there.
public class PlaylistViewController: MSMessagesAppViewController {
    private let loader = SongLoader()
    private var songs: [String] = []

    override public func willBecomeActive(with conversation: MSConversation) {
        loader.delegate = self
        loader.load()
    }

    func choose(at indexPath: IndexPath) {
        guard indexPath.section == 0, songs.indices.contains(indexPath.row) else { return }
        let layout = MSMessageTemplateLayout()
        layout.caption = "$\(activeConversation?.localParticipantIdentifier.uuidString ?? "")"
        layout.subcaption = songs[indexPath.item]
        let message = MSMessage(session: MSSession())
        message.layout = layout
        message.url = URL(string: "?song=\(indexPath.row)")
        activeConversation?.insert(message) { [weak self] _ in
            self?.loader.afterwards { self?.dismiss() }
        }
    }
}

extension PlaylistViewController: SongLoaderDelegate {
    func loader(_ loader: SongLoader, didLoad songs: [String]) {
        self.songs = songs
        let list = SongsViewController(songs: songs) { [weak self] in self?.choose(at: $0) }
        addChild(list)
        view.addSubview(list.view)
        list.view.frame = CGRect(x: 0, y: 0, width: view.frame.width, height: 44)
        list.didMove(toParent: self)
        if activeConversation?.selectedMessage != nil { requestPresentationStyle(.expanded) }
    }
}

protocol SongLoaderDelegate: AnyObject {
    func loader(_ loader: SongLoader, didLoad songs: [String])
}

class SongLoader {
    weak var delegate: SongLoaderDelegate?
    private let queue = DispatchQueue(label: "songs")

    func load() {
        queue.async { self.delegate?.loader(self, didLoad: ["Blue Train", "So What"]) }
    }

    func afterwards(_ work: @escaping () -> Void) {
        queue.async(execute: work)
    }
}

class SongsViewController: UIViewController {
    private let songs: [String]
    private let choose: (IndexPath) -> Void

    init(songs: [String], choose: @escaping (IndexPath) -> Void) {
        self.songs = songs
        self.choose = choose
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        return nil
    }

    override var body: ParleyView {
        ParleyView.list {
            for (row, song) in songs.enumerated() {
                ParleyView.button(song) { self.choose(IndexPath(row: row, section: 0)) }
            }
        }
    }
}
