import Glibc

/// A file without a name, which is deleted with its last user, however that one ends.
package final class TemporaryFile: Sendable {
    private let descriptor: FileDescriptor

    package init(in folder: String) throws(SystemError) {
        let path = "\(folder)/roster-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        let number = try checked("open") {
            // SAFETY: the path lives for the call.
            unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        }
        descriptor = FileDescriptor(adopting: number)
        // SAFETY: the path lives for the call. If the name cannot be removed, only a file remains.
        _ = unsafe unlink(path)
    }

    /// Valid as long as this object lives.
    package var number: Int32 { descriptor.rawValue }

    /// The bytes that it has.
    package var size: Int {
        var status = stat()
        // SAFETY: the kernel fills `status` and keeps nothing; the descriptor is open.
        return unsafe fstat(number, &status) == 0 ? Int(status.st_size) : 0
    }

    /// After an error, for example on a full disk, some bytes may have been written.
    package func append(_ bytes: borrowing Span<UInt8>) throws(SystemError) {
        let number = number
        // SAFETY: the bytes are borrowed for the closure, which stores no address.
        try unsafe bytes.withUnsafeBytes { (all) throws(SystemError) in
            var written = 0
            while written < all.count {
                // SAFETY: written < all.count, and the bytes are borrowed for the closure.
                let rest = unsafe UnsafeRawBufferPointer(rebasing: all[written...])
                written += try checked("write") {
                    // SAFETY: the kernel reads `rest.count` bytes and stores no address.
                    unsafe write(number, rest.baseAddress, rest.count)
                }
            }
        }
    }
}

extension TemporaryFile {
    /// Makes a file with the same bytes, which is on the disk when this returns.
    ///
    /// The file has its name only when it is complete, so that a crash leaves no part of it.
    /// Fails with EEXIST if there is a file of the name.
    package func copy(to path: String) throws(SystemError) {
        let folder = String(path[...(path.lastIndex(of: "/") ?? path.startIndex)])
        // The flag O_TMPFILE, which is a macro of several values, makes a file without a name.
        let unnamed = O_WRONLY | O_CLOEXEC | O_DIRECTORY | 0o20_000_000
        let number = try checked("open") {
            // SAFETY: the path lives for the call.
            unsafe open(folder, unnamed, 0o666)
        }
        let copy = FileDescriptor(adopting: number)
        var offset = off_t(0)
        while try checked(
            "sendfile",
            { unsafe sendfile(number, descriptor.rawValue, &offset, 1 << 30) }
        )
            > 0
        {}
        _ = try checked("fsync") { fsync(number) }
        _ = try checked("linkat") {
            // SAFETY: both paths live for the call.
            unsafe linkat(AT_FDCWD, "/proc/self/fd/\(number)", AT_FDCWD, path, AT_SYMLINK_FOLLOW)
        }
        let parent = FileDescriptor(
            adopting: try checked("open") {
                // SAFETY: the path lives for the call.
                unsafe open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
            }
        )
        _ = try checked("fsync") { fsync(parent.rawValue) }
        withExtendedLifetime(copy) {}
    }

    /// Appends all bytes of standard input.
    ///
    /// The closure receives the number of bytes so far, after each read.
    package func appendInput(onProgress: (Int) -> Void) throws(SystemError) {
        var chunk = [UInt8](repeating: 0, count: 256 << 10)
        var total = 0
        while true {
            let count = try checked("read") {
                // SAFETY: the kernel writes at most the bytes that the array has.
                unsafe Glibc.read(STDIN_FILENO, &chunk, chunk.count)
            }
            guard count > 0 else { return }
            try append(chunk.span.extracting(0..<count))
            total += count
            onProgress(total)
        }
    }
}

package enum TextFile {
    package static func write(_ text: String, to path: String) throws(SystemError) {
        // SAFETY: the path lives for the call.
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw SystemError(call: "open", code: errno) }
        defer { close(descriptor) }
        if let code = Stream.write(Array(text.utf8), to: descriptor) {
            throw SystemError(call: "write", code: code)
        }
    }
}
