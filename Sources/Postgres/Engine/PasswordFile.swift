import Glibc

/// A file whose first line is a password, as orchestrators mount secrets.
enum PasswordFile {
    /// The most bytes of a password.
    private static let maximumBytes = 4096

    /// Reads the password; asked at every connection, because secrets are exchanged.
    static func read(_ path: String) throws(PostgresError) -> String {
        // SAFETY: the path ends in NUL for the call.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .noPassword(file: path) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: maximumBytes)
        // SAFETY: the array has as many bytes as are asked for.
        let count = unsafe Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw .noPassword(file: path) }
        let line = bytes[..<count].prefix { $0 != UInt8(ascii: "\n") && $0 != 0 }
        return String(decoding: line, as: UTF8.self)
    }
}
