import DuxServer
import DuxStore
import Foundation

/// A daemon of one's own, whose app tests choose by the environment.
@main
struct Main {
  static func main() async {
    let environment = ProcessInfo.processInfo.environment
    await Daemon(apps: registry(environment["WORK_APP"] ?? "first")).run()
  }

  private static func registry(_ name: String) -> AppRegistry {
    switch name {
    case "second": AppRegistry(Work<SecondState>(version: 2) { try renamed($0, from: $1) })
    case "broken":
      AppRegistry(Work<SecondState>(version: 2) { _, _ in throw Broken() })
    case "missing": AppRegistry(Work<SecondState>(version: 2, migration: nil))
    case "wide": AppRegistry(Work<WideState>(version: 1, migration: nil))
    case "idle": AppRegistry(Work<FirstState>(version: 1, handles: false, migration: nil))
    case "twins":
      AppRegistry(
        Work<FirstState>(version: 1, migration: nil), Work<WideState>(version: 1, migration: nil))
    default: AppRegistry(Work<FirstState>(version: 1, migration: nil))
    }
  }
}

/// Why a migration fails.
struct Broken: Error, CustomStringConvertible {
  var description: String { "the total is out of order" }
}
