/// How far an import is.
package struct ImportProgress: Hashable, Sendable {
    /// The parts of an import, one after the other.
    package enum Phase: Hashable, Sendable {
        /// Every record is read and checked; nothing is written.
        case checking
        /// The records are read again and written.
        case writing
        /// All records are written and indexes are made of them; takes as long as it takes.
        case indexing
    }

    /// What is being done.
    package let phase: Phase
    /// The bytes of the file read in this phase.
    package let bytes: Int
    /// The bytes of the file.
    package let totalBytes: Int
    /// The records read in this phase.
    package let records: Int
}
