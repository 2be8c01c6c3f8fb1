import Foundation

/// A socket of datagrams, as a service manager has for sd_notify(3).
final class NotifyReceiver {
    /// The name for `NOTIFY_SOCKET`.
    let name: String
    private let descriptor: Int32

    init(_ name: String) throws {
        self.name = name
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        if name.hasPrefix("@") { bytes[0] = 0 }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, length)
            }
        }
        guard result == 0 else { throw CocoaError(.fileWriteUnknown) }
        // Longer than any message takes.
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    }

    deinit { close(descriptor) }

    /// Whether no message waits.
    var isEmpty: Bool {
        var byte: UInt8 = 0
        return unsafe recv(
            descriptor,
            &byte,
            1,
            Int32(MSG_DONTWAIT | MSG_PEEK)
        ) < 0
    }

    func receive() throws -> [String] {
        var bytes = [UInt8](repeating: 0, count: 1_024)
        let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { throw CocoaError(.fileReadUnknown) }
        return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
            .map(String.init)
    }
}
