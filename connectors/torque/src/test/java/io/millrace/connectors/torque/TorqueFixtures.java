package io.millrace.connectors.torque;

import io.millrace.connectors.bridge.recorded.RecordedTexts;
import java.util.Map;

/** What Torque prints, by its public manual and source: nothing of it was recorded. */
final class TorqueFixtures {

  private static final RecordedTexts TEXTS = new RecordedTexts(TorqueFixtures.class);

  static final String ENDED =
      "11/20/2026 15:38:31;E;45.vm;user=alice group=users account=mr.c1.13.1 jobname=x queue=batch"
          + " ctime=1795189097 qtime=1795189097 etime=1795189097 start=1795189104 owner=alice@vm"
          + " exec_host=n1/0-3 Resource_List.nodes=1:ppn=4 Resource_List.walltime=00:10:00"
          + " session=12791 total_execution_slots=4 unique_node_count=1 end=1795189111"
          + " Exit_status=-11 resources_used.cput=00:01:02 resources_used.mem=1420kb"
          + " resources_used.vmem=2500kb resources_used.walltime=00:00:06";

  static final String SERVER =
      "Server: vm\n    server_state = Active\n    keep_completed = 300\n"
          + "    query_other_jobs = True\n"
          + "    pbs_version = 6.1.3\n\n";

  static final String QUEUES =
      "Queue: batch\n    queue_type = Execution\n    started = True\n\n"
          + "Queue: route\n    queue_type = Route\n\n";

  private TorqueFixtures() {}

  static String text(String name) {
    return TEXTS.text(name);
  }

  /** Fields of an output, each with what is made of it. */
  static Map<String, String> fields(String name) {
    return TEXTS.fields(name);
  }
}
