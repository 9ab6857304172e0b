package io.millrace.schemas.pbs.reasons;

import io.millrace.schemas.pbs.attributes.LimitEntry;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which limit a class of jobs has reached, as the subject of a reason: {@code max_run
 * [u:PBS_GENERIC=2] of queue workq}.
 *
 * @param attribute attribute that sets the limit, with the resource for a limit on a resource
 * @param entry for whom the limit holds
 * @param queue queue that has the limit; empty for the server
 */
public record LimitSubject(String attribute, LimitEntry entry, String queue) {

  private static final Pattern TEXT = Pattern.compile("(\\S+) (\\[.*]) of (?:server|queue (\\S+))");

  /** The subject of a text that {@link #toString} made. */
  public static Optional<LimitSubject> parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    List<LimitEntry> entries = LimitEntry.parse(matcher.group(2)).orElse(List.of());
    String queue = matcher.group(3) == null ? "" : matcher.group(3);
    return entries.size() == 1
        ? Optional.of(new LimitSubject(matcher.group(1), entries.get(0), queue))
        : Optional.empty();
  }

  /** Resource that it limits; empty when it limits the number of jobs. */
  public String resource() {
    int dot = attribute.indexOf('.');
    return dot < 0 ? "" : attribute.substring(dot + 1);
  }

  /** True for resources_available of the server or a queue, which PBS does not call a limit. */
  boolean ofAvailable() {
    return attribute.equals("resources_available." + resource());
  }

  /** PBS's job comment for this limit, without "Not Running: ". */
  String pbs() {
    String whom =
        switch (entry.whom()) {
          case 'u' -> "user";
          case 'g' -> "group";
          case 'p' -> "project";
          default -> "";
        };
    if (whom.isEmpty()) {
      return overall();
    }
    boolean each = entry.name().equals(LimitEntry.EACH);
    if (resource().isEmpty()) {
      return each
          ? perPerson(whom)
          : owner() + " job limit reached for " + whom + " " + entry.name();
    }
    return each
        ? owner() + " per-" + whom + " limit reached on resource " + resource()
        : "would exceed "
            + whom
            + " "
            + entry.name()
            + "'s limit on resource "
            + resource()
            + (queue.isEmpty() ? " in complex" : " in queue " + queue);
  }

  private String overall() {
    if (resource().isEmpty()) {
      return owner() + " job limit has been reached.";
    }
    String where = queue.isEmpty() ? "complex" : "queue " + queue;
    return "would exceed overall limit on resource " + resource() + " in " + where;
  }

  private String perPerson(String whom) {
    String place = queue.isEmpty() ? "server" : "queue " + queue;
    return switch (whom) {
      case "user" -> "User has reached " + place + " running job limit.";
      case "group" -> "Group has reached " + place + " running limit.";
      default -> "Project has reached " + place + (queue.isEmpty() ? "" : "'s") + " running limit.";
    };
  }

  private String owner() {
    return queue.isEmpty() ? "Server" : "Queue " + queue;
  }

  @Override
  public String toString() {
    return attribute + " " + entry + " of " + (queue.isEmpty() ? "server" : "queue " + queue);
  }
}
