package enum LinkAddress {
    private static let schemes = ["http", "https", "mailto", "tel"]

    /// Whether a URL, given as UTF-8, has a known scheme or belongs to this service.
    ///
    /// Browsers remove tabs, line ends and leading controls before they parse the scheme. Therefore
    /// all controls, spaces and backslashes are refused (URL Standard §4.4).
    package static func isSafe(_ address: borrowing Span<UInt8>) -> Bool {
        guard address.count > 0 else { return false }
        for index in 0..<address.count {
            switch address[index] {
            case 0...0x20, 0x7F, UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "<"),
                UInt8(ascii: ">"), UInt8(ascii: "`"):
                return false
            default: continue
            }
        }
        guard let colon = schemeEnd(address) else {
            // Two slashes are followed by the name of another host.
            return address.count < 2 || address[0] != UInt8(ascii: "/")
                || address[1] != UInt8(ascii: "/")
        }
        return schemes.contains { scheme in
            guard scheme.utf8.count == colon else { return false }
            for (index, letter) in scheme.utf8.enumerated()
            where address[index] | 0x20 != letter {
                return false
            }
            return true
        }
    }

    private static func schemeEnd(_ address: borrowing Span<UInt8>) -> Int? {
        for index in 0..<address.count {
            switch address[index] {
            case UInt8(ascii: ":"): return index
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): return nil
            default: continue
            }
        }
        return nil
    }
}
