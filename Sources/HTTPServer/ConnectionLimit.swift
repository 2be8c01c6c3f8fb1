import System

enum ConnectionLimit {
    /// Descriptors reserved for listeners, event loops, files and databases, at most a quarter.
    private static func reserve(of descriptorLimit: Int) -> Int {
        min(64, descriptorLimit / 4)
    }

    /// Also raises the descriptor limit of the process as needed.
    ///
    /// Nil requests as many as possible. The result is at least 1. Fails with `tooFewDescriptors`
    /// if the process may not open enough descriptors.
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
