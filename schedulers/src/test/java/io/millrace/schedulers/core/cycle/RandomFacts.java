package io.millrace.schedulers.core.cycle;

import io.millrace.schedulers.core.model.ObjectAttributes;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.policy.Policies;
import io.millrace.schedulers.core.state.node.NodeState;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.pbs.attributes.NodeSharing;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.Node;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Changes a {@link SchedulerFixture} at random, by every kind of fact that a scheduler follows. */
final class RandomFacts {

  static final long GB = 1L << 30;
  static final int LICENSES = 2;
  private static final List<String> QUEUE_PRIORITIES = List.of("150", "160", "-5", "1", "10");
  private static final int CPUS = 8;
  private static final String[] QUEUES = {"q1", "q2", "q3", "q4"};
  private static final String[] NODES = {"n1", "n2", "n3", "n4", "n5"};
  private static final String[] REQUESTS = {
    "ncpus=1",
    "ncpus=3",
    "ncpus=8",
    "ncpus=1,mem=3gb",
    "select=2:ncpus=3:mpiprocs=3",
    "select=2:ncpus=2:mem=1gb:mpiprocs=2,place=scatter",
    "select=3:ncpus=2:mpiprocs=2,place=pack",
    "select=1:ncpus=2+2:ncpus=1:mem=2gb",
    "select=1:ncpus=1,place=excl",
    "select=2:ncpus=1,place=vscatter:exclhost",
    "select=2:ncpus=2,place=group=rack",
    "select=2:ncpus=3:mpiprocs=3,place=scatter:group=rack",
    "select=1:ncpus=1:lic=1:mpiprocs=2",
    "select=1:ncpus=3:rack=r1",
    "select=1:ncpus=2:rack=r1+2:ncpus=2:rack=r2",
    "select=2:lic=2",
    "select=1:ncpus=1:host=h1",
    "ncpus=20",
    "select=1:ncpus=0:mem=4gb",
    "select=4:ncpus=4"
  };
  private static final List<String> NODE_ORDERS =
      List.of("", "ncpus HIGH unused", "sort_priority LOW", "mem HIGH, ncpus LOW assigned");
  private static final List<String> PREEMPT_ORDERS = List.of("R", "D", "SCR", "SRD", "R 50 SD");
  private static final List<String> PREEMPT_PRIOS =
      List.of(
          "express_queue, normal_jobs",
          "express_queue, normal_jobs, server_softlimits, queue_softlimits",
          "express_queue, express_queue+queue_softlimits, normal_jobs, server_softlimits");
  private static final List<String> RACKS = List.of("r1", "r2", "r1,r2", "");
  private static final List<String> USERS = List.of("alice@h", "bob@h", "carol@h");
  private static final List<String> GROUPS = List.of("", "staff");
  private static final List<String> PROJECTS = List.of("red", "blue");
  private static final int[] WALLTIMES = {60, 120, 300, 600, 3600};

  private final SchedulerFixture world;
  private final Random random;
  private final long beginMs;
  private final boolean bindings;
  private final boolean sharings;
  private boolean clusters;
  private long next = 1;
  private String said = "";

  /**
   * @param bindings whether nodes are bound to queues
   * @param sharings whether nodes have the attribute sharing
   */
  RandomFacts(SchedulerFixture world, Random random, boolean bindings, boolean sharings) {
    this.world = world;
    this.random = random;
    this.bindings = bindings;
    this.sharings = sharings;
    this.beginMs = world.nowMs();
  }

  /** Some hosts are of clusters of other systems. */
  RandomFacts inClusters(boolean some) {
    clusters = some;
    return this;
  }

  /** Description of the last change. */
  String said() {
    return said;
  }

  /** Creates the initial objects, nodes and jobs. */
  void begin() {
    write(Records.licenses());
    write(Records.rack());
    write(Records.scheduler());
    for (String queue : QUEUES) {
      write(Records.queue(queue));
    }
    write(Records.object(ObjectKind.QUEUE, "q4", "started", "True", "Priority", "150"));
    for (String name : NODES) {
      writeNode(name, "free", "");
      world.accept(node(name));
    }
  }

