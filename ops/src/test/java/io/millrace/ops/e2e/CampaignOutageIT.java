package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The broker is away in the middle of a campaign, and the disk of all parts is full: both are said,
 * and when they are over the campaign goes on by itself. Each task has succeeded once.
 */
@Beside
@Tag("night")
class CampaignOutageIT {

  private static final int TASKS = 480;
  private static final int PROCESSORS = 4;
  private static final long RESERVE_BYTES = 64L << 20;

  @Test
  void theBrokerIsAway() throws Exception {
    try (Site site = Site.prepare("campaign-broker")) {
      CampaignBag bag = bag(site, "--no-keeper");
      bag.awaitDone(TASKS / 4);
      Site.kill(List.of(site.processes().get("broker")));
      bag.isRefused("gridsub: ");
      Shell.Answer status = site.launcher("status", "");
      assertEquals(1, status.status(), status.toString());
      assertTrue(status.out().matches("(?s).*\\nbroker +died .*"), status.toString());
      site.up("").must();
      bag.awaitEachOnce();
    }
  }

  @Test
  void theDiskIsFull() throws Exception {
    if (!Account.superuser()) {
      Assumptions.abort("the full disk: mounting a small one takes root");
    }
    try (Site site = Site.prepare("campaign-disk")) {
      Path disk = Files.createDirectories(site.home().root());
      Shell.Answer mounted = site.run("mount -t tmpfs -o size=700m,mode=755 small " + disk);
      if (mounted.status() != 0) {
        Assumptions.abort("the full disk: " + mounted);
      }
      try {
        CampaignBag bag = bag(site, "");
        bag.awaitDone(TASKS / 4);
        Path reserve = site.home().logReserve();
        Site.await(
            CampaignBag.PATIENCE, "room is kept back", () -> bytes(reserve) >= RESERVE_BYTES);
        DiskFullIT.fill(disk.resolve("filler"));
        Site.await(CampaignBag.PATIENCE, "the log gets its room", () -> bytes(reserve) == 0);
        DiskFullIT.fill(disk.resolve("more"));
        bag.isRefused("disk full: " + disk);
        assertTrue(site.launcher("status", "").out().contains("disk full: "), "status says it");
        Files.delete(disk.resolve("filler"));
        Files.delete(disk.resolve("more"));
        bag.awaitEachOnce();
      } finally {
        site.launcher("down", "");
        site.run("umount -l " + disk); // what failed before is not to be hidden by this
      }
    }
  }

  private static CampaignBag bag(Site site, String more) throws Exception {
    site.up("--campaigns --shards 2 --resources ncpus=" + PROCESSORS + " " + more).must();
    site.qmgr("create queue bag queue_type=e,enabled=t,started=t");
    return CampaignBag.submitted(site, site.user("mroutage"), "bag", TASKS, "0.5");
  }

  private static long bytes(Path file) throws IOException {
    return Files.exists(file) ? Files.size(file) : -1;
  }
}
