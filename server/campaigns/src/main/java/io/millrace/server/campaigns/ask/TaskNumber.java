package io.millrace.server.campaigns.ask;

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

  /** Of it alone, at the campaign server's door. */
  public String path() {
    return "/campaigns/" + campaign + "/tasks/" + task + "/1";
  }

  @Override
  public String toString() {
    return campaign + "." + task;
  }
}
