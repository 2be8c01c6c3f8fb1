/// Formats that are not read, because other programs convert them or because they have no table.
package enum ForeignFormat: Hashable, Sendable, CaseIterable {
    case parquet
    /// Apache Arrow, also called Feather.
    case arrow
    /// Excel before 2007.
    case oldExcel
    case binaryExcel
    case encryptedOffice
    case pdf
    case picture
    case markup

    private var fileExtensions: [String] {
        switch self {
        case .parquet: ["parquet"]
        case .arrow: ["arrow", "feather"]
        case .oldExcel: ["xls"]
        case .binaryExcel: ["xlsb"]
        case .encryptedOffice, .pdf, .picture, .markup: []
        }
    }

    package init?(path: String) {
        let lowered = path.lowercased()
        let known = Self.allCases.first { format in
            format.fileExtensions.contains { lowered.hasSuffix(".\($0)") }
        }
        guard let known else { return nil }
        self = known
    }

    /// The path distinguishes old from encrypted workbooks, which begin alike.
    ///
    /// Nil for any other format.
    package init?(beginning: borrowing Span<UInt8>, path: String) {
        func begins(_ bytes: [UInt8]) -> Bool {
            guard beginning.count >= bytes.count else { return false }
            for index in bytes.indices where beginning[index] != bytes[index] { return false }
            return true
        }
        if begins(Array("PAR1".utf8)) {
            self = .parquet
        } else if begins(Array("ARROW1".utf8)) || begins(Array("FEA1".utf8)) {
            self = .arrow
        } else if begins([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]) {
            self = FileFormat(path: path) == .workbook ? .encryptedOffice : .oldExcel
        } else if begins(Array("%PDF-".utf8)) {
            self = .pdf
        } else if begins([0x89, 0x50, 0x4E, 0x47]) || begins([0xFF, 0xD8, 0xFF])
            || begins(Array("GIF8".utf8))
        {
            self = .picture
        } else {
            let bytes = (0..<min(beginning.count, 100)).map { beginning[$0] }
            let text = String(decoding: bytes, as: UTF8.self)
                .drop { $0.isWhitespace || $0 == "\u{FEFF}" }.lowercased()
            let marks = ["<!doctype", "<html", "<?xml"]
            guard marks.contains(where: text.hasPrefix) else { return nil }
            self = .markup
        }
    }

    /// Nil for an encrypted file, which needs its password, and for one without a table.
    package func command(for path: String) -> String? {
        let stem = path.lastIndex(of: ".").map { String(path[..<$0]) } ?? path
        switch self {
        case .parquet: return "duckdb -c \"COPY '\(path)' TO '\(stem).csv'\""
        case .arrow:
            return "python3 -c \"import pyarrow.feather as f, pyarrow.csv as c; "
                + "c.write_csv(f.read_table('\(path)'), '\(stem).csv')\""
        case .oldExcel, .binaryExcel:
            return "libreoffice --convert-to xlsx '\(path)'"
        case .encryptedOffice, .pdf, .picture, .markup: return nil
        }
    }
}
