package io.millrace.connectors.testkit;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.ClusterKey;
import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.command.ProcessRunner;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.oar.OarAnswer;
import io.millrace.connectors.oar.OarAnswer.ExchangeEnding;
import io.millrace.connectors.oar.OarDoor;
import io.millrace.connectors.oar.OarExchange;
import io.millrace.connectors.oar.OarKind;
import io.millrace.connectors.oar.OarRequest;
import io.millrace.connectors.oar.OarSystem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** With a real OAR 2.5.9. Its requests go as commands do, so that they meet the same faults. */
class OarContractIT extends OutsideContract {

  private static final String REQUEST = "request";
  private static final String SUBMISSION = "submission";

  private OarExchange door;
  private Path passwords;

  /** OAR, whose requests are commands: the first word says what they are. */
  private final class OarByCommands implements OutsideKind {
    private final OarKind oar = new OarKind();

    @Override
    public String name() {
      return oar.name();
    }

    @Override
    public List<ClusterKey> keys() {
      return oar.keys();
    }

    @Override
    public Optional<String> unfit(Map<String, String> values) {
      return oar.unfit(values);
    }

    @Override
    public OutsideSystem open(ClusterFile file, CommandRunner runner) {
      door = new OarDoor(file);
      return new OarSystem(
          file, runner, request -> answer(runner.run(command(request))), Clock.systemUTC());
    }

    @Override
    public List<String> programs() {
      return oar.programs();
    }

    @Override
    public List<String> programsOfAccounts() {
      return oar.programsOfAccounts();
    }

    @Override
    public List<CheckLine> check(ClusterFile file, CommandRunner runner)
        throws InterruptedException {
      return oar.check(file, runner);
    }
  }

  private static OutsideCommand command(OarRequest request) {
    return new OutsideCommand(
        List.of(
            request.submits() ? SUBMISSION : REQUEST,
            request.method(),
            request.path(),
            request.account().orElse("")),
        request.body().orElse("").getBytes(StandardCharsets.UTF_8),
        Map.of(),
        Duration.ofSeconds(20),
        1 << 20);
  }

  private static OarRequest request(OutsideCommand command) {
    String body = new String(command.input(), StandardCharsets.UTF_8);
    return new OarRequest(
        command.words().get(1),
        command.words().get(2),
        Optional.of(command.words().get(3)).filter(it -> !it.isEmpty()),
        Optional.of(body).filter(it -> !it.isEmpty()));
  }

  private static OarAnswer answer(OutsideAnswer told) {
    return switch (told.ending()) {
      case TIMED_OUT -> new OarAnswer(ExchangeEnding.TIMED_OUT, 0, "", told.took());
      case CUT -> new OarAnswer(ExchangeEnding.BROKEN_OFF, 0, "cut", told.took());
      case NOT_STARTED -> new OarAnswer(ExchangeEnding.NOT_SENT, 0, told.err(), told.took());
      // What a fault says in place of a server has no status of HTTP.
      case EXITED ->
          new OarAnswer(
              ExchangeEnding.ANSWERED,
              told.status() < 100 ? 500 : told.status(),
              told.out(),
              told.took());
    };
  }

  private static OutsideAnswer told(OarAnswer answer) {
    ProcessEnding ending =
        switch (answer.ending()) {
          case ANSWERED -> ProcessEnding.EXITED;
          case TIMED_OUT -> ProcessEnding.TIMED_OUT;
          case BROKEN_OFF -> ProcessEnding.CUT;
          case NOT_SENT -> ProcessEnding.NOT_STARTED;
        };
    return new OutsideAnswer(ending, answer.status(), answer.body(), answer.body(), answer.took());
  }

  @Override
  CommandRunner runner() {
    CommandRunner processes = new ProcessRunner();
    return command ->
        Set.of(REQUEST, SUBMISSION).contains(command.words().get(0))
            ? told(door.ask(request(command)))
            : processes.run(command);
  }

  @Override
  OutsideKind kind() {
    return new OarByCommands();
  }

  @Override
  String script() {
    return "oar.sh";
  }

  @Override
  List<String> keys() throws IOException {
    if (passwords == null) {
      passwords =
          Files.createTempFile(
              "millrace-oar",
              "",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(passwords, "mralice:mralice\n");
      passwords.toFile().deleteOnExit();
    }
    return List.of("url = http://127.0.0.1:6668/oarapi", "credentials = " + passwords);
  }

  @Override
  Set<String> submitting() {
    return Set.of(SUBMISSION);
  }
}
