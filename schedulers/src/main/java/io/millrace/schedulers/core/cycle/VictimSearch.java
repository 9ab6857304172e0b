package io.millrace.schedulers.core.cycle;

import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.search.CycleSearches;
import io.millrace.schedulers.core.search.WorkCount;
import io.millrace.schedulers.core.state.SchedulerBooks;
import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.job.JobSlots;
import io.millrace.schedulers.core.state.node.JobAllocation;
import io.millrace.schedulers.core.state.node.NodeAllocation;
import io.millrace.schedulers.core.state.node.NodeState;
import io.millrace.schedulers.core.state.node.Pool;
import io.millrace.schedulers.core.state.node.TimedAllocation;
import io.millrace.schedulers.core.state.preemption.RunBook;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the running jobs whose end would let a waiting one start now.
 *
 * <p>Simple semantics: of the runs of lower levels take away one after another, those of the lowest
 * level first and of these the one that began last, until the job fits. Then spare each that turns
 * out not to be needed, the best first. When more than one is left and one alone of no higher level
 * is enough, that one is taken. Runs that are to end anyway count as gone and cost nothing.
 *
 * <p>Changes nothing: whatever is taken away is put back.
 */
final class VictimSearch {

  /** A run that may be preempted, and the ways of stopping it. */
  private record PreemptionCandidate(
      TimedAllocation hold, int slot, int level, long startMs, String letters) {

    boolean leaving() {
      return letters.isEmpty();
    }
  }

  /** The nodes that a job gets, and the runs that have to end before it gets them. */
  record PreemptionPlan(JobAllocation held, List<Long> waitsFor, List<Preempt> preempted) {}

  private static final Comparator<PreemptionCandidate> BEGAN_LAST =
      Comparator.comparingInt((PreemptionCandidate it) -> -it.level())
          .thenComparingLong(it -> -it.startMs());

  /** The lowest level first, then those that began last, then the younger job. */
  private static final Comparator<PreemptionCandidate> FIRST_TO_GO =
      BEGAN_LAST.thenComparingLong(it -> -it.hold().number());

  /** The same, but of runs that began together the older job's, as PBS lists them. */
  private static final Comparator<PreemptionCandidate> FIRST_TO_GO_AS_LISTED =
      BEGAN_LAST.thenComparingLong(it -> it.hold().number());

  private final SchedulerBooks books;
  private final StartAttempts attempts;
  private final WorkCount work;
  private final long nowMs;

  /**
   * All runs that may be preempted for a job of the highest level, first victim first; null when
   * they have to be looked up.
   */
  private List<PreemptionCandidate> candidates;

  VictimSearch(SchedulerBooks books, CycleSearches bench, StartAttempts attempts, long nowMs) {
    this.books = books;
    this.attempts = attempts;
    this.work = bench.work();
    this.nowMs = nowMs;
  }

  /** Drops the list of candidates, because runs have started, ended or been told to end. */
  void forget() {
    candidates = null;
  }

  /**
   * Finds nodes for a job of the class by preempting others; null when preemption does not help.
   */
  PreemptionPlan find(ClassState owner, Pool pool, long number) {
    List<PreemptionCandidate> from = below(owner.level(), pool);
    if (from.isEmpty() || !enough(owner.shape(), pool, from)) {
      return null;
    }
    List<PreemptionCandidate> gone = new ArrayList<>();
    JobAllocation held = takeAway(owner, pool, from, gone);
    if (held != null) {
      held = spare(owner, pool, gone, held);
    }
    if (held != null && gone.stream().filter(it -> !it.leaving()).count() > 1) {
      JobAllocation alone = oneAlone(owner, pool, from, gone);
      held = alone == null ? held : alone;
    }
    if (held != null && !keepsItsLevel(owner)) {
      // The job would be preempted at once by other jobs of the higher level.
      held = null;
    }
    gone.forEach(this::putBack);
    return held == null || gone.isEmpty() ? null : found(held, gone, number);
  }

