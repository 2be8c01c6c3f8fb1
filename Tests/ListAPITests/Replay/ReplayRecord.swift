import Foundation
import ListAPITestSupport
import Testing

/// The answers to requests of lists, compared with a file.
///
/// `UPDATE_GOLDEN=1` writes the file anew. Each request is answered twice with and twice without
/// answers that are kept, and all four have to agree.
struct ReplayRecord {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Recorded")

    private let makeGateway: (_ pageCacheBytes: Int) throws -> ReplayMiddleware
    private let gateways: [ReplayMiddleware]
    private var blanks: ReplayBlanks
    private var text = ""
    private var numbers: [String: Int] = [:]
    private var count = 0

    init(
        blanks: ReplayBlanks = ReplayBlanks(),
        _ makeGateway: @escaping (_ pageCacheBytes: Int) throws -> ReplayMiddleware
    ) throws {
        self.makeGateway = makeGateway
        self.blanks = blanks
        gateways = try [0, 1 << 22].map(makeGateway)
    }

    mutating func add(_ requests: [ReplayRequest]) throws {
        for request in requests {
            try walk(request) { request, answer in
                var (request, answer) = (request, answer)
                request.fields = request.fields.map { field in
                    let line = blanks.fill("\(field.name): \(field.value)")
                    return (field.name, String(line.dropFirst(field.name.count + 2)))
                }
                answer.head = answer.head.map { blanks.fill($0) }
                for blank in blanks.inContents { answer.blank(from: blank.start, to: blank.end) }
                note(request, answer.text)
            }
        }
    }

    /// Compares the answers to requests with those of a gateway that has answered nothing before.
    func compareWithNew(_ requests: [ReplayRequest]) throws {
        let new = try makeGateway(0)
        for request in requests {
            try walk(request) { request, answer in
                let other = try new.answer(request)
                expectEqual(other, answer, request, "a new gateway")
            }
        }
    }

    private func walk(
        _ first: ReplayRequest,
        _ note: (ReplayRequest, ReplayAnswer) throws -> Void
    ) throws {
        var request = first
        var answer = try ask(request)
        try note(request, answer)
        if first.asksAgain {
            let tag = try #require(answer.field("ETag"), "\(first.target) has no entity tag")
            let again = first.adding("If-None-Match", tag)
            try note(again, try ask(again))
        }
        for link in first.links {
            request.target = try answer.link(link)
            answer = try ask(request)
            try note(request, answer)
        }
    }

    private func ask(_ request: ReplayRequest) throws -> ReplayAnswer {
        let answers = try gateways.flatMap { middleware in
            [try middleware.answer(request), try middleware.answer(request)]
        }
        for (answer, name) in zip(answers, ["first", "repeated", "first kept", "kept"]).dropFirst()
        {
            expectEqual(answer, answers[0], request, "the \(name) answer")
        }
        return answers[0]
    }

    private func expectEqual(
        _ answer: ReplayAnswer,
        _ expected: ReplayAnswer,
        _ request: ReplayRequest,
        _ name: String
    ) {
        guard !answer.agrees(with: expected, blanks) else { return }
        let location = ReplayDifference(of: answer.text, from: expected.text)
        Issue.record("\(name) to \(request.method) \(request.target) is another: \(location)")
    }

    /// Sends a request that changes something, once.
    mutating func change(_ request: ReplayRequest) throws {
        note(request, try gateways[0].answer(request).text)
    }

    private mutating func note(_ request: ReplayRequest, _ answer: String) {
        count += 1
        text += "=== \(count) \(request.heading)"
        if let number = numbers[answer] {
            text += "(as \(number))\n\n"
        } else {
            numbers[answer] = count
            text += answer + "\n"
        }
    }

    func compare(with name: String) throws {
        let file = Self.folder.appending(path: name + ".txt")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try Data(text.utf8).write(to: file)
        }
        let recorded = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        guard text != recorded else { return }
        Issue.record("\(name).txt differs: \(ReplayDifference(of: text, from: recorded))")
    }
}

struct ReplayBlanks {
    /// The fields whose values differ whole.
    private let names: [String]
    /// The text before and after the parts of contents that change.
    fileprivate var inContents: [(start: String, end: String)] = []
    private var known: [String: Int] = [:]

    init(_ names: String...) { self.names = names }

    static var revisions: ReplayBlanks {
        var blanks = ReplayBlanks("ETag", "If-None-Match")
        blanks.inContents = [
            (#""etag":"\""#, #"\"""#), (#""version":""#, #"""#), (#"data-version=""#, #"""#),
            ("since=", #"""#),
        ]
        return blanks
    }

    /// Replaces what differs by numbers, in the order it was met.
    mutating func fill(_ line: String) -> String {
        if let name = names.first(where: { line.hasPrefix($0 + ": ") }) {
            return "\(name): «\(number(of: line))»"
        }
        let tag = /((?:ETag|If-None-Match): W\/"[0-9a-f]+\.[0-9a-f]+-)([0-9a-f]+)(.*)/
        guard let match = line.wholeMatch(of: tag) else { return line }
        return "\(match.1)«\(number(of: String(match.2)))»\(match.3)"
    }

    private mutating func number(of text: String) -> Int {
        let number = known[text] ?? known.count + 1
        known[text] = number
        return number
    }

    /// Replaces the value of a line by what stands for all.
    func blank(_ line: String) -> String {
        names.first { line.hasPrefix($0 + ": ") } ?? line
    }
}

struct ReplayDifference: CustomStringConvertible {
    let description: String

    init(of text: String, from expected: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let others = expected.split(separator: "\n", omittingEmptySubsequences: false)
        let count = min(lines.count, others.count)
        // Texts are compared by their bytes: equal characters can be written in several ways.
        let different = (0..<count).lazy.filter { !lines[$0].utf8.elementsEqual(others[$0].utf8) }
        // The length of a content says less than the content.
        let line =
            different.first { !others[$0].hasPrefix("Content-Length: ") } ?? different.first
            ?? count
        let heading = others.prefix(line + 1).last { $0.hasPrefix("=== ") } ?? "the answer"
        let (new, old) = (Self.bytes(lines, line), Self.bytes(others, line))
        let same = zip(new, old).prefix { $0 == $1 }.count
        description = """
            line \(line + 1), byte \(same + 1), of \(heading)
            expected: …\(Self.excerpt(old, at: same))
                 now: …\(Self.excerpt(new, at: same))
            """
    }

    private static func bytes(_ lines: [Substring], _ index: Int) -> [UInt8] {
        index < lines.count ? Array(lines[index].utf8) : Array("(the end)".utf8)
    }

    private static func excerpt(_ bytes: [UInt8], at place: Int) -> String {
        String(decoding: bytes[max(0, place - 60)..<min(bytes.count, place + 80)], as: UTF8.self)
    }
}
