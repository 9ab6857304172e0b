package io.millrace.server.campaigns.ask;

import io.millrace.schemas.campaign.TaskStatus;
import java.util.Optional;

/**
 * Which task is meant, beside all others of all campaigns: CAMPAIGN.TASK, {@code 5.17}. CiGri
 * counts the jobs of all campaigns together.
 */
public record TaskNumber(long campaign, int task) {

  /** Reads one. */
  public static Optional<TaskNumber> parse(String text) {
    if (!text.matches("[0-9]{1,18}\\.[0-9]{1,9}")) {
      return Optional.empty();
    }
    int dot = text.indexOf('.');
    return Optional.of(
        new TaskNumber(
            Long.parseLong(text.substring(0, dot)), Integer.parseInt(text.substring(dot + 1))));
  }

  /** CiGri's word for where a task is. */
  public static String state(TaskStatus status) {
    return switch (status) {
      case WAITING, POSTPONED -> "pending";
      case SENT -> "submitted";
      case QUEUED -> "remote_waiting";
      case RUNNING -> "running";
      case DONE -> "terminated";
      case EVENT, FAILED -> "event";
      case CANCELLED -> "cancelled";
    };
  }

  /** What its line of parameters calls a task. */
  public static String name(String line) {
    return line.strip().split("\\s+")[0];
  }

  /** Of it alone, at the campaign server's door. */
  public String path() {
    return "/campaigns/" + campaign + "/tasks/" + task + "/1";
  }

  @Override
  public String toString() {
    return campaign + "." + task;
  }
}
