package io.millrace.server.core.handover.message;

import io.millrace.schemas.command.OfferJob;
import io.millrace.schemas.command.OfferNode;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Script;
import io.millrace.schemas.fact.JobOffered;
import io.millrace.schemas.fact.NodeOffered;
import io.millrace.schemas.state.Dependent;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.StoredScript;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.job.accrue.Accruals;
import io.millrace.server.core.job.depend.waiting.Dependents;
import io.millrace.server.core.state.Keys;
import java.util.List;

/** The first step of a hand-over: the offer. */
public final class HandoverOffers {
  private HandoverOffers() {}

  /**
   * Offers a waiting job to the shard of a queue.
   *
   * @param waiting the command to answer at the end; null when nobody asked
   */
  public static void offer(
      Context c, Job job, int shard, String queue, CommandMeta waiting, Decision decision) {
    offer(c, job, new Destination(shard, queue, false), waiting, decision);
  }

  /** Offers a job of a routing queue to one of its destinations. */
  public static void route(Context c, Job job, int shard, String queue, Decision decision) {
    offer(c, job, new Destination(shard, queue, true), null, decision);
  }

  /**
   * A queue in another shard.
   *
   * @param routed whether a routing queue chose it, which may choose another one when it is refused
   */
  private record Destination(int shard, String queue, boolean routed) {}

  private static void offer(
      Context c, Job job, Destination to, CommandMeta waiting, Decision decision) {
    decision.fact(new JobOffered(c.stamp(), job.getId(), to.shard, to.queue, waiting));
    Script script = null;
    if (job.getSpec().getScriptHash().hasRemaining()) {
      StoredScript stored = c.view().scripts().get(Keys.script(job.getSpec().getScriptHash()));
      script = new Script(stored.getHash(), stored.getText());
    }
    Job offered = io.millrace.server.core.state.Copies.of(job);
    offered.setWaiting(waiting);
    offered.setAccrual(Accruals.settled(c.view(), job, c.nowMs()));
    List<Dependent> dependents = Dependents.of(c.view(), job);
    decision.tell(
        to.shard,
        new OfferJob(c.asShard(), c.shard(), to.queue, offered, script, to.routed, dependents));
  }

  public static void offer(Context c, Node node, int shard, Decision decision) {
    decision.fact(new NodeOffered(c.stamp(), node.getName(), shard));
    decision.tell(shard, new OfferNode(c.asShard(), c.shard(), node));
  }
}
