import CofferSchema
import CofferStorage

extension ObjectGraph {
    /// Tells a store what to do with new rows whose unique values others have.
    func addPolicies(to changes: inout StoreChanges) {
        guard !changes.set.inserts.isEmpty else { return }
        guard let uniqueConstraintPolicy else {
            return changes.set.uniqueConstraintPolicies = binding.uniqueConstraintPolicies
        }
        guard uniqueConstraintPolicy != .merge else { return }
        for entity in layout.entities where entity.root == entity.index && !entity.uniqueConstraints.isEmpty {
            changes.set.uniqueConstraintPolicies[entity.index] = entity.uniqueConstraints.map { _ in
                uniqueConstraintPolicy
            }
        }
    }
}
