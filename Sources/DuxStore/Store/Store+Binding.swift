extension Store {
  /// Makes a function that dispatches what `make` makes of its arguments, to be handed to code that
  /// need not know the store.
  ///
  /// ```swift
  /// let add = store.bind(Todos.Action.add)
  /// add("Buy milk")
  /// ```
  public func bind<each Argument>(
    by author: String = "", _ make: @escaping @Sendable (repeat each Argument) -> Action
  ) -> @Sendable (repeat each Argument) -> Void {
    { (argument: repeat each Argument) in
      self.dispatch(make(repeat each argument), by: author)
    }
  }
}
