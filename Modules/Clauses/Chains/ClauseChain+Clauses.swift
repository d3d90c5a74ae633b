public import CofferSchema

/// Adds conditions, orders, limits, offsets and tweaks to a chain of clauses.
extension ClauseChain {
    /// Adds a condition, written with key paths.
    ///
    /// ```swift
    /// let adults = try stack.fetchAll(From<Person>().where(\.$age >= 18 && \.$city == "Bern"))
    /// ```
    ///
    /// A chain has one condition. A second `where` replaces the first one, and logs a warning: combine conditions with
    /// `&&`. If a condition compares values that cannot be compared, the fetch throws `invalidRequest`.
    public func `where`(_ clause: Where<O>) -> ExtendedChain { _appending(clause) }

    /// Adds a condition that requires all of some conditions.
    ///
    /// ```swift
    /// From<Person>().where(combineByAnd: Where(\.$age >= 18), Where(\.$city == "Bern"))
    /// ```
    public func `where`(combineByAnd clauses: Where<O>...) -> ExtendedChain {
        _appending(clauses.combinedByAnd())
    }

    /// Adds a condition that requires at least one of some conditions.
    ///
    /// ```swift
    /// From<Person>().where(combineByOr: Where(\.$age < 18), Where(\.$age >= 65))
    /// ```
    public func `where`(combineByOr clauses: Where<O>...) -> ExtendedChain {
        _appending(clauses.combinedByOr())
    }

    /// Adds a condition, written as a format string.
    ///
    /// ```swift
    /// let people = try stack.fetchAll(From<Person>().where(format: "age >= %d AND name BEGINSWITH[c] %@", 18, "a"))
    /// ```
    ///
    /// The arguments are passed as values and need no quotation marks; `%K` takes a key path. See ``Where/init(_:_:)``.
    /// If the format string is wrong, the fetch throws `invalidRequest`, and the message names the column. A second
    /// `where` replaces the first one, and logs a warning.
    public func `where`(format: String, _ args: Any...) -> ExtendedChain {
        `where`(format: format, argumentArray: args)
    }

    /// Adds a condition, written as a format string with an array of arguments; see ``where(format:_:)``.
    public func `where`(format: String, argumentArray: [Any]?) -> ExtendedChain {
        _appending(Where<O>(format, argumentArray: argumentArray))
    }

    /// Adds an order.
    ///
    /// ```swift
    /// let order = OrderBy<Person>(.ascending(\.$name))
    /// let people = try stack.fetchAll(From<Person>().orderBy(order))
    /// ```
    ///
    /// A second `orderBy` replaces the first one, and logs a warning.
    public func orderBy(_ clause: OrderBy<O>) -> ExtendedChain { _appending(clause) }

    /// Adds an order by one or several sort keys; the first key decides first.
    ///
    /// ```swift
    /// let people = try stack.fetchAll(From<Person>().orderBy(.ascending(\.$name), .descending(\.$age)))
    /// ```
    ///
    /// Ties are broken by the key of the row, ascending. In a query, a key may be the alias of a selected term. A
    /// second `orderBy` replaces the first one, and logs a warning. A sort key with an unknown name, or of a virtual or
    /// coded field, makes the fetch throw `invalidRequest`.
    public func orderBy(
        _ sortKey: OrderBy<O>.SortKey, _ sortKeys: OrderBy<O>.SortKey...
    ) -> ExtendedChain {
        orderBy([sortKey] + sortKeys)
    }

    /// Adds an order by a list of sort keys; the first key decides first.
    ///
    /// A second `orderBy` replaces the first one, and logs a warning.
    public func orderBy(_ sortKeys: [OrderBy<O>.SortKey]) -> ExtendedChain { _appending(OrderBy(sortKeys)) }

    /// Adds a closure that changes the request after the clauses before it.
    ///
    /// ```swift
    /// let page = From<Person>().orderBy(.ascending(\.$name)).tweak { $0.fetchOffset = 40; $0.fetchLimit = 20 }
    /// ```
    ///
    /// See ``FetchRequest`` for the properties. The closure runs when a request is made with the chain. A wrong value,
    /// such as an unknown key, makes the request throw `invalidRequest`.
    public func tweak(_ fetchRequest: @escaping (FetchRequest) -> Void) -> ExtendedChain {
        _appending(Tweak(fetchRequest))
    }

    /// Limits the number of objects that a fetch finds, or the number of results of a query.
    ///
    /// ```swift
    /// let youngest = try stack.fetchAll(From<Person>().orderBy(.ascending(\.$age)).limit(10))
    /// ```
    ///
    /// With 0 or a negative number, the result is empty. In a query with groups, the limit counts the groups, and not
    /// their objects.
    public func limit(_ count: Int) -> ExtendedChain { tweak { $0.setLimit(count) } }

    /// Skips the first objects of the order, or the first results of a query.
    ///
    /// ```swift
    /// let page = try stack.fetchAll(From<Person>().orderBy(.ascending(\.$name)).offset(40).limit(20))
    /// ```
    ///
    /// A negative number counts as 0. If the offset is not less than the number of matches, the result is empty.
    public func offset(_ count: Int) -> ExtendedChain { tweak { $0.fetchOffset = count } }
}

extension ClauseChain where O: CoreStoreObject {
    /// Adds a condition, written with the fields of an object.
    ///
    /// ```swift
    /// let adults = try stack.fetchAll(From<Person>().where { $0.$age >= 18 && $0.$city == "Bern" })
    /// ```
    ///
    /// The closure describes the condition; the store evaluates it. The object in the closure has no values: write
    /// `$0.$age`, and not `$0.age`. Use `~` for related objects, as in `($0.$master ~ \.$name) == "Ann"`.
    ///
    /// A second `where` replaces the first one, and logs a warning: combine conditions with `&&`. If a condition
    /// compares values that cannot be compared, the fetch throws `invalidRequest`.
    public func `where`(_ clause: (O) -> Where<O>) -> ExtendedChain { _appending(Where(clause)) }

    /// Adds a condition written with the fields of a superclass of the object.
    @_disfavoredOverload
    public func `where`<T: AnyWhereClause>(_ clause: (O) -> T) -> ExtendedChain {
        _appending(clause(MetaObjects.meta(of: O.self)))
    }
}
