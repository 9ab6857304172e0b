package io.millrace.ops.installation;

import io.millrace.ops.home.Home;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs qsub, qstat and other client commands against a home. */
public final class HomeClient {

  private static final Duration PATIENCE = Duration.ofSeconds(120);

  /**
   * Result of a command.
   *
   * @param out standard output and error, as they came
   */
  public record HomeCommandResult(int status, String out) {
    public List<String> lines() {
      return out.lines().toList();
    }
  }

  private final Home home;
  private final Path dist;
  private final Duration patience;
  private final List<String> become;

  public HomeClient(Home home) throws UsageException {
    this(home, Distribution.current());
  }

  HomeClient(Home home, Distribution dist) {
    this(home, dist, PATIENCE);
  }

  HomeClient(Home home, Distribution dist, Duration patience) {
    this(home, dist.root(), patience, List.of());
  }

  private HomeClient(Home home, Path dist, Duration patience, List<String> become) {
    this.home = home;
    this.dist = dist;
    this.patience = patience;
    this.become = become;
  }

  /**
   * The same for another user.
   *
   * @param become words before a command that make it his
   */
  public HomeClient as(List<String> become) {
    return new HomeClient(home, dist, patience, List.copyOf(become));
  }

  /** Calls a command in a directory and waits for its end. */
  public HomeCommandResult call(Path directory, String command, String... arguments)
      throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(become);
    line.add(home.bin().resolve(command).toString());
    line.addAll(List.of(arguments));
    return run(directory, line);
  }

  /**
   * Calls a command.
   *
   * @throws IOException with the command's output when its exit status is not 0
   */
  public HomeCommandResult ask(Path directory, String command, String... arguments)
      throws IOException, InterruptedException {
    HomeCommandResult said = call(directory, command, arguments);
    if (said.status() != 0) {
      throw new IOException(
          command + " ended with status " + said.status() + ": " + said.out().strip());
    }
    return said;
  }

  private HomeCommandResult run(Path directory, List<String> line)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(line).directory(directory.toFile()).redirectErrorStream(true);
    builder.environment().put("MILLRACE_HOME", home.root().toString());
    builder.environment().put("MILLRACE_SOCKET", home.socket().toString());
    builder.environment().put("MILLRACE_DIST", dist.toString());
    // Use this home, whatever cluster the caller's environment points to.
    builder.environment().remove("MILLRACE_URL");
    return finish(builder);
  }

  /** Reads the output on another thread, since a hanging command neither prints nor ends. */
  private HomeCommandResult finish(ProcessBuilder builder)
      throws IOException, InterruptedException {
    Process process = builder.start();
    process.getOutputStream().close();
    FutureTask<byte[]> out = new FutureTask<>(() -> process.getInputStream().readAllBytes());
    Thread reader = new Thread(out, "command-output");
    reader.setDaemon(true);
    reader.start();
    try {
      byte[] said = out.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      if (process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        return new HomeCommandResult(process.exitValue(), new String(said, StandardCharsets.UTF_8));
      }
    } catch (ExecutionException e) {
      throw new IOException(builder.command() + ": " + e.getCause().getMessage(), e);
    } catch (TimeoutException e) {
      // The exit status below tells it.
    } finally {
      process.destroyForcibly();
    }
    throw new IOException(builder.command() + " did not end within " + patience.toSeconds() + " s");
  }

  /**
   * Creates the class data archive of the Java client once; the client starts twice as fast with
   * it.
   */
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
    builder.environment().remove("MILLRACE_URL");
    if (finish(builder.redirectErrorStream(true)).status() == 0 && Files.exists(fresh)) {
      Files.move(fresh, archive);
    }
  }
}
