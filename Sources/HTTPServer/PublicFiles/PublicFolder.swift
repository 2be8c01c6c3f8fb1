package import HTTP
import System

/// A folder of public files, read once.
///
/// Clients can request only the files found then: no path is made of bytes that a client sends. A
/// file that is replaced while the server runs is served unchanged.
package struct PublicFolder: Sendable {
    package struct File: Sendable {
        /// The names of the folders below the root, and of the file.
        package let path: [String]
        package let source: StaticContent.Source
        /// FNV-1a, 64 bits (RFC 9923).
        package let hash: String
        package let lastModified: HTTPDate?
    }

    package struct Limits: Sendable {
        /// The files of all folders together.
        ///
        /// Default 4096.
        package var files = 4096
        /// The maximum bytes of a file in memory; a larger file is held open.
        ///
        /// Default 1 MiB.
        package var bytesInMemory = 1024 * 1024
        /// The files that are held open.
        ///
        /// Default 64.
        package var openFiles = 64
        /// The maximum depth of folders.
        ///
        /// Default 8.
        package var depth = 8

        package init() {}
    }

    package private(set) var files: [File] = []

    /// The paths of entries that are not served: links to outside or nowhere, sockets and others.
    ///
    /// Names with a leading dot are not included.
    package private(set) var skipped: [String] = []

    private let limits: Limits
    private var openFiles = 0

    /// A symbolic link is followed if its target and every step to it lie in the folder.
    ///
    /// Those of a Kubernetes ConfigMap do: `style.css -> ..data/style.css`.
    ///
    /// Fails if the folder cannot be read or a limit is exceeded.
    package init(_ path: String, limits: Limits = Limits()) throws(PublicFolderError) {
        self.limits = limits
        do throws(SystemError) {
            let root = try FileDescriptor.folder(path)
            try read(root, at: [], inside: [try root.fileFacts().identity], of: root)
        } catch {
            throw .unreadable(path: path, reason: error.reason)
        }
        if files.count > limits.files { throw .tooManyFiles(path: path, limit: limits.files) }
        if openFiles > limits.openFiles {
            throw .tooManyLargeFiles(path: path, limit: limits.openFiles)
        }
        files.sort { $0.path.lexicographicallyPrecedes($1.path) }
    }

    private var isOverLimit: Bool {
        files.count > limits.files || openFiles > limits.openFiles
    }

    private mutating func read(
        _ folder: borrowing FileDescriptor,
        at path: [String],
        inside folders: [FileFacts.Identity],
        of root: borrowing FileDescriptor
    ) throws(SystemError) {
        for name in try folder.names() where !name.hasPrefix(".") && !isOverLimit {
            let path = path + [name]
            guard let entry = try root.openBeneath(path.joined(separator: "/")) else {
                skipped.append(path.joined(separator: "/"))
                continue
            }
            let facts = try entry.fileFacts()
            switch facts.kind {
            case .folder
            where path.count < limits.depth && !folders.contains(facts.identity):
                // A link to a folder above would be followed forever.
                try read(entry, at: path, inside: folders + [facts.identity], of: root)
            case .file:
                let source = try read(entry, size: facts.size)
                let date = HTTPDate(secondsSince1970: facts.secondsOfChange)
                files.append(
                    File(
                        path: path,
                        source: source.source,
                        hash: source.hash,
                        lastModified: date
                    )
                )
            case .folder, .other:
                skipped.append(path.joined(separator: "/"))
            }
        }
    }

    private mutating func read(
        _ file: consuming FileDescriptor,
        size: Int
    ) throws(SystemError) -> (source: StaticContent.Source, hash: String) {
        var hash = ContentHash()
        guard size > limits.bytesInMemory else {
            let bytes = try file.contents(expecting: size)
            hash.add(bytes.span)
            return (.memory(bytes), hash.text)
        }
        openFiles += 1
        var count = 0
        var room = [UInt8](repeating: 0, count: 256 * 1024)
        while true {
            let piece = try file.read(into: &room)
            guard piece > 0 else { break }
            hash.add(room.span.extracting(..<piece))
            count += piece
        }
        let open = OpenFile(file)
        let source = StaticContent.Source.file(
            owner: open,
            rawDescriptor: open.descriptor.rawValue,
            count: count
        )
        return (source, hash.text)
    }
}

package enum PublicFolderError: Error, Hashable, Sendable {
    case unreadable(path: String, reason: String)
    case tooManyFiles(path: String, limit: Int)
    /// It holds more files too large for memory than allowed.
    case tooManyLargeFiles(path: String, limit: Int)
}

private final class OpenFile: Sendable {
    let descriptor: FileDescriptor

    init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
}

/// A hash of bytes, different for different bytes unless a collision is constructed.
package struct ContentHash: Sendable {
    private var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    package mutating func add(_ bytes: borrowing Span<UInt8>) {
        var value = value
        for index in bytes.indices {
            value = (value ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01B3
        }
        self.value = value
    }

    package var text: String { String(value, radix: 16) }
}
