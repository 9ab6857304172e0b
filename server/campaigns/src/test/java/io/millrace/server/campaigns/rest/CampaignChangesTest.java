package io.millrace.server.campaigns.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.schemas.campaign.CampaignAltered;
import io.millrace.schemas.campaign.CampaignCancelled;
import io.millrace.schemas.campaign.CampaignEnded;
import io.millrace.schemas.campaign.CampaignEvent;
import io.millrace.schemas.campaign.CampaignPurged;
import io.millrace.schemas.campaign.EventOpened;
import io.millrace.schemas.campaign.EventsClosed;
import io.millrace.schemas.campaign.NoticeSeverity;
import io.millrace.schemas.campaign.TasksAdded;
import io.millrace.schemas.common.CommandId;
import io.millrace.server.web.event.ChangeText.ToldChange;
import io.millrace.server.web.event.FactText;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/** What listeners are told of facts about campaigns. */
final class CampaignChangesTest {

  private static final FactText TEXT = ServiceLoader.load(FactText.class).findFirst().orElseThrow();

  private static CampaignEvent event(long campaign, String code) {
    CampaignEvent event = new CampaignEvent();
    event.setId(9L);
    event.setCode(code);
    event.setCampaign(campaign);
    event.setTask(campaign == 0 ? -1 : 4);
    event.setJobId("12.vm");
    event.setCluster("bag");
    event.setMessage("exit status 3");
    event.setOpenedMs(1_000L);
    event.setClosedMs(-1L);
    event.setClosedBy("");
    event.setAffinities(List.of());
    return event;
  }

  private static ToldChange told(SpecificRecord fact) {
    assertTrue(TEXT.facts().contains(fact.getSchema().getName()));
    return TEXT.of(fact).orElseThrow();
  }

  private static JsonNode data(SpecificRecord fact) throws Exception {
    ToldChange told = told(fact);
    assertFalse(told.data().contains("\n"));
    assertFalse(told.open());
    assertEquals(Optional.of("ada"), told.owner());
    return new ObjectMapper().readTree(told.data());
  }

  @Test
  void anEventIsToldAsItIsListed() throws Exception {
    JsonNode data =
        data(new EventOpened(1_000L, event(7, "EXIT_ERROR"), "ada", NoticeSeverity.HIGH));
    assertEquals(7, data.path("id").asInt());
    JsonNode change = data.path("campaign");
    assertEquals("event", change.path("change").asText());
    assertEquals("1970-01-01T00:00:01Z", change.path("date").asText());
    assertEquals("ada", change.path("user").asText());
    assertEquals("high", change.path("severity").asText());
    JsonNode event = change.path("event");
    assertEquals(9, event.path("id").asInt());
    assertEquals("EXIT_ERROR", event.path("code").asText());
    assertEquals(4, event.path("job_id").asInt());
    assertEquals("12.vm", event.path("remote_id").asText());
    assertEquals("exit status 3", event.path("message").asText());
  }

  @Test
  void whatIsOfNoCampaignIsForEverybody() throws Exception {
    for (SpecificRecord fact :
        List.of(
            new EventOpened(1L, event(0, "QUEUE_STOPPED"), "", NoticeSeverity.MEDIUM),
            new EventsClosed(1L, 0L, List.of(9L, 10L), "", false, ""))) {
      ToldChange told = told(fact);
      assertTrue(told.open());
      assertTrue(new ObjectMapper().readTree(told.data()).path("id").isNull());
    }
  }

  private static final TasksAdded ADDED =
      TasksAdded.newBuilder()
          .setAtMs(1L)
          .setCampaign(7L)
          .setOwner("ada")
          .setTasks(1)
          .setFirstBlock(0)
          .setBlocks(List.of())
          .setLineBytes(0)
          .setKeptBytes(0L)
          .setCommand(new CommandId(new byte[16]))
          .build();

  @Test
  void theWayOfACampaignIsTold() throws Exception {
    JsonNode paused = data(new CampaignAltered(1L, 7L, "scan", 5L, "max", "ada")).path("campaign");
    assertEquals("paused", paused.path("state").asText());
    assertEquals("scan", paused.path("name").asText());
    assertEquals("max", paused.path("by").asText());
    JsonNode on = data(new CampaignAltered(1L, 7L, "scan", -1L, "max", "ada")).path("campaign");
    assertEquals("in_treatment", on.path("state").asText());
    TasksAdded more = TasksAdded.newBuilder(ADDED).setTasks(12).build();
    JsonNode added = data(more).path("campaign");
    assertEquals("jobs_added", added.path("change").asText());
    assertEquals(12, added.path("jobs").asInt());
    JsonNode cancelled = data(new CampaignCancelled(1L, 7L, "", "ada")).path("campaign");
    assertEquals("cancelled", cancelled.path("change").asText());
    assertTrue(cancelled.path("by").isNull(), "nobody's wish");
    JsonNode ended = data(new CampaignEnded(1L, 7L, "ada", "3 of 3 tasks done, 0 failed"));
    assertEquals("ended", ended.path("campaign").path("change").asText());
    assertTrue(ended.path("campaign").path("how").asText().startsWith("3 of 3"));
    JsonNode closed =
        data(new EventsClosed(1L, 7L, List.of(9L, 10L), "ada", true, "ada")).path("campaign");
    assertEquals("[9,10]", closed.path("events").toString());
    assertTrue(closed.path("resubmit").asBoolean());
    assertTrue(data(new CampaignPurged(1L, 7L, "ada")).path("gone").asBoolean());
  }

  /** Addresses and letters are between a user and the post. */
  @Test
  void nothingElseIsTold() {
    Set<String> names = TEXT.facts();
    assertEquals(8, names.size());
    assertEquals(
        Set.of(), names.stream().filter(it -> it.startsWith("Notice")).collect(Collectors.toSet()));
  }
}
