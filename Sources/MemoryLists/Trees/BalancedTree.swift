/// A sequence that is split, joined and searched in logarithmic time.
///
/// Copies share structure.
///
/// A height-balanced tree of immutable nodes (Adams' and Blelloch's join-based form). An edit
/// creates a logarithmic number of nodes, and older copies do not change.
struct BalancedTree<Element: Summarized>: Sendable {
    private final class Node: Sendable {
        let left: Node?
        let element: Element
        let right: Node?
        let height: Int
        let tally: RopeSummary

        init(_ left: Node?, _ element: Element, _ right: Node?) {
            self.left = left
            self.element = element
            self.right = right
            height = max(left?.height ?? 0, right?.height ?? 0) + 1
            tally = (left?.tally ?? RopeSummary()) + element.tally + (right?.tally ?? RopeSummary())
        }
    }

    private var root: Node?

    private init(_ root: Node?) { self.root = root }

    init() {}

    /// O(count).
    init(_ elements: some RandomAccessCollection<Element>) {
        root = Self.build(Array(elements)[...])
    }

    /// O(1).
    var tally: RopeSummary { root?.tally ?? RopeSummary() }

    var isEmpty: Bool { root == nil }

    /// Also returns the tally of the elements before.
    ///
    /// The condition must also hold for all later elements.
    ///
    /// - Complexity: O(log count).
    func first(
        where holds: (RopeSummary, Element) -> Bool
    ) -> (before: RopeSummary, element: Element)? {
        var node = root
        var before = RopeSummary()
        var found: (before: RopeSummary, element: Element)?
        while let current = node {
            let here = before + (current.left?.tally ?? RopeSummary())
            if holds(here, current.element) {
                found = (here, current.element)
                node = current.left
            } else {
                before = here + current.element.tally
                node = current.right
            }
        }
        return found
    }

    /// O(log count).
    var last: Element? {
        var node = root
        while let right = node?.right { node = right }
        return node?.element
    }

    /// O(log count).
    var first: Element? {
        var node = root
        while let left = node?.left { node = left }
        return node?.element
    }

    /// The condition must also hold for all later elements.
    ///
    /// - Complexity: O(log count).
    func split(where holds: (RopeSummary, Element) -> Bool) -> (BalancedTree, BalancedTree) {
        let (left, right) = Self.split(root, before: RopeSummary(), holds)
        return (BalancedTree(left), BalancedTree(right))
    }

    /// O(log count).
    func droppingFirst() -> BalancedTree {
        split { before, _ in before.elements >= 1 }.1
    }

    /// O(log count).
    func droppingLast() -> BalancedTree {
        let count = tally.elements
        return split { before, _ in before.elements >= count - 1 }.0
    }

    /// O(log count).
    func joined(with other: BalancedTree) -> BalancedTree {
        guard let first = other.first else { return self }
        return BalancedTree(Self.join(root, first, other.droppingFirst().root))
    }

    /// O(log count).
    func joined(_ element: Element, _ other: BalancedTree) -> BalancedTree {
        BalancedTree(Self.join(root, element, other.root))
    }

    /// Begins with the first element that meets a condition.
    ///
    /// It also receives the tally of the elements before each. Stops when it returns false.
    ///
    /// - Complexity: O(log count + elements visited).
    func visit<E: Error>(
        from holds: (RopeSummary, Element) -> Bool = { _, _ in true },
        _ body: (RopeSummary, Element) throws(E) -> Bool
    ) throws(E) {
        _ = try Self.visit(root, before: RopeSummary(), from: holds, body)
    }

    // MARK: - Nodes

    private static func build(_ elements: ArraySlice<Element>) -> Node? {
        guard !elements.isEmpty else { return nil }
        let middle = elements.startIndex + elements.count / 2
        return Node(
            build(elements[..<middle]),
            elements[middle],
            build(elements[(middle + 1)...])
        )
    }

    private static func visit<E: Error>(
        _ node: Node?,
        before: RopeSummary,
        from holds: (RopeSummary, Element) -> Bool,
        _ body: (RopeSummary, Element) throws(E) -> Bool
    ) throws(E) -> Bool {
        guard let node else { return true }
        let here = before + (node.left?.tally ?? RopeSummary())
        if holds(here, node.element) {
            guard try visit(node.left, before: before, from: holds, body) else { return false }
            guard try body(here, node.element) else { return false }
        }
        return try visit(node.right, before: here + node.element.tally, from: holds, body)
    }

    private static func split(
        _ node: Node?,
        before: RopeSummary,
        _ holds: (RopeSummary, Element) -> Bool
    ) -> (Node?, Node?) {
        guard let node else { return (nil, nil) }
        let here = before + (node.left?.tally ?? RopeSummary())
        if holds(here, node.element) {
            let (left, right) = split(node.left, before: before, holds)
            return (left, join(right, node.element, node.right))
        }
        let (left, right) = split(node.right, before: here + node.element.tally, holds)
        return (join(node.left, node.element, left), right)
    }

    private static func join(_ left: Node?, _ element: Element, _ right: Node?) -> Node {
        let difference = (left?.height ?? 0) - (right?.height ?? 0)
        if let left, difference > 1 {
            return balanced(left.left, left.element, join(left.right, element, right))
        }
        if let right, difference < -1 {
            return balanced(join(left, element, right.left), right.element, right.right)
        }
        return Node(left, element, right)
    }

    /// Returns a node of two subtrees whose heights differ by at most 2.
    private static func balanced(_ left: Node?, _ element: Element, _ right: Node?) -> Node {
        let difference = (left?.height ?? 0) - (right?.height ?? 0)
        if let left, difference > 1 {
            if let inner = left.right, inner.height > left.left?.height ?? 0 {
                return Node(
                    Node(left.left, left.element, inner.left),
                    inner.element,
                    Node(inner.right, element, right)
                )
            }
            return Node(left.left, left.element, Node(left.right, element, right))
        }
        if let right, difference < -1 {
            if let inner = right.left, inner.height > right.right?.height ?? 0 {
                return Node(
                    Node(left, element, inner.left),
                    inner.element,
                    Node(inner.right, right.element, right.right)
                )
            }
            return Node(Node(left, element, right.left), right.element, right.right)
        }
        return Node(left, element, right)
    }
}
