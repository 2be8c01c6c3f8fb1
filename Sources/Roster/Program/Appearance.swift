import ListAPI
import Rendering

/// The parts that an app adds to all its pages.
///
/// ```swift
/// let appearance = Appearance(
///     css: "#s-blue th { color: navy }",
///     footer: "Open from 9 to 17. [Imprint](/imprint)",
///     imageHosts: ["cdn.example.org"]
/// )
/// ```
///
/// CSS selects rows by their attribute `data-kind`, and sections by their id: `#s-blue`. The
/// settings `ROSTER_CSS`, `ROSTER_LOGO`, `ROSTER_FOOTER` and `ROSTER_IMAGE_HOSTS` add to it.
public struct Appearance: Hashable, Sendable {
    /// The CSS after the built-in stylesheet, or after the `style.css` of `ROSTER_PUBLIC`.
    public var css: String
    /// The logo at the top of each page, as SVG; nil for none.
    public var logo: String?
    /// The text at the end of each page, in Markdown: emphasis, code and links; nil for none.
    public var footer: String?
    /// The hosts whose images pages show; addresses of images of other hosts are links.
    public var imageHosts: [String]

    /// Creates an appearance.
    ///
    /// - Parameters:
    ///   - css: The CSS after the stylesheet.
    ///   - logo: The logo, as SVG.
    ///   - footer: The text at the end of each page, in Markdown.
    ///   - imageHosts: The hosts of images, each with its port if it has one.
    public init(
        css: String = "",
        logo: String? = nil,
        footer: String? = nil,
        imageHosts: [String] = []
    ) {
        self.css = css
        self.logo = logo
        self.footer = footer
        self.imageHosts = imageHosts
    }

    /// Fails for a part that pages cannot use.
    func frame() throws(Failure) -> PageFrame {
        var frame = PageFrame()
        if let error = StyleCheck.error(in: css) {
            throw Failure(.configuration, "appearance: css: \(error)")
        }
        (frame.css, frame.footer) = (css, footer)
        if let logo {
            guard let picture = PageFrame.Logo(Array(logo.utf8)), picture.name.hasSuffix(".svg")
            else {
                throw Failure(
                    .configuration,
                    "appearance: the logo is no SVG; --logo FILE takes other pictures"
                )
            }
            frame.logo = picture
        }
        for name in imageHosts {
            guard let host = ImageHosts(name), !name.contains(",") else {
                throw Failure(
                    .configuration,
                    "appearance: '\(name)' is no host of images, such as cdn.example.org"
                )
            }
            frame.imageHosts = frame.imageHosts.union(host)
        }
        return frame
    }
}