  /** Makes one random change. */
  void change() {
    if (random.nextInt(3) == 0) {
      world.now = world.now.plusMillis(random.nextInt(200_000));
    }
    int kind = random.nextInt(24);
    said = "kind " + kind + " at " + (world.nowMs() - beginMs);
    if (kind < 8 || world.jobs.isEmpty()) {
      submit();
    } else if (kind < 13 && !world.running.isEmpty()) {
      end(anyOf(world.running.keySet()), random.nextInt(4) == 0);
    } else if (kind < 17) {
      changeJob(world.jobs.get(anyOf(world.jobs.keySet())));
    } else if (kind < 19) {
      changeNode(NODES[random.nextInt(NODES.length)]);
    } else if (kind < 20) {
      changeQueue(QUEUES[random.nextInt(QUEUES.length)]);
    } else if (kind < 21) {
      changeScheduler();
    } else if (kind < 22) {
      changeEngine();
    } else {
      changeNodeObject(NODES[random.nextInt(NODES.length)]);
    }
  }

  private void submit() {
    long number = next++;
    String queue = someQueue();
    Job job = Records.job(number, queue, random.nextInt(3), request());
    job.setSpec(
        JobSpec.newBuilder(job.getSpec())
            .setOwner(anyOf(USERS))
            .setGroup(anyOf(GROUPS))
            .setProject(anyOf(PROJECTS))
            .setRerunnable(random.nextInt(4) > 0)
            .build());
    if (random.nextInt(8) == 0) {
      job.setHolds("u");
      job.setStatus(JobStatus.HELD);
    }
    world.submit(job);
  }

  private String someQueue() {
    String queue = QUEUES[random.nextInt(QUEUES.length)];
    if (!exists(ObjectKind.QUEUE, queue)) {
      write(Records.queue(queue));
    }
    return queue;
  }

  private boolean exists(ObjectKind kind, String name) {
    return world.objects.containsKey(kind + "/" + name);
  }

  private String request() {
    String request =
        sharings && random.nextInt(6) == 0
            ? "select=1:ncpus=2,place=shared"
            : REQUESTS[random.nextInt(REQUESTS.length)];
    return random.nextInt(5) == 0 ? request : request + walltime();
  }

  private String walltime() {
    return ",walltime=" + WALLTIMES[random.nextInt(WALLTIMES.length)];
  }

  private void end(long number, boolean requeue) {
    said += " end of " + number + " requeue " + requeue;
    if (requeue) {
      world.requeue(number);
    } else {
      world.gone(number);
    }
  }

  private void changeJob(Job job) {
    long number = job.getNumber();
    int kind = random.nextInt(8);
    said += " job " + number + " change " + kind;
    if (kind == 0) {
      world.hold(job, job.getHolds().equals("n"));
    } else if (world.standsStill(number)) {
      changeSuspended(job, kind);
    } else if (world.runs(number) && kind == 2) {
      world.kill(number);
    } else if (world.runs(number)) {
      if (kind > 4 && !world.killed(number)) {
        world.suspend(number, random.nextInt(4) > 0);
      } else if (kind == 1) {
        // Of a running job only the estimate can change.
        long walltimeS = WALLTIMES[random.nextInt(WALLTIMES.length)];
        ResourceRequest now = job.getSpec().getRequest();
        ResourceRequest other =
            new ResourceRequest(now.getChunks(), now.getPlace(), walltimeS, now.getJobWide());
        world.alter(job, JobSpec.newBuilder(job.getSpec()).setRequest(other).build(), true);
      }
    } else {
      changeWaiting(job, kind);
    }
  }

  /** Changes a job whose run is suspended. */
  private void changeSuspended(Job job, int kind) {
    long number = job.getNumber();
    switch (kind) {
      case 1 ->
          world.alter(
              job,
              JobSpec.newBuilder(job.getSpec())
                  .setPriority(random.nextInt(3))
                  .setProject(anyOf(PROJECTS))
                  .build(),
              false);
      case 2 -> world.end(job);
      case 3 -> world.gone(number);
      case 4 -> world.requeue(number);
      case 5 -> world.pause(number);
      default -> {
        if (job.getKilling() == KillPurpose.NONE) {
          world.makeResumable(job);
        }
      }
    }
  }

  private void changeWaiting(Job job, int kind) {
    long number = job.getNumber();
    switch (kind) {
      case 1 ->
          world.alter(
              job,
              JobSpec.newBuilder(job.getSpec())
                  .setPriority(random.nextInt(3))
                  .setRequest(Records.request(request()))
                  .setProject(anyOf(PROJECTS))
                  .build(),
              true);
      case 2 -> world.move(job, someQueue(), 1_000_000 + next++);
      case 3 -> world.gone(number);
      case 4 -> world.offer(job, job.getOfferedTo() >= 0 ? -1 : 2);
      case 5 -> {
        // Handed over to another shard, and back.
        world.gone(number);
        world.submit(job);
      }
      case 6 -> runAtOnce(job);
      default -> world.pause(number);
    }
  }

