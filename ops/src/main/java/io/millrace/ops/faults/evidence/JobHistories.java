package io.millrace.ops.faults.evidence;

import io.millrace.schemas.fact.JobAccepted;
import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.fact.RunRequeued;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;

/** The ledger by job. */
public final class JobHistories {
  private static final String JOB_ID = "job_id";

  private final Map<String, JobHistory> byId = new LinkedHashMap<>();

  private JobHistories() {}

  public static JobHistories of(List<LedgerEntry> ledger) {
    JobHistories histories = new JobHistories();
    for (LedgerEntry entry : ledger) {
      jobOf(entry.fact()).ifPresent(id -> histories.add(id, entry));
    }
    return histories;
  }

  /** The job that a fact is about. */
  public static Optional<String> jobOf(SpecificRecord fact) {
    if (fact instanceof JobQueued queued) {
      return Optional.of(queued.getJob().getId());
    }
    if (fact instanceof JobAccepted accepted) {
      return Optional.of(accepted.getJob().getId());
    }
    Schema.Field field = fact.getSchema().getField(JOB_ID);
    return field == null ? Optional.empty() : Optional.of(fact.get(field.pos()).toString());
  }

  private void add(String id, LedgerEntry entry) {
    JobHistory history = byId.computeIfAbsent(id, JobHistory::new);
    history.add(entry);
    SpecificRecord fact = entry.fact();
    if (fact instanceof JobQueued queued) {
      history.queued(entry, queued.getJob().getSpec());
    } else if (fact instanceof RunGranted granted) {
      history.granted(entry, granted.getRun());
    } else if (fact instanceof RunFinished finished) {
      history.runEnded(entry, finished.getRun());
      history.ended(entry);
    } else if (fact instanceof RunRequeued requeued) {
      history.runEnded(entry, requeued.getRun());
    } else if (fact instanceof JobDeleted) {
      history.ended(entry);
    }
  }

  public Optional<JobHistory> find(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  public Collection<JobHistory> all() {
    return byId.values();
  }

  /** Histories by the name that the job was submitted under. */
  public Map<String, List<JobHistory>> byToken() {
    Map<String, List<JobHistory>> byToken = new LinkedHashMap<>();
    for (JobHistory history : byId.values()) {
      byToken.computeIfAbsent(history.token(), token -> new ArrayList<>()).add(history);
    }
    return byToken;
  }
}
