package io.millrace.server.campaigns.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.Node;
import io.millrace.server.campaigns.command.CampaignCommands;
import io.millrace.server.campaigns.core.CampaignDesk;
import io.millrace.server.campaigns.core.CampaignOutcome;
import io.millrace.server.campaigns.core.CampaignState;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import io.millrace.server.campaigns.core.table.CampaignTable;
import io.millrace.server.campaigns.core.table.MemoryTable;
import io.millrace.server.campaigns.door.CampaignDoor;
import io.millrace.server.campaigns.streams.LiveCampaigns;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.link.ClusterView;
import io.millrace.server.gateway.link.ShardLink;
import io.millrace.server.gateway.query.Queries;
import io.millrace.server.gateway.session.SharedBytes;
import io.millrace.server.http.HttpAnswer;
import io.millrace.server.http.HttpListener;
import io.millrace.server.web.credential.Accounts;
import io.millrace.server.web.credential.CredentialKind;
import io.millrace.server.web.credential.Principal;
import io.millrace.server.web.route.Callers;
import io.millrace.server.web.route.Problem;
import io.millrace.server.web.route.RouteRequest;
import io.millrace.server.web.route.Routes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The routes before a campaign server whose table is in memory. */
abstract class CigriTrial implements LiveCampaigns {

  static final ObjectMapper JSON = new ObjectMapper();
  static final String DEMO =
      "{\"name\": \"demo\", \"exec_file\": \"{HOME}/x\", \"params\": [\"one -a\", \"two -b\","
          + " \"three\"], \"clusters\": {\"bag\": {\"max_jobs\": 2}}}";

  final MemoryTable table = new MemoryTable();
  private final CampaignDesk desk = new CampaignDesk(new CampaignState(table));
  final List<SpecificRecord> taken = new ArrayList<>();
  final Map<String, String> server = new HashMap<>();

  /** How many of the table's askers still find campaign 1; below 0 it stays. */
  final AtomicInteger askers = new AtomicInteger(-1);

  /** Nodes as their shards have them. */
  final List<Node> nodes = new ArrayList<>();

  /** Those that there are for commands. */
  final Map<String, byte[]> files = new HashMap<>();

  /** With each request. */
  final Map<String, String> headers = new HashMap<>();

  int moreQueues;

  /** Objects beside these. */
  final List<ClusterObject> more = new ArrayList<>();

  long nowMs = System.currentTimeMillis();
  HttpListener door;
  Routes routes;

  @TempDir Path home;

  static ClusterObject object(ObjectKind kind, String name, String... pairs) {
    List<Attribute> attributes = new ArrayList<>();
    for (int i = 0; i < pairs.length; i += 2) {
      attributes.add(new Attribute(pairs[i], pairs[i + 1]));
    }
    return new ClusterObject(kind, name, 1L, attributes, 1L);
  }

  private static ClusterObject queue(String name) {
    return object(
        ObjectKind.QUEUE, name, "queue_type", "Execution", "enabled", "True", "started", "True");
  }

  private List<ClusterObject> objects(ObjectKind kind) {
    return Stream.concat(usual(kind).stream(), more.stream().filter(it -> it.getKind() == kind))
        .toList();
  }

  private List<ClusterObject> usual(ObjectKind kind) {
    String[] own = server.entrySet().stream().flatMap(CigriTrial::both).toArray(String[]::new);
    return switch (kind) {
      case SERVER -> List.of(object(kind, "server", own));
      case QUEUE ->
          Stream.concat(
                  Stream.of(queue("bag"), object(kind, "way", "queue_type", "Route")),
                  IntStream.range(0, moreQueues).mapToObj(it -> queue("q" + it)))
              .toList();
      default -> List.of();
    };
  }

  private static Stream<String> both(Map.Entry<String, String> entry) {
    return Stream.of(entry.getKey(), entry.getValue());
  }

