package io.millrace.server.streams;

import io.millrace.reservations.resources.Amounts;
import io.millrace.reservations.resources.RequestException;
import io.millrace.reservations.resources.ResourceDefinition;
import io.millrace.reservations.resources.ResourceTable;
import io.millrace.schemas.command.NoteCputExceeded;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.server.core.Keys;
import io.millrace.server.core.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;

/**
 * Tells a shard which of its runs with tasks have used more processor time on all their hosts than
 * their jobs may. What a script uses its own supervisor sees.
 */
final class CputWatch {
  private static final String CPUT = "cput";
  private static final ResourceDefinition LIMIT = ResourceTable.standard().find(CPUT).orElseThrow();

  private static final long LOOK_MS = 2_000;

  /** A run that was told to end has this time before it is told again. */
  private static final long AGAIN_MS = 30_000;

  private final LiveUsages usages;

  /** When what was told of a job may be told again. */
  private final Map<Long, Long> told = new HashMap<>();

  private long lookedMs;

  CputWatch(LiveUsages usages) {
    this.usages = usages;
  }

  /** What the shard is to be told now. */
  List<SpecificRecord> due(View view, long nowMs, Supplier<CommandMeta> meta) {
    if (nowMs - lookedMs < LOOK_MS) {
      return List.of();
    }
    lookedMs = nowMs;
    told.values().removeIf(againMs -> nowMs >= againMs);
    List<SpecificRecord> due = new ArrayList<>();
    for (long number : usages.withTasks()) {
      Job job = view.jobs().get(Keys.number(number));
      if (job == null || !runs(job)) {
        continue;
      }
      long limitS = limitS(job);
      long usedS = limitS < 0 ? 0 : usages.cputS(job);
      if (limitS >= 0 && usedS > limitS && told.putIfAbsent(number, nowMs + AGAIN_MS) == null) {
        due.add(new NoteCputExceeded(meta.get(), job.getId(), job.getRun(), usedS));
      }
    }
    return due;
  }

  private static boolean runs(Job job) {
    return job.getStatus() == JobStatus.RUNNING && job.getKilling() == KillPurpose.NONE;
  }

  /** -1 where there is none; the least that can be bounded is a second. */
  private static long limitS(Job job) {
    for (Attribute asked : job.getSpec().getResourceList()) {
      if (asked.getName().equals(CPUT)) {
        try {
          return Math.max(1, Amounts.parse(LIMIT, asked.getValue()));
        } catch (RequestException e) {
          throw new IllegalStateException("a job's amounts were checked when it came", e);
        }
      }
    }
    return -1;
  }
}
