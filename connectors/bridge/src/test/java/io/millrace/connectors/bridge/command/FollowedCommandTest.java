package io.millrace.connectors.bridge.command;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.command.FollowedCommand.FollowTerms;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A child that goes on, whatever it does. */
class FollowedCommandTest {

  private static final FollowTerms PATIENT = terms(Duration.ofMinutes(1), 64L << 20);

  @TempDir Path folder;

  /** A command, and who reads it. */
  private record ReadCommand(FollowedCommand command, FollowedLines lines)
      implements AutoCloseable {

    List<String> take() {
      return lines.take();
    }

    @Override
    public void close() {
      command.close();
    }
  }

  private static FollowTerms terms(Duration silence, long bytes) {
    return new FollowTerms(
        Duration.ofMillis(10), Duration.ofMillis(40), Duration.ofMinutes(1), silence, bytes);
  }

  private static ReadCommand follow(FollowTerms terms, String script) {
    FollowedCommand one =
        new FollowedCommand(
            new OutsideCommand(
                List.of("/bin/bash", "-c", script),
                new byte[0],
                Map.of("GIVEN", "a b"),
                Duration.ofSeconds(1),
                1),
            terms);
    ReadCommand read = new ReadCommand(one, one.reader());
    one.start();
    return read;
  }

  private static List<String> lines(ReadCommand one, int count) {
    return lines(one.lines(), count);
  }

  private static List<String> lines(FollowedLines one, int count) {
    List<String> all = new ArrayList<>();
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> all.addAll(one.take()) && all.size() >= count || all.size() >= count);
    return all;
  }

  private static void awaitGone(long pid) {
    // It is gone once the host's first process has seen its end.
    ProcessHandle.of(pid).ifPresent(it -> it.onExit().orTimeout(20, TimeUnit.SECONDS).join());
  }

  /** Where it is started nobody, not even root, can make a file. */
  @Test
  void itsLinesComeAndItCanWriteNothingWhereItIs() {
    try (ReadCommand one =
        follow(PATIENT, "echo \"$GIVEN <$HOME>\"; pwd; echo 1 > a.pid || echo no; exec sleep 77")) {
      List<String> lines = lines(one, 4);
      assertEquals(List.of("a b <>", "/proc"), lines.subList(0, 2));
      assertEquals("no", lines.get(3), lines::toString);
      assertEquals(List.of(), one.take());
    }
  }

  @Test
  void itIsStartedAgainWhenItEnds() {
    try (ReadCommand one = follow(PATIENT, "echo $$; exit 3")) {
      List<String> lines = lines(one, 3);
      assertEquals(3, lines.stream().limit(3).distinct().count(), lines::toString);
    }
  }

  @Test
  void whoSaysNothingAnyMoreIsEndedAndStartedAgain() {
    try (ReadCommand one =
        follow(terms(Duration.ofMillis(500), 1 << 20), "echo $$; trap '' TERM; sleep 77; wait")) {
      List<String> lines = lines(one, 2);
      awaitGone(Long.parseLong(lines.get(0)));
    }
  }

  /** 100 MB at once: what is kept is bounded, and it is ended. */
  @Test
  void whoPrintsTooMuchIsEnded() {
    String flood = "echo $$ > %s; yes 'JOB_ADD (1.0)' | head -c 100000000; exec sleep 77";
    Path pid = folder.resolve("pid");
    try (ReadCommand one = follow(terms(Duration.ofMinutes(1), 8 << 20), flood.formatted(pid))) {
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> Files.exists(pid) && !Files.readString(pid).isBlank());
      String first = Files.readString(pid);
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> !Files.readString(pid).isBlank() && !Files.readString(pid).equals(first));
      assertTrue(one.take().size() <= FollowedLines.MOST);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void brokenLinesAreDropped() {
    String script =
        "head -c 5000 /dev/zero; echo; echo good; head -c 1024 /dev/zero | tr '\\0' x; echo;"
            + " printf '\\377\\n'; printf half; exec sleep 77";
    try (ReadCommand one = follow(PATIENT, script)) {
      List<String> lines = lines(one, 3);
      assertEquals("good", lines.get(0));
      assertEquals(FollowedCommand.LINE_MOST, lines.get(1).length());
      assertEquals(3, lines.size());
    }
  }

  @Test
  void itEndsWhenItIsClosed() {
    ReadCommand one = follow(PATIENT, "echo $$; exec sleep 77");
    long pid = Long.parseLong(lines(one, 1).get(0));
    one.close();
    awaitGone(pid);
  }

  @Test
  void aProgramThatIsNotThereHarmsNothing() {
    ProcessRunner runner = new ProcessRunner();
    OutsideCommand none =
        new OutsideCommand(
            List.of("/no/such/qevent"), new byte[0], Map.of(), Duration.ofSeconds(1), 1);
    FollowedLines one = runner.follow(none).orElseThrow();
    assertTrue(lines(one, 1).get(0).contains("/no/such/qevent"));
    runner.close();
  }

  /** Whoever follows is killed as by the kernel, and says nothing to anybody any more. */
  @Test
  void nothingIsLeftOfOneWhoseProcessIsKilled() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Follower.class.getName())
            .redirectErrorStream(true)
            .start();
    try (BufferedReader said = process.inputReader()) {
      String line = said.readLine();
      while (line != null && !line.matches("\\d+")) {
        line = said.readLine(); // what a logger says
      }
      ProcessHandle child = ProcessHandle.of(Long.parseLong(line)).orElseThrow();
      assertTrue(child.isAlive());
      process.destroyForcibly().waitFor();
      awaitGone(child.pid());
      assertFalse(child.isAlive());
    } finally {
      process.destroyForcibly();
    }
  }

  /** Follows one, and says which process it is. */
  static final class Follower {
    private Follower() {}

    public static void main(String[] words) {
      System.out.println(lines(follow(PATIENT, "echo $$; exec sleep 77"), 1).get(0));
      await().forever().until(() -> false);
    }
  }
}
