/// A part of an open file, which the kernel copies to the socket.
package struct HTTPFilePart {
    /// The owner, which keeps the file open while the part exists.
    package let owner: AnyObject

    /// The descriptor of the open file.
    package let rawDescriptor: Int32

    /// The offset of the part in the file, in bytes.
    package private(set) var offset: Int64

    /// The number of bytes of the part.
    package private(set) var count: Int

    /// Creates a part.
    ///
    /// - Parameters:
    ///   - owner: The object that closes the file when it is released.
    ///   - rawDescriptor: The open file.
    ///   - offset: The offset of the part in bytes, at least 0.
    ///   - count: The number of bytes, at least 0.
    package init(owner: AnyObject, rawDescriptor: Int32, offset: Int64, count: Int) {
        precondition(offset >= 0 && count >= 0, "\(count) bytes from \(offset)")
        self.owner = owner
        self.rawDescriptor = rawDescriptor
        self.offset = offset
        self.count = count
    }

    /// Removes bytes that have been sent.
    mutating func removeFirst(_ sent: Int) {
        precondition(sent >= 0 && sent <= count, "\(sent) of \(count) bytes sent")
        offset += Int64(sent)
        count -= sent
    }
}
