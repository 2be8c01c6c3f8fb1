struct ClientAnswer: Equatable {
    var status: Int
    var fields: [String: String]
    var body: String
    /// Whether the end of the body was where its framing says.
    var isComplete: Bool

    /// Reads answers one after the other; interim ones are left out.
    static func all(in bytes: [UInt8], methods: [String] = []) -> [ClientAnswer] {
        var answers: [ClientAnswer] = []
        var rest = bytes[...]
        while !rest.isEmpty, let head = head(of: &rest) {
            if head.status < 200 { continue }
            let isHead = answers.count < methods.count && methods[answers.count] == "HEAD"
            answers.append(answer(head, isHead: isHead, rest: &rest))
        }
        return answers
    }

    private static func head(
        of rest: inout ArraySlice<UInt8>
    ) -> (status: Int, fields: [String: String])? {
        var lines: [String] = []
        while let end = rest.firstIndex(of: 0x0A) {
            let line = String(decoding: rest[..<end].dropLast(), as: UTF8.self)
            rest = rest[(end + 1)...]
            if line.isEmpty { break }
            lines.append(line)
        }
        guard let status = lines.first, status.hasPrefix("HTTP/1.1 ") else { return nil }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            fields[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        return (Int(status.dropFirst(9).prefix(3)) ?? 0, fields)
    }

    private static func answer(
        _ head: (status: Int, fields: [String: String]),
        isHead: Bool,
        rest: inout ArraySlice<UInt8>
    ) -> ClientAnswer {
        var answer = ClientAnswer(
            status: head.status,
            fields: head.fields,
            body: "",
            isComplete: true
        )
        if isHead || head.status == 204 || head.status == 304 { return answer }
        var body: ArraySlice<UInt8> = []
        if let length = head.fields["content-length"].flatMap({ Int($0) }) {
            body = rest.prefix(length)
            rest = rest.dropFirst(length)
            answer.isComplete = body.count == length
        } else if head.fields["transfer-encoding"] == "chunked" {
            answer.isComplete = false
            while let end = rest.firstIndex(of: 0x0A) {
                let size = Int(String(decoding: rest[..<end].dropLast(), as: UTF8.self), radix: 16)
                rest = rest[(end + 1)...]
                guard let size else { break }
                body += rest.prefix(size)
                rest = rest.dropFirst(size + 2)
                if size == 0 {
                    answer.isComplete = true
                    break
                }
            }
        } else {
            body = rest
            rest = []
        }
        answer.body = String(decoding: body, as: UTF8.self)
        return answer
    }
}
