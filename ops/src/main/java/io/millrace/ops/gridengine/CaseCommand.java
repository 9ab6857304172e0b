package io.millrace.ops.gridengine;

import io.millrace.ops.dialect.CaseKind;
import io.millrace.ops.word.Console;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** {@code ./millrace simulate --case DIR [--json] [--out FILE] [--compare]}. */
public final class CaseCommand {

  private CaseCommand() {}

  /** Whether the arguments of simulate name a recorded session rather than a trace. */
  public static boolean asked(List<String> args) {
    return args.stream().anyMatch(arg -> arg.equals("--case") || arg.startsWith("--case="));
  }

  /**
   * @return exit code: 0, or 1 when the folder is wrong
   */
  public static int run(List<String> args, Console console) throws IOException, UsageException {
    GivenOptions options =
        ProgramOptions.ofWord(
                "simulate",
                "Replays a session of a Grid Engine from its folder (config/, cluster.json,"
                    + " jobs.json, seen.json)\nand writes the files schedule and outcome.json into"
                    + " it; or one of a PBS server with its\nsched_priv (about.json, steps.json,"
                    + " setup.qmgr, sched_priv/), and writes nothing into it.")
            .value("--case", "DIR", "the session's folder")
            .value("--out", "FILE", "write what became of a PBS session as JSON")
            .flag("--compare", "say what differs from a PBS session's outcome.json; then exit 1")
            .value(
                "--tolerance", "N", "with --compare: usages that pbsfs tells may differ by so much")
            .flag("--json", "print outcome.json instead of a table")
            .parse(args);
    Path folder = Path.of(options.require("--case"));
    Optional<CaseKind> kind = Dialects.ofCase(folder);
    Optional<Path> out = options.get("--out").map(Path::of);
    if (kind.isPresent()) {
      boolean compare = options.has("--compare");
      if (compare && options.has("--json")) {
        throw options.wrong(
            "--compare tells differences and not the outcome: --json is not for it");
      }
      if (!compare && options.has("--tolerance")) {
        throw options.wrong("--tolerance is for --compare");
      }
      int tolerance = options.number("--tolerance", 0, 0, 1_000_000);
      CaseKind.CaseReplayOptions wanted =
          new CaseKind.CaseReplayOptions(out, options.has("--json"), compare, tolerance);
      return kind.get().play(folder, wanted, console);
    }
    if (out.isPresent() || options.has("--compare") || options.has("--tolerance")) {
      throw options.wrong(
          "--out, --compare and --tolerance are not for a session of a Grid Engine");
    }
    return CaseReplay.run(Path.of(options.require("--case")), options.has("--json"), console);
  }
}
