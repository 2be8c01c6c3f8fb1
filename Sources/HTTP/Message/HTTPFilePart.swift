/// A part of an open file on its way to the socket, which the kernel copies by itself.
package struct HTTPFilePart {
    /// Keeps the file open for as long as the part is wanted.
    package let owner: AnyObject

    /// The kernel's number of the open file.
    package let rawDescriptor: Int32

    /// Where the part begins in the file, in bytes.
    package private(set) var offset: Int64

    /// The bytes of the part.
    package private(set) var count: Int

    /// Creates a part.
    ///
    /// - Parameters:
    ///   - owner: What closes the file when it is released.
    ///   - rawDescriptor: The open file.
    ///   - offset: Where the part begins, at least 0.
    ///   - count: Its bytes, at least 0.
    package init(owner: AnyObject, rawDescriptor: Int32, offset: Int64, count: Int) {
        precondition(offset >= 0 && count >= 0, "\(count) bytes from \(offset)")
        self.owner = owner
        self.rawDescriptor = rawDescriptor
        self.offset = offset
        self.count = count
    }

    /// Forgets bytes that have been sent.
    mutating func removeFirst(_ sent: Int) {
        precondition(sent >= 0 && sent <= count, "\(sent) of \(count) bytes sent")
        offset += Int64(sent)
        count -= sent
    }
}
