package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Replays sessions of a real Grid Engine second by second, while no other test runs. The golden
 * test checks the recorded times without a live system.
 */
@Isolated
@Tag("night")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RecordedSecondsIT {

  private static final List<String> CASES =
      List.of(
          "01-spec-three-jobs",
          "05-backfill-short-job",
          "15-pe-range-list-nowait",
          "17-array-reservation");

  /** A busy machine may be quiet again after some minutes. */
  private static final Duration ATTEMPTS = Duration.ofMinutes(5);

  /**
   * The tolerances of a session add up to more than is accepted, so deviating times have to occur
   * repeatedly.
   */
  private static final int OTHER_TIMES_MAX = 3;

  private Site site;
  private Account user;

  @BeforeAll
  void up() throws Exception {
    site = Site.prepare("seconds");
    site.up("--shards 4 --executors 1 --resources ncpus=8,mem=2gb").must();
    user = site.user("mrseconds");
    site.folderOf(user, "work");
    // -p above 0 is for operators, as in the recorded sessions.
    site.qmgr("set server operators += " + user.name() + "@*");
  }

  @AfterAll
  void down() throws Exception {
    if (site != null) {
      site.close();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aRecordedSessionAgainWithJobsThatSleep(String name) throws Exception {
    Path recordings = site.checkout().resolve("../shared/goldens/gridengine").normalize();
    if (!Files.isDirectory(recordings)) {
      Assumptions.abort("live session " + name + ": none at " + recordings);
    }
    List<String> lines = List.of();
    String disturbance = "";
    List<String> otherTimes = new ArrayList<>();
    long begin = System.nanoTime();
    for (int i = 1; lines.isEmpty() && goesOn(begin, otherTimes.size()); i++) {
      LiveCell cell = LiveCell.ofFour(site, "case" + name.substring(0, 2) + "x" + i + "n");
      LiveCase attempt = new LiveCase(cell, user, recordings.resolve(name));
      lines = attempt.play();
      disturbance = attempt.disturbance();
      if (!attempt.otherTimes().isEmpty()) {
        otherTimes.add(attempt.otherTimes());
      }
      if (lines.isEmpty()) {
        System.out.println("gridengine: SLOW: " + name + ", attempt " + i + ", " + disturbance);
      }
    }
    assertTrue(
        otherTimes.size() < OTHER_TIMES_MAX || !lines.isEmpty(),
        () -> String.join("\n", otherTimes));
    if (lines.isEmpty()) {
      // The golden test checks the recorded times without a live system.
      String slow = disturbance.isEmpty() ? String.join("\n", otherTimes) : disturbance;
      Assumptions.abort("live session " + name + ": this machine is too slow: " + slow);
    }
    lines.forEach(line -> System.out.println("gridengine: " + line));
  }

  /** Whether to try again, after this many undisturbed attempts with deviating times. */
  private static boolean goesOn(long begin, int otherTimes) {
    return otherTimes < OTHER_TIMES_MAX && System.nanoTime() - begin < ATTEMPTS.toNanos();
  }

  static List<String> cases() {
    return CASES;
  }
}
