// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

/// A library target, with the arrows it may follow.
func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// A part of the examples.
func example(
  _ name: String, _ dependencies: [Target.Dependency], isProgram: Bool = false
) -> Target {
  let path = "Sources/Examples/\(name)"
  return isProgram
    ? .executableTarget(
      name: name, dependencies: dependencies, path: path, swiftSettings: strict)
    : .target(name: name, dependencies: dependencies, path: path, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
  name: "Dux",
  products: [
    .executable(name: "duxd", targets: ["duxd"]),
    .executable(name: "dux", targets: ["dux"]),
    .library(name: "DuxJSON", targets: ["DuxJSON"]),
    .library(name: "DuxStore", targets: ["DuxStore"]),
    .library(name: "DuxClient", targets: ["DuxClient"]),
    .library(name: "DuxTerminal", targets: ["DuxTerminal"]),
    .library(name: "DuxServer", targets: ["DuxServer"]),
    .library(name: "DuxHTTP", targets: ["DuxHTTP"]),
    .library(name: "DuxTesting", targets: ["DuxTesting"]),
  ],
  targets: [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CLibUV", pkgConfig: "libuv", providers: [.apt(["libuv1-dev"])]),
    .systemLibrary(
      name: "CNcursesW", pkgConfig: "ncursesw", providers: [.apt(["libncurses-dev"])]),
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CMemory"),
    .systemLibrary(name: "CCrypt", pkgConfig: "libcrypt", providers: [.apt(["libcrypt-dev"])]),

    library("DuxJSON", ["CMemory"]),
    library("DuxLog"),
    library("DuxStore", ["DuxJSON"]),
    library("DuxHTTP", ["DuxStore", "DuxJSON"]),
    library("DuxTesting", ["DuxStore", "DuxJSON"]),
    library("DuxProtocol", ["DuxJSON", "DuxLog"]),
    library("DuxEngine", ["DuxJSON", "DuxLog", "DuxStore", "DuxProtocol"]),
    library("DuxStorage", ["DuxLog", "CSQLite"]),
    library("DuxNetwork", ["CLibUV"]),
    library("DuxCommandLine"),
    library(
      "DuxServer",
      [
        "DuxJSON", "DuxLog", "DuxStore", "DuxProtocol", "DuxEngine", "DuxStorage", "DuxNetwork",
        "DuxCommandLine", "CMemory",
      ]),
    library(
      "DuxClient",
      ["DuxEngine", "DuxJSON", "DuxLog", "DuxNetwork", "DuxProtocol", "DuxStorage", "DuxStore"]),
    library(
      "DuxTerminal",
      [
        "DuxClient", "DuxCommandLine", "DuxJSON", "DuxNetwork", "DuxProtocol", "DuxStore",
        "CNcursesW",
      ]),
    program("duxd", ["DuxServer", "Counter", "Login", "Movies", "Navigator", "Todos", "Weather"]),
    program(
      "dux",
      [
        "DuxJSON", "DuxLog", "DuxProtocol", "DuxEngine", "DuxClient", "DuxCommandLine",
        "DuxNetwork", "DuxStore", "DuxTerminal",
      ]),

    example("Counter", ["DuxStore"]),
    example("Movies", ["DuxStore", "DuxHTTP"]),
    example("ExampleHTTP", ["DuxJSON", "DuxCommandLine", "DuxProtocol", "CMicroHTTPD"]),
    example("CatalogueServer", ["ExampleHTTP", "DuxJSON"]),
    example(
      "dux-catalogue", ["CatalogueServer", "ExampleHTTP", "DuxCommandLine"], isProgram: true),
    example("Challenge", []),
    example("Login", ["DuxStore", "DuxHTTP", "Challenge"]),
    example("LoginServer", ["ExampleHTTP", "DuxJSON", "Challenge", "CCrypt"]),
    example(
      "dux-login-server", ["LoginServer", "ExampleHTTP", "DuxCommandLine"], isProgram: true),
    example("Navigator", ["DuxStore"]),
    example("Todos", ["DuxStore"]),
    example("Weather", ["DuxStore", "DuxHTTP"]),
    example(
      "dux-todos",
      ["Todos", "DuxTerminal", "DuxClient", "DuxJSON", "DuxStore", "DuxCommandLine"],
      isProgram: true),
    example(
      "dux-movies",
      ["Movies", "DuxTerminal", "DuxClient", "DuxJSON", "DuxStore", "DuxCommandLine"],
      isProgram: true),
    example(
      "dux-login",
      ["Login", "Challenge", "DuxTerminal", "DuxClient", "DuxHTTP", "DuxStore", "DuxCommandLine"],
      isProgram: true),
    example(
      "dux-navigator", ["Navigator", "DuxTerminal", "DuxClient", "DuxStore", "DuxCommandLine"],
      isProgram: true),

    tests("DuxJSONTests", ["DuxJSON"]),
    tests("DuxLogTests", ["DuxLog"]),
    tests("DuxStoreTests", ["DuxStore", "DuxJSON"]),
    tests("DuxHTTPTests", ["DuxHTTP", "DuxStore", "DuxJSON", "ExampleHTTP"]),
    tests(
      "CatalogueServerTests",
      [
        "CatalogueServer", "ExampleHTTP", "DuxHTTP", "DuxJSON", "dux-catalogue", "dux-login-server",
      ]),
    tests(
      "MoviesTests",
      [
        "Movies", "DuxStore", "DuxHTTP", "DuxTesting", "DuxJSON", "CatalogueServer", "ExampleHTTP",
      ]),
    tests(
      "LoginTests",
      [
        "Login", "DuxStore", "DuxHTTP", "DuxTesting", "DuxJSON", "LoginServer", "Challenge",
        "ExampleHTTP",
      ]),
    tests(
      "LoginServerTests", ["LoginServer", "Challenge", "ExampleHTTP", "DuxHTTP", "DuxJSON"]),
    tests("CounterTests", ["Counter", "DuxStore", "DuxJSON"]),
    tests("TodosTests", ["Todos", "DuxStore", "DuxTesting", "DuxJSON"]),
    tests(
      "WeatherTests",
      ["Weather", "DuxStore", "DuxTesting", "DuxHTTP", "DuxJSON", "CatalogueServer", "ExampleHTTP"]),
    tests("NavigatorTests", ["Navigator", "DuxStore", "DuxTesting", "DuxJSON"]),
    tests("DuxTerminalTests", ["DuxTerminal", "DuxClient", "DuxStore", "DuxJSON"]),
    tests(
      "ExampleScreensTests",
      [
        "dux-todos", "dux-movies", "dux-login", "dux-navigator", "Todos", "Movies", "Login",
        "Navigator", "DuxTerminal", "DuxClient", "DuxHTTP", "DuxStore", "DuxJSON",
      ]),
    tests("DuxTestingTests", ["DuxTesting", "DuxStore", "DuxJSON"]),
    tests("DuxProtocolTests", ["DuxProtocol", "DuxJSON", "DuxLog"]),
    tests(
      "DuxEngineTests",
      ["DuxEngine", "DuxProtocol", "DuxStore", "DuxLog", "DuxJSON", "Simulation"]),
    .target(
      name: "Simulation",
      dependencies: ["DuxEngine", "DuxProtocol", "DuxStore", "DuxLog", "DuxJSON"],
      path: "Tests/Simulation", swiftSettings: strict),
    tests("SimulationTests", ["Simulation"]),
    tests("DuxStorageTests", ["DuxStorage", "DuxLog", "CSQLite"]),
    tests("DuxNetworkTests", ["DuxNetwork"]),
    tests("DuxCommandLineTests", ["DuxCommandLine"]),
    tests(
      "DuxServerTests",
      [
        "DuxServer", "DuxCommandLine", "DuxEngine", "DuxJSON", "DuxLog", "DuxNetwork",
        "DuxProtocol", "DuxStorage", "DuxStore",
      ]),
    tests(
      "DuxClientTests",
      [
        "dux", "DuxClient", "DuxCommandLine", "DuxEngine", "DuxJSON", "DuxLog", "DuxNetwork",
        "DuxProtocol", "DuxServer", "DuxStore", "DuxTerminal", "Todos",
      ]),
    tests(
      "ExplorerTests",
      [
        "dux", "DuxClient", "DuxEngine", "DuxJSON", "DuxLog", "DuxProtocol", "DuxTerminal",
      ]),
    tests("ProtocolVectorTests", ["duxd"]),
    tests("TidyTests", []),
    .executableTarget(
      name: "effect-daemon", dependencies: ["DuxServer", "DuxStore", "DuxJSON"],
      path: "Tests/EffectDaemon", swiftSettings: strict),
    .executableTarget(
      name: "queue-program", dependencies: ["DuxClient", "DuxJSON", "DuxStore", "Todos"],
      path: "Tests/QueueProgram", swiftSettings: strict),
    .executableTarget(
      name: "terminal-sample",
      dependencies: ["DuxServer", "DuxTerminal", "DuxClient", "DuxStore"],
      path: "Tests/TerminalSample", swiftSettings: strict),
    tests(
      "RemoteStoreTests",
      ["DuxClient", "DuxEngine", "DuxJSON", "DuxLog", "DuxStorage", "DuxStore", "Todos"]),
    tests(
      "EndToEndTests",
      [
        "Counter", "DuxClient", "DuxJSON", "DuxHTTP", "DuxNetwork", "DuxStore", "DuxTesting",
        "Todos", "dux", "duxd", "dux-catalogue", "dux-login-server", "dux-todos", "dux-movies",
        "dux-login", "dux-navigator", "effect-daemon", "queue-program", "terminal-sample",
      ]),
  ]
)

// Fuzzers have no entry point of their own, so they are built only when asked for (Scripts/fuzz).
if Context.environment["DUX_FUZZ"] != nil {
  func fuzzer(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
      name: name, dependencies: dependencies, path: "Tests/Fuzz/\(name)",
      swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])])
  }
  package.targets += [
    fuzzer("JSONFuzz", ["DuxJSON"]),
    fuzzer("ProtocolFuzz", ["DuxJSON", "DuxLog", "DuxProtocol"]),
    fuzzer("InputFuzz", ["DuxTerminal"]),
  ]
}

// Benchmarks are programs for release builds, built only when asked for (Scripts/bench).
if Context.environment["DUX_BENCHMARKS"] != nil {
  func benchmark(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
  ) -> Target {
    .executableTarget(
      name: name, dependencies: dependencies, path: "Tests/Benchmarks/\(name)", exclude: exclude,
      swiftSettings: strict)
  }
  package.targets += [
    .target(name: "MeasuredRegion", path: "Tests/Benchmarks/MeasuredRegion"),
    benchmark(
      "MicroBenchmark",
      [
        "DuxCommandLine", "DuxEngine", "DuxJSON", "DuxLog", "DuxProtocol", "DuxStorage", "DuxStore",
        "MeasuredRegion",
      ], exclude: ["results.json"]),
    benchmark("RemoteBenchmark", ["DuxClient", "DuxServer", "DuxStore", "DuxJSON"]),
    benchmark("StoreBenchmark", ["DuxStore", "DuxJSON"]),
    benchmark("TableBenchmark", ["DuxStore", "DuxJSON"]),
    benchmark("TerminalBenchmark", ["DuxTerminal", "DuxStore", "DuxClient"]),
  ]
}
