package io.millrace.server.streams;

import io.millrace.schemas.Topics;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobBlock;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.NodeBooking;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.Scheduler;
import io.millrace.schemas.state.Whereabouts;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.Keys;
import io.millrace.server.http.AnswerWriter;
import io.millrace.server.http.HttpAnswer;
import io.millrace.server.http.RequestTarget;
import io.millrace.server.http.RouteTable;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** What can be asked of the stores; answers are frames of 4 bytes length and one encoded record. */
final class StoreQueries {

  /** From so many subjobs on it is cheaper to look for what stands behind them. */
  private static final int PASSED_MAX = 50;

  /** Those that are told whole. */
  private static final List<String> TABLES =
      List.of("queues", "nodes", "past-reservations", "wholes", "reasons", "changes", "usages");

  private static final ResourceRequest NOTHING_ASKED =
      new ResourceRequest(List.of(), "", -1L, Map.of());

  private static final int JOBS_DEFAULT = 10_000;
  private static final long JOBS_BYTES_DEFAULT = 64L << 20;

  private final OwnedShards owned;
  private final StoreReader reader;
  private final LiveUsages usages;
  private final Predicate<String> inCycle;
  private final RouteTable<StoreQuery> routes = new RouteTable<>();

  /**
   * @param inCycle whether the engine of a scheduler object is in a cycle in this process
   */
  StoreQueries(
      OwnedShards owned, StoreReader reader, LiveUsages usages, Predicate<String> inCycle) {
    this.inCycle = inCycle;
    this.owned = owned;
    this.reader = reader;
    this.usages = usages;
    routes.add("GET", "/v1/birth/{number}", this::birth);
    routes.add("GET", "/v1/job/{number}", this::job);
    routes.add("GET", "/v1/dependents/{number}", this::dependents);
    routes.add("GET", "/v1/subjobs/{number}", this::subjobs);
    routes.add("GET", "/v1/jobs", this::jobs);
    routes.add("GET", "/v1/reason", this::reason);
    routes.add("GET", "/v1/reservation/{number}", this::reservation);
    routes.add("GET", "/v1/reservations", this::reservations);
    routes.add("GET", "/v1/bookings", this::bookings);
    routes.add("GET", "/v1/free-nodes", this::freeNodes);
    for (String table : TABLES) {
      routes.add("GET", "/v1/" + table, asked -> all(asked.shard(), table));
    }
    routes.add("GET", "/v1/schedulers", this::schedulers);
  }

  /** Answers one kind of query. */
  private interface StoreQuery {
    HttpAnswer answer(QueryValues asked);
  }

  /** The values of a request: the number in its path, and its query parameters. */
  private record QueryValues(Map<String, String> variables, Map<String, String> query) {

    long number() {
      return Long.parseLong(variables.get("number"));
    }

    int shard() {
      return number("shard", Topics.ADMINISTRATIVE_SHARD);
    }

    int number(String name, int whenAbsent) {
      String text = query.get(name);
      return text == null ? whenAbsent : Integer.parseInt(text);
    }

    long number(String name, long whenAbsent) {
      String text = query.get(name);
      return text == null ? whenAbsent : Long.parseLong(text);
    }
  }

  /**
   * @param text path and query
   * @throws IllegalArgumentException when a value is not what it should be
   */
  HttpAnswer answer(String method, String text) {
    RequestTarget target = RequestTarget.of(text);
    Optional<RouteTable.RouteMatch<StoreQuery>> found = routes.find(method, target.path());
    if (found.isEmpty()) {
      return plain(404, "no such query: " + target.path());
    }
    Map<String, String> query = new HashMap<>();
    target.query().forEach(value -> query.put(value.name(), value.value()));
    QueryValues asked = new QueryValues(found.get().variables(), query);
    return owned.holds(asked.shard()) ? found.get().route().answer(asked) : gone(asked.shard());
  }

  private static HttpAnswer gone(int shard) {
    return plain(503, "shard " + shard + " is not here");
  }

