/// Which of several fields keys go to; Tab and Shift-Tab lead round.
///
/// ```swift
/// enum Field: CaseIterable { case name, password }
/// var focus = Focus(Field.name)
/// ```
public struct Focus<Field: CaseIterable & Hashable & Sendable>: Hashable, Sendable {
  /// The field that keys go to.
  public var field: Field

  /// Begins at a field.
  public init(_ field: Field) { self.field = field }

  /// Goes to the next field, and from the last to the first.
  public mutating func moveForward() { move(1) }

  /// Goes to the field before, and from the first to the last.
  public mutating func moveBackward() { move(-1) }

  /// Moves as an event asks.
  ///
  /// - Returns: Whether it was Tab or Shift-Tab.
  public mutating func take(_ event: InputEvent) -> Bool {
    guard case .key(let key) = event else { return false }
    switch key.code {
    case .tab: moveForward()
    case .backTab: moveBackward()
    default: return false
    }
    return true
  }

  private mutating func move(_ distance: Int) {
    let all = Array(Field.allCases)
    guard let place = all.firstIndex(of: field) else { return }
    field = all[(place + distance + all.count) % all.count]
  }
}
