package io.millrace.ops.bench;

import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.bench.site.BenchSite;
import io.millrace.ops.bench.site.Benchmark;
import io.millrace.ops.bench.site.ServerHeap;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Arrays of 100,000 subjobs: how long their submission, a look at one and its deletion take, what
 * they cost in memory while they wait, and what others notice of a deletion.
 */
final class ArrayTimes implements Benchmark {

  private static final int SUBJOBS = 100_000;
  private static final int ARRAYS = 10;
  private static final int QUESTIONS = 20;
  private static final int OTHERS = 60;
  private static final int CPUS = 64;
  private static final int PATIENCE_S = 60;
  private static final int LOOK_MS = 50;

  @Override
  public List<String> upOptions() {
    return List.of("--resources", "ncpus=" + CPUS + ",mem=256gb");
  }

  @Override
  public int usualRuns() {
    return 3;
  }

  @Override
  public void prepare(BenchSite site) throws Exception {
    ask(site, "qmgr", "-c", "set server max_array_size = " + SUBJOBS);
    for (int i = 0; i < OTHERS; i++) {
      ask(site, "qdel", ask(site, "qsub", "-h", "-J", "1-5", "--", "/bin/true"));
      other(site);
    }
  }

  private static String ask(BenchSite site, String... words)
      throws IOException, InterruptedException {
    String[] arguments = Arrays.copyOfRange(words, 1, words.length);
    return site.client().ask(site.folder("array"), words[0], arguments).out().strip();
  }

  /** Milliseconds until another user's job is submitted. */
  private static double other(BenchSite site) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    ask(site, "qsub", "-h", "--", "/bin/true");
    return since(begin);
  }

  private static double since(long begin) {
    return (System.nanoTime() - begin) / 1e6;
  }

  @Override
  public BenchFigures run(BenchSite site) throws Exception {
    BenchFigures figures = waiting(site);
    return figures.with(deletion(site));
  }

  /** Figures for arrays that can never run, all of whose subjobs wait. */
  private static BenchFigures waiting(BenchSite site) throws IOException, InterruptedException {
    double before = ServerHeap.mib(site);
    List<String> arrays = new ArrayList<>();
    double[] submission = new double[ARRAYS];
    for (int i = 0; i < ARRAYS; i++) {
      long begin = System.nanoTime();
      String range = "1-" + SUBJOBS;
      arrays.add(ask(site, "qsub", "-J", range, "-l", "ncpus=9999", "--", "/bin/true"));
      submission[i] = since(begin);
    }
    BenchFigures figures =
        BenchFigures.none()
            .with("submission_p50_ms", BenchFigures.quantile(submission, 0.5))
            .with("submission_max_ms", BenchFigures.quantile(submission, 1))
            .with("heap_per_array_mib", (ServerHeap.mib(site) - before) / ARRAYS)
            .with("qstat_p50_ms", questions(site, "qstat", arrays.get(0)))
            .with("qstat_f_p50_ms", questions(site, "qstat", "-f", arrays.get(0)));
    long begin = System.nanoTime();
    ask(site, "qstat", "-t", arrays.get(0));
    figures = figures.with("qstat_t_ms", since(begin));
    double[] gone = new double[ARRAYS];
    for (int i = 0; i < ARRAYS; i++) {
      begin = System.nanoTime();
      ask(site, "qdel", arrays.get(i));
      gone[i] = since(begin);
    }
    return figures.with("qdel_p50_ms", BenchFigures.quantile(gone, 0.5));
  }

  private static double questions(BenchSite site, String... words)
      throws IOException, InterruptedException {
    double[] millis = new double[QUESTIONS];
    for (int i = 0; i < QUESTIONS; i++) {
      long begin = System.nanoTime();
      ask(site, words);
      millis[i] = since(begin);
    }
    return BenchFigures.quantile(millis, 0.5);
  }

  /**
   * How another user's submissions are delayed while an array with many running subjobs is deleted.
   */
  private static BenchFigures deletion(BenchSite site) throws Exception {
    double[] calm = new double[OTHERS];
    for (int i = 0; i < OTHERS; i++) {
      calm[i] = other(site);
    }
    String range = "1-" + SUBJOBS;
    String array = ask(site, "qsub", "-J", range, "--", "/bin/sleep", "1000");
    await(site, array, " R ", CPUS);
    double[] busy = new double[OTHERS];
    ExecutorService one = Executors.newSingleThreadExecutor();
    try {
      Future<String> deleted = one.submit(() -> ask(site, "qdel", array));
      for (int i = 0; i < OTHERS; i++) {
        busy[i] = other(site);
      }
      deleted.get(PATIENCE_S, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IOException("qdel: " + e.getCause().getMessage(), e);
    } finally {
      one.shutdownNow();
    }
    await(site, array, " R ", 0);
    return BenchFigures.none()
        .with("other_qsub_p50_ms", BenchFigures.quantile(calm, 0.5))
        .with("other_qsub_max_ms", BenchFigures.quantile(calm, 1))
        .with("other_qsub_during_deletion_p50_ms", BenchFigures.quantile(busy, 0.5))
        .with("other_qsub_during_deletion_max_ms", BenchFigures.quantile(busy, 1));
  }

  private static void await(BenchSite site, String array, String row, int count)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    String range = array.replace("[]", "[1-" + 2 * CPUS + "]");
    while (count
        != ask(site, "qstat", "-x", range).lines().filter(line -> line.contains(row)).count()) {
      if (System.nanoTime() > deadline) {
        throw new IOException("not " + count + " subjobs run after " + PATIENCE_S + " s");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
  }
}
