package io.millrace.ops.bench;

import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.word.Console;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Cycles of several schedulers at the same time, each over 5,000 different jobs with 100 promises
 * on 1,000 nodes, on a thread of its own, in one process or in two. The machine's clock tells when
 * the first begins and the last ends, also of two processes.
 */
public final class CyclesAtOnce implements Computation {
  private static final int NODES = 1_000;
  private static final int JOBS = 5_000;
  private static final int ROUNDS = 7;

  /**
   * In each process before it is measured: until all is compiled, compilers take the core that a
   * second scheduler would have.
   */
  private static final int WARM_UP_CYCLES = 300;

  private static final int MOST = 8;
  private static final ThreadMXBean PROCESSOR = ManagementFactory.getThreadMXBean();

  /**
   * What a round took.
   *
   * @param wallMs from the begin of the first cycle to the end of the last one
   * @param cpuMs processor time of a cycle; on a busy machine it shows whether they hinder each
   *     other
   */
  private record Round(double wallMs, double cpuMs) {}

  /** Each number of schedulers is warmed up by itself. */
  @Override
  public void prepare(Console console) {}

  /** For each number of schedulers the median times, and over those of one. */
  @Override
  public BenchFigures run(Console console) throws IOException {
    BenchFigures figures = BenchFigures.none();
    Round one = null;
    for (int count = 1; count <= MOST; count *= 2) {
      for (int processes = 1; processes <= Math.min(2, count); processes++) {
        Round median = median(count, processes);
        one = one == null ? median : one;
        String name = "cycles_of_" + count + (processes == 1 ? "_one_process" : "_two_processes");
        figures =
            figures
                .with(name + "_ms", median.wallMs())
                .with(name + "_over_one", median.wallMs() / one.wallMs())
                .with(name + "_cpu_over_one", median.cpuMs() / one.cpuMs());
      }
    }
    return figures;
  }

  private static Round median(int count, int processes) throws IOException {
    List<Child> children = new ArrayList<>();
    try {
      for (int i = 0; i < processes; i++) {
        children.add(new Child(count / processes));
      }
      double[] wall = new double[ROUNDS];
      double[] cpu = new double[ROUNDS];
      int warmUps = WARM_UP_CYCLES * processes / count;
      for (int round = -warmUps; round < ROUNDS; round++) {
        Round took = round(children, count);
        if (round >= 0) {
          wall[round] = took.wallMs();
          cpu[round] = took.cpuMs();
        }
      }
      return new Round(BenchFigures.quantile(wall, 0.5), BenchFigures.quantile(cpu, 0.5));
    } finally {
      for (Child child : children) {
        child.end();
      }
    }
  }

  private static Round round(List<Child> children, int schedulers) throws IOException {
    for (Child child : children) {
      child.go();
    }
    long begin = Long.MAX_VALUE;
    long end = 0;
    long cpuUs = 0;
    for (Child child : children) {
      String[] told = child.told().split(" ");
      begin = Math.min(begin, Long.parseLong(told[0]));
      end = Math.max(end, Long.parseLong(told[1]));
      cpuUs += Long.parseLong(told[2]);
    }
    return new Round((end - begin) / 1000.0, cpuUs / 1000.0 / schedulers);
  }

  /** A process with some schedulers. */
  private static final class Child {
    private final Process process;
    private final BufferedReader from;
    private final BufferedWriter to;

    Child(int schedulers) throws IOException {
      process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx1g",
                  "-XX:+UseSerialGC",
                  "-cp",
                  System.getProperty("java.class.path"),
                  CyclesAtOnce.class.getName(),
                  Integer.toString(schedulers))
              .redirectError(ProcessBuilder.Redirect.to(new File("/dev/null")))
              .start();
      from =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      to =
          new BufferedWriter(
              new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
      told();
    }

    String told() throws IOException {
      String line = from.readLine();
      if (line == null) {
        throw new IOException("a process of the measurement has ended");
      }
      return line;
    }

    void go() throws IOException {
      to.write("go\n");
      to.flush();
    }

    void end() throws IOException {
      to.close();
      process.onExit().join();
    }
  }

  /**
   * The process: for each line of its input a round, and its begin, its end and its processor time
   * in microseconds.
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    List<FullCluster> clusters = new ArrayList<>();
    for (int i = 0; i < Integer.parseInt(args[0]); i++) {
      clusters.add(new FullCluster(NODES, JOBS, JOBS));
    }
    System.out.println("ready");
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    while (lines.readLine() != null) {
      List<Thread> threads = new ArrayList<>();
      AtomicLong cpuNanos = new AtomicLong();
      for (FullCluster cluster : clusters) {
        threads.add(
            new Thread(
                () -> {
                  long before = PROCESSOR.getCurrentThreadCpuTime();
                  cluster.everything();
                  cpuNanos.addAndGet(PROCESSOR.getCurrentThreadCpuTime() - before);
                }));
      }
      long begin = micros();
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
      System.out.println(begin + " " + micros() + " " + cpuNanos.get() / 1000);
    }
  }

  private static long micros() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
  }
}
