public import Bytes

/// The name of a state of a list.
///
/// Lists with equal versions show the same rows.
public struct ListVersion: Hashable, Sendable {
    /// The lifetime of the source.
    ///
    /// It differs after a restart that resets the counter.
    public let epoch: UInt64
    /// The counter, which changes with every change of the list.
    public let counter: UInt64
    /// Whether the same state always has the same version.
    ///
    /// Otherwise nothing may be cached under the version.
    public let isLasting: Bool

    /// Creates a version.
    public init(epoch: UInt64, counter: UInt64, isLasting: Bool = true) {
        self.epoch = epoch
        self.counter = counter
        self.isLasting = isLasting
    }

    package static func random() -> ListVersion {
        func number() -> UInt64 { UInt64.random(in: 0...UInt64.max) }
        return ListVersion(epoch: number(), counter: number(), isLasting: false)
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
