package io.millrace.server.core.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.InputReading;
import io.millrace.schemas.command.NoteInputs;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.fact.InputsRead;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.schedconfig.StoredPolicy;
import io.millrace.schemas.state.PolicyInput;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What programs say is a fact when it is new, and nothing else is. */
class PolicyInputsTest {
  private static final String DEFAULT = "default";
  private static final String CONFIG =
      "server_dyn_res: \"scratch !/opt/scratch -f /big\"\nserver_dyn_res: \"seats !/opt/seats\"\n";

  private final TestShards shards = TestShards.threePartitions();

  @BeforeEach
  void loads() {
    shards.must(ChangeOperation.CREATE, ObjectKind.RESOURCE, "scratch", "type=size");
    shards.must(ChangeOperation.CREATE, ObjectKind.RESOURCE, "seats", "type=long", "flag=q");
    assertEquals(0, load(CONFIG).getCode());
  }

  private Reply load(String config) {
    String text = StoredPolicy.join(Map.of("sched_config", config), "Europe/Berlin");
    return shards.qmgr(
        ChangeOperation.SET,
        ObjectKind.SCHEDULER,
        DEFAULT,
        "policy=sched_config",
        "sched_config=" + text);
  }

  /** One reading is NAME=CONTENT, or NAME!PROBLEM. */
  private void note(String... readings) {
    List<InputReading> read = new ArrayList<>();
    for (String reading : readings) {
      String[] parts = reading.split("[=!]", 2);
      boolean failed = reading.startsWith(parts[0] + "!");
      read.add(new InputReading(parts[0], failed ? "" : parts[1], failed ? parts[1] : ""));
    }
    shards.send(
        0, new NoteInputs(shards.calls.silent("shard-0", Role.SHARD, shards.nowMs), DEFAULT, read));
    shards.run();
  }

  private PolicyInput input(String name) {
    return PolicyInputs.of(shards.tables(0), DEFAULT).stream()
        .filter(it -> it.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private int facts() {
    return shards.facts(InputsRead.class).size();
  }

  @Test
  void theProgramsStandAtTheObject() {
    String text =
        Context.attribute(
            PartitionTable.scheduler(shards.tables(0), DEFAULT), "server_dyn_res", "");
    assertEquals("scratch !/opt/scratch -f /big\nseats !/opt/seats", text);
    assertEquals(
        Map.of("scratch", "/opt/scratch -f /big", "seats", "/opt/seats"),
        PolicyInputs.programs(shards.tables(0), DEFAULT));
    assertEquals(0, load("by_queue: true\n").getCode());
    assertEquals(Map.of(), PolicyInputs.programs(shards.tables(0), DEFAULT));
  }

  @Test
  void eachNewContentIsOneFact() {
    note("scratch=2gb", "seats=5");
    assertEquals(1, facts());
    assertEquals(2L << 30, input("scratch").getAmount());
    assertEquals(5, input("seats").getAmount());
    long readMs = input("seats").getReadMs();
    shards.pass(1_000);
    note("scratch=2gb", "seats=5");
    assertEquals(1, facts(), "the same");
    note("scratch=1gb", "seats=5");
    assertEquals(2, facts());
    assertEquals(readMs, input("seats").getReadMs());
    assertTrue(input("scratch").getReadMs() > readMs);
  }

  @Test
  void oneThatFailsKeepsItsContent() {
    note("scratch=2gb", "seats=5");
    note("scratch!it hangs", "seats=four");
    assertEquals(2, facts());
    assertEquals(2L << 30, input("scratch").getAmount());
    assertEquals("it hangs", input("scratch").getProblem());
    assertEquals("5", input("seats").getContent());
    assertEquals("it said 'four', which is no amount of seats", input("seats").getProblem());
    shards.pass(1_000);
    note("scratch!it hangs", "seats=four");
    assertEquals(2, facts(), "nothing new");
    note("seats=-1");
    assertEquals(5, input("seats").getAmount());
    note("scratch=2gb", "seats=5");
    assertEquals("", input("scratch").getProblem() + input("seats").getProblem());
    assertEquals(0, input("scratch").getFailedMs());
  }

  @Test
  void longAndStrangeTextsAreCut() {
    note("seats=" + "x\u0007y".repeat(1_000));
    assertTrue(input("seats").getProblem().length() < 300);
    assertTrue(input("seats").getProblem().startsWith("it said 'x yx y"));
    note("seats!" + "e".repeat(10_000));
    assertEquals(200, input("seats").getProblem().length());
  }

  @Test
  void whatIsNoResourceHasNoAmount() {
    assertEquals(0, load("server_dyn_res: \"tapes !/opt/tapes\"\n").getCode());
    note("tapes=5");
    assertEquals("tapes is no resource of which there is an amount", input("tapes").getProblem());
  }

  @Test
  void whatRunsHaveIsNotedWhereItDoesNotCount() {
    note("scratch=2gb", "seats=5");
    ResourceRequest plain = Calls.request("", new Chunk(1, Map.of("ncpus", 1L), Map.of()));
    ResourceRequest asked =
        new ResourceRequest(
            plain.getChunks(), plain.getPlace(), -1L, Map.of("scratch", 1L << 20, "seats", 2L));
    String job = shards.submit(Calls.job("ann", "workq", asked));
    assertEquals(0, shards.grant(job, DEFAULT, "n0", 1).getCode());
    note("scratch=2gb", "seats=5");
    assertEquals(2, facts(), "a run has begun");
    assertEquals(1L << 20, input("scratch").getInUse());
    assertEquals(0, input("seats").getInUse(), "flag q: the program says what there is altogether");
    note("scratch=2gb", "seats=5");
    assertEquals(2, facts());
  }

  @Test
  void whatIsNoLongerAskedIsForgotten() {
    note("scratch=2gb", "seats=5");
    assertEquals(0, load("server_dyn_res: \"seats !/opt/seats\"\n").getCode());
    note("scratch=1gb", "seats=5");
    assertEquals(1, PolicyInputs.of(shards.tables(0), DEFAULT).size());
    assertEquals(0, load("by_queue: true\n").getCode());
    note();
    assertEquals(List.of(), PolicyInputs.of(shards.tables(0), DEFAULT));
    note("seats=1");
    assertEquals(List.of(), PolicyInputs.of(shards.tables(0), DEFAULT));
    assertEquals(3, facts());
  }

  @Test
  void thereIsABoundForPrograms() {
    StringBuilder config = new StringBuilder();
    for (int i = 0; i <= 50; i++) {
      config.append("server_dyn_res: \"r").append(i).append(" !/opt/r\"\n");
    }
    Reply reply = load(config.toString());
    assertNotEquals(0, reply.getCode());
    assertTrue(reply.getLines().toString().contains("names 51 resources where at most 50"));
    assertEquals(2, PolicyInputs.programs(shards.tables(0), DEFAULT).size(), "nothing changed");
  }

  @Test
  void aResourceThatJobsAskForOnceStays() {
    ResourceRequest plain = Calls.request("", new Chunk(1, Map.of("ncpus", 1L), Map.of()));
    ResourceRequest asked =
        new ResourceRequest(plain.getChunks(), plain.getPlace(), -1L, Map.of("seats", 2L));
    shards.submit(Calls.job("ann", "workq", asked));
    Reply reply = shards.qmgr(ChangeOperation.DELETE, ObjectKind.RESOURCE, "seats");
    assertNotEquals(0, reply.getCode());
  }
}