  private static PreemptionPlan found(
      JobAllocation held, List<PreemptionCandidate> gone, long number) {
    List<Long> waitsFor = new ArrayList<>();
    List<Preempt> preempted = new ArrayList<>();
    for (PreemptionCandidate it : gone) {
      waitsFor.add(it.hold.number());
      if (!it.leaving()) {
        preempted.add(new Preempt(it.hold.number(), number, it.letters));
      }
    }
    return new PreemptionPlan(held, waitsFor, preempted);
  }

  /** Takes away one after another until the job fits; its place, or null when it never does. */
  private JobAllocation takeAway(
      ClassState owner, Pool pool, List<PreemptionCandidate> from, List<PreemptionCandidate> gone) {
    JobAllocation held = null;
    for (int i = 0; i < from.size() && held == null; i++) {
      PreemptionCandidate it = from.get(i);
      if (!it.leaving() && levelNow(it) <= owner.level()) {
        // The runs that were taken away already keep their owner within his limit.
        continue;
      }
      takeAway(it, gone);
      boolean moreAreFree = i + 1 < from.size() && from.get(i + 1).leaving();
      if (!moreAreFree) {
        held = attempts.placeAnew(owner, pool);
      }
    }
    return held;
  }

  private void takeAway(PreemptionCandidate it, List<PreemptionCandidate> gone) {
    work.add(1);
    setAside(it);
    gone.add(it);
  }

  /** False when the job's own start would put it above a soft limit, and so into a lower level. */
  private boolean keepsItsLevel(ClassState owner) {
    return !books.preemption().graded()
        || books.preemption().levelWithOneMore(owner) <= owner.level();
  }

  private void setAside(PreemptionCandidate it) {
    books.holdings().setAside(it.hold);
    pretend(it, -1);
  }

  private void putBack(PreemptionCandidate it) {
    books.holdings().putBack(it.hold);
    pretend(it, 1);
  }

  private void pretend(PreemptionCandidate it, int sign) {
    int chunks = books.book().chunks(it.slot);
    books.eligibility().pretend(books.book().classOf(it.slot), sign, chunks);
  }

  private int levelNow(PreemptionCandidate it) {
    return books.preemption().graded()
        ? books.preemption().level(books.book().classOf(it.slot))
        : it.level();
  }

  /**
   * Puts back each run that need not be preempted, runs that end anyway last. Returns the nodes
   * that the job gets then.
   */
  private JobAllocation spare(
      ClassState owner, Pool pool, List<PreemptionCandidate> gone, JobAllocation place) {
    JobAllocation held = place;
    // From the back: the list begins with the runs that end anyway and the first victims.
    for (int i = gone.size() - 1; i >= 0; i--) {
      PreemptionCandidate it = gone.get(i);
      work.add(1);
      putBack(it);
      JobAllocation without = attempts.placeAnew(owner, pool);
      if (without != null) {
        held = without;
        gone.remove(i);
      } else {
        setAside(it);
      }
    }
    return held;
  }

  /** Looks for one victim in place of several; null when no single run is enough. */
  private JobAllocation oneAlone(
      ClassState owner, Pool pool, List<PreemptionCandidate> from, List<PreemptionCandidate> gone) {
    List<PreemptionCandidate> several = List.copyOf(gone);
    int highest =
        several.stream().filter(it -> !it.leaving()).mapToInt(it -> it.level()).min().orElse(0);
    several.stream().filter(it -> !it.leaving()).forEach(this::putBack);
    gone.removeIf(it -> !it.leaving());
    for (PreemptionCandidate it : from) {
      if (it.leaving() || it.level() < highest || levelNow(it) <= owner.level()) {
        continue;
      }
      takeAway(it, gone);
      JobAllocation held = attempts.placeAnew(owner, pool);
      if (held != null) {
        return held;
      }
      putBack(it);
      gone.remove(gone.size() - 1);
    }
    for (PreemptionCandidate it : several) {
      if (!it.leaving()) {
        takeAway(it, gone);
      }
    }
    return null;
  }

