/// The rights of a caller, as far as the description of the service depends on them.
///
/// Callers with the same rights share a description.
struct DescribedRights: Hashable, Sendable {
    /// The maximum number of descriptions that an event loop caches.
    static let maximumCount = 16

    private let basePath: String
    private let mayOperate: Bool
    private let readable: Set<String>
    private let writable: Set<String>

    /// Takes the rights of a caller; nil stands for a service without access control.
    init(_ caller: Caller?, below basePath: String) {
        self.basePath = basePath
        mayOperate = caller?.mayOperate ?? true
        readable = caller?.readableLists ?? []
        writable = caller?.writableLists ?? []
    }
}
