package import Bytes

/// A name of one state of a resource (RFC 9110 §8.8.3).
package struct EntityTag: Hashable, Sendable {
    /// Whether equal tags mean equivalent content only, not equal bytes.
    package let isWeak: Bool

    package let opaque: String

    /// The text has no quotes, blanks and control bytes.
    package init(_ opaque: String, isWeak: Bool) {
        precondition(opaque.utf8.allSatisfy(\.isEntityTagByte), "\(opaque) cannot be quoted")
        self.opaque = opaque
        self.isWeak = isWeak
    }

    package func write(into buffer: inout ByteBuffer) {
        if isWeak { buffer.append("W/") }
        buffer.append(UInt8(ascii: "\""))
        buffer.append(opaque)
        buffer.append(UInt8(ascii: "\""))
    }

    package var value: String { isWeak ? "W/\"\(opaque)\"" : "\"\(opaque)\"" }

    package func matchesWeakly(_ other: EntityTag) -> Bool { opaque == other.opaque }

    /// Whether both tags name the same bytes, so that neither is weak.
    package func matchesStrongly(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && opaque == other.opaque
    }
}

package enum EntityTagCondition: Hashable, Sendable {
    case any
    case tags([EntityTag])

    package init?(parsing value: String) {
        let bytes = Array(value.utf8)[...]
        if bytes.trimmingBlanks().elementsEqual("*".utf8) {
            self = .any
            return
        }
        var tags: [EntityTag] = []
        var index = 0
        while index < bytes.count {
            if bytes[index].isBlank || bytes[index] == UInt8(ascii: ",") {
                index += 1
                continue
            }
            guard let tag = EntityTag(in: bytes, at: &index) else { return nil }
            tags.append(tag)
            while index < bytes.count, bytes[index].isBlank { index += 1 }
            guard index == bytes.count || bytes[index] == UInt8(ascii: ",") else { return nil }
        }
        guard !tags.isEmpty else { return nil }
        self = .tags(tags)
    }

    /// Whether an If-None-Match field finds the client's copy current: 304 for GET and HEAD, else
    /// 412 (RFC 9110 §13.1.2).
    package func matchesWeakly(_ current: EntityTag) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): tags.contains { $0.matchesWeakly(current) }
        }
    }

    /// Whether an If-Match field lets the request pass; else 412 (RFC 9110 §13.1.1).
    package func matchesStrongly(_ current: EntityTag) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): tags.contains { $0.matchesStrongly(current) }
        }
    }
}

extension EntityTag {
    fileprivate init?(in bytes: ArraySlice<UInt8>, at index: inout Int) {
        var position = index
        let isWeak = bytes[position...].starts(with: "W/".utf8)
        if isWeak { position += 2 }
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return nil }
        let start = position + 1
        position = start
        while position < bytes.count, bytes[position].isEntityTagByte { position += 1 }
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\""),
            let opaque = String(validating: bytes[start..<position], as: UTF8.self)
        else { return nil }
        index = position + 1
        self.init(opaque, isWeak: isWeak)
    }
}

extension UInt8 {
    /// Whether the byte is an `etagc`: visible and not a quote, or above ASCII.
    fileprivate var isEntityTagByte: Bool {
        self >= 0x21 && self != UInt8(ascii: "\"") && self != 0x7F
    }
}
