package io.millrace.ops.bench;

import io.millrace.ops.bench.campaigns.DeskTimes;
import io.millrace.ops.bench.campaigns.DeskTimes.ManyCampaigns;
import io.millrace.ops.bench.campaigns.DeskTimes.MillionTasks;
import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.word.Console;

/** What the campaign server's decisions cost, without broker and clusters. */
final class CampaignTimes implements Computation {

  private static final int TASKS = 40_000;
  private static final int CAMPAIGNS = 1_000;
  private static final int WARM_TASKS = 4_000;

  @Override
  public void warmUp(Console console) {
    DeskTimes.campaigns(1, WARM_TASKS);
  }

  @Override
  public BenchFigures run(Console console) {
    console.busy("one campaign of " + TASKS + " tasks");
    ManyCampaigns one = DeskTimes.campaigns(1, TASKS);
    console.busy(CAMPAIGNS + " campaigns of " + TASKS / CAMPAIGNS + " tasks");
    ManyCampaigns many = DeskTimes.campaigns(CAMPAIGNS, TASKS / CAMPAIGNS);
    console.busy("a campaign of 1,000,000 tasks");
    MillionTasks million = DeskTimes.million(1);
    return BenchFigures.none()
        .with("one_campaign_tasks_per_s", one.tasksPerS())
        .with("1000_campaigns_tasks_per_s", many.tasksPerS())
        .with("1000_campaigns_submit_ms", many.submitMs())
        .with("million_pack_ms", million.packMs())
        .with("million_submit_ms", million.submitMs())
        .with("million_line_bytes", million.lineBytesPerTask())
        .with("million_bytes_per_task_beside_lines", million.bytesPerTask())
        .with("million_page_at_900000_ms", million.pageMs())
        .with("million_half_done_restart_ms", million.restartMs());
  }
}
