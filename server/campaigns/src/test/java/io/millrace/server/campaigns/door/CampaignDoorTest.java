package io.millrace.server.campaigns.door;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.SampleRecords;
import io.millrace.schemas.WireCodec;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.CampaignEvent;
import io.millrace.schemas.campaign.ClusterStop;
import io.millrace.schemas.campaign.DeleteCampaign;
import io.millrace.schemas.campaign.EventPlace;
import io.millrace.schemas.campaign.NoteJob;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.SetAffinity;
import io.millrace.schemas.campaign.TaskRange;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.campaign.UserAffinity;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.output.Reply;
import io.millrace.server.campaigns.core.CampaignState;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import io.millrace.server.campaigns.core.table.CampaignTable;
import io.millrace.server.campaigns.streams.LiveCampaigns;
import io.millrace.server.gateway.query.RecordFrames;
import io.millrace.server.http.HttpListener;
import io.millrace.server.http.LocalCaller;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The door over its socket; campaigns are a table. */
final class CampaignDoorTest implements LiveCampaigns, CampaignTable {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final RecordCodec codec = WireCodec.local();
  private final SampleRecords samples = new SampleRecords(new SplittableRandom(7));
  private final TreeMap<String, SpecificRecord> records = new TreeMap<>();
  private final List<SpecificRecord> sent = new ArrayList<>();
  private final LocalCaller caller = new LocalCaller(1200 << 10);
  private boolean serving = true;
  private CompletableFuture<Reply> answer = new CompletableFuture<>();
  private HttpListener door;

  @TempDir Path home;

  @BeforeEach
  void open() throws IOException {
    Files.createDirectories(home.resolve("run"));
    door = CampaignDoor.open(this, "secret", home, Duration.ofSeconds(1));
  }

  @AfterEach
  void close() {
    door.close();
  }

  private LocalCaller.LocalAnswer get(String path, String token) throws Exception {
    Map<String, String> headers = Map.of("X-Millrace-Token", token);
    return caller.get(home.resolve(CampaignDoor.SOCKET), path, headers, PATIENCE);
  }

  private LocalCaller.LocalAnswer post(byte[] body) throws Exception {
    Map<String, String> headers = Map.of("X-Millrace-Token", "secret");
    return caller.post(home.resolve(CampaignDoor.SOCKET), "/commands", headers, body, PATIENCE);
  }

  private static String text(LocalCaller.LocalAnswer answer) {
    return new String(answer.body(), StandardCharsets.UTF_8).strip();
  }

  private <T extends SpecificRecord> List<T> list(String path, Class<T> type) throws Exception {
    LocalCaller.LocalAnswer answer = get(path, "secret");
    assertEquals(200, answer.status(), text(answer));
    return RecordFrames.read(new ByteArrayInputStream(answer.body()), codec, type);
  }

  private void campaign(long id) {
    Campaign campaign = (Campaign) samples.record(Campaign.getClassSchema());
    campaign.setId(id);
    records.put(CampaignKeys.campaign(id), campaign);
    OpenTask task = (OpenTask) samples.record(OpenTask.getClassSchema());
    records.put(CampaignKeys.open(id, 5), task);
  }

  @Test
  void whoHasNoTokenLearnsNothing() throws Exception {
    campaign(1);
    for (String token : List.of("", "secre", "secrets")) {
      LocalCaller.LocalAnswer answer = get("/campaigns/from/0", token);
      assertEquals(403, answer.status());
      assertEquals("token missing or wrong", text(answer));
    }
  }

  @Test
  void campaignsAndTheirPartsAreListed() throws Exception {
    campaign(1);
    campaign(12);
    assertEquals(2, list("/campaigns/from/0", Campaign.class).size());
    assertEquals(12, list("/campaigns/12", Campaign.class).get(0).getId());
    assertEquals(
        records.get(CampaignKeys.open(12, 5)), list("/campaigns/12/open/0", OpenTask.class).get(0));
    assertEquals(List.of(), list("/campaigns/12/events", CampaignEvent.class));
    LocalCaller.LocalAnswer unknown = get("/campaigns/2", "secret");
    assertEquals(404, unknown.status());
    assertEquals("there is no campaign 2", text(unknown));
    assertEquals(404, get("/campaigns/12/nothing", "secret").status());
    assertEquals("there is no job 7 of campaign 2", text(get("/campaigns/2/tasks/7", "secret")));
    assertEquals(404, get("/campaigns/-1", "secret").status());
  }

  /** A list does without what makes a campaign's record long, and comes in pieces all the same. */
  @Test
  void aListComesInPiecesOfShortRecords() throws Exception {
    int half = (int) ListedCampaigns.PIECE_BYTES / 2;
    for (long id : List.of(3L, 4L, 5L)) {
      campaign(id);
      Campaign campaign = (Campaign) records.get(CampaignKeys.campaign(id));
      campaign.setName("n".repeat(half));
      CampaignCluster cluster = (CampaignCluster) samples.record(CampaignCluster.getClassSchema());
      cluster.setProgram("p".repeat(half));
      cluster.getJob().setAccount("a".repeat(half));
      campaign.setClusters(List.of(cluster));
      campaign.setRanges(Collections.nCopies(half, new TaskRange(0, 0, TaskStatus.DONE)));
    }
    List<Campaign> piece = list("/campaigns/from/0", Campaign.class);
    assertEquals(List.of(3L, 4L), piece.stream().map(Campaign::getId).toList());
    assertEquals(List.of(), piece.get(0).getRanges());
    List<Campaign> next = list("/campaigns/from/5", Campaign.class);
    assertEquals(List.of(5L), next.stream().map(Campaign::getId).toList());
    assertEquals(List.of(), list("/campaigns/from/6", Campaign.class));
  }

