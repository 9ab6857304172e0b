package io.millrace.ops.outside;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterCheck;
import io.millrace.connectors.bridge.cluster.ClusterFault;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.ClusterKey;
import io.millrace.connectors.bridge.cluster.ClusterKeys;
import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.host.CommandHosts;
import io.millrace.ops.process.HeapSizes;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.Word;
import io.millrace.ops.word.WordFailed;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/** {@code ./millrace outside check FILE}. */
public final class OutsideWord implements Word {

  private static final String FORWARD = "forward";
  private static final String OUTPUT = "output_most_mib";

  /** An answer and what is made of it are several times as large while it is read. */
  private static final int QUARTER = 4;

  @Override
  public String name() {
    return "outside";
  }

  @Override
  public String summary() {
    return "check whether a cluster of another system can be used";
  }

  @Override
  public int run(List<String> arguments, Console console)
      throws IOException, InterruptedException, UsageException, WordFailed {
    GivenOptions options =
        ProgramOptions.ofWord(
                "outside",
                "Looks whether a cluster of another system can be used as FILE says: access,"
                    + " rights,\n"
                    + "clocks, accounting and versions. Nothing is submitted or changed. A line for each;"
                    + " one that is\n"
                    + "wrong says why, and what would help. Exit status 1 when one is wrong.")
            .operands("check FILE")
            .parse(arguments);
    List<String> operands = options.operands();
    if (operands.isEmpty()) {
      throw options.wrong("check is missing");
    }
    if (!operands.get(0).equals("check")) {
      throw options.wrong("'" + operands.get(0) + "' is not understood: only check is");
    }
    if (operands.size() != 2) {
      throw options.wrong(
          operands.size() < 2 ? "FILE is missing" : "'" + operands.get(2) + "' is too much");
    }
    Path path = Path.of(operands.get(1));
    if (!Files.isRegularFile(path)) {
      throw new WordFailed(path + ": there is no such file");
    }
    ClusterFile file;
    try {
      file = ClusterFile.read(path, kinds());
    } catch (ClusterFault e) {
      throw new WordFailed(e.getMessage(), e);
    }
    List<CheckLine> lines = lines(file);
    lines.forEach(it -> console.say(it.line()));
    long wrong = lines.stream().filter(it -> !it.good()).count();
    console.say(
        wrong == 0 ? file.name() + " can be used" : wrong + " of " + lines.size() + " wrong");
    return wrong == 0 ? 0 : 1;
  }

  private static List<CheckLine> lines(ClusterFile file) throws InterruptedException {
    CommandRunner runner = CommandHosts.of(file);
    try {
      List<CheckLine> lines =
          new ArrayList<>(new ClusterCheck(file, runner, System.getProperty("user.name")).lines());
      heap(file).ifPresent(lines::add);
      return lines;
    } finally {
      runner.close();
    }
  }

  /** What is wrong with a bound that somebody has set beyond what forward could take in. */
  static Optional<CheckLine> heap(ClusterFile file) {
    int heap = new HeapSizes(Map.of()).largestMiB(FORWARD);
    Optional<String> usual =
        ClusterKeys.common(List.of()).stream()
            .filter(it -> it.name().equals(OUTPUT))
            .findFirst()
            .flatMap(ClusterKey::usual);
    Optional<String> asked =
        file.given(OUTPUT)
            .filter(it -> !usual.equals(Optional.of(it)))
            .filter(it -> file.number(OUTPUT) * QUARTER > heap);
    return asked.map(
        it ->
            CheckLine.wrong(
                OUTPUT
                    + " = "
                    + it
                    + " is more than a quarter of the heap that forward has usually, "
                    + heap
                    + "m",
                "begin with 'up --heap " + FORWARD + "=" + file.number(OUTPUT) * QUARTER + "m'"));
  }

  /** Kinds of systems that the connectors of this distribution speak. */
  static List<OutsideKind> kinds() {
    return ServiceLoader.load(OutsideKind.class).stream().map(ServiceLoader.Provider::get).toList();
  }
}
