package io.millrace.server.campaigns.command;

import io.millrace.schemas.campaign.CampaignEvent;
import io.millrace.server.campaigns.core.EventCode;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;

/** Events as they are printed, with CiGri's lines. */
final class EventText {

  private static final String LINE = "-".repeat(78) + "\n";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ssxxx");

  private EventText() {}

  private static String time(long atMs, ZoneId zone) {
    return TIME.format(Instant.ofEpochMilli(atMs).atZone(zone));
  }

  /** All of them; empty when there are none. */
  static String of(List<CampaignEvent> events, ZoneId zone) {
    StringBuilder out = new StringBuilder();
    for (CampaignEvent event : events) {
      out.append(out.length() == 0 ? LINE : "").append(one(event, zone)).append(LINE);
    }
    return out.toString();
  }

  private static String one(CampaignEvent event, ZoneId zone) {
    boolean open = event.getClosedMs() < 0;
    StringBuilder out = new StringBuilder();
    out.append(event.getId()).append(open ? ": (open) " : ": (closed) ").append(event.getCode());
    out.append(event.getJobId().isEmpty() ? "" : " of job " + event.getJobId());
    out.append(" at ").append(time(event.getOpenedMs(), zone));
    out.append(" on ").append(event.getCluster());
    out.append(event.getBecause() == 0 ? "" : " because of " + event.getBecause()).append('\n');
    if (event.getTask() >= 0) {
      out.append("task ").append(event.getTask());
      out.append(", attempt ").append(event.getAttempt()).append(": ");
    }
    out.append(event.getMessage());
    out.append(event.getTask() >= 0 || !event.getMessage().isEmpty() ? "\n" : "");
    if (open) {
      out.append("cure: ").append(EventCode.cure(event)).append('\n');
    } else {
      out.append("closed at ").append(time(event.getClosedMs(), zone));
      out.append(event.getClosedBy().isEmpty() ? " by itself" : " by " + event.getClosedBy());
      out.append('\n');
    }
    return out.toString();
  }
}
