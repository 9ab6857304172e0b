package io.millrace.ops.faults;

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
final class Stories {
  private static final String JOB_ID = "job_id";

  private final Map<String, JobStory> byId = new LinkedHashMap<>();

  private Stories() {}

  static Stories of(List<LedgerEntry> ledger) {
    Stories stories = new Stories();
    for (LedgerEntry entry : ledger) {
      jobOf(entry.fact()).ifPresent(id -> stories.add(id, entry));
    }
    return stories;
  }

  /** The job that a fact is about. */
  static Optional<String> jobOf(SpecificRecord fact) {
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
    JobStory story = byId.computeIfAbsent(id, JobStory::new);
    story.add(entry);
    SpecificRecord fact = entry.fact();
    if (fact instanceof JobQueued queued) {
      story.queued(entry, queued.getJob().getSpec().getName());
    } else if (fact instanceof RunGranted granted) {
      story.granted(entry, granted.getRun());
    } else if (fact instanceof RunFinished finished) {
      story.runEnded(entry, finished.getRun());
      story.ended(entry);
    } else if (fact instanceof RunRequeued requeued) {
      story.runEnded(entry, requeued.getRun());
    } else if (fact instanceof JobDeleted) {
      story.ended(entry);
    }
  }

  Optional<JobStory> find(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  Collection<JobStory> all() {
    return byId.values();
  }

  /** Stories by the name that the job was submitted under. */
  Map<String, List<JobStory>> byToken() {
    Map<String, List<JobStory>> byToken = new LinkedHashMap<>();
    for (JobStory story : byId.values()) {
      byToken.computeIfAbsent(story.token(), token -> new ArrayList<>()).add(story);
    }
    return byToken;
  }
}
