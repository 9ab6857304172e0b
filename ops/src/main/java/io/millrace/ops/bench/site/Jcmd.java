package io.millrace.ops.bench.site;

import java.io.IOException;
import java.nio.file.Path;

/** What a Java process says about itself. */
final class Jcmd {
  private Jcmd() {}

  static String ask(long pid, String command) throws IOException, InterruptedException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    Process process =
        new ProcessBuilder(jcmd.toString(), String.valueOf(pid), command)
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes());
    process.waitFor();
    return said;
  }
}
