import System

/// A file that settings name, read whole; errors never repeat its content, which may be secret.
package enum SettingsFile {
    package static func text(
        of path: String,
        maximumBytes: Int = 64 * 1024
    ) throws(Failure) -> String {
        let bytes = try bytes(of: path, maximumBytes: maximumBytes)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(.badData, "\(path): not UTF-8")
        }
        return text
    }

    package static func bytes(of path: String, maximumBytes: Int) throws(Failure) -> [UInt8] {
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
        return bytes
    }
}
