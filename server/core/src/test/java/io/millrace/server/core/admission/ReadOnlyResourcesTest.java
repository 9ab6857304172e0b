package io.millrace.server.core.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.command.AlterJob;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Resources with the flag r. */
class ReadOnlyResourcesTest {
  private static final String REFUSED =
      "Cannot set attribute, read only or insufficient permission  Resource_List.weight";

  private final TestShards shards = TestShards.threePartitions();

  @BeforeEach
  void resources() {
    shards.must(ChangeOperation.CREATE, ObjectKind.RESOURCE, "weight", "type=long", "flag=rh");
    shards.must(ChangeOperation.CREATE, ObjectKind.RESOURCE, "free", "type=long", "flag=h");
  }

  private static List<Attribute> asked(String... pairs) {
    List<Attribute> asked = new ArrayList<>();
    for (int i = 0; i < pairs.length; i += 2) {
      asked.add(new Attribute(pairs[i], pairs[i + 1]));
    }
    return asked;
  }

  private Reply submit(CommandMeta by, String... pairs) {
    NewJob job = Calls.job("ann", "workq", 1);
    job.getSpec().setAsked(asked(pairs));
    return shards.ask(0, Calls.submit(by, List.of(), job));
  }

  private void refused(Reply reply) {
    assertEquals(15003, reply.getCode(), reply.toString());
    assertEquals(List.of(REFUSED), reply.getLines());
  }

  private void refusedInSelect(Reply reply) {
    assertEquals(15108, reply.getCode(), reply.toString());
    assertEquals(List.of("Resource invalid in \"select\" specification: weight"), reply.getLines());
  }

  @Test
  void usersDoNotAskForThem() {
    refused(submit(shards.user("ann"), "weight", "5"));
    refusedInSelect(submit(shards.user("ann"), "select", "1:free=2+2:ncpus=1:weight=5"));
    refused(submit(shards.user("ann"), "nodes", "2:ppn=1:weight=5"));
    refused(submit(shards.user("ann"), "nodes", "2:weight+1"));
    refused(submit(shards.user("ann"), "nodes", "2#weight"));
    assertEquals(0, submit(shards.user("ann"), "select", "1:free=5", "walltime", "60").getCode());
    assertEquals(0, submit(shards.manager(), "weight", "5").getCode());
  }

  /** Those of a select first, in their order there. */
  @Test
  void theFirstIsNamed() {
    shards.must(ChangeOperation.CREATE, ObjectKind.RESOURCE, "first", "type=long", "flag=rh");
    refusedInSelect(submit(shards.user("ann"), "first", "1", "select", "1:weight=1:first=1"));
    refusedInSelect(submit(shards.user("ann"), "select", "1:weight=1+1:first=1"));
    String id = submit(shards.user("ann"), "select", "1:ncpus=1").getLines().get(0);
    assertEquals(0, alter(shards.operator(), id, "select", "1:first=1:ncpus=1").getCode());
    refusedInSelect(alter(shards.user("ann"), id, "select", "1:first=1:ncpus=1:weight=2"));
  }

  private Reply alter(CommandMeta by, String id, String... pairs) {
    JobSpec is = shards.job(id).getSpec();
    return shards.ask(
        0,
        AlterJob.newBuilder()
            .setMeta(by)
            .setJobId(id)
            .setRequest(is.getRequest())
            .setResourceList(is.getResourceList())
            .setAsked(asked(pairs))
            .build());
  }

  @Test
  void whatAnOperatorHasGivenAJobStays() {
    String id = submit(shards.user("ann"), "select", "1:ncpus=1").getLines().get(0);
    refusedInSelect(alter(shards.user("ann"), id, "select", "1:ncpus=1:weight=5"));
    String given = "2:ncpus=1:weight=5";
    assertEquals(0, alter(shards.operator(), id, "select", given).getCode());
    assertEquals(0, alter(shards.user("ann"), id, "select", given, "walltime", "60").getCode());
    refusedInSelect(
        alter(shards.user("ann"), id, "select", "2:ncpus=1:weight=6", "walltime", "60"));
    refusedInSelect(alter(shards.user("ann"), id, "select", "2:ncpus=1", "walltime", "60"));
    assertEquals(asked("select", given, "walltime", "60"), shards.job(id).getSpec().getAsked());
  }

  @Test
  void theFlagIsTaken() {
    assertEquals(0, submit(shards.user("ann"), "free", "1").getCode());
    shards.must(ChangeOperation.SET, ObjectKind.RESOURCE, "free", "flag=nhr");
    assertEquals(15003, submit(shards.user("ann"), "free", "1").getCode());
  }
}
