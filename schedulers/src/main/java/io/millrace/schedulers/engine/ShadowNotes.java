package io.millrace.schedulers.engine;

import io.millrace.schemas.command.PreemptJob;
import io.millrace.schemas.command.RejectJob;
import io.millrace.schemas.command.ResumeRun;
import io.millrace.schemas.command.RunJob;
import io.millrace.schemas.command.SuspendRun;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.fact.RunGranted;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.avro.specific.SpecificRecord;

/**
 * What a shadow engine decided, compared with what the shard granted to the engine that it obeys: a
 * line for each decision, a line when its job is run, and the sums at the end.
 */
final class ShadowNotes {
  /** Number of decisions that are remembered; the oldest is dropped, as its job may never run. */
  private static final int DECISIONS_MAX = 100_000;

  private final PrintStream out;
  private final Map<String, String> decided =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
          return size() > DECISIONS_MAX;
        }
      };
  private long same;
  private long elsewhere;
  private long undecided;

  ShadowNotes(PrintStream out) {
    this.out = out;
  }

  /**
   * Prints what would be proposed; a shadow's proposals have no effect. A start that was printed
   * before is not printed again.
   */
  synchronized void decided(SpecificRecord proposal) {
    if (proposal instanceof RunJob run) {
      String nodes = nodes(run.getShares());
      if (!nodes.equals(decided.put(run.getJobId(), nodes))) {
        out.println("would run " + run.getJobId() + " on " + nodes);
      }
    } else if (proposal instanceof PreemptJob stop) {
      out.println("would stop " + stop.getJobId() + " for " + stop.getForJob());
    } else if (proposal instanceof ResumeRun on) {
      out.println("would let " + on.getJobId() + " go on");
    } else if (proposal instanceof SuspendRun halt) {
      out.println("would suspend " + halt.getJobId());
    } else if (proposal instanceof RejectJob rejection) {
      out.println("would give up " + rejection.getJobId());
    } else {
      throw new IllegalArgumentException("no proposal: " + proposal.getSchema().getName());
    }
  }

  synchronized void heard(SpecificRecord fact) {
    if (!(fact instanceof RunGranted granted)) {
      return;
    }
    String here = decided.remove(granted.getJobId());
    if (here == null) {
      undecided++; // the other one was quicker, or decides otherwise
      return;
    }
    String there = nodes(granted.getAllocation().getShares());
    boolean agreed = there.equals(here);
    if (agreed) {
      same++;
    } else {
      elsewhere++;
    }
    out.println(granted.getJobId() + " runs " + (agreed ? "as decided here" : "on " + there));
  }

  synchronized void sum() {
    out.println(
        "shadow: "
            + same
            + " runs as decided here, "
            + elsewhere
            + " on other nodes, "
            + undecided
            + " before a decision here");
  }

  private static String nodes(List<NodeShare> shares) {
    return shares.stream()
        .map(share -> share.getNode() + share.getAmounts())
        .collect(Collectors.joining("+"));
  }
}
