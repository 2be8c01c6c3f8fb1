import Sockets

/// How many connections may be open at once.
enum ConnectionCap {
    /// Descriptors kept for listeners, event loops, files and databases; of a small limit a quarter.
    private static func reserve(of descriptorLimit: Int) -> Int {
        min(64, descriptorLimit / 4)
    }

    /// The most connections of the process, after raising its limit of descriptors as far as needed.
    ///
    /// - Parameter wanted: The configured number; nil for as many as there can be.
    /// - Returns: At least 1.
    /// - Throws: `tooFewDescriptors` when the number asked for cannot be kept open.
    static func connections(wanted: Int?) throws(ServerError) -> Int {
        let descriptorLimit: Int
        do throws(SystemError) {
            let needed = wanted.map { $0.addingReportingOverflow(64) } ?? (.max, false)
            descriptorLimit = try DescriptorLimit.raise(
                to: needed.overflow ? .max : needed.partialValue
            )
        } catch {
            throw ServerError(error)
        }
        let possible = descriptorLimit - reserve(of: descriptorLimit)
        guard possible >= wanted ?? 1 else {
            throw .tooFewDescriptors(connections: wanted ?? 1, descriptorLimit: descriptorLimit)
        }
        return wanted ?? possible
    }
}
