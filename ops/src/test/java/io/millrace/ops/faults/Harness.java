package io.millrace.ops.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.launcher.Launcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs the launcher over the distribution of this build, as the script does. */
public final class Harness {
  private static final long PATIENCE_S = 1800;

  private final Path home;
  private final Path out;
  private final Path err;

  public Harness(Path folder) {
    this.home = folder.resolve("home");
    this.out = folder.resolve("out");
    this.err = folder.resolve("err");
  }

  /** Exit status, the JSON line, and the output for people. */
  public record Result(int status, String json, String words) {

    int number(String name) {
      Matcher found = Pattern.compile("\"" + name + "\":([0-9]+)").matcher(json);
      assertTrue(found.find(), () -> "no " + name + " in '" + json + "'; " + words);
      return Integer.parseInt(found.group(1));
    }
  }

  /** Runs {@code millrace faults} on a home of this harness. */
  Result run(String... arguments) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("faults", "--json", "--home", home.toString()));
    words.addAll(List.of(arguments));
    return launch(words);
  }

  /** Runs a word of the launcher. */
  public Result launch(List<String> words) throws IOException, InterruptedException {
    Path dist = Path.of(System.getProperty("millrace.root"), "ops/target/dist");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:+UseSerialGC",
                "-Dmillrace.dist=" + dist,
                "-Djava.util.logging.config.class=io.millrace.ops.log.LogSetup",
                "-cp",
                dist.resolve("lib") + "/*",
                Launcher.class.getName()));
    command.addAll(words);
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    // Parts are too short-lived here for the second compiler and for warming up to pay off.
    String shortLife = "-XX:TieredStopAtLevel=1 -Dmillrace.warmup=once";
    builder.environment().put("JAVA_TOOL_OPTIONS", shortLife);
    Process process = builder.start();
    try {
      assertTrue(process.waitFor(PATIENCE_S, TimeUnit.SECONDS), () -> "still runs; see " + err);
    } finally {
      // The harness then stops its parts in an orderly way.
      process.destroy();
      process.waitFor(10, TimeUnit.SECONDS);
    }
    return new Result(process.exitValue(), Files.readString(out).strip(), Files.readString(err));
  }

  Path home() {
    return home;
  }
}
