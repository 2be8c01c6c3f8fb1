import Locks

/// The URL holds a random number instead of the text, so that no URL injects text into a page.
package final class FlashMessages: Sendable {
    private struct Notice {
        let number: UInt64
        let texts: [String]
    }

    private static let maximumCount = 256
    private static let maximumTexts = 5

    private let notices = Locked<[Notice]>([])

    package init() {}

    func post(_ texts: [String]) -> String {
        let number = UInt64.random(in: .min ... .max)
        let notice = Notice(number: number, texts: Array(texts.prefix(Self.maximumTexts)))
        notices.withLock { notices in
            if notices.count == Self.maximumCount { notices.removeFirst() }
            notices.append(notice)
        }
        return String(number, radix: 36)
    }

    func address(_ address: String, showing texts: [String]) -> String {
        "\(address)\(address.contains("?") ? "&" : "?")notice=\(post(texts))"
    }

    func texts(of name: String) -> [String] {
        guard let number = UInt64(name, radix: 36) else { return [] }
        return notices.withLock { $0.first { $0.number == number }?.texts ?? [] }
    }

    func remove(_ name: String) {
        guard let number = UInt64(name, radix: 36) else { return }
        notices.withLock { $0.removeAll { $0.number == number } }
    }
}
