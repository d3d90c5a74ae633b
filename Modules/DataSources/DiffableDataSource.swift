/// The namespace of data sources that show list snapshots in table views, collection views and views of your own.
///
/// ```swift
/// dataSource = DiffableDataSource.TableViewAdapter<Person>(
///     tableView: tableView,
///     dataStack: stack,
///     cellProvider: { tableView, indexPath, person in
///         let cell = tableView.dequeueReusableCell(withIdentifier: "PersonCell", for: indexPath)
///         cell.textLabel?.text = person.name
///         return cell
///     }
/// )
/// people.addObserver(self) { [weak self] people in
///     self?.dataSource.apply(people.snapshot)
/// }
/// ```
public enum DiffableDataSource {
    /// A view that can show the snapshots of a ``BaseAdapter``.
    public typealias Target = DiffableDataSourceTarget
}
