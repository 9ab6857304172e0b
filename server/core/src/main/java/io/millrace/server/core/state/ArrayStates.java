package io.millrace.server.core.state;

import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.ArrayState;
import io.millrace.schemas.state.IndexRange;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.SubjobRuns;
import java.util.ArrayList;
import java.util.List;

/** Functions on states of arrays; none changes its arguments. */
public final class ArrayStates {
  private ArrayStates() {}

  public static boolean is(Job job) {
    return job.getArray() != null;
  }

  /** The state of a new array. */
  public static ArrayState fresh(int first, int last, int step, int most) {
    ArrayState state = new ArrayState();
    state.setFirst(first);
    state.setLast(last);
    state.setStep(step);
    state.setMost(most);
    state.setLeft(List.of(new IndexRange(first, first + (last - first) / step * step)));
    state.setWaiting(List.of());
    state.setBegun(List.of());
    state.setRan(List.of());
    return state;
  }

  /** How many subjobs it has in all. */
  public static int size(ArrayState state) {
    return (state.getLast() - state.getFirst()) / state.getStep() + 1;
  }

  /** How many of them have no record yet. */
  public static int left(ArrayState state) {
    return ArrayIndices.count(state.getLeft(), state.getStep());
  }

  /** Place of an index among all of them, from 0. */
  public static int place(ArrayState state, int index) {
    return (index - state.getFirst()) / state.getStep();
  }

  public static boolean isLeft(ArrayState state, int index) {
    return (index - state.getFirst()) % state.getStep() == 0
        && state.getLeft().stream()
            .anyMatch(range -> range.getFirst() <= index && index <= range.getLast());
  }

  /** Whether it is a subjob of an array that is here, and has no record yet. */
  public static boolean isUnbegun(View view, long number) {
    Job array =
        JobNumbers.isSubjob(number) ? view.jobs().get(Keys.number(JobNumbers.array(number))) : null;
    return array != null
        && is(array)
        && array.getStatus() != JobStatus.FINISHED
        && isLeft(array.getArray(), JobNumbers.index(number));
  }

  public static boolean over(ArrayState state) {
    return state.getLeft().isEmpty() && open(state) == 0;
  }

  /** The first indices that have no record yet. */
  public static List<Integer> next(ArrayState state, int count) {
    List<Integer> next = new ArrayList<>();
    for (IndexRange range : state.getLeft()) {
      for (int i = range.getFirst(); i <= range.getLast(); i += state.getStep()) {
        if (next.size() == count) {
          return next;
        }
        next.add(i);
      }
    }
    return next;
  }

  public static List<IndexRange> without(ArrayState state, int index) {
    List<IndexRange> rest = new ArrayList<>();
    int step = state.getStep();
    for (IndexRange range : state.getLeft()) {
      if (index < range.getFirst() || index > range.getLast()) {
        rest.add(range);
      } else {
        if (range.getFirst() < index) {
          rest.add(new IndexRange(range.getFirst(), index - step));
        }
        if (index < range.getLast()) {
          rest.add(new IndexRange(index + step, range.getLast()));
        }
      }
    }
    return rest;
  }

  /** The ranges with one index more, in their order. */
  private static List<IndexRange> with(ArrayState state, int index) {
    int step = state.getStep();
    int first = index;
    int last = index;
    List<IndexRange> more = new ArrayList<>();
    int place = 0;
    for (IndexRange range : state.getLeft()) {
      if (range.getLast() + step == index) {
        first = range.getFirst();
      } else if (range.getFirst() - step == index) {
        last = range.getLast();
      } else {
        more.add(range);
        place += range.getLast() < index ? 1 : 0;
      }
    }
    more.add(place, new IndexRange(first, last));
    return more;
  }

  /** How many have a record that has not ended. */
  public static int open(ArrayState state) {
    return state.getWaiting().size() + state.getBegun().size();
  }

  public static ArrayState opened(ArrayState before, int index) {
    ArrayState after = copy(before);
    after.setLeft(without(before, index));
    after.setWaiting(with(before.getWaiting(), index));
    after.setRan(before.getRan().stream().filter(it -> it.getIndex() != index).toList());
    return after;
  }

  /** The state after the record of a waiting subjob was taken back; its runs are remembered. */
  public static ArrayState withdrawn(ArrayState before, int index, SubjobRuns runs) {
    ArrayState after = copy(before);
    after.setWaiting(without(before.getWaiting(), index));
    after.setLeft(with(before, index));
    if (runs.getRun() > 0) {
      List<SubjobRuns> ran = new ArrayList<>(before.getRan());
      ran.add(runs);
      after.setRan(ran);
    }
    return after;
  }

  /** The runs that a subjob without a record has had. */
  public static SubjobRuns ran(ArrayState state, int index) {
    return state.getRan().stream()
        .filter(it -> it.getIndex() == index)
        .findFirst()
        .orElse(new SubjobRuns(index, 0, 0));
  }

  public static ArrayState limited(ArrayState before, int most) {
    ArrayState after = copy(before);
    after.setMost(most);
    return after;
  }

  /** How many ranks in the order of submission a job takes: one for each subjob of an array. */
  public static int ranks(Job job) {
    return is(job) ? 1 + size(job.getArray()) : 1;
  }

  /** As how many jobs of a queue it counts: a subjob is counted with its array. */
  public static int weight(Job job) {
    if (is(job)) {
      return size(job.getArray()) - job.getArray().getExpired();
    }
    return JobNumbers.isSubjob(job.getNumber()) ? 0 : 1;
  }

  public static ArrayState began(ArrayState before, int index) {
    ArrayState after = copy(before);
    after.setWaiting(without(before.getWaiting(), index));
    after.setBegun(with(before.getBegun(), index));
    return after;
  }

  public static ArrayState requeued(ArrayState before, int index) {
    ArrayState after = copy(before);
    after.setBegun(without(before.getBegun(), index));
    after.setWaiting(with(before.getWaiting(), index));
    return after;
  }

  /** A subjob with a record has ended, whether it ran or waited. */
  public static ArrayState ended(ArrayState before, int index, boolean failed) {
    ArrayState after = copy(before);
    after.setWaiting(without(before.getWaiting(), index));
    after.setBegun(without(before.getBegun(), index));
    after.setExpired(before.getExpired() + 1);
    after.setFailed(before.getFailed() + (failed ? 1 : 0));
    return after;
  }

  private static List<Integer> with(List<Integer> indices, int index) {
    List<Integer> more = new ArrayList<>(indices);
    more.add(index);
    return more;
  }

  private static List<Integer> without(List<Integer> indices, int index) {
    List<Integer> less = new ArrayList<>(indices);
    less.remove(Integer.valueOf(index));
    return less;
  }

  /** The state without any index that is left. */
  public static ArrayState cut(ArrayState before) {
    return cut(before, List.of(), before.getLeft());
  }

  public static ArrayState cut(ArrayState before, List<IndexRange> left, List<IndexRange> cut) {
    ArrayState after = copy(before);
    int gone = ArrayIndices.count(cut, before.getStep());
    after.setLeft(left);
    after.setExpired(before.getExpired() + gone);
    after.setFailed(before.getFailed() + gone);
    return after;
  }

  private static ArrayState copy(ArrayState state) {
    ArrayState copy = new ArrayState();
    for (int i = 0; i < ArrayState.SCHEMA$.getFields().size(); i++) {
      copy.put(i, state.get(i));
    }
    return copy;
  }

  public static int index(Job subjob) {
    return JobNumbers.index(subjob.getNumber());
  }
}
