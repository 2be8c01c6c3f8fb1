/// The progress of an import.
package struct ImportProgress: Hashable, Sendable {
    /// The phases of an import, in order.
    package enum Phase: Hashable, Sendable {
        /// Every record is read and checked. Nothing is written.
        case checking
        /// The records are read again and written.
        case writing
        /// All records are written and indexes are created, with no limit on the duration.
        case indexing
    }

    /// The current phase.
    package let phase: Phase
    /// The number of bytes read in this phase.
    package let bytes: Int
    /// The size of the file in bytes.
    package let totalBytes: Int
    /// The number of records read in this phase.
    package let records: Int
}
