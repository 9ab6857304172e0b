package io.millrace.schedulers.dialects.origin2000.live;

import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.pbs.resources.RequestClass;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * A job as the follower knows it. There is one for each job under every policy, so it has only what
 * the dialect looks at, and words that many jobs share stand once.
 */
final class OriginTask {

  final long number;
  final long createdS;
  long rank;

  /** The queue in which the server has it. */
  String home;

  String user;
  String group;

  /** True for an interactive one. */
  boolean terminal;

  /** Below 0 for none. */
  long walltimeS;

  int chunks;

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

  /** What it asks for in all its chunks together. */
  private Map<String, Long> amounts;

  OriginTask(long number, long createdS, JobSpec spec) {
    this.number = number;
    this.createdS = createdS;
    this.commentedS = createdS;
    asks(spec);
  }

  /** Takes over what it asks for. */
  void asks(JobSpec spec) {
    home = spec.getQueue().intern();
    user = RequestClass.userOf(spec.getOwner()).intern();
    group = spec.getGroup().intern();
    terminal = !spec.getTerminal().isEmpty();
    walltimeS = spec.getRequest().getWalltimeS();
    Map<String, Long> sum = new HashMap<>();
    chunks = 0;
    for (Chunk chunk : spec.getRequest().getChunks()) {
      int count = chunk.getCount();
      chunks += count;
      chunk
          .getAmounts()
          .forEach((name, amount) -> sum.merge(name.intern(), amount * count, Long::sum));
    }
    amounts = Map.copyOf(sum);
  }

  void granted(Allocation allocation, long atMs) {
    proposed = null;
    node = allocation.getShares().get(0).getNode();
    startedS = atMs / 1000;
  }

  /** It could not be started, and is not tried again until a time. */
  void rest(String why, long untilMs) {
    restUntilMs = untilMs;
    comment = why;
    commentedS = 0; // so that the policy may say something else at once
  }

  boolean waits() {
    return node == null && proposed == null;
  }

  /** The queue in which it counts. */
  String queue() {
    return proposed != null ? proposed.queue() : resubmitted.isEmpty() ? home : resubmitted;
  }

  long asked(String resource) {
    return amounts.getOrDefault(resource, 0L);
  }

  /** What it asks for in all its chunks together, by name. */
  Map<String, Long> amounts() {
    return new TreeMap<>(amounts);
  }
}