  private HttpAnswer birth(QueryValues asked) {
    if (!owned.holds(Topics.ADMINISTRATIVE_SHARD)) {
      return plain(503, "the administrative shard is not here");
    }
    String key = Keys.block(asked.number());
    JobBlock block = reader.get(Topics.ADMINISTRATIVE_SHARD, "blocks", key, JobBlock.class);
    return block == null
        ? plain(404, "no shard has this number")
        : plain(200, String.valueOf(block.getShard()));
  }

  private HttpAnswer job(QueryValues asked) {
    String key = Keys.number(asked.number());
    byte[] job = reader.bytes(asked.shard(), "jobs", key);
    if (job == null) {
      Optional<HttpAnswer> elsewhere = elsewhere(asked);
      if (elsewhere.isPresent()) {
        return elsewhere.get();
      }
      // The job may have returned between the two reads.
      job = reader.bytes(asked.shard(), "jobs", key);
    }
    return one(job == null ? null : live(job));
  }

  /** The job's record for an answer, with the usage so far when it runs. */
  private byte[] live(byte[] record) {
    return live((Job) reader.decode(record), record);
  }

  private byte[] live(Job job, byte[] record) {
    return usages.complete(job, System.currentTimeMillis()) ? reader.encode(job) : record;
  }

  /** The answer that the job lives in another shard; empty when it does not. */
  private Optional<HttpAnswer> elsewhere(QueryValues asked) {
    String key = Keys.number(JobNumbers.array(asked.number()));
    Whereabouts where = reader.get(asked.shard(), "whereabouts", key, Whereabouts.class);
    if (where == null || where.getShard() == asked.shard()) {
      return Optional.empty();
    }
    return Optional.of(
        plain(409, "the job lives in shard " + where.getShard())
            .with("X-Millrace-Shard", String.valueOf(where.getShard())));
  }

  private HttpAnswer dependents(QueryValues asked) {
    String prefix = Keys.number(asked.number()) + "/";
    KeyRange range = new KeyRange(asked.shard(), "dependents", prefix, prefix, Integer.MAX_VALUE);
    return unknown(asked).orElseGet(() -> range(range));
  }

  /** Subjobs that have records, from an index on. */
  private HttpAnswer subjobs(QueryValues asked) {
    String first = Keys.number(JobNumbers.subjob(asked.number(), asked.number("from", 0)));
    String prefix = Keys.number(asked.number()) + Keys.SUBJOBS;
    KeyRange range =
        new KeyRange(asked.shard(), "jobs", first, prefix, asked.number("limit", 1000));
    return unknown(asked).orElseGet(() -> range(range));
  }

  /** The answer when the job is not here. */
  private Optional<HttpAnswer> unknown(QueryValues asked) {
    String key = Keys.number(asked.number());
    if (reader.bytes(asked.shard(), "jobs", key) != null) {
      return Optional.empty();
    }
    Optional<HttpAnswer> elsewhere = elsewhere(asked);
    // The job may have returned between the two reads.
    return elsewhere.isPresent() || reader.bytes(asked.shard(), "jobs", key) != null
        ? elsewhere
        : Optional.of(plain(404, "unknown"));
  }

  /** The records from a key on as long as their keys have a prefix. */
  private record KeyRange(int shard, String table, String from, String prefix, int limit) {}

  private HttpAnswer range(KeyRange range) {
    boolean jobs = range.table().equals("jobs");
    return frames(
        body -> {
          int[] sent = {0};
          reader.scan(
              range.shard(),
              range.table(),
              range.from(),
              (key, record) -> {
                boolean his = key.startsWith(range.prefix()) && sent[0] < range.limit();
                if (his) {
                  frame(body, jobs ? live(record) : record);
                  sent[0]++;
                }
                return his;
              });
        });
  }

  private HttpAnswer reason(QueryValues asked) {
    String key = Keys.reason(asked.query().get("scheduler"), asked.query().get("class"));
    return one(reader.bytes(asked.shard(), "reasons", key));
  }

