/// The optional events of the headers and footers of a list's sections.
///
/// The counterpart of header and footer adapters. The closures run on the thread that reads the
/// page, after its rows were read. If an event is not set or throws, the section stays as its
/// source describes it. Errors are reported as ``RowFailure/Code/sectionFailed``.
public struct SectionEvents: Sendable {
    /// Receives all sections of a page before any of them is described, so that it can fetch their
    /// data together.
    ///
    /// Called once for each page that has sections.
    public var prefetch: (@Sendable ([SectionContext]) throws -> Void)?
    /// Returns the text above a section; nil for none.
    public var header: (@Sendable (SectionContext) throws -> String?)?
    /// Returns the text below a section; nil for none.
    public var footer: (@Sendable (SectionContext) throws -> String?)?
    /// Changes the description of a section that is otherwise ready.
    ///
    /// A change of `isCollapsed` has no effect.
    public var willRender: (@Sendable (SectionContext, inout SectionInfo) throws -> Void)?

    /// Creates an instance without events.
    public init() {}

    var isEmpty: Bool {
        prefetch == nil && header == nil && footer == nil && willRender == nil
    }
}

/// A section of a page, as its events receive it.
public struct SectionContext: Sendable {
    /// The section: its description, its rows on the page, and its count if known.
    public let section: PageSection
    /// The index of the section on the page.
    public let index: Int
}

extension Page {
    mutating func renderSections() {
        let events = schema.sectionEvents
        guard !events.isEmpty, renderedSections < sections.count else { return }
        let contexts = sections.indices.dropFirst(renderedSections).map {
            SectionContext(section: sections[$0], index: $0)
        }
        renderedSections = sections.count
        do {
            try events.prefetch?(contexts)
        } catch {
            return report(contexts[0], error)
        }
        for context in contexts {
            do {
                sections[context.index].location = SectionLocation(try events.describe(context))
            } catch {
                report(context, error)
            }
        }
    }

    private func report(_ context: SectionContext, _ error: any Error) {
        onFailure?(
            RowFailure(
                list: list,
                id: context.section.info.id.rawValue,
                kind: "section",
                model: "SectionInfo",
                code: .sectionFailed,
                error: error
            )
        )
    }
}

extension SectionEvents {
    fileprivate func describe(_ context: SectionContext) throws -> SectionInfo {
        var info = context.section.info
        if let header { info.header = try header(context) }
        if let footer { info.footer = try footer(context) }
        try willRender?(context, &info)
        info.isCollapsed = context.section.info.isCollapsed
        return info
    }
}
