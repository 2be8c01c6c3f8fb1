/// The decoded segments that a pattern has captured, in the pattern's order.
package struct RouteCaptures: Hashable, Sendable {
    /// The captures of a pattern without any.
    static let none = RouteCaptures(names: [], places: [], path: RequestPath())

    private let names: [String]
    /// The index of each capture's segment in the path.
    private let places: [Int]
    private let path: RequestPath

    private init(names: [String], places: [Int], path: RequestPath) {
        self.names = names
        self.places = places
        self.path = path
    }

    init(of pattern: RoutePattern, in path: RequestPath) {
        guard !pattern.capturePlaces.isEmpty else {
            // Without captures, the path's memory is not retained.
            self = .none
            return
        }
        self.init(names: pattern.captureNames, places: pattern.capturePlaces, path: path)
    }

    /// The number of captures.
    package var count: Int { places.count }

    /// The text of a capture, by its index in the pattern.
    package subscript(_ index: Int) -> String { path.segment(places[index]) }

    /// The text of a capture, by its name.
    ///
    /// - Parameter name: A name in the pattern. Any other is a programming error.
    package subscript(_ name: String) -> String {
        guard let index = names.firstIndex(of: name) else {
            preconditionFailure("there is no capture \(name) among \(names)")
        }
        return self[index]
    }
}
