package io.millrace.connectors.testkit;

import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.oar.OarAnswer;
import io.millrace.connectors.oar.OarAnswer.ExchangeEnding;
import io.millrace.connectors.oar.OarExchange;
import io.millrace.connectors.oar.OarRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Requests to OAR's API as commands, and back, so that they meet the faults that commands meet. The
 * first word says what they are.
 */
final class RequestsAsCommands {

  static final String SUBMISSION = "submission";
  private static final String REQUEST = "request";

  private static final Pattern NAME = Pattern.compile("\"name\":\"([^\"]+)\"");
  private static final int STATUS_LEAST = 100;

  private RequestsAsCommands() {}

  /** An API whose requests go by a runner. */
  static OarExchange by(CommandRunner runner) {
    return request -> answer(runner.run(command(request)));
  }

  /** A runner that sends requests to an API, and starts all else as it is. */
  static CommandRunner to(OarExchange door, CommandRunner others) {
    return command ->
        List.of(REQUEST, SUBMISSION).contains(command.words().get(0))
            ? told(door.ask(request(command)))
            : others.run(command);
  }

  /** The word of a submission that names its run. */
  static String word(String name) {
    return "name " + name;
  }

  private static OutsideCommand command(OarRequest request) {
    String body = request.body().orElse("");
    Matcher name = NAME.matcher(body);
    return new OutsideCommand(
        List.of(
            request.submits() ? SUBMISSION : REQUEST,
            request.method(),
            request.path(),
            request.account().orElse(""),
            name.find() ? word(name.group(1)) : ""),
        body.getBytes(StandardCharsets.UTF_8),
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
      case CUT, TOO_LONG -> new OarAnswer(ExchangeEnding.BROKEN_OFF, 0, "cut", told.took());
      case NOT_STARTED -> new OarAnswer(ExchangeEnding.NOT_SENT, 0, told.err(), told.took());
      // What a fault says in place of a server has no status of HTTP.
      case EXITED ->
          new OarAnswer(
              ExchangeEnding.ANSWERED,
              told.status() < STATUS_LEAST ? 500 : told.status(),
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
          case ACCOUNT_REFUSED, NOT_SENT -> ProcessEnding.NOT_STARTED;
        };
    return new OutsideAnswer(ending, answer.status(), answer.body(), answer.body(), answer.took());
  }
}
