public import CofferSchema
public import CofferStorage
import CofferStorageTools

/// Conditions on texts.
///
/// Texts are compared by their bytes, unless the options say what does not matter: `.caseInsensitive`,
/// `.diacriticInsensitive`, or both, as `[c]`, `[d]` and `[cd]` in a format string. With `.normalized` both sides count
/// as prepared already, and their bytes decide whatever the other options are. What options depend on a language
/// is refused by the request.
///
/// Where there is no text, the condition is false; its opposite, made with `!`, is true.
extension WhereOperand where OperandValue: FieldStorableType, OperandValue._Compared == String {
    /// The text equals another.
    ///
    /// ```swift
    /// From<Person>().where { $0.$name.equals("ann", options: .caseInsensitive) }
    /// ```
    public func equals(_ text: String, options: TextOptions) -> Where<ObjectType> {
        comparing(.equal, .value(.text(text)), options)
    }

    /// The other text, which is not empty, is somewhere in the text.
    public func contains(_ text: String, options: TextOptions = []) -> Where<ObjectType> {
        comparing(.contains, .value(.text(text)), options)
    }

    /// The text begins with another, which is not empty.
    ///
    /// Without options, an index of the field is used.
    public func beginsWith(_ text: String, options: TextOptions = []) -> Where<ObjectType> {
        comparing(.beginsWith, .value(.text(text)), options)
    }

    /// The text ends with another, which is not empty.
    public func endsWith(_ text: String, options: TextOptions = []) -> Where<ObjectType> {
        comparing(.endsWith, .value(.text(text)), options)
    }

    /// The whole text is like a pattern, in which `?` stands for one character, `*` for any number of them, and `\` takes
    /// the meaning from the character after it.
    public func like(_ pattern: String, options: TextOptions = []) -> Where<ObjectType> {
        comparing(.like, .value(.text(pattern)), options)
    }

    /// The whole text matches a regular expression, as `NSRegularExpression` has them.
    ///
    /// One that is wrong is refused by the request.
    public func matches(_ pattern: String, options: TextOptions = []) -> Where<ObjectType> {
        comparing(.matches, .value(.text(pattern)), options)
    }
}

/// Conditions on two texts of the same object: `(\Person.$email).contains(\Person.$name, options: .caseInsensitive)`.
///
/// They mean what the conditions with a constant do. Where one of the two is missing, all are false but ``equals``, for
/// which two missing ones are the same.
extension WhereOperand where OperandValue: FieldStorableType, OperandValue._Compared == String {
    /// The text equals another.
    public func equals<R: WhereOperand>(_ other: R, options: TextOptions) -> Where<ObjectType>
    where R.ObjectType == ObjectType, R.OperandValue: FieldStorableType, R.OperandValue._Compared == String {
        comparing(.equal, other, options)
    }

    /// The other text, which is not empty, is somewhere in the text.
    public func contains<R: WhereOperand>(_ other: R, options: TextOptions = []) -> Where<ObjectType>
    where R.ObjectType == ObjectType, R.OperandValue: FieldStorableType, R.OperandValue._Compared == String {
        comparing(.contains, other, options)
    }

    /// The text begins with another, which is not empty.
    public func beginsWith<R: WhereOperand>(_ other: R, options: TextOptions = []) -> Where<ObjectType>
    where R.ObjectType == ObjectType, R.OperandValue: FieldStorableType, R.OperandValue._Compared == String {
        comparing(.beginsWith, other, options)
    }

    /// The text ends with another, which is not empty.
    public func endsWith<R: WhereOperand>(_ other: R, options: TextOptions = []) -> Where<ObjectType>
    where R.ObjectType == ObjectType, R.OperandValue: FieldStorableType, R.OperandValue._Compared == String {
        comparing(.endsWith, other, options)
    }

    /// The whole text is like a pattern.
    public func like<R: WhereOperand>(_ other: R, options: TextOptions = []) -> Where<ObjectType>
    where R.ObjectType == ObjectType, R.OperandValue: FieldStorableType, R.OperandValue._Compared == String {
        comparing(.like, other, options)
    }
}
