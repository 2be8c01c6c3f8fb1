import HTTP

/// The decoded segments a pattern has captured, in its order.
package struct RouteCaptures: Hashable, Sendable {
    /// What a pattern without captures has captured.
    static let none = RouteCaptures(names: [], places: [], path: RequestPath())

    private let names: [String]
    /// The place in the path of each capture.
    private let places: [Int]
    private let path: RequestPath

    private init(names: [String], places: [Int], path: RequestPath) {
        self.names = names
        self.places = places
        self.path = path
    }

    init(of pattern: RoutePattern, in path: RequestPath) {
        guard !pattern.capturePlaces.isEmpty else {
            // The path's memory is not held.
            self = .none
            return
        }
        self.init(names: pattern.captureNames, places: pattern.capturePlaces, path: path)
    }

    /// The number of captures.
    package var count: Int { places.count }

    /// The text captured at a place in the pattern's order.
    package subscript(_ index: Int) -> String { path.segment(places[index]) }

    /// The text captured under a name.
    ///
    /// - Parameter name: One the pattern has; anything else is a mistake of the caller.
    package subscript(_ name: String) -> String {
        guard let index = names.firstIndex(of: name) else {
            preconditionFailure("there is no capture \(name) among \(names)")
        }
        return self[index]
    }
}
