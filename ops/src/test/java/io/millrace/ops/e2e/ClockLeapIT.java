package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

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

  private String inHalfAnHour() throws Exception {
    return site.run("date -d '+30 minutes' +%Y%m%d%H%M.%S").must().strip();
  }
}
