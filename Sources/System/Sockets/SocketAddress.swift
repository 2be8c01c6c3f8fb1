import Glibc

/// An IPv4 or IPv6 address with a port, or the path of a Unix socket.
@safe
package struct SocketAddress: Sendable, CustomStringConvertible {
    private var storage: sockaddr_storage
    private var length: socklen_t

    /// A name is one that the system's resolver knows.
    ///
    /// Returns at least one address, without duplicates, in the resolver's order.
    package static func resolve(
        host: String,
        port: UInt16
    ) throws(AddressError) -> [SocketAddress] {
        // The C library would read a host only up to a zero byte.
        guard !host.isEmpty, !host.utf8.contains(0) else { throw .unknownHost(host) }
        // SAFETY: the resolver requires zeroed hints, including the pointers.
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = AF_UNSPEC
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        // SAFETY: the strings are read during the call only. The list is freed below.
        let code = unsafe getaddrinfo(host, nil, &hints, &first)
        guard code == 0 else { throw .unknownHost(host) }
        // SAFETY: the list belongs to this function, is read below and freed when it returns.
        defer { unsafe freeaddrinfo(first) }
        var addresses: [SocketAddress] = []
        var next = unsafe first
        while let entry = unsafe next {
            // SAFETY: the list stays alive until this function returns.
            if let found = unsafe SocketAddress(entry.pointee) {
                var address = found
                address.port = port
                if !addresses.contains(where: { $0.host == address.host }) {
                    addresses.append(address)
                }
            }
            unsafe next = entry.pointee.ai_next
        }
        guard !addresses.isEmpty else { throw .unknownHost(host) }
        return addresses
    }

    private init?(_ entry: addrinfo) {
        // SAFETY: the entry belongs to a resolver's list that is alive for the call.
        guard unsafe entry.ai_family == AF_INET || entry.ai_family == AF_INET6,
            let source = unsafe entry.ai_addr
        else { return nil }
        let count = unsafe Int(entry.ai_addrlen)
        guard count <= MemoryLayout<sockaddr_storage>.size else { return nil }
        storage = sockaddr_storage()
        length = unsafe entry.ai_addrlen
        unsafe withUnsafeMutableBytes(of: &storage) { room in
            // SAFETY: the resolver's address has `count` bytes, and the room has at least as many.
            unsafe room.copyMemory(from: UnsafeRawBufferPointer(start: source, count: count))
        }
    }

    /// Nil for a path that is empty, over 107 bytes long or contains a zero byte.
    package init?(path: String) {
        let bytes = Array(path.utf8)
        // Two bytes before the path are the family, one after it is a zero.
        guard (1...Self.longestPath).contains(bytes.count), !bytes.contains(0) else { return nil }
        storage = sockaddr_storage()
        storage.ss_family = sa_family_t(AF_UNIX)
        length = socklen_t(2 + bytes.count + 1)
        unsafe withUnsafeMutableBytes(of: &storage) { room in
            // SAFETY: the storage has 128 bytes, more than the family and the longest path.
            for (index, byte) in bytes.enumerated() { unsafe room[2 + index] = byte }
        }
    }

    /// In bytes.
    package static let longestPath = 107

    package init(of socket: borrowing FileDescriptor) throws(SystemError) {
        // SAFETY: the call is made with room for every address.
        try unsafe self.init("getsockname", socket, Glibc.getsockname)
    }

    package init(ofPeer socket: borrowing FileDescriptor) throws(SystemError) {
        // SAFETY: the call is made with room for every address.
        try unsafe self.init("getpeername", socket, Glibc.getpeername)
    }

    private init(
        _ name: String,
        _ socket: borrowing FileDescriptor,
        _ call: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) throws(SystemError) {
        let rawValue = socket.rawValue
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        _ = try checked(name) {
            unsafe withUnsafeMutablePointer(to: &storage) { pointer in
                // SAFETY: every socket address fits the storage, whose size is passed.
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    unsafe call(rawValue, address, &length)
                }
            }
        }
        self.storage = storage
        self.length = length
    }

    package var isIPv6: Bool { storage.ss_family == sa_family_t(AF_INET6) }

    package var isIP: Bool { isIPv6 || storage.ss_family == sa_family_t(AF_INET) }

    /// Empty for an unnamed Unix socket; nil for other addresses.
    package var path: String? {
        guard storage.ss_family == sa_family_t(AF_UNIX) else { return nil }
        // SAFETY: the storage has 128 bytes, read during the closure only.
        return unsafe withUnsafeBytes(of: storage) { bytes in
            // SAFETY: as above. The kernel has set the length of the address.
            let path = unsafe bytes[2..<max(2, Int(length))]
            return unsafe String(decoding: path.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    /// A number that identifies a client: an IPv4 address, or the 64-bit network of an IPv6
    /// address.
    ///
    /// One client may use all addresses of such a network. It is nil for a Unix socket.
    package var network: UInt64? {
        guard isIP else { return nil }
        // SAFETY: the storage has 128 bytes, read during the closure only. An IPv4 address is at
        // byte 4, an IPv6 address at byte 8.
        return unsafe withUnsafeBytes(of: storage) { bytes in
            func number(_ range: Range<Int>) -> UInt64 {
                // SAFETY: every range below lies in the storage.
                range.reduce(0) { unsafe $0 << 8 | UInt64(bytes[$1]) }
            }
            guard isIPv6 else { return number(4..<8) }
            // IPv4 in IPv6 (RFC 4291 §2.5.5.2), as a listener on :: reports it.
            let isMapped = number(8..<16) == 0 && number(16..<20) == 0xFFFF
            return isMapped ? number(20..<24) : number(8..<16)
        }
    }

    var family: Int32 { Int32(storage.ss_family) }

    package var port: UInt16 {
        get {
            guard isIP else { return 0 }
            // Both kinds of address have the port in bytes 2 and 3, the most significant first.
            // SAFETY: the storage has 128 bytes, read during the closure only.
            return unsafe withUnsafeBytes(of: storage) { unsafe UInt16($0[2]) << 8 | UInt16($0[3]) }
        }
        set {
            // SAFETY: the storage has 128 bytes, written during the closure only.
            unsafe withUnsafeMutableBytes(of: &storage) { bytes in
                unsafe bytes[2] = UInt8(newValue >> 8)
                unsafe bytes[3] = UInt8(newValue & 0xFF)
            }
        }
    }

    package var host: String {
        if let path { return "unix:\(path)" }
        var text = [CChar](repeating: 0, count: 128)
        let length = length
        let code = unsafe withAddress { address in
            // SAFETY: the library writes at most `text.count` bytes, the last of them a zero.
            unsafe getnameinfo(
                address,
                length,
                &text,
                socklen_t(text.count),
                nil,
                0,
                NI_NUMERICHOST
            )
        }
        guard code == 0 else { return "?" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    package var description: String {
        if path != nil { return host }
        return isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    @unsafe
    func withAddress(_ body: (UnsafePointer<sockaddr>) -> Int32) -> Int32 {
        unsafe withUnsafePointer(to: storage) { pointer in
            // SAFETY: the kernel reads `length` bytes of the storage, which are present.
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0) }
        }
    }

    var addressLength: socklen_t { length }
}

package enum AddressError: Error, Equatable {
    case unknownHost(String)
}