  /** The runs on the pool's nodes that have a lower level, and those that end anyway. */
  private List<PreemptionCandidate> below(int level, Pool pool) {
    if (candidates == null || books.preemption().graded()) {
      candidates = all();
    }
    List<PreemptionCandidate> below = new ArrayList<>();
    for (PreemptionCandidate it : candidates) {
      // The nodes of a run may have been moved to other partitions since it began.
      boolean here = it.hold.held().takes().stream().anyMatch(take -> take.node().pool() == pool);
      if (here && (it.leaving() || it.level() > level)) {
        below.add(it);
      }
    }
    return below;
  }

  private List<PreemptionCandidate> all() {
    List<PreemptionCandidate> leaving = new ArrayList<>();
    List<PreemptionCandidate> all = new ArrayList<>();
    Set<NodeState> deaf = deaf();
    for (RunBook.RecordedRun run : books.preemption().runs().all()) {
      work.add(1);
      TimedAllocation hold = books.holdings().get(run.number());
      int slot = books.book().jobs().find(run.number());
      if (hold == null || slot == JobSlots.NONE) {
        continue;
      }
      ClassState owner = books.book().classOf(slot);
      int level = books.preemption().level(owner);
      if (run.leaving(nowMs) || books.preemption().stopped(run.number())) {
        leaving.add(new PreemptionCandidate(hold, slot, level, run.startMs(), ""));
      } else if (run.killedMs() == RunBook.NOT_KILLED
          && books.serves(owner.queue())
          && hold.held().takes().stream().noneMatch(take -> deaf.contains(take.node()))) {
        String letters = letters(hold, owner, slot);
        if (!letters.isEmpty()) {
          all.add(new PreemptionCandidate(hold, slot, level, run.startMs(), letters));
        }
      }
    }
    all.sort(books.policy().site() == null ? FIRST_TO_GO : FIRST_TO_GO_AS_LISTED);
    leaving.addAll(all);
    return leaving;
  }

  /**
   * Nodes with runs that were told to end and did not. A run that is preempted there might not end
   * either, and would be lost for nothing.
   */
  private Set<NodeState> deaf() {
    Set<NodeState> deaf = new HashSet<>();
    if (books.preemption().runs().anyKilled()) {
      for (RunBook.RecordedRun run : books.preemption().runs().all()) {
        TimedAllocation hold = books.holdings().get(run.number());
        if (run.overdue(nowMs) && hold != null) {
          hold.held().takes().forEach(take -> deaf.add(take.node()));
        }
      }
    }
    return deaf;
  }

  /** Ways in which a run can be stopped now. */
  private String letters(TimedAllocation hold, ClassState owner, int slot) {
    long walltimeMs = owner.shape().walltimeMs();
    double left =
        hold.ends() && walltimeMs > 0 ? 100.0 * (hold.endMs() - nowMs) / walltimeMs : 100.0;
    StringBuilder possible = new StringBuilder();
    for (char letter :
        books.preemption().rule().order().letters(Math.max(0, Math.min(100, left))).toCharArray()) {
      boolean can = letter == 'R' ? !books.book().jobs().once(slot) : letter != 'C';
      possible.append(can ? String.valueOf(letter) : "");
    }
    return possible.toString();
  }

  /**
   * False when the sums of free amounts show that not even the end of all candidates makes enough
   * room.
   */
  private boolean enough(RequestShape shape, Pool pool, List<PreemptionCandidate> from) {
    if (from.stream().anyMatch(it -> it.hold.held().anyAlone())) {
      // An exclusive run blocks its whole node, so its end frees more than the amounts it holds.
      return true;
    }
    for (int i = 0; i < shape.totals(); i++) {
      int resource = shape.totalResource(i);
      long sum = pool.free().sum(resource);
      for (int c = 0; c < from.size() && sum < shape.totalAmount(i); c++) {
        for (NodeAllocation take : from.get(c).hold.held().takes()) {
          sum += ResourceNames.at(take.amounts(), resource);
        }
      }
      if (sum < shape.totalAmount(i)) {
        return false;
      }
    }
    return true;
  }
}
