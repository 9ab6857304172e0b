package io.millrace.ops.bench.site;

import io.millrace.ops.home.FolderTree;
import java.io.IOException;
import java.nio.file.Files;
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

  /** After the last thing that a client has said. */
  private static final int PATIENCE_S = 600;

  /** Lines of a client that failed which are told. */
  private static final int TOLD = 5;

  private static final Pattern USED = Pattern.compile("(\\d+)m([0-9.]+)s");

  /** The same by this process's own user. */
  public static ClientLoops run(
      Path folder,
      Map<String, String> environment,
      String command,
      String pause,
      List<List<String>> words)
      throws IOException, InterruptedException {
    return run(folder, environment, List.of(), command, pause, words);
  }

  /**
   * Words come and calls are told in files: there is no bound to their number, and no client waits
   * until it is listened to.
   *
   * @param become words before a shell that make it another user's
   * @param command line of shell in which $f is the word; output on stdout is dropped
   * @param pause seconds after the begin of a call to the next, which does not wait for its end
   *     then; empty: the next call begins when the one before has ended
   * @param words of each client
   */
  public static ClientLoops run(
      Path folder,
      Map<String, String> environment,
      List<String> become,
      String command,
      String pause,
      List<List<String>> words)
      throws IOException, InterruptedException {
    String now = "=${EPOCHREALTIME//[.,]/}";
    String call =
        pause.isEmpty()
            ? command + " > /dev/null || exit 1; b" + now + "; echo \"$f $a $b\";"
            : "{ " + command + " > /dev/null; echo \"$f $a $a\"; } & sleep " + pause + ";";
    String loop =
        "mapfile -t words; for f in \"${words[@]}\"; do a"
            + now
            + "; "
            + call
            + " done; wait; times";
    Path files = Files.createTempDirectory(folder, "clients-");
    List<OneClient> clients = new ArrayList<>();
    try {
      for (List<String> each : words) {
        Path given = Files.write(files.resolve("words" + clients.size()), each);
        Path said = files.resolve("said" + clients.size());
        List<String> line = new ArrayList<>(become);
        line.addAll(List.of("bash", "-c", loop));
        ProcessBuilder builder =
            new ProcessBuilder(line)
                .directory(folder.toFile())
                .redirectInput(given.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        builder.environment().putAll(environment);
        clients.add(new OneClient(builder.start(), said));
      }
      return read(clients);
    } finally {
      clients.forEach(client -> client.process().destroyForcibly());
      FolderTree.delete(files);
    }
  }

  private record OneClient(Process process, Path said) {

    /**
     * @return its lines, when it has ended
     */
    List<String> await() throws IOException, InterruptedException {
      long size = -1;
      while (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
        if (Files.size(said) == size) {
          throw new IOException("a client's loop does not go on: " + end());
        }
        size = Files.size(said);
      }
      if (process.exitValue() != 0) {
        throw new IOException("a client's loop failed: " + end());
      }
      return Files.readAllLines(said);
    }

    private String end() throws IOException {
      List<String> lines = Files.readAllLines(said);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - TOLD), lines.size()));
    }
  }

  private static ClientLoops read(List<OneClient> clients)
      throws IOException, InterruptedException {
    List<TimedCall> calls = new ArrayList<>();
    double used = 0;
    for (OneClient client : clients) {
      for (String line : client.await()) {
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
