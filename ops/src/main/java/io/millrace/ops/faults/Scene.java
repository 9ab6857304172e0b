package io.millrace.ops.faults;

import io.millrace.ops.launcher.Installation;
import java.io.IOException;
import java.util.List;

/** What is set up before the first job, where jobs go, and what else happens to the cluster. */
interface Scene extends Load.Destinations {

  /** Arguments of {@code up}. */
  List<String> upArguments();

  /** Objects and parts that the load needs. */
  void prepare(Clients clients, Installation installation) throws IOException, InterruptedException;

  /** Parts that may be killed. */
  List<String> victims(Installation installation);

  /** Ends what else happens; what it changed must let all jobs run. */
  void finish(Clients clients) throws IOException, InterruptedException;

  /** One clause for people. */
  String words();
}
