import DuxJSON

/// Who is connected to the daemon.
struct PeoplePanel {
  /// A connected client.
  struct Person: Equatable, Sendable {
    let client: String
    let sinceMs: Int64?
    /// What it says of itself.
    let state: JSON?
  }

  private(set) var people: [Person] = []
  private(set) var selectedRow = 0

  /// Takes who is there now, as the daemon tells it.
  mutating func show(_ presence: JSON?) {
    let selected = self.selected?.client
    people =
      (presence?.objectValue).map { members in
        members.map { client, entry in
          Person(client: client, sinceMs: entry["sinceMs"]?.integerValue, state: entry["state"])
        }
      } ?? []
    let row = selected.flatMap { name in people.firstIndex { $0.client == name } }
    select(row: row ?? selectedRow)
  }

  /// The selected client.
  var selected: Person? {
    people.indices.contains(selectedRow) ? people[selectedRow] : nil
  }

  /// Selects a row, the nearest one where there is none of that index.
  mutating func select(row: Int) {
    selectedRow = max(0, min(row, people.count - 1))
  }
}
