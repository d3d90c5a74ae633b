import CofferSchema
public import CofferStorage
import Foundation

/// Defines the new object of a migration step, whose attributes a transformer sets.
extension CustomSchemaMappingProvider {
    /// A new object of the next version: converts and checks the values that a transformer sets.
    ///
    /// Its attributes begin with their default values. If a value does not fit its attribute, the migration ends with
    /// an error that names both.
    public final class UnsafeDestinationObject {
        /// The first error.
        private(set) var failure: StorageError?

        private let row: MigratingRow
        private let attributes: [AttributeDescription]
        private let sourceAttributes: [AttributeDescription]

        init(
            _ row: MigratingRow, _ attributes: [AttributeDescription], _ sourceAttributes: [AttributeDescription]
        ) {
            self.row = row
            self.attributes = attributes
            self.sourceAttributes = sourceAttributes
        }

        /// The value of an attribute.
        public subscript(attribute: KeyPathString) -> Any? {
            get { row.newValue(attribute)?.native }
            set {
                attempt { () throws(StorageError) in
                    let value = Value(native: newValue)
                    if value.isNull, let newValue, !Self.isNothing(newValue) {
                        throw StorageError(
                            .invalidValue,
                            "'\(row.target.name).\(attribute)' of row \(row.key) was set to a '\(type(of: newValue))', "
                                + "which no attribute can store. Convert the value in the transformer."
                        )
                    }
                    try row.set(
                        value.fitting(row.target.slot(named: attribute).map { row.target.kinds[$0] }), for: attribute)
                }
            }
        }

        /// The value of an attribute.
        public subscript(attribute: AttributeDescription) -> Any? {
            get { self[attribute.name] }
            set { self[attribute.name] = newValue }
        }

        /// Calls the closure once for each attribute, inherited attributes first.
        ///
        /// The closure also receives the attribute of the previous version that has the same name or a former name.
        public func enumerateAttributes(
            _ closure: (_ attribute: AttributeDescription, _ sourceAttribute: AttributeDescription?) -> Void
        ) {
            for attribute in attributes {
                let name = row.sourceAttribute(of: attribute.name)
                closure(attribute, name.flatMap { name in sourceAttributes.first { $0.name == name } })
            }
        }

        /// Copies a stored value; if it is missing and required, the attribute keeps its default value.
        func copy(_ source: AttributeDescription, to attribute: AttributeDescription) {
            guard let value = row.value(source.name) else { return }
            if value.isNull, !attribute.isOptional { return }
            attempt { () throws(StorageError) in try row.set(value, for: attribute.name) }
        }

        private func attempt(_ body: () throws(StorageError) -> Void) {
            do throws(StorageError) { try body() } catch { failure = failure ?? error }
        }

        private static func isNothing(_ value: Any) -> Bool {
            if value is NSNull { return true }
            let mirror = Mirror(reflecting: value)
            return mirror.displayStyle == .optional && mirror.children.isEmpty
        }
    }
}

extension Value {
    /// The number in the form of a column, if the conversion loses nothing.
    fileprivate func fitting(_ kind: ColumnKind?) -> Value {
        switch (kind, self) {
        case (.boolean, .integer(let number)) where number == 0 || number == 1: .boolean(number == 1)
        case (.integer, .boolean(let flag)): .integer(flag ? 1 : 0)
        case (.integer, .double(let number)): Int64(exactly: number).map { .integer($0) } ?? self
        case (.decimal, .double(let number)) where number.isFinite: .decimal(Decimal(number))
        default: self
        }
    }
}
