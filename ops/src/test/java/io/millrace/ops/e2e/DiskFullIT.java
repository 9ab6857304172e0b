package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The disk of broker and server fills up; accepted commands take effect once it has room again. */
@Beside
class DiskFullIT {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int SUBMISSIONS_MAX = 200;
  private static final long REFUSED_MS = 5_000;

  @Test
  void isSaidAndLosesNothing() throws Exception {
    if (!Account.superuser()) {
      System.out.println("e2e: SKIPPED the broker's full disk: mounting a small one takes root");
      return;
    }
    try (Site site = Site.prepare("diskfull")) {
      Path data = Files.createDirectories(site.home().root().resolve("data"));
      Shell.Answer mounted =
          site.run("mount -t tmpfs -o size=500m,mode=700 millrace-small " + data);
      if (mounted.status() != 0) {
        System.out.println("e2e: SKIPPED the broker's full disk: " + mounted);
        return;
      }
      Account user = site.user("mrdiskfull");
      try {
        run(site, user, data);
      } finally {
        site.launcher("down", "");
        site.run("umount -l " + data); // what failed before is not to be hidden by this
      }
    }
  }

  private static void run(Site site, Account user, Path data) throws Exception {
    site.up("--shards 2 --resources ncpus=8").must();
    Path work = site.folderOf(user, "work");
    List<String> accepted = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      accepted.add(submit(site, user, work).must().strip());
    }
    fill(data.resolve("filler"));

    for (int i = 0; i < SUBMISSIONS_MAX && submitted(site, user, work, accepted); i++) {
      assertTrue(i < SUBMISSIONS_MAX - 1, "the disk is full and every job was taken");
    }
    // The command that met the full disk may have been written; this later one certainly was not.
    Shell.Answer refused = Shell.within(REFUSED_MS, () -> refused(site, user, work));
    assertTrue(refused.tookMs() < REFUSED_MS, refused.tookMs() + " ms: " + refused);
    assertTrue(
        Files.readString(site.home().root().resolve("log/broker.log"))
            .contains("No space left on device"));

    Files.delete(data.resolve("filler"));
    site.up("").must();
    Site.await(SOON, "a job is taken again", () -> submitted(site, user, work, accepted));
    for (String id : accepted) {
      assertEquals("H", site.state(id), id);
      site.run("qrls " + id).must();
    }
    for (String id : accepted) {
      site.awaitState(id, "F");
      assertEquals(1, site.job(id).path("run_count").asInt(), id);
    }
    Site.await(SOON, "all lines", () -> lines(work) == accepted.size());
  }

  private static Shell.Answer refused(Site site, Account user, Path work) throws Exception {
    Shell.Answer refused = submit(site, user, work);
    assertEquals(111, refused.status(), refused.toString());
    assertEquals(1, refused.err().lines().count(), refused.toString());
    return refused;
  }

  private static boolean submitted(Site site, Account user, Path work, List<String> accepted) {
    try {
      Shell.Answer answer = submit(site, user, work);
      return answer.status() == 0 && accepted.add(answer.out().strip());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static Shell.Answer submit(Site site, Account user, Path work) throws Exception {
    return site.run(
        user,
        work,
        Site.SOON_REFUSED
            + "qsub -h -j oe -o /dev/null -- /bin/sh -c 'echo x >> "
            + work
            + "/lines'");
  }

  private static long lines(Path work) {
    try {
      return Files.exists(work.resolve("lines"))
          ? Files.readAllLines(work.resolve("lines")).size()
          : 0;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void fill(Path filler) throws Exception {
    Process dd =
        new ProcessBuilder("dd", "if=/dev/zero", "of=" + filler, "bs=16k")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertNotEquals(0, dd.waitFor(), "the small disk has no end");
  }
}
