package io.millrace.ops.bench.site;

import java.io.IOException;

/** Measures the heap of the server, or of another part. */
public final class ServerHeap {
  private ServerHeap() {}

  public static double mib(BenchSite site) throws IOException, InterruptedException {
    return mib(site, "server");
  }

  /** Size of the old generation after a full collection. */
  public static double mib(BenchSite site, String part) throws IOException, InterruptedException {
    long pid = site.pid(part).orElseThrow();
    Jcmd.ask(pid, "GC.run");
    for (String line : Jcmd.ask(pid, "GC.heap_info").lines().toList()) {
      int total = line.indexOf("total");
      int used = line.indexOf("used ");
      if (total >= 0 && used >= 0 && line.contains("tenured")) {
        return Long.parseLong(line.substring(used + 5).split("K")[0]) / 1024.0;
      }
    }
    throw new IOException("jcmd does not show the old generation of " + part);
  }
}
