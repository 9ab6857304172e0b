package io.millrace.ops.outside;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterCheck;
import io.millrace.connectors.bridge.cluster.ClusterFault;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.host.CommandHosts;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.Word;
import io.millrace.ops.word.WordFailed;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;

/** {@code ./millrace outside check FILE}. */
public final class OutsideWord implements Word {

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
      return new ClusterCheck(file, runner, System.getProperty("user.name")).lines();
    } finally {
      runner.close();
    }
  }

  /** Kinds of systems that the connectors of this distribution speak. */
  static List<OutsideKind> kinds() {
    return ServiceLoader.load(OutsideKind.class).stream().map(ServiceLoader.Provider::get).toList();
  }
}
