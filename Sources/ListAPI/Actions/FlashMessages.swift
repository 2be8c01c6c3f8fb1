import Locks

/// The messages of actions, stored until the page after the redirect shows them.
///
/// The URL holds a random number instead of the text, so that no URL can inject text into a page.
/// All loops share the board. Only actions with a message and the pages after them use it.
package final class FlashMessages: Sendable {
    private struct Notice {
        let number: UInt64
        let texts: [String]
    }

    /// The maximum number of stored notices; the oldest is removed first.
    private static let maximumCount = 256
    /// The maximum number of texts in one notice.
    private static let maximumTexts = 5

    private let notices = Locked<[Notice]>([])

    package init() {}

    /// Returns the name of the notice, for a URL.
    func post(_ texts: [String]) -> String {
        let number = UInt64.random(in: .min ... .max)
        let notice = Notice(number: number, texts: Array(texts.prefix(Self.maximumTexts)))
        notices.withLock { notices in
            if notices.count == Self.maximumCount { notices.removeFirst() }
            notices.append(notice)
        }
        return String(number, radix: 36)
    }

    /// Returns the address of a list with a notice, which its page shows once.
    func address(_ address: String, showing texts: [String]) -> String {
        "\(address)\(address.contains("?") ? "&" : "?")notice=\(post(texts))"
    }

    /// Returns the texts of a notice; empty for a name that is unknown or was removed.
    func texts(of name: String) -> [String] {
        guard let number = UInt64(name, radix: 36) else { return [] }
        return notices.withLock { $0.first { $0.number == number }?.texts ?? [] }
    }

    func remove(_ name: String) {
        guard let number = UInt64(name, radix: 36) else { return }
        notices.withLock { $0.removeAll { $0.number == number } }
    }
}
