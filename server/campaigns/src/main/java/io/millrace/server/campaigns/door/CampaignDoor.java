package io.millrace.server.campaigns.door;

import io.millrace.schemas.Envelope;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.WireCodec;
import io.millrace.schemas.campaign.AddTasks;
import io.millrace.schemas.campaign.AlterCampaign;
import io.millrace.schemas.campaign.DeleteCampaign;
import io.millrace.schemas.campaign.DeleteTask;
import io.millrace.schemas.campaign.FixEvents;
import io.millrace.schemas.campaign.PurgeCampaign;
import io.millrace.schemas.campaign.SetAdmissionRules;
import io.millrace.schemas.campaign.SetAffinity;
import io.millrace.schemas.campaign.StopCluster;
import io.millrace.schemas.campaign.SubmitCampaign;
import io.millrace.schemas.campaign.SubscribeNotices;
import io.millrace.schemas.campaign.UnsubscribeNotices;
import io.millrace.schemas.output.Reply;
import io.millrace.server.campaigns.core.CampaignState;
import io.millrace.server.campaigns.core.TaskPage;
import io.millrace.server.campaigns.core.TaskWhy;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import io.millrace.server.campaigns.core.table.CampaignTable;
import io.millrace.server.campaigns.streams.LiveCampaigns;
import io.millrace.server.http.HttpAnswer;
import io.millrace.server.http.HttpLimits;
import io.millrace.server.http.HttpListener;
import io.millrace.server.http.HttpRefusal;
import io.millrace.server.http.HttpService;
import io.millrace.server.http.ReceivedRequest;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.errors.InvalidStateStoreException;

/**
 * Answers the gateways. POST /commands takes a command in wire format and answers with a reply; GET
 * /campaigns/from/ID (campaigns for a list, a piece of it from this number on), /campaigns/ID, and
 * behind that /open/TASK and /seconds/TASK (a piece, from this task on), /events, /text and
 * /blocks, /events (those of no campaign), /events/ID, /stops, /loads, /affinities, /admission and
 * /subscriptions answer with frames of records, /campaigns/ID/tasks/TASK with a text, which is
 * without parameters with /brief behind it. 503: there are no campaigns here now.
 */
public final class CampaignDoor implements HttpService {

  /** Path of the door's socket in a home. */
  public static final Path SOCKET = Path.of("run", "campaigns.sock");

  /** Bytes of a command: what follows from it is a record too, and a little larger. */
  public static final int COMMAND_BYTES_MAX = Topics.CAMPAIGN_BYTES_MAX - (512 << 10);

  private static final Duration REQUEST_MAX = Duration.ofSeconds(10);
  private static final Duration IDLE_MAX = Duration.ofSeconds(30);
  private static final Duration ANSWER_MAX = Duration.ofSeconds(60);
  private static final Duration DECIDED_MAX = Duration.ofSeconds(15);
  private static final HttpLimits LIMITS =
      new HttpLimits(
          new HttpLimits.Connections(256, 256),
          COMMAND_BYTES_MAX,
          new HttpLimits.HttpMemoryLimits(48L << 20, 0, 32L << 20),
          new HttpLimits.Workers(4, 64),
          new HttpLimits.HttpTimeLimits(
              IDLE_MAX, REQUEST_MAX, REQUEST_MAX, ANSWER_MAX, ANSWER_MAX));

  private static final Pattern ONE =
      Pattern.compile("/campaigns/(\\d{1,18})(/events|/text|/blocks)?");

  private static final Pattern OPEN =
      Pattern.compile("/campaigns/(\\d{1,18})/(open|seconds)/(\\d{1,9})");

  /** Records in one answer, of which there may be very many. */
  public static final int PIECE = 1_000;

  private static final Pattern LIST = Pattern.compile("/campaigns/from/(\\d{1,18})");
  private static final Pattern EVENT = Pattern.compile("/events/(\\d{1,18})");
  private static final Pattern PAGE =
      Pattern.compile("/campaigns/(\\d{1,18})/tasks/(\\d{1,9})/(\\d{1,4})");
  private static final Pattern TASK =
      Pattern.compile("/campaigns/(\\d{1,18})/tasks/(\\d{1,9})(/brief)?");
  private static final List<Class<?>> COMMANDS =
      List.of(
          SubmitCampaign.class,
          AddTasks.class,
          DeleteCampaign.class,
          DeleteTask.class,
          PurgeCampaign.class,
          StopCluster.class,
          AlterCampaign.class,
          FixEvents.class,
          SetAdmissionRules.class,
          SetAffinity.class,
          SubscribeNotices.class,
          UnsubscribeNotices.class);

