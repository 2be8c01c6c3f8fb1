internal import JSON

/// The values of JSON documents in memory, told by the ranges of their bytes.
struct JSONParts: Sendable {
    typealias Part = Range<Int>
    typealias Member = (name: String, value: Part)

    let bytes: [UInt8]
    let documents: [Part]
    /// `NaN` and the like, which are null.
    let nonFinite: [Part]

    /// One or several documents.
    init(_ bytes: [UInt8]) throws(JSONSyntaxError) {
        var (documents, nonFinite): ([Part], [Part]) = ([], [])
        var index = 0
        while true {
            // Between documents, spaces and the record separators of RFC 7464 may stand.
            while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
            guard index < bytes.count else { break }
            var reader = Self.tokenizer(of: bytes, at: index)
            documents.append(try reader.value())
            nonFinite += reader.nonFinite
            index = reader.index
        }
        (self.bytes, self.documents, self.nonFinite) = (bytes, documents, nonFinite)
    }

    static func tokenizer(of bytes: [UInt8], at index: Int) -> JSONTokenizer {
        JSONTokenizer(
            bytes,
            at: index,
            maximumDepth: FileLimits.maximumDepth,
            replacesInvalid: true
        )
    }

    func first(_ part: Part) -> UInt8 { bytes[part.lowerBound] }
    func isObject(_ part: Part) -> Bool { first(part) == UInt8(ascii: "{") }
    func isArray(_ part: Part) -> Bool { first(part) == UInt8(ascii: "[") }
    func isText(_ part: Part) -> Bool { first(part) == UInt8(ascii: "\"") }

    /// Whether the value is null, or read as null.
    func isMissing(_ part: Part) -> Bool {
        let first = first(part)
        return "nNI".utf8.contains(first)
            || first == UInt8(ascii: "-") && bytes[part.lowerBound + 1] == UInt8(ascii: "I")
    }

    func elements(of part: Part) throws(JSONSyntaxError) -> [Part] {
        var reader = Self.tokenizer(of: bytes, at: part.lowerBound)
        var elements: [Part] = []
        try reader.elements { (reader) throws(JSONSyntaxError) in
            elements.append(try reader.value())
        }
        return elements
    }

    func members(of part: Part) throws(JSONSyntaxError) -> [Member] {
        var reader = Self.tokenizer(of: bytes, at: part.lowerBound)
        var members: [Member] = []
        try reader.members { (name, reader) throws(JSONSyntaxError) in
            members.append((name, try reader.value()))
        }
        return members
    }

    /// In JSON.
    func text(_ part: Part) -> String {
        var (text, start) = ([] as [UInt8], part.lowerBound)
        var index = nonFinite.partitioningIndex { $0.lowerBound >= part.lowerBound }
        while index < nonFinite.count, nonFinite[index].lowerBound < part.upperBound {
            text += bytes[start..<nonFinite[index].lowerBound]
            text += JSONLiteral.null.bytes
            start = nonFinite[index].upperBound
            index += 1
        }
        guard start > part.lowerBound || !text.isEmpty else {
            return String(decoding: bytes[part], as: UTF8.self)
        }
        return String(decoding: text + bytes[start..<part.upperBound], as: UTF8.self)
    }
}

extension [Range<Int>] {
    /// The first index whose element has a property that all later ones have.
    fileprivate func partitioningIndex(_ hasProperty: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if hasProperty(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
