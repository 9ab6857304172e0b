package io.millrace.ops.gridengine;

import io.millrace.ops.word.Console;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** {@code ./millrace simulate --case DIR [--json]}. */
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
                    + " it.")
            .value("--case", "DIR", "the session's folder")
            .flag("--json", "print outcome.json instead of a table")
            .parse(args);
    return CaseReplay.run(Path.of(options.require("--case")), options.has("--json"), console);
  }
}
