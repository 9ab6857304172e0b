package io.millrace.ops.e2e;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs command lines with a time limit. */
final class Shell {

  private static final int TRIES_MAX = 8;

  private final Path scratch;
  private final Map<String, String> environment = new LinkedHashMap<>();

  Shell(Path scratch) {
    this.scratch = scratch;
  }

  /**
   * @param status exit status; 124 when it was ended because its time was over
   * @param tookMs wall time
   */
  record Answer(String line, int status, String out, String err, long tookMs) {

    /** Standard output, when the command succeeded. */
    String must() {
      if (status != 0) {
        throw new Failed(this);
      }
      return out;
    }

    /** This answer together with that of another attempt. */
    Answer and(Answer next) {
      return new Answer(line, next.status, out + next.out, err + next.err, tookMs + next.tookMs);
    }

    @Override
    public String toString() {
      return line + ": exit " + status + "\n" + out + err;
    }
  }

  /** A command failed that must succeed. Whoever polls for something tries again. */
  static final class Failed extends AssertionError {
    private static final long serialVersionUID = 1;

    Failed(Answer answer) {
      super(answer);
    }
  }

  Shell with(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** One of several attempts. */
  interface Try {
    Answer run() throws Exception;
  }

  /**
   * The first of up to eight attempts that takes less than the limit, else the last one. The
   * machine may be busy with something else once, but hardly eight times.
   */
  static Answer within(long limitMs, Try each) throws Exception {
    Answer answer = each.run();
    for (int i = 1; i < TRIES_MAX && answer.tookMs() >= limitMs; i++) {
      answer = each.run();
    }
    return answer;
  }

  /** Runs a line of shell as the user of this process. */
  Answer run(Path directory, Duration patience, String line)
      throws IOException, InterruptedException {
    return run(directory, patience, line, List.of("bash", "-c", line));
  }

  /** Runs a line of shell as this account, with a shell's usual variables. */
  Answer run(Account account, Path directory, Duration patience, String line)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(account.become());
    command.addAll(List.of("bash", "-c", line));
    return run(directory, patience, line, command);
  }

  private Answer run(Path directory, Duration patience, String line, List<String> command)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(scratch, "out", "");
    Path err = Files.createTempFile(scratch, "err", "");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectInput(new File("/dev/null"))
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      builder.environment().putAll(environment);
      long begin = System.nanoTime();
      Process process = builder.start();
      int status = 124;
      if (process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        status = process.exitValue();
      } else {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
      }
      long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
      return new Answer(line, status, read(out), read(err), tookMs);
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  private static String read(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8);
  }
}
