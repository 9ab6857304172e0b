package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A user at a terminal made by script(1); a file holds what the command line shows there. */
final class Terminal implements AutoCloseable {
  private static final Duration SOON = Duration.ofSeconds(180);

  private final Path seen;
  private final Process process;

  Terminal(Site site, Account user, Path work, String line) throws IOException {
    seen = work.resolve("seen");
    List<String> command = new ArrayList<>(user.become());
    command.addAll(List.of("script", "-qefc", line, seen.toString()));
    ProcessBuilder builder = new ProcessBuilder(command).directory(work.toFile());
    builder.environment().put("PATH", site.home().bin() + ":" + System.getenv("PATH"));
    builder.environment().put("TERM", "vt100");
    builder.environment().put("SHELL", "/bin/bash");
    builder.redirectOutput(work.resolve("script.out").toFile());
    builder.redirectError(work.resolve("script.err").toFile());
    process = builder.start();
  }

  Process process() {
    return process;
  }

  void type(String text) throws IOException {
    process.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  String seen() {
    try {
      return Files.exists(seen) ? Files.readString(seen) : "";
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  void awaitText(String text) throws InterruptedException {
    Site.await(SOON, text + " in " + seen, () -> seen().contains(text));
  }

  int awaitEnd() throws InterruptedException {
    assertTrue(process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS), seen());
    return process.exitValue();
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
