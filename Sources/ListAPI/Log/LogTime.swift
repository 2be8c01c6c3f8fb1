package import Bytes
import HTTP

/// The time of a line of the log.
package enum LogTime {
    /// Returns a second in ISO 8601 form.
    package static func text(_ secondsSince1970: Int64) -> String {
        var time = ByteBuffer(minimumCapacity: 32)
        write(secondsSince1970, to: &time)
        return time.text()
    }

    /// Appends a second in ISO 8601 form.
    package static func write(_ secondsSince1970: Int64, to buffer: inout ByteBuffer) {
        HTTPDate(secondsSince1970: secondsSince1970)?.writeTimestamp(into: &buffer)
    }
}
