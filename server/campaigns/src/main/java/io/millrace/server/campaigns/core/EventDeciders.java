package io.millrace.server.campaigns.core;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignEvent;
import io.millrace.schemas.campaign.EventsClosed;
import io.millrace.schemas.campaign.FixEvents;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import java.util.List;
import java.util.Optional;

/** Decides what users want of events. */
final class EventDeciders {

  /** Events that are closed in one transaction. */
  static final int CLOSED_AT_ONCE = 500;

  private final CampaignState state;
  private final EventBook book;

  EventDeciders(CampaignState state, EventBook book) {
    this.state = state;
    this.book = book;
  }

  private static void answer(CampaignOutcome outcome, CommandMeta meta, String line) {
    outcome.answer(new Reply(meta.getId(), 0, List.of(line), false));
  }

  private static void refuse(
      CampaignOutcome outcome, CommandMeta meta, PbsError error, String line) {
    outcome.answer(new Reply(meta.getId(), error.code(), List.of(line), false));
  }

  void decide(FixEvents command, long nowMs, CampaignOutcome outcome) {
    if (command.getEvent() != 0) {
      one(command, nowMs, outcome);
    } else {
      all(command, nowMs, outcome);
    }
  }

  private void one(FixEvents command, long nowMs, CampaignOutcome outcome) {
    CommandMeta meta = command.getMeta();
    CampaignEvent event = state.event(command.getEvent()).orElse(null);
    if (event == null) {
      refuse(outcome, meta, PbsError.UNKNOWN_JOB, "there is no event " + command.getEvent());
    } else if (!isAllowed(meta, state.campaign(event.getCampaign()))) {
      refuse(outcome, meta, PbsError.UNAUTHORIZED, "event " + event.getId() + " is not yours");
    } else if (event.getClosedMs() >= 0) {
      refuse(
          outcome, meta, PbsError.ILLEGAL_VALUE, "event " + event.getId() + " is closed already");
    } else if (stops(event)) {
      String what = " keeps all campaigns from " + event.getCluster();
      refuse(
          outcome,
          meta,
          PbsError.ILLEGAL_VALUE,
          "event " + event.getId() + what + ", and ends with its cause");
    } else {
      close(command, event.getCampaign(), book.withFollowing(first(event)), nowMs, outcome);
    }
  }

  private void all(FixEvents command, long nowMs, CampaignOutcome outcome) {
    CommandMeta meta = command.getMeta();
    Optional<Campaign> campaign = state.campaign(command.getCampaign());
    String name = "campaign " + command.getCampaign();
    if (campaign.isEmpty()) {
      refuse(outcome, meta, PbsError.UNKNOWN_JOB, "there is no " + name);
      return;
    }
    if (!isAllowed(meta, campaign)) {
      refuse(outcome, meta, PbsError.UNAUTHORIZED, name + " is not yours");
      return;
    }
    // What is opened while it goes on piece by piece is nothing that its sender has seen.
    long before = command.getBefore() == 0 ? state.nextEvent() : command.getBefore();
    List<Long> open = book.open(command.getCampaign(), before, CLOSED_AT_ONCE);
    if (open.isEmpty()) {
      refuse(outcome, meta, PbsError.ILLEGAL_VALUE, name + " has no open event");
      return;
    }
    close(command, command.getCampaign(), open, nowMs, outcome);
    if (open.size() == CLOSED_AT_ONCE) {
      outcome.more(FixEvents.newBuilder(command).setBefore(before).build());
    }
  }

  /** Of the two events of a cluster that is stopped neither is closed without the other. */
  private CampaignEvent first(CampaignEvent event) {
    return event.getCampaign() != 0
        ? event
        : state
            .stop(event.getCluster())
            .filter(it -> EventBook.names(it, event))
            .flatMap(it -> state.event(0, it.getCause()))
            .orElse(event);
  }

  /** What is seen of a cluster ends such an event; until then it would only be opened again. */
  private boolean stops(CampaignEvent event) {
    return event.getCampaign() == 0
        && state
            .stop(event.getCluster())
            .filter(it -> EventBook.names(it, event) && !EventBook.byHand(it))
            .isPresent();
  }

  /** What stops all campaigns is for those who may change the queues. */
  private static boolean isAllowed(CommandMeta meta, Optional<Campaign> campaign) {
    boolean operator = meta.getRole() == Role.MANAGER || meta.getRole() == Role.OPERATOR;
    return operator || campaign.filter(it -> it.getOwner().equals(meta.getPrincipal())).isPresent();
  }

  private void close(
      FixEvents command, long campaign, List<Long> ids, long nowMs, CampaignOutcome outcome) {
    CommandMeta meta = command.getMeta();
    String owner = state.owner(campaign);
    outcome.fact(
        new EventsClosed(nowMs, campaign, ids, meta.getPrincipal(), command.getAgain(), owner));
    answer(outcome, meta, Integer.toString(ids.size()));
  }
}
