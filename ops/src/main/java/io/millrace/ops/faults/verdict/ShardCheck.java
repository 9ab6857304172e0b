package io.millrace.ops.faults.verdict;

import io.millrace.ops.faults.evidence.JobHistories;
import io.millrace.ops.faults.evidence.JobHistory;
import io.millrace.ops.faults.evidence.LedgerEntry;
import io.millrace.schemas.fact.JobAccepted;
import io.millrace.schemas.fact.JobHandedOver;
import io.millrace.schemas.fact.JobKept;
import io.millrace.schemas.fact.JobOffered;
import io.millrace.schemas.fact.JobPurged;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.RunGranted;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.specific.SpecificRecord;

/** Checks that each job lives in one shard and that only this shard grants its runs. */
final class ShardCheck {
  private enum JobStay {
    HERE,
    OFFERED
  }

  private final JobHistories histories;
  private final Defects defects;

  ShardCheck(JobHistories histories, Defects defects) {
    this.histories = histories;
    this.defects = defects;
  }

  void run() {
    histories.all().stream().filter(job -> !job.queued().isEmpty()).forEach(this::job);
  }

  private void job(JobHistory job) {
    Map<Integer, JobStay> stays = new HashMap<>();
    boolean purged = false;
    for (LedgerEntry entry : job.all()) {
      purged |= entry.fact() instanceof JobPurged;
      step(job, entry, stays);
    }
    Set<Integer> shards = new TreeSet<>(stays.keySet());
    if (shards.size() > 1) {
      defects.twice(job.id(), "lives in the shards " + shards);
    } else if (shards.isEmpty() && !purged) {
      defects.lost(job.id(), "lives in no shard");
    } else if (stays.containsValue(JobStay.OFFERED)) {
      defects.unexplained(job.id(), "its hand-over from shard " + shards + " never ended");
    }
  }

  private void step(JobHistory job, LedgerEntry entry, Map<Integer, JobStay> stays) {
    SpecificRecord fact = entry.fact();
    JobStay stay = stays.get(entry.shard());
    if (fact instanceof JobQueued || fact instanceof JobAccepted) {
      if (stays.put(entry.shard(), JobStay.HERE) != null) {
        defects.twice(job.id(), "came to a shard where it was already: " + entry);
      }
    } else if (fact instanceof JobOffered) {
      expect(job, entry, stay, JobStay.HERE);
      stays.put(entry.shard(), JobStay.OFFERED);
    } else if (fact instanceof JobKept) {
      expect(job, entry, stay, JobStay.OFFERED);
      stays.put(entry.shard(), JobStay.HERE);
    } else if (fact instanceof JobHandedOver) {
      expect(job, entry, stay, JobStay.OFFERED);
      stays.remove(entry.shard());
    } else if (fact instanceof JobPurged) {
      stays.remove(entry.shard());
    } else if (fact instanceof RunGranted) {
      expect(job, entry, stay, JobStay.HERE);
    }
  }

  private void expect(JobHistory job, LedgerEntry entry, JobStay stay, JobStay due) {
    if (stay != due) {
      defects.unexplained(
          job.id(), entry + " while the job was " + (stay == null ? "not in this shard" : stay));
    }
  }
}
