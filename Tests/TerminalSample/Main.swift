import DuxServer
import DuxTerminal
import Glibc

/// A daemon and a terminal program of one's own, in which tests find whatever a terminal can do.
@main
struct Main {
  static func main() async {
    if let role = getenv("SAMPLE_ROLE"), strcmp(role, "daemon") == 0 {
      return await Daemon(apps: AppRegistry(Sample())).run()
    }
    FrontEnd.main(
      name: "terminal-sample", summary: "Show what a terminal does.", app: Sample(),
      program: SampleProgram())
  }
}
