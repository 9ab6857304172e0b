package io.millrace.connectors.local.order;

import io.millrace.connectors.local.run.RunContext;
import io.millrace.schemas.common.GridEngineGrant;
import io.millrace.schemas.common.GridEngineRequest;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.output.StartRun;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/** The environment of runs that were submitted by Grid Engine's qsub. */
final class GridEngineEnvironment {

  private GridEngineEnvironment() {}

  /** The context with Grid Engine's variables, and the host file in place of the node file. */
  static RunContext context(StartRun order, RunContext plain) {
    JobSpec spec = order.getSpec();
    GridEngineRequest request = spec.getGridEngine();
    GridEngineGrant grant = order.getAllocation().getGridEngine();
    List<NodeShare> shares = order.getAllocation().getShares();
    boolean parallel = !grant.getEnvironment().isEmpty();
    List<String> hosts = new ArrayList<>();
    long slots = 0;
    for (int i = 0; i < shares.size(); i++) {
      NodeShare share = shares.get(i);
      slots += share.getChunks();
      String queue = grant.getQueues().get(i);
      hosts.add(share.getNode() + " " + share.getChunks() + " " + queue + " UNDEFINED");
    }
    Map<String, String> variables = new HashMap<>(plain.variables());
    variables.put("JOB_ID", number(order.getJobId(), request));
    variables.put("JOB_NAME", spec.getName());
    variables.put("HOSTNAME", shares.get(0).getNode());
    variables.put("QUEUE", clusterQueue(grant.getQueues().get(0)));
    variables.put("NSLOTS", Long.toString(slots));
    variables.put("NHOSTS", Integer.toString(different(shares)));
    variables.put("NQUEUES", Integer.toString(shares.size()));
    variables.put("RESTARTED", order.getRun() > 1 ? "1" : "0");
    if (parallel) {
      variables.put("PE", grant.getEnvironment());
    }
    RunContext.RunStart start =
        new RunContext.RunStart(request.getDirectory(), parallel ? "PE_HOSTFILE" : "", true);
    return new RunContext(
        plain.jobName(),
        plain.queue(),
        Map.copyOf(variables),
        List.copyOf(hosts),
        (int) slots,
        start,
        plain.amounts());
  }

  private static String number(String jobId, GridEngineRequest request) {
    int dot = jobId.indexOf('.');
    return request.getTask() > 0
        ? Long.toString(request.getArray())
        : jobId.substring(0, dot < 0 ? jobId.length() : dot);
  }

  private static String clusterQueue(String instance) {
    int at = instance.indexOf('@');
    return at < 0 ? instance : instance.substring(0, at);
  }

  private static int different(List<NodeShare> shares) {
    HashSet<String> nodes = new HashSet<>();
    shares.forEach(share -> nodes.add(share.getNode()));
    return nodes.size();
  }
}
