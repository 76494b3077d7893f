import DuxStore
import Foundation

/// Ids that count up, and a time that stands still.
func todosWorld(_ world: inout DependencyValues) {
  world.uuid = .counting()
  world.date = .fixed(.dawn)
}

extension Date {
  static let dawn = Date(timeIntervalSince1970: 1_800_000_000)
}
