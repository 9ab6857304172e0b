package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.pbs.attributes.LimitEntry;
import java.util.Collection;
import java.util.List;

/** Limits the slow way: what runs is added up again for each job that starts. */
final class ReferenceLimits {

  /** Attributes that a history sets, in turn, on the server or a queue. */
  static final List<List<String>> CHOICES =
      List.of(
          List.of(),
          List.of("max_run", "[u:PBS_GENERIC=2]"),
          List.of("max_run", "[o:PBS_ALL=3],[u:alice=1]"),
          List.of("max_run_res.ncpus", "[g:PBS_GENERIC=8],[p:red=4]"),
          List.of("max_running", "2"),
          List.of("max_run", "[p:PBS_GENERIC=1]", "max_run_res.mem", "[u:bob=3gb]"),
          List.of("resources_available.ncpus", "6"),
          List.of("max_run_soft", "[u:PBS_GENERIC=1]"),
          List.of(
              "max_run_soft", "[o:PBS_ALL=2],[u:alice=1]", "max_run_res_soft.ncpus", "[p:red=3]"),
          List.of("max_user_run_soft", "1", "max_running", "3"));

  private ReferenceLimits() {}

  /**
   * Checks that a job may run beside others.
   *
   * @param running all that run in queues of the scheduler, the job among them
   */
  static void check(ClusterObject object, JobSpec job, Collection<JobSpec> running, String where) {
    String beyond = beyond(object, job, running);
    assertTrue(beyond.isEmpty(), where + ": " + beyond);
  }

  /** The limit that a job breaks together with the others; empty when it breaks none. */
  static String beyond(ClusterObject object, JobSpec job, Collection<JobSpec> running) {
    for (Attribute attribute : object.getAttributes()) {
      String name = attribute.getName();
      boolean available = name.startsWith("resources_available.");
      if (!name.startsWith("max_") && !available || name.contains("_soft")) {
        continue;
      }
      String resource = name.contains(".") ? name.substring(name.indexOf('.') + 1) : "";
      String text =
          name.equals("max_running") || available
              ? "[o:PBS_ALL=" + attribute.getValue() + "]"
              : attribute.getValue();
      List<LimitEntry> entries = LimitEntry.parse(text).orElseThrow();
      for (LimitEntry entry : entries) {
        String mine = name(job, entry.whom());
        boolean named =
            entries.stream().anyMatch(it -> it.whom() == entry.whom() && it.name().equals(mine));
        boolean holds =
            entry.whom() == 'o'
                || entry.name().equals(mine)
                || entry.name().equals("PBS_GENERIC") && !named;
        long need = amount(job, resource);
        if (holds && need > 0) {
          long sum =
              running.stream()
                  .filter(it -> name(it, entry.whom()).equals(mine))
                  .mapToLong(it -> amount(it, resource))
                  .sum();
          if (sum > bytes(entry.amount())) {
            return sum + " beyond " + entry;
          }
        }
      }
    }
    return "";
  }

  private static long bytes(String amount) {
    return amount.endsWith("gb")
        ? Long.parseLong(amount.replace("gb", "")) << 30
        : Long.parseLong(amount);
  }

  private static String name(JobSpec job, char whom) {
    return switch (whom) {
      case 'u' -> job.getOwner().replaceAll("@.*", "");
      case 'g' -> job.getGroup();
      case 'p' -> job.getProject();
      default -> "";
    };
  }

  private static long amount(JobSpec job, String resource) {
    if (resource.isEmpty()) {
      return 1;
    }
    long sum = 0;
    for (Chunk chunk : job.getRequest().getChunks()) {
      sum += chunk.getCount() * chunk.getAmounts().getOrDefault(resource, 0L);
    }
    return sum;
  }
}
