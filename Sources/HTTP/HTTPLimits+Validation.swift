/// A limit whose value is out of range.
public struct HTTPLimitError: Error, Equatable {
    /// The property's name, as in `maximumFields`.
    public let name: String
    /// The value, with its unit when it is a time.
    public let value: String
    /// The range, in the same unit.
    public let allowed: String
}

extension HTTPLimits {
    /// Checks every limit against its range.
    ///
    /// - Throws: The first limit that is out of its range.
    public func validate() throws(HTTPLimitError) {
        let kibibyte = 1024
        let mebibyte = 1024 * kibibyte
        try check("maximumEmptyLines", maximumEmptyLines, 0...16)
        try check("maximumMethodBytes", maximumMethodBytes, 7...256)
        try check("maximumRequestLineBytes", maximumRequestLineBytes, 8000...mebibyte)
        try check("maximumFieldLineBytes", maximumFieldLineBytes, 256...mebibyte)
        try check("maximumFieldSectionBytes", maximumFieldSectionBytes, kibibyte...4 * mebibyte)
        try check("maximumFields", maximumFields, 16...4096)
        try check("maximumPathSegments", maximumPathSegments, 8...1024)
        try check("maximumPathBytes", maximumPathBytes, 256...64 * kibibyte)
        try check("maximumBodyBytes", maximumBodyBytes, 0...1024 * mebibyte)
        try check("maximumHandedBodyBytes", maximumHandedBodyBytes, 0...1024 * 1024 * mebibyte)
        try check("maximumChunkLineBytes", maximumChunkLineBytes, 16...16 * kibibyte)
        try check("maximumChunkExtensionBytes", maximumChunkExtensionBytes, 0...64 * kibibyte)
        try check("maximumTrailerBytes", maximumTrailerBytes, 0...64 * kibibyte)
        try check("maximumTrailerFields", maximumTrailerFields, 0...1024)
        try check("maximumDroppedBodyBytes", maximumDroppedBodyBytes, 0...mebibyte)
        try check("receiveBufferBytes", receiveBufferBytes, 4 * kibibyte...mebibyte)
        try check("maximumGatheredBytes", maximumGatheredBytes, 0...mebibyte)
        try check("maximumUnsentBytes", maximumUnsentBytes, mebibyte...1024 * 1024 * mebibyte)
        try check("maximumRequestsPerConnection", maximumRequestsPerConnection, 1...1_000_000)
        try check("maximumConnections", maximumConnections ?? 1, 1...Int.max)
        let perAddress = maximumConnectionsPerAddress ?? 1
        try check("maximumConnectionsPerAddress", perAddress, 1...Int.max)
        try check("maximumStreams", maximumStreams, 1...1_000_000)
        try check("maximumStreamsPerAddress", maximumStreamsPerAddress ?? 1, 1...Int.max)
        try check("minimumBytesPerSecond", minimumBytesPerSecond, 0...mebibyte)
        try check("maximumLingerBytes", maximumLingerBytes, 0...1024 * mebibyte)
        try check("idleTimeout", idleTimeout, 1...3600)
        try check("headTimeout", headTimeout, 1...600)
        try check("bodyTimeout", bodyTimeout, 1...600)
        try check("writeTimeout", writeTimeout, 1...600)
        try check("writeRateGrace", writeRateGrace, 1...600)
        try check("handlerTimeout", handlerTimeout, 1...3600)
        try check("lingerTimeout", lingerTimeout, 0...60)
    }

    private func check(
        _ name: String,
        _ value: Int,
        _ range: ClosedRange<Int>
    ) throws(HTTPLimitError) {
        guard !range.contains(value) else { return }
        throw HTTPLimitError(name: name, value: "\(value)", allowed: "\(range)")
    }

    private func check(
        _ name: String,
        _ value: Duration,
        _ seconds: ClosedRange<Int>
    ) throws(HTTPLimitError) {
        let range = Duration.seconds(seconds.lowerBound)...Duration.seconds(seconds.upperBound)
        guard !range.contains(value) else { return }
        throw HTTPLimitError(name: name, value: "\(value)", allowed: "\(seconds) seconds")
    }
}
