package io.millrace.schedulers.dialects.origin2000.plan;

import io.millrace.schedulers.dialects.origin2000.state.OriginHostState;
import io.millrace.schedulers.dialects.origin2000.state.OriginNodes;

/** A host within a cycle, with what all of its queues have there. */
final class CycleHost {

  static final String USER = "user";
  static final String GLOBAL = "global";

  private final String name;
  private final long nodes;
  private final double load;
  private long allocated;
  private long jobs;
  private boolean userCounters;
  private boolean countersUsed;

  /**
   * @param times by what load, memory and processors are multiplied
   */
  CycleHost(OriginHostState given, long times) {
    name = given.name();
    nodes = OriginNodes.of(given.ncpus() * times, given.memory() * times);
    load = given.load() * times;
    userCounters = given.counters().equals(USER);
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
