package import Bytes

extension HTTPRequest {
    /// The request target as it was sent, from which `path` and `query` are read.
    ///
    /// - Complexity: O(bytes of the request line).
    public var target: String {
        // Empty lines may precede the request line. A blank stands on either side of the target.
        guard let start = head.firstIndex(of: .space).map({ $0 + 1 }),
            let end = head[start...].firstIndex(of: .space)
        else { return "" }
        return text(of: start..<end)
    }

    /// All field lines in order, with names as they were sent.
    ///
    /// `field(_:)` is cheaper for one field.
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

    /// Whether the requested host is spelled in exactly these bytes.
    ///
    /// - Returns: false also if no host was sent, or several.
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

    /// Appends the values of a field as sent, each after a line feed, which no value contains.
    package func writeValues(of name: FieldName, to buffer: inout ByteBuffer) {
        for field in fields where isNamed(field, name) {
            buffer.append(UInt8.lineFeed)
            buffer.append(head.span.extracting(field.value))
        }
    }
}
