package io.millrace.server.campaigns.core;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignEnded;
import io.millrace.schemas.campaign.DeleteCampaign;
import io.millrace.schemas.campaign.NoteCluster;
import io.millrace.schemas.campaign.NoteJob;
import io.millrace.schemas.campaign.SubmitCampaign;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.output.Reply;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;

/** Takes one record of the inbox after the other. Not thread-safe. */
public final class CampaignDesk {

  private static final Set<TaskStatus> OVER =
      EnumSet.of(TaskStatus.DONE, TaskStatus.FAILED, TaskStatus.CANCELLED);

  private final CampaignState state;
  private final CampaignAppliers appliers;
  private final CampaignDeciders deciders;
  private final TaskPacing pacing;

  public CampaignDesk(CampaignState state) {
    this.state = state;
    this.appliers = new CampaignAppliers(state);
    this.deciders = new CampaignDeciders(state);
    this.pacing = new TaskPacing(state);
  }

  /**
   * Decides one record, applies what was decided, and sends what is to be sent then.
   *
   * @param nowMs time of the record
   * @throws IllegalArgumentException for a record that does not belong into the inbox
   */
  public CampaignOutcome take(SpecificRecord record, long nowMs) {
    CampaignOutcome outcome = new CampaignOutcome();
    if (record instanceof SubmitCampaign command) {
      deciders.decide(command, nowMs, outcome);
    } else if (record instanceof DeleteCampaign command) {
      deciders.decide(command, nowMs, outcome);
    } else if (record instanceof NoteJob note) {
      deciders.decide(note, nowMs, outcome);
    } else if (record instanceof NoteCluster note) {
      deciders.decide(note, nowMs, outcome);
    } else if (record instanceof Reply reply) {
      deciders.decide(reply, nowMs, outcome);
    } else {
      throw new IllegalArgumentException(record.getSchema().getName() + " is nothing for it");
    }
    outcome.facts().forEach(appliers::apply);
    send(nowMs, outcome);
    end(nowMs, outcome);
    return outcome;
  }

  private void send(long nowMs, CampaignOutcome outcome) {
    pacing
        .next(nowMs)
        .ifPresent(
            sending -> {
              outcome.fact(sending.fact());
              outcome.order(sending.shard(), sending.command());
              appliers.apply(sending.fact());
              send(nowMs, outcome);
            });
  }

  private void end(long nowMs, CampaignOutcome outcome) {
    for (Campaign campaign : state.going()) {
      List<io.millrace.schemas.campaign.TaskRange> ranges = campaign.getRanges();
      if (ranges.stream().allMatch(range -> OVER.contains(range.getStatus()))) {
        CampaignEnded fact = new CampaignEnded(nowMs, campaign.getId());
        outcome.fact(fact);
        appliers.apply(fact);
      }
    }
  }
}
