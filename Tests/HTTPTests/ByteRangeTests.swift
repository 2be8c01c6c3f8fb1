import HTTP
import Testing

@Suite("Range (RFC 9110 §14)")
struct ByteRangeTests {
    @Test(
        "one part is cut out",
        arguments: [
            ("bytes=0-0", 0..<1), ("bytes=0-9", 0..<10), ("bytes=3-5", 3..<6),
            ("bytes=3-", 3..<10), ("bytes=9-", 9..<10), ("bytes=5-100", 5..<10),
            ("bytes=-1", 9..<10), ("bytes=-10", 0..<10), ("bytes=-11", 0..<10),
            ("BYTES=1-2", 1..<3), ("bytes= 1-2 ", 1..<3), ("bytes=,1-2,", 1..<3),
            ("bytes=0-99999999999999999999999999", 0..<10),
            ("bytes=-99999999999999999999999999", 0..<10),
            ("bytes=000000000000000000000000001-2", 1..<3),
        ]
    )
    func part(field: String, range: Range<Int>) {
        #expect(ByteRange(field, size: 10) == .part(range), "\(field)")
    }

    @Test(
        "what lies outside the content cannot be had",
        arguments: [
            "bytes=10-", "bytes=10-11", "bytes=-0", "bytes=999999999999999999999999999-",
            "bytes=9223372036854775807-9223372036854775807",
        ]
    )
    func unsatisfiable(field: String) {
        #expect(ByteRange(field, size: 10) == .unsatisfiable, "\(field)")
    }

    @Test(
        "another unit, a mistake, or several parts give the whole",
        arguments: [
            "", "bytes", "bytes=", "bytes=,", "bytes=-", "bytes=a-b", "bytes=1", "bytes=2-1",
            "bytes=1-2-3", "bytes=+1-2", "bytes=1-+2", "bytes=0x1-2", "bytes=1 -2", "bytes=1- 2",
            "items=0-1", "bytes =0-1", " bytes=0-1x", "bytes=0-1,2-3", "bytes=0-5,1-2",
            "bytes=0-1,x", "bytes=--1", "bytes=1.0-2",
            "bytes=" + String(repeating: ",", count: 16) + "0-1",
        ]
    )
    func whole(field: String) {
        #expect(ByteRange(field, size: 10) == .whole, "\(field)")
    }

    @Test("nothing has no part")
    func empty() {
        #expect(ByteRange("bytes=0-", size: 0) == .unsatisfiable)
        #expect(ByteRange("bytes=-5", size: 0) == .whole)
        #expect(ByteRange(nil, size: 10) == .whole)
    }
}
