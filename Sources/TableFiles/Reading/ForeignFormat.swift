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
    case page
    case xml
    case markdown
    case sql
    /// JSON in a file whose name says CSV.
    case json
    case postgresDump
    case mysqlDump
    case xz
    case bzip2
    case zstd
    case sevenZip
    case tar

    private var fileExtensions: [String] {
        switch self {
        case .parquet: ["parquet"]
        case .arrow: ["arrow", "feather"]
        case .oldExcel: ["xls"]
        case .binaryExcel: ["xlsb"]
        case .markdown: ["md", "markdown"]
        case .sql: ["sql"]
        case .tar: ["tar", "tgz", "tar.gz"]
        case .encryptedOffice, .pdf, .picture, .page, .xml, .json, .postgresDump, .mysqlDump: []
        case .xz, .bzip2, .zstd, .sevenZip: []
        }
    }

    private var beginnings: [[UInt8]] {
        switch self {
        case .parquet: [Array("PAR1".utf8)]
        case .arrow: [Array("ARROW1".utf8), Array("FEA1".utf8)]
        case .oldExcel: [[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]]
        case .pdf: [Array("%PDF-".utf8)]
        case .picture: [[0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], Array("GIF8".utf8)]
        case .xz: [[0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]]
        case .bzip2: (1...9).map { Array("BZh\($0)1AY&SY".utf8) }
        case .zstd: [[0x28, 0xB5, 0x2F, 0xFD]]
        case .sevenZip: [[0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]]
        case .postgresDump: [Array("--\n-- PostgreSQL database dump".utf8)]
        case .mysqlDump: [Array("-- MySQL dump".utf8), Array("-- MariaDB dump".utf8)]
        case .binaryExcel, .encryptedOffice, .page, .xml, .markdown, .sql, .json, .tar: []
        }
    }

    /// Whether a text may have the format and be a table with delimiters nevertheless.
    package var isUnsure: Bool { [.markdown, .sql, .json].contains(self) }

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
        let bytes = (0..<min(beginning.count, 1000)).map { beginning[$0] }
        let known = Self.allCases.first { $0.beginnings.contains(where: bytes.starts(with:)) }
        if let known {
            let isEncrypted = known == .oldExcel && FileFormat(path: path) == .workbook
            self = isEncrypted ? .encryptedOffice : known
            return
        }
        let text = String(decoding: bytes, as: UTF8.self)
            .drop { $0.isWhitespace || $0 == "\u{FEFF}" }.lowercased()
        if ["<!doctype html", "<html", "<table"].contains(where: text.hasPrefix) {
            self = .page
        } else if text.hasPrefix("<?xml") || text.hasPrefix("<!doctype") {
            self = .xml
        } else if Self.statements.contains(where: text.hasPrefix) {
            self = .sql
        } else if FileFormat(path: path)?.isDelimited == true {
            let lines = text.split(maxSplits: 2, whereSeparator: \.isNewline)
            let hasRule = lines.count > 1 && lines[1].allSatisfy { "|:- ".contains($0) }
            if hasRule, text.hasPrefix("|") {
                self = .markdown
            } else if text.starts(with: /[\[{]\s*[\[{"\]}]/) {
                self = .json
            } else {
                return nil
            }
        } else {
            return nil
        }
    }

    private static let statements = [
        "create table ", "insert into ", "drop table ", "pragma foreign_keys", "begin transaction;",
    ]

    /// Nil for an encrypted file, which needs its password, and for one without a table.
    ///
    /// The command writes another file than the one that it reads.
    package func command(for path: String) -> String? {
        let stem = path.lastIndex(of: ".").map { String(path[..<$0]) } ?? path
        func other(_ ending: String) -> String {
            let name = "\(stem).\(ending)"
            return name == path ? "\(stem)-converted.\(ending)" : name
        }
        func unpacked(_ ending: String) -> String {
            path.hasSuffix(".\(ending)") ? stem.shellWord : "\(stem)-unpacked.csv".shellWord
        }
        let file = path.shellWord
        switch self {
        case .parquet:
            let texts = [path, other("csv")].map { "'\($0.replacing("'", with: "''"))'" }
            return "duckdb -c " + "COPY \(texts[0]) TO \(texts[1])".shellWord
        case .arrow:
            return Self.python(
                "pyarrow.feather as f, pyarrow.csv as c",
                "c.write_csv(f.read_table(argv[1]), argv[2])",
                path,
                other("csv")
            )
        case .oldExcel, .binaryExcel: return "libreoffice --convert-to xlsx \(file)"
        case .page:
            return Self.python(
                "pandas",
                "pandas.read_html(argv[1])[0].to_csv(argv[2], index=False)",
                path,
                other("csv")
            )
        case .markdown:
            return "sed -E 's/\\r$//; /^ *[|]/!d; /^ *[|](( *:?-{2,}:? *|:?-:?)[|])+ *$/d; "
                + "s/^ *[|] *| *[|] *$//g; s/ *[|] */\\t/g' "
                + "\(file) > \(other("tab").shellWord)"
        case .sql: return "sqlite3 \(other("sqlite").shellWord) < \(file)"
        case .json: return "cp \(file) \(other("json").shellWord)"
        case .postgresDump:
            let name = FileFormat.name(ofFileAt: path).shellWord
            return "createdb \(name) && psql \(name) -f \(file)"
        case .xz: return "xz -dc \(file) > \(unpacked("xz"))"
        case .bzip2: return "bzip2 -dc \(file) > \(unpacked("bz2"))"
        case .zstd: return "zstd -dc \(file) > \(unpacked("zst"))"
        case .sevenZip: return "7z x \(file)"
        case .tar: return "tar -xf \(file)"
        case .encryptedOffice, .pdf, .picture, .xml, .mysqlDump: return nil
        }
    }

    /// A command that runs a program in Python with the paths of a file and of its result.
    package static func python(
        _ modules: String,
        _ program: String,
        _ path: String,
        _ result: String
    ) -> String {
        "python3 -c \"from sys import argv; import \(modules); \(program)\" "
            + "\(path.shellWord) \(result.shellWord)"
    }
}

extension String {
    /// The text as a word of a command, in quotation marks if a shell would change it.
    package var shellWord: String {
        if allSatisfy({ $0.isLetter || $0.isNumber || "_-=,.:/+@%".contains($0) }), !isEmpty {
            return self
        }
        let isQuotable = contains("'") && !contains { "\"\\$`!".contains($0) }
        return isQuotable ? "\"\(self)\"" : "'\(replacing("'", with: "'\\''"))'"
    }
}
