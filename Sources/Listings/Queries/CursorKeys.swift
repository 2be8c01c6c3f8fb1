import Bytes

/// The secrets that sign cursors, so that only the service can make cursors.
///
/// All processes with the same secrets accept each other's cursors.
public struct CursorKeys: Sendable, Equatable {
    /// A secret that is prepared for signing.
    struct Key: Sendable, Equatable {
        /// The secret's id in cursors, 1...255, which depends only on the secret.
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

    /// The number of bytes of a signature.
    static let signatureByteCount = 8
    /// The minimum number of bytes of a secret.
    public static let minimumSecretBytes = 32

    private let keys: [Key]

    /// Creates keys without secrets, so that cursors have a checksum against accidents.
    public init() { keys = [] }

    /// Creates keys from secrets.
    ///
    /// The result is nil when two of them have the same id, which happens to one pair in 255.
    ///
    /// - Parameter secrets: The signing secret, then earlier ones that are still accepted. Each has
    ///   at least ``minimumSecretBytes``.
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

    /// The key with an id; nil when it is not accepted.
    func key(_ id: UInt8) -> Key? { keys.first { $0.id == id } }
}