  private final LiveCampaigns campaigns;
  private final ReadCampaigns why = new ReadCampaigns();

  /** Gateway and door are of one build, and need no registry between them. */
  private final RecordCodec codec = WireCodec.local();

  private final byte[] token;
  private final Duration decidedMax;

  private CampaignDoor(LiveCampaigns campaigns, String token, Duration decidedMax) {
    this.campaigns = campaigns;
    this.decidedMax = decidedMax;
    this.token = token.getBytes(StandardCharsets.UTF_8);
  }

  /** Opens the door of a home. */
  public static HttpListener open(LiveCampaigns campaigns, String token, Path home)
      throws IOException {
    return open(campaigns, token, home, DECIDED_MAX);
  }

  /**
   * @param decidedMax how long a decision is waited for
   */
  static HttpListener open(LiveCampaigns campaigns, String token, Path home, Duration decidedMax)
      throws IOException {
    return HttpListener.open(
        HttpListener.ListenerAddress.local("campaigns", home.resolve(SOCKET)),
        LIMITS,
        new CampaignDoor(campaigns, token, decidedMax));
  }

  private static HttpAnswer plain(int status, String text) {
    byte[] bytes = (text + "\n").getBytes(StandardCharsets.UTF_8);
    return HttpAnswer.whole(status, "text/plain; charset=utf-8", bytes);
  }

  @Override
  public Early early(ReceivedRequest head) {
    byte[] shown = head.header("X-Millrace-Token").orElse("").getBytes(StandardCharsets.UTF_8);
    return MessageDigest.isEqual(shown, token)
        ? Early.goOn(true, Map.of())
        : Early.refused(plain(403, "token missing or wrong"));
  }

  @Override
  public HttpAnswer answer(ReceivedRequest request) throws InterruptedException {
    if (request.method().equals("POST") && request.target().equals("/commands")) {
      return command(request.body());
    }
    if (!request.method().equals("GET")) {
      return plain(405, "there is no " + request.method());
    }
    Optional<CampaignTable> table = campaigns.table();
    if (table.isEmpty()) {
      return plain(503, "the campaign server starts");
    }
    return records(table.get(), request.target());
  }

  private HttpAnswer records(CampaignTable table, String target) {
    Matcher event = EVENT.matcher(target);
    if (event.matches()) {
      long id = Long.parseLong(event.group(1));
      return CampaignState.event(table, id)
          .map(it -> frames(table, CampaignKeys.event(it.getCampaign(), id)))
          .orElseGet(() -> plain(404, "there is no event " + id));
    }
    Matcher task = TASK.matcher(target);
    if (task.matches()) {
      boolean full = task.group(3) == null;
      return task(table, Long.parseLong(task.group(1)), Integer.parseInt(task.group(2)), full);
    }
    Matcher page = PAGE.matcher(target);
    if (page.matches()) {
      int first = Integer.parseInt(page.group(2));
      int most = Integer.parseInt(page.group(3));
      return frames(new TaskPage(table).of(Long.parseLong(page.group(1)), first, most));
    }
    Matcher list = LIST.matcher(target);
    if (list.matches()) {
      return listed(table, Long.parseLong(list.group(1)));
    }
    Matcher open = OPEN.matcher(target);
    if (open.matches()) {
      int from = Integer.parseInt(open.group(3));
      return piece(table, Long.parseLong(open.group(1)), open.group(2).equals("open"), from);
    }
    Matcher one = ONE.matcher(target);
    if (one.matches()) {
      return campaign(table, Long.parseLong(one.group(1)), one.group(2));
    }
    return switch (target) {
      case "/events" -> frames(table, CampaignKeys.events(0));
      case "/stops" -> frames(table, CampaignKeys.STOPS);
      case "/loads" -> frames(table, CampaignKeys.LOADS);
      case "/affinities" -> frames(table, CampaignKeys.AFFINITIES);
      case "/admission" -> frames(table, CampaignKeys.ADMISSION);
      case "/subscriptions" -> frames(table, CampaignKeys.SUBSCRIPTIONS);
      default -> plain(404, "there is no " + target);
    };
  }

