import Glibc

/// The descriptors 0, 1 and 2, which every program takes for granted.
package enum StandardDescriptors {
    /// Opens those that the process was started without, on nothing.
    ///
    /// To be called first: else a socket or a database may get the number of standard error and be
    /// written into by every message.
    package static func open() {
        while true {
            // SAFETY: the path is a literal; without O_CREAT there is no third argument.
            let rawValue = unsafe Glibc.open("/dev/null", O_RDWR)
            // The kernel gives out the lowest number that is free.
            guard rawValue >= 0, rawValue <= STDERR_FILENO else {
                if rawValue >= 0 { close(rawValue) }
                return
            }
        }
    }
}

extension StandardError {
    /// Sends what is written from now on to the end of a file, also what child processes write that
    /// are started from now on.
    ///
    /// - Parameter path: The file; made, with the rights 0640 less the umask, where there is none.
    /// - Throws: Why it cannot be opened; what is written goes where it went before.
    package static func redirect(to path: String) throws(SystemError) {
        let rawValue = try checked("open") {
            // SAFETY: the path is a C string for the time of the call.
            unsafe Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o640)
        }
        let file = Descriptor(adopting: rawValue)
        // A line that another thread writes meanwhile goes to one of the two files, whole.
        _ = try checked("dup2") { dup2(file.rawValue, STDERR_FILENO) }
    }
}
