package io.millrace.schemas.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramOptionsTest {

  private static final String ISSUER = "https://idp.site/token";

  private static ProgramOptions options() {
    return ProgramOptions.ofWord("up", "Starts it.")
        .value("--shards", "N", "number of shards")
        .flag("--durable", "safer");
  }

  private static String refusal(String... args) {
    return assertThrows(UsageException.class, () -> options().parse(List.of(args))).getMessage();
  }

  @Test
  void valuesAndFlagsInBothForms() throws UsageException {
    GivenOptions given = options().parse(List.of("--shards=4", "--durable"));
    assertEquals(4, given.number("--shards", 8, 1, 100));
    assertTrue(given.has("--durable"));
    assertEquals(Optional.of(""), given.get("--durable"));
    assertEquals(Optional.empty(), options().parse().get("--durable"));
    assertEquals(6, options().parse(List.of("--shards", "6")).number("--shards", 8, 1, 100));
    assertEquals(8, options().parse(List.of()).number("--shards", 8, 1, 100));
    assertFalse(options().parse(List.of()).has("--durable"));
  }

  @Test
  void whatIsWrongIsSaidInOneLine() throws UsageException {
    String help = " (see ./millrace up --help)";
    assertEquals("millrace up: there is no option --shard" + help, refusal("--shard", "4"));
    assertEquals("millrace up: --shards needs a value: --shards N" + help, refusal("--shards"));
    assertEquals("millrace up: --durable takes no value" + help, refusal("--durable=yes"));
    assertEquals("millrace up: 'now' is not understood" + help, refusal("now"));
    for (String wrong : List.of("0", "101", "many")) {
      GivenOptions given = options().parse(List.of("--shards", wrong));
      String said =
          assertThrows(UsageException.class, () -> given.number("--shards", 8, 1, 100))
              .getMessage();
      assertTrue(said.startsWith("millrace up: --shards takes a number from 1 to 100, not"), said);
    }
  }

  @Test
  void helpNamesEveryOption() {
    HelpRequested help =
        assertThrows(HelpRequested.class, () -> options().parse(List.of("--durable", "--help")));
    assertTrue(help.getMessage().startsWith("usage: ./millrace up [options]\n\nStarts it."));
    assertTrue(help.getMessage().contains("  --shards N                  number of shards"));
    assertTrue(help.getMessage().contains("  --durable                   safer"));
  }

  @Test
  void theLastOneCountsAndValuesAreTakenAsTheyStand() throws UsageException {
    GivenOptions given = options().parse("--shards", "4", "--shards=\"a=b\"");
    assertEquals("\"a=b\"", given.require("--shards"));
    assertEquals("", options().parse("--shards=").require("--shards"));
    assertEquals(
        List.of("a", "b"), options().operands("FILE").parse("a", "--durable", "b").operands());
  }

  @Test
  void aValueThatMayBeLeftOut() throws UsageException {
    ProgramOptions options = options().optional("--apart", "NAME,..", "apart");
    assertEquals(Optional.empty(), options.parse().get("--apart"));
    assertEquals(Optional.of(""), options.parse("--apart", "--durable").get("--apart"));
    assertTrue(options.parse("--apart", "--durable").has("--durable"));
    assertEquals(Optional.of("a,b"), options.parse("--apart", "a,b").get("--apart"));
    assertEquals(Optional.of("a"), options.parse("--apart=a", "--durable").get("--apart"));
    HelpRequested help = assertThrows(HelpRequested.class, () -> options.parse("--help"));
    assertTrue(
        help.getMessage().contains("  --apart [NAME,..]           apart"), help.getMessage());
  }

  @Test
  void oneOfTwoWords() throws UsageException {
    ProgramOptions options = ProgramOptions.ofProcess("x", "").value("--engines", "a|b", "where");
    assertTrue(options.parse().isFirst("--engines", "a", "b", "a"));
    assertFalse(options.parse("--engines=b").isFirst("--engines", "a", "b", "a"));
    GivenOptions wrong = options.parse("--engines=c");
    UsageException said =
        assertThrows(UsageException.class, () -> wrong.isFirst("--engines", "a", "b", "a"));
    assertEquals("x: --engines is a or b, not c (see --help)", said.getMessage());
  }

  @Test
  void kafkaNeedsBrokersOnTheCommandLineOrInTheFile(@TempDir Path folder) throws Exception {
    ProgramOptions options = ProgramOptions.ofProcess("x", "").kafka();
    Path file = folder.resolve("client.properties");
    Files.writeString(
        file,
        "bootstrap.servers=a:1\nsecurity.protocol=SASL_PLAINTEXT\nenable.metrics.push=true\n");
    GivenOptions both = options.parse("--properties", file.toString(), "--bootstrap-servers=b:2");
    Map<String, Object> expected =
        Map.of(
            "bootstrap.servers",
            "b:2",
            "security.protocol",
            "SASL_PLAINTEXT",
            "metric.reporters",
            "",
            "enable.metrics.push",
            "true",
            "retry.backoff.max.ms",
            "200",
            "reconnect.backoff.max.ms",
            "200");
    assertEquals(expected, both.kafka(), "what the file says holds");
    GivenOptions one = options.parse("--properties", file.toString());
    assertEquals("a:1", one.kafka().get("bootstrap.servers"));
    GivenOptions none = options.parse();
    UsageException said = assertThrows(UsageException.class, none::kafka);
    assertEquals("x: --bootstrap-servers is missing (see --help)", said.getMessage());
  }

  @Test
  void tokensAreFetchedWhereTheSettingsSay(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("client.properties");
    Files.writeString(file, "sasl.oauthbearer.token.endpoint.url=https://idp.site/token\n");
    KafkaClientFile.read(file);
    KafkaClientFile.read(file);
    String allowed = System.getProperty("org.apache.kafka.sasl.oauthbearer.allowed.urls");
    assertEquals(1, List.of(allowed.split(",")).stream().filter(ISSUER::equals).count(), allowed);
  }
}
