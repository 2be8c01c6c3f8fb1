import Glibc

/// The arguments of the process, as `ps` shows them to every user of the machine.
package enum ProcessArguments {
    /// The name of the program comes first.
    ///
    /// They are read from the kernel. Swift looks for them next to the environment. It finds none
    /// if a library, as of `LD_PRELOAD`, has moved that before the start.
    package static func all() -> [String] {
        // Linux allows arguments of 2 MiB and an environment of the same by default.
        guard
            let bytes = try? FolderFiles.content(
                of: "/proc/self/cmdline",
                maximumBytes: 16 << 20
            ), bytes.last == 0
        else { return CommandLine.arguments }
        return bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Overwrites the passwords in URLs (`scheme://user:password@host?password=…`) with `*`.
    ///
    /// Call it once, before other threads are started.
    package static func hidePasswords() {
        for index in 0..<Int(CommandLine.argc) {
            // SAFETY: argv has argc texts, which the process may change (C17, 5.1.2.2.1). No other
            // thread runs yet, and a text keeps its length.
            guard let argument = unsafe CommandLine.unsafeArgv[index] else { continue }
            let text = unsafe String(cString: argument)
            // SAFETY: as above. The ranges lie within the text.
            for location in passwordRanges(in: Array(text.utf8)).joined() {
                unsafe argument[location] = CChar(UInt8(ascii: "*"))
            }
        }
    }

    /// Passwords stand before the host, and in parameters such as `password=` and `sslpassword=`.
    package static func passwordRanges(in bytes: [UInt8]) -> [Range<Int>] {
        let mark = Array("://".utf8)
        guard let colon = bytes.indices.first(where: { bytes[$0...].starts(with: mark) }) else {
            return []
        }
        var ranges: [Range<Int>] = []
        if let at = bytes.lastIndex(of: UInt8(ascii: "@")), at > colon + 3,
            let start = bytes[(colon + 3)..<at].firstIndex(of: UInt8(ascii: ":"))
        {
            ranges.append(start + 1..<at)
        }
        let name = Array("password=".utf8)
        for index in bytes.indices.dropFirst(colon) where bytes[index...].starts(with: name) {
            let start = index + name.count
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "&")) ?? bytes.count
            ranges.append(start..<end)
        }
        return ranges
    }
}
