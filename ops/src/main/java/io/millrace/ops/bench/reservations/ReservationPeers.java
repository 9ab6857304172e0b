package io.millrace.ops.bench.reservations;

import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.bench.site.BenchSite;
import io.millrace.ops.bench.site.Benchmark;
import io.millrace.ops.gridengine.PolicyWord;
import io.millrace.ops.outside.peer.LivePeer;
import io.millrace.ops.outside.peer.PeerCluster;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code qrsub} and {@code qrdel} of a real Grid Engine and of a cell here, in turn, beside 0, 100
 * and 1,000 reservations of each. Both have one host of 32 slots.
 */
public final class ReservationPeers implements Benchmark {

  private static final int[] BESIDE = {0, 100, 1_000};
  private static final int CALLS = 40;
  private static final int WARM_UPS = 60;
  private static final int PATIENCE_S = 120;
  private static final int DELETED_TOGETHER = 50;
  private static final String CELL = "mr";
  private static final long HOUR_S = 3_600;
  private static final long YEAR_S = 365 * 24 * HOUR_S;
  private static final Pattern GRANTED =
      Pattern.compile("(?s)Your advance reservation (\\d+) has been granted.*");

  private final Random random = new Random(1);
  private final LivePeer peer;
  private final List<Reserving> both = new ArrayList<>();

  /** One that takes Grid Engine's commands. */
  private record Reserving(String name, List<String> become, Path folder, Deque<String> reserved) {}

  /** What there was to tell of one system beside so many reservations. */
  private record Row(String name, double[] qrsub, double[] qrdel) {}

  public ReservationPeers() throws IOException {
    peer = new LivePeer(PeerCluster.GRID_ENGINE);
  }

  @Override
  public List<String> upOptions() {
    return List.of("--resources", "ncpus=64,mem=64gb");
  }

  @Override
  public int usualRuns() {
    return 1;
  }

  @Override
  public void before() throws IOException, InterruptedException {
    Optional<String> absent = peer.up();
    if (absent.isPresent()) {
      throw new IOException("there is no Grid Engine to compare with: " + absent.get());
    }
  }

  @Override
  public void prepare(BenchSite site) throws Exception {
    ReservationCalls calls = new ReservationCalls(site);
    calls.qmgr("set server max_reservations = [u:PBS_GENERIC=20000]");
    calls.qmgr("create sched " + CELL);
    calls.qmgr("set sched " + CELL + " partition=MR");
    calls.qmgr("create queue " + CELL + " queue_type=execution,enabled=True,started=True");
    calls.qmgr("set queue " + CELL + " partition=MR");
    calls.nodes("mr", 1, "partition=MR");
    calls.qmgr("set node mr0 resources_available.ncpus = 32");
    load(site);
    calls.qmgr("set sched " + CELL + " scheduling = True");
    List<String> environment = new ArrayList<>(List.of("env", "SGE_CELL=" + CELL));
    site.clientEnvironment().forEach((name, value) -> environment.add(name + "=" + value));
    add("ours", environment, site.home().bin().resolve("sge"));
    add(
        "gridengine",
        List.of("env", "SGE_ROOT=/var/lib/gridengine", "SGE_CELL=default"),
        Path.of("/usr/bin"));
    site.console().busy("warming up");
    for (int i = 0; i < WARM_UPS; i++) {
      for (Reserving each : both) {
        reserve(each);
        delete(each);
      }
    }
  }

  private void add(String name, List<String> become, Path folder) {
    both.add(new Reserving(name, become, folder, new ArrayDeque<>()));
  }

