package struct PageFrame: Hashable, Sendable {
    package var css = ""
    package var logo: Logo?
    package var footer: String?
    package var imageHosts = ImageHosts.empty

    package init() {}

    package struct Logo: Hashable, Sendable {
        package let name: String
        package let content: [UInt8]

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
