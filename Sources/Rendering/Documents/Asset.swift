/// A static file that pages use, such as the stylesheet.
package struct Asset: Sendable {
    /// The file name, such as `style.css`.
    package let name: String
    /// The content.
    package let content: [UInt8]
    /// The hash of the content: FNV-1a, 64 bits (RFC 9923), in hexadecimal digits.
    package let hash: String

    /// Creates a file.
    package init(_ name: String, _ content: [UInt8]) {
        self.name = name
        self.content = content
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in content { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01B3 }
        self.hash = String(hash, radix: 16)
    }
}

/// The files of `Public`, which the build embeds in the program.
package enum Assets {
    /// The files, by name.
    package static let all = [
        Asset("favicon.svg", PackageResources.favicon_svg),
        Asset("list.js", PackageResources.list_js),
        Asset("style.css", PackageResources.style_css),
    ]
}
