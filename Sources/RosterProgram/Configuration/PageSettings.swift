import ListAPI
import Rendering

/// The parts of all pages: those that the program declares, and those that settings name.
package struct PageSettings: Hashable, Sendable {
    private static let maximumStyleBytes = 256 * 1024
    private static let maximumLogoBytes = 1024 * 1024

    /// The parts that the program declares.
    var declared = PageFrame()
    /// The title of the start page; nil for that of the program.
    var title: String?
    /// The file of CSS.
    var css: String?
    /// The file of the logo.
    var logo: String?
    /// The text at the end, in Markdown; empty for none.
    var footer: String?

    init() {}

    /// Returns the parts of all pages: those of the program, and those that settings name.
    ///
    /// - Throws: ``Failure`` for a file that cannot be read, and for one that pages cannot use.
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
