package io.millrace.ops.bench.campaigns;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.NoteJob;
import io.millrace.schemas.campaign.ParameterBlock;
import io.millrace.schemas.campaign.TaskRange;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.server.campaigns.core.TaskPage;
import io.millrace.server.campaigns.core.lines.ParameterBlocks;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * How long the campaign server's decisions take, without the broker: four clusters whose jobs cost
 * no time but that of the clock of the trial, and a campaign of a million tasks.
 */
public final class DeskTimes {

  private static final int CLUSTERS = 4;
  private static final int PROCESSORS = 256;
  private static final double MEAN_MS = 10_000;
  private static final int MILLION = 1_000_000;
  private static final int OFFSET = 900_000;
  private static final int PAGE = 100;
  private static final int PAGES = 21;
  private static final double NS_PER_MS = 1e6;
  private static final double NS_PER_S = 1e9;

  private int over;

  private DeskTimes() {}

  /**
   * Campaigns that go on at once.
   *
   * @param submitMs to submit one, on average
   * @param tasksPerS from the bag to the end
   */
  public record ManyCampaigns(double submitMs, double tasksPerS) {}

  /**
   * A campaign of 1,000,000 tasks with parameters of their own.
   *
   * @param packMs to make the blocks of its lines
   * @param submitMs to decide and store it
   * @param bytesPerTask of all that is stored, for each task, beside the lines' own bytes
   * @param lineBytesPerTask bytes of a line, for comparison
   * @param pageMs to make a page of 100 tasks from task 900,000 on
   * @param restartMs from a table with half of its tasks done to the next submission
   */
  public record MillionTasks(
      double packMs,
      double submitMs,
      double bytesPerTask,
      double lineBytesPerTask,
      double pageMs,
      double restartMs) {}

  /**
   * @param campaigns of one user, submitted one after the other
   * @param tasks of each
   */
  public static ManyCampaigns campaigns(int campaigns, int tasks) {
    return new DeskTimes().run(campaigns, tasks);
  }

  private void heard(NoteJob note) {
    over += note.getChange() == JobChange.FINISHED ? 1 : 0;
  }

  private ManyCampaigns run(int campaigns, int tasks) {
    Random random = new Random(campaigns);
    VirtualSite site = new VirtualSite(this::heard);
    for (int i = 0; i < CLUSTERS; i++) {
      site.add("c" + i, PROCESSORS, tag -> 1 + (long) (-MEAN_MS * Math.log(random.nextDouble())));
    }
    long begin = System.nanoTime();
    for (int i = 0; i < campaigns; i++) {
      site.submit(new VirtualSite.NewCampaign("ada", tasks));
    }
    double submitNs = System.nanoTime() - begin;
    begin = System.nanoTime();
    int all = campaigns * tasks;
    site.runWhile(() -> over < all);
    double runNs = System.nanoTime() - begin;
    return new ManyCampaigns(submitNs / NS_PER_MS / campaigns, all / (runNs / NS_PER_S));
  }

  private static double msSince(long beginNs) {
    return (System.nanoTime() - beginNs) / NS_PER_MS;
  }

  /** The figures of one with lines that have a name and two numbers. */
  public static MillionTasks million(long seed) {
    Random random = new Random(seed);
    List<String> lines = new ArrayList<>();
    long bytes = 0;
    for (int i = 0; i < MILLION; i++) {
      String line = "run" + i + " " + random.nextInt(100_000_000) + " -x " + i % 1_000;
      bytes += line.length();
      lines.add(line);
    }
    long begin = System.nanoTime();
    ParameterBlocks packed = new ParameterBlocks();
    lines.forEach(packed::add);
    List<ParameterBlock> blocks = packed.blocks();
    double packMs = msSince(begin);
    if (packed.tooLong()) {
      throw new IllegalStateException("the lines are too long together");
    }
    VirtualSite site = new VirtualSite(note -> {});
    site.add("c0", PROCESSORS, tag -> (long) MEAN_MS);
    begin = System.nanoTime();
    long id = site.submit(new VirtualSite.NewCampaign("ada", MILLION, blocks, false, false));
    double submitMs = msSince(begin);
    double beside = site.table().bytes("") - site.table().bytes(CampaignKeys.blocks(id));
    double lineBytes = (double) bytes / MILLION;
    double pageMs = pageMs(site, id);
    half(site, id);
    begin = System.nanoTime();
    site.restart();
    if (site.look() == 0) {
      throw new IllegalStateException("nothing is sent");
    }
    return new MillionTasks(packMs, submitMs, beside / MILLION, lineBytes, pageMs, msSince(begin));
  }

  private static double pageMs(VirtualSite site, long id) {
    double[] ms = new double[PAGES];
    for (int i = 0; i < PAGES; i++) {
      long begin = System.nanoTime();
      int found = new TaskPage(site.table()).of(id, OFFSET, PAGE).size();
      ms[i] = msSince(begin);
      if (found != PAGE) {
        throw new IllegalStateException(found + " tasks");
      }
    }
    Arrays.sort(ms);
    return ms[PAGES / 2];
  }

  /** The same campaign with the first half of its tasks done. */
  private static void half(VirtualSite site, long id) {
    Campaign campaign = site.campaign(id);
    int done = MILLION / 2;
    campaign.setDone(done);
    campaign.setRanges(
        List.of(
            new TaskRange(0, done - 1, TaskStatus.DONE),
            new TaskRange(done, MILLION - 1, TaskStatus.WAITING)));
    site.table().put(CampaignKeys.campaign(id), campaign);
  }
}
