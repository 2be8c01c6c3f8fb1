import Bytes
import Compression
import HTTP
import HTTPServer
import Rendering

/// The public files: those the program carries, each replaced by a file of the same name in the
/// folder given, and what else that folder holds.
///
/// Made once and shared by all loops; everything small is compressed once.
package struct AssetLibrary: Sendable {
    /// A public file.
    struct Entry: Sendable {
        let content: StaticContent
        /// The name with the hash of the content in it, which may be cached for ever.
        let hashedName: String
    }

    /// What is found under a path.
    struct Found {
        let entry: Entry
        /// Whether the path names the content, so that it never changes.
        let isImmutable: Bool
    }

    private var entries: [[String]: Entry] = [:]

    /// What the folder holds that is not served: links and what is no file.
    package private(set) var skipped: [String] = []

    /// Makes the library of what the program carries.
    package init() {
        for asset in Assets.all {
            add(
                [asset.name],
                .memory(asset.content),
                mediaType: MediaType(fileName: asset.name),
                hash: asset.hash,
                lastModified: nil
            )
        }
    }

    /// Makes the library of what the program carries and of a folder.
    ///
    /// - Throws: Why the folder cannot be served.
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

    /// The content compressed; nil where that gains too little to be worth two forms.
    private static func compressed(
        _ source: StaticContent.Source,
        _ mediaType: MediaType
    ) -> [UInt8]? {
        guard case .memory(let bytes) = source, mediaType.isCompressible else { return nil }
        return compressed(bytes)
    }

    /// Bytes compressed once and for all; nil where that gains too little to be worth two forms.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count >= ContentCoder.minimumBytes,
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

    /// The name to link a file of the topmost folder by; nil when there is none.
    func hashedName(_ name: String) -> String? { entries[[name]]?.hashedName }

    /// Finds a file by its path, or by its path with a hash in the name.
    ///
    /// A hash of other content than there is now leads to what there is now, but not for ever: while
    /// servers are replaced one by one, a page of an old one may ask a new one for its files.
    func find(_ path: [String]) -> Found? {
        if let entry = entries[path] { return Found(entry: entry, isImmutable: false) }
        guard let name = path.last, let unhashed = Self.withoutHash(name),
            let entry = entries[path.dropLast() + [unhashed.name]]
        else { return nil }
        return Found(entry: entry, isImmutable: unhashed.hash == entry.content.hash)
    }

    /// `style.9c1f03aa.css` as `style.css` and `9c1f03aa`; nil for a name without a hash in it.
    private static func withoutHash(_ name: String) -> (name: String, hash: String)? {
        var parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 2 else { return nil }
        // A name without an ending has the hash at its end.
        let index = parts.count == 2 ? 1 : parts.count - 2
        let hash = parts.remove(at: index)
        let isHash = (1...16).contains(hash.utf8.count) && hash.utf8.allSatisfy(isHexadecimal)
        return isHash ? (parts.joined(separator: "."), String(hash)) : nil
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    /// The hashes of the files, by their paths.
    var hashes: [String: String] {
        Dictionary(
            uniqueKeysWithValues: entries.map { path, entry in
                (path.joined(separator: "/"), entry.content.hash)
            }
        )
    }

    /// Names everything that pages link to.
    var fingerprint: String {
        Assets.all.map { entries[[$0.name]]?.content.hash ?? "" }.joined()
    }
}
