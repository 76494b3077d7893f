import DuxJSON

/// Why an app can't be hosted as it is: a mistake of its author, found before anything is served.
public struct AppFault: Error, Hashable, CustomStringConvertible {
  /// The app's name.
  public let app: String
  /// What is wrong with it.
  public let fault: String

  /// Makes a fault.
  public init(app: String, fault: String) {
    self.app = app
    self.fault = fault
  }

  /// The app and what is wrong with it.
  public var description: String { "the app \(JSON.string(app)) can't be hosted: \(fault)" }
}

extension HostedApp {
  /// The view of the initial state, if it leads back to that state.
  static func checkedView(of app: Hosted) throws(AppFault) -> JSON {
    guard !app.name.isEmpty else { throw AppFault(app: app.name, fault: "its name is empty") }
    guard app.version >= 1 else {
      throw AppFault(app: app.name, fault: "its version is \(app.version); versions start at 1")
    }
    if let fault = ReducerOutline(of: app).faults.first {
      throw AppFault(app: app.name, fault: fault.description)
    }
    let view: JSON
    let again: JSON
    do throws(Refusal) {
      view = try app.view(of: app.initialState)
      again = try app.view(of: try app.state(fromView: view))
    } catch {
      throw AppFault(
        app: app.name, fault: "its initial state is no JSON and back: \(error.message)")
    }
    guard case .object(let members) = view else {
      throw AppFault(
        app: app.name, fault: "its state must be an object, this is \(view.kindName)")
    }
    guard again == view else {
      let path = JSONPatch.diff(from: view, to: again).operations.first?.path.description ?? ""
      throw AppFault(
        app: app.name,
        fault: "its initial state does not survive being written and read: \"\(path)\" changes")
    }
    guard members[""] == nil else {
      throw AppFault(app: app.name, fault: "a slice of its state has an empty name")
    }
    return view
  }
}
