package io.millrace.ops.origin2000;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs a program of a case's folder, for at most 30 seconds and 64 KiB of output. */
final class SiteProgram {

  private static final long LONGEST_S = 30;
  private static final int LARGEST = 64 << 10;

  private SiteProgram() {}

  /**
   * What it prints; empty when it cannot be run, takes too long or prints too much.
   *
   * @param folder in which it runs
   */
  static Optional<String> output(Path program, String argument, Path folder) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(program.toAbsolutePath().toString(), argument);
    builder.directory(folder.toFile()).redirectError(ProcessBuilder.Redirect.DISCARD);
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      System.err.println("millrace simulate: " + e.getMessage());
      return Optional.empty();
    }
    process.getOutputStream().close();
    Thread limit = new Thread(() -> end(process));
    limit.setDaemon(true);
    limit.start();
    try (InputStream said = process.getInputStream()) {
      byte[] output = said.readNBytes(LARGEST + 1);
      process.destroyForcibly();
      process.waitFor();
      return output.length > LARGEST
          ? Optional.empty()
          : Optional.of(new String(output, StandardCharsets.UTF_8));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while " + program + " ran");
    } finally {
      process.destroyForcibly();
    }
  }

  private static void end(Process process) {
    try {
      if (!process.waitFor(LONGEST_S, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
    }
  }
}
