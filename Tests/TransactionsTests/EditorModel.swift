/// The expected content of an editor's document as plain values; `EditorTests` compares documents with it.
struct EditorModel: Equatable {
    struct Page: Equatable {
        var value: Int
        /// In their order.
        var children: [Int] = []
        /// In their order.
        var tags: [Int] = []
        var partner: Int?
        var folder: Int?
    }

    enum Operation {
        case addPage(Int, value: Int)
        case addTag(Int)
        case addFolder(Int)
        case setValue(Int, Int)
        case setParent(Int, Int?)
        case setChildren(Int, [Int])
        case setTags(Int, [Int])
        case setTagged(Int, Set<Int>)
        case setPartner(Int, Int?)
        case setFolder(Int, Int?)
        case deletePage(Int)
        case deleteTag(Int)
        /// Deletes the folder with its whole content.
        case deleteFolder(Int)
    }

    var pages: [Int: Page] = [:]
    var tags: Set<Int> = []
    var folders: Set<Int> = []

    func parent(of page: Int) -> Int? { pages.first { $0.value.children.contains(page) }?.key }

    func tagged(by tag: Int) -> Set<Int> { Set(pages.filter { $0.value.tags.contains(tag) }.keys) }

    mutating func apply(_ operation: Operation) {
        switch operation {
        case .addPage(let number, let value): pages[number] = Page(value: value)
        case .addTag(let number): tags.insert(number)
        case .addFolder(let number): folders.insert(number)
        case .setValue(let page, let value): pages[page]?.value = value
        case .setParent(let page, let parent):
            guard parent != self.parent(of: page) else { return }
            orphan(page)
            if let parent { pages[parent]?.children.append(page) }
        case .setChildren(let page, let children):
            for child in children { orphan(child) }
            pages[page]?.children = children
        case .setTags(let page, let tags): pages[page]?.tags = tags
        case .setTagged(let tag, let tagged):
            for page in pages.keys {
                if !tagged.contains(page) {
                    pages[page]?.tags.removeAll { $0 == tag }
                } else if pages[page]?.tags.contains(tag) == false {
                    pages[page]?.tags.append(tag)
                }
            }
        case .setPartner(let page, let partner):
            guard pages[page]?.partner != partner else { return }
            for other in pages.keys where partner != nil && pages[other]?.partner == partner {
                pages[other]?.partner = nil
            }
            pages[page]?.partner = partner
        case .setFolder(let page, let folder): pages[page]?.folder = folder
        case .deletePage(let page):
            orphan(page)
            pages[page] = nil
            for other in pages.keys where pages[other]?.partner == page { pages[other]?.partner = nil }
        case .deleteTag(let tag):
            tags.remove(tag)
            for page in pages.keys { pages[page]?.tags.removeAll { $0 == tag } }
        case .deleteFolder(let folder):
            folders.remove(folder)
            for (page, _) in pages.filter({ $0.value.folder == folder }) { apply(.deletePage(page)) }
        }
    }

    private mutating func orphan(_ page: Int) {
        for other in pages.keys { pages[other]?.children.removeAll { $0 == page } }
    }
}
