import ListAPI
import Rendering

package struct PageFrameSettings: Hashable, Sendable {
    private static let maximumStyleBytes = 256 * 1024
    private static let maximumLogoBytes = 1024 * 1024

    var declared = PageFrame()
    var title: String?
    var css: String?
    var logo: String?
    /// The text at the end, in Markdown; empty for none.
    var footer: String?

    init() {}

    func frame() throws(Failure) -> PageFrame {
        var frame = declared
        if let css {
            let text = try Self.reading("--css") { () throws(Failure) in
                try SettingsFile.text(of: css, maximumBytes: Self.maximumStyleBytes)
            }
            if let error = StyleCheck.error(in: text) {
                throw Failure(.badData, "--css: \(css): \(error)")
            }
            frame.css += text
        }
        if let logo {
            let content = try Self.reading("--logo") { () throws(Failure) in
                try SettingsFile.bytes(of: logo, maximumBytes: Self.maximumLogoBytes)
            }
            guard let picture = PageFrame.Logo(content) else {
                throw Failure(.badData, "--logo: \(logo): no SVG, PNG, JPEG, GIF or WebP picture")
            }
            frame.logo = picture
        }
        if let footer { frame.footer = footer.isEmpty ? nil : footer }
        return frame
    }

    private static func reading<Content>(
        _ flag: String,
        _ read: () throws(Failure) -> Content
    ) throws(Failure) -> Content {
        do { return try read() } catch { throw Failure(error.code, "\(flag): \(error.text)") }
    }
}
