package io.millrace.ops.faults.scenario;

import io.millrace.ops.faults.load.CommandClient;
import io.millrace.ops.faults.load.Load;
import io.millrace.ops.installation.Installation;
import java.io.IOException;
import java.util.List;

/** What is set up before the first job, where jobs go, and what else happens to the cluster. */
public interface Scenario extends Load.Destinations, AutoCloseable {

  /** Arguments of {@code up}. */
  List<String> upArguments();

  /** Objects and parts that the load needs. */
  void prepare(CommandClient client, Installation installation)
      throws IOException, InterruptedException;

  /** Parts that may be killed. */
  List<String> victims(Installation installation);

  /** Ends what else happens; what it changed must let all jobs run. */
  void finish(CommandClient client) throws IOException, InterruptedException;

  /** What is worth keeping beside a bad verdict. */
  List<String> notes();

  /** One clause for people. */
  String words();

  /** Ends what else happens, in whatever state. */
  @Override
  void close();
}
