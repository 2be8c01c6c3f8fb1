/// The value that the rows of a section share, the name of a section that a list itself has, or the
/// one section of a list that is not grouped.
public enum SectionKey: Hashable, Sendable {
    /// The only section of a list without grouping.
    case whole
    /// A section of the list's own.
    case named(SectionID)
    /// The rows whose grouped column has this value; null is a value like any other.
    case value(CellValue)
}
