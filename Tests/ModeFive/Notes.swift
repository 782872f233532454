import UIKit

/// An app that asks before it does something, as apps on iOS do.
public final class NotesViewController: MSMessagesAppViewController {
    /// The notes.
    public private(set) var notes: [String] = []
    /// The calls that the app has had: completions, and edits of the search.
    public private(set) var heard: [String] = []
    private var isReady = false

    public override func viewDidLoad() {
        super.viewDidLoad()
        onMain { self.isReady = true }
    }

    /// Runs work on the main thread, as code does that may be called on any.
    private func onMain(_ work: () -> Void) {
        if Thread.isMainThread { work() } else { DispatchQueue.main.sync(execute: work) }
    }

    public override var body: ParleyView {
        ParleyView.column {
            ParleyView.text(notes.joined(separator: ", "))
            ParleyView.textField("Search", text: "", edited: { self.heard.append($0) })
            ParleyView.button("Add") { self.askForNote() }
            ParleyView.button("Delete all") { self.askBeforeDeleting() }
            ParleyView.button("Sort") { self.offerOrders() }
            ParleyView.button("About") { self.showPage() }
            ParleyView.button("Website") {
                URL(string: "https://notes.example/help").map { self.extensionContext?.open($0) }
            }
        }
    }

    private func askForNote() {
        let alert = UIAlertController(
            title: "New note",
            message: "It is for everybody.",
            preferredStyle: .alert
        )
        alert.addTextField { $0.placeholder = "Note" }
        alert.addTextField { field in
            field.placeholder = "Tag"
            field.text = "fun"
        }
        alert.addAction(UIAlertAction(title: "Cancel", style: .cancel))
        let add = UIAlertAction(title: "Add", style: .default) { [weak alert] _ in
            let texts = alert?.textFields?.compactMap(\.text) ?? []
            self.notes.append(texts.joined(separator: "#"))
        }
        alert.addAction(add)
        alert.preferredAction = add
        present(alert, animated: true) { self.heard.append("asked") }
    }

    private func askBeforeDeleting() {
        let alert = UIAlertController(
            title: "Delete all notes?",
            message: nil,
            preferredStyle: .alert
        )
        alert.addAction(
            UIAlertAction(title: "Delete", style: .destructive) { _ in
                let sure = UIAlertController(
                    title: "Really?",
                    message: nil,
                    preferredStyle: .alert
                )
                sure.addAction(
                    UIAlertAction(title: "Delete", style: .destructive) { _ in self.notes = [] }
                )
                self.present(sure, animated: true)
            }
        )
        alert.addAction(UIAlertAction(title: "Keep", style: .cancel))
        present(alert, animated: true)
    }

    private func offerOrders() {
        let sheet = UIAlertController(title: nil, message: nil, preferredStyle: .actionSheet)
        sheet.addTextField()
        let random = UIAlertAction(title: "At random", style: .default)
        random.isEnabled = false
        sheet.addAction(UIAlertAction(title: "By name", style: .default) { _ in self.notes.sort() })
        sheet.addAction(random)
        present(sheet, animated: true)
        // UIKit refuses a second one as well.
        present(UIAlertController(), animated: true)
    }

    private func showPage() {
        let page = NotesPage()
        page.title = "About notes"
        present(page, animated: true)
    }
}

/// A controller that is presented over the app.
final class NotesPage: UIViewController {
    override var body: ParleyView {
        ParleyView.column {
            ParleyView.text("Notes of a group")
            ParleyView.button("Thanks") { self.dismiss(animated: true) }
        }
    }
}
