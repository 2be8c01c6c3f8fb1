/// A file that comes with the pages, such as the stylesheet.
package struct Asset: Sendable {
    /// The name of the file: `style.css`.
    package let name: String
    /// Names the content: another content has another hash.
    package let hash: String
    /// The media type with its charset, as a field value.
    package let mediaType: String
    /// The content.
    package let content: StaticString

    /// The name with the hash in it, `style.9c1f03aa.css`, which may be cached for ever.
    package var hashedName: String {
        guard let dot = name.lastIndex(of: ".") else { return "\(name).\(hash)" }
        return "\(name[..<dot]).\(hash)\(name[dot...])"
    }
}
