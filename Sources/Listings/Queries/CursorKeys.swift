import Digest

/// The secrets that cursors are signed with, so that nobody but the service makes any.
///
/// Every process with the same secrets takes the cursors of the others.
public struct CursorKeys: Sendable, Equatable {
    /// A secret, ready to be used.
    struct Key: Sendable, Equatable {
        /// Names the secret in cursors: 1...255, the same wherever the secret is the same.
        let id: UInt8
        private let code: HMACSHA256

        init(_ secret: [UInt8]) {
            code = HMACSHA256(key: secret)
            id = max(1, code.code(of: Array("cursor key id".utf8).span)[0])
        }

        /// The signature of bytes.
        func signature(of bytes: borrowing Span<UInt8>) -> ArraySlice<UInt8> {
            code.code(of: bytes).prefix(CursorKeys.signatureByteCount)
        }

        static func == (first: Key, second: Key) -> Bool {
            let text = Array("equal keys".utf8)
            return first.code.code(of: text.span) == second.code.code(of: text.span)
        }
    }

    /// The bytes of a signature.
    static let signatureByteCount = 8
    /// The fewest bytes of a secret.
    public static let minimumSecretBytes = 32

    private let keys: [Key]

    /// No secrets: cursors have a checksum against accidents instead of a signature.
    public init() { keys = [] }

    /// Takes secrets.
    ///
    /// The result is nil when two of them have one name in cursors, which happens to one pair of 255.
    ///
    /// - Parameter secrets: The one that signs first, then those that were used before it and are
    ///   still honoured; each of at least ``minimumSecretBytes``.
    public init?(_ secrets: [[UInt8]]) {
        precondition(
            secrets.allSatisfy { $0.count >= Self.minimumSecretBytes },
            "a secret of fewer than \(Self.minimumSecretBytes) bytes"
        )
        keys = secrets.map(Key.init)
        guard Set(keys.map(\.id)).count == keys.count else { return nil }
    }

    /// The key that signs; nil without secrets.
    var signing: Key? { keys.first }

    /// The key of a name; nil when it is not honoured.
    func key(_ id: UInt8) -> Key? { keys.first { $0.id == id } }
}
