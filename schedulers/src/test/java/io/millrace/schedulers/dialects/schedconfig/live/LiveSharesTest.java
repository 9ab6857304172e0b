package io.millrace.schedulers.dialects.schedconfig.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.pbs.schedconfig.share.ResourceGroup;
import io.millrace.schemas.pbs.schedconfig.share.ShareTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Fair share in a live scheduler. */
class LiveSharesTest {
  private static final long HOUR_MS = 3_600_000;
  private static final long DAY_MS = 24 * HOUR_MS;
  private static final String CONFIG =
      "fair_share: true\nfairshare_usage_res: ncpus*walltime\nstrict_ordering: false\n";
  private static final String SHARES = "ann 10 root 70\nbob 11 root 30\n";

  private static LiveSiteFixture cluster(long cpus) {
    LiveSiteFixture all = new LiveSiteFixture("UTC", "2026-11-02T00:00:00Z", cpus, "workq");
    all.file("sched_config", CONFIG).file("resource_group", SHARES).load();
    return all;
  }

  @Test
  void partsOfEverythingFollowFromTheTree() {
    ShareTree tree =
        ResourceGroup.read(
                "resource_group",
                "one 10 root 40\ntwo 11 root 60\na 12 one 50\nb 13 one 50\nc 14 two 60\nd 15 two"
                    + " 40\n")
            .group()
            .tree(0);
    tree.restore(Map.of("a", 100.0, "b", 100.0, "c", 1.0, "d", 1000.0), false);
    assertEquals(0.2, tree.find("a").percentage(), 1e-6);
    assertEquals(0.2, tree.find("b").percentage(), 1e-6);
    assertEquals(0.36, tree.find("c").percentage(), 1e-6);
    assertEquals(0.24, tree.find("d").percentage(), 1e-6);
    assertTrue(ShareTree.compare(tree.find("c"), tree.find("d")) < 0);
  }