  private void event(long campaign, long id) {
    CampaignEvent event = (CampaignEvent) samples.record(CampaignEvent.getClassSchema());
    event.setId(id);
    event.setCampaign(campaign);
    records.put(CampaignKeys.event(campaign, id), event);
    records.put("place/" + String.format("%019d", id), new EventPlace(campaign));
  }

  @Test
  void eventsAreListedByCampaignOrFoundByNumber() throws Exception {
    campaign(1);
    event(1, 5);
    event(0, 6);
    event(1, 7);
    assertEquals(
        List.of(5L, 7L),
        list("/campaigns/1/events", CampaignEvent.class).stream().map(it -> it.getId()).toList());
    assertEquals(6, list("/events", CampaignEvent.class).get(0).getId());
    assertEquals(1, list("/events/7", CampaignEvent.class).get(0).getCampaign());
    assertEquals("there is no event 8", text(get("/events/8", "secret")));
    records.put(CampaignKeys.stop("bag"), new ClusterStop("bag", "NO_NODE", "none", 6L, 7L));
    assertEquals("bag", list("/stops", ClusterStop.class).get(0).getName());
  }

  @Test
  void untilCampaignsAreServedItSaysSo() throws Exception {
    serving = false;
    LocalCaller.LocalAnswer answer = get("/campaigns/from/0", "secret");
    assertEquals(503, answer.status());
    assertEquals("the campaign server starts", text(answer));
  }

  @Test
  void aCommandIsAnsweredWithWhatWasDecided() throws Exception {
    DeleteCampaign command = (DeleteCampaign) samples.record(DeleteCampaign.getClassSchema());
    Reply reply = new Reply(command.getMeta().getId(), 15001, List.of("no"), false);
    answer.complete(reply);
    LocalCaller.LocalAnswer said = post(codec.encode(command));
    assertEquals(200, said.status());
    assertEquals(reply, codec.decode(said.body()));
    assertEquals(List.of(command), sent);
  }

  @Test
  void affinitiesAreSetAndListed() throws Exception {
    records.put(CampaignKeys.affinity("ada", "bag"), new UserAffinity("ada", "bag", 5));
    records.put(CampaignKeys.affinity("eve", "bag"), new UserAffinity("eve", "bag", -1));
    assertEquals(
        List.of(5, -1),
        list("/affinities", UserAffinity.class).stream().map(it -> it.getAffinity()).toList());
    SetAffinity command = (SetAffinity) samples.record(SetAffinity.getClassSchema());
    answer.complete(new Reply(command.getMeta().getId(), 0, List.of(""), false));
    assertEquals(200, post(codec.encode(command)).status());
    assertEquals(List.of(command), sent);
  }

  @Test
  void whatIsNoCommandIsRefused() throws Exception {
    SpecificRecord note = samples.record(NoteJob.getClassSchema());
    LocalCaller.LocalAnswer said = post(codec.encode(note));
    assertEquals(400, said.status());
    assertEquals("NoteJob is no command for campaigns", text(said));
    assertEquals(400, post(new byte[] {1, 2, 3}).status());
    assertTrue(sent.isEmpty());
  }

  @Test
  void aBrokerThatDoesNotTakeItIsTold() throws Exception {
    answer.completeExceptionally(new TimeoutException("no acknowledgement in 5000 ms"));
    LocalCaller.LocalAnswer said =
        post(codec.encode(samples.record(DeleteCampaign.getClassSchema())));
    assertEquals(504, said.status());
    assertEquals("the broker does not take it: no acknowledgement in 5000 ms", text(said));
  }

  @Test
  void anAnswerThatNobodyWaitsForAnyMoreIsNotKept() throws Exception {
    LocalCaller.LocalAnswer said =
        post(codec.encode(samples.record(DeleteCampaign.getClassSchema())));
    assertEquals(504, said.status());
    assertEquals(
        "no answer within 1 s; it may be done all the same, which gridstat shows", text(said));
    assertTrue(answer.isCancelled());
  }

  @Override
  public Optional<CampaignTable> table() {
    return serving ? Optional.of(this) : Optional.empty();
  }

  @Override
  public CampaignState.Wanted wanted() {
    return CampaignState.Wanted.NOTHING;
  }

  @Override
  public CompletableFuture<Reply> send(CommandId id, SpecificRecord command) {
    sent.add(command);
    return answer;
  }

  @Override
  public void note(SpecificRecord note) {
    throw new AssertionError(note);
  }

  @Override
  public SpecificRecord get(String key) {
    return records.get(key);
  }

  @Override
  public void put(String key, SpecificRecord record) {
    throw new AssertionError(key);
  }

  @Override
  public void scan(String prefix, String from, Predicate<SpecificRecord> each) {
    for (SpecificRecord record : records.subMap(from, prefix + '\uffff').values()) {
      if (!each.test(record)) {
        return;
      }
    }
  }
}
