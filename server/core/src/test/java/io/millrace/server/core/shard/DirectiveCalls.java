package io.millrace.server.core.shard;

import io.millrace.schemas.command.AlterJob;
import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.NoteFolder;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.pbs.attributes.NodeSharing;
import io.millrace.schemas.pbs.attributes.SchedulerFolders;
import io.millrace.schemas.state.Job;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Random directives of administrators and random alterations, many of them wrong. */
final class DirectiveCalls {
  private static final List<String> QUEUES = List.of("q0", "q1", "q2", "q3", "east", "west");
  private static final List<String> NODES = List.of("n0", "e0", "w0", "m0", "m1", "m2");
  private static final List<String> SCHEDULERS = List.of("es", "ws", "s0");
  private static final List<String> PARTITIONS = List.of("peast", "pwest", "p0", "p1");
  private static final List<String> FOLDERS = List.of("/a", "/b");
  private static final List<String> STARTS = List.of("requeue", "suspend", "kill", "wait", "avoid");
  private static final List<String> TRUTHS = List.of("t", "t", "t", "t", "f");

  private final Random random;
  private final TestShards shards;

  DirectiveCalls(Random random, TestShards shards) {
    this.random = random;
    this.shards = shards;
  }

  /** What a cluster begins with, so that the history has something to work on. */
  List<ChangeObject> first() {
    return List.of(
        set(ObjectKind.SERVER, "", "ledger_snapshot_facts=120", "eligible_time_enable=t"),
        make(ObjectKind.SCHEDULER, "es", "reservation_start=suspend", "reservation_lead=30"),
        make(ObjectKind.SCHEDULER, "ws", "reservation_start=kill"),
        set(ObjectKind.SCHEDULER, "es", "partition=peast"),
        set(ObjectKind.SCHEDULER, "ws", "partition=pwest"),
        make(ObjectKind.QUEUE, "east", "queue_type=e", "enabled=t", "started=t", "partition=peast"),
        make(ObjectKind.QUEUE, "west", "queue_type=e", "enabled=t", "started=t", "partition=pwest"),
        make(
            ObjectKind.QUEUE,
            "r0",
            "queue_type=r",
            "enabled=t",
            "started=t",
            // The first does not exist yet.
            "route_destinations=q0,east,west",
            "route_retry_time=20"),
        make(ObjectKind.NODE, "n0"),
        make(ObjectKind.NODE, "e0", "partition=peast"),
        make(ObjectKind.NODE, "w0", "partition=pwest"));
  }

  private ChangeObject make(ObjectKind kind, String name, String... pairs) {
    return Calls.change(shards.manager(), ChangeOperation.CREATE, kind, name, pairs);
  }

  private ChangeObject set(ObjectKind kind, String name, String... pairs) {
    return Calls.change(shards.manager(), ChangeOperation.SET, kind, name, pairs);
  }

  ChangeObject change(CommandMeta by) {
    return switch (random.nextInt(10)) {
      case 0, 1, 2 -> queue(by);
      case 3, 4, 5, 6 -> node(by);
      case 7, 8 -> scheduler(by);
      default -> other(by);
    };
  }

  private ChangeObject queue(CommandMeta by) {
    String name = pick(QUEUES);
    return switch (random.nextInt(11)) {
      case 0, 1 ->
          Calls.change(
              by,
              ChangeOperation.CREATE,
              ObjectKind.QUEUE,
              name,
              "queue_type=e",
              "enabled=t",
              "started=t",
              "best_effort=" + pick(TRUTHS),
              "partition=" + partition());
      case 2 -> Calls.change(by, ChangeOperation.DELETE, ObjectKind.QUEUE, name);
      case 3 -> edit(by, ObjectKind.QUEUE, name, "partition=" + partition());
      case 4 -> unset(by, ObjectKind.QUEUE, name, "partition");
      case 5 -> edit(by, ObjectKind.QUEUE, name, "enabled=" + pick(TRUTHS));
      case 6 ->
          random.nextBoolean()
              ? routing(by)
              : edit(by, ObjectKind.QUEUE, name, "max_queued=[u:PBS_GENERIC=" + limit() + "]");
      case 7 -> edit(by, ObjectKind.QUEUE, name, "resources_default.walltime=" + random.nextInt(3));
      case 8 -> edit(by, ObjectKind.QUEUE, name, "best_effort=" + pick(TRUTHS));
      case 9 -> edit(by, ObjectKind.QUEUE, name, "best_effort_requeue=" + pick(TRUTHS));
      default -> edit(by, ObjectKind.QUEUE, name, "started=" + pick(TRUTHS));
    };
  }

  private ChangeObject node(CommandMeta by) {
    String name = pick(NODES);
    return switch (random.nextInt(9)) {
      case 0, 1 ->
          Calls.change(
              by,
              ChangeOperation.CREATE,
              ObjectKind.NODE,
              name,
              "Mom=" + (random.nextBoolean() ? name : "shared"),
              "partition=" + partition());
      case 2 -> Calls.change(by, ChangeOperation.DELETE, ObjectKind.NODE, name);
      case 3, 4 -> edit(by, ObjectKind.NODE, name, "partition=" + partition());
      case 5 ->
          edit(
              by,
              ObjectKind.NODE,
              name,
              "state=" + pick(List.of("offline", "free", "free", "free")));
      case 6 ->
          edit(by, ObjectKind.NODE, name, "resources_available.ncpus=" + (1 + random.nextInt(8)));
      case 7 ->
          edit(
              by,
              ObjectKind.NODE,
              name,
              "sharing=" + pick(Stream.of(NodeSharing.values()).map(NodeSharing::word).toList()));
      default -> edit(by, ObjectKind.NODE, name, "resources_available.foo=" + random.nextInt(4));
    };
  }

