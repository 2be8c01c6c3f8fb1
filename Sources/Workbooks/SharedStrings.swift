import Bytes
import TableFiles

/// The texts that cells of a workbook name by number.
final class SharedStrings: XMLHandler {
    /// All texts are held in memory.
    static let usualMaximumBytes = 256 << 20

    private let maximumBytes: Int
    private var bytes = ByteBuffer()
    private var ends: [Int] = []
    private var isItem = false
    private var isText = false
    private var isPhonetic = false

    init(maximumBytes: Int = SharedStrings.usualMaximumBytes) {
        self.maximumBytes = maximumBytes
    }

    var count: Int { ends.count }

    func append(_ number: Int, to buffer: inout ByteBuffer) {
        buffer.append((number == 0 ? 0 : ends[number - 1])..<ends[number], of: bytes)
    }

    func begin(_ name: String, _ attributes: XMLAttributes) throws(WorkbookError) {
        switch name {
        case "si": isItem = true
        case "rPh": isPhonetic = true
        case "t": isText = isItem && !isPhonetic
        default: break
        }
    }

    func end(_ name: String) throws(WorkbookError) {
        switch name {
        case "si":
            isItem = false
            XMLEscape.decode(&bytes, from: ends.last ?? 0)
            ends.append(bytes.count)
            // Empty texts need memory too.
            try check(ends.count * MemoryLayout<Int>.size)
        case "rPh": isPhonetic = false
        case "t": isText = false
        default: break
        }
    }

    func text(_ utf8: borrowing Span<UInt8>) throws(WorkbookError) {
        guard isText else { return }
        bytes.append(utf8)
        try check(bytes.count)
    }

    private func check(_ count: Int) throws(WorkbookError) {
        guard count <= maximumBytes else { throw .sharedStringsTooLarge(limit: maximumBytes) }
    }
}

/// The escapes of characters in texts of workbooks, such as `_x000D_` (ISO/IEC 29500, ST_Xstring).
enum XMLEscape {
    /// Those of NUL and of the marks of ``SheetRows`` remain.
    static func decode(_ bytes: inout ByteBuffer, from start: Int) {
        guard var index = nextMark(bytes, start) else { return }
        var end = index
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "_"), let scalar = escape(bytes, index) {
                for byte in String(scalar).utf8 {
                    bytes[end] = byte
                    end += 1
                }
                index += 7
            } else {
                bytes[end] = bytes[index]
                end += 1
                index += 1
            }
        }
        bytes.truncate(to: end)
    }

    private static func nextMark(_ bytes: borrowing ByteBuffer, _ start: Int) -> Int? {
        var index = start
        while index + 7 <= bytes.count {
            if bytes[index] == UInt8(ascii: "_"), bytes[index + 1] == UInt8(ascii: "x") {
                return index
            }
            index += 1
        }
        return nil
    }

    private static func escape(_ bytes: borrowing ByteBuffer, _ start: Int) -> Unicode.Scalar? {
        guard start + 7 <= bytes.count, bytes[start + 1] == UInt8(ascii: "x"),
            bytes[start + 6] == UInt8(ascii: "_")
        else { return nil }
        var value: UInt32 = 0
        for index in start + 2..<start + 6 {
            guard let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue else {
                return nil
            }
            value = value << 4 | UInt32(digit)
        }
        let isMark = value == SheetRows.rowMark || value == SheetRows.cellMark
        return value > 0 && !isMark && value < 0xFFFE ? Unicode.Scalar(value) : nil
    }
}
