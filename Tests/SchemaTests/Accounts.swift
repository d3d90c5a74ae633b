import Coffer
import TestSupport

/// An account that is identified by its e-mail.
class Account: CoreStoreObject {
    @Field.Stored("email") var email: String?
    @Field.Stored("name") var name: String = ""
    @Field.Stored("password") var password: String = ""
    @Field.Stored("visits") var visits: Int = 1
    @Field.Coded("tags", coder: FieldCoders.Json.self) var tags: [String] = []
    @Field.Virtual("note") var note: String?
    @Field.Relationship("sponsor") var sponsor: Account?
    @Field.Relationship("sponsored", inverse: \.$sponsor) var sponsored: Set<Account>
    @Field.Relationship("letters", inverse: \.$author, deleteRule: .cascade) var letters: [Letter]
    @Field.Relationship("clubs", inverse: \.$members) var clubs: [Club]
}

/// A kind of account with fields of its own.
final class Manager: Account {
    @Field.Stored("level") var level: Int = 1
    @Field.Virtual("badge") var badge: String?
}

final class Letter: CoreStoreObject {
    @Field.Stored("title") var title: String = ""
    @Field.Relationship("author") var author: Account?
}

final class Club: CoreStoreObject {
    @Field.Stored("title") var title: String = ""
    @Field.Relationship("members") var members: Set<Account>
}

extension CoreStoreSchema {
    /// Returns the schema of the accounts, with a policy for their e-mails; nil for none.
    static func accounts(_ policy: UniqueConstraintPolicy? = nil) -> CoreStoreSchema {
        let account =
            policy.map { Entity<Account>("Account", uniqueConstraints: [[\.$email]: $0]) }
            ?? Entity<Account>("Account", uniqueConstraints: [[\.$email]])
        return CoreStoreSchema(
            modelVersion: "V1",
            entities: [account, Entity<Manager>("Manager"), Entity<Letter>("Letter"), Entity<Club>("Club")])
    }
}

extension BaseDataTransaction {
    /// Creates an account.
    @discardableResult
    func sign(up email: String?, _ name: String, password: String = "") -> Account {
        let account = create(Into<Account>())
        account.email = email
        account.name = name
        account.password = password
        return account
    }

    /// Creates a letter.
    func letter(_ title: String) -> Letter {
        let letter = create(Into<Letter>())
        letter.title = title
        return letter
    }

    /// Creates a club.
    func club(_ title: String) -> Club {
        let club = create(Into<Club>())
        club.title = title
        return club
    }
}

extension DataStack {
    /// Saves Ann's account `a@x` with a letter and a club, both called "old".
    @discardableResult
    func saveAnn() throws -> ObjectID {
        try perform(synchronous: { transaction in
            let ann = transaction.sign(up: "a@x", "Ann", password: "secret")
            ann.visits = 5
            ann.letters = [transaction.letter("old")]
            ann.clubs = [transaction.club("old")]
            return ann.objectID()
        })
    }
}
