package io.millrace.ops.faults.load;

import io.millrace.ops.home.Home;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs the ordinary command-line client, one process per command, as a user's shell does. */
public final class CommandClient {
  /** Far longer than any recovery takes, so a client that gives up earlier has another reason. */
  private static final int PATIENCE_S = 240;

  /** Words with which a command says that it does not know what came of it, and its id. */
  private static final Pattern OPEN =
      Pattern.compile("may still be carried out; repeated as [a-z]+ --command-id ([0-9a-f-]{36})");

  private final List<Home> gateways;
  private final AtomicInteger next = new AtomicInteger();
  private final Path outputs;
  private final Path directory;
  private final List<String> become;

  public CommandClient(Home home, Path outputs) throws IOException {
    this(List.of(home), outputs);
  }

  /**
   * @param gateways homes whose gateways are asked, one after the other
   */
  public CommandClient(List<Home> gateways, Path outputs) throws IOException {
    this(gateways, Files.createDirectories(outputs), outputs, List.of());
  }

  private CommandClient(List<Home> gateways, Path outputs, Path directory, List<String> become) {
    this.gateways = List.copyOf(gateways);
    this.outputs = outputs;
    this.directory = directory;
    this.become = become;
  }

  /**
   * The same for another user.
   *
   * @param become words before a command that make it his
   * @param directory of his, in which his jobs leave their output
   */
  public CommandClient as(List<String> become, Path directory) {
    return new CommandClient(gateways, outputs, directory, List.copyOf(become));
  }

  /**
   * @param status exit status of the process; -1 when it had to be killed
   * @param out standard output without the last line's end
   * @param err standard error
   */
  public record ClientResult(int status, String out, String err) {
    public boolean done() {
      return status == 0;
    }

    /**
     * True when the client could not connect, so that repeating the command cannot submit a job
     * twice.
     */
    boolean sentNothing() {
      return status != 0 && err.contains("no gateway at");
    }

    /** Id under which the command is to be repeated; empty when it is known what came of it. */
    Optional<String> openCommand() {
      Matcher found = OPEN.matcher(err);
      return status != 0 && found.find() ? Optional.of(found.group(1)) : Optional.empty();
    }

    @Override
    public String toString() {
      return "exit " + status + " " + (out + " " + err).strip().replace('\n', ' ');
    }
  }

  public ClientResult run(String command, String... arguments)
      throws IOException, InterruptedException {
    Home home = gateways.get(Math.floorMod(next.getAndIncrement(), gateways.size()));
    List<String> line = new ArrayList<>(become);
    line.add(home.bin().resolve(command).toString());
    line.addAll(List.of(arguments));
    Path out = Files.createTempFile(outputs, command, ".out");
    Path err = Files.createTempFile(outputs, command, ".err");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(line)
              .directory(directory.toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      Map<String, String> environment = builder.environment();
      environment.put("MILLRACE_HOME", home.root().toString());
      environment.put("MILLRACE_CLIENT_TIMEOUT_S", Integer.toString(PATIENCE_S));
      Process process = builder.start();
      process.getOutputStream().close();
      int status = -1;
      if (process.waitFor(2L * PATIENCE_S, TimeUnit.SECONDS)) {
        status = process.exitValue();
      } else {
        process.destroyForcibly().waitFor();
      }
      return new ClientResult(status, text(out).stripTrailing(), text(err));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  /** Runs a command that must succeed, before anything is killed. */
  public String must(String command, String... arguments) throws IOException, InterruptedException {
    ClientResult answer = run(command, arguments);
    if (!answer.done()) {
      throw new IOException(command + " " + String.join(" ", arguments) + " failed: " + answer);
    }
    return answer.out();
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8);
  }
}
