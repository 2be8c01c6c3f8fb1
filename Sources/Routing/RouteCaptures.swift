import HTTP

/// The decoded segments a pattern has captured, in its order.
package struct RouteCaptures: Hashable, Sendable {
    private let pattern: RoutePattern
    private let path: RequestPath
    private static let noPath = RequestPath()

    /// The place in the path of each capture.
    private let places: [Int]

    init(of pattern: RoutePattern, in path: RequestPath) {
        self.pattern = pattern
        places = pattern.capturePlaces
        // Where nothing is captured the path's memory is not held.
        self.path = places.isEmpty ? Self.noPath : path
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
