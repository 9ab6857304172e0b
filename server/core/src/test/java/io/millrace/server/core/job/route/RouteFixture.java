package io.millrace.server.core.job.route;

import static io.millrace.schemas.command.ChangeOperation.CREATE;
import static io.millrace.schemas.command.ChangeOperation.SET;
import static io.millrace.schemas.common.ObjectKind.QUEUE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.output.Reply;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** Jobs in a routing queue, in a cluster of a few shards. */
abstract class RouteFixture {
  static final long RETRY_MS = 30_000;

  final TestShards shards = TestShards.threePartitions();

  @BeforeEach
  void queues() {
    shards.queue("near", "");
  }

  void route(String destinations, String... more) {
    List<String> pairs = new ArrayList<>();
    pairs.addAll(List.of("queue_type=r", "enabled=t", "started=t"));
    pairs.add("route_destinations=" + destinations);
    pairs.addAll(List.of(more));
    shards.must(CREATE, QUEUE, "r", pairs.toArray(String[]::new));
  }

  static NewJob job(String owner, int walltime) {
    NewJob job = Calls.job(owner, "r", 1);
    job.getSpec().setAsked(List.of(new Attribute("walltime", Integer.toString(walltime))));
    job.getSpec().getRequest().setWalltimeS((long) walltime);
    job.getSpec().setResourceList(List.of(new Attribute("walltime", Integer.toString(walltime))));
    return job;
  }

  Reply submit(NewJob... jobs) {
    return shards.ask(0, Calls.submit(shards.user("ann"), List.of(), jobs));
  }

  String accepted(NewJob job) {
    Reply reply = submit(job);
    assertEquals(0, reply.getCode(), reply.toString());
    return reply.getLines().get(0);
  }

  String queue(String id) {
    return shards.job(id).getSpec().getQueue();
  }

  void set(String queue, String... pairs) {
    shards.must(SET, QUEUE, queue, pairs);
  }

  long count(String queue) {
    long sum = 0;
    for (int i = 0; i < TestShards.COUNT; i++) {
      var counts = shards.tables(i).queues().get(queue);
      sum +=
          counts == null
              ? 0
              : counts.getCounts().values().stream().mapToLong(Long::longValue).sum();
    }
    return sum;
  }
}
