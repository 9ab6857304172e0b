package io.millrace.ops.bench.reservations;

import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.bench.site.BenchSite;
import io.millrace.ops.bench.site.Benchmark;
import io.millrace.ops.installation.Installation;
import io.millrace.server.gateway.query.QueryException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * 10,000 reservations of 32 nodes over a year on 2,000: how many two clients make in a second, then
 * commands from the shell beside them and a server that is killed, and all or nothing over eight
 * partitions. All nodes are on one host, so that PluS's commands, which take hosts, ask for one.
 */
public final class ReservationRates implements Benchmark {

  private static final int NODES = 2_000;
  private static final int RESERVATIONS = 10_000;
  private static final int NODES_EACH = 32;
  private static final int CLIENTS = 2;
  private static final int PARTITIONS = 8;
  private static final int NODES_IN_PARTITION = 4;
  private static final int WARM_UPS = 400;
  private static final int CALLS = 200;
  private static final int WHOLES = 100;
  private static final int LOOKS = 20;
  private static final int FREE_WARM_UPS = 100;
  private static final int FREE_LOOKS = 100;
  private static final int PATIENCE_S = 300;
  private static final int LOOK_MS = 20;
  private static final int EVERY_MS = 200;
  private static final long HOUR_S = 3_600;
  private static final long WEEK_S = 7 * 24 * HOUR_S;
  private static final long YEAR_S = 365 * 24 * HOUR_S;

  private final Random random = new Random(1);
  private ReservationCalls calls;

  @Override
  public List<String> upOptions() {
    return List.of(
        "--executor",
        "null",
        "--shards",
        Integer.toString(PARTITIONS),
        "--resources",
        "ncpus=64,mem=64gb",
        "--heap",
        "server=1500m");
  }

  @Override
  public int usualRuns() {
    return 1;
  }

  @Override
  public void prepare(BenchSite site) throws Exception {
    calls = new ReservationCalls(site);
    calls.qmgr("set server max_reservations = [u:PBS_GENERIC=20000]");
    site.console().busy("nodes");
    calls.nodes("n", NODES, "resources_available.ncpus=16");
    for (int i = 0; i < PARTITIONS; i++) {
      calls.qmgr("create sched s" + i + " partition=p" + i + ",scheduling=True");
      calls.nodes(
          "p" + i + "n", NODES_IN_PARTITION, "resources_available.ncpus=16,partition=p" + i);
    }
    site.console().busy("warming up");
    for (String made : made(site, WARM_UPS)) {
      calls.ask(List.of("plus_destroy", "-r", made));
    }
    wholes(WHOLES);
  }

  private static long nowS() {
    return System.currentTimeMillis() / 1000;
  }

  private List<String> window() {
    long startS = nowS() + HOUR_S + random.nextLong(YEAR_S);
    String end = ReservationCalls.time(startS + HOUR_S + random.nextInt(10 * (int) HOUR_S));
    return List.of(ReservationCalls.time(startS), end);
  }

  private List<String> byPlus() {
    List<String> window = window();
    return List.of(
        "plus_reserve", "-s", window.get(0), "-e", window.get(1), "-n", "1", "-ncpu", "16");
  }

  private List<String> byPbs() {
    List<String> window = window();
    String select = "select=" + NODES_EACH + ":ncpus=16";
    return List.of("pbs_rsub", "-I", "10", "-R", window.get(0), "-E", window.get(1), "-l", select);
  }

  @Override
  public BenchFigures run(BenchSite site) throws Exception {
    BenchFigures figures = BenchFigures.none();
    figures = figures.with("restart_without_s", restart(site));
    long begin = System.nanoTime();
    List<String> made = made(site, RESERVATIONS);
    figures = figures.with("made_per_s_by_two", made.size() / ((System.nanoTime() - begin) / 1e9));
    figures = figures.with(shell("plus_reserve", this::byPlus));
    figures = figures.with(shell("pbs_rsub", this::byPbs));
    figures = figures.with(looks(site));
    figures = figures.with(free(site));
    figures = figures.with("restart_with_s", restart(site));
    figures = figures.with(ReservationCalls.figures("eight_partitions", wholes(WHOLES)));
    site.console().busy("cleaning up");
    for (String each : made) {
      site.command(site.folder("reserve"), "plus_destroy", List.of("-r", each));
    }
    return figures;
  }

