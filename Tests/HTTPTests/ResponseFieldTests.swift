import Bytes
import HTTP
import TestSupport
import Testing

@Suite("Fields of an answer")
struct ResponseFieldTests {
    private typealias Line = (name: FieldName, value: String)

    private static let names: [FieldName] = [
        .contentType, .vary, .etag, .link, .setCookie, "X-First", "X-Second",
    ]

    private static let prepared = PreencodedFields { response in
        response.addField(.contentType, "text/plain; charset=utf-8" as StaticString)
        response.addField("X-First", "prepared")
        response.addField(.vary, "Accept" as StaticString)
    }

    private static let ofPrepared: [Line] = [
        (.contentType, "text/plain; charset=utf-8"), ("X-First", "prepared"), (.vary, "Accept"),
    ]

    private func expectFields(_ response: borrowing HTTPResponse, _ lines: [Line], _ step: String) {
        for name in Self.names + [.allow, "X-Third"] {
            let expected = lines.first { $0.name == name }?.value
            let found = response.field(name)
            #expect(found == expected, "\(name.name) \(step)")
            let (isIt, isOther) = (
                response.isField(name, expected ?? ""), response.isField(name, "something else")
            )
            #expect(isIt == (expected != nil), "\(name.name) \(step)")
            #expect(!isOther)
        }
    }

    @Test(
        "the first line of each field is found, however many were added, replaced, removed and emptied",
        arguments: 0..<60 as Range<UInt64>
    )
    func first(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var response = HTTPResponse()
        var lines: [Line] = []
        for step in 0..<40 {
            let name = Self.names.randomElement(using: &generator) ?? .etag
            switch Int.random(in: 0..<13, using: &generator) {
            case 0..<4:
                response.addField(name, "value \(step)")
                lines.append((name, "value \(step)"))
            case 4..<8:
                response.addField(name, "literal" as StaticString)
                lines.append((name, "literal"))
            case 8:
                response.addField(name) { $0.append("written \(step)") }
                lines.append((name, "written \(step)"))
            case 9:
                response.addFields(Self.prepared)
                lines += Self.ofPrepared
            case 10:
                response.removeField(name)
                lines.removeAll { $0.name == name }
            case 11:
                response.replaceField(name, "replaced")
                if let location = lines.firstIndex(where: { $0.name == name }) {
                    lines[location].value = "replaced"
                }
            default:
                guard step % 3 == 0 else { continue }
                response.reset()
                lines = []
            }
            expectFields(response, lines, "after step \(step) of seed \(seed)")
        }
    }

    @Test("prepared fields are the lines that adding them one by one writes")
    func prepared() {
        var response = HTTPResponse()
        var other = HTTPResponse()
        response.addField(.etag, "\"1\"")
        other.addField(.etag, "\"1\"")
        response.addFields(Self.prepared)
        for (name, value) in Self.ofPrepared { other.addField(name, value) }
        let (lines, others) = (response.fieldLines.text(), other.fieldLines.text())
        #expect(lines == others)
    }

    @Test(
        "a text is found in a line wherever it stands, and only as a whole",
        arguments: [
            ("Accept-Encoding", true), ("Accept, Accept-Encoding", true),
            ("Accept, Accept-Encoding, Accept-Language", true), ("Accept", false),
            ("Accept-Encodin", false), ("AAccept-Encoding", true), ("Accept-Accept-Encodin", false),
        ]
    )
    func held(value: String, isHeld: Bool) {
        var response = HTTPResponse()
        response.addField(.cacheControl, "no-cache")
        response.addField(.vary, value)
        response.addField(.etag, "\"Accept-Encoding\"")
        let holds = response.holds("Accept-Encoding", in: .vary)
        #expect(holds == isHeld)
    }
}
