/// What a list does with the headers and footers of its sections.
///
/// The counterpart of header and footer adapters. Each event is optional; one that is not set leaves
/// a section as its source describes it. The closures are called on the thread that reads the page,
/// when its rows are there. When one throws, the section stays as its source describes it and the
/// fault is told as ``RowFailure/Code/sectionFailed``.
public struct SectionEvents: Sendable {
    /// Is told all sections of a page before any of them is described: the place to fetch what
    /// their headers and footers need together.
    ///
    /// Called once for each page that has sections.
    public var prefetch: (@Sendable ([SectionContext]) throws -> Void)?
    /// The text above a section; nil is none.
    public var header: (@Sendable (SectionContext) throws -> String?)?
    /// The text below a section; nil is none.
    public var footer: (@Sendable (SectionContext) throws -> String?)?
    /// Changes the description of a section that is otherwise ready.
    ///
    /// Whether its rows are hidden is settled by then, and stays.
    public var willRender: (@Sendable (SectionContext, inout SectionInfo) throws -> Void)?

    /// Creates events of which none is set.
    public init() {}

    var isEmpty: Bool {
        prefetch == nil && header == nil && footer == nil && willRender == nil
    }
}

/// A section of a page, for what heads and ends it.
public struct SectionContext: Sendable {
    /// What is known of it: its description, its rows on the page, perhaps its count.
    public let section: PageSection
    /// Its place among the sections of the page, from 0.
    public let index: Int
}

extension Page {
    /// Lets the events of the list describe the sections that they have not described yet.
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
                sections[context.index].place = SectionPlace(try events.describe(context))
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
