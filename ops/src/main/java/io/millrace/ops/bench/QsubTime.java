package io.millrace.ops.bench;

import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.bench.site.BenchSite;
import io.millrace.ops.bench.site.Benchmark;
import io.millrace.ops.bench.site.ClientLoops;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;

/** One qsub from a shell loop, with the C client and with the Java client. */
final class QsubTime implements Benchmark {

  private static final int WARM_CALLS = 200;
  private static final int CALLS = 100;

  @Override
  public List<String> upOptions() {
    return List.of();
  }

  @Override
  public void prepare(BenchSite site) throws Exception {
    site.client().archiveJavaClient();
    site.console().busy("warming up");
    time(site, c(site), WARM_CALLS);
  }

  private static String c(BenchSite site) {
    return site.home().bin().resolve("qsub").toString();
  }

  @Override
  public BenchFigures run(BenchSite site) throws Exception {
    Path java = Path.of(System.getProperty("millrace.dist"), "bin/millrace-client-java");
    double[] quick = time(site, c(site), CALLS);
    double[] slow = time(site, java + " qsub", CALLS);
    return BenchFigures.none()
        .with("p50_c_client_ms", BenchFigures.quantile(quick, 0.5))
        .with("p99_c_client_ms", BenchFigures.quantile(quick, 0.99))
        .with("p50_java_client_ms", BenchFigures.quantile(slow, 0.5))
        .with("p99_java_client_ms", BenchFigures.quantile(slow, 0.99));
  }

  /** Times submissions of held jobs, so that nothing but the submission takes place. */
  private static double[] time(BenchSite site, String qsub, int calls)
      throws IOException, InterruptedException {
    List<String> words = Collections.nCopies(calls, "held");
    return ClientLoops.run(
            site.folder("qsub"),
            site.clientEnvironment(),
            qsub + " -h -- /bin/true",
            "",
            List.of(words))
        .callMs();
  }
}
