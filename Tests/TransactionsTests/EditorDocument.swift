import Coffer

final class Page: CoreStoreObject {
    @Field.Stored("number") var number: Int = 0
    @Field.Stored("value") var value: Int = 0
    @Field.Relationship("parent") var parent: Page?
    @Field.Relationship("children", inverse: \.$parent) var children: [Page]
    @Field.Relationship("tags", inverse: \.$tagged) var tags: [Label]
    @Field.Relationship("partner", inverse: \.$partnerOf) var partner: Page?
    @Field.Relationship("partnerOf") var partnerOf: Page?
    @Field.Relationship("folder") var folder: Folder?
}

final class Label: CoreStoreObject {
    @Field.Stored("number") var number: Int = 0
    @Field.Relationship("tagged") var tagged: Set<Page>
}

final class Folder: CoreStoreObject {
    @Field.Stored("number") var number: Int = 0
    @Field.Relationship("pages", inverse: \.$folder, deleteRule: .cascade) var pages: Set<Page>
}

/// An editor's document as a source shows it.
struct EditorDocument {
    let pages: [Int: Page]
    let labels: [Int: Label]
    let folders: [Int: Folder]

    init(_ source: any FetchableSource) throws {
        pages = Dictionary(uniqueKeysWithValues: try source.fetchAll(From<Page>()).map { ($0.number, $0) })
        labels = Dictionary(uniqueKeysWithValues: try source.fetchAll(From<Label>()).map { ($0.number, $0) })
        folders = Dictionary(uniqueKeysWithValues: try source.fetchAll(From<Folder>()).map { ($0.number, $0) })
    }

    /// The document as plain values; nil if the two sides of a relationship do not agree.
    var model: EditorModel? {
        var model = EditorModel(tags: Set(labels.keys), folders: Set(folders.keys))
        for (number, page) in pages {
            model.pages[number] = .init(
                value: page.value, children: page.children.map(\.number), tags: page.tags.map(\.number),
                partner: page.partner?.number, folder: page.folder?.number
            )
        }
        let isConsistent =
            pages.allSatisfy { number, page in
                page.parent?.number == model.parent(of: number) && page.partner.map { $0.partnerOf === page } ?? true
                    && page.partnerOf.map { $0.partner === page } ?? true
            } && labels.allSatisfy { number, label in Set(label.tagged.map(\.number)) == model.tagged(by: number) }
            && folders.allSatisfy { number, folder in
                Set(folder.pages.map(\.number)) == Set(model.pages.filter { $0.value.folder == number }.keys)
            }
        return isConsistent ? model : nil
    }

    /// Carries out an operation in a transaction.
    static func apply(_ operation: EditorModel.Operation, in transaction: BaseDataTransaction) throws {
        let document = try EditorDocument(transaction)
        let (pages, labels, folders) = (document.pages, document.labels, document.folders)
        switch operation {
        case .addPage(let number, let value):
            let page = transaction.create(Into<Page>())
            page.number = number
            page.value = value
        case .addTag(let number): transaction.create(Into<Label>()).number = number
        case .addFolder(let number): transaction.create(Into<Folder>()).number = number
        case .setValue(let page, let value): pages[page]?.value = value
        case .setParent(let page, let parent): pages[page]?.parent = parent.flatMap { pages[$0] }
        case .setChildren(let page, let children): pages[page]?.children = children.compactMap { pages[$0] }
        case .setTags(let page, let tags): pages[page]?.tags = tags.compactMap { labels[$0] }
        case .setTagged(let tag, let tagged): labels[tag]?.tagged = Set(tagged.compactMap { pages[$0] })
        case .setPartner(let page, let partner): pages[page]?.partner = partner.flatMap { pages[$0] }
        case .setFolder(let page, let folder): pages[page]?.folder = folder.flatMap { folders[$0] }
        case .deletePage(let page): transaction.delete(pages[page])
        case .deleteTag(let tag): transaction.delete(labels[tag])
        case .deleteFolder(let folder): transaction.delete(folders[folder])
        }
    }
}
