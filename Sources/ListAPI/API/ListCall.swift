import Listings
import Rendering

/// A request to act on a list or write to it, with a parsed address.
protocol ListCall {
    var endpoint: ServedList { get }
    /// The list as the address shows it, which people return to.
    var prepared: PreparedRequest { get }
    /// The address of the list that people return to.
    var listAddress: String { get }
}

extension ListCall {
    var list: ListDefinition { endpoint.definition }

    /// The format in the suffix of the address; nil without one.
    var suffix: PageFormat? { prepared.representation.suffix }

    /// Whether the client is a browser, which returns to the list afterwards.
    var isFromBrowser: Bool { prepared.representation.format == .html }
}
