import TestSupport

struct Mutations {
    private var generator: SeededGenerator

    private static let pieces = [
        "\r", "\n", "\r\n", "\t", " ", ":", ";", ",", "\u{0}", "\u{7F}", "\u{80}", "0", "1", "5",
        "a", "/", ".", "%", "?", "#", "*", "\"", "=", "close", "chunked", "HTTP/1.0", "0\r\n\r\n",
        "Host: b\r\n", "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n",
        "Connection: close\r\n", "Expect: 100-continue\r\n",
    ].map { $0.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    mutating func next() -> [UInt8] {
        var bytes = anyVector()
        for _ in 0..<Int.random(in: 1...3, using: &generator) { change(&bytes) }
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let start = Int.random(in: 0...bytes.count, using: &generator)
        let end = min(bytes.count, start + Int.random(in: 1...4, using: &generator))
        let piece = Self.pieces.randomElement(using: &generator) ?? []
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: bytes.insert(contentsOf: piece, at: start)
        case 1: bytes.replaceSubrange(start..<end, with: piece)
        case 2: bytes.removeSubrange(start..<end)
        case 3: bytes[start..<end] = [UInt8.random(in: 0...255, using: &generator)]
        default:
            let other = anyVector()
            let cut = Int.random(in: 0...other.count, using: &generator)
            bytes.replaceSubrange(start..., with: other[cut...])
        }
    }

    private mutating func anyVector() -> [UInt8] {
        let vector = Vector.all.randomElement(using: &generator)
        return Array(vector?.bytes.prefix(1_000) ?? [])
    }
}
