/// For texts, the eight bytes after the common prefix are treated as a number.
enum ValueSpread {
    case integers(from: Int64, to: Int64)
    case texts(prefix: [UInt8], from: UInt64, to: UInt64)

    init?(from least: SQLiteValue, to greatest: SQLiteValue) {
        switch (least.storage, greatest.storage) {
        case (.integer, .integer):
            self = .integers(from: least.integer, to: greatest.integer)
        case (.text, .text):
            func bytes(_ text: borrowing Span<UInt8>) -> [UInt8] { text.indices.map { text[$0] } }
            let (first, last) = (least.withText(bytes), greatest.withText(bytes))
            let shared = zip(first, last).prefix { $0 == $1 }.count
            func number(_ text: [UInt8]) -> UInt64 {
                (0..<8).reduce(0) { number, index in
                    let sample = shared + index
                    return number << 8 | (sample < text.count ? UInt64(text[sample]) : 0)
                }
            }
            let (from, to) = (number(first), number(last))
            guard from < to else { return nil }
            self = .texts(prefix: Array(first.prefix(shared)), from: from, to: to)
        default: return nil
        }
    }

    func bind(_ sample: Int, of samples: Int, to statement: Statement) throws(SQLiteError) {
        func between(_ distance: UInt64) -> UInt64 {
            let (high, low) = distance.multipliedFullWidth(by: UInt64(sample))
            return UInt64(samples).dividingFullWidth((high, low)).quotient
        }
        switch self {
        case .integers(let from, let to):
            let distance = UInt64(bitPattern: to &- from)
            try statement.bind(1, from &+ Int64(bitPattern: between(distance)))
        case .texts(let prefix, let from, let to):
            let number = from + between(to - from)
            let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
            // The text ends before the first zero, because SQLite ignores what follows it.
            let text = prefix + bytes.prefix { $0 != 0 }
            try statement.bind(1, utf8: text.span)
        }
    }
}
