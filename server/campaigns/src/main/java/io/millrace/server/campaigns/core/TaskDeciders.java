package io.millrace.server.campaigns.core;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignPurged;
import io.millrace.schemas.campaign.DeleteTask;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.PurgeCampaign;
import io.millrace.schemas.campaign.StopCluster;
import io.millrace.schemas.campaign.TaskDeleted;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import java.util.List;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;

/** Decides about one task, a campaign that has ended, and a cluster that is to get no tasks. */
final class TaskDeciders {

  private final CampaignState state;
  private final EventBook book;

  TaskDeciders(CampaignState state, EventBook book) {
    this.state = state;
    this.book = book;
  }

  private static void answer(CampaignOutcome outcome, CommandMeta meta, PbsError code, String it) {
    int number = code == null ? 0 : code.code();
    outcome.answer(new Reply(meta.getId(), number, List.of(it), false));
  }

  private static boolean isOperator(CommandMeta meta) {
    return meta.getRole() == Role.MANAGER || meta.getRole() == Role.OPERATOR;
  }

  private Optional<Campaign> allowed(CommandMeta meta, long id, CampaignOutcome outcome) {
    Optional<Campaign> campaign = state.campaign(id);
    if (campaign.isEmpty()) {
      answer(outcome, meta, PbsError.UNKNOWN_JOB, "there is no campaign " + id);
    } else if (!isOperator(meta) && !campaign.get().getOwner().equals(meta.getPrincipal())) {
      answer(outcome, meta, PbsError.UNAUTHORIZED, "campaign " + id + " is not yours");
      return Optional.empty();
    }
    return campaign;
  }

  /** Decides a command; false for what is none of its. */
  boolean decide(SpecificRecord record, long nowMs, CampaignOutcome outcome) {
    if (record instanceof DeleteTask command) {
      decide(command, nowMs, outcome);
    } else if (record instanceof PurgeCampaign command) {
      decide(command, nowMs, outcome);
    } else if (record instanceof StopCluster command) {
      decide(command, nowMs, outcome);
    } else {
      return false;
    }
    return true;
  }

  private void decide(DeleteTask command, long nowMs, CampaignOutcome outcome) {
    CommandMeta meta = command.getMeta();
    Campaign campaign = allowed(meta, command.getCampaign(), outcome).orElse(null);
    if (campaign == null) {
      return;
    }
    int task = command.getTask();
    String name = "job " + task + " of campaign " + campaign.getId();
    if (task < 0 || task >= campaign.getTasks()) {
      answer(outcome, meta, PbsError.UNKNOWN_JOB, "there is no " + name);
      return;
    }
    TaskStatus status = TaskRanges.status(campaign.getRanges(), task);
    OpenTask open = state.open(campaign.getId(), task).orElse(null);
    boolean inBag = status == TaskStatus.WAITING || status == TaskStatus.POSTPONED;
    if (status == TaskStatus.EVENT) {
      answer(outcome, meta, PbsError.ILLEGAL_VALUE, name + " has failed; gridevents -f closes it");
    } else if (!inBag && open == null) {
      answer(outcome, meta, PbsError.ILLEGAL_VALUE, name + " is over");
    } else if (inBag && state.totals().tooManyRanges(campaign)) {
      // Each may be in a place of its own then; those at clusters are few.
      String places = " is not deleted: the campaign's tasks are in too many places; ";
      String why = name + places + "some must be over first";
      answer(outcome, meta, PbsError.ILLEGAL_VALUE, why);
    } else {
      if (open == null || !open.getDeleted()) {
        outcome.fact(new TaskDeleted(nowMs, campaign.getId(), task, meta.getPrincipal()));
      }
      if (!inBag) {
        end(campaign, open, nowMs, outcome);
      }
      answer(outcome, meta, null, "");
    }
  }

  /** Several in one job: the others come again in another one. */
  private void end(Campaign campaign, OpenTask open, long nowMs, CampaignOutcome outcome) {
    OpenTask first = open;
    if (open.getLead() >= 0) {
      first = state.open(campaign.getId(), open.getLead()).orElse(open);
    }
    ReplicaDeciders.end(campaign, first, nowMs, outcome);
    state
        .second(campaign.getId(), open.getTask())
        .filter(it -> !it.getDropped())
        .ifPresent(it -> ReplicaDeciders.end(campaign, it, nowMs, outcome));
  }

  private void decide(PurgeCampaign command, long nowMs, CampaignOutcome outcome) {
    CommandMeta meta = command.getMeta();
    Campaign campaign = allowed(meta, command.getId(), outcome).orElse(null);
    if (campaign == null) {
      return;
    }
    if (campaign.getEndedMs() < 0) {
      String goesOn = "campaign " + campaign.getId() + " goes on, and is not forgotten";
      answer(outcome, meta, PbsError.ILLEGAL_VALUE, goesOn);
      return;
    }
    outcome.fact(new CampaignPurged(nowMs, campaign.getId(), campaign.getOwner()));
    answer(outcome, meta, null, "");
  }

  private void decide(StopCluster command, long nowMs, CampaignOutcome outcome) {
    CommandMeta meta = command.getMeta();
    String name = command.getCluster();
    if (!isOperator(meta)) {
      answer(outcome, meta, PbsError.UNAUTHORIZED, "operators and managers stop clusters");
      return;
    }
    if (state.stop(name).filter(EventBook::byHand).isPresent()) {
      answer(outcome, meta, PbsError.ILLEGAL_VALUE, "cluster " + name + " is stopped already");
      return;
    }
    String why = command.getWhy().isEmpty() ? "" : ": " + command.getWhy();
    book.stopped(name, "by " + meta.getPrincipal() + why, nowMs, outcome);
    answer(outcome, meta, null, "");
  }
}
