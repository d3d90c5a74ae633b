import Coffer

/// The watched lists: with and without sections, conditions, orders and limits, some across relationships.
enum WatchedLists {
    private typealias Item = Depot.Item

    static func make(_ source: any WatchedSource, _ registry: Registry) -> [any AnyWatchedList] {
        [
            WatchedList<Item>(
                ListRule(name: "all", kind: .item) { world, id in [(number(world, id), false)] },
                source, registry, [OrderBy<Item>(.ascending(\.$number))]),
            WatchedList<Item>(
                ListRule(
                    name: "by title", kind: .item,
                    order: { [(.text($0.things[$1]?.title), false), (value($0, $1), true), (number($0, $1), false)] },
                    section: { $0.things[$1]?.title ?? "" }),
                source, registry,
                [OrderBy<Item>(.ascending(\.$title), .descending(\.$value), .ascending(\.$number))],
                SectionBy<Item>(\.$title)),
            WatchedList<Item>(
                ListRule(
                    name: "titles apart", kind: .item, condition: { ($0.things[$1]?.value ?? 0) > 2 },
                    order: { [(value($0, $1), false), (number($0, $1), true)] },
                    section: { $0.things[$1]?.title ?? "" }),
                source, registry,
                [Where<Item>(\.$value > 2), OrderBy<Item>(.ascending(\.$value), .descending(\.$number))],
                SectionBy<Item>(\.$title)),
            WatchedList<Item>(
                ListRule(
                    name: "by box", kind: .item, condition: { $0.one(.box, $1) != nil },
                    order: { world, id in
                        [
                            (.number(world.one(.box, id).flatMap { world.things[$0]?.number }), false),
                            (number(world, id), false),
                        ]
                    },
                    section: { world, id in
                        world.one(.box, id).flatMap { world.things[$0]?.number }.map { "\($0)" } ?? ""
                    }),
                source, registry,
                [
                    Where<Item>(\.$box != nil),
                    OrderBy<Item>(.ascending(\.$box ~ \.$number), .ascending(\.$number)),
                ], SectionBy<Item>("box.number")),
            WatchedList<Item>(
                ListRule(
                    name: "tagged", kind: .item,
                    condition: { world, id in world.many(.tags, id).contains { (world.things[$0]?.value ?? 0) > 3 } },
                    order: { [(.number($0.many(.likes, $1).count), true), (number($0, $1), false)] }),
                source, registry,
                [
                    Where<Item>((\Item.$tags ~ \.$value).any() > 3),
                    OrderBy<Item>(.descending((\Item.$likes).count()), .ascending(\.$number)),
                ]),
            WatchedList<Item>(
                ListRule(
                    name: "under", kind: .item,
                    condition: { world, id in world.one(.parent, id).map { (world.things[$0]?.value ?? 0) > 4 } ?? false
                    },
                    order: { [(number($0, $1), true)] }),
                source, registry,
                [Where<Item>((\.$parent ~ \.$value) > 4), OrderBy<Item>(.descending(\.$number))]),
            WatchedList<Item>(
                ListRule(
                    name: "page", kind: .item, order: { [(value($0, $1), false), (number($0, $1), false)] }, offset: 1,
                    limit: 4),
                source, registry,
                [
                    OrderBy<Item>(.ascending(\.$value), .ascending(\.$number)),
                    Tweak { ($0.fetchOffset, $0.fetchLimit) = (1, 4) },
                ]),
            WatchedList<Depot.Special>(
                ListRule(
                    name: "special", kind: .special,
                    order: { [(.number($0.things[$1]?.extra), false), (number($0, $1), false)] }),
                source, registry, [OrderBy<Depot.Special>(.ascending(\.$extra), .ascending(\.$number))]),
            WatchedList<Depot.Tag>(
                ListRule(
                    name: "tags", kind: .tag,
                    order: { [(.text($0.things[$1]?.title), false), (number($0, $1), false)] }),
                source, registry, [OrderBy<Depot.Tag>(.ascending(\.$name), .ascending(\.$number))]),
        ]
    }

    private static func number(_ world: World, _ id: Int) -> ListRule.Key { .number(world.things[id]?.number) }
    private static func value(_ world: World, _ id: Int) -> ListRule.Key { .number(world.things[id]?.value) }
}
