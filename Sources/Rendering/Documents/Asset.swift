package struct Asset: Sendable {
    package let name: String
    package let content: [UInt8]
    /// The hash of the content: FNV-1a, 64 bits (RFC 9923), in hexadecimal digits.
    package let hash: String

    package init(_ name: String, _ content: [UInt8]) {
        self.name = name
        self.content = content
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in content { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01B3 }
        self.hash = String(hash, radix: 16)
    }
}

package enum Assets {
    package static let all = [
        Asset("favicon.svg", PackageResources.favicon_svg),
        Asset("list.js", joined(scripts, before: "{}()=,;:?&|<>", after: "{}()=,;:?&|<>")),
        Asset("style.css", joined([PackageResources.style_css], before: "{}", after: "{}:;,")),
    ]

    /// The modules of the script by layers: the document, navigation, tables, editing, the start.
    ///
    /// A module imports only modules before it. Listeners run in this order, too.
    private static let scripts = [
        PackageResources.document_js, PackageResources.layout_js,
        PackageResources.panel_js, PackageResources.navigation_js,
        PackageResources.filters_js, PackageResources.columns_js, PackageResources.dragging_js,
        PackageResources.preferences_js, PackageResources.scrolling_js,
        PackageResources.changes_js, PackageResources.writing_js, PackageResources.pickers_js,
        PackageResources.board_js,
        PackageResources.drafts_js,
        PackageResources.editing_js, PackageResources.selection_js,
        PackageResources.cells_js, PackageResources.cursor_js,
        PackageResources.keyboard_js, PackageResources.times_js, PackageResources.main_js,
    ]

    /// Joins modules into one file without comments, indentation and the links between modules.
    ///
    /// A comment, an `import` and an `export` each have a line of their own or begin one. Blanks
    /// before and after the given signs are left out.
    static func joined(
        _ modules: [[UInt8]],
        before: StaticString = "",
        after: StaticString = ""
    ) -> [UInt8] {
        let (before, after) = (Set(before.description.utf8), Set(after.description.utf8))
        var content: [UInt8] = []
        for line in modules.joined(separator: [UInt8(ascii: "\n")]).split(
            separator: UInt8(ascii: "\n")
        ) {
            var line = line.drop { $0 == UInt8(ascii: " ") }
            if ["//", "/*", "import "].contains(where: { line.starts(with: $0.utf8) }) { continue }
            if line.starts(with: "export ".utf8) { line = line.dropFirst(7) }
            guard !line.isEmpty else { continue }
            content += tightened(line, before: before, after: after)
            content.append(UInt8(ascii: "\n"))
        }
        return content
    }

    /// Leaves out blanks outside texts; a line with a regular expression or a template stays.
    private static func tightened(
        _ line: ArraySlice<UInt8>,
        before: Set<UInt8>,
        after: Set<UInt8>
    ) -> [UInt8] {
        guard !line.contains(where: { "/`'\\".utf8.contains($0) }) else { return Array(line) }
        let (blank, quote) = (UInt8(ascii: " "), UInt8(ascii: "\""))
        var result: [UInt8] = []
        var isText = false
        for index in line.indices {
            let byte = line[index]
            if byte == quote { isText.toggle() }
            let next = line[(index + 1)...].first
            let isNeeded =
                byte != blank || isText
                || !after.contains(result.last ?? blank) && !before.contains(next ?? blank)
            if isNeeded { result.append(byte) }
        }
        return result
    }
}
