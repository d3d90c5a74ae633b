/// What a query can return: a value, or dictionaries of values.
public protocol SelectResultType {}
