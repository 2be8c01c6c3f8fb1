public import Bytes

/// Names one state of a list: two equal versions show the same rows.
public struct ListVersion: Hashable, Sendable {
    /// Names the life of the source; differs after a restart where the counter starts anew.
    public let epoch: UInt64
    /// Changes with every change of the list.
    public let counter: UInt64
    /// Whether another look at the same state gives the same version; nothing is to be kept under one
    /// that is never seen again.
    public let isLasting: Bool

    /// Creates a version.
    public init(epoch: UInt64, counter: UInt64, isLasting: Bool = true) {
        self.epoch = epoch
        self.counter = counter
        self.isLasting = isLasting
    }

    /// Appends `epoch.counter`, both in hexadecimal.
    public func write(to buffer: inout ByteBuffer) {
        buffer.append(hexadecimal: epoch)
        buffer.append(UInt8(ascii: "."))
        buffer.append(hexadecimal: counter)
    }
}

extension ListVersion: CustomStringConvertible {
    /// `epoch.counter`, both in hexadecimal.
    public var description: String {
        var buffer = ByteBuffer(minimumCapacity: 40)
        write(to: &buffer)
        return buffer.text()
    }
}
