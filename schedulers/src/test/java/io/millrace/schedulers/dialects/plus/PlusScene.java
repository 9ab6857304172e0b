package io.millrace.schedulers.dialects.plus;

import io.millrace.schedulers.core.cycle.Cycle;
import io.millrace.schedulers.core.cycle.Records;
import io.millrace.schedulers.core.cycle.SchedulerState;
import io.millrace.schedulers.core.cycle.Start;
import io.millrace.schedulers.core.policy.Policies;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Queues, nodes and jobs under a sched_conf. */
final class PlusScene {

  private static final Instant NOW = Instant.ofEpochSecond(1_795_000_000);

  private final SchedulerState state =
      new SchedulerState("default", 0, Policies.STANDARD, Integer.MAX_VALUE);
  private long created;
  private long number;

  PlusScene(PlusConf conf) {
    List<Attribute> attributes = new ArrayList<>(conf.attributes());
    attributes.add(new Attribute("scheduling", "True"));
    state.facts().written(new ClusterObject(ObjectKind.SCHEDULER, "default", 1L, attributes, 1L));
  }

  /** A queue that is created after those before it. */
  PlusScene queue(String name, int priority) {
    ClusterObject queue =
        Records.object(
            ObjectKind.QUEUE, name, "started", "True", "Priority", String.valueOf(priority));
    queue.setCreated(++created);
    state.facts().written(queue);
    return this;
  }

  /** A node with its memory, and its load in millionths. */
  PlusScene node(String name, long cpus, long memory, long load) {
    state.facts().written(Records.object(ObjectKind.NODE, name));
    Node.Builder node = Node.newBuilder(Records.node(name, "h" + name, cpus, memory));
    node.setMeasured(Map.of("ncpus", cpus, "mem", memory, "load.load_medium", load));
    state.facts().node(node.build());
    return this;
  }

  /** The next job. */
  PlusScene job(String queue, int priority, String request) {
    return job(queue, priority, request, "ann@n1", "staff");
  }

  PlusScene job(String queue, int priority, String request, String owner, String group) {
    Job job = Records.job(++number, queue, priority, request);
    job.getSpec().setOwner(owner);
    job.getSpec().setSubmitHost(owner.substring(owner.indexOf('@') + 1));
    job.getSpec().setGroup(group);
    state.facts().job(job);
    return this;
  }

  /** A job that ran before has ended. */
  PlusScene ends(long job) {
    state.facts().gone(job);
    return this;
  }

  /** Numbers of the jobs in the order in which they start, all that fit in one cycle. */
  String starts() {
    return cycle().stream()
        .map(start -> String.valueOf(start.jobNumber()))
        .collect(Collectors.joining(" "));
  }

  /** The nodes of the jobs in the order in which they start. */
  String nodes() {
    return cycle().stream()
        .map(start -> start.shares().get(0).getNode())
        .collect(Collectors.joining(" "));
  }

  /** The same where each job ends before the next cycle. */
  String startsOneByOne() {
    List<String> order = new ArrayList<>();
    for (List<Start> starts = cycle(); !starts.isEmpty(); starts = cycle()) {
      starts.forEach(start -> order.add(String.valueOf(start.jobNumber())));
      starts.forEach(start -> state.facts().gone(start.jobNumber()));
    }
    return String.join(" ", order);
  }

  private List<Start> cycle() {
    List<Start> starts = Cycle.run(state, NOW, Long.MAX_VALUE).starts();
    starts.forEach(start -> state.given().started(start.jobNumber()));
    return starts;
  }
}
