import Bytes
import Testing

@Suite("Byte buffer")
struct ByteBufferTests {
    @Test("what is appended comes out in order, however much it grows")
    func growth() {
        var buffer = ByteBuffer(minimumCapacity: 0)
        var expected: [UInt8] = []
        for round in 0..<300 {
            let piece = [UInt8](repeating: UInt8(round % 256), count: round % 37)
            buffer.append(piece)
            expected += piece
        }
        #expect(buffer.array() == expected)
        let count = buffer.count
        #expect(count == expected.count)
    }

    @Test("a buffer without room can be asked and emptied like any other")
    func withoutRoom() {
        var buffer = ByteBuffer(minimumCapacity: 0)
        let empty: [UInt8] = []
        buffer.append(empty.span)
        buffer.append("")
        buffer.removeFirst(0)
        buffer.truncate(to: 0)
        buffer.removeAll(keepingAtMost: 0)
        let (isEmpty, text, bytes) = (buffer.isEmpty, buffer.text(), buffer.array())
        #expect(isEmpty && text.isEmpty && bytes.isEmpty)
        let count = buffer.withBytes { $0.count }
        #expect(count == 0)
        var other = ByteBuffer()
        other.append(buffer)
        other.append(0..<0, of: buffer)
        swap(&buffer, &other)
        buffer.append("a")
        other.append("b")
        let texts = [buffer.text(), other.text()]
        #expect(texts == ["a", "b"])
    }

    private static func areEqual(_ bytes: [UInt8], _ others: [UInt8]) -> Bool {
        bytes.span.equals(others.span)
    }

    @Test("bytes are equal where all of them are, whatever their number")
    func equality() {
        for count in 0..<40 {
            let bytes = (0..<count).map { UInt8($0) }
            #expect(Self.areEqual(bytes, bytes))
            #expect(!Self.areEqual(bytes, bytes + [0]))
            for index in 0..<count {
                var other = bytes
                other[index] ^= 0x80
                #expect(!Self.areEqual(bytes, other), "byte \(index) of \(count)")
            }
        }
        let text = Array("né".utf8)
        let answers = [text.span.equals("né"), text.span.equals("ne"), text.span.equals("né!")]
        #expect(answers == [true, false, false])
    }

    @Test("text, literals, spans and bytes append alike")
    func kinds() {
        var buffer = ByteBuffer()
        buffer.append("né")
        buffer.append(StaticString("é"))
        buffer.append(UInt8(ascii: "!"))
        let bytes: [UInt8] = [0x41, 0x42]
        buffer.append(bytes.span)
        #expect(buffer.text() == "néé!AB")
    }

    @Test(
        "decimal digits are those of the description",
        arguments: [0, 7, 10, 99, 100, 1_234_567, Int64.max, -1, -10, Int64.min]
    )
    func decimal(value: Int64) {
        var buffer = ByteBuffer()
        buffer.append(decimal: value)
        #expect(buffer.text() == "\(value)")
    }

    @Test("decimal digits are those of the description around every power of ten")
    func decimals() {
        var power: UInt64 = 1
        for digits in 1...20 {
            for value in [power - 1, power, power + 1, power / 9 * 5, .max / power] {
                var buffer = ByteBuffer(minimumCapacity: 0)
                buffer.append(decimal: value)
                #expect(buffer.text() == "\(value)", "\(digits) digits")
            }
            power = digits == 20 ? power : power &* 10
        }
    }

    @Test(
        "padded numbers keep their width",
        arguments: [(0, 2, "00"), (9, 2, "09"), (10, 2, "10"), (123, 2, "123"), (42, 4, "0042")]
    )
    func padded(value: Int, width: Int, expected: String) {
        var buffer = ByteBuffer()
        buffer.append(decimal: value, width: width)
        #expect(buffer.text() == expected)
    }

    @Test(
        "hexadecimal digits are those of the description",
        arguments: [0, 9, 15, 16, 0xFEED, .max]
    )
    func hexadecimal(value: UInt64) {
        var buffer = ByteBuffer()
        buffer.append(hexadecimal: value)
        #expect(buffer.text() == String(value, radix: 16))
    }

