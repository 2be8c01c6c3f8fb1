/// Conditions that are joined by a word, as a condition of their own.
///
/// A condition holds for a row or it does not. Therefore ``Joint/notAll`` matches exactly the rows
/// that ``Joint/all`` excludes, also among rows without a value.
public struct FilterGroup: Hashable, Sendable {
    /// The word that joins conditions.
    public enum Joint: String, Hashable, Sendable, CaseIterable {
        /// All conditions hold.
        case all = "and"
        /// At least one condition holds.
        case any = "or"
        /// At least one condition does not hold.
        case notAll = "not"
    }

    /// The word between the conditions.
    public let joint: Joint
    /// The conditions, at least one.
    public let members: [Filter]

    /// Joins conditions, at least one.
    public init(_ joint: Joint, _ members: [Filter]) {
        precondition(!members.isEmpty, "no conditions to join by \(joint.rawValue)")
        self.joint = joint
        self.members = members
    }

    package func holds<Member>(_ members: [Member], by holds: (Member) -> Bool) -> Bool {
        switch joint {
        case .all: members.allSatisfy(holds)
        case .any: members.contains(where: holds)
        case .notAll: !members.allSatisfy(holds)
        }
    }
}

extension Filter {
    /// Creates a condition of joined conditions.
    public init(_ group: FilterGroup) {
        self.init(field: .id, .equal, [], group)
    }

    package var leaves: [Filter] { group?.members.flatMap(\.leaves) ?? [self] }

    package var matchesLetters: Bool { leaves.contains { $0.operation.matchesLetters } }
}
