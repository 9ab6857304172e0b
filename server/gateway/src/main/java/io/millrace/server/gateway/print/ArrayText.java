package io.millrace.server.gateway.print;

import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.ArrayState;
import io.millrace.schemas.state.IndexRange;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import java.util.List;
import java.util.TreeSet;

/** What is shown of arrays and subjobs only. */
public final class ArrayText {
  private ArrayText() {}

  static void add(List<ShownAttribute> shown, Job job) {
    if (JobNumbers.isSubjob(job.getNumber())) {
      String server = job.getId().substring(job.getId().indexOf('.'));
      shown.add(ShownAttribute.of("array_id", JobNumbers.array(job.getNumber()) + "[]" + server));
      shown.add(ShownAttribute.of("array_index", JobNumbers.index(job.getNumber())));
      return;
    }
    ArrayState state = job.getArray();
    if (state == null) {
      return;
    }
    shown.add(ShownAttribute.of("array", "True"));
    shown.add(ShownAttribute.of("array_state_count", count(job, state)));
    shown.add(
        ShownAttribute.of(
            "array_indices_submitted", range(state.getFirst(), state.getLast(), state.getStep())));
    shown.add(ShownAttribute.of("array_indices_remaining", remaining(state)));
    if (state.getMost() > 0) {
      shown.add(ShownAttribute.of("max_run_subjobs", state.getMost()));
    }
  }

  private static String count(Job job, ArrayState state) {
    int queued = job.getStatus() == JobStatus.FINISHED ? 0 : queued(state);
    return "Queued:%d Running:%d Exiting:0 Expired:%d"
        .formatted(queued, state.getBegun().size(), state.getExpired());
  }

  private static int queued(ArrayState state) {
    int left = 0;
    for (IndexRange range : state.getLeft()) {
      left += (range.getLast() - range.getFirst()) / state.getStep() + 1;
    }
    return left + state.getWaiting().size();
  }

  /** In words how far the array is. */
  public static String standing(ArrayState state) {
    return "Of its subjobs %d wait, %d run and %d have ended."
        .formatted(queued(state), state.getBegun().size(), state.getExpired());
  }

  /** How many per cent of the subjobs have ended. */
  static int percent(ArrayState state) {
    int size = queued(state) + state.getBegun().size() + state.getExpired();
    return 100 * state.getExpired() / Math.max(1, size);
  }

  /** Indices of subjobs that have not begun, as ranges; PBS writes a dash for none. */
  private static String remaining(ArrayState state) {
    int step = state.getStep();
    StringBuilder text = new StringBuilder();
    List<IndexRange> ranges = new java.util.ArrayList<>();
    for (int index : new TreeSet<>(state.getWaiting())) {
      append(ranges, index, index, step);
    }
    for (IndexRange range : state.getLeft()) {
      append(ranges, range.getFirst(), range.getLast(), step);
    }
    ranges.sort(java.util.Comparator.comparingInt(IndexRange::getFirst));
    for (IndexRange range : ranges) {
      text.append(text.length() == 0 ? "" : ",");
      text.append(range(range.getFirst(), range.getLast(), step));
    }
    return text.length() == 0 ? "-" : text.toString();
  }

  private static void append(List<IndexRange> ranges, int first, int last, int step) {
    IndexRange end = ranges.isEmpty() ? null : ranges.get(ranges.size() - 1);
    if (end != null && end.getLast() + step == first) {
      ranges.set(ranges.size() - 1, new IndexRange(end.getFirst(), last));
    } else {
      ranges.add(new IndexRange(first, last));
    }
  }

  private static String range(int first, int last, int step) {
    return first == last ? "" + first : first + "-" + last + (step == 1 ? "" : ":" + step);
  }
}
