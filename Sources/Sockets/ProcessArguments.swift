import Glibc

/// The arguments of the process, as `ps` shows them to every user of the machine.
package enum ProcessArguments {
    /// Overwrites the passwords of addresses (`scheme://user:password@host`) with `*`.
    ///
    /// Called once, before other threads are started.
    package static func hidePasswords() {
        for index in 0..<Int(CommandLine.argc) {
            // SAFETY: argv has argc texts, which the process may change (C17, 5.1.2.2.1); no other
            // thread runs yet, and a text keeps its length.
            guard let argument = unsafe CommandLine.unsafeArgv[index] else { continue }
            let text = unsafe String(cString: argument)
            guard let range = passwordRange(in: Array(text.utf8)) else { continue }
            // SAFETY: as above; the range lies within the text.
            for place in range { unsafe argument[place] = CChar(UInt8(ascii: "*")) }
        }
    }

    /// The bytes of the password of an address; nil where there is none.
    package static func passwordRange(in bytes: [UInt8]) -> Range<Int>? {
        let mark = Array("://".utf8)
        guard let colon = bytes.indices.first(where: { bytes[$0...].starts(with: mark) }),
            let at = bytes.lastIndex(of: UInt8(ascii: "@")), at > colon + 3,
            let start = bytes[(colon + 3)..<at].firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        return start + 1..<at
    }
}
