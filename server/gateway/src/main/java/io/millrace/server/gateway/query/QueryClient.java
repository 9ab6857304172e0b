package io.millrace.server.gateway.query;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.output.ShardOwner;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.program.SocketText;
import io.millrace.schemas.state.Dependent;
import io.millrace.schemas.state.EntityUsage;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.NodeBooking;
import io.millrace.schemas.state.PastReservation;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.Reason;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationWhole;
import io.millrace.schemas.state.Scheduler;
import io.millrace.server.gateway.link.ClusterView;
import io.millrace.server.http.ListeningPlaces;
import io.millrace.server.http.LocalCaller;
import io.millrace.server.http.StrangeListener;
import io.netty.handler.ssl.SslContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;

/**
 * {@link Queries} over HTTP to the shards' owners, which listen at Unix sockets of this host, or in
 * TLS at addresses that all hosts of a cluster reach, with connections that stay open.
 */
public final class QueryClient implements Queries {

  private static final int NOT_READY = 503;

  /** With what the address of a Unix socket begins. */
  private static final String LOCAL = "unix:";

  /** With what an address for all hosts begins. */
  private static final String REMOTE = "tls:";

  private static final Duration ANSWER_MAX = Duration.ofSeconds(20);

  /** Longest time for which a query is repeated while a shard passes from one owner to the next. */
  private static final Duration OWNER_MAX = Duration.ofMillis(4500);

  private static final long AGAIN_MS = 100;

  /**
   * Bytes of encoded jobs that all lists may hold at once; decoded they take about three times as
   * much.
   */
  private static final long PAGE_BYTES = 16L << 20;

  /** Longest answer that is read; a page of it is far shorter. */
  private static final int ANSWER_BYTES_MAX = 256 << 20;

  private static final int HOPS_MAX = 8;
  private static final long BLOCK = 1000;

  private final ClusterView cluster;
  private final RecordCodec codec;
  private final Supplier<String> token;
  private final Duration answerMax;

  /** Has the certificate by which servers of other hosts are known. */
  private final Path home;

  private volatile SslContext trust;
  private final LocalCaller caller = new LocalCaller(ANSWER_BYTES_MAX);

  private final ShardFanOut fan = new ShardFanOut();
  private final PageRoom pageRoom = new PageRoom(PAGE_BYTES);
  private final ListTurns turns = new ListTurns();

  /** Blocks of job numbers belong to their shard for ever; one entry for a thousand jobs. */
  private final Map<Long, Integer> births = new ConcurrentHashMap<>();

  /**
   * @param cluster tells where the owners answer
   * @param codec turns bytes into records
   * @param token gives the value of the header X-Millrace-Token
   * @param home has the certificate by which servers of other hosts are known
   */
  public QueryClient(ClusterView cluster, RecordCodec codec, Supplier<String> token, Path home) {
    this(cluster, codec, token, home, ANSWER_MAX);
  }

  /** A client that waits another time for one answer, head and body. */
  QueryClient(
      ClusterView cluster,
      RecordCodec codec,
      Supplier<String> token,
      Path home,
      Duration answerMax) {
    this.home = home;
    this.cluster = cluster;
    this.codec = codec;
    this.token = token;
    this.answerMax = answerMax;
  }

  /** Has to be told when the client of a list is waited for. */
  public ListTurns turns() {
    return turns;
  }

  @Override
  public Optional<Job> job(long number) throws QueryException, InterruptedException {
    return about("job/" + number + "?shard=", number, Job.class).stream().findFirst();
  }

  @Override
  public List<Dependent> dependents(Job job) throws QueryException, InterruptedException {
    return job.getDependents() == 0
        ? List.of()
        : about("dependents/" + job.getNumber() + "?shard=", job.getNumber(), Dependent.class);
  }

  @Override
  public List<Job> subjobs(Job array, int from) throws QueryException, InterruptedException {
    String what =
        "subjobs/%d?from=%d&limit=%d&shard=".formatted(array.getNumber(), from, SUBJOBS_AT_ONCE);
    return about(what, array.getNumber(), Job.class);
  }

  /** Asks the shard in which the job lives; nothing when there is no such job. */
  private <T extends SpecificRecord> List<T> about(String what, long number, Class<T> type)
      throws QueryException, InterruptedException {
    OptionalInt birth = birth(number);
    if (birth.isEmpty()) {
      return List.of();
    }
    int shard = birth.getAsInt();
    for (int hop = 0; hop < HOPS_MAX; hop++) {
      QueryAnswer<T> answer = get(shard, "/v1/" + what + shard, type);
      if (answer.status() == 200) {
        return answer.records();
      }
      if (answer.status() != 409 && shard == birth.getAsInt()) {
        return List.of();
      }
      // The job has moved on meanwhile, so its birth shard is asked again.
      shard = answer.status() == 409 ? answer.elsewhere() : birth.getAsInt();
    }
    throw new QueryException("job " + number + " moves between shards; try again");
  }