  private static void load(BenchSite site) throws IOException, InterruptedException {
    Path config = site.folder("config");
    Files.writeString(
        config.resolve("complex"),
        "slots s INT <= YES YES 1 1000\nh_rt h_rt TIME <= YES NO 0:0:0 0\n");
    Files.writeString(config.resolve("sched"), "schedule_interval 0:0:1\n");
    Files.writeString(config.resolve("hgrp"), "group_name @allhosts\nhostlist mr0\n");
    Files.writeString(config.resolve("queue.all.q"), "qname all.q\nhostlist @allhosts\nslots 32\n");
    List<String> words =
        List.of("load", CELL, config.toString(), "--home", site.home().root().toString());
    try {
      if (new PolicyWord().run(words, site.console()) != 0) {
        throw new IOException("the policy of the cell cannot be loaded");
      }
    } catch (UsageException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public BenchFigures run(BenchSite site) throws Exception {
    BenchFigures figures = BenchFigures.none();
    for (int beside : BESIDE) {
      for (Reserving each : both) {
        while (each.reserved().size() < beside) {
          site.console().busy(each.name() + ": " + each.reserved().size() + " of " + beside);
          reserve(each);
        }
      }
      for (Row row : rows()) {
        String name = row.name() + "_" + beside;
        figures =
            figures
                .with(name + "_qrsub_p50_ms", BenchFigures.quantile(row.qrsub(), 0.5))
                .with(name + "_qrdel_p50_ms", BenchFigures.quantile(row.qrdel(), 0.5));
      }
    }
    for (Reserving each : both) {
      site.console().busy(each.name() + ": deleting " + each.reserved().size());
      while (!each.reserved().isEmpty()) {
        deleteMany(each);
      }
    }
    return figures;
  }

  /** One reservation and its deletion of each system, in turn. */
  private List<Row> rows() throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    both.forEach(it -> rows.add(new Row(it.name(), new double[CALLS], new double[CALLS])));
    for (int i = 0; i < CALLS; i++) {
      for (int k = 0; k < rows.size(); k++) {
        rows.get(k).qrsub()[i] = reserve(both.get(k));
        rows.get(k).qrdel()[i] = delete(both.get(k));
      }
    }
    return rows;
  }

  /** Milliseconds of a qrsub at some time of the year. */
  private double reserve(Reserving by) throws IOException, InterruptedException {
    long startS = System.currentTimeMillis() / 1000 + HOUR_S + random.nextLong(YEAR_S);
    long begin = System.nanoTime();
    String said = call(by, "qrsub", "-a", ReservationCalls.time(startS), "-d", "3600");
    double ms = (System.nanoTime() - begin) / 1e6;
    Matcher granted = GRANTED.matcher(said);
    if (!granted.matches()) {
      throw new IOException(by.name() + ": qrsub: " + said);
    }
    by.reserved().push(granted.group(1));
    return ms;
  }

  /** Milliseconds of the deletion of the last one. */
  private double delete(Reserving by) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    call(by, "qrdel", by.reserved().pop());
    return (System.nanoTime() - begin) / 1e6;
  }

  /** Deletes some of those that stood beside the others; how long that takes is not told. */
  private static void deleteMany(Reserving by) throws IOException, InterruptedException {
    List<String> some = new ArrayList<>();
    while (some.size() < DELETED_TOGETHER && !by.reserved().isEmpty()) {
      some.add(by.reserved().pop());
    }
    call(by, "qrdel", some.toArray(String[]::new));
  }

  private static String call(Reserving by, String program, String... arguments)
      throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(by.become());
    line.add(by.folder().resolve(program).toString());
    line.addAll(List.of(arguments));
    Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException(by.name() + ": " + program + ": " + said.strip());
      }
      return said.strip();
    } finally {
      process.destroyForcibly();
    }
  }

  @Override
  public List<String> table(BenchFigures medians) {
    List<String> lines = new ArrayList<>();
    lines.add("beside        qrsub ours   Grid Engine    qrdel ours   Grid Engine   (p50, ms)");
    for (int beside : BESIDE) {
      StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%6d", beside));
      for (String command : List.of("qrsub", "qrdel")) {
        for (String name : List.of("ours", "gridengine")) {
          String figure = name + "_" + beside + "_" + command + "_p50_ms";
          line.append(String.format(Locale.ROOT, "%14.1f", medians.values().get(figure)));
        }
      }
      lines.add(line.toString());
    }
    return lines;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    peer.down();
  }
}
