package io.millrace.server.core.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.Topics;
import io.millrace.schemas.command.DeleteJob;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.pbs.PbsError;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/** What whoever has the campaign server's password may have shards do: its own jobs, no others. */
class CampaignRightsTest {
  private final TestShards shards = TestShards.threePartitions();

  private CommandMeta campaign(String owner) {
    CommandMeta meta = shards.calls.meta(owner, Role.CAMPAIGN, shards.nowMs);
    meta.setReplyTo(Topics.REPLY_TO_CAMPAIGNS);
    return meta;
  }

  private static NewJob tagged(String owner, String tag) {
    NewJob job = Calls.job(owner, "workq", 1);
    job.getSpec().setCampaign(tag);
    return job;
  }

  private void send(CommandFamily from, SpecificRecord command) {
    shards.send(from, 0, command);
    shards.run();
  }

  private int answer(CommandMeta meta) {
    return shards.replies(meta).get(0).getCode();
  }

  @Test
  void itSubmitsJobsWithATag() {
    SubmitJobs command = Calls.submit(campaign("ann"), List.of(), tagged("ann", "1.2.3"));
    send(CommandFamily.CAMPAIGN, command);
    assertEquals(0, answer(command.getMeta()));
    List<JobQueued> queued = shards.facts(JobQueued.class);
    assertEquals("1.2.3", queued.get(0).getJob().getSpec().getCampaign());
  }

  @Test
  void itHasNobodyElseAnswered() {
    CommandMeta meta = campaign("ann");
    meta.setReplyTo(3);
    SubmitJobs command = Calls.submit(meta, List.of(), tagged("ann", "1.2.3"));
    List<Integer> answered = new ArrayList<>();
    shards.observe(
        (shard, it, outcome, facts) ->
            outcome.replies().forEach(reply -> answered.add(reply.partition())));
    send(CommandFamily.CAMPAIGN, command);
    assertEquals(List.of(Topics.REPLY_TO_CAMPAIGNS), answered, "it, and not whom the record names");
    assertEquals(PbsError.COMMAND_FAMILY.code(), answer(meta));
    assertEquals(0, shards.facts(JobQueued.class).size());
  }

  @Test
  void itSubmitsNoOtherJobs() {
    SubmitJobs untagged = Calls.submit(campaign("ann"), List.of(), Calls.job("ann", "workq", 1));
    send(CommandFamily.CAMPAIGN, untagged);
    assertEquals(PbsError.UNAUTHORIZED.code(), answer(untagged.getMeta()));
    SubmitJobs others = Calls.submit(campaign("ann"), List.of(), tagged("eve", "1.2.3"));
    send(CommandFamily.CAMPAIGN, others);
    assertEquals(PbsError.UNAUTHORIZED.code(), answer(others.getMeta()));
    assertEquals(0, shards.facts(JobQueued.class).size());
  }

  @Test
  void itSubmitsNothingForRoot() {
    SubmitJobs command = Calls.submit(campaign("root"), List.of(), tagged("root", "1.2.3"));
    send(CommandFamily.CAMPAIGN, command);
    assertEquals(PbsError.BAD_UID.code(), answer(command.getMeta()));
    assertEquals(0, shards.facts(JobQueued.class).size());
  }

  @Test
  void nobodyElseNamesACampaign() {
    for (Role role : List.of(Role.USER, Role.MANAGER)) {
      CommandMeta meta = shards.calls.meta("ann", role, shards.nowMs);
      SubmitJobs command = Calls.submit(meta, List.of(), tagged("ann", "1.2.3"));
      send(CommandFamily.USER, command);
      assertEquals(PbsError.UNAUTHORIZED.code(), answer(meta), role.toString());
    }
    assertEquals(0, shards.facts(JobQueued.class).size());
  }

  @Test
  void itDeletesItsOwnJobsOfTheOwnerOnly() {
    SubmitJobs plain = Calls.submit(shards.user("ann"), List.of(), Calls.job("ann", "workq", 1));
    send(CommandFamily.USER, plain);
    SubmitJobs own = Calls.submit(campaign("ann"), List.of(), tagged("ann", "1.2.3"));
    send(CommandFamily.CAMPAIGN, own);
    String free = shards.replies(plain.getMeta()).get(0).getLines().get(0);
    String task = shards.replies(own.getMeta()).get(0).getLines().get(0);
    for (CommandFamily from : List.of(CommandFamily.CAMPAIGN, CommandFamily.SHARD)) {
      DeleteJob foreign = delete(campaign("ann"), free);
      send(from, foreign);
      assertEquals(PbsError.UNAUTHORIZED.code(), answer(foreign.getMeta()), "no tag: " + from);
      DeleteJob stranger = delete(campaign("eve"), task);
      send(from, stranger);
      assertEquals(PbsError.UNAUTHORIZED.code(), answer(stranger.getMeta()), "owner: " + from);
    }
    assertEquals(0, shards.facts(JobDeleted.class).size());
    DeleteJob right = delete(campaign("ann"), task);
    send(CommandFamily.CAMPAIGN, right);
    assertEquals(0, answer(right.getMeta()));
    assertEquals(1, shards.facts(JobDeleted.class).size());
  }

  private static DeleteJob delete(CommandMeta meta, String job) {
    return new DeleteJob(meta, job, false, List.of(), false, false, false);
  }
}