  @Override
  public OptionalInt birth(long job) throws QueryException, InterruptedException {
    long number = JobNumbers.array(job);
    Integer known = births.get(number / BLOCK);
    if (known != null) {
      return OptionalInt.of(known);
    }
    int shard = Topics.ADMINISTRATIVE_SHARD;
    LocalCaller.LocalAnswer response = ask(shard, "/v1/birth/" + number + "?shard=" + shard);
    if (response.status() == 404) {
      return OptionalInt.empty();
    }
    try {
      String text = new String(response.body(), StandardCharsets.UTF_8).strip();
      int birth = Integer.parseInt(text);
      births.put(number / BLOCK, birth);
      return OptionalInt.of(birth);
    } catch (NumberFormatException e) {
      throw broken(shard, e);
    }
  }

  @Override
  public void jobs(JobFilter filter, RecordReceiver<Job> each)
      throws QueryException, InterruptedException {
    List<JobPages> sources = new ArrayList<>();
    for (int shard : cluster.shards()) {
      sources.add(new JobPages(shard, filter, pageRoom, path -> page(shard, path)));
    }
    turns.take(filter.asker(), () -> JobPages.merge(sources, fan, each));
  }

  @Override
  public List<Queue> queues() throws QueryException, InterruptedException {
    return everywhere("/v1/queues?shard=", Queue.class);
  }

  @Override
  public List<Node> nodes() throws QueryException, InterruptedException {
    return everywhere("/v1/nodes?shard=", Node.class);
  }

  @Override
  public List<Reservation> reservations() throws QueryException, InterruptedException {
    return reservations(false);
  }

  @Override
  public List<Reservation> reservationRows() throws QueryException, InterruptedException {
    return reservations(true);
  }

  private List<Reservation> reservations(boolean rows) throws QueryException, InterruptedException {
    ReservationPages.ReservationSource source =
        (shard, path) -> {
          QueryAnswer<Reservation> answer = good(shard, path, Reservation.class);
          return new ReservationPages.ReservationPage(answer.records(), answer.bytes());
        };
    List<Callable<List<Reservation>>> questions = new ArrayList<>();
    for (int shard : cluster.shards()) {
      questions.add(() -> new ReservationPages(source).all(shard, rows));
    }
    return fan.all(questions).stream().flatMap(List::stream).toList();
  }

  @Override
  public List<FreeNode> freeNodes(long fromMs, long toMs)
      throws QueryException, InterruptedException {
    List<Callable<List<FreeNode>>> questions = new ArrayList<>();
    for (int shard : cluster.shards()) {
      String path = "/v1/free-nodes?shard=" + shard + "&from=" + fromMs + "&to=" + toMs;
      questions.add(() -> freeNodes(shard, path));
    }
    return fan.all(questions).stream().flatMap(List::stream).toList();
  }

  private List<FreeNode> freeNodes(int shard, String path)
      throws QueryException, InterruptedException {
    try {
      return lines(shard, path).stream().map(FreeNode::of).toList();
    } catch (IllegalArgumentException e) {
      throw broken(shard, e);
    }
  }

  private List<String> lines(int shard, String path) throws QueryException, InterruptedException {
    LocalCaller.LocalAnswer response = ask(shard, path);
    if (response.status() != 200) {
      throw new QueryException(answered(shard, response.status()));
    }
    return new String(response.body(), StandardCharsets.UTF_8).lines().toList();
  }

  @Override
  public List<NodeBooking> bookings(int shard, String node)
      throws QueryException, InterruptedException {
    String path = "/v1/bookings?shard=" + shard + "&node=" + encode(node);
    return list(shard, path, NodeBooking.class);
  }

  @Override
  public List<PastReservation> pastReservations() throws QueryException, InterruptedException {
    return everywhere("/v1/past-reservations?shard=", PastReservation.class);
  }

  @Override
  public List<ReservationWhole> wholes() throws QueryException, InterruptedException {
    return everywhere("/v1/wholes?shard=", ReservationWhole.class);
  }

  @Override
  public Optional<Reservation> reservation(long number)
      throws QueryException, InterruptedException {
    OptionalInt birth = birth(number);
    if (birth.isEmpty()) {
      return Optional.empty();
    }
    String path = "/v1/reservation/" + number + "?shard=" + birth.getAsInt();
    return get(birth.getAsInt(), path, Reservation.class).records().stream().findFirst();
  }

  @Override
  public List<Scheduler> schedulers() throws QueryException, InterruptedException {
    return everywhere("/v1/schedulers?shard=", Scheduler.class);
  }

  @Override
  public List<Scheduler> schedulers(int shard) throws QueryException, InterruptedException {
    return list(shard, "/v1/schedulers?shard=" + shard, Scheduler.class);
  }

  @Override
  public List<EntityUsage> usages(int shard) throws QueryException, InterruptedException {
    return list(shard, "/v1/usages?shard=" + shard, EntityUsage.class);
  }

