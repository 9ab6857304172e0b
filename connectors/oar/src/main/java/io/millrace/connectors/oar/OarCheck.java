package io.millrace.connectors.oar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.system.OutsideHost;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.Told;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/** Looks whether an OAR cluster is as its file says, and can be used. */
final class OarCheck {

  /** Its answers are known. */
  private static final String TESTED = "2.5";

  private final ClusterFile file;
  private final OarExchange door;
  private final OutsideSystem system;
  private final List<CheckLine> lines = new ArrayList<>();

  OarCheck(ClusterFile file, OarExchange door, OutsideSystem system) {
    this.file = file;
    this.door = door;
    this.system = system;
  }

  List<CheckLine> lines() throws InterruptedException {
    long asked = Instant.now().getEpochSecond();
    OarAnswer said = door.ask(OarRequest.get("/version.json"));
    JsonNode version = fields(said);
    String number = OarJson.text(version, "oar_version");
    if (!said.isGood() || number.isEmpty()) {
      String why = said.isGood() ? "this is no answer of OAR's API" : said.trouble();
      lines.add(
          CheckLine.wrong(
              "the API does not answer: ",
              why,
              "try: curl -u NAME " + file.text(OarKind.URL) + "/version.json"));
      return lines;
    }
    lines.add(
        number.startsWith(TESTED + ".")
            ? CheckLine.good("version: OAR " + OarAnswer.line(number))
            : CheckLine.wrong(
                "OAR is " + OarAnswer.line(number) + ", which was never tried",
                "use " + TESTED + ", whose answers are known"));
    clock(version, asked);
    queue();
    hosts();
    if (!file.observes()) {
      for (String account : new LinkedHashSet<>(file.users().values())) {
        account(account);
      }
    }
    return lines;
  }

  private static JsonNode fields(OarAnswer answer) {
    return OarJson.object(answer.body()).orElse(JsonNodeFactory.instance.objectNode());
  }

  private void clock(JsonNode version, long asked) {
    long there = OarJson.number(version, "api_timestamp").orElse(0L);
    long now = Instant.now().getEpochSecond();
    // The answer was made at some moment between the two.
    long apart = there < asked ? asked - there : Math.max(0, there - now);
    lines.add(
        apart <= file.number("clock_skew_s")
            ? CheckLine.good("clock of OAR's server")
            : CheckLine.wrong(
                "the clock of OAR's server differs by " + apart + " s",
                "have both follow one clock (NTP), or raise 'clock_skew_s'"));
  }

  private void queue() throws InterruptedException {
    Told<List<OutsideJob>> told = system.snapshot();
    if (told instanceof Told.Answered<List<OutsideJob>> answer) {
      lines.add(CheckLine.good("queue: " + answer.value().size() + " jobs"));
    } else if (told instanceof Told.Nothing<List<OutsideJob>> nothing) {
      lines.add(
          CheckLine.wrong(
              "the queue cannot be read: " + nothing.why(),
              "look into the log of its web server, and whether its database runs"));
    }
  }

  private void hosts() throws InterruptedException {
    Told<OutsideInventory> told = system.inventory();
    if (told instanceof Told.Answered<OutsideInventory> answer) {
      int cpus = answer.value().hosts().stream().mapToInt(OutsideHost::cpus).sum();
      lines.add(
          CheckLine.good(
              "hosts: " + answer.value().hosts().size() + ", with " + cpus + " processors"));
    } else if (told instanceof Told.Nothing<OutsideInventory> nothing) {
      lines.add(
          CheckLine.wrong("the hosts cannot be read: " + nothing.why(), "try 'oarnodes' there"));
    }
  }

  /** Whether the API takes orders of an account for orders of that account. */
  private void account(String account) throws InterruptedException {
    if (!OarCredentials.NAME.matcher(account).matches()) {
      lines.add(
          CheckLine.wrong(
              "OAR's API would take " + account + " for another account",
              "name accounts of letters, digits and underscores in the 'user.' lines"));
      return;
    }
    OarAnswer said = door.ask(OarRequest.get("/whoami.json", account));
    String name = OarJson.text(fields(said), "authenticated_user");
    if (!said.isGood()) {
      lines.add(
          CheckLine.wrong(
              "the API does not know " + account + ": " + said.trouble(),
              "see 'credentials' and 'identity'"));
    } else if (!name.equals(account)) {
      lines.add(
          CheckLine.wrong(
              "the API takes " + account + " for '" + OarAnswer.line(name) + "'",
              "see 'identity', and what its web server makes of names"));
    } else {
      lines.add(CheckLine.good("the API knows " + account));
    }
  }
}
