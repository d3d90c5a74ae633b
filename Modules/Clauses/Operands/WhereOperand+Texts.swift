public import CofferSchema
public import CofferStorage
import CofferStorageTools

/// Tests strings: `equals`, `contains`, `beginsWith`, `endsWith`, `like` and `matches`, with options.
///
/// Strings are compared by their bytes unless the options ignore a difference: `.caseInsensitive`,
/// `.diacriticInsensitive`, or both, as `[c]`, `[d]` and `[cd]` in a format string. With `.normalized`, the bytes
/// decide, whatever the other options are. Options that depend on a language make the request throw `invalidRequest`.
///
/// If the string is null, the condition is false; its opposite, written with `!`, is true.
extension WhereOperand where OperandValue: FieldStorableType, OperandValue._Compared == String {
    /// The string equals another one.
    ///
    /// ```swift
    /// let anns = try stack.fetchAll(From<Person>().where { $0.$name.equals("ann", options: .caseInsensitive) })
    /// ```
    ///
    /// Without options, use `==`. If the string is null, the condition is false.
    public func equals(_ text: String, options: TextOptions) -> Where<ObjectType> {
        comparing(.equal, .value(.text(text)), options)
    }

    /// The string contains another one.
    ///
    /// ```swift
    /// let people = try stack.fetchAll(From<Person>().where { $0.$name.contains("nn", options: .caseInsensitive) })
    /// ```
    ///
    /// If the string is null, or the other string is empty, the condition is false.
    public func contains(_ text: String, options: TextOptions = []) -> Where<ObjectType> {
        comparing(.contains, .value(.text(text)), options)
    }

    /// The string begins with another one.
    ///
    /// ```swift
    /// let people = try stack.fetchAll(From<Person>().where { $0.$name.beginsWith("An") })
    /// ```
    ///
    /// Without options, the store can use an index of the field. If the string is null, or the other string is empty,
    /// the condition is false.
    public func beginsWith(_ text: String, options: TextOptions = []) -> Where<ObjectType> {
        comparing(.beginsWith, .value(.text(text)), options)
    }

    /// The string ends with another one.
    ///
    /// ```swift
    /// let people = try stack.fetchAll(From<Person>().where { $0.$email.endsWith("@example.org") })
    /// ```
    ///
    /// If the string is null, or the other string is empty, the condition is false.
    public func endsWith(_ text: String, options: TextOptions = []) -> Where<ObjectType> {
        comparing(.endsWith, .value(.text(text)), options)
    }

    /// The whole string matches a pattern with wildcards.
    ///
    /// ```swift
    /// let people = try stack.fetchAll(From<Person>().where { $0.$name.like("A*n?") })
    /// ```
    ///
    /// In the pattern, `?` matches one Unicode scalar, `*` matches any number of them, and `\` removes the special
    /// meaning of the next character. If the string is null, the condition is false.
    public func like(_ pattern: String, options: TextOptions = []) -> Where<ObjectType> {
        comparing(.like, .value(.text(pattern)), options)
    }

    /// The whole string matches a regular expression in the syntax of `NSRegularExpression`.
    ///
    /// ```swift
    /// let people = try stack.fetchAll(From<Person>().where { $0.$name.matches("A[nm]+.*") })
    /// ```
    ///
    /// A wrong expression makes the request throw `invalidRequest`. An expression with nested repetitions may never
    /// finish. If the string is null, the condition is false.
    public func matches(_ pattern: String, options: TextOptions = []) -> Where<ObjectType> {
        comparing(.matches, .value(.text(pattern)), options)
    }
}

/// Conditions on two strings of the same object: `(\Person.$email).contains(\Person.$name, options: .caseInsensitive)`.
///
/// These conditions follow the rules of the conditions on a string and a constant. If exactly one of the two strings is
/// null, each condition is false. If both strings are null, `equals` is true, and the other conditions are false.
extension WhereOperand where OperandValue: FieldStorableType, OperandValue._Compared == String {
    /// The string equals another string of the object.
    public func equals<R: WhereOperand>(_ other: R, options: TextOptions) -> Where<ObjectType>
    where R.ObjectType == ObjectType, R.OperandValue: FieldStorableType, R.OperandValue._Compared == String {
        comparing(.equal, other, options)
    }

    /// The string contains another string of the object, which is not empty.
    public func contains<R: WhereOperand>(_ other: R, options: TextOptions = []) -> Where<ObjectType>
    where R.ObjectType == ObjectType, R.OperandValue: FieldStorableType, R.OperandValue._Compared == String {
        comparing(.contains, other, options)
    }

    /// The string begins with another string of the object, which is not empty.
    public func beginsWith<R: WhereOperand>(_ other: R, options: TextOptions = []) -> Where<ObjectType>
    where R.ObjectType == ObjectType, R.OperandValue: FieldStorableType, R.OperandValue._Compared == String {
        comparing(.beginsWith, other, options)
    }

    /// The string ends with another string of the object, which is not empty.
    public func endsWith<R: WhereOperand>(_ other: R, options: TextOptions = []) -> Where<ObjectType>
    where R.ObjectType == ObjectType, R.OperandValue: FieldStorableType, R.OperandValue._Compared == String {
        comparing(.endsWith, other, options)
    }

    /// The whole string matches a pattern with wildcards, which is another string of the object.
    public func like<R: WhereOperand>(_ other: R, options: TextOptions = []) -> Where<ObjectType>
    where R.ObjectType == ObjectType, R.OperandValue: FieldStorableType, R.OperandValue._Compared == String {
        comparing(.like, other, options)
    }
}