  @Override
  public Optional<Reason> reason(int shard, String scheduler, String classKey)
      throws QueryException, InterruptedException {
    String path = "/v1/reason?shard=" + shard + "&scheduler=" + encode(scheduler);
    QueryAnswer<Reason> answer = get(shard, path + "&class=" + encode(classKey), Reason.class);
    return answer.records().stream().findFirst();
  }

  static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private JobPages.JobPage page(int shard, String path)
      throws QueryException, InterruptedException {
    QueryAnswer<Job> answer = good(shard, path, Job.class);
    return new JobPages.JobPage(answer.records(), answer.bytes());
  }

  private <T extends SpecificRecord> List<T> everywhere(String path, Class<T> type)
      throws QueryException, InterruptedException {
    List<Callable<List<T>>> questions = new ArrayList<>();
    for (int shard : cluster.shards()) {
      questions.add(() -> list(shard, path + shard, type));
    }
    return fan.all(questions).stream().flatMap(List::stream).toList();
  }

  private <T extends SpecificRecord> List<T> list(int shard, String path, Class<T> type)
      throws QueryException, InterruptedException {
    return good(shard, path, type).records();
  }

  private <T extends SpecificRecord> QueryAnswer<T> good(int shard, String path, Class<T> type)
      throws QueryException, InterruptedException {
    QueryAnswer<T> answer = get(shard, path, type);
    if (answer.status() != 200) {
      throw new QueryException(answered(shard, answer.status()));
    }
    return answer;
  }

  /** Records with status 200; no records with 404 and 409. */
  private record QueryAnswer<T>(int status, int elsewhere, int bytes, List<T> records) {}

  private <T extends SpecificRecord> QueryAnswer<T> get(int shard, String path, Class<T> type)
      throws QueryException, InterruptedException {
    LocalCaller.LocalAnswer response = ask(shard, path);
    try {
      int status = response.status();
      if (status == 200) {
        InputStream body = new ByteArrayInputStream(response.body());
        return new QueryAnswer<>(
            status, shard, response.body().length, RecordFrames.read(body, codec, type));
      }
      if (status != 404 && status != 409) {
        throw new QueryException(answered(shard, status));
      }
      String elsewhere = response.header("X-Millrace-Shard").orElse("" + shard);
      return new QueryAnswer<>(status, Integer.parseInt(elsewhere), 0, List.of());
    } catch (IOException | NumberFormatException e) {
      throw broken(shard, e);
    }
  }

  /** A server that starts anew owns its shards before it has read them. */
  static String answered(int shard, int status) {
    return status == NOT_READY
        ? "shard " + shard + " is not ready yet"
        : "shard " + shard + " answered HTTP " + status;
  }

  /** Asks the owner; while a shard passes from one owner to the next, asks again. */
  private LocalCaller.LocalAnswer ask(int shard, String path)
      throws QueryException, InterruptedException {
    long deadline = System.nanoTime() + OWNER_MAX.toNanos();
    String failure = "shard " + shard + " has no owner";
    do {
      Optional<ShardOwner> owner = cluster.owner(shard);
      if (owner.isPresent()) {
        try {
          LocalCaller.LocalAnswer response = exchange(owner.get().getQueryAddress(), path);
          if (response.status() < 500) {
            return response;
          }
          failure = answered(shard, response.status());
        } catch (StrangeListener e) {
          failure = "shard " + shard + ": " + e.getMessage();
        } catch (IOException e) {
          failure = "shard " + shard + " at " + owner.get().getQueryAddress() + " does not answer";
        }
      }
      Thread.sleep(AGAIN_MS);
    } while (System.nanoTime() < deadline);
    throw new QueryException(failure);
  }

  /** Nobody but the owner's own account is told the token: the socket says who listens. */
  private LocalCaller.LocalAnswer exchange(String address, String path)
      throws IOException, InterruptedException {
    if (address.startsWith(REMOTE)) {
      return far(address.substring(REMOTE.length()), path);
    }
    if (!address.startsWith(LOCAL)) {
      throw new IOException(address + " is no Unix socket of this host");
    }
    Path socket = Path.of(address.substring(LOCAL.length()));
    return caller.get(socket, path, Map.of("X-Millrace-Token", token.get()), answerMax);
  }

  /** Nobody who does not show the cluster's certificate is told the token. */
  private LocalCaller.LocalAnswer far(String address, String path)
      throws IOException, InterruptedException {
    if (trust == null) {
      trust = ListeningPlaces.trust(home);
    }
    InetSocketAddress server;
    try {
      server = SocketText.parse(address);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
    return caller.get(server, trust, path, Map.of("X-Millrace-Token", token.get()), answerMax);
  }

  private static QueryException broken(int shard, Exception e) {
    return new QueryException("shard " + shard + ": broken answer: " + e.getMessage());
  }
}
