package io.millrace.server.unprivileged;

import io.millrace.schemas.folder.NamedProgram;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks a program of a site for what a policy goes by, such as what the server has of a resource. It
 * may hang, say too much or leave processes behind: it is ended with all of its process group in
 * any case.
 *
 * <p>No shell reads the command: words are what stands between blanks.
 */
public final class InputProgram {

  /** Most bytes that a program may say. */
  static final int OUTPUT_MAX = 64 << 10;

  /** How long the rest of what an ended program said is waited for. */
  private static final long REST_S = 1;

  private final UnprivilegedProgram unprivileged;
  private final HostProgram host = HostProgram.USUAL;

  /**
   * @param home in whose etc root may name the user as whom programs run
   */
  public InputProgram(Path home) {
    this(new UnprivilegedProgram(home));
  }

  InputProgram(UnprivilegedProgram unprivileged) {
    this.unprivileged = unprivileged;
  }

  /**
   * What the program says. How it ends does not matter.
   *
   * @param commandLine path of the program, and its arguments
   * @param limitS after how many seconds it is ended
   * @param all whether more than its first line is wanted
   * @throws IOException in one line, when it is not run or says nothing in time
   */
  public String said(String commandLine, int limitS, boolean all)
      throws IOException, InterruptedException {
    List<String> command = List.of(commandLine.strip().split("\\s+"));
    String program = command.get(0);
    Optional<String> refused = NamedProgram.refuse(program);
    if (refused.isPresent()) {
      throw new IOException(program + " " + refused.get());
    }
    String kill = host.require("kill", "which ends programs");
    Path said = Files.createTempFile("millrace", ".input");
    try {
      List<Process> both = start(command, said);
      try {
        await(both, said, program, limitS);
      } finally {
        both.get(0).destroyForcibly();
        HostProgram.run(List.of(kill, "-KILL", "--", "-" + both.get(0).pid()));
        both.get(1).destroyForcibly();
      }
      boolean whole = both.get(1).waitFor(REST_S, TimeUnit.SECONDS) && both.get(1).exitValue() == 0;
      String text = new String(Files.readAllBytes(said), StandardCharsets.UTF_8);
      return all ? all(text, program, whole) : first(text, program, both.get(0), whole);
    } finally {
      Files.deleteIfExists(said);
    }
  }

  /** Between the program and the file stands a process of ours, so that the file has a bound. */
  private List<Process> start(List<String> command, Path said)
      throws IOException, InterruptedException {
    // It writes each byte at once, so that it can be ended at any time.
    String copy = host.require("dd", "which bounds what programs say");
    String count = "count=" + (OUTPUT_MAX + 1);
    ProcessBuilder bound = new ProcessBuilder(copy, "bs=1", count, "status=none");
    bound.environment().clear();
    bound.redirectOutput(said.toFile()).redirectError(Redirect.DISCARD);
    ProcessBuilder program = unprivileged.bound(command).redirectError(Redirect.DISCARD);
    return ProcessBuilder.startPipeline(List.of(program, bound));
  }

  private static void await(List<Process> both, Path said, String program, int limitS)
      throws IOException, InterruptedException {
    long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(limitS);
    CompletableFuture<?> ended = both.get(0).onExit();
    try {
      CompletableFuture.anyOf(ended, both.get(1).onExit()).get(limitS, TimeUnit.SECONDS);
      refuseMuch(said, program);
      ended.get(Math.max(0, endNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
      // Somebody whom it left behind may still have the pipe.
      both.get(1).waitFor(REST_S, TimeUnit.SECONDS);
      refuseMuch(said, program);
    } catch (TimeoutException e) {
      throw new IOException(program + " has not ended within " + limitS + " s", e);
    } catch (ExecutionException e) {
      throw new IOException(program + " cannot be waited for: " + e.getMessage(), e);
    }
  }

  private static void refuseMuch(Path said, String program) throws IOException {
    if (Files.size(said) > OUTPUT_MAX) {
      throw new IOException(program + " said more than " + (OUTPUT_MAX >> 10) + " KiB");
    }
  }

  private static String all(String text, String program, boolean whole) throws IOException {
    if (!whole) {
      throw new IOException(program + " left a process that may say more");
    }
    return text;
  }

  /**
   * @param whole whether the file has all that was said, so that a line may lack its end
   */
  private static String first(String text, String program, Process ended, boolean whole)
      throws IOException {
    String line = text.lines().findFirst().orElse("").strip();
    if (line.isEmpty()) {
      throw new IOException(program + " said nothing, exit status " + ended.exitValue());
    }
    if (!whole && text.indexOf('\n') < 0) {
      throw new IOException(program + " did not end its line, and left a process that may do so");
    }
    return line;
  }
}