  /**
   * Runs a job as qrun does: on the first node with room, regardless of promises and limits,
   * sometimes with more than it asks for. Some jobs get a share for each chunk, as with qrun -H.
   */
  private void runAtOnce(Job job) {
    boolean waits = job.getHolds().equals("n") && job.getOfferedTo() < 0;
    int chunks = 1 + random.nextInt(3);
    Map<String, Long> amounts = Map.of("ncpus", (long) chunks);
    boolean inside = world.inside(job.getNumber());
    if (!waits || inside || !job.getSpec().getRequest().equals(oneCpu(job))) {
      return;
    }
    for (Node node : world.nodes.values()) {
      NodeState known = world.state.books().nodes().get(node.getName());
      boolean open =
          known.openToShared()
              && known.shared()
              && known.object() != null
              && !world.booked(node.getName());
      if (open
          && ResourceNames.at(known.free(), world.state.books().names().number("ncpus"))
              >= chunks) {
        said += " with " + chunks;
        NodeShare all = new NodeShare(node.getName(), node.getHost(), chunks, amounts);
        NodeShare each = new NodeShare(node.getName(), node.getHost(), 1, Map.of("ncpus", 1L));
        boolean apart = job.getNumber() % 2 == 0;
        world.grant(job.getNumber(), apart ? Collections.nCopies(chunks, each) : List.of(all));
        return;
      }
    }
  }

  private static ResourceRequest oneCpu(Job job) {
    ResourceRequest one = Records.request("ncpus=1");
    one.setWalltimeS(job.getSpec().getRequest().getWalltimeS());
    return one;
  }

  private Node node(String name) {
    int number = name.charAt(1) - '0';
    String cluster = clusters && number > 2 ? "@c" + (number + 1) / 4 : "";
    return Records.node(name, "h" + (number + 1) / 2 + cluster, CPUS, 4 * GB);
  }

  /** Changes the run-time record of a node. */
  private void changeNode(String name) {
    Node node = world.nodes.get(name);
    int kind = random.nextInt(6);
    said += " node " + name + " change " + kind;
    if (node == null) {
      world.accept(node(name));
      return;
    }
    boolean busy = world.busy(name);
    switch (kind) {
      case 0 -> world.offer(name, node.getOfferedTo() >= 0 ? -1 : 2);
      case 1 -> world.close(name);
      case 2 -> {
        if (!busy) {
          world.lose(name);
        }
      }
      case 3 -> {
        // Shrinks only while nothing runs on the node.
        long cpus = CPUS + random.nextInt(3) - (busy ? 0 : 2);
        long before = node.getMeasured().get("ncpus");
        world.nodeUp(name, Map.of("ncpus", busy ? Math.max(before, cpus) : cpus, "mem", 4 * GB));
      }
      default -> {
        if (!busy) {
          world.accept(Node.newBuilder(node).setUp(random.nextBoolean()).build());
        }
      }
    }
  }

  /** Changes the object of a node. */
  private void changeNodeObject(String name) {
    if (random.nextInt(8) == 0 && !world.busy(name)) {
      said += " deleted node " + name;
      world.delete(ObjectKind.NODE, name);
    } else {
      writeNode(
          name, random.nextInt(3) == 0 ? "offline" : "free", random.nextInt(5) == 0 ? "p1" : "");
    }
  }

  private void changeQueue(String queue) {
    boolean empty =
        world.jobs.values().stream().noneMatch(it -> it.getSpec().getQueue().equals(queue));
    if (random.nextInt(4) == 0 && empty) {
      said += " deleted queue " + queue;
      world.delete(ObjectKind.QUEUE, queue);
      return;
    }
    String partition = random.nextInt(5) == 0 ? "p1" : "pbs-default";
    String started = random.nextInt(3) == 0 ? "False" : "True";
    List<String> pairs = new ArrayList<>(List.of("started", started, "partition", partition));
    if (random.nextBoolean()) {
      pairs.addAll(List.of("Priority", anyOf(QUEUE_PRIORITIES)));
    }
    pairs.addAll(anyOf(ReferenceLimits.CHOICES));
    write(Records.object(ObjectKind.QUEUE, queue, pairs.toArray(String[]::new)));
  }

  private static final List<String> FORMULAS =
      List.of(
          "ncpus * (job_priority - 3) + mem / 1024",
          "-walltime",
          "queue_priority - job_priority",
          "1 / (ncpus - 2)");

