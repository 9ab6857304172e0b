package io.millrace.connectors.bridge.container;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.TransportKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Which container is gone into, by whom, and as whom.
 *
 * @param engine how its engine's program is called
 * @param container name of it, or its whole id
 * @param account in it as which questions are asked
 * @param sftpServer the program in it that serves files
 * @param atOnce commands that may be under way together
 * @param limit of the time of a question about it, or about a file in it
 */
record ContainerTerms(
    EngineCall engine,
    String container,
    String account,
    String sftpServer,
    int atOnce,
    Duration limit) {

  /**
   * The program of an engine.
   *
   * @param words that stand before its own
   * @param bySudo whether root starts it, whose rules name the container and not its id
   */
  record EngineCall(List<String> words, boolean bySudo) {

    EngineCall {
      words = List.copyOf(words);
    }

    private static EngineCall of(ClusterFile file) {
      List<String> words = new ArrayList<>();
      boolean bySudo = file.text(TransportKeys.ENGINE_SUDO).equals("yes");
      if (bySudo) {
        words.addAll(List.of(file.text("sudo"), "-n", "--"));
      }
      String engine = file.text(TransportKeys.ENGINE);
      words.add(file.given(TransportKeys.ENGINE_PROGRAM).orElse("/usr/bin/" + engine));
      String option = engine.equals(TransportKeys.DOCKER) ? "--host" : "--url";
      file.given(TransportKeys.ENGINE_SOCKET)
          .ifPresent(it -> words.addAll(List.of(option, "unix://" + it)));
      return new EngineCall(words, bySudo);
    }
  }

  /** No character of it means anything to sudo. */
  static final String FORMAT = "{{.Id}}/{{.State.Status}}/{{.State.StartedAt}}/{{.Name}}";

  static ContainerTerms of(ClusterFile file) {
    return new ContainerTerms(
        EngineCall.of(file),
        file.text(TransportKeys.CONTAINER),
        file.text(TransportKeys.INNER_ACCOUNT),
        file.text(TransportKeys.SFTP_SERVER),
        (int) file.number(TransportKeys.AT_ONCE),
        Duration.ofSeconds(file.number("command_limit_s")));
  }

  /** What the engine is asked about it. */
  List<String> inspect() {
    List<String> words = new ArrayList<>(engine.words());
    words.addAll(List.of("inspect", "--type", "container", "--format", FORMAT, container));
    return words;
  }

  /** A command in it, in the name of an account. */
  List<String> exec(RunningContainer at, String owner, List<String> command) {
    List<String> words = new ArrayList<>(engine.words());
    words.addAll(List.of("exec", "--interactive", "--workdir", "/", "--user", owner));
    words.add(engine.bySudo() ? container : at.id());
    words.addAll(command);
    return words;
  }

  @Override
  public String toString() {
    return account + " in container " + container;
  }
}
