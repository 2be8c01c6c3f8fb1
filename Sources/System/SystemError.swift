import Glibc

/// A system call that failed.
package struct SystemError: Error, Equatable {
    /// The call's name, as in its manual page.
    package let call: String

    /// The value of errno after the call.
    package let code: Int32

    /// Creates an error from a call's name and the value of errno after it.
    package init(call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    /// The C library's text for the code, such as "Address already in use".
    package var reason: String {
        var text = [UInt8](repeating: 0, count: 256)
        let failure = unsafe text.withUnsafeMutableBytes { room -> Int32 in
            // SAFETY: the library writes at most `room.count` bytes, the last of them a zero.
            guard let start = unsafe room.bindMemory(to: CChar.self).baseAddress else { return -1 }
            return unsafe strerror_r(code, start, room.count)
        }
        guard failure == 0 else { return "error \(code)" }
        return String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    }
}

extension SystemError {
    /// Whether another socket uses the address.
    package var isAddressInUse: Bool { code == EADDRINUSE }

    /// Whether the process lacks the right, as for ports below 1024.
    package var isPermission: Bool { code == EACCES || code == EPERM }

    /// Whether a pipe has no reader, or the file is a socket.
    package var isWithoutReader: Bool { code == ENXIO }

    /// Whether the address belongs to no interface of this machine.
    package var isAddressUnavailable: Bool {
        code == EADDRNOTAVAIL || code == EAFNOSUPPORT
    }
}

/// Repeats a system call while signals interrupt it.
///
/// - Parameters:
///   - call: The call's name, for the error.
///   - body: Makes the call and returns its result, -1 with errno set if it fails.
/// - Returns: The result, never -1.
/// - Throws: The call's name and errno, never EINTR.
func checked<Result: FixedWidthInteger & SignedInteger>(
    _ call: String,
    _ body: () -> Result
) throws(SystemError) -> Result {
    while true {
        let result = body()
        guard result == -1 else { return result }
        let code = errno
        guard code == EINTR else { throw SystemError(call: call, code: code) }
    }
}
