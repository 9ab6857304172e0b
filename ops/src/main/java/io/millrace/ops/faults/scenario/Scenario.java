package io.millrace.ops.faults.scenario;

import io.millrace.ops.faults.load.CommandClient;
import io.millrace.ops.faults.load.Load;
import io.millrace.ops.installation.Installation;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A cluster for a run of the harness: its preparation, the queues of jobs, and background activity.
 */
public interface Scenario extends Load.QueueChoice, AutoCloseable {

  /** Arguments of {@code up}. */
  List<String> upArguments();

  /** Creates the objects and parts that the load needs. */
  void prepare(CommandClient client, Installation installation)
      throws IOException, InterruptedException;

  /** Parts that may be killed. */
  List<String> victims(Installation installation);

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

  /** Notes to keep as evidence of a failed verdict. */
  List<String> notes();

  /** One clause that describes the scenario. */
  String words();

  /** Ends the background activity, whatever state it leaves. */
  @Override
  void close();
}
