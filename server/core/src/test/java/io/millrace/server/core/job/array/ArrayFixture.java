package io.millrace.server.core.job.array;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.state.ArrayState;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import io.millrace.server.core.state.ArrayStates;

/** Arrays of jobs in a cluster of a few shards. */
abstract class ArrayFixture {
  final TestShards shards = TestShards.threePartitions();
  final int[] most = {0};

  ArrayFixture() {
    shards.observe((shard, command, outcome, facts) -> most[0] = Math.max(most[0], facts.size()));
  }

  static NewJob wish(int first, int last, int step, int most) {
    NewJob job = Calls.job("ann", "workq", 1);
    job.getSpec().setOutputPath("/o.^array_index^");
    job.setArray(ArrayStates.fresh(first, last, step, most));
    return job;
  }

  String array(int first, int last, int step, int most) {
    return shards.submit(wish(first, last, step, most));
  }

  String subjob(String array, int index) {
    return array.replace("[]", "[" + index + "]");
  }

  ArrayState state(String array) {
    return shards.job(array).getArray();
  }

  StartRun start(String job) {
    assertEquals(0, shards.grant(job, "default", "n0", 1).getCode(), job);
    return shards.lastStart();
  }

  void run(String job, int exitStatus) {
    StartRun order = start(job);
    shards.started(order);
    shards.finished(order, exitStatus);
  }

  void allow(int size) {
    shards.must(ChangeOperation.SET, ObjectKind.SERVER, "server", "max_array_size=" + size);
  }
}
