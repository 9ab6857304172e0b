package io.millrace.server.campaigns.core.task;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the job of a task has in its record: campaign, task and attempt. */
public record TaskTag(long campaign, int task, int attempt) {

  private static final Pattern TEXT = Pattern.compile("(\\d{1,18})\\.(\\d{1,9})\\.(\\d{1,9})");

  public static Optional<TaskTag> parse(String text) {
    Matcher parts = TEXT.matcher(text);
    return parts.matches()
        ? Optional.of(
            new TaskTag(
                Long.parseLong(parts.group(1)),
                Integer.parseInt(parts.group(2)),
                Integer.parseInt(parts.group(3))))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return campaign + "." + task + "." + attempt;
  }
}
