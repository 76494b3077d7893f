import DuxServer

/// The daemon's program.
@main
struct Program {
  static func main() async {
    await Daemon(apps: .document).run()
  }
}
