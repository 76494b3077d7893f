/// A value that lives elsewhere, to read and to write.
///
/// A field is bound to what it stands for: what the state says is taken over when it changes there, and
/// what is typed goes there as the action that the binding dispatches.
public struct Binding<Value> {
  private let read: () -> Value
  private let write: (Value) -> Void

  /// Binds to whatever is read and written so.
  public init(get read: @escaping () -> Value, set write: @escaping (Value) -> Void) {
    self.read = read
    self.write = write
  }

  /// Binds to a value of a state that is seen now, with an action for each change.
  public init<Action: Sendable>(
    _ value: Value, _ dispatch: Dispatch<Action>, _ action: @escaping (Value) -> Action
  ) {
    self.init(get: { value }, set: { dispatch(action($0)) })
  }

  /// The value.
  public var value: Value {
    get { read() }
    nonmutating set { write(newValue) }
  }
}

extension Draft {
  /// Takes over what a binding says, where that is another text.
  public mutating func adopt(_ binding: Binding<String>) {
    let value = binding.value
    if value != text { replace(with: value) }
  }

  /// Edits the draft, and writes it to a binding if that has changed its text.
  public mutating func edit(_ binding: Binding<String>, _ change: (inout Draft) -> Void) {
    let before = text
    change(&self)
    if text != before { binding.value = text }
  }
}