  @Test
  void sharesOfTwoThousandMillionAddUp() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 5; i++) {
      text.append('u').append(i).append(' ').append(i + 10).append(" root 999999999\n");
    }
    ShareTree tree = ResourceGroup.read("resource_group", text.toString()).group().tree(0);
    assertEquals(0.2, tree.find("u3").percentage(), 1e-6);
  }

  @Test
  void aTreeHasABoundedDepth() {
    StringBuilder text = new StringBuilder("g0 10 root 1\n");
    for (int i = 1; i < 20_000; i++) {
      text.append('g').append(i).append(" 10 g").append(i - 1).append(" 1\n");
    }
    ResourceGroup.ResourceGroupRead read = ResourceGroup.read("resource_group", text.toString());
    assertEquals(ResourceGroup.DEPTH_MAX, read.group().lines().size());
    assertTrue(read.findings().get(0).text().contains("more than 64 groups below root"));
    read.group().tree(1).refresh();
  }

  @Test
  void twoUsersWhoAlwaysHaveJobsGetTheirShares() {
    LiveSiteFixture all = cluster(8);
    Random random = new Random(7);
    long beginMs = all.nowMs;
    long fadesMs = beginMs + DAY_MS;
    Map<String, Long> got = new HashMap<>();
    for (int i = 0; i < 16; i++) {
      all.submit(i % 2 == 0 ? "ann" : "bob", "workq", "ncpus=1,walltime=2:00:00");
    }
    all.cycle(HOUR_MS);
    while (all.nowMs < beginMs + 30 * DAY_MS) {
      LiveSiteFixture.Run run = all.end();
      got.merge(run.user(), run.endMs() - run.fromMs(), Long::sum);
      if (all.nowMs >= fadesMs) {
        all.fade(0.5);
        fadesMs += DAY_MS;
      }
      all.submit("ann", "workq", "ncpus=1,walltime=2:00:00");
      all.submit("bob", "workq", "ncpus=1,walltime=2:00:00");
      all.cycle(HOUR_MS / 2 + random.nextInt((int) HOUR_MS));
      // Who does not start now waits on; the queues do not grow without end.
      all.waiting.keySet().stream()
          .filter(number -> number < all.nextNumber - 200)
          .toList()
          .forEach(
              number -> {
                all.waiting.remove(number);
                all.state.facts().gone(number);
              });
    }
    double all30 = got.get("ann") + got.get("bob");
    assertEquals(70, 100 * got.get("ann") / all30, 2);
    assertEquals(30, 100 * got.get("bob") / all30, 2);
  }

  @Test
  void aStartMovesTheEntityBackWithinTheCycle() {
    LiveSiteFixture all = cluster(3);
    long a1 = all.submit("ann", "workq", "ncpus=1,walltime=1:00:00");
    all.submit("ann", "workq", "ncpus=1,walltime=1:00:00");
    all.submit("ann", "workq", "ncpus=1,walltime=1:00:00");
    long b1 = all.submit("bob", "workq", "ncpus=1,walltime=1:00:00");
    List<Long> started = all.cycle(HOUR_MS);
    assertEquals(a1, started.get(0));
    assertEquals(b1, started.get(1), "ann's first start counts, bob's share is not used yet");
  }

  @Test
  void jobsThatWaitedBeforeTheLoadUseTheirOwnersShares() {
    LiveSiteFixture all = new LiveSiteFixture("UTC", "2026-11-02T00:00:00Z", 1, "workq");
    all.submit("ann", "workq", "ncpus=1,walltime=1:00:00");
    long bobs = all.submit("bob", "workq", "ncpus=1,walltime=1:00:00");
    all.file("sched_config", CONFIG).file("resource_group", SHARES).load();
    all.charge("ann", 5_000_000);
    assertEquals(List.of(bobs), all.cycle(HOUR_MS));
  }

  @Test
  void anotherLoadCountsOtherEntities() {
    LiveSiteFixture all = cluster(1);
    all.charge("gann", 5_000_000);
    long anns = all.submit("ann", "workq", "ncpus=1,walltime=1:00:00");
    long bobs = all.submit("bob", "workq", "ncpus=1,walltime=1:00:00");
    all.file("sched_config", CONFIG + "fairshare_entity: egroup\nunknown_shares: 10\n").load();
    assertEquals(List.of(bobs), all.cycle(HOUR_MS), "the group of ann has used its share");
    all.end();
    all.file("sched_config", "by_queue: true\n").load();
    assertEquals(
        List.of(anns), all.cycle(HOUR_MS), "without fair share in the order of submission");
  }

  /** As for two schedulers of a shard, each of which hears all charges. */
  @Test
  void whatAnotherSchedulerChargesDoesNotCountHere() {
    LiveSiteFixture all = cluster(1);
    long anns = all.submit("ann", "workq", "ncpus=1,walltime=1:00:00");
    long bobs = all.submit("bob", "workq", "ncpus=1,walltime=1:00:00");
    all.hearCharge("night", "ann", 5_000_000);
    assertEquals(List.of(anns), all.cycle(HOUR_MS), "ann has used nothing here");
    all.hearCharge("default", "ann", 5_000_000);
    all.submit("ann", "workq", "ncpus=1,walltime=1:00:00");
    all.end();
    assertEquals(List.of(bobs), all.cycle(HOUR_MS));
  }

  @Test
  void whoHasNoSharesNeverStarts() {
    LiveSiteFixture all = cluster(4);
    all.submit("eve", "workq", "ncpus=1,walltime=1:00:00");
    long anns = all.submit("ann", "workq", "ncpus=1,walltime=1:00:00");
    assertEquals(List.of(anns), all.cycle(HOUR_MS));
  }

  @Test
  void builtAnewIsAsFollowed() {
    for (long seed = 1; seed <= 20; seed++) {
      Random random = new Random(seed);
      LiveSiteFixture all = cluster(4);
      all.file("resource_group", "g 9 root 50\nann 10 g 70\nbob 11 g 30\ncat 12 root 20\n")
          .file("sched_config", CONFIG + "unknown_shares: 5\n")
          .load();
      String[] users = {"ann", "bob", "cat", "dan", "eve"};
      for (int step = 0; step < 300; step++) {
        switch (random.nextInt(4)) {
          case 0 -> all.charge(users[random.nextInt(5)], random.nextInt(100_000_000));
          case 1 -> all.fade(0.3 + random.nextDouble() / 2);
          default -> all.submit(users[random.nextInt(5)], "workq", "ncpus=1,walltime=1:00:00");
        }
      }
      LiveSiteFixture anew = all.anew(4, "workq");
      List<Long> followed = new ArrayList<>();
      List<Long> built = new ArrayList<>();
      for (int cycle = 0; cycle < 10; cycle++) {
        followed.addAll(all.cycle(HOUR_MS));
        built.addAll(anew.cycle(HOUR_MS));
        while (!all.running.isEmpty()) {
          all.end();
          anew.end();
        }
      }
      assertEquals(followed, built, "seed " + seed);
    }
  }
}
