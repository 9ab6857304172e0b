package io.millrace.ops.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One qsub from a shell loop, with the C client and with the Java client. */
final class QsubTime implements Benchmark {

  private static final int WARM_CALLS = 200;
  private static final int CALLS = 100;
  private static final int PATIENCE_S = 180;

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
    String loop =
        "for i in $(seq "
            + calls
            + "); do a=${EPOCHREALTIME//[.,]/}; "
            + qsub
            + " -h -- /bin/true >/dev/null || exit 1; b=${EPOCHREALTIME//[.,]/};"
            + " echo $((b - a)); done";
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-c", loop).directory(site.folder("qsub").toFile());
    builder.environment().put("MILLRACE_HOME", site.home().root().toString());
    builder.environment().put("MILLRACE_DIST", System.getProperty("millrace.dist"));
    Process process = builder.redirectErrorStream(true).start();
    List<String> lines = new String(process.getInputStream().readAllBytes()).lines().toList();
    if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException("the loop failed: " + String.join("; ", lines));
    }
    return lines.stream().mapToDouble(line -> Long.parseLong(line) / 1000.0).toArray();
  }
}
