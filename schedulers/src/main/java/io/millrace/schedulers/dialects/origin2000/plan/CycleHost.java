package io.millrace.schedulers.dialects.origin2000.plan;

import io.millrace.schedulers.dialects.origin2000.state.OriginHostState;
import io.millrace.schedulers.dialects.origin2000.state.OriginNodes;
import java.util.Optional;

/** A host within a cycle, with what all of its queues have there. */
final class CycleHost {

  static final String USER = "user";
  static final String GLOBAL = "global";

  private final String name;
  private final long nodes;
  private final double load;
  private long allocated;
  private long jobs;
  private int charges;
  private boolean userCounters;
  private boolean countersUsed;

  // What jobs are told for which it has not enough nodes: most are, and the text is the same.
  private final Optional<String> tooSmall;
  private final Optional<String> full;

  /**
   * @param times by what load, memory and processors are multiplied
   */
  CycleHost(OriginHostState given, long times) {
    name = given.name();
    nodes = OriginNodes.of(given.ncpus() * times, given.memory() * times);
    load = given.load() * times;
    userCounters = given.counters().equals(USER);
    String what = "Would over-subscribe node resources (";
    tooSmall = Optional.of(what + "only " + nodes + " avail)");
    full = Optional.of(what + nodes + " max)");
  }

  /** What a job is told that is larger than the host. */
  Optional<String> tooSmall() {
    return tooSmall;
  }

  /** What a job is told that is larger than what is left of the host. */
  Optional<String> full() {
    return full;
  }

  String name() {
    return name;
  }

  long nodes() {
    return nodes;
  }

  long allocated() {
    return allocated;
  }

  long jobs() {
    return jobs;
  }

  double load() {
    return load;
  }

  void charge(long moreNodes, long moreJobs) {
    allocated += moreNodes;
    jobs += moreJobs;
    charges++;
  }

  /** How often it was charged: what follows from its figures holds for as long as it is not. */
  int charges() {
    return charges;
  }

  /** Whether its counters serve jobs rather than the whole machine. */
  boolean userCounters() {
    return userCounters;
  }

  void userCounters(boolean serve) {
    userCounters = serve;
  }

  boolean countersUsed() {
    return countersUsed;
  }

  void useCounters() {
    countersUsed = true;
  }
}
