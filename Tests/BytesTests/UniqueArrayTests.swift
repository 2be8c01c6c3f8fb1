import Bytes
import Testing

@Suite("Rows of values without references")
struct TrivialBufferTests {
    private struct Value: BitwiseCopyable, Equatable, Sendable {
        var number: Int
        var byte: UInt8?
    }

    @Test("values stay in their order while the buffer grows, and can be replaced and forgotten")
    func values() {
        var buffer = UniqueArray<Value>(minimumCapacity: 1)
        for number in 0..<1_000 {
            buffer.append(Value(number: number, byte: number % 2 == 0 ? nil : 1))
        }
        buffer[7] = Value(number: -7, byte: 7)
        let count = buffer.count
        #expect(count == 1_000)
        for number in 0..<1_000 where number != 7 {
            let value = buffer[number]
            #expect(value == Value(number: number, byte: number % 2 == 0 ? nil : 1))
        }
        let lent = buffer.withSpan(5..<9) { span in span.indices.map { span[$0].number } }
        #expect(lent == [5, 6, -7, 8])
        buffer.truncate(to: 8)
        buffer.append(Value(number: 8, byte: nil))
        let (last, shorter) = (buffer[8].number, buffer.count)
        #expect(last == 8 && shorter == 9)
        buffer.removeAll()
        let none = buffer.count
        #expect(none == 0)
    }

    @Test("a value that is not there ends the program")
    func bounds() async {
        await #expect(processExitsWith: .failure) {
            var buffer = UniqueArray<Int>(minimumCapacity: 8)
            buffer.append(1)
            print(buffer[1])
        }
        await #expect(processExitsWith: .failure) {
            var buffer = UniqueArray<Int>(minimumCapacity: 8)
            buffer.append(1)
            print(buffer[-1])
        }
        await #expect(processExitsWith: .failure) {
            let buffer = UniqueArray<Int>(minimumCapacity: 8)
            print(buffer.withSpan(0..<1) { $0[0] })
        }
    }
}