  /** What reservations have booked of a node, in the order of their starts. */
  private HttpAnswer bookings(QueryValues asked) {
    OwnedShards.LiveTables live = owned.live(asked.shard());
    if (live == null) {
      return gone(asked.shard());
    }
    String prefix = Keys.bookings(asked.query().getOrDefault("node", ""));
    List<NodeBooking> found = new ArrayList<>();
    live.bookings().scan(prefix, prefix + StoreTable.LAST, (key, booking) -> found.add(booking));
    return frames(
        body -> {
          for (NodeBooking booking : found) {
            frame(body, reader.encode(booking));
          }
        });
  }

  /**
   * The nodes that are up and of which nothing is booked in a window: in each line name, host and
   * the numbers of the jobs that run there, between commas, with tabs between the three.
   */
  private HttpAnswer freeNodes(QueryValues asked) {
    OwnedShards.LiveTables live = owned.live(asked.shard());
    if (live == null) {
      return gone(asked.shard());
    }
    long fromMs = asked.number("from", 0L);
    long toMs = asked.number("to", Long.MAX_VALUE);
    StringBuilder lines = new StringBuilder();
    for (Node node : live.nodes()) {
      if (node.getUp() && !live.bookings().anyWithin(node.getName(), fromMs, toMs)) {
        lines.append(node.getName()).append('\t').append(node.getHost()).append('\t');
        String comma = "";
        for (Holding holding : node.getHoldings()) {
          lines.append(comma).append(holding.getNumber());
          comma = ",";
        }
        lines.append('\n');
      }
    }
    return plain(200, lines.toString());
  }

  /** Those from a number on that have so many bytes together, or a little more. */
  private HttpAnswer reservations(QueryValues asked) {
    if (Boolean.parseBoolean(asked.query().get("rows"))) {
      return reservationRows(asked);
    }
    String from = Keys.number(asked.number("from", 0L));
    long bytes = asked.number("bytes", Long.MAX_VALUE);
    return frames(
        body -> {
          long[] sent = {0};
          reader.scan(
              asked.shard(),
              "reservations",
              from,
              (key, record) -> {
                frame(body, record);
                sent[0] += Integer.BYTES + record.length;
                return sent[0] < bytes;
              });
        });
  }

  /** The same with what rows of a list show: of ten thousand, no record is read. */
  private HttpAnswer reservationRows(QueryValues asked) {
    OwnedShards.LiveTables live = owned.live(asked.shard());
    if (live == null) {
      return gone(asked.shard());
    }
    long from = asked.number("from", 0L);
    long bytes = asked.number("bytes", Long.MAX_VALUE);
    List<Reservation> rest = new ArrayList<>();
    for (Reservation one : live.reservations()) {
      if (one.getNumber() >= from) {
        rest.add(one);
      }
    }
    rest.sort(Comparator.comparingLong(Reservation::getNumber));
    return frames(
        body -> {
          long sent = 0;
          for (int i = 0; i < rest.size() && sent < bytes; i++) {
            byte[] row = reader.encode(row(rest.get(i)));
            frame(body, row);
            sent += Integer.BYTES + row.length;
          }
        });
  }

  /** A record without what no row of a list shows: where it lies, and what it asks for. */
  private static Reservation row(Reservation one) {
    ReservationSpec spec = Copies.of(one.getSpec());
    spec.setVariables(List.of());
    spec.setLaterMs(List.of());
    spec.setResourceList(List.of());
    spec.setRequest(NOTHING_ASKED);
    Reservation row = Copies.of(one);
    row.setSpec(spec);
    row.setShares(List.of());
    row.setNodes("");
    row.setBooked(List.of());
    row.setPlacements(List.of());
    row.setLies(List.of());
    row.setPast(List.of());
    row.setUsual(null);
    row.setAsked(null);
    row.setPending(null);
    return row;
  }

  private HttpAnswer reservation(QueryValues asked) {
    return one(reader.bytes(asked.shard(), "reservations", Keys.number(asked.number())));
  }

