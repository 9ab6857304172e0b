package io.millrace.server.core.admission;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.LimitEntry;
import io.millrace.server.core.decision.PbsRefusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One limit on the jobs that a user, a group, a project or all together have in a queue, or in all
 * queues of a scheduler, whether they run or wait.
 *
 * @param queue name of the queue; empty for all queues of a scheduler
 * @param resource what is limited; empty: the number of jobs
 * @param entry for whom, and how much
 * @param most the entry's amount as a number
 */
record EntityLimit(String queue, String resource, LimitEntry entry, long most) {

  /** Turns the amount of an entry into a number. */
  interface AmountReader {
    long amount(String resource, String text);
  }

  private static final String JOBS = "max_queued";
  private static final String AMOUNTS = "max_queued_res.";
  private static final String ORDER = "ougp";

  /** Whether an attribute of a queue or of the server limits queued jobs. */
  static boolean isLimit(String attribute) {
    return attribute.equals(JOBS) || attribute.startsWith(AMOUNTS);
  }

  /** Whether a queue or the server has such a limit. */
  static boolean any(ClusterObject object) {
    return object != null && object.getAttributes().stream().anyMatch(it -> isLimit(it.getName()));
  }

  /** Limits of a queue, or of the server when the queue has no name, in the order of checking. */
  static List<EntityLimit> of(Map<String, String> attributes, String queue, AmountReader reader) {
    List<EntityLimit> limits = new ArrayList<>();
    attributes.forEach(
        (name, value) -> {
          if (!isLimit(name)) {
            return;
          }
          boolean amounts = name.startsWith(AMOUNTS);
          String resource = amounts ? name.substring(AMOUNTS.length()) : "";
          for (LimitEntry entry : LimitEntry.parse(value).orElse(List.of())) {
            long most =
                amounts ? reader.amount(resource, entry.amount()) : Long.parseLong(entry.amount());
            limits.add(new EntityLimit(queue, resource, entry, most));
          }
        });
    limits.sort(
        java.util.Comparator.comparing((EntityLimit it) -> !it.resource.isEmpty())
            .thenComparing(it -> ORDER.indexOf(it.entry.whom())));
    return limits;
  }

  /**
   * Whether the entry is PBS_GENERIC: it holds for names that no other entry of the attribute
   * names.
   */
  boolean generic() {
    return entry.name().equals(LimitEntry.EACH);
  }

  /** The job's user, group or project as the limit's kind wants it, as the counters name it. */
  String whom(JobSpec spec) {
    return QueuedJobs.whom(spec).stream()
        .filter(it -> it.charAt(0) == entry.whom())
        .findFirst()
        .orElseThrow();
  }

  /** Whether it holds for somebody, among all limits of its queue and the server. */
  boolean holds(List<EntityLimit> all, String whom) {
    if (!generic()) {
      return named().equals(whom);
    }
    return whom.charAt(0) == entry.whom()
        && all.stream().filter(this::sameAttribute).noneMatch(it -> it.named().equals(whom));
  }

  private String named() {
    return entry.whom() + ":" + entry.name();
  }

  private boolean sameAttribute(EntityLimit other) {
    return queue.equals(other.queue) && resource.equals(other.resource);
  }

  /** The refusal, in PBS's words. */
  PbsRefusal refused() {
    String kind =
        switch (entry.whom()) {
          case 'u' -> "user";
          case 'g' -> "group";
          case 'p' -> "project";
          default -> "";
        };
    return resource.isEmpty()
        ? new PbsRefusal(PbsError.COUNT_LIMIT.code(), ofJobs(kind))
        : new PbsRefusal(PbsError.AMOUNT_LIMIT.code(), ofAmounts(kind));
  }

  private String ofJobs(String kind) {
    if (generic()) {
      return "would exceed "
          + (queue.isEmpty() ? "complex" : "queue " + queue)
          + "'s per-"
          + kind
          + " limit";
    }
    String already = "already in " + (queue.isEmpty() ? "complex" : "queue " + queue);
    return "Maximum number of jobs "
        + (kind.isEmpty() ? "" : "for " + kind + " " + entry.name() + " ")
        + already;
  }

  private String ofAmounts(String kind) {
    String whose =
        kind.isEmpty() ? "" : generic() ? "per-" + kind + " " : kind + " " + entry.name() + "'s ";
    String where = queue.isEmpty() ? "complex" : "queue " + queue;
    return "would exceed " + whose + "limit on resource " + resource + " in " + where;
  }
}
