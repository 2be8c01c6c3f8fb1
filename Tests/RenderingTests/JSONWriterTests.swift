import Bytes
import Foundation
import Listings
import Rendering
import Testing

@Suite("Writing JSON (RFC 8259)")
struct JSONWriterTests {
    @Test("every ASCII byte comes back from a reader", arguments: UInt8(0)..<128)
    func escaping(_ byte: UInt8) throws {
        let text = "a" + String(UnicodeScalar(byte)) + "b"
        let json = written { $0.string(text) }
        #expect(try read("[\(json)]") == [text])
        #expect(!json.utf8.contains { $0 < 0x20 }, "a control character stands in \(json)")
    }

    @Test("texts of other scripts stay as they are")
    func unicode() {
        #expect(written { $0.string("Élodie 李 محمد 🙂") } == "\"Élodie 李 محمد 🙂\"")
    }

    @Test(
        "whole numbers beyond ±2⁵³ are texts",
        arguments: [
            (0, "0"), (-1, "-1"), (1 << 53, "9007199254740992"),
            ((1 << 53) + 1, "\"9007199254740993\""), (-(1 << 53), "-9007199254740992"),
            (-(1 << 53) - 1, "\"-9007199254740993\""), (.max, "\"9223372036854775807\""),
            (.min, "\"-9223372036854775808\""),
        ] as [(Int64, String)]
    )
    func integers(_ value: Int64, _ expected: String) {
        #expect(written { $0.integer(value) } == expected)
    }

    @Test(
        "numbers with a fraction read back as the same number",
        arguments: [
            0, -0.0, 0.1, 1 / 3, 1e-7, 1e20, -1e300, .leastNonzeroMagnitude,
            .greatestFiniteMagnitude, 5,
        ] as [Double]
    )
    func reals(_ value: Double) throws {
        let json = written { $0.real(value) }
        let read = try JSONSerialization.jsonObject(with: Data("[\(json)]".utf8)) as? [Double]
        #expect(read?.first?.bitPattern == value.bitPattern, "\(json)")
    }

    @Test("commas stand between members and elements, not around them")
    func commas() {
        let json = written { writer in
            writer.object { writer in
                writer.object("a") { _ in }
                writer.array("b") { writer in
                    writer.null()
                    writer.array { $0.boolean(true) }
                    writer.object { $0.member("c", 1) }
                }
                writer.member("d", nil)
            }
            writer.endLine()
            writer.boolean(false)
        }
        #expect(json == #"{"a":{},"b":[null,[true],{"c":1}],"d":null}"# + "\nfalse")
    }

    @Test("a text that is written in place is escaped like any other, and nothing before it is")
    func writtenInPlace() {
        let json = written { writer in
            writer.object { writer in
                writer.member("a\"b", "x\ny")
                writer.string("plain") { $0.append("/users?a=b&c=d") }
                writer.string("escaped") { $0.append("W/\"1\"\\") }
                writer.string("empty") { _ in }
                writer.string("again") { $0.append("é\t") }
            }
        }
        #expect(
            json == #"{"a"b":"x\ny","plain":"/users?a=b&c=d","escaped":"W/\"1\"\\","empty":"""#
                + #","again":"é\t"}"#
        )
    }

    @Test("names of columns are escaped")
    func keys() throws {
        let json = written { writer in
            writer.object { writer in
                writer.key(JSONKey("a\"b\\\n"))
                writer.null()
            }
        }
        #expect(json == #"{"a\"b\\\n":null}"#)
    }

    private func written(_ body: (inout JSONWriter) -> Void) -> String {
        Fixture.text { JSONWriter.write(to: &$0, body) }
    }

    private func read(_ json: String) throws -> [String]? {
        try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String]
    }
}
