package io.millrace.ops.faults.scenario;

import io.millrace.ops.faults.evidence.OutsideEvidence;
import io.millrace.ops.faults.kill.Restarter;
import io.millrace.ops.faults.load.CommandClient;
import io.millrace.ops.faults.load.Load;
import io.millrace.ops.home.Home;
import io.millrace.ops.word.Console;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A system for a run of the harness: its start and preparation, the queues of jobs, what befalls
 * it, and background activity.
 */
public interface Scenario extends Load.QueueChoice, AutoCloseable {

  /**
   * Starts it in a new home.
   *
   * @throws IOException in one line when that fails; nothing runs then
   */
  TestedSystem up(Home home, Console console) throws IOException, InterruptedException;

  /** Creates the objects and parts that the load needs. */
  void prepare(CommandClient client) throws IOException, InterruptedException;

  /** What a strike may hit: parts, and whatever else the system depends on. */
  List<String> victims();

  /**
   * Strikes a victim.
   *
   * @return false when there was nothing to strike: it had not come back from the last strike
   */
  default boolean strike(Restarter restarter, String victim)
      throws IOException, InterruptedException {
    return restarter.kill(victim);
  }

  /**
   * Waits until all is as it was before the strikes.
   *
   * @throws IOException with the names of what is not, when the time is up
   */
  default void awaitWhole(Restarter restarter, long patienceMs)
      throws IOException, InterruptedException {
    restarter.awaitReady(patienceMs);
  }

  /** Ends the background activity and leaves a cluster in which all jobs can run. */
  void finish(CommandClient client) throws IOException, InterruptedException;

  /**
   * Seconds that were charged to accounts, as the server has them when all jobs have ended; empty
   * where nothing is charged.
   */
  default Optional<Map<String, Long>> charges(CommandClient client)
      throws IOException, InterruptedException {
    return Optional.empty();
  }

  /** Queues of a campaign; none where there is no place for one. */
  default List<String> bags() {
    return List.of();
  }

  /** Those of them in which several tasks run in one job. */
  default List<String> groupedBags() {
    return List.of();
  }

  /**
   * What is known of the runs in an outside system, when all is over; empty where there is none.
   */
  default Optional<OutsideEvidence> outside() throws IOException, InterruptedException {
    return Optional.empty();
  }

  /** Notes to keep as evidence of a failed verdict. */
  List<String> notes();

  /** How often each victim that is no part was struck, and how. */
  default Map<String, Integer> otherStrikes() {
    return Map.of();
  }

  /** One clause that describes the scenario. */
  String words();

  /** Ends the background activity, whatever state it leaves. */
  @Override
  void close();
}
