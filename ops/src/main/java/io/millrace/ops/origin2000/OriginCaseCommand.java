package io.millrace.ops.origin2000;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.ops.word.Console;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** {@code ./millrace simulate --case DIR [--out FILE] [--compare]}, for Origin2000 cases. */
public final class OriginCaseCommand {

  private static final String CASE = "--case";

  private OriginCaseCommand() {}

  /** Whether the arguments of simulate name the folder of an Origin2000 case. */
  public static boolean asked(List<String> args) {
    return folder(args).filter(OriginCase::is).isPresent();
  }

  private static Optional<Path> folder(List<String> args) {
    for (int i = 0; i < args.size(); i++) {
      if (args.get(i).startsWith(CASE + "=")) {
        return Optional.of(Path.of(args.get(i).substring(CASE.length() + 1)));
      }
      if (args.get(i).equals(CASE) && i + 1 < args.size()) {
        return Optional.of(Path.of(args.get(i + 1)));
      }
    }
    return Optional.empty();
  }

  /**
   * @return exit code: 0, or 1 when the folder is wrong or something differs
   */
  public static int run(List<String> args, Console console) throws IOException, UsageException {
    GivenOptions options =
        ProgramOptions.ofWord(
                "simulate",
                "Replays a session of the Origin2000 scheduler from its folder (state.json, config,"
                    + " holidays and the\nfiles that they name). The folder stays as it is; the"
                    + " programs in it that config names are run.")
            .value(CASE, "DIR", "the session's folder")
            .value("--out", "FILE", "write the outcome there (default: standard output)")
            .flag("--compare", "name each field that differs from DIR/expected.json, with exit 1")
            .flag("--usage-first", "read decay_usage before the first cycle sorts its jobs")
            .parse(args);
    Path folder = Path.of(options.require(CASE));
    Optional<Path> out = options.get("--out").map(Path::of);
    if (out.filter(it -> isWithin(folder, it)).isPresent()) {
      throw options.wrong("--out is not written into the case's folder");
    }
    try {
      return replay(folder, out, options, console);
    } catch (ConfigurationRefused e) {
      System.err.println("millrace simulate: " + e.getMessage());
      return 1;
    }
  }

  private static boolean isWithin(Path folder, Path file) {
    return file.toAbsolutePath().normalize().startsWith(folder.toAbsolutePath().normalize());
  }

  private static int replay(Path folder, Optional<Path> out, GivenOptions options, Console console)
      throws IOException {
    boolean compares = options.has("--compare");
    ObjectNode ours = OriginReplay.of(folder, options.has("--usage-first"));
    String text =
        CaseJson.MAPPER.writer().with(SerializationFeature.INDENT_OUTPUT).writeValueAsString(ours);
    if (out.isPresent()) {
      Files.writeString(out.get(), text + "\n");
    } else if (!compares) {
      console.say(text);
    }
    if (!compares) {
      return 0;
    }
    JsonNode recorded = CaseJson.read(folder.resolve("expected.json"));
    List<String> differences = CaseDifferences.between(recorded, ours);
    differences.forEach(console::say);
    if (differences.isEmpty()) {
      console.say("nothing differs");
    }
    return differences.isEmpty() ? 0 : 1;
  }
}
