import Bytes

/// The name of a field, compared without case (RFC 9110 §5.1).
public struct FieldName: Hashable, Sendable {
    /// The known field, or the bytes of another name.
    enum Storage: Hashable, Sendable {
        case known(WellKnownFieldName)
        case other(lowercased: String)
    }

    let storage: Storage

    init(_ field: WellKnownFieldName) {
        storage = .known(field)
    }

    /// Creates a name from its text.
    ///
    /// - Parameter name: One token (RFC 9110 §5.6.2). Any other text is a programming error.
    public init(_ name: String) {
        let isToken = !name.isEmpty && name.utf8.allSatisfy(ByteClass.token.contains)
        precondition(isToken, "\(name) is not a field name")
        let lowercased = name.utf8.map(\.lowercasedASCII)
        if let field = WellKnownFieldName.named(lowercased.span) {
            storage = .known(field)
        } else {
            storage = .other(lowercased: String(decoding: lowercased, as: UTF8.self))
        }
    }

    /// The name as it is sent: the usual spelling of a known field, or lower case.
    public var name: String {
        switch storage {
        case .known(let field): field.wireName.description
        case .other(let lowercased): lowercased
        }
    }
}

extension FieldName: ExpressibleByStringLiteral {
    /// Creates a name from a literal, which must be one token.
    public init(stringLiteral name: String) {
        self.init(name)
    }
}