  private ChangeObject scheduler(CommandMeta by) {
    String name = pick(SCHEDULERS);
    if (random.nextInt(3) == 0) {
      // The server's host has looked at a folder, which another one may have replaced meanwhile.
      CommandMeta host = shards.calls.silent("shard-0", Role.SHARD, shards.nowMs);
      shards.send(0, new NoteFolder(host, name, SchedulerFolders.LOG, pick(FOLDERS)));
    }
    return switch (random.nextInt(9)) {
      case 7 -> edit(by, ObjectKind.SCHEDULER, name, "sched_log=" + pick(FOLDERS));
      case 8 -> othersAtStart(by, random.nextBoolean() ? "default" : name);
      case 0, 1 -> Calls.change(by, ChangeOperation.CREATE, ObjectKind.SCHEDULER, name);
      case 2 ->
          random.nextInt(4) > 0
              ? edit(by, ObjectKind.SCHEDULER, name, "scheduling=" + pick(TRUTHS))
              : Calls.change(by, ChangeOperation.DELETE, ObjectKind.SCHEDULER, name);
      case 3, 4, 5 -> edit(by, ObjectKind.SCHEDULER, name, "partition+=" + pick(PARTITIONS));
      default -> edit(by, ObjectKind.SCHEDULER, name, "partition-=" + pick(PARTITIONS));
    };
  }

  /** What becomes of runs over which a reservation begins, and how long before. */
  private ChangeObject othersAtStart(CommandMeta by, String name) {
    return edit(
        by,
        ObjectKind.SCHEDULER,
        name,
        "reservation_start=" + pick(STARTS),
        "reservation_lead=" + (random.nextBoolean() ? 0 : random.nextInt(120)));
  }

  private ChangeObject other(CommandMeta by) {
    return switch (random.nextInt(6)) {
      case 0, 1 ->
          Calls.change(
              by, ChangeOperation.CREATE, ObjectKind.RESOURCE, "foo", "type=long", "flag=nh");
      case 2 -> Calls.change(by, ChangeOperation.DELETE, ObjectKind.RESOURCE, "foo");
      case 3 -> edit(by, ObjectKind.SERVER, "", "job_history_enable=" + pick(TRUTHS));
      case 4 -> numbered(by, random.nextInt(300));
      default -> edit(by, ObjectKind.SERVER, "", "comment=" + random.nextInt(), "scheduling=t");
    };
  }

  private static ChangeObject numbered(CommandMeta by, int number) {
    String pair =
        number < 90
            ? "max_queued=[o:PBS_ALL=" + (20 + number / 3) + "]"
            : "job_history_duration=" + number;
    return edit(by, ObjectKind.SERVER, "", pair);
  }

  private static ChangeObject edit(CommandMeta by, ObjectKind kind, String name, String... pairs) {
    return Calls.change(by, ChangeOperation.SET, kind, name, pairs);
  }

  private static ChangeObject unset(CommandMeta by, ObjectKind kind, String name, String... pairs) {
    return Calls.change(by, ChangeOperation.UNSET, kind, name, pairs);
  }

  AlterJob alter(CommandMeta by, String job, String holds) {
    AlterJob.Builder wish = AlterJob.newBuilder().setMeta(by).setJobId(job);
    switch (random.nextInt(6)) {
      case 4, 5 -> walltime(wish, job);
      case 0 -> wish.setName("job" + random.nextInt(10));
      case 1 -> wish.setPriority(random.nextInt(100));
      case 2 -> wish.setHolds(holds);
      default -> wish.setRerunnable(random.nextBoolean());
    }
    return wish.build();
  }

  /** Another walltime, mostly a longer one; of a running job nothing else can change. */
  private void walltime(AlterJob.Builder wish, String id) {
    Job job = shards.job(id);
    if (job != null) {
      ResourceRequest now = job.getSpec().getRequest();
      long walltimeS = Math.max(0, now.getWalltimeS()) + random.nextInt(900) - 100;
      wish.setRequest(ResourceRequest.newBuilder(now).setWalltimeS(walltimeS).build());
    }
  }

  private ChangeObject routing(CommandMeta by) {
    return switch (random.nextInt(4)) {
      case 0 -> edit(by, ObjectKind.QUEUE, "r0", "started=" + pick(TRUTHS));
      case 1 -> edit(by, ObjectKind.QUEUE, "r0", "route_held_jobs=" + pick(TRUTHS));
      case 2 -> edit(by, ObjectKind.QUEUE, "r0", "route_lifetime=" + (500 + random.nextInt(9000)));
      default ->
          edit(
              by,
              ObjectKind.QUEUE,
              "r0",
              "route_destinations=" + pick(QUEUES) + "," + pick(QUEUES) + ",east,workq");
    };
  }

  private int limit() {
    return 40 + random.nextInt(200);
  }

  private String partition() {
    return random.nextInt(4) == 0 ? "" : pick(PARTITIONS);
  }

  private <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }
}
