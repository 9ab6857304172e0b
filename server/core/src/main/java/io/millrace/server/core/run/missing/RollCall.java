package io.millrace.server.core.run.missing;

import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.output.AskRuns;
import io.millrace.schemas.output.RunName;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobEvent;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.RunTask;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.order.Orders;
import io.millrace.server.core.order.RunHold;
import io.millrace.server.core.order.RunLimit;
import io.millrace.server.core.run.finished.RunEndEffects;
import io.millrace.server.core.run.task.Tasks;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.View;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/**
 * Asks hosts after the runs that they should have: all of them when an executor says that it is
 * there, and once in a while those of which nothing was heard since their order. Orders to end,
 * suspend or resume a run may have been lost as well; they are sent again.
 *
 * <p>The question is sent through the topic of the orders, behind them, so that an order that is
 * still on its way is not taken for lost.
 */
public final class RollCall {
  /** Name of the continued work. */
  public static final String WORK = "roll-call";

  /** How often a shard looks for runs of which nothing was heard. */
  public static final long INTERVAL_MS = 60_000;

  /** Age of an unanswered order at which its run is asked after. */
  static final long SILENCE_MS = 60_000;

  /** Runs in one question: a record of some 30 KB. */
  static final int RUNS_AT_ONCE = 1000;

  private static final int LOOKED_AT_ONCE = 2000;

  private RollCall() {}

  /** Whether there is anything to ask after. */
  public static boolean wanted(View view) {
    boolean[] running = {false};
    view.queues()
        .scan(
            "",
            null,
            (name, queue) -> {
              running[0] = has(queue, JobStatus.RUNNING) || has(queue, JobStatus.EXITING);
              return !running[0];
            });
    return running[0];
  }

  private static boolean has(Queue queue, JobStatus status) {
    return queue.getCounts().getOrDefault(status.name(), 0L) > 0;
  }

  /** Asks this executor after all runs that begin on this node. */
  public static void all(Context c, Node node, String executor, Decision decision) {
    Questions questions = new Questions(c, decision);
    questions.add(node, executor, job -> true, job -> false);
    questions.addTasks(node, executor, task -> true);
    questions.send();
  }

  /**
   * Asks after the silent runs, node by node from the cursor on; also after what was ordered in a
   * time that the clock has left again.
   */
  static Decision go(Context c, String cursor) {
    Decision decision = Decision.none();
    Questions questions = new Questions(c, decision);
    LongPredicate silent = atMs -> atMs <= c.nowMs() - SILENCE_MS || atMs > c.nowMs() + SILENCE_MS;
    c.view()
        .nodes()
        .scan(
            cursor,
            null,
            (name, node) -> {
              if (questions.looked >= LOOKED_AT_ONCE) {
                decision.goOn(c, WORK, name);
                return false;
              }
              // A node that is down would not answer; when it comes back it is asked after all
              // runs.
              if (node.getUp()) {
                questions.add(
                    node,
                    node.getExecutor(),
                    job -> unanswered(job) && silent.test(orderedMs(job)),
                    RollCall::stood);
                questions.addTasks(
                    node, node.getExecutor(), task -> silent.test(task.getOrderedMs()));
              }
              return true;
            });
    questions.send();
    return decision;
  }

  private static boolean unanswered(Job job) {
    return job.getSessionId() == 0 || job.getKilling() != KillPurpose.NONE;
  }

  /**
   * Whether the run was suspended or resumed: such orders are not acknowledged, so they are sent
   * again.
   */
  private static boolean stood(Job job) {
    return job.getSuspension() != Suspension.NONE || job.getResumedMs() >= 0;
  }

  /**
   * Time of the order that the host has not answered: to end the run, else to start it. Other
   * events of the job do not count: they say nothing about the host.
   */
  private static long orderedMs(Job job) {
    if (job.getKilling() == KillPurpose.NONE) {
      return job.getStartedMs();
    }
    List<JobEvent> events = job.getEvents();
    for (int i = events.size() - 1; i >= 0; i--) {
      if (events.get(i).getWhat().equals(Copies.KILL)) {
        return events.get(i).getAtMs();
      }
    }
    // The event was dropped from the job's history, so it is old.
    return Long.MIN_VALUE;
  }

  private record AskedExecutor(String host, String executor) {}

  /** The questions of one decision. */
  private static final class Questions {
    private final Context context;
    private final Decision decision;
    private final Map<AskedExecutor, List<RunName>> runs = new LinkedHashMap<>();
    private int looked;

