package io.millrace.server.campaigns.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignAltered;
import io.millrace.schemas.campaign.CampaignCancelled;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.CampaignEnded;
import io.millrace.schemas.campaign.CampaignPurged;
import io.millrace.schemas.campaign.CampaignSubmitted;
import io.millrace.schemas.campaign.EventOpened;
import io.millrace.schemas.campaign.EventsClosed;
import io.millrace.schemas.campaign.TasksAdded;
import io.millrace.server.web.event.ChangeText.ToldChange;
import io.millrace.server.web.event.FactText;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;

/**
 * What listeners at the door are told of campaigns: how one goes on, and what goes wrong; of its
 * tasks only those that are events.
 */
public final class CampaignChanges implements FactText {

  private static final Set<String> FACTS =
      Stream.of(
              CampaignSubmitted.getClassSchema(),
              TasksAdded.getClassSchema(),
              CampaignAltered.getClassSchema(),
              CampaignCancelled.getClassSchema(),
              CampaignEnded.getClassSchema(),
              CampaignPurged.getClassSchema(),
              EventOpened.getClassSchema(),
              EventsClosed.getClassSchema())
          .map(Schema::getName)
          .collect(Collectors.toUnmodifiableSet());

  @Override
  public Set<String> facts() {
    return FACTS;
  }

  @Override
  public Optional<ToldChange> of(SpecificRecord fact) {
    if (fact instanceof CampaignSubmitted it) {
      return Optional.of(submitted(it));
    }
    if (fact instanceof TasksAdded it) {
      ObjectNode node = change("jobs_added", it.getOwner(), it.getAtMs());
      return Optional.of(told(it.getCampaign(), node.put("jobs", it.getTasks()), it.getOwner()));
    }
    if (fact instanceof CampaignAltered it) {
      ObjectNode node = change("altered", it.getOwner(), it.getAtMs());
      node.put("name", it.getName());
      node.put("state", it.getPausedMs() >= 0 ? "paused" : "in_treatment");
      return Optional.of(told(it.getCampaign(), by(node, it.getBy()), it.getOwner()));
    }
    if (fact instanceof CampaignCancelled it) {
      ObjectNode node = change("cancelled", it.getOwner(), it.getAtMs());
      return Optional.of(told(it.getCampaign(), by(node, it.getBy()), it.getOwner()));
    }
    if (fact instanceof CampaignEnded it) {
      ObjectNode node = change("ended", it.getOwner(), it.getAtMs()).put("how", it.getHow());
      return Optional.of(told(it.getCampaign(), node, it.getOwner()));
    }
    if (fact instanceof CampaignPurged it) {
      ObjectNode gone = CigriJson.object().put("id", it.getCampaign()).put("gone", true);
      return Optional.of(ToldChange.ofOne(gone.toString(), Optional.of(it.getOwner())));
    }
    return ofEvents(fact);
  }

  private static Optional<ToldChange> ofEvents(SpecificRecord fact) {
    if (fact instanceof EventOpened it) {
      long campaign = it.getEvent().getCampaign();
      ObjectNode node = change("event", it.getOwner(), it.getAtMs());
      node.put("severity", it.getSeverity().name().toLowerCase(Locale.ROOT));
      node.set("event", CigriEvents.shown(it.getEvent()));
      return Optional.of(told(campaign, node, it.getOwner()));
    }
    if (fact instanceof EventsClosed it) {
      ObjectNode node = change("events_closed", it.getOwner(), it.getAtMs());
      it.getIds().forEach(node.putArray("events")::add);
      node.put("resubmit", it.getAgain());
      return Optional.of(told(it.getCampaign(), by(node, it.getBy()), it.getOwner()));
    }
    return Optional.empty();
  }

  private static ToldChange submitted(CampaignSubmitted fact) {
    Campaign campaign = fact.getCampaign();
    ObjectNode node = change("submitted", campaign.getOwner(), fact.getAtMs());
    node.put("name", campaign.getName());
    node.put("total_jobs", campaign.getTasks());
    List<String> names = campaign.getClusters().stream().map(CampaignCluster::getName).toList();
    names.forEach(node.putArray("clusters")::add);
    return told(campaign.getId(), node, campaign.getOwner());
  }

  private static ObjectNode change(String what, String owner, long atMs) {
    ObjectNode node = CigriJson.object().put("change", what).put("date", CigriEvents.time(atMs));
    node.put("user", owner.isEmpty() ? null : owner);
    return node;
  }

  /** Nobody's name: it came by itself. */
  private static ObjectNode by(ObjectNode node, String name) {
    return node.put("by", name.isEmpty() ? null : name);
  }

  /** What is of no campaign is for everybody, as in the list of such events. */
  private static ToldChange told(long campaign, ObjectNode change, String owner) {
    ObjectNode data = CigriJson.object();
    data.put("id", campaign == 0 ? null : campaign);
    data.set("campaign", change);
    return campaign == 0
        ? ToldChange.ofAll(data.toString())
        : ToldChange.ofOne(data.toString(), Optional.of(owner));
  }
}
