package io.millrace.server.streams;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.millrace.schemas.JobNumbers;
import io.millrace.schemas.Topics;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobBlock;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Whereabouts;
import io.millrace.server.core.Keys;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the gateways' queries from the stores: frames of 4 bytes length and one encoded record.
 * 404: there is no such object; 409 with X-Millrace-Shard: it lives in that shard; 503: this
 * process does not hold the shard.
 */
final class QueryServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(QueryServer.class);
  private static final int THREADS = 8;

  /** From so many subjobs on it is cheaper to look for what stands behind them. */
  private static final int PASSED_MAX = 50;

  private static final int WAITING = 256;
  private static final int JOBS_DEFAULT = 10_000;
  private static final long JOBS_BYTES_DEFAULT = 64L << 20;

  /** A gateway's request comes in one piece, and it reads the answer without a pause. */
  static final int REQUEST_MAX_S = 3;

  private static final int ANSWER_MAX_S = 60;

  private final OwnedShards owned;
  private final StoreReader reader;
  private final LiveUsages usages;
  private final byte[] token;
  private final HttpServer http;
  private final ThreadPoolExecutor threads;

  /**
   * @param usages what answers say about jobs that run
   */
  QueryServer(ServerSettings settings, OwnedShards owned, StoreReader reader, LiveUsages usages)
      throws IOException {
    this.owned = owned;
    this.reader = reader;
    this.usages = usages;
    this.token = settings.queryToken().getBytes(StandardCharsets.UTF_8);
    // Head and body go out in two writes; with Nagle's rule the second waits 40 ms for an
    // acknowledgement. The JDK's server knows this switch only.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    // Whoever can connect holds a thread until his request is whole: without these limits, for
    // ever.
    System.setProperty("sun.net.httpserver.maxReqTime", String.valueOf(REQUEST_MAX_S));
    System.setProperty("sun.net.httpserver.maxRspTime", String.valueOf(ANSWER_MAX_S));
    int colon = settings.queries().lastIndexOf(':');
    http =
        HttpServer.create(
            new InetSocketAddress(
                settings.queries().substring(0, colon),
                Integer.parseInt(settings.queries().substring(colon + 1))),
            WAITING);
    threads =
        new ThreadPoolExecutor(
            THREADS, THREADS, 30, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING));
    threads.allowCoreThreadTimeOut(true);
    http.setExecutor(threads);
    http.createContext("/v1/", this::answer);
  }

  String address() {
    return http.getAddress().getHostString() + ":" + http.getAddress().getPort();
  }

  void start() {
    http.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      answerKnown(exchange);
    } catch (IOException e) {
      LOG.debug("a query was broken off: {}", e.toString());
    }
  }

  private void answerKnown(HttpExchange exchange) throws IOException {
    try {
      String shown = exchange.getRequestHeaders().getFirst("X-Millrace-Token");
      if (shown == null || !MessageDigest.isEqual(shown.getBytes(StandardCharsets.UTF_8), token)) {
        plain(exchange, 403, "token missing or wrong");
        return;
      }
      try {
        query(exchange);
      } catch (InvalidStateStoreException e) {
        plain(exchange, 503, "shard is not ready: " + e.getMessage());
      } catch (IllegalArgumentException e) {
        plain(exchange, 400, e.getMessage());
      }
    } catch (RuntimeException e) {
      // A gateway takes a connection that just ends for an owner that is gone, and asks again.
      LOG.error("query {} failed", exchange.getRequestURI(), e);
      if (exchange.getResponseCode() < 0) {
        plain(exchange, 500, "the query failed: see the server's log");
      }
    }
  }

  private void query(HttpExchange exchange) throws IOException {
    String[] path = exchange.getRequestURI().getPath().split("/");
    Map<String, String> parameters = parameters(exchange.getRequestURI().getRawQuery());
    String kind = path.length > 2 ? path[2] : "";
    if (kind.equals("birth") && path.length > 3) {
      birth(exchange, Long.parseLong(path[3]));
      return;
    }
    int shard = Integer.parseInt(parameters.getOrDefault("shard", "0"));
    if (!owned.holds(shard)) {
      plain(exchange, 503, "shard " + shard + " is not here");
      return;
    }
    switch (kind) {
      case "job" -> job(exchange, shard, Long.parseLong(path[3]));
      case "dependents" -> dependents(exchange, shard, Long.parseLong(path[3]));
      case "subjobs" -> {
        long array = Long.parseLong(path[3]);
        int from = Integer.parseInt(parameters.getOrDefault("from", "0"));
        int limit = Integer.parseInt(parameters.getOrDefault("limit", "1000"));
        subjobs(exchange, shard, array, from, limit);
      }
      case "jobs" -> jobs(exchange, shard, parameters);
      case "queues", "nodes", "schedulers", "reasons", "changes" -> all(exchange, shard, kind);
      case "reason" -> {
        String key = Keys.reason(parameters.get("scheduler"), parameters.get("class"));
        one(exchange, reader.bytes(shard, "reasons", key));
      }
      default -> plain(exchange, 404, "no such query: " + kind);
    }
  }

  private static Map<String, String> parameters(String query) {
    Map<String, String> parameters = new HashMap<>();
    if (query != null) {
      for (String pair : query.split("&")) {
        int equals = pair.indexOf('=');
        if (equals > 0) {
          parameters.put(
              pair.substring(0, equals),
              URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
        }
      }
    }
    return parameters;
  }

  private void birth(HttpExchange exchange, long number) throws IOException {
    if (!owned.holds(Topics.ADMINISTRATIVE_SHARD)) {
      plain(exchange, 503, "the administrative shard is not here");
      return;
    }
    JobBlock block =
        reader.get(Topics.ADMINISTRATIVE_SHARD, "blocks", Keys.block(number), JobBlock.class);
    if (block == null) {
      plain(exchange, 404, "no shard has this number");
    } else {
      plain(exchange, 200, String.valueOf(block.getShard()));
    }
  }

  private void job(HttpExchange exchange, int shard, long number) throws IOException {
    byte[] job = reader.bytes(shard, "jobs", Keys.number(number));
    if (job != null || !elsewhere(exchange, shard, number)) {
      // It may have come back between the two looks.
      byte[] found = job != null ? job : reader.bytes(shard, "jobs", Keys.number(number));
      one(exchange, found == null ? null : live(found));
    }
  }

  /** A job's record as it is answered: of a job that runs with what it has used until now. */
  private byte[] live(byte[] record) {
    return live((Job) reader.decode(record), record);
  }

  private byte[] live(Job job, byte[] record) {
    return usages.complete(job, System.currentTimeMillis()) ? reader.encode(job) : record;
  }

  /** Says so when the job lives in another shard. */
  private boolean elsewhere(HttpExchange exchange, int shard, long number) throws IOException {
    String key = Keys.number(JobNumbers.array(number));
    Whereabouts where = reader.get(shard, "whereabouts", key, Whereabouts.class);
    if (where == null || where.getShard() == shard) {
      return false;
    }
    exchange.getResponseHeaders().set("X-Millrace-Shard", String.valueOf(where.getShard()));
    plain(exchange, 409, "the job lives in shard " + where.getShard());
    return true;
  }

  private void dependents(HttpExchange exchange, int shard, long number) throws IOException {
    if (known(exchange, shard, number)) {
      String prefix = Keys.number(number) + "/";
      send(exchange, shard, "dependents", prefix, prefix, Integer.MAX_VALUE);
    }
  }

  /** Subjobs that have records, from an index on. */
  private void subjobs(HttpExchange exchange, int shard, long number, int from, int limit)
      throws IOException {
    if (known(exchange, shard, number)) {
      String first = Keys.number(JobNumbers.subjob(number, from));
      send(exchange, shard, "jobs", first, Keys.number(number) + Keys.SUBJOBS, limit);
    }
  }

  /** Whether the job is here; if not, that is answered. */
  private boolean known(HttpExchange exchange, int shard, long number) throws IOException {
    String key = Keys.number(number);
    if (reader.bytes(shard, "jobs", key) != null) {
      return true;
    }
    if (elsewhere(exchange, shard, number)) {
      return false;
    }
    // It may have come back between the two looks.
    boolean here = reader.bytes(shard, "jobs", key) != null;
    if (!here) {
      plain(exchange, 404, "unknown");
    }
    return here;
  }

  /** The records from a key on as long as their keys have a prefix. */
  private void send(
      HttpExchange exchange, int shard, String table, String from, String prefix, int limit)
      throws IOException {
    boolean jobs = table.equals("jobs");
    int[] sent = {0};
    try (DataOutputStream body = stream(exchange)) {
      reader.scan(
          shard,
          table,
          from,
          (key, record) -> {
            boolean his = key.startsWith(prefix) && sent[0] < limit;
            if (his) {
              frame(body, jobs ? live(record) : record);
              sent[0]++;
            }
            return his;
          });
    }
  }

  private static void one(HttpExchange exchange, byte[] record) throws IOException {
    if (record == null) {
      plain(exchange, 404, "unknown");
      return;
    }
    exchange.sendResponseHeaders(200, record.length + Integer.BYTES);
    try (DataOutputStream body = new DataOutputStream(exchange.getResponseBody())) {
      body.writeInt(record.length);
      body.write(record);
    }
  }

  private void all(HttpExchange exchange, int shard, String table) throws IOException {
    try (DataOutputStream body = stream(exchange)) {
      reader.scan(
          shard,
          table,
          null,
          (key, record) -> {
            frame(body, record);
            return true;
          });
    }
  }

  private void jobs(HttpExchange exchange, int shard, Map<String, String> wanted)
      throws IOException {
    String from = wanted.containsKey("after") ? behind(Long.parseLong(wanted.get("after"))) : null;
    int limit = Integer.parseInt(wanted.getOrDefault("limit", String.valueOf(JOBS_DEFAULT)));
    long bytes = Long.parseLong(wanted.getOrDefault("bytes", String.valueOf(JOBS_BYTES_DEFAULT)));
    boolean history = Boolean.parseBoolean(wanted.getOrDefault("history", "false"));
    String queue = wanted.get("queue");
    String owner = wanted.get("owner");
    int[] sent = {0};
    long[] sentBytes = {0};
    try (DataOutputStream body = stream(exchange)) {
      withoutSubjobs(
          shard,
          from,
          (key, record) -> {
            Job job = (Job) reader.decode(record);
            boolean shown =
                (history || job.getStatus() != JobStatus.FINISHED)
                    && (queue == null || queue.equals(job.getSpec().getQueue()))
                    && (owner == null || owner.equals(job.getSpec().getOwner()));
            if (shown) {
              byte[] answer = live(job, record);
              frame(body, answer);
              sent[0]++;
              sentBytes[0] += Integer.BYTES + answer.length;
            }
            return sent[0] < limit && sentBytes[0] < bytes;
          });
    }
  }

  /** Visits jobs and arrays. Where an array has many subjobs behind it they are not even read. */
  private void withoutSubjobs(int shard, String from, StoreReader.Visitor visitor)
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

  private static DataOutputStream stream(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    return new DataOutputStream(new BufferedOutputStream(exchange.getResponseBody(), 1 << 16));
  }

  private static void frame(DataOutputStream body, byte[] record) throws IOException {
    body.writeInt(record.length);
    body.write(record);
  }

  private static void plain(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    try (OutputStream body = exchange.getResponseBody()) {
      body.write(bytes);
    }
  }

  @Override
  public void close() {
    http.stop(0);
    threads.shutdown();
  }
}
