import Glibc

/// A file whose first line is a password, for example a secret mounted by an orchestrator.
enum PasswordFile {
    private static let maximumBytes = 4096

    /// Every connection reads it again, because secrets are rotated.
    static func read(_ path: String) throws(PostgresError) -> String {
        // SAFETY: the path is NUL-terminated during the call.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .noPassword(file: path) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: maximumBytes)
        // SAFETY: the array has the requested number of bytes.
        let count = unsafe Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw .noPassword(file: path) }
        let line = bytes[..<count].prefix { $0 != UInt8(ascii: "\n") && $0 != 0 }
        return String(decoding: line, as: UTF8.self)
    }
}
