package io.millrace.server.unprivileged;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs of a site that do what they should not. */
final class InputProgramTest {
  private static final int LIMIT_S = 20;

  @TempDir Path temporary;
  private Path home;

  @BeforeEach
  void prepare() throws IOException {
    home = temporary.toRealPath();
    mode(home, "rwxr-xr-x");
  }

  private static void mode(Path path, String mode) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  private Path program(String... lines) throws IOException {
    Path program = home.resolve("program");
    Files.writeString(program, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
    mode(program, "rwxr-xr-x");
    return program;
  }

  private String said(int limitS, String... lines) throws IOException, InterruptedException {
    return new InputProgram(home).said(program(lines).toString(), limitS, false);
  }

  private String refused(int limitS, String... lines) {
    return assertThrows(IOException.class, () -> said(limitS, lines)).getMessage();
  }

  private String name() {
    return home.resolve("program").toString();
  }

  @Test
  void theFirstLineCountsHoweverItEnds() throws Exception {
    assertEquals("42", said(LIMIT_S, "echo '  42 '", "echo 43"));
    assertEquals("42", said(LIMIT_S, "echo 42", "exit 1"));
    assertEquals("42", said(LIMIT_S, "echo 42", "kill -9 $$"));
    assertEquals("42", said(LIMIT_S, "printf 42; echo complaint >&2"));
  }

  @Test
  void wordsGoToItAsTheyAre() throws Exception {
    Path program = program("echo \"$#:$1:$2\"");
    String line = program + "  $(id)  *;rm";
    assertEquals("2:$(id):*;rm", new InputProgram(home).said(line, LIMIT_S, false));
  }

  @Test
  void itHasNoRights() throws Exception {
    String bits = said(LIMIT_S, "grep NoNewPrivs /proc/$$/status");
    assertEquals("1", bits.replaceAll("\\D", ""), "a set-user-id bit below it has no effect");
    if (!UnprivilegedProgram.isRoot()) {
      Assumptions.abort("needs root, who alone has rights to drop");
    }
    String nobody =
        HostProgram.run(List.of("/usr/bin/getent", "passwd", "nobody")).said().split(":")[2];
    assertEquals(nobody, said(LIMIT_S, "id -u"));
    Files.createDirectory(home.resolve("etc"));
    Files.writeString(home.resolve("etc/program_user"), "root\n");
    assertTrue(refused(LIMIT_S, "id -u").contains("names root"));
  }

  @Test
  void oneThatOthersMayWriteIsNotRun() throws Exception {
    Path program = program("echo 1; touch " + home.resolve("ran"));
    mode(program, "rwxr-xrwx");
    IOException e =
        assertThrows(
            IOException.class,
            () -> new InputProgram(home).said(program.toString(), LIMIT_S, false));
    assertEquals(program + " may be written by others", e.getMessage());
    assertFalse(Files.exists(home.resolve("ran")));
    Files.delete(program);
    assertTrue(
        assertThrows(
                IOException.class,
                () -> new InputProgram(home).said(program.toString(), LIMIT_S, false))
            .getMessage()
            .contains("is not there"));
  }

  @Test
  void oneThatSaysTooMuchIsEnded() {
    long beganNanos = System.nanoTime();
    assertEquals(
        name() + " said more than 64 KiB",
        refused(LIMIT_S, "head -c 10485760 /dev/zero", "sleep 100"));
    assertTrue(System.nanoTime() - beganNanos < TimeUnit.SECONDS.toNanos(LIMIT_S));
  }

  @Test
  void oneThatHangsIsEndedWithAllThatItStarted() throws Exception {
    Path pids = home.resolve("pids");
    Files.createFile(pids);
    mode(pids, "rw-rw-rw-");
    assertEquals(
        name() + " has not ended within 5 s",
        refused(
            5, // so that it has said who it is by then
            "trap '' TERM",
            "sleep 100 & echo $! >>" + pids,
            "echo $$ >>" + pids,
            "echo 42; wait"));
    for (String pid : Files.readAllLines(pids)) {
      ProcessHandle.of(Long.parseLong(pid))
          .ifPresent(left -> left.onExit().orTimeout(5, TimeUnit.SECONDS).join());
    }
    assertEquals(2, Files.readAllLines(pids).size());
  }

  @Test
  void whatItLeavesBehindIsEnded() throws Exception {
    long beganNanos = System.nanoTime();
    assertEquals("42", said(LIMIT_S, "sleep 100 &", "echo 42"));
    assertEquals("42", said(LIMIT_S, "setsid sleep 6 &", "echo 42"), "it has the pipe for long");
    assertTrue(System.nanoTime() - beganNanos < TimeUnit.SECONDS.toNanos(LIMIT_S));
  }

  @Test
  void aPartOfALineIsNoLine() throws Exception {
    assertEquals(
        name() + " did not end its line, and left a process that may do so",
        refused(LIMIT_S, "printf 4; setsid sleep 6 &", "exit 0"));
    assertEquals("4", said(LIMIT_S, "printf 4; sleep 6 >/dev/null &", "exit 0"), "all was said");
  }

  @Test
  void oneThatSaysNothing() {
    assertEquals(name() + " said nothing, exit status 3", refused(LIMIT_S, "exit 3"));
    assertEquals(name() + " said nothing, exit status 0", refused(LIMIT_S, "echo; echo 42"));
    assertEquals(name() + " said nothing, exit status 137", refused(LIMIT_S, "kill -9 $$"));
  }
}
