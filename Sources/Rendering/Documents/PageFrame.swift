/// The parts that a program adds to all its pages.
package struct PageFrame: Hashable, Sendable {
    /// The CSS after the stylesheet.
    package var css = ""
    /// The picture in front of the path; nil for none.
    package var logo: Logo?
    /// The text at the end, in Markdown; nil for none.
    package var footer: String?
    /// The hosts whose images pages show, besides those of the settings.
    package var imageHosts = ImageHosts.empty

    package init() {}

    /// A picture that is served as a public file.
    package struct Logo: Hashable, Sendable {
        /// The name of the file, whose ending is that of its format.
        package let name: String
        /// The content of the file.
        package let content: [UInt8]

        /// Recognizes a picture by its content.
        ///
        /// Nil if it is no SVG, PNG, JPEG, GIF or WebP.
        package init?(_ content: [UInt8]) {
            func begins(_ text: String, at start: Int = 0) -> Bool {
                content.dropFirst(start).starts(with: text.utf8)
            }
            let ending: String
            if content.starts(with: [0x89]), begins("PNG\r\n", at: 1) {
                ending = "png"
            } else if content.starts(with: [0xFF, 0xD8, 0xFF]) {
                ending = "jpg"
            } else if begins("GIF8") {
                ending = "gif"
            } else if begins("RIFF"), begins("WEBP", at: 8) {
                ending = "webp"
            } else if String(validating: content, as: UTF8.self)?.contains("<svg") == true {
                ending = "svg"
            } else {
                return nil
            }
            name = "page-logo.\(ending)"
            self.content = content
        }
    }
}
