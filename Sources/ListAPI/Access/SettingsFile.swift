import System

/// A file that settings name, read whole; errors never repeat its content, which may be secret.
package enum SettingsFile {
    /// The maximum number of bytes.
    private static let maximumBytes = 64 * 1024

    /// Reads a file.
    ///
    /// - Parameter path: The file.
    /// - Returns: The content of the file.
    /// - Throws: ``Failure`` when it is missing, unreadable, too large or not UTF-8.
    package static func text(of path: String) throws(Failure) -> String {
        let bytes: [UInt8]?
        do {
            bytes = try FolderFiles.content(of: path, maximumBytes: maximumBytes)
        } catch {
            switch error {
            case .unreadable(_, let code):
                let reason = SystemError(call: "open", code: code).reason
                throw Failure(.noInput, "\(path): \(reason)")
            case .fileTooLarge, .tooManyFiles:
                throw Failure(.badData, "\(path): at most \(maximumBytes) bytes")
            }
        }
        guard let bytes else { throw Failure(.noInput, "\(path): not a file") }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(.badData, "\(path): not UTF-8")
        }
        return text
    }
}
