package io.millrace.server.campaigns.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.Seeds;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a cluster is asked for, whatever it is, makes a campaign or is refused with its place. */
final class SubmittedDocumentsTest extends CigriTrial {

  private static final long SLOW_NS = TimeUnit.SECONDS.toNanos(1);

  private static final List<String> NUMBERS =
      List.of(
          "0",
          "1",
          "2",
          "-1",
          "1000000",
          "3000000000",
          "9223372036854775807",
          "1e3",
          "9".repeat(30));

  private static final List<String> RESOURCES = List.of("ncpus", "mem", "host", "walltime", "x");

  private static final List<String> PIECES =
      List.of("+", ":", "=", ",", "'", "\\\"", "{", " ", "kb", "gb", "\\u0000", "/", "select=");

  private final Random random = new Random(Seeds.TODAY);

  private <T> T any(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private String resources() {
    StringBuilder text = new StringBuilder(random.nextInt(4) > 0 ? "select=" : "");
    for (int chunk = random.nextInt(3); chunk >= 0; chunk--) {
      text.append(any(NUMBERS));
      for (int part = random.nextInt(3); part > 0; part--) {
        text.append(':').append(any(RESOURCES)).append('=').append(any(NUMBERS));
      }
      text.append(chunk > 0 ? "+" : "");
    }
    if (random.nextInt(3) == 0) {
      text.insert(random.nextInt(text.length()), any(PIECES));
    }
    return text.toString();
  }

  private String condition() {
    String one = any(RESOURCES) + any(List.of("=", " = ", "<", " <> ", " LIKE ", " IS "));
    one += any(List.of("'" + any(NUMBERS) + "'", any(NUMBERS), "NULL", "x", "\\\"y\\\""));
    return switch (random.nextInt(8)) {
      case 0 -> "(" + condition() + ")";
      case 1 -> "NOT " + condition();
      case 2 -> condition() + any(List.of(" AND ", " OR ", " ")) + condition();
      default -> one;
    };
  }

  private String field() {
    return switch (random.nextInt(8)) {
      case 0 -> "\"properties\": \"" + condition() + "\"";
      case 1 -> "\"walltime\": \"" + any(NUMBERS) + ":0:" + any(NUMBERS) + "\"";
      case 2 -> "\"max_jobs\": " + any(NUMBERS);
      case 3 -> "\"project\": \"" + any(PIECES) + "\"";
      default -> "\"resources\": \"" + resources() + "\"";
    };
  }

  private String document() {
    String settings = field() + (random.nextBoolean() ? ", " + field() : "");
    String document = DEMO.replace("\"max_jobs\": 2", settings);
    return random.nextInt(4) == 0 ? changed(document) : document;
  }

  /** The same with letters that are gone, others or from elsewhere in it. */
  private String changed(String text) {
    StringBuilder changed = new StringBuilder(text);
    for (int n = random.nextInt(3); n >= 0; n--) {
      int at = random.nextInt(changed.length());
      switch (random.nextInt(4)) {
        case 0 -> changed.deleteCharAt(at);
        case 1 -> changed.insert(at, any(PIECES));
        case 2 -> changed.insert(at, text, 0, random.nextInt(text.length()));
        default -> changed.setCharAt(at, (char) random.nextInt(0x250));
      }
    }
    return changed.toString();
  }

  private Said asked(String document) throws Exception {
    try {
      return ask("ada", "POST /cigri/campaigns", document);
    } catch (RuntimeException e) {
      throw new AssertionError("seed " + Seeds.TODAY + ": " + document, e);
    }
  }

  @Test
  void whateverIsAskedForIsTakenOrRefused() throws Exception {
    int refused = 0;
    int taken = 0;
    int all = Seeds.NIGHT ? 1_000_000 : 3_000;
    for (int i = 0; i < all; i++) {
      String document = document();
      long begin = System.nanoTime();
      Said said = asked(document);
      if (System.nanoTime() - begin > SLOW_NS) {
        begin = System.nanoTime();
        said = asked(document);
        assertTrue(System.nanoTime() - begin < SLOW_NS, "slow: " + document);
      }
      if (said.status() == 201) {
        taken++;
        ask("ada", "DELETE /cigri/campaigns/" + said.at("/id")).must(202);
      } else {
        refused++;
        said.must(400);
        assertTrue(said.body().has("faults"), document + " " + said.text());
      }
    }
    assertTrue(refused > all / 10 && taken > all / 50, refused + " refused, " + taken + " taken");
  }

  @ParameterizedTest
  @CsvSource({
    "select=1:ncpus=3000000000, 3000000000",
    "select=3000000000:ncpus=3000000000, 9000000000000000000",
    "select=9000000000000000000:ncpus=9000000000000000000, 81000000000000000000000000000000000000",
    "select=1:ncpus=9000000000000000000+1:ncpus=9000000000000000000, 18000000000000000000",
  })
  void aTaskHasABoundedNumberOfProcessors(String resources, String shown) throws Exception {
    String most = DEMO.replace("\"max_jobs\": 2", "\"resources\": \"" + resources + "\"");
    Said said = ask("ada", "POST /cigri/campaigns", most).must(400);
    assertEquals("/clusters/bag", said.at("/faults/0/path"), said.text());
    assertEquals(0, table.size());
    String words = "gridsub: JSON: " + said.at("/message") + "\n 1";
    assertEquals(words, command("ada", "gridsub", most));
    if (said.text().contains("processors")) {
      assertTrue(said.text().contains("at most 1000000 processors, not " + shown), said.text());
    }
  }
}