  private static final List<String> JOB_KEYS =
      List.of("", "ncpus HIGH", "job_priority HIGH, walltime LOW", "preempt_priority LOW, mem LOW");

  private void changeScheduler() {
    int kind = random.nextInt(9);
    if (kind == 8) {
      said += " deleted scheduler";
      world.delete(ObjectKind.SCHEDULER, "default");
      return;
    }
    if (kind < 2) {
      List<String> pairs = new ArrayList<>(anyOf(ReferenceLimits.CHOICES));
      pairs.addAll(List.of("backfill_depth", Integer.toString(random.nextInt(4))));
      write(Records.object(ObjectKind.SERVER, "server", pairs.toArray(String[]::new)));
      return;
    }
    TreeMap<String, String> attributes = new TreeMap<>();
    attributes.put("scheduling", random.nextInt(4) == 0 ? "False" : "True");
    attributes.put("partition", random.nextBoolean() ? "p1" : "");
    attributes.put("node_sort_key", anyOf(NODE_ORDERS));
    attributes.put("preemptive_sched", random.nextInt(4) == 0 ? "False" : "True");
    attributes.put("preempt_order", anyOf(PREEMPT_ORDERS));
    attributes.put("preempt_prio", anyOf(PREEMPT_PRIOS));
    if (kind == 2) {
      attributes.put("strict_ordering", "True");
      if (random.nextBoolean()) {
        attributes.put("backfill_depth", Integer.toString(random.nextInt(6)));
      }
    } else if (kind < 5) {
      attributes.put("policy", anyOf(Policies.names()));
    }
    if (random.nextInt(3) == 0) {
      attributes.put("by_queue", random.nextBoolean() ? "True" : "False");
      attributes.put("job_sort_key", anyOf(JOB_KEYS));
      attributes.put("round_robin", random.nextInt(3) == 0 ? "True" : "False");
    }
    if (random.nextInt(3) == 0) {
      attributes.put("job_sort_formula", anyOf(FORMULAS));
      if (random.nextInt(3) == 0) {
        attributes.put("job_sort_formula_threshold", anyOf(List.of("0", "-1000", "2.5")));
      }
    }
    List<Attribute> list = new ArrayList<>();
    attributes.forEach((name, value) -> list.add(new Attribute(name, value)));
    write(new ClusterObject(ObjectKind.SCHEDULER, "default", 1L, list, 1L));
  }

  /** Restarts the engine or the like; or adds a resource that no node has. */
  private void changeEngine() {
    int kind = random.nextInt(5);
    said += " engine change " + kind;
    switch (kind) {
      case 0 -> world.state.inputs().retryAll();
      case 1 -> world.restart();
      case 2 -> {
        if (exists(ObjectKind.RESOURCE, "other")) {
          world.delete(ObjectKind.RESOURCE, "other");
        } else {
          write(Records.object(ObjectKind.RESOURCE, "other", "type", "long", "flag", "nh"));
        }
      }
      default -> {
        if (!world.paused.isEmpty()) {
          world.resume(anyOf(world.paused));
        }
      }
    }
  }

  private void writeNode(String name, String state, String partition) {
    write(
        Records.object(
            ObjectKind.NODE,
            name,
            "state",
            state,
            "partition",
            partition,
            "queue",
            bindings && random.nextInt(4) == 0 ? QUEUES[random.nextInt(QUEUES.length)] : "",
            "resources_available.rack",
            random.nextInt(4) == 0 ? anyOf(RACKS) : rack(name),
            "resources_available.lic",
            Integer.toString(LICENSES),
            "sharing",
            sharing(name)));
  }

  /** A random sharing; unchanged for a node with runs. */
  private String sharing(String name) {
    ClusterObject known = world.object(ObjectKind.NODE, name);
    String before = known == null ? "" : ObjectAttributes.text(known, "sharing", "");
    return !sharings || random.nextBoolean() || world.busy(name)
        ? before
        : anyOf(List.of(NodeSharing.values())).word();
  }

  private static String rack(String name) {
    return name.equals("n3") ? "r1,r2" : name.compareTo("n3") < 0 ? "r1" : "r2";
  }

  private void write(ClusterObject object) {
    said += " " + object;
    world.write(object);
  }

  private <T> T anyOf(Iterable<T> from) {
    List<T> all = new ArrayList<>();
    from.forEach(all::add);
    return all.get(random.nextInt(all.size()));
  }
}
