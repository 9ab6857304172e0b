package io.millrace.server.core.run.signal;

import io.millrace.schemas.command.MessageJob;
import io.millrace.schemas.command.NoteCputExceeded;
import io.millrace.schemas.command.SignalJob;
import io.millrace.schemas.fact.RunMessaged;
import io.millrace.schemas.fact.RunSignalled;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.order.Orders;
import io.millrace.server.core.order.RunHold;
import io.millrace.server.core.parking.JobForwarding;
import io.millrace.server.core.run.finished.RunEndEffects;
import io.millrace.server.core.run.suspend.Suspensions;
import io.millrace.server.core.state.ArrayStates;
import java.util.OptionalInt;

/**
 * Decides signals. As in PBS owners may send signals; suspend and resume are for operators. As in
 * Grid Engine its jobs may be suspended and resumed by their owners, too.
 */
public final class Deciders {
  /**
   * Most orders of a run after which it gets no more signals: its host keeps each until the run
   * ends. Suspend and resume are not bounded.
   */
  static final int ORDERS_MAX = 1000;

  /** Longest message, in characters; PBS's qmsg cuts them off there. */
  private static final int TEXT_MAX = 256;

  public Decision decide(Context c, SignalJob command) {
    Decision away = JobForwarding.elsewhere(c, command.getJobId(), command);
    if (away != null) {
      return away;
    }
    Job job = c.job(command.getJobId());
    String signal = command.getSignal();
    boolean special = signal.equals(Orders.SUSPEND) || signal.equals(Orders.RESUME);
    if (special ? !c.mayInterrupt(job) : !c.mayActOn(job)) {
      return Decision.rejected(c, PbsError.UNAUTHORIZED);
    }
    if (job.getStatus() == JobStatus.FINISHED) {
      return Decision.rejected(c, PbsError.JOB_FINISHED);
    }
    if (signal.startsWith("admin-")) {
      String why = ": " + signal + "; set the node offline and use suspend";
      return Decision.rejected(c, PbsError.UNSUPPORTED, why);
    }
    if (job.getStatus() != JobStatus.RUNNING) {
      return Decision.rejected(c, PbsError.BAD_STATE);
    }
    return switch (signal) {
      case Orders.SUSPEND -> Suspensions.ask(c, job);
      case Orders.RESUME -> Suspensions.askToResume(c, job);
      default -> send(c, job, signal);
    };
  }

  /** qmsg to a running job; its owner may use it, who can write into the output anyway. */
  public Decision decide(Context c, MessageJob command) {
    Decision away = JobForwarding.elsewhere(c, command.getJobId(), command);
    if (away != null) {
      return away;
    }
    Job job = c.job(command.getJobId());
    if (!c.mayActOn(job)) {
      return Decision.rejected(c, PbsError.UNAUTHORIZED);
    }
    if (ArrayStates.is(job) || job.getStatus() != JobStatus.RUNNING) {
      boolean over = job.getStatus() == JobStatus.FINISHED;
      return Decision.rejected(c, over ? PbsError.JOB_FINISHED : PbsError.BAD_STATE);
    }
    if (RunHold.isOutside(job)) {
      // Its output is written by its script alone, to files that only its account may write to.
      String why = ": a run in an outside cluster takes no messages";
      return Decision.rejected(c, PbsError.UNSUPPORTED, why);
    }
    String text = command.getText();
    if (text.length() > TEXT_MAX || !command.getStreams().matches("O?E?")) {
      return Decision.rejected(c, PbsError.PROTOCOL);
    }
    String streams = command.getStreams();
    String by = c.meta().getPrincipal() + "@" + c.meta().getHost();
    return Decision.done(c)
        .fact(new RunMessaged(c.stamp(), job.getId(), job.getRun(), streams, text, by))
        .dispatch(Orders.message(c, job, streams, text));
  }

  /**
   * Tells the supervisor of the script, which ends the run with PBS's message. No fact is recorded
   * before; if the order is lost, the owner of the shard repeats the command.
   */
  public Decision decide(Context c, NoteCputExceeded command) {
    Job job = RunEndEffects.current(c, command.getJobId(), command.getRun());
    boolean ends = job == null || job.getStatus() == JobStatus.EXITING;
    return ends ? Decision.none() : Orders.cput(c, job, command.getCputS(), Decision.none());
  }

  private static Decision send(Context c, Job job, String signal) {
    OptionalInt number = Signals.number(signal);
    if (number.isEmpty()) {
      return Decision.rejected(c, PbsError.UNKNOWN_SIGNAL);
    }
    if (job.getOrders() >= ORDERS_MAX) {
      String why = ": its run got %d orders, as many as one may".formatted(job.getOrders());
      return Decision.rejected(c, PbsError.BAD_STATE, why);
    }
    int order = job.getOrders() + 1;
    String by = c.meta().getPrincipal() + "@" + c.meta().getHost();
    Decision decision =
        Decision.done(c)
            .fact(new RunSignalled(c.stamp(), job.getId(), job.getRun(), order, signal, by));
    return Orders.signal(c, job, order, Integer.toString(number.getAsInt()), decision);
  }
}
