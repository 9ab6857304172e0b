package io.millrace.ops.bench;

import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.bench.site.BenchSite;
import io.millrace.ops.bench.site.Benchmark;
import io.millrace.ops.bench.site.ClientLoops;
import io.millrace.ops.campaigns.CampaignOwner;
import io.millrace.ops.installation.HomeClient;
import io.millrace.ops.installation.Installation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A standing reservation of 2,000 occurrences of 64 nodes on 2,000, from the shell: how long it
 * takes until it is confirmed, to show it and to delete it, and what another user's submissions
 * notice of that.
 */
final class StandingTimes implements Benchmark {

  private static final int NODES = 2_000;
  private static final int NODES_AT_ONCE = 40;
  private static final int OCCURRENCES = 2_000;
  private static final int NODES_EACH = 64;
  private static final int WARM_UPS = 3;
  private static final int CALLS = 300;
  private static final int LOOKS = 3;

  private final CampaignOwner other;

  /** Beginnings and ends of confirmations, in microseconds since 1970. */
  private record Confirmed(long beginUs, long endUs) {
    double ms() {
      return (endUs - beginUs) / 1e3;
    }

    boolean meets(ClientLoops.TimedCall call) {
      return call.beginUs() < endUs && call.endUs() > beginUs;
    }
  }

  /**
   * @param other who submits jobs meanwhile
   */
  StandingTimes(CampaignOwner other) {
    this.other = other;
  }

  @Override
  public List<String> upOptions() {
    return List.of("--executor", "null", "--resources", "ncpus=64,mem=64gb");
  }

  @Override
  public void prepare(BenchSite site) throws Exception {
    Path folder = site.folder("standing");
    for (int i = 0; i < NODES; i += NODES_AT_ONCE) {
      site.console().busy("node " + i + " of " + NODES);
      String names =
          IntStream.range(i, i + NODES_AT_ONCE)
              .mapToObj(it -> "n" + it)
              .collect(Collectors.joining(","));
      String what = " Mom=" + Installation.host(1) + ",resources_available.ncpus=16";
      site.client().ask(folder, "qmgr", "-c", "create node " + names + what);
    }
    for (int i = 1; i <= WARM_UPS; i++) {
      site.console().busy("warm-up " + i + " of " + WARM_UPS);
      submissions(site);
      site.client().ask(folder, "pbs_rdel", reserve(site));
    }
  }

  private ClientLoops submissions(BenchSite site) throws IOException, InterruptedException {
    return ClientLoops.run(
        site.folder("standing"),
        site.clientEnvironment(),
        other.become(),
        site.home().bin().resolve("qsub") + " -h -- /bin/true",
        "",
        List.of(Collections.nCopies(CALLS, "held")));
  }

  /** Reserves, and waits until it is confirmed. */
  private static String reserve(BenchSite site) throws IOException, InterruptedException {
    LocalDate tomorrow = LocalDate.now(ZoneOffset.UTC).plusDays(2);
    HomeClient client = site.client().as(List.of("env", "PBS_TZID=UTC", "TZ=UTC"));
    String said =
        client
            .ask(
                site.folder("standing"),
                "pbs_rsub",
                "-I",
                "300",
                "-r",
                "FREQ=HOURLY;COUNT=" + OCCURRENCES,
                "-R",
                tomorrow.format(DateTimeFormatter.ofPattern("yyyyMMdd")) + "0800",
                "-D",
                "1800",
                "-l",
                "select=" + NODES_EACH + ":ncpus=16")
            .out()
            .strip();
    if (!said.endsWith(" CONFIRMED")) {
      throw new IOException("pbs_rsub: " + said);
    }
    return said.split(" ")[0];
  }

  @Override
  public BenchFigures run(BenchSite site) throws Exception {
    double[] calm = submissions(site).callMs();
    List<Confirmed> confirmed = new ArrayList<>();
    List<Double> shown = new ArrayList<>();
    List<Double> deleted = new ArrayList<>();
    ClientLoops meanwhile;
    ExecutorService user = Executors.newSingleThreadExecutor();
    try {
      Future<ClientLoops> all = user.submit(() -> submissions(site));
      while (!all.isDone()) {
        long begin = nowUs();
        String id = reserve(site);
        confirmed.add(new Confirmed(begin, nowUs()));
        for (int i = 0; i < LOOKS; i++) {
          shown.add(ask(site, "pbs_rstat", "-f", id));
        }
        deleted.add(ask(site, "pbs_rdel", id));
      }
      meanwhile = all.get();
    } finally {
      user.shutdownNow();
    }
    double[] beside =
        meanwhile.calls().stream()
            .filter(call -> confirmed.stream().anyMatch(it -> it.meets(call)))
            .mapToDouble(call -> (call.endUs() - call.beginUs()) / 1e3)
            .toArray();
    return BenchFigures.none()
        .with(figures("confirmed", confirmed.stream().mapToDouble(Confirmed::ms).toArray()))
        .with(figures("rstat_f", shown.stream().mapToDouble(it -> it).toArray()))
        .with(figures("deleted", deleted.stream().mapToDouble(it -> it).toArray()))
        .with(figures("qsub_calm", calm))
        .with(figures("qsub_meanwhile", beside))
        .with("qsubs_meanwhile", beside.length);
  }

  private static BenchFigures figures(String name, double[] ms) {
    return BenchFigures.none()
        .with(name + "_p50_ms", BenchFigures.quantile(ms, 0.5))
        .with(name + "_p99_ms", BenchFigures.quantile(ms, 0.99));
  }

  /** Milliseconds of a command. */
  private static double ask(BenchSite site, String command, String... arguments)
      throws IOException, InterruptedException {
    long begin = nowUs();
    site.client().ask(site.folder("standing"), command, arguments);
    return (nowUs() - begin) / 1e3;
  }

  private static long nowUs() {
    return TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
  }
}
