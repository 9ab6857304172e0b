package io.millrace.ops.bench.campaigns;

import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.NoteJob;
import java.util.Random;

/**
 * A test that is submitted when another campaign of 100,000 tasks has all processors of three
 * clusters, and more tasks wait at each: how long after a processor of a cluster is free for the
 * first time the test's job runs there.
 */
public final class LateTests {

  private static final int TASKS = 100_000;
  private static final int CLUSTERS = 3;
  private static final long MEAN_MS = 600_000;
  private static final double SIGMA = 0.6;

  /** The test comes when the first tasks have been running for so long. */
  private static final long AFTER_MS = 900_000;

  private static final double MS_PER_S = 1_000;

  private final VirtualSite site = new VirtualSite(this::heard);
  private final long[] freeMs = new long[CLUSTERS];
  private final long[] beganMs = new long[CLUSTERS];
  private String test = "none";

  private LateTests(int processors, long seed) {
    Random random = new Random(seed);
    double middle = Math.log(MEAN_MS) - SIGMA * SIGMA / 2;
    for (int i = 0; i < CLUSTERS; i++) {
      site.add("c" + i, processors, tag -> (long) Math.exp(middle + SIGMA * random.nextGaussian()));
    }
  }

  /**
   * @param processors of each cluster
   * @return the longest of the three times, seconds
   */
  public static double run(int processors, long seed) {
    return new LateTests(processors, seed).run();
  }

  private void heard(NoteJob note) {
    boolean own = note.getTag().startsWith(test);
    if (own && note.getChange() == JobChange.STARTED) {
      beganMs[note.getShard()] = site.nowMs();
    }
    boolean over = note.getChange() == JobChange.FINISHED && !own;
    if (over && !test.equals("none") && freeMs[note.getShard()] == 0) {
      freeMs[note.getShard()] = site.nowMs();
    }
  }

  private double run() {
    site.submit(new VirtualSite.NewCampaign("ada", TASKS));
    site.runWhile(() -> site.nowMs() < VirtualSite.START_MS + AFTER_MS);
    test = site.submitTest("bob") + ".";
    site.runWhile(() -> began() < CLUSTERS);
    long longestMs = 0;
    for (int i = 0; i < CLUSTERS; i++) {
      longestMs = Math.max(longestMs, beganMs[i] - freeMs[i]);
    }
    return longestMs / MS_PER_S;
  }

  private int began() {
    int began = 0;
    for (long atMs : beganMs) {
      began += atMs > 0 ? 1 : 0;
    }
    return began;
  }
}
