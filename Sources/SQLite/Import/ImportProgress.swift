package struct ImportProgress: Hashable, Sendable {
    package enum Phase: Hashable, Sendable {
        case receiving
        case checking
        case writing
        /// All records are written and indexes are created, with no limit on the duration.
        case indexing
    }

    package let phase: Phase
    package let bytes: Int
    package let totalBytes: Int
    package let records: Int

    package init(phase: Phase, bytes: Int, totalBytes: Int, records: Int) {
        self.phase = phase
        self.bytes = bytes
        self.totalBytes = totalBytes
        self.records = records
    }
}
