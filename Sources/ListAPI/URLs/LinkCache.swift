import Bytes
import Listings
import Rendering

struct LinkCache: ~Copyable {
    private static let firstFormat = 8
    private var text = ByteBuffer(minimumCapacity: 256)
    private var ranges = [Range<Int>?](
        repeating: nil,
        count: firstFormat + PageFormat.allCases.count
    )
    /// The last written cursor, because a page repeats one in its head and body.
    private var cursor: Cursor?
    private var cursorText = ByteBuffer(minimumCapacity: 128)
    private var scratch = ByteBuffer(minimumCapacity: 0)

    /// Returns the number of a link that is the same on all pages; nil for any other link.
    static func number(of link: PageLink) -> Int? {
        switch link {
        case .list: 0
        case .current: 1
        case .first: 2
        case .sections: 3
        case .schema: 4
        case .refresh: 5
        case .changes: 6
        case .last: 7
        case .alternate(let format): firstFormat + format.number
        default: nil
        }
    }

    mutating func write(
        _ number: Int,
        to buffer: inout ByteBuffer,
        new: (inout ByteBuffer) -> Void
    ) {
        if ranges[number] == nil {
            let start = text.count
            new(&text)
            ranges[number] = start..<text.count
        }
        if let range = ranges[number] { buffer.append(range, of: text) }
    }

    mutating func write(
        _ cursor: Cursor,
        signedBy keys: CursorKeys,
        to buffer: inout ByteBuffer
    ) {
        if self.cursor != cursor {
            self.cursor = cursor
            cursorText.removeAll()
            cursor.write(signedBy: keys, using: &scratch, to: &cursorText)
        }
        buffer.append(cursorText)
    }
}
