package io.millrace.ops.bench.site;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Loops of a shell, one for each client, each of which calls a command for one word after the
 * other.
 *
 * @param calls when each call began and ended, in microseconds since 1970, client after client
 * @param seconds from the first call's begin to the last one's end
 * @param processorMs what the shells and the commands have used together
 */
public record ClientLoops(List<TimedCall> calls, double seconds, double processorMs) {

  /** One call of the command. */
  public record TimedCall(String word, long beginUs, long endUs) {}

  private static final int PATIENCE_S = 600;
  private static final Pattern USED = Pattern.compile("(\\d+)m([0-9.]+)s");

  /**
   * @param command line of shell in which $f is the word; output on stdout is dropped
   * @param pause seconds after the begin of a call to the next, which does not wait for its end
   *     then; empty: the next call begins when the one before has ended
   * @param words of each client
   */
  public static ClientLoops run(
      Path folder,
      Map<String, String> environment,
      String command,
      String pause,
      List<List<String>> words)
      throws IOException, InterruptedException {
    String now = "=${EPOCHREALTIME//[.,]/}";
    String call =
        pause.isEmpty()
            ? command + " > /dev/null || exit 1; b" + now + "; echo \"$f $a $b\";"
            : "{ " + command + " > /dev/null; echo \"$f $a $a\"; } & sleep " + pause + ";";
    String loop = "for f in \"$@\"; do a" + now + "; " + call + " done; wait; times";
    List<Process> clients = new ArrayList<>();
    try {
      for (List<String> each : words) {
        List<String> line = new ArrayList<>(List.of("bash", "-c", loop, "client"));
        line.addAll(each);
        ProcessBuilder builder = new ProcessBuilder(line).directory(folder.toFile());
        builder.environment().putAll(environment);
        clients.add(builder.redirectErrorStream(true).start());
      }
      return read(clients);
    } finally {
      clients.forEach(Process::destroyForcibly);
    }
  }

  private static ClientLoops read(List<Process> clients) throws IOException, InterruptedException {
    List<TimedCall> calls = new ArrayList<>();
    double used = 0;
    for (Process client : clients) {
      String said = new String(client.getInputStream().readAllBytes());
      if (!client.waitFor(PATIENCE_S, TimeUnit.SECONDS) || client.exitValue() != 0) {
        throw new IOException("a client's loop failed: " + said.strip());
      }
      for (String line : said.lines().toList()) {
        String[] fields = line.split(" ");
        if (fields.length == 3) {
          calls.add(new TimedCall(fields[0], Long.parseLong(fields[1]), Long.parseLong(fields[2])));
        } else {
          used += usedMs(line);
        }
      }
    }
    long begin = calls.stream().mapToLong(TimedCall::beginUs).min().orElseThrow();
    long end = calls.stream().mapToLong(TimedCall::endUs).max().orElseThrow();
    return new ClientLoops(calls, (end - begin) / 1e6, used);
  }

  /** Milliseconds of a line of the shell's times, "0m0.010s 0m0.020s". */
  static double usedMs(String line) {
    Matcher times = USED.matcher(line);
    double ms = 0;
    while (times.find()) {
      ms += Integer.parseInt(times.group(1)) * 60_000 + Double.parseDouble(times.group(2)) * 1000;
    }
    return ms;
  }

  /** Milliseconds of each call. */
  public double[] callMs() {
    return calls.stream().mapToDouble(call -> (call.endUs() - call.beginUs()) / 1000.0).toArray();
  }

  public double perSecond() {
    return calls.size() / seconds;
  }
}
