package io.millrace.ops.bench.reservations;

import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.bench.site.BenchSite;
import io.millrace.ops.installation.Installation;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Commands of a benchmark of reservations. */
final class ReservationCalls {

  private static final int NODES_AT_ONCE = 40;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmm.ss").withZone(ZoneId.systemDefault());

  private final BenchSite site;

  ReservationCalls(BenchSite site) {
    this.site = site;
  }

  /** A time as commands take it, in whole seconds. */
  static String time(long second) {
    return TIME.format(Instant.ofEpochSecond(second));
  }

  /** What a command prints, from the shell. */
  String ask(List<String> words) throws IOException, InterruptedException {
    String[] arguments = words.subList(1, words.size()).toArray(String[]::new);
    return site.client().ask(site.folder("reserve"), words.get(0), arguments).out().strip();
  }

  void qmgr(String directive) throws IOException, InterruptedException {
    ask(List.of("qmgr", "-c", directive));
  }

  /**
   * Reserves.
   *
   * @return its name without the server's
   * @throws IOException when it is not confirmed
   */
  String reserve(List<String> words) throws IOException, InterruptedException {
    String said = ask(words);
    if (said.contains(" ") && !said.endsWith(" CONFIRMED")) {
      throw new IOException(String.join(" ", words) + ": " + said);
    }
    return said.split("[ .]")[0];
  }

  /** Makes nodes of one host, some at a time. */
  void nodes(String prefix, int count, String attributes) throws IOException, InterruptedException {
    for (int i = 0; i < count; i += NODES_AT_ONCE) {
      String names =
          IntStream.range(i, Math.min(count, i + NODES_AT_ONCE))
              .mapToObj(it -> prefix + it)
              .collect(Collectors.joining(","));
      qmgr("create node " + names + " Mom=" + Installation.host(1) + "," + attributes);
    }
  }

  /**
   * Calls a command over and over.
   *
   * @param everyMs from one begin to the next, where the calls are shorter
   * @param lines the commands
   * @return milliseconds of each
   */
  double[] times(long everyMs, List<List<String>> lines) throws IOException, InterruptedException {
    List<Double> all = new ArrayList<>();
    long due = System.nanoTime();
    for (List<String> line : lines) {
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      long begin = System.nanoTime();
      reserve(line);
      all.add((System.nanoTime() - begin) / 1e6);
      due = Math.max(System.nanoTime(), due + TimeUnit.MILLISECONDS.toNanos(everyMs));
    }
    return all.stream().mapToDouble(it -> it).toArray();
  }

  static BenchFigures figures(String name, double[] ms) {
    return BenchFigures.none()
        .with(name + "_p50_ms", BenchFigures.quantile(ms, 0.5))
        .with(name + "_p99_ms", BenchFigures.quantile(ms, 0.99))
        .with(name + "_max_ms", BenchFigures.quantile(ms, 1));
  }
}