    Questions(Context context, Decision decision) {
      this.context = context;
      this.decision = decision;
    }

    /**
     * Asks after the runs that are wanted; for others only the suspend or resume order is repeated.
     */
    void add(Node node, String executor, Predicate<Job> wanted, Predicate<Job> told) {
      looked++;
      List<Job> begun = new ArrayList<>();
      begin(node, node.getHoldings(), begun);
      begin(node, node.getSuspended(), begun);
      for (Job job : begun) {
        if (wanted.test(job)) {
          ask(job, executor);
        } else if (told.test(job)) {
          decision.dispatch(Orders.asItIs(context, job, executor));
        }
      }
    }

    /**
     * Handles the runs that have their script on this node, so that a run on several nodes is
     * handled once.
     */
    private void begin(Node node, List<Holding> holdings, List<Job> begun) {
      for (Holding holding : holdings) {
        looked++;
        Job job = RunEndEffects.current(context, holding.getJobId(), holding.getRun());
        boolean begins =
            job != null
                && !Tasks.ending(job)
                && job.getAllocation().getShares().get(0).getNode().equals(node.getName());
        // A node is listed twice in an allocation when two chunks lie on it, and so is its holding.
        boolean again =
            begins && !begun.isEmpty() && begun.get(begun.size() - 1).getId().equals(job.getId());
        if (begins && !again) {
          begun.add(job);
        }
      }
    }

    /**
     * Tasks on this node. No host says that one has begun, so that all are asked after that were
     * ordered long ago; one that is to end is told so again.
     */
    void addTasks(Node node, String executor, Predicate<RunTask> wanted) {
      Set<String> seen = new HashSet<>(); // a node is listed twice when two chunks lie on it
      for (List<Holding> holdings : List.of(node.getHoldings(), node.getSuspended())) {
        for (Holding holding : holdings) {
          Job job = RunEndEffects.current(context, holding.getJobId(), holding.getRun());
          if (job != null && job.getTasks() != null && seen.add(job.getId())) {
            addTasks(node, job, executor, wanted);
          }
        }
      }
    }

    private void addTasks(Node node, Job job, String executor, Predicate<RunTask> wanted) {
      for (RunTask task : job.getTasks().getLive()) {
        NodeShare share = job.getAllocation().getShares().get(task.getShare());
        if (share.getNode().equals(node.getName()) && wanted.test(task)) {
          looked++;
          ask(job, task, executor);
        }
      }
    }

    private void ask(Job job, RunTask task, String executor) {
      if (Tasks.ending(job)) {
        decision.dispatch(Orders.killTask(context, job, task, 0, executor));
        return;
      }
      if (job.getKilling() != KillPurpose.NONE) {
        decision.dispatch(
            Orders.killTask(context, job, task, Orders.killDelayS(context, job), executor));
        return;
      }
      if (stood(job)) {
        decision.dispatch(Orders.asItIs(context, job, task, executor));
      }
      String host = job.getAllocation().getShares().get(task.getShare()).getHost();
      RunName name = new RunName(job.getId(), job.getRun(), task.getNumber());
      runs.computeIfAbsent(new AskedExecutor(host, executor), a -> new ArrayList<>()).add(name);
    }

    private void ask(Job job, String executor) {
      if (job.getKilling() != KillPurpose.NONE) {
        decision.dispatch(Orders.kill(context, job, executor));
        return;
      }
      if (job.getOrders() > 0) {
        decision.dispatch(Orders.asItIs(context, job, executor));
      }
      RunLimit.asItIs(context, job, executor).ifPresent(decision::dispatch);
      RunHold.asItIs(context, job, executor).ifPresent(decision::dispatch);
      AskedExecutor asked = new AskedExecutor(Orders.host(job.getAllocation()), executor);
      RunName name = new RunName(job.getId(), job.getRun(), 0);
      runs.computeIfAbsent(asked, a -> new ArrayList<>()).add(name);
    }

    void send() {
      runs.forEach(
          (asked, names) -> {
            for (int from = 0; from < names.size(); from += RUNS_AT_ONCE) {
              int to = Math.min(names.size(), from + RUNS_AT_ONCE);
              List<RunName> some = new ArrayList<>(names.subList(from, to));
              decision.dispatch(new AskRuns(asked.host(), context.shard(), some, asked.executor()));
            }
          });
    }
  }
}
