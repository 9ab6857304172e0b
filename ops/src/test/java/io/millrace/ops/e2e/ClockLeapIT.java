package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.broker.LeapingBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The broker's clock leaps under a whole installation. Clients give up after a minute. */
@Beside
@Tag("night")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClockLeapIT {
  private static final Duration SOON = Duration.ofSeconds(180);
  private static final long HOUR_MS = 3_600_000;
  private static final List<Long> LEAPS_MS =
      List.of(HOUR_MS, 48 * HOUR_MS, 365 * 24 * HOUR_MS, -HOUR_MS);

  private Site site;
  private Account user;
  private Path work;
  private Path ahead;

  @BeforeAll
  void up() throws Exception {
    site = Site.prepare("clockleap");
    ahead = site.folder().resolve("ahead");
    clock(0);
    site.up("--no-keeper --shards 2 --resources ncpus=4").must();
    user = site.user("mrleap");
    work = site.folderOf(user, "work");
    ProcessHandle broker = site.processes().get("broker");
    Site.kill(List.of(broker));
    Files.deleteIfExists(site.home().ready("broker"));
    new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx512m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            Path.of("target", "test-classes").toAbsolutePath() + ":" + site.libraries() + "/*",
            LeapingBroker.class.getName(),
            site.home().root().toString(),
            ahead.toString())
        .redirectErrorStream(true)
        .redirectOutput(site.folder().resolve("broker.out").toFile())
        .start();
    Site.await(SOON, "the broker serves", () -> Files.exists(site.home().ready("broker")));
  }

  @AfterAll
  void down() throws Exception {
    if (site != null) {
      site.close();
    }
  }

  private void clock(long ms) throws IOException {
    Path next = site.folder().resolve("ahead.new");
    Files.writeString(next, Long.toString(ms));
    Files.move(next, ahead, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private String submit(String options, String command) throws Exception {
    return site.run(user, work, "qsub " + options + " -- " + command).must().strip();
  }

  @Test
  void commandsAreAnsweredAndJobsRunOn() throws Exception {
    String lasting = submit("-l walltime=3:00:00", "/bin/sleep 7000");
    site.awaitState(lasting, "R");
    String later = submit("-a " + inHalfAnHour(), "/bin/true");
    assertEquals("W", site.state(later));
    for (long ms : LEAPS_MS) {
      for (long now : List.of(ms, 0L)) {
        clock(now);
        String job = submit("", "/bin/true");
        site.awaitState(job, "F");
        site.qmgr("set server comment = \"ahead " + now + "\"");
        assertEquals("R", site.state(lasting), "no run ends by a leap");
        if (now == HOUR_MS) { // a later leap ends the history of what has finished
          site.awaitState(later, "F");
          assertEquals(1, site.job(later).path("run_count").asInt());
        }
      }
    }
    assertEquals(1, site.job(lasting).path("run_count").asInt());
    site.run("qdel " + lasting).must();
    site.awaitState(lasting, "F");
  }

  /**
   * Windows are times of the clock. One that a leap passes over ends; one behind the leap stays,
   * and after the leap back it is as it was asked for.
   */
  @Test
  void reservationsKeepTheTimesThatWereAskedFor() throws Exception {
    String near = reserve("+20 minutes", "+30 minutes");
    String far = reserve("+20 days", "+21 days");
    String window = site.run("pbs_rstat -f " + far + " | grep reserve_").must();
    String inside = submit("-q " + far, "/bin/true");
    clock(HOUR_MS);
    Site.await(SOON, "the passed one is over", () -> !listed().contains(near));
    assertTrue(listed().contains(far), "the other one is there");
    clock(0);
    site.awaitState(submit("", "/bin/true"), "F");
    assertEquals(window, site.run("pbs_rstat -f " + far + " | grep reserve_").must());
    assertEquals("Q", site.state(inside), "its window has not begun");
    String again = reserve("+20 minutes", "+30 minutes");
    clock(-HOUR_MS);
    site.awaitState(submit("", "/bin/true"), "F");
    assertTrue(listed().contains(again), "it is farther away, and there");
    clock(0);
    site.run(user, work, "pbs_rdel " + again).must();
    site.run(user, work, "pbs_rdel " + far).must();
    Site.await(SOON, "nothing is reserved", () -> listed().isEmpty());
  }

  /** A reservation of one processor; the name of its queue. */
  private String reserve(String from, String to) throws Exception {
    String start = site.run("date -d '" + from + "' +%Y%m%d%H%M.%S").must().strip();
    String end = site.run("date -d '" + to + "' +%Y%m%d%H%M.%S").must().strip();
    String line = "pbs_rsub -I 120 -R " + start + " -E " + end + " -l select=1:ncpus=1";
    String[] answer = site.run(user, work, line).must().strip().split(" ");
    assertEquals("CONFIRMED", answer[1]);
    return answer[0].replaceFirst("\\..*", "");
  }

  private String listed() {
    try {
      return site.run("pbs_rstat -B").must();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private String inHalfAnHour() throws Exception {
    return site.run("date -d '+30 minutes' +%Y%m%d%H%M.%S").must().strip();
  }
}
