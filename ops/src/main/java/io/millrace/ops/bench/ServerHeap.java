package io.millrace.ops.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Measures the server's heap. */
final class ServerHeap {
  private ServerHeap() {}

  /** Size of the old generation after a full collection. */
  static double mib(BenchSite site) throws IOException, InterruptedException {
    String pid = Files.readString(site.home().pid("server")).split(" ")[0];
    jcmd(pid, "GC.run");
    for (String line : jcmd(pid, "GC.heap_info").lines().toList()) {
      int total = line.indexOf("total");
      int used = line.indexOf("used ");
      if (total >= 0 && used >= 0 && line.contains("tenured")) {
        return Long.parseLong(line.substring(used + 5).split("K")[0]) / 1024.0;
      }
    }
    throw new IOException("jcmd does not show the old generation of the server");
  }

  private static String jcmd(String pid, String command) throws IOException, InterruptedException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    Process process =
        new ProcessBuilder(jcmd.toString(), pid, command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes());
    process.waitFor();
    return said;
  }
}
