import Locks

/// What came of actions, until the page that a person is led to has said it.
///
/// The address names a notice by a number that nobody can guess and never holds its text, so no
/// address can make a page say something. Shared by all loops; only actions with something to say
/// and the pages behind them come here.
package final class NoticeBoard: Sendable {
    private struct Notice {
        let number: UInt64
        let texts: [String]
    }

    /// The notices that are kept; the oldest goes first.
    private static let maximumCount = 256
    /// The texts of one notice that are said.
    private static let maximumTexts = 5

    private let notices = Locked<[Notice]>([])

    /// Creates an empty board.
    package init() {}

    /// Keeps what is to be said.
    ///
    /// - Returns: The name of the notice, for an address.
    func post(_ texts: [String]) -> String {
        let number = UInt64.random(in: .min ... .max)
        let notice = Notice(number: number, texts: Array(texts.prefix(Self.maximumTexts)))
        notices.withLock { notices in
            if notices.count == Self.maximumCount { notices.removeFirst() }
            notices.append(notice)
        }
        return String(number, radix: 36)
    }

    /// What a notice says; nothing for a name that means nothing, or nothing any more.
    func texts(of name: String) -> [String] {
        guard let number = UInt64(name, radix: 36) else { return [] }
        return notices.withLock { $0.first { $0.number == number }?.texts ?? [] }
    }

    /// Takes a notice down that was said.
    func remove(_ name: String) {
        guard let number = UInt64(name, radix: 36) else { return }
        notices.withLock { $0.removeAll { $0.number == number } }
    }
}
