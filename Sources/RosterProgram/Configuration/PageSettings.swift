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

    /// Applies the value of a setting.
    ///
    /// - Throws: ``ConfigurationError/missingValue(_:)`` for a file without a name.
    mutating func set(
        _ key: Option.Key,
        to value: String,
        origin: String
    ) throws(ConfigurationError) {
        switch key {
        case .title: title = value
        case .footer: footer = value
        case .css, .logo:
            guard !value.isEmpty else { throw .missingValue(origin) }
            if key == .css { css = value } else { logo = value }
        default: preconditionFailure("\(key) is no part of pages")
        }
    }

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

    static let options = [
        Option(
            key: .title,
            flag: "--title",
            variable: "ROSTER_TITLE",
            placeholder: "TEXT",
            standard: "Lists",
            summary: "title of the start page"
        ),
        Option(
            key: .css,
            flag: "--css",
            variable: "ROSTER_CSS",
            placeholder: "FILE",
            standard: "none",
            summary: "CSS after the stylesheet of all pages"
        ),
        Option(
            key: .logo,
            flag: "--logo",
            variable: "ROSTER_LOGO",
            placeholder: "FILE",
            standard: "none",
            summary: "picture at the top of all pages: SVG, PNG, JPEG, GIF or WebP"
        ),
        Option(
            key: .footer,
            flag: "--footer",
            variable: "ROSTER_FOOTER",
            placeholder: "TEXT",
            standard: "none",
            summary: "text at the end of all pages, as in [Imprint](https://example.org/imprint)"
        ),
    ]
}
