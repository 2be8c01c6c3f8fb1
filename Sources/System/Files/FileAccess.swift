import Glibc

package enum FileAccess: Hashable, Sendable {
    case isFolder
    case isMissing
    case folderIsMissing(String)
    case folderMayNotBeEntered(String)
    case folderMayNotBeWrittenTo(String)
    case mayNotBeRead
    case mayNotBeWrittenTo

    /// Finds the reason why a file could not be opened.
    ///
    /// A file opened for writing is created if missing. Nil if no reason is found.
    package static func reason(_ path: String, isForWriting: Bool) -> FileAccess? {
        let folder = self.folder(of: path)
        var status = stat()
        // SAFETY: the path is a NUL-terminated text for the call. stat fills a structure of this
        // function.
        guard unsafe stat(path, &status) != 0 else {
            if status.st_mode & S_IFMT == S_IFDIR { return .isFolder }
            if !may(R_OK, path) { return .mayNotBeRead }
            if isForWriting, !may(W_OK, path) { return .mayNotBeWrittenTo }
            return isForWriting && !may(W_OK, folder) ? .folderMayNotBeWrittenTo(folder) : nil
        }
        if !may(F_OK, folder) { return .folderIsMissing(folder) }
        if !may(X_OK, folder) { return .folderMayNotBeEntered(folder) }
        guard isForWriting else { return .isMissing }
        return may(W_OK, folder) ? nil : .folderMayNotBeWrittenTo(folder)
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func may(_ mode: Int32, _ path: String) -> Bool {
        // SAFETY: the path is a NUL-terminated text for the call.
        unsafe access(path, mode) == 0
    }
}
