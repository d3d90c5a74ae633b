import Coffer
import Foundation

/// A schema with every kind of relationship and delete rule, for tests of reads that fail.
enum Shop {
    final class Customer: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("orders", inverse: \.$customer, deleteRule: .deny) var orders: Set<Order>
    }

    final class Order: CoreStoreObject {
        @Field.Stored("number") var number: String = ""
        @Field.Stored("total") var total: Int = 0
        @Field.Relationship("customer") var customer: Customer?
        @Field.Relationship("lines", inverse: \.$order, deleteRule: .cascade) var lines: Set<Line>
        @Field.Relationship("steps", inverse: \.$order) var steps: [Step]
        @Field.Relationship("tags", inverse: \.$orders) var tags: Set<Tag>
        @Field.Relationship("stops", inverse: \.$orders) var stops: [Stop]
        @Field.Relationship("invoice", inverse: \.$order, deleteRule: .cascade) var invoice: Invoice?

        /// A computed property that reads a relationship, as in many programs.
        var size: Int { lines.count }
    }

    final class Line: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Stored("amount") var amount: Int = 0
        @Field.Relationship("order") var order: Order?
    }

    final class Step: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("order") var order: Order?
    }

    final class Tag: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("orders") var orders: Set<Order>
    }

    final class Stop: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("orders") var orders: [Order]
    }

    final class Invoice: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("order") var order: Order?
    }

    static let schema = CoreStoreSchema(
        modelVersion: "V1",
        entities: [
            Entity<Customer>("Customer"), Entity<Order>("Order"), Entity<Line>("Line"), Entity<Step>("Step"),
            Entity<Tag>("Tag"), Entity<Stop>("Stop"), Entity<Invoice>("Invoice"),
        ]
    )

    /// Creates the orders A and B with related objects, and C without related objects.
    static func fill(_ transaction: BaseDataTransaction) {
        let customer = transaction.create(Into<Customer>())
        customer.name = "Ann"
        transaction.create(Into<Customer>()).name = "Zoe"
        let shared = transaction.create(Into<Tag>())
        shared.name = "shared"
        for number in ["A", "B"] {
            let order = transaction.create(Into<Order>())
            order.number = number
            order.customer = customer
            order.tags.insert(shared)
            order.invoice = transaction.create(Into<Invoice>())
            order.invoice?.name = "invoice of \(number)"
            for index in 1...2 {
                let line = transaction.create(Into<Line>())
                line.name = "\(number)\(index)"
                line.amount = index * 10
                line.order = order
                let step = transaction.create(Into<Step>())
                step.name = "\(number)\(index)"
                step.order = order
                let tag = transaction.create(Into<Tag>())
                tag.name = "\(number)\(index)"
                order.tags.insert(tag)
                let stop = transaction.create(Into<Stop>())
                stop.name = "\(number)\(index)"
                order.stops.append(stop)
            }
        }
        transaction.create(Into<Order>()).number = "C"
    }

    /// The complete content of a source as strings.
    static func dump(_ source: some FetchableSource) throws -> [String] {
        var lines: [String] = []
        for customer in try source.fetchAll(From<Customer>()) {
            lines.append("customer \(customer.name): \(customer.orders.map(\.number).sorted())")
        }
        for order in try source.fetchAll(From<Order>()) {
            lines.append(
                "order \(order.number) \(order.total) of \(order.customer?.name ?? "nobody"): "
                    + "\(order.lines.map { "\($0.name) \($0.amount)" }.sorted()), \(order.steps.map(\.name)), "
                    + "\(order.tags.map(\.name).sorted()), \(order.stops.map(\.name)), \(order.invoice?.name ?? "none")"
            )
        }
        lines += try source.fetchAll(From<Line>()).map { "line \($0.name) of \($0.order?.number ?? "nothing")" }
        lines += try source.fetchAll(From<Step>()).map { "step \($0.name) of \($0.order?.number ?? "nothing")" }
        lines += try source.fetchAll(From<Tag>()).map { "tag \($0.name) of \($0.orders.map(\.number).sorted())" }
        lines += try source.fetchAll(From<Stop>()).map { "stop \($0.name) of \($0.orders.map(\.number))" }
        lines += try source.fetchAll(From<Invoice>()).map { "\($0.name) of \($0.order?.number ?? "nothing")" }
        return lines.sorted()
    }

    /// The order with a number.
    static func order(_ number: String, in source: some FetchableSource) throws -> Order {
        guard let found = try source.fetchOne(From<Order>().where(\.$number == number)) else { throw Refusal() }
        return found
    }

    /// The ids of the objects that programs look up; they are read before the programs run.
    struct IDs: Sendable {
        var ann: ObjectID
        var zoe: ObjectID
        var a: ObjectID
        var b: ObjectID
        var tag: ObjectID
        var lines: [ObjectID]

        init(_ source: some FetchableSource) throws {
            func id(_ chain: some FetchChainableBuilderType) throws -> ObjectID {
                guard let id = try source.fetchObjectID(chain) else { throw Refusal() }
                return id
            }
            ann = try id(From<Customer>().where(\.$name == "Ann"))
            zoe = try id(From<Customer>().where(\.$name == "Zoe"))
            a = try id(From<Order>().where(\.$number == "A"))
            b = try id(From<Order>().where(\.$number == "B"))
            tag = try id(From<Tag>().where(\.$name == "shared"))
            lines = try source.fetchObjectIDs(From<Line>().orderBy(.ascending(\.$name)))
        }
    }
}
