package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The disk of the log fills up. The log goes on with the room that was kept back for it; when that
 * is gone too it is said which disk is full, and the service comes back by itself when there is
 * room. Nothing that was accepted is lost.
 */
@Beside
@Tag("night")
class DiskFullIT {

  /**
   * Only a guard against a wait without end: on a slow machine all parts take minutes to come back.
   */
  private static final Duration SOON = Duration.ofSeconds(400);

  /**
   * What is promised on a quiet machine; held against the clock at night, when nothing else runs.
   */
  private static final Duration BACK = Duration.ofSeconds(30);

  private static final int NIGHT_FILLS = 10;
  private static final long REFUSED_MS = 5_000;
  private static final int LINES = 30;
  private static final long RESERVE_BYTES = 64L << 20;

  @Test
  void isSaidAndLosesNothing() throws Exception {
    fillAgainAndAgain("diskfull", "data", 1);
  }

  @Test
  void tenTimesOnADiskOfItsOwn() throws Exception {
    fillAgainAndAgain("diskfull-two", "data", NIGHT_FILLS);
  }

  @Test
  void tenTimesOnTheDiskThatAllPartsShare() throws Exception {
    fillAgainAndAgain("diskfull-one", "", NIGHT_FILLS);
  }

  private static void fillAgainAndAgain(String name, String below, int fills) throws Exception {
    if (!Account.superuser()) {
      Assumptions.abort("the broker's full disk: mounting a small one takes root");
    }
    try (Site site = Site.prepare(name)) {
      Path disk = Files.createDirectories(site.home().root().resolve(below));
      String mode = below.isEmpty() ? "755" : "700";
      Shell.Answer mounted =
          site.run("mount -t tmpfs -o size=700m,mode=" + mode + " millrace-small " + disk);
      if (mounted.status() != 0) {
        Assumptions.abort("the broker's full disk: " + mounted);
      }
      Account user = site.user("mrdiskfull");
      try {
        site.up("--shards 2 --resources ncpus=8").must();
        Jobs jobs = new Jobs(site, user, site.folderOf(user, "work"));
        String reserved = reserve(jobs);
        for (int i = 0; i < fills; i++) {
          fillOnce(site, disk, jobs);
        }
        assertEquals(reserved, site.run("pbs_rstat -f").must());
        jobs.haveAllRunOnce();
      } catch (AssertionError e) {
        System.out.println("e2e: of the full disk was said:" + logged(site));
        throw e;
      } finally {
        site.launcher("down", "");
        site.run("umount -l " + disk); // what failed before is not to be hidden by this
      }
    }
  }

  /** On half of the node, in two days; what is told of it. */
  private static String reserve(Jobs jobs) throws Exception {
    assertTrue(jobs.reserve("+2 days", 4).must().contains(" CONFIRMED"));
    return jobs.site().run("pbs_rstat -f").must();
  }

  private static void fillOnce(Site site, Path disk, Jobs jobs) throws Exception {
    Path reserve = site.home().logReserve();
    Site.await(SOON, "room is kept back", () -> bytes(reserve) >= RESERVE_BYTES);
    jobs.submitSome();

    fill(disk.resolve("filler"));
    Site.await(SOON, "the log gets its room", () -> jobs.submitted() && bytes(reserve) == 0);
    Site.await(SOON, "the service goes on", jobs::submitted);
    assertTrue(said(site).contains("disk full: "), "status says it");

    fill(disk.resolve("more"));
    Site.await(SOON, "no job is taken any more", () -> !jobs.submitted());
    // The command that met the full disk may have been written; this later one certainly was not.
    Shell.Answer refused = Shell.within(REFUSED_MS, jobs::refused);
    assertTrue(refused.tookMs() < REFUSED_MS, refused.tookMs() + " ms: " + refused);
    assertTrue(said(site).contains("disk full: "), "status says it");
    Shell.Answer unreserved = jobs.reserve("+4 days", 1);
    assertNotEquals(0, unreserved.status(), unreserved.toString());
    assertEquals(1, unreserved.err().lines().count(), unreserved.toString());

    Files.delete(disk.resolve("filler"));
    Files.delete(disk.resolve("more"));
    long room = System.nanoTime();
    Site.await(SOON, "a job is taken again", jobs::submitted);
    Duration took = Duration.ofNanos(System.nanoTime() - room);
    System.out.println("e2e: service back " + took.toMillis() + " ms after there was room");
    assertTrue(!Site.NIGHT || took.compareTo(BACK) < 0, took.toString());
  }

