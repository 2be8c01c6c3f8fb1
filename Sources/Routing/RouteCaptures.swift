import HTTP

/// The decoded segments a pattern has captured, in its order.
package struct RouteCaptures: Hashable, Sendable {
    private let pattern: RoutePattern
    private let path: RequestPath

    /// The place in the path of each capture.
    private let places: [Int]

    init(of pattern: RoutePattern, in path: RequestPath) {
        self.pattern = pattern
        self.path = path
        places = pattern.capturePlaces
    }

    /// The number of captures.
    package var count: Int { places.count }

    /// The text captured at a place in the pattern's order.
    package subscript(_ index: Int) -> String { path.segment(places[index]) }

    /// The text captured under a name.
    ///
    /// - Parameter name: One the pattern has; anything else is a mistake of the caller.
    package subscript(_ name: String) -> String {
        guard let index = pattern.captureNames.firstIndex(of: name) else {
            preconditionFailure("\(pattern.text) has no capture \(name)")
        }
        return self[index]
    }
}
