package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.host.CommandHosts;
import io.millrace.connectors.slurm.SlurmKind;
import io.millrace.schemas.Seeds;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Says two hundred hostile words by way of another host's commands, and hears them again. */
final class SpokenWords {

  private SpokenWords() {}

  /**
   * By way of a Slurm's cluster file.
   *
   * @param keys of the place where its commands are started
   */
  static void sayTo(Path folder, List<String> keys) throws Exception {
    List<String> lines =
        new ArrayList<>(
            List.of(
                "name = c1",
                "system = slurm",
                "cluster_name = hand",
                "spool = /shared",
                "user.alice = alice"));
    lines.addAll(keys);
    Path file = Files.write(folder.resolve("c1.properties"), lines);
    CommandRunner runner = CommandHosts.of(ClusterFile.read(file, List.of(new SlurmKind())));
    try {
      say(runner);
    } finally {
      runner.close();
    }
    assertFalse(Files.exists(Path.of("/tmp/millrace-hostile")));
  }

  /** As arguments, all together; and each alone, as a variable and as what a program reads too. */
  private static void say(CommandRunner runner) throws Exception {
    List<String> all = HostileWords.all(Seeds.TODAY);
    List<String> words = new ArrayList<>(List.of("/usr/bin/printf", "%s\\0"));
    words.addAll(all);
    assertEquals(String.join("\0", all) + "\0", out(runner, words, Map.of(), ""));
    ExecutorService threads = Executors.newFixedThreadPool(7);
    try {
      List<Callable<String>> each = new ArrayList<>();
      for (String word : all) {
        List<String> alone =
            List.of("/bin/sh", "-c", "printf '%s' \"$1\" \"$WORD\"; cat", "sh", word);
        each.add(() -> out(runner, alone, Map.of("WORD", word), word));
      }
      List<Future<String>> said = threads.invokeAll(each);
      for (int i = 0; i < all.size(); i++) {
        assertEquals(all.get(i).repeat(3), said.get(i).get());
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static String out(
      CommandRunner runner, List<String> words, Map<String, String> environment, String input)
      throws InterruptedException {
    OutsideAnswer answer =
        runner.run(
            new OutsideCommand(
                words,
                input.getBytes(StandardCharsets.UTF_8),
                environment,
                Duration.ofSeconds(30),
                1 << 20));
    assertEquals(0, answer.status(), answer::toString);
    return answer.out();
  }
}
