import Glibc

/// A file that cannot be read or written, and why.
struct FileError: Error {
    let path: String
    let code: Int32
}

/// Reads a whole file.
func readFile(_ path: String) throws(FileError) -> [UInt8] {
    // SAFETY: the path is a C string for the time of the call.
    let descriptor = unsafe open(path, O_RDONLY)
    guard descriptor >= 0 else { throw FileError(path: path, code: errno) }
    defer { _ = close(descriptor) }
    var content: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        // SAFETY: the kernel writes at most as many bytes as the array holds.
        let count = unsafe read(descriptor, &piece, piece.count)
        guard count >= 0 else { throw FileError(path: path, code: errno) }
        guard count > 0 else { return content }
        content.append(contentsOf: piece[..<count])
    }
}

/// Writes a whole file, replacing what was there.
func writeFile(_ path: String, _ content: [UInt8]) throws(FileError) {
    // SAFETY: the path is a C string for the time of the call.
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard descriptor >= 0 else { throw FileError(path: path, code: errno) }
    defer { _ = close(descriptor) }
    var rest = content[...]
    while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes { bytes in
            // SAFETY: `bytes` lives for the closure and the count is its own.
            unsafe write(descriptor, bytes.baseAddress, bytes.count)
        }
        guard count > 0 else { throw FileError(path: path, code: errno) }
        rest = rest.dropFirst(count)
    }
}

/// The names of the files in a folder, sorted, so that equal folders give equal source; hidden ones
/// are left out.
func fileNames(in folder: String) throws(FileError) -> [String] {
    // SAFETY: the path is a C string for the time of the call.
    guard let directory = unsafe opendir(folder) else {
        throw FileError(path: folder, code: errno)
    }
    // SAFETY: opened above, closed once, not used afterwards.
    defer { _ = unsafe closedir(directory) }
    var names: [String] = []
    // SAFETY: the entry is read before the next call of readdir replaces it.
    while let entry = unsafe readdir(directory) {
        let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
}
