import Counter
import DuxServer
import Login
import Movies
import Navigator
import Todos
import Weather

/// The daemon's program: the app `document`, and the examples.
@main
struct Program {
  static func main() async {
    let examples = AppRegistry(
      CounterApp(), TodosApp(), MoviesApp(catalogue: Surroundings.catalogue),
      WeatherApp(server: Surroundings.catalogue),
      LoginApp(server: Surroundings.loginServer, vault: Surroundings.loginVault), NavigatorApp())
    await Daemon(apps: AppRegistry.document.adding(examples)).run()
  }
}
