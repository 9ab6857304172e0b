package io.millrace.connectors.bridge.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.command.ProcessRunner;
import io.millrace.connectors.bridge.command.SudoWords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The program that the page has root keep, which sudo starts with whatever words it is given. */
class ContainerBySudoTest {

  private static final Path PAGE =
      Path.of(System.getProperty("millrace.root")).resolve("docs/outside-container.md");

  @TempDir Path folder;
  private Path program;

  /** Its text, in whose engine's place stands a program that prints its own words. */
  @BeforeEach
  void take() throws IOException {
    List<String> page = Files.readAllLines(PAGE);
    String begin = "       ";
    int first = page.indexOf(begin + "#!/bin/bash -p");
    String text =
        page.subList(first, page.size()).stream()
            .takeWhile(it -> it.startsWith(begin))
            .map(it -> it.substring(begin.length()) + "\n")
            .collect(Collectors.joining());
    assertTrue(text.contains("engine=/usr/bin/docker\n"), text);
    Path engine = write("engine", "#!/bin/bash\nprintf '%s\\n' \"$#\" \"$@\"\n");
    program = write("millrace-c1", text.replace("/usr/bin/docker", engine.toString()));
  }

  private Path write(String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);
    assertTrue(file.toFile().setExecutable(true));
    return file;
  }

  private OutsideAnswer run(List<String> words) throws InterruptedException {
    List<String> all = new ArrayList<>(List.of(program.toString()));
    all.addAll(words);
    return new ProcessRunner()
        .run(new OutsideCommand(all, new byte[0], Map.of(), Duration.ofSeconds(20), 1 << 16));
  }

  private static String said(List<String> words) {
    return words.size() + "\n" + String.join("\n", words) + "\n";
  }

  private static List<String> exec(String account, String... command) {
    List<String> words =
        new ArrayList<>(List.of("exec", "--interactive", "--workdir", "/", "--user", account));
    words.add("c1");
    words.addAll(List.of(command));
    return words;
  }

  @Test
  void whatMillraceAsksIsDone() throws Exception {
    List<String> inspect =
        List.of("inspect", "--type", "container", "--format", ContainerTerms.FORMAT, "c1");
    assertEquals(said(inspect), run(inspect).out());
    List<String> command =
        exec("alice", "/usr/bin/timeout", "-k", "2", "21", "", "a b", "*", "$(id)", "--user");
    assertEquals(said(command), run(command).out());
  }

  @Test
  void whatIsElseInTheWordsOfACommandIsItsOwn() throws Exception {
    List<String> command = exec("alice", "--user", "root", "--privileged", "c1", "id");
    assertEquals(said(command), run(command).out());
    List<String> other = new ArrayList<>(exec("bob", "id"));
    other.set(6, "another");
    other.set(3, "/root");
    other.set(1, "--privileged");
    assertEquals(said(exec("bob", "id")), run(other).out(), "in the one container alone");
    assertEquals(ContainerTerms.FORMAT, run(List.of("inspect", "x")).out().lines().toList().get(5));
  }

  /** As sudo's own refusal: its runs wait, and those of others go on. */
  @Test
  void anAccountThatItDoesNotNameIsRefusedAlone() throws Exception {
    assertTrue(SudoWords.refused(run(exec("carol", "/usr/bin/timeout"))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "exec|--interactive|--workdir|/|--user|root|c1|id",
        "exec|--interactive|--workdir|/|--user|alice c1|--user|root|c1|id",
        "exec|--interactive|--workdir|/|--user|alice\nroot|c1|id",
        "exec|--interactive|--workdir|/|--user||c1|id",
        "exec|--interactive|--workdir|/|--user|al*|c1|id",
        "exec|--interactive|--workdir|/|--user=alice|c1|id|x",
        "exec|--user|root|c1|--user|alice|c1",
        "run|--volume|/:/host|c1",
        "--host|tcp://example.org|exec",
        "",
      })
  void whatIsElseIsRefused(String words) throws Exception {
    OutsideAnswer answer = run(List.of(words.split("\\|", -1)));
    assertEquals(1, answer.status(), answer::toString);
    assertTrue(answer.err().startsWith("millrace-outside: refused: "), answer::toString);
    assertEquals("", answer.out());
  }
}
