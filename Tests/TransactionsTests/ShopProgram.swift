import Coffer
import Testing

/// The changes that transactions make in a ``Shop`` with reads that cannot throw.
struct ShopProgram: Sendable, CustomTestStringConvertible {
    let name: String
    let run: @Sendable (BaseDataTransaction, Shop.IDs) throws -> Void

    var testDescription: String { name }

    private init(_ name: String, _ run: @escaping @Sendable (BaseDataTransaction, Shop.IDs) throws -> Void) {
        self.name = name
        self.run = run
    }

    static let all = reading + relating + deleting

    /// Programs that store values that they have read.
    static let reading = [
        ShopProgram("totals over lines") { transaction, _ in
            for order in try transaction.fetchAll(From<Shop.Order>()) {
                order.total = order.lines.reduce(0) { $0 + $1.amount }
            }
        },
        ShopProgram("totals over lines that lead back") { transaction, _ in
            for line in try transaction.fetchAll(From<Shop.Line>()) {
                line.order?.total += line.amount
                if line.order?.customer == nil { transaction.delete(line) }
            }
        },
        ShopProgram("orders without lines") { transaction, _ in
            for order in try transaction.fetchAll(From<Shop.Order>()) where order.lines.isEmpty {
                transaction.delete(order)
            }
        },
        ShopProgram("a computed property") { transaction, _ in
            let order = try Shop.order("A", in: transaction)
            order.total = order.size
        },
        ShopProgram("ordered and unordered links") { transaction, _ in
            let order = try Shop.order("A", in: transaction)
            order.total = order.tags.count + order.stops.count * 10 + order.steps.count * 100
        },
        ShopProgram("one-to-one, from either side") { transaction, _ in
            let order = try Shop.order("A", in: transaction)
            order.total = order.invoice == nil ? 1 : 2
            for invoice in try transaction.fetchAll(From<Shop.Invoice>()) {
                invoice.name += invoice.order.map { " (\($0.number))" } ?? " (none)"
            }
        },
        ShopProgram("edit by id") { $0.edit(Into<Shop.Customer>(), $1.ann)?.name = "Anna" },
        ShopProgram("fetchExisting") { transaction, ids in
            let order: Shop.Order? = transaction.fetchExisting(ids.a)
            order?.total = 1
            let lines: [Shop.Line] = transaction.fetchExisting(ids.lines)
            order?.total += lines.count
        },
        ShopProgram("a snapshot") { transaction, ids in
            let order: Shop.Order? = transaction.edit(Into<Shop.Order>(), ids.a)
            order?.total = order?.asSnapshot(in: transaction)?.$lines.count ?? -1
        },
        ShopProgram("refreshing") { transaction, _ in
            let order = try Shop.order("A", in: transaction)
            order.total += 1
            order.refreshAndMerge()
            order.total += 1
            transaction.refreshAndMergeAllObjects()
            order.total += 1
            let other = try Shop.order("B", in: transaction)
            other.total = 5
            other.refreshAsFault()
        },
    ]

    /// Programs that relate objects.
    static let relating = [
        ShopProgram("setting one") { transaction, ids in
            let line: Shop.Line? = transaction.edit(Into(), ids.lines[0])
            line?.order = transaction.edit(Into(), ids.b)
            let step = try transaction.fetchOne(From<Shop.Step>().where(\.$name == "A1"))
            step?.order = transaction.edit(Into(), ids.b)
        },
        ShopProgram("setting one to one") { transaction, _ in
            let invoice = try transaction.fetchOne(From<Shop.Invoice>().where(\.$name == "invoice of A"))
            invoice?.order = try Shop.order("B", in: transaction)
        },
        ShopProgram("setting sets") { transaction, _ in
            let order = try Shop.order("A", in: transaction)
            let line = transaction.create(Into<Shop.Line>())
            line.name = "new"
            order.lines = [line]
            order.tags = Set(try transaction.fetchAll(From<Shop.Tag>().where(\.$name == "B1")))
        },
        ShopProgram("inserting and removing") { transaction, _ in
            let order = try Shop.order("A", in: transaction)
            let lines = try transaction.fetchAll(From<Shop.Line>().orderBy(.ascending(\.$name)))
            order.lines.insert(lines[2])
            order.lines.remove(lines[0])
            let tags = try transaction.fetchAll(From<Shop.Tag>().orderBy(.ascending(\.$name)))
            order.tags.remove(tags[0])
            order.tags.insert(tags[3])
        },
        ShopProgram("appending and moving") { transaction, _ in
            let order = try Shop.order("A", in: transaction)
            let step = transaction.create(Into<Shop.Step>())
            step.name = "new"
            order.steps.append(step)
            if order.steps.count > 2 { order.steps.swapAt(0, 2) }
            let stop = transaction.create(Into<Shop.Stop>())
            stop.name = "new"
            order.stops.insert(stop, at: 0)
            let other = try Shop.order("B", in: transaction)
            other.stops.append(stop)
            if other.stops.count > 2 { other.stops.removeFirst() }
        },
        ShopProgram("removing from the other side") { transaction, ids in
            let tag: Shop.Tag? = transaction.edit(Into(), ids.tag)
            if let order: Shop.Order = transaction.edit(Into(), ids.a) { tag?.orders.remove(order) }
        },
    ]

    /// Programs that delete objects.
    static let deleting = [
        ShopProgram("delete by id") { $0.delete(objectIDs: [$1.lines[0], $1.tag]) },
        ShopProgram("delete a cascade") { transaction, ids in
            let order: Shop.Order? = transaction.edit(Into(), ids.a)
            transaction.delete(order)
        },
        ShopProgram("delete what a rule allows") { transaction, ids in
            let zoe: Shop.Customer? = transaction.edit(Into(), ids.zoe)
            transaction.delete(zoe)
        },
        ShopProgram("delete all") { transaction, _ in try transaction.deleteAll(From<Shop.Order>()) },
        ShopProgram("delete each") { transaction, _ in
            for order in try transaction.fetchAll(From<Shop.Order>()) { transaction.delete(order) }
            for customer in try transaction.fetchAll(From<Shop.Customer>()) { transaction.delete(customer) }
        },
    ]
}