  private static <T> T proxy(Class<T> type, java.lang.reflect.InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  Site site() {
    ClusterView view =
        proxy(
            ClusterView.class,
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "server" -> Optional.of(objects(ObjectKind.SERVER).get(0));
                  case "all" -> objects((ObjectKind) arguments[0]);
                  case "find" ->
                      objects((ObjectKind) arguments[0]).stream()
                          .filter(it -> it.getName().equals(arguments[1]))
                          .findFirst();
                  case "barrier" -> null;
                  default -> throw new AssertionError(method.getName());
                });
    ShardLink link = proxy(ShardLink.class, (self, method, arguments) -> 2);
    Queries queries = proxy(Queries.class, (self, method, arguments) -> List.copyOf(nodes));
    return new Site(link, view, queries, Clock.systemUTC(), "vm", home.toString());
  }

  @BeforeEach
  void open() throws IOException {
    server.put("managers", "root@*,max@*");
    Files.createDirectories(home.resolve("run"));
    Files.createDirectories(home.resolve("etc"));
    Files.writeString(home.resolve("etc/query.token"), "secret\n");
    door = CampaignDoor.open(this, "secret", home);
    Accounts accounts = new Accounts(Clock.systemUTC());
    routes =
        new Routes(
            new CigriRoutes().routes(new Callers(site(), accounts, new SharedBytes(1 << 20))));
  }

  @AfterEach
  void close() {
    door.close();
  }

  record Said(int status, JsonNode body, String text, Map<String, String> headers) {
    Said must(int wanted) {
      assertEquals(wanted, status, text);
      return this;
    }

    String at(String path) {
      return body.at(path).asText();
    }
  }

  Said ask(String user, String line, String body) throws Exception {
    String[] words = line.split(" ");
    HttpAnswer answer;
    try {
      Routes.MatchedRoute match = routes.match(words[0], words[1]);
      Principal principal = new Principal(user, "users", CredentialKind.TOKEN);
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      RouteRequest request =
          new RouteRequest(
              principal,
              "127.0.0.1",
              match.variables(),
              match.query(),
              bytes,
              headers,
              UUID.randomUUID());
      answer = match.route().handler().answer(request);
    } catch (Problem e) {
      answer = e.answer();
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    if (answer.body() instanceof HttpAnswer.WholeBody whole) {
      out.writeBytes(whole.bytes());
    } else {
      ((HttpAnswer.StreamedBody) answer.body()).writer().write(out);
    }
    String text = out.toString(StandardCharsets.UTF_8);
    return new Said(answer.status(), JSON.readTree(text), text, answer.headers());
  }

  Said ask(String user, String line) throws Exception {
    return ask(user, line, "");
  }

  /** What a user is told by a command, and behind a blank the exit status when it is not 0. */
  String command(String user, String name, String... words) throws Exception {
    List<String> line = new ArrayList<>(List.of(name));
    line.addAll(List.of(words));
    FakeInvocation typed = new FakeInvocation(user, line, files, UUID.randomUUID());
    Call call = new Call(typed, site(), name, List.of(words));
    int status;
    try {
      status = new CampaignCommands().commands().get(name).run(call);
    } catch (Failure e) {
      typed.err(e.text());
      status = e.status();
    }
    return typed.output() + typed.errors() + (status == 0 ? "" : " " + status);
  }

  void demo() throws Exception {
    ask("ada", "POST /cigri/campaigns", DEMO).must(201);
  }

  @Override
  public Optional<CampaignTable> table() {
    if (askers.getAndUpdate(it -> Math.max(-1, it - 1)) == 0) {
      table.put(CampaignKeys.campaign(1), null);
    }
    return Optional.of(table);
  }

  @Override
  public CampaignState.Wanted wanted() {
    return CampaignState.Wanted.NOTHING;
  }

  @Override
  public CompletableFuture<Reply> send(CommandId id, SpecificRecord command) {
    taken.add(command);
    return CompletableFuture.completedFuture(take(command).answer().orElseThrow());
  }

  private CampaignOutcome take(SpecificRecord record) {
    CampaignOutcome outcome = desk.take(record, nowMs++);
    outcome.more().ifPresent(this::take);
    return outcome;
  }

  @Override
  public void note(SpecificRecord note) {
    take(note);
  }
}