    @Test("removing the front keeps the rest")
    func removeFirst() {
        var buffer = ByteBuffer()
        buffer.append("abcdef")
        buffer.removeFirst(2)
        #expect(buffer.text() == "cdef")
        buffer.truncate(to: 1)
        #expect(buffer.text() == "c")
        buffer.removeAll()
        let isEmpty = buffer.isEmpty
        #expect(isEmpty)
    }

    @Test("an index outside the bytes is our mistake and stops the process")
    func bounds() async {
        await #expect(processExitsWith: .failure) {
            var buffer = ByteBuffer()
            buffer.append(1)
            buffer[1] = 2
        }
    }

    @Test("pieces of every length are copied whole, also parts of other buffers")
    func lengths() {
        let bytes = (0..<80).map { UInt8($0) }
        var other = ByteBuffer()
        other.append(bytes)
        for start in 0..<3 {
            for count in 0...70 {
                var buffer = ByteBuffer(minimumCapacity: 0)
                buffer.append(0xFF)
                buffer.append(bytes.span.extracting(start..<start + count))
                buffer.append(start..<start + count, of: other)
                let isTaken = buffer.append(bytes.span.extracting(0..<count)) { _ in 0 }
                #expect(isTaken)
                let part = Array(bytes[start..<start + count])
                #expect(buffer.array() == [0xFF] + part + part + Array(bytes[..<count]))
            }
        }
    }

    @Test("bytes are refused where any of them is marked, wherever it stands")
    func marked() {
        for count in 1...40 {
            for location in 0..<count {
                var bytes = [UInt8](repeating: UInt8(ascii: "x"), count: count)
                bytes[location] = UInt8(ascii: "<")
                var buffer = ByteBuffer(minimumCapacity: 0)
                buffer.append(0xFF)
                let isTaken = buffer.append(bytes.span) {
                    WordSearch.bytes(equalTo: UInt8(ascii: "<"), in: $0)
                }
                #expect(!isTaken, "\(location) of \(count)")
                #expect(buffer.array() == [0xFF])
            }
        }
    }

    @Test("what is written into room is appended, and no more of the room", arguments: [0, 1, 100])
    func room(spare: Int) {
        var other = ByteBuffer()
        other.append("other")
        var buffer = ByteBuffer(minimumCapacity: 0)
        buffer.append("before ")
        let answer = buffer.append(atMost: 29 + spare) { room in
            room.append(UInt8(ascii: "<"))
            room.append("né" as StaticString)
            room.append("né".utf8.span)
            room.append(1..<4, of: other)
            room.append([0x41, 0x42].span)
            room.append(decimal: Int64(-120))
            room.append(bigEndian: 0x4344, bytes: 2)
            let isTaken = room.append("x<y".utf8.span) {
                WordSearch.bytes(equalTo: UInt8(ascii: "<"), in: $0)
            }
            return isTaken
        }
        #expect(!answer)
        buffer.append(">")
        #expect(buffer.text() == "before <nénétheAB-120CD>")
    }

    @Test("more than there is room for is our mistake and stops the process")
    func overflow() async {
        await #expect(processExitsWith: .failure) {
            var buffer = ByteBuffer(minimumCapacity: 64)
            buffer.append(atMost: 4) { $0.append("12345" as StaticString) }
        }
        await #expect(processExitsWith: .failure) {
            var buffer = ByteBuffer(minimumCapacity: 64)
            var other = ByteBuffer(minimumCapacity: 64)
            // Room of another buffer is not this one's, either.
            buffer.append(atMost: 4) { room in
                other.append(atMost: 4) { otherRoom in swap(&room, &otherRoom) }
            }
        }
        await #expect(processExitsWith: .failure) {
            var buffer = ByteBuffer(minimumCapacity: 64)
            buffer.append(atMost: 7) { $0.append(bigEndian: 1, bytes: 1) }
        }
        await #expect(processExitsWith: .failure) {
            var buffer = ByteBuffer(minimumCapacity: 64)
            _ = buffer.append(atMost: 8) { $0.append("123456789".utf8.span, unless: { _ in 0 }) }
        }
    }

    @Test("the lowest bytes of a number are appended, the highest of them first")
    func bigEndian() {
        for count in 0...8 {
            var buffer = ByteBuffer(minimumCapacity: 0)
            buffer.append(bigEndian: 0x0102_0304_0506_0708, bytes: count)
            #expect(buffer.array() == Array([1, 2, 3, 4, 5, 6, 7, 8].suffix(count)))
        }
    }
}