  private HttpAnswer all(int shard, String table) {
    return frames(
        body ->
            reader.scan(
                shard,
                table,
                null,
                (key, record) -> {
                  frame(body, record);
                  return true;
                }));
  }

  private HttpAnswer schedulers(QueryValues asked) {
    return frames(
        body ->
            reader.scan(
                asked.shard(),
                "schedulers",
                null,
                (name, record) -> {
                  frame(body, inCycle.test(name) ? working(record) : record);
                  return true;
                }));
  }

  /** The record of a scheduler object whose engine is in a cycle. */
  private byte[] working(byte[] record) {
    Scheduler scheduler = (Scheduler) reader.decode(record);
    scheduler.setInCycle(true);
    return reader.encode(scheduler);
  }

  private HttpAnswer jobs(QueryValues asked) {
    Map<String, String> wanted = asked.query();
    String after = wanted.get("after");
    String from = after == null ? null : behind(Long.parseLong(after));
    int limit = asked.number("limit", JOBS_DEFAULT);
    long bytes = asked.number("bytes", JOBS_BYTES_DEFAULT);
    return frames(
        body -> {
          int[] sent = {0};
          long[] sentBytes = {0};
          withoutSubjobs(
              asked.shard(),
              from,
              (key, record) -> {
                Job job = (Job) reader.decode(record);
                if (shown(job, wanted)) {
                  byte[] answer = live(job, record);
                  frame(body, answer);
                  sent[0]++;
                  sentBytes[0] += Integer.BYTES + answer.length;
                }
                return sent[0] < limit && sentBytes[0] < bytes;
              });
        });
  }

  private static boolean shown(Job job, Map<String, String> wanted) {
    boolean history = Boolean.parseBoolean(wanted.getOrDefault("history", "false"));
    String queue = wanted.get("queue");
    String owner = wanted.get("owner");
    return (history || job.getStatus() != JobStatus.FINISHED)
        && (queue == null || queue.equals(job.getSpec().getQueue()))
        && (owner == null || owner.equals(job.getSpec().getOwner()));
  }

  /** Visits jobs and arrays. Where an array has many subjobs behind it they are not even read. */
  private void withoutSubjobs(int shard, String from, StoreReader.EncodedRecordVisitor visitor)
      throws IOException {
    String[] next = {from};
    boolean[] on = {true};
    while (on[0]) {
      int[] passed = {0};
      on[0] = false;
      reader.scan(
          shard,
          "jobs",
          next[0],
          (key, record) -> {
            boolean subjob = Keys.isSubjob(key);
            if (subjob && ++passed[0] > PASSED_MAX) {
              next[0] = Keys.behindSubjobs(key);
              on[0] = true;
            } else if (!subjob) {
              passed[0] = 0;
            }
            return !on[0] && (subjob || visitor.visit(key, record));
          });
    }
  }

  /** The first key behind that of a job and of its subjobs; -1 is before all. */
  private static String behind(long number) {
    return number < 0 ? "" : Keys.behindSubjobs(Keys.number(number));
  }

  private static HttpAnswer one(byte[] record) {
    if (record == null) {
      return plain(404, "unknown");
    }
    byte[] framed =
        ByteBuffer.allocate(Integer.BYTES + record.length)
            .putInt(record.length)
            .put(record)
            .array();
    return HttpAnswer.whole(200, "application/octet-stream", framed);
  }

  /** Writes frames, one after the other. */
  private interface FrameWriter {
    void write(DataOutputStream body) throws IOException;
  }

  private static HttpAnswer frames(FrameWriter frames) {
    AnswerWriter writer = body -> frames.write(new DataOutputStream(body));
    return HttpAnswer.written("application/octet-stream", writer);
  }

  private static void frame(DataOutputStream body, byte[] record) throws IOException {
    body.writeInt(record.length);
    body.write(record);
  }

  static HttpAnswer plain(int status, String text) {
    return HttpAnswer.whole(
        status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
  }
}
