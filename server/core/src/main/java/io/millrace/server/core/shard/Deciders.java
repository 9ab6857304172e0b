package io.millrace.server.core.shard;

import io.millrace.schemas.command.Continue;
import io.millrace.schemas.command.GrantBlock;
import io.millrace.schemas.command.LeaseBlock;
import io.millrace.schemas.command.Tick;
import io.millrace.schemas.fact.BlockGranted;
import io.millrace.schemas.fact.BlockLeased;
import io.millrace.server.core.Context;
import io.millrace.server.core.Decision;
import io.millrace.server.core.Keys;
import io.millrace.server.core.cluster.Initialise;
import io.millrace.server.core.handover.Answers;
import io.millrace.server.core.handover.Leaving;
import io.millrace.server.core.job.array.Deletion;
import io.millrace.server.core.job.array.Window;
import io.millrace.server.core.job.route.Routing;
import io.millrace.server.core.run.lost.LostRuns;
import io.millrace.server.core.run.lost.LostTasks;
import io.millrace.server.core.run.missing.RollCall;
import io.millrace.server.core.run.suspend.Stranded;

/** Decides what a shard says to itself and about job numbers. */
public final class Deciders {

  /** Timers were fired before the decision: there is nothing left to do. */
  public Decision decide(Context c, Tick command) {
    return Decision.none();
  }

  public Decision decide(Context c, Continue command) {
    return switch (command.getWork()) {
      case Answers.WORK -> Answers.go(c, command.getCursor());
      case Leaving.WORK -> Leaving.go(c, command.getCursor());
      case io.millrace.server.core.cluster.Changes.WORK ->
          io.millrace.server.core.cluster.Changes.next(c);
      case Routing.JOB -> Routing.job(c, command.getCursor());
      case Routing.PASS -> Routing.pass(c, command.getCursor());
      case Routing.BEGIN -> Routing.begin(c, command.getCursor());
      case Window.WORK -> Window.go(c, command.getCursor());
      case Deletion.WORK -> Deletion.go(c, command.getCursor());
      case LostRuns.FORCED -> LostRuns.goForced(c, command.getCursor());
      case Deletion.PURGE -> Deletion.purge(c, command.getCursor());
      case LostTasks.WORK -> LostTasks.go(c, command.getCursor());
      case LostRuns.WORK -> LostRuns.go(c, command.getCursor());
      case RollCall.WORK -> RollCall.go(c, command.getCursor());
      case Stranded.WORK -> Stranded.go(c, command.getCursor());
      case Initialise.WORK -> Initialise.go(c, command.getCursor());
      default -> throw new IllegalArgumentException("unknown work " + command.getWork());
    };
  }

  public Decision decide(Context c, LeaseBlock command) {
    long first = c.numbers().getUnleasedNumber();
    long end = first + Keys.BLOCK_SIZE;
    return Decision.none()
        .fact(new BlockLeased(c.stamp(), first, end, command.getShard()))
        .tell(command.getShard(), new GrantBlock(c.asShard(), first, end, command.getShard()));
  }

  public Decision decide(Context c, GrantBlock command) {
    Decision decision =
        Decision.none().fact(new BlockGranted(c.stamp(), command.getFirst(), command.getEnd()));
    long numbers = new Blocks(c).left() + command.getEnd() - command.getFirst();
    Parking.releaseWithNumbers(c, numbers, decision);
    return decision;
  }
}
