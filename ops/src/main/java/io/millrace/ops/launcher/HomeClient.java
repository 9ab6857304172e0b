package io.millrace.ops.launcher;

import io.millrace.ops.home.Home;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Calls qsub, qstat and the others as a user of a home does. */
public final class HomeClient {

  private static final long PATIENCE_S = 120;

  /**
   * What a command said.
   *
   * @param out standard output and error, as they came
   */
  public record Said(int status, String out) {
    public List<String> lines() {
      return out.lines().toList();
    }
  }

  private final Home home;
  private final Path dist;

  public HomeClient(Home home) throws UsageException {
    this(home, Distribution.current());
  }

  HomeClient(Home home, Distribution dist) {
    this.home = home;
    this.dist = dist.root();
  }

  /** Calls a command in a directory and waits for its end. */
  public Said call(Path directory, String command, String... arguments)
      throws IOException, InterruptedException {
    List<String> line = new ArrayList<>();
    line.add(home.bin().resolve(command).toString());
    line.addAll(List.of(arguments));
    return run(directory, line);
  }

  /**
   * Calls a command.
   *
   * @throws IOException with what it said when its exit status is not 0
   */
  public Said ask(Path directory, String command, String... arguments)
      throws IOException, InterruptedException {
    Said said = call(directory, command, arguments);
    if (said.status() != 0) {
      throw new IOException(
          command + " ended with status " + said.status() + ": " + said.out().strip());
    }
    return said;
  }

  private Said run(Path directory, List<String> line) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(line).directory(directory.toFile()).redirectErrorStream(true);
    builder.environment().put("MILLRACE_HOME", home.root().toString());
    builder.environment().put("MILLRACE_SOCKET", home.socket().toString());
    builder.environment().put("MILLRACE_DIST", dist.toString());
    Process process = builder.start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException(line + " did not end within " + PATIENCE_S + " s");
    }
    return new Said(process.exitValue(), out);
  }

  /** Makes the archive of the Java client's classes, once; it starts twice as fast with it. */
  public void archiveJavaClient() throws IOException, InterruptedException {
    Path archive = dist.resolve("cds/client.jsa");
    if (Files.exists(archive) || !Files.isWritable(dist)) {
      return;
    }
    Files.createDirectories(archive.getParent());
    Path fresh = archive.resolveSibling("client.jsa.new");
    ProcessBuilder builder =
        new ProcessBuilder(dist.resolve("bin/millrace-client-java").toString(), "qstat", "-B");
    builder.environment().put("MILLRACE_CLIENT_ARCHIVE", fresh.toString());
    builder.environment().put("MILLRACE_HOME", home.root().toString());
    builder.environment().put("MILLRACE_DIST", dist.toString());
    Process process = builder.redirectErrorStream(true).start();
    process.getInputStream().readAllBytes();
    if (process.waitFor(PATIENCE_S, TimeUnit.SECONDS)
        && process.exitValue() == 0
        && Files.exists(fresh)) {
      Files.move(fresh, archive);
    }
  }
}