  private BenchFigures shell(String name, Callable<List<String>> command) throws Exception {
    List<List<String>> lines = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      lines.add(command.call());
    }
    return ReservationCalls.figures(name, calls.times(EVERY_MS, lines));
  }

  private BenchFigures looks(BenchSite site) throws IOException, InterruptedException {
    double[] shown = new double[LOOKS];
    double[] free = new double[LOOKS];
    long startS = nowS() + WEEK_S;
    String from = ReservationCalls.time(startS);
    String to = ReservationCalls.time(startS + WEEK_S);
    for (int i = 0; i < LOOKS; i++) {
      long begin = System.nanoTime();
      calls.ask(List.of("pbs_rstat"));
      shown[i] = (System.nanoTime() - begin) / 1e6;
      begin = System.nanoTime();
      site.command(site.folder("reserve"), "plus_availnodes", List.of("-s", from, "-e", to));
      free[i] = (System.nanoTime() - begin) / 1e6;
    }
    return ReservationCalls.figures("rstat", shown)
        .with(ReservationCalls.figures("availnodes_without_client", free));
  }

  /**
   * The very requests that plus_availnodes makes of the server, with its token: one to each shard,
   * at the same time, each on a connection that was made before; until all nodes are read.
   */
  private static BenchFigures free(BenchSite site) throws IOException, InterruptedException {
    long fromMs = 1000 * (nowS() + WEEK_S);
    double[] ms = new double[FREE_LOOKS];
    try {
      for (int i = -FREE_WARM_UPS; i < FREE_LOOKS; i++) {
        long begin = System.nanoTime();
        int nodes = site.gateway().queries().freeNodes(fromMs, fromMs + 1000 * WEEK_S).size();
        ms[Math.max(0, i)] = (System.nanoTime() - begin) / 1e6;
        if (nodes > NODES + PARTITIONS * NODES_IN_PARTITION) {
          throw new IOException(nodes + " nodes are free: more than there are");
        }
      }
    } catch (QueryException e) {
      throw new IOException(e.getMessage(), e);
    }
    return ReservationCalls.figures("availnodes_in_server", ms);
  }

  /** All or nothing in each of the partitions, from the shell; given back at once. */
  private double[] wholes(int count) throws IOException, InterruptedException {
    String at =
        IntStream.range(0, PARTITIONS)
            .mapToObj(i -> "p" + i + "=1")
            .collect(Collectors.joining(","));
    double[] ms = new double[count];
    for (int i = 0; i < count; i++) {
      List<String> window = window();
      List<String> line =
          List.of("plus_reserve", "--at", at, "-s", window.get(0), "-e", window.get(1));
      long begin = System.nanoTime();
      String whole = calls.reserve(line);
      ms[i] = (System.nanoTime() - begin) / 1e6;
      calls.ask(List.of("plus_cancel", "-r", whole));
    }
    return ms;
  }

  /** Two clients without a shell, each of which asks for the next when it has an answer. */
  private List<String> made(BenchSite site, int count) throws Exception {
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<Future<List<String>>> all = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        List<List<String>> lines = new ArrayList<>();
        for (int k = 0; k < count / CLIENTS; k++) {
          lines.add(byPbs());
        }
        all.add(clients.submit(() -> oneClient(site, lines)));
      }
      List<String> made = new ArrayList<>();
      for (Future<List<String>> each : all) {
        made.addAll(each.get());
      }
      return made;
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    } finally {
      clients.shutdownNow();
    }
  }

  private static List<String> oneClient(BenchSite site, List<List<String>> lines)
      throws IOException, InterruptedException {
    List<String> made = new ArrayList<>();
    for (List<String> line : lines) {
      List<String> arguments = line.subList(1, line.size());
      made.add(site.command(site.folder("reserve"), line.get(0), arguments).split("[ .]")[0]);
      if (made.size() % 100 == 0) {
        site.console().busy(made.size() + " of " + lines.size() + " of a client");
      }
    }
    return made;
  }

  /** Seconds from the start of a server, whose process was killed, to its first confirmation. */
  private double restart(BenchSite site) throws IOException, InterruptedException {
    Installation parts = site.installation();
    parts.kill("server");
    parts.awaitEnd("server");
    long begin = System.nanoTime();
    parts.start("server");
    long deadline = begin + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    while (!parts.ready("server")) {
      if (System.nanoTime() > deadline) {
        throw new IOException("the server is not back after " + PATIENCE_S + " s");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
    String made = calls.reserve(byPlus());
    double seconds = (System.nanoTime() - begin) / 1e9;
    calls.ask(List.of("plus_destroy", "-r", made));
    return seconds;
  }
}