  private static String said(Site site) throws Exception {
    return site.launcher("status", "").out();
  }

  /** What the parts logged last, each on its own; the folder is gone when the failure is read. */
  private static String logged(Site site) throws Exception {
    StringBuilder all = new StringBuilder("\n").append(said(site));
    for (String part : List.of("keeper", "broker", "server", "gateway")) {
      List<String> lines = Files.readAllLines(site.home().log(part));
      all.append('\n').append(part).append(":\n");
      lines.stream()
          .skip(Math.max(0, lines.size() - LINES))
          .forEach(line -> all.append(line).append('\n'));
    }
    return all.toString();
  }

  private static long bytes(Path file) throws IOException {
    return Files.exists(file) ? Files.size(file) : -1;
  }

  /** Jobs that wait, and write a line when they may run. */
  private record Jobs(Site site, Account user, Path work, List<String> accepted) {

    private static final int SOME = 5;

    Jobs(Site site, Account user, Path work) {
      this(site, user, work, new ArrayList<>());
    }

    void submitSome() throws Exception {
      for (int i = 0; i < SOME; i++) {
        accepted.add(submit().must().strip());
      }
    }

    boolean submitted() {
      try {
        Shell.Answer answer = submit();
        return answer.status() == 0 && accepted.add(answer.out().strip());
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }

    Shell.Answer refused() throws Exception {
      Shell.Answer refused = submit();
      assertEquals(111, refused.status(), refused.toString());
      assertEquals(1, refused.err().lines().count(), refused.toString());
      assertTrue(refused.err().contains("; disk full: " + site.home().root()), refused.toString());
      return refused;
    }

    Shell.Answer reserve(String from, int ncpus) throws Exception {
      String start = site.run("date -d '" + from + "' +%Y%m%d%H%M").must().strip();
      String line = "pbs_rsub -I 60 -D 3600 -R " + start + " -l select=1:ncpus=" + ncpus;
      return site.run(user, work, Site.SOON_REFUSED + line);
    }

    private Shell.Answer submit() throws Exception {
      return site.run(
          user,
          work,
          Site.SOON_REFUSED
              + "qsub -h -j oe -o /dev/null -- /bin/sh -c 'echo x >> "
              + work
              + "/lines'");
    }

    void haveAllRunOnce() throws Exception {
      for (String id : accepted) {
        assertEquals("H", site.state(id), id);
        site.run("qrls " + id).must();
      }
      for (String id : accepted) {
        site.awaitState(id, "F");
        assertEquals(1, site.job(id).path("run_count").asInt(), id);
      }
      Path lines = work.resolve("lines");
      Site.await(SOON, "all lines", () -> count(lines) == accepted.size());
    }

    private static long count(Path lines) throws IOException {
      return Files.exists(lines) ? Files.readAllLines(lines).size() : 0;
    }
  }

  static void fill(Path filler) throws Exception {
    ProcessBuilder writer =
        new ProcessBuilder("dd", "if=/dev/zero", "of=" + filler, "bs=16k")
            .redirectErrorStream(true);
    writer.environment().put("LC_ALL", "C");
    Process dd = writer.start();
    String said = new String(dd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertNotEquals(0, dd.waitFor(), "the small disk has no end");
    assertTrue(said.contains("No space left on device"), said);
  }
}
