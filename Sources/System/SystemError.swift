import Glibc

package struct SystemError: Error, Equatable {
    package let call: String

    /// The value of errno after the call.
    package let code: Int32

    package init(call: String, code: Int32) {
        self.call = call
        self.code = code
    }

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
    package var isAddressInUse: Bool { code == EADDRINUSE }

    /// Whether the process lacks the right, as for ports below 1024.
    package var isPermission: Bool { code == EACCES || code == EPERM }

    package var isWithoutReader: Bool { code == ENXIO }

    package var isExisting: Bool { code == EEXIST }

    package var isFull: Bool { [ENOSPC, EDQUOT, EFBIG].contains(code) }

    package var isAddressUnavailable: Bool {
        code == EADDRNOTAVAIL || code == EAFNOSUPPORT
    }
}

/// Repeats a system call while signals interrupt it.
///
/// The closure returns -1 with errno set if the call fails. The result is never -1, the error never
/// EINTR.
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
