package io.millrace.ops.faults.evidence;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Records what clients requested and the answers they got. Thread-safe. */
public final class RequestLog {
  private static final class RequestLogEntry {
    private final JobPlan plan;
    private final Set<JobOperation> operations = EnumSet.noneOf(JobOperation.class);
    private final List<String> words = new ArrayList<>();
    private String jobId;

    RequestLogEntry(JobPlan plan) {
      this.plan = plan;
    }
  }

  private final Map<String, RequestLogEntry> entries = new TreeMap<>();

  public synchronized void begun(JobPlan plan) {
    entries.put(plan.token(), new RequestLogEntry(plan));
  }

  public synchronized void submitted(String token, String jobId) {
    entries.get(token).jobId = jobId;
  }

  /**
   * Records an operation before it is requested, because a missing answer does not prove that
   * nothing was done.
   */
  public synchronized void asking(String token, JobOperation operation) {
    entries.get(token).operations.add(operation);
  }

  public synchronized void heard(String token, String words) {
    entries.get(token).words.add(words);
  }

  public synchronized List<RecordedRequest> requests() {
    List<RecordedRequest> requests = new ArrayList<>();
    for (Map.Entry<String, RequestLogEntry> entry : entries.entrySet()) {
      RequestLogEntry asked = entry.getValue();
      requests.add(
          new RecordedRequest(
              entry.getKey(),
              asked.plan.exitStatus(),
              Optional.ofNullable(asked.jobId),
              asked.operations));
    }
    return requests;
  }

  /** Ids that qsub printed. */
  public synchronized Set<String> jobIds() {
    Set<String> ids = new TreeSet<>();
    entries.values().stream().filter(p -> p.jobId != null).forEach(p -> ids.add(p.jobId));
    return ids;
  }

  public synchronized int refused() {
    return entries.size() - jobIds().size();
  }

  /** One line for each requested job with all answers that clients got. */
  public synchronized List<String> lines() {
    List<String> lines = new ArrayList<>();
    entries.forEach(
        (token, asked) ->
            lines.add(token + " " + asked.jobId + " " + asked.operations + " " + asked.words));
    return lines;
  }
}
