package io.millrace.server.core.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.Catalogue;
import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.SampleRecords;
import io.millrace.schemas.Topics;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which family may send what is known by where a command came from, not by what it says. */
class FamilyTest {
  private final TestShards shards = TestShards.threePartitions();
  private final List<CommandOutcome> outcomes = new ArrayList<>();

  private CommandOutcome outcome(CommandFamily from, SpecificRecord command) {
    shards.observe((shard, it, outcome, facts) -> outcomes.add(outcome));
    outcomes.clear();
    shards.send(from, 0, command);
    shards.step(0);
    return outcomes.get(0);
  }

  @ParameterizedTest
  @EnumSource(CommandFamily.class)
  void noCommandOfAnotherFamilyIsDecidedWhateverRoleItClaims(CommandFamily from) {
    List<Object> before = shards.everything();
    SampleRecords samples = new SampleRecords(new SplittableRandom(7));
    int tried = 0;
    for (Catalogue.CatalogueEntry type : Catalogue.get().commands()) {
      if (from.maySend(type.schema())) {
        continue;
      }
      for (Role role : Role.values()) {
        SpecificRecord command = samples.record(type.schema());
        CommandMeta meta = shards.calls.meta(TestShards.ROOT, role, shards.nowMs);
        command.put(0, meta);
        CommandOutcome outcome = outcome(from, command);
        assertEquals("family", outcome.refusal(), type.simpleName());
        assertEquals(PbsError.COMMAND_FAMILY.code(), outcome.code());
        assertEquals(List.of(), outcome.facts());
        assertEquals(List.of(), outcome.messages());
        assertEquals(List.of(), outcome.dispatch());
        // Elsewhere the record would choose who gets the answer.
        boolean campaign = from == CommandFamily.CAMPAIGN;
        assertEquals(campaign || from == CommandFamily.USER ? 1 : 0, outcome.replies().size());
        if (campaign) {
          assertEquals(Topics.REPLY_TO_CAMPAIGNS, outcome.replies().get(0).partition());
        }
        tried++;
      }
    }
    assertTrue(tried > 20, "tried " + tried);
    assertEquals(before, shards.everything());
  }

  @ParameterizedTest
  @EnumSource(CommandFamily.class)
  void aRoleOfAnotherFamilyIsRefused(CommandFamily from) {
    List<Object> before = shards.everything();
    SampleRecords samples = new SampleRecords(new SplittableRandom(7));
    for (Catalogue.CatalogueEntry type : Catalogue.get().commands()) {
      for (Role role : Role.values()) {
        SpecificRecord command = samples.record(type.schema());
        command.put(0, shards.calls.meta(TestShards.ROOT, role, shards.nowMs));
        boolean marked = Boolean.TRUE.equals(type.schema().getObjectProp("campaigns"));
        boolean passed = from == CommandFamily.SHARD && marked && role == Role.CAMPAIGN;
        CommandFamily due = from == CommandFamily.CAMPAIGN ? from : CommandFamily.of(type.family());
        boolean fits = passed || CommandFamily.of(role) == due;
        if (from.maySend(type.schema()) && !fits) {
          assertEquals("role", outcome(from, command).refusal(), type.simpleName());
        }
      }
    }
    assertEquals(before, shards.everything());
  }

  @ParameterizedTest
  @EnumSource(
      value = CommandFamily.class,
      names = {"ENGINE", "EXECUTOR"})
  void whoClaimsToBeTheManagerIsNot(CommandFamily from) {
    SpecificRecord wish =
        Calls.change(
            shards.manager(), ChangeOperation.SET, ObjectKind.SERVER, "", "acl_roots=root");
    assertFalse(outcome(from, wish).refusal().isEmpty());
    assertEquals(0, shards.code(0, wish), "the same from a gateway");
  }

  @Test
  void whatAShardPassesOnIsDecidedWithTheRoleOfItsSender() {
    SubmitJobs command = Calls.submit(shards.user("ann"), List.of(), Calls.job("ann", "workq", 1));
    assertEquals("", outcome(CommandFamily.SHARD, command).refusal());
    shards.run();
    assertEquals(1, shards.facts(JobQueued.class).size());
  }

  @Test
  void aRefusalIsNotRememberedAsAnAnswer() {
    SubmitJobs command = Calls.submit(shards.user("ann"), List.of(), Calls.job("ann", "workq", 1));
    outcome(CommandFamily.EXECUTOR, command);
    Reply reply = shards.ask(0, command);
    assertEquals(0, reply.getCode());
    assertEquals(1, shards.replies(command.getMeta()).size());
  }

  @Test
  void theAuditLogSaysWhatWasClaimedInBoundedWords() {
    CommandMeta meta = shards.calls.meta("root\nrefused id=, " + "x".repeat(99), Role.MANAGER, 1);
    SpecificRecord wish = Calls.hold(meta, "1.mill", "u");
    String line = RefusalText.of(CommandFamily.EXECUTOR, "", wish, "family");
    assertTrue(
        line.matches(
            "refused family=executor reason=family command=HoldJob id=[0-9a-f]{32}"
                + " claims=MANAGER,root_refused_id=__x{46},\\S*"),
        line);
  }
}