  private HttpAnswer task(CampaignTable table, long id, int task, boolean full) {
    long nowMs = System.currentTimeMillis();
    List<String> lines;
    synchronized (why) {
      lines = new TaskWhy(table, () -> why.of(table, nowMs)).lines(id, task, nowMs, full);
    }
    return lines.isEmpty()
        ? plain(404, "there is no job " + task + " of campaign " + id)
        : plain(200, String.join("\n", lines));
  }

  private HttpAnswer campaign(CampaignTable table, long id, String part) {
    if (table.get(CampaignKeys.campaign(id)) == null) {
      return plain(404, "there is no campaign " + id);
    }
    String prefix =
        switch (part == null ? "" : part) {
          case "/events" -> CampaignKeys.events(id);
          case "/text" -> CampaignKeys.text(id);
          case "/blocks" -> CampaignKeys.blocks(id);
          default -> CampaignKeys.campaign(id);
        };
    return frames(table, prefix);
  }

  private HttpAnswer command(byte[] body) throws InterruptedException {
    try {
      SpecificRecord command = codec.decode(body);
      if (!COMMANDS.contains(command.getClass())) {
        return plain(400, command.getSchema().getName() + " is no command for campaigns");
      }
      Reply reply = decided(command);
      return HttpAnswer.whole(200, "application/octet-stream", codec.encode(reply));
    } catch (UndecodableRecord e) {
      return plain(400, e.getMessage());
    } catch (TimeoutException e) {
      String later = "; it may be done all the same, which gridstat shows";
      return plain(504, "no answer within " + decidedMax.toSeconds() + " s" + later);
    } catch (ExecutionException e) {
      return plain(504, "the broker does not take it: " + e.getCause().getMessage());
    }
  }

  private Reply decided(SpecificRecord command)
      throws InterruptedException, ExecutionException, TimeoutException {
    CompletableFuture<Reply> answer = campaigns.send(Envelope.ofCommand(command).getId(), command);
    try {
      return answer.get(decidedMax.toMillis(), TimeUnit.MILLISECONDS);
    } finally {
      // An answer that comes later is for nobody.
      answer.cancel(false);
    }
  }

  private HttpAnswer listed(CampaignTable table, long from) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    ListedCampaigns.tell(
        table,
        from,
        record -> {
          byte[] encoded = codec.encode(record);
          frame(out, encoded);
          return encoded.length;
        });
    return HttpAnswer.whole(200, "application/octet-stream", bytes.toByteArray());
  }

  private HttpAnswer piece(CampaignTable table, long id, boolean open, int from) {
    String prefix = open ? CampaignKeys.open(id) : CampaignKeys.seconds(id);
    String first = open ? CampaignKeys.open(id, from) : CampaignKeys.second(id, from);
    List<SpecificRecord> records = new ArrayList<>();
    table.scan(
        prefix,
        first,
        record -> {
          records.add(record);
          return records.size() < PIECE;
        });
    return frames(records);
  }

  private HttpAnswer frames(CampaignTable table, String prefix) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    table.scan(prefix, record -> frame(out, codec.encode(record)));
    return HttpAnswer.whole(200, "application/octet-stream", bytes.toByteArray());
  }

  private HttpAnswer frames(List<? extends SpecificRecord> records) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    records.forEach(record -> frame(out, codec.encode(record)));
    return HttpAnswer.whole(200, "application/octet-stream", bytes.toByteArray());
  }

  private static void frame(DataOutputStream out, byte[] record) {
    try {
      out.writeInt(record.length);
      out.write(record);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Optional<HttpAnswer> expected(RuntimeException failure) {
    return failure instanceof InvalidStateStoreException
        ? Optional.of(plain(503, "the campaign server starts"))
        : Optional.empty();
  }

  @Override
  public HttpAnswer refusal(HttpRefusal why, String text) {
    return plain(why.status(), text);
  }
}
