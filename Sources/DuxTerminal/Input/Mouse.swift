/// What was done with the mouse, and in which cell.
public struct Mouse: Hashable, Sendable {
  /// A button.
  public enum Button: Hashable, Sendable {
    /// The left one.
    case left
    /// The middle one, or the wheel as a button.
    case middle
    /// The right one.
    case right
  }

  /// What was done.
  public enum Action: Hashable, Sendable {
    /// A button went down.
    case press(Button)
    /// A button came up.
    case release(Button)
    /// The pointer moved with a button down.
    case drag(Button)
    /// The pointer moved.
    case move
    /// The wheel was turned away.
    case wheelUp
    /// The wheel was turned near.
    case wheelDown
  }

  /// What was done.
  public var action: Action
  /// The cell, whose row and column count from 0.
  public var position: Position
  /// Whether Ctrl was held down.
  public var control: Bool
  /// Whether Alt was held down.
  public var alt: Bool
  /// Whether Shift was held down.
  public var shift: Bool

  /// Makes an event of the mouse.
  public init(
    _ action: Action, at position: Position, control: Bool = false, alt: Bool = false,
    shift: Bool = false
  ) {
    self.action = action
    self.position = position
    self.control = control
    self.alt = alt
    self.shift = shift
  }
}
