/// The key of a section: a value that its rows share, the name of one of the list's own sections,
/// or the whole list.
public enum SectionKey: Hashable, Sendable {
    /// The only section of a list without grouping.
    case whole
    /// A section of the list's own.
    case named(SectionID)
    /// The rows whose grouped column has this value; null is a value like any other.
    case value(CellValue)
}
