package import Bytes

extension HTTPRequest {
    /// The request target as it was sent: `path` and `query` are read from it.
    ///
    /// - Complexity: O(bytes of the request line).
    public var target: String {
        // Empty lines may stand before the request line, which has a blank on either side of it.
        guard let start = head.firstIndex(of: .space).map({ $0 + 1 }),
            let end = head[start...].firstIndex(of: .space)
        else { return "" }
        return text(of: start..<end)
    }

    /// Every field line in order, names as they were sent.
    ///
    /// To ask for one field, `field(_:)` is cheaper.
    ///
    /// - Complexity: O(bytes of the head).
    public var sentFields: [(name: String, value: String)] {
        fields.map { (text(of: $0.name), text(of: $0.value)) }
    }
}

extension HTTPRequest {
    /// Appends the request target as it was sent.
    package func writeTarget(to buffer: inout ByteBuffer) {
        guard let start = head.firstIndex(of: .space).map({ $0 + 1 }),
            let end = head[start...].firstIndex(of: .space)
        else { return }
        buffer.append(head.span.extracting(start..<end))
    }

    /// Whether the host the request is for is spelled in just these bytes.
    ///
    /// - Returns: false also where no host was sent, or several.
    package func isAuthority(_ spelled: borrowing ByteBuffer) -> Bool {
        if let authority = external?.authority {
            return spelled.withBytes { authority.utf8.span.equals($0) }
        }
        var range = authorityRange
        if range == nil {
            for field in fields where isNamed(field, .host) {
                guard range == nil else { return false }
                range = field.value
            }
        }
        guard let range else { return false }
        return spelled.withBytes { head.span.extracting(range).equals($0) }
    }

    /// Appends the values of a field as they were sent, each behind a line feed, which no value has.
    package func writeValues(of name: FieldName, to buffer: inout ByteBuffer) {
        for field in fields where isNamed(field, name) {
            buffer.append(UInt8.lineFeed)
            buffer.append(head.span.extracting(field.value))
        }
    }
}
