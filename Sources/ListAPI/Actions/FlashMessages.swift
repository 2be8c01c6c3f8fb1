import Locks
import Rendering

/// The URL holds a random number instead of the text, so that no URL injects text into a page.
package final class FlashMessages: Sendable {
    private struct Notice {
        let number: UInt64
        let notices: PageNotices
    }

    private static let maximumCount = 256
    private static let maximumTexts = 5

    private let notices = Locked<[Notice]>([])

    package init() {}

    func post(_ texts: [String], addedRow: String? = nil) -> String {
        let number = UInt64.random(in: .min ... .max)
        let shown = PageNotices(Array(texts.prefix(Self.maximumTexts)), addedRow: addedRow)
        let notice = Notice(number: number, notices: shown)
        notices.withLock { notices in
            if notices.count == Self.maximumCount { notices.removeFirst() }
            notices.append(notice)
        }
        return String(number, radix: 36)
    }

    func address(_ address: String, showing texts: [String], addedRow: String? = nil) -> String {
        let name = post(texts, addedRow: addedRow)
        return "\(address)\(address.contains("?") ? "&" : "?")notice=\(name)"
    }

    func notices(of name: String) -> PageNotices {
        guard let number = UInt64(name, radix: 36) else { return PageNotices() }
        return notices.withLock { $0.first { $0.number == number }?.notices ?? PageNotices() }
    }

    func remove(_ name: String) {
        guard let number = UInt64(name, radix: 36) else { return }
        notices.withLock { $0.removeAll { $0.number == number } }
    }
}
