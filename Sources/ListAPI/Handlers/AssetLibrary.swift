import Bytes
import HTTP
import HTTPServer
package import Rendering
import System

/// The public files: those built into the program and those of a folder, which win.
package struct AssetLibrary: Sendable {
    struct Entry: Sendable {
        let content: StaticContent
        let hashedName: String
    }

    struct Found {
        let entry: Entry
        /// Whether the path contains the hash of the content, so that the response never changes.
        let isImmutable: Bool
    }

    private var entries: [[String]: Entry] = [:]

    /// The paths in the folder that are not served: links and other entries that are no files.
    package private(set) var skipped: [String] = []

    package private(set) var frame = PageFrame()

    package init() {
        for asset in Assets.all { add(asset) }
    }

    /// Throws ``Failure`` when the stylesheet of a folder is too large to add CSS to it.
    package func framed(by frame: PageFrame) throws(Failure) -> AssetLibrary {
        var library = self
        library.frame = frame
        if let logo = frame.logo { library.add(Asset(logo.name, logo.content)) }
        guard !frame.css.isEmpty else { return library }
        guard case .memory(let style)? = entries[["style.css"]]?.content.source else {
            throw Failure(.badData, "--public: style.css is over 1 MiB, so that no CSS can follow")
        }
        library.add(Asset("style.css", style + Array("\n\(frame.css)".utf8)))
        return library
    }

    private mutating func add(_ asset: Asset) {
        add(
            [asset.name],
            .memory(asset.content),
            mediaType: MediaType(fileName: asset.name),
            hash: asset.hash,
            lastModified: nil
        )
    }

    package init(folder path: String) throws(Failure) {
        self.init()
        let folder: PublicFolder
        do throws(PublicFolderError) {
            folder = try PublicFolder(path)
        } catch {
            throw Failure(error)
        }
        skipped = folder.skipped
        for file in folder.files {
            add(
                file.path,
                file.source,
                mediaType: MediaType(fileName: file.path.last ?? ""),
                hash: file.hash,
                lastModified: file.lastModified
            )
        }
    }

    private mutating func add(
        _ path: [String],
        _ source: StaticContent.Source,
        mediaType: MediaType,
        hash: String,
        lastModified: HTTPDate?
    ) {
        let name = path.last ?? ""
        let content = StaticContent(
            source,
            mediaType: mediaType,
            hash: hash,
            gzip: Self.compressed(source, mediaType),
            lastModified: lastModified
        )
        let hashedName = Self.hashedName(of: name, hash: hash)
        entries[path] = Entry(content: content, hashedName: hashedName)
    }

    private static func compressed(
        _ source: StaticContent.Source,
        _ mediaType: MediaType
    ) -> [UInt8]? {
        guard case .memory(let bytes) = source, mediaType.isCompressible else { return nil }
        return compressed(bytes)
    }

    /// Returns bytes as gzip; nil for few bytes, or where gzip saves less than a tenth.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count >= ResponseCompressor.minimumBytes,
            let encoder = GzipEncoder(level: GzipEncoder.thoroughLevel)
        else { return nil }
        var buffer = ByteBuffer()
        encoder.compress(bytes.span, into: &buffer)
        return buffer.count < bytes.count / 10 * 9 ? buffer.array() : nil
    }

    private static func hashedName(of name: String, hash: String) -> String {
        guard let dot = name.lastIndex(of: ".") else { return "\(name).\(hash)" }
        return "\(name[..<dot]).\(hash)\(name[dot...])"
    }

    func hashedName(_ name: String) -> String? { entries[[name]]?.hashedName }

    /// Returns a file by its path, or by its path with a hash in the name.
    ///
    /// The hash of other content returns the current content, but not as immutable. During a
    /// rolling update, a page of an old server may request its files from a new one.
    func find(_ path: [String]) -> Found? {
        if let entry = entries[path] { return Found(entry: entry, isImmutable: false) }
        guard let name = path.last, let unhashed = Self.withoutHash(name),
            let entry = entries[path.dropLast() + [unhashed.name]]
        else { return nil }
        return Found(entry: entry, isImmutable: unhashed.hash == entry.content.hash)
    }

    /// Splits `style.9c1f03aa.css` into `style.css` and `9c1f03aa`; nil for a name without a hash.
    private static func withoutHash(_ name: String) -> (name: String, hash: String)? {
        var parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 2 else { return nil }
        // A name without an extension has the hash at its end.
        let index = parts.count == 2 ? 1 : parts.count - 2
        let hash = parts.remove(at: index)
        let isHash = (1...16).contains(hash.utf8.count) && hash.utf8.allSatisfy(isHexadecimal)
        return isHash ? (parts.joined(separator: "."), String(hash)) : nil
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    package var hashes: [String: String] {
        Dictionary(
            uniqueKeysWithValues: entries.map { path, entry in
                (path.joined(separator: "/"), entry.content.hash)
            }
        )
    }

    var fingerprint: String {
        Assets.all.map { entries[[$0.name]]?.content.hash ?? "" }.joined()
            + (frame.logo.flatMap { hashedName($0.name) } ?? "") + (frame.footer ?? "")
    }
}

extension Failure {
    fileprivate init(_ error: PublicFolderError) {
        switch error {
        case .unreadable(let path, let reason):
            self.init(.noInput, "--public: \(path): \(reason)")
        case .tooManyFiles(let path, let limit):
            self.init(.noInput, "--public: \(path) holds over \(limit) files")
        case .tooManyLargeFiles(let path, let limit):
            self.init(.noInput, "--public: \(path) holds over \(limit) files of over 1 MiB")
        }
    }
}
