package io.millrace.ops.e2e;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Connections of other users that say nothing, little at a time, or read nothing. */
final class SlowClients implements AutoCloseable {

  private static final long FAREWELL_S = 60;

  private final Process process;

  private SlowClients(Process process) {
    this.process = process;
  }

  /**
   * Opens them, and keeps them open.
   *
   * @param users accounts that take turns
   * @param count to each target
   * @param kind silent, drip, deaf, or each
   * @param targets as slow_clients.py has them
   */
  static SlowClients open(List<String> users, int count, String kind, List<String> targets)
      throws IOException {
    Path script = Path.of(SlowClients.class.getResource("/slow_clients.py").getPath());
    List<String> line = new ArrayList<>();
    line.addAll(List.of("/usr/bin/python3", script.toString(), String.join(",", users)));
    line.add(Integer.toString(count));
    line.add(kind);
    line.addAll(targets);
    Process process =
        new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    SlowClients clients = new SlowClients(process);
    BufferedReader out = process.inputReader();
    if (!"ready".equals(out.readLine())) {
      clients.process.destroyForcibly();
      throw new IOException("no slow clients: " + line);
    }
    return clients;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    process.getOutputStream().close();
    if (!process.waitFor(FAREWELL_S, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }
}
