package io.millrace.schedulers.dialects.origin2000.live;

import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.JobSpec;
import java.util.HashMap;
import java.util.Map;

/** A job as the follower knows it. */
final class OriginTask {

  final long number;
  final long createdS;
  long rank;
  JobSpec spec;

  /** Seconds since 1970; 0 while it is held. */
  long eligibleS;

  boolean held;
  boolean leaving;

  /** True for an array and for its subjobs, which no policy of this kind starts. */
  boolean ofArray;

  /** True while its deletion is proposed. */
  boolean givenUp;

  /** Where it runs and since when; null while it waits. */
  String node;

  long startedS;

  /** A start that is proposed and not yet answered; null for none. */
  OriginStart proposed;

  /** Host of the queue for which it was proposed. */
  String proposedHost = "";

  /** Queue to which it went back after its run was interrupted; empty for its own. */
  String resubmitted = "";

  /** What it was told last, and when; null for nothing. */
  String comment;

  long commentedS;

  /** Until when it is not tried again, in milliseconds since 1970. */
  long restUntilMs;

  OriginTask(long number, long createdS, JobSpec spec) {
    this.number = number;
    this.createdS = createdS;
    this.commentedS = createdS;
    this.spec = spec;
  }

  boolean waits() {
    return node == null && proposed == null;
  }

  /** The queue in which it counts. */
  String queue() {
    return proposed != null
        ? proposed.queue()
        : resubmitted.isEmpty() ? spec.getQueue() : resubmitted;
  }

  int chunks() {
    return spec.getRequest().getChunks().stream().mapToInt(Chunk::getCount).sum();
  }

  /** What it asks for in all its chunks together. */
  Map<String, Long> amounts() {
    Map<String, Long> sum = new HashMap<>();
    for (Chunk chunk : spec.getRequest().getChunks()) {
      chunk
          .getAmounts()
          .forEach((name, amount) -> sum.merge(name, amount * chunk.getCount(), Long::sum));
    }
    return sum;
  }
}
