package io.millrace.server.core.run.missing;

import io.millrace.schemas.command.Continue;
import io.millrace.schemas.output.AskRuns;
import io.millrace.schemas.output.RunName;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.Node;
import io.millrace.server.core.Context;
import io.millrace.server.core.Decision;
import io.millrace.server.core.View;
import io.millrace.server.core.run.finished.Ends;
import io.millrace.server.core.run.grant.Orders;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Asks hosts after the runs that they should have: all of them when an executor says that it is
 * there, and once in a while those of which nothing was heard since their order. An order to end a
 * run may have been lost as well; it is given again.
 *
 * <p>The question goes the way of the orders and stands behind them, so that an order that is still
 * on its way is not taken for a lost one.
 */
public final class RollCall {
  /** Name of the continued work. */
  public static final String WORK = "roll-call";

  /** How often a shard looks for runs of which nothing was heard. */
  public static final long INTERVAL_MS = 60_000;

  /** A run is asked after when its order is that old and nobody has answered it. */
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
              running[0] = queue.getCounts().getOrDefault(JobStatus.RUNNING.name(), 0L) > 0;
              return !running[0];
            });
    return running[0];
  }

  /** Asks this executor after all runs that begin on this node. */
  public static void all(Context c, Node node, String executor, Decision decision) {
    Questions questions = new Questions(c, decision);
    questions.add(node, executor, job -> true);
    questions.send();
  }

  /** Asks after the silent runs, node by node from the cursor on. */
  public static Decision go(Context c, String cursor) {
    Decision decision = Decision.none();
    Questions questions = new Questions(c, decision);
    long before = c.nowMs() - SILENCE_MS;
    c.view()
        .nodes()
        .scan(
            cursor,
            null,
            (name, node) -> {
              if (questions.looked >= LOOKED_AT_ONCE) {
                decision.tell(c.shard(), new Continue(c.asShard(), WORK, name));
                return false;
              }
              questions.add(
                  node, node.getExecutor(), job -> unanswered(job) && lastEventMs(job) <= before);
              return true;
            });
    questions.send();
    return decision;
  }

  private static boolean unanswered(Job job) {
    return job.getSessionId() == 0 || job.getKilling() != KillPurpose.NONE;
  }

  private static long lastEventMs(Job job) {
    return job.getEvents().get(job.getEvents().size() - 1).getAtMs();
  }

  private record Asked(String host, String executor) {}

  /** The questions of one decision. */
  private static final class Questions {
    private final Context context;
    private final Decision decision;
    private final Map<Asked, List<RunName>> runs = new LinkedHashMap<>();
    private RunName last;
    private int looked;

    Questions(Context context, Decision decision) {
      this.context = context;
      this.decision = decision;
    }

    void add(Node node, String executor, Predicate<Job> wanted) {
      looked++;
      add(node, node.getHoldings(), executor, wanted);
      add(node, node.getSuspended(), executor, wanted);
    }

    private void add(Node node, List<Holding> holdings, String executor, Predicate<Job> wanted) {
      for (Holding holding : holdings) {
        looked++;
        Job job = Ends.current(context, holding.getJobId(), holding.getRun());
        // A run of several nodes is asked after once, where it begins.
        boolean begins =
            job != null && job.getAllocation().getShares().get(0).getNode().equals(node.getName());
        if (begins && wanted.test(job)) {
          add(job, executor);
        }
      }
    }

    private void add(Job job, String executor) {
      // A node is listed twice in an allocation when two chunks lie on it, and so is its holding.
      RunName name = new RunName(job.getId(), job.getRun());
      if (name.equals(last)) {
        return;
      }
      last = name;
      if (job.getKilling() != KillPurpose.NONE) {
        decision.dispatch(Orders.kill(context, job, executor));
        return;
      }
      if (job.getOrders() > 0) {
        decision.dispatch(Orders.asItIs(context, job, executor));
      }
      Asked asked = new Asked(Orders.host(job.getAllocation()), executor);
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
