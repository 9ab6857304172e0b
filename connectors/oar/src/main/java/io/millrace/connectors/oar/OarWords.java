package io.millrace.connectors.oar;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.Submitted;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What OAR's API says about what it did. It passes on what OAR's commands have printed. Only words
 * of which it is known that OAR has looked at the order and does not want it are a refusal; all
 * others leave it open.
 */
final class OarWords {

  /** What oarsub has said, between its exit status and the line that was started. */
  private static final Pattern OARSUB =
      Pattern.compile(
          "Oarsub command exited with status ([0-9]{1,3}): (.*?)(?:\nCmd:.*)?", Pattern.DOTALL);

  private static final Pattern COMMAND =
      Pattern.compile(
          "(?:Oar|Oardel) command exited with status [0-9]{1,5}: (.*?)(?: \\(Command was: .*)?",
          Pattern.DOTALL);

  /** A number was given: there is a job, whatever else went wrong. */
  private static final Pattern MADE = Pattern.compile("JOB_ID\\s*=\\s*[0-9]");

  /** The order has not come to where it is decided, or what was decided has not come back. */
  private static final Pattern TROUBLE =
      Pattern.compile(
          "(?i)cannot connect|could not connect|database|DBD::|DBI|timed? ?out|timeout|deadlock"
              + "|connection|server closed|terminating|temporar|no space|cannot fork|read-only");

  /** What oarsub says before it has written anything down. */
  private static final Pattern NO =
      Pattern.compile(
          "The queue \\S+ does not exist|There are not enough resources"
              + "|Bad resource request|Invalid username|Invalid std(out|err)"
              + "|Cannot recognize");

  /** How each line of an admission rule begins: those that only inform, and those it dies with. */
  private static final String RULE = "[ADMISSION RULE] ";

  /** The exit status, -2, by which oarsub says that an admission rule has died. */
  private static final String RULE_DIED = "254";

  private static final Pattern GONE = Pattern.compile("this job does not exist");

  private static final Pattern KILLED = Pattern.compile("This job was already killed");

  private static final Pattern NOT_ALLOWED =
      Pattern.compile(
          "You are not the right user|you are not the right user|not in the right state"
              + "|not in the Hold or Suspended state|only oar or root|CPUSET tag is not configured"
              + "|This job is of the \\w+ type");

  private OarWords() {}

  static Submitted submitted(OarAnswer answer) {
    if (answer.ending() == OarAnswer.ExchangeEnding.ACCOUNT_REFUSED) {
      return new Submitted.AccountRefused("submission: " + answer.trouble());
    }
    if (answer.wasNotTaken()) {
      return new Submitted.NotSent("submission: " + answer.trouble());
    }
    if (!answer.isWhole()) {
      return new Submitted.SubmissionUnclear("submission: " + answer.trouble());
    }
    if (answer.isGood()) {
      Optional<Long> number =
          OarJson.object(answer.body())
              .flatMap(it -> OarJson.number(it, "id"))
              .filter(it -> it > 0);
      return number.isPresent()
          ? new Submitted.Accepted(OutsideId.of(number.get()))
          : new Submitted.SubmissionUnclear("submission: no number in the answer");
    }
    Matcher said = OARSUB.matcher(OarJson.message(answer.body()).orElse(""));
    if (said.matches()) {
      String words = said.group(2);
      Optional<String> no = refusal(said.group(1), words);
      if (!MADE.matcher(words).find() && !TROUBLE.matcher(words).find() && no.isPresent()) {
        return new Submitted.SubmissionRefused(OarAnswer.line(no.get()));
      }
    }
    return new Submitted.SubmissionUnclear("submission: " + answer.trouble());
  }

  /** The words with which oarsub has refused an order; empty when it has not. */
  private static Optional<String> refusal(String status, String words) {
    List<String> lines = words.strip().lines().toList();
    String last = lines.isEmpty() ? "" : lines.get(lines.size() - 1);
    if (status.equals(RULE_DIED) && last.startsWith(RULE)) {
      return Optional.of(last);
    }
    for (String line : lines) {
      Matcher no = NO.matcher(line);
      if (!line.startsWith(RULE) && no.find()) {
        return Optional.of(line.substring(no.start()));
      }
    }
    return Optional.empty();
  }

  static Controlled controlled(OarAnswer answer) {
    if (answer.ending() == OarAnswer.ExchangeEnding.ACCOUNT_REFUSED) {
      return new Controlled.ControlRefused(answer.trouble());
    }
    if (!answer.isWhole() || answer.wasNotTaken()) {
      return new Controlled.ControlUnclear(answer.trouble());
    }
    if (answer.isGood()) {
      Optional<JsonNode> said = OarJson.object(answer.body());
      return said.isPresent()
          ? new Controlled.Done(OarAnswer.line(OarJson.text(said.get(), "cmd_output")))
          : new Controlled.ControlUnclear("this is no answer of OAR's API");
    }
    Matcher said = COMMAND.matcher(OarJson.message(answer.body()).orElse(""));
    if (!said.matches() || TROUBLE.matcher(said.group(1)).find()) {
      return new Controlled.ControlUnclear(answer.trouble());
    }
    String words = said.group(1).strip().replace('\n', ' ');
    if (GONE.matcher(words).find()) {
      return new Controlled.OutsideJobGone(OarAnswer.line(words));
    }
    if (KILLED.matcher(words).find()) {
      // OAR goes on with the first order by itself.
      return new Controlled.Done(OarAnswer.line(words));
    }
    return NOT_ALLOWED.matcher(words).find()
        ? new Controlled.ControlRefused(OarAnswer.line(words))
        : new Controlled.ControlUnclear(OarAnswer.line(words));
  }
}
