package io.millrace.server.campaigns.ask;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.campaign.AdmissionRule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuleFileTest {

  private static List<AdmissionRule> read(String text) throws IOException {
    return RuleFile.read(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void rulesAreReadAsTheyAreShown() throws IOException {
    List<AdmissionRule> rules =
        List.of(
            new AdmissionRule("user == \"ada\" || 'staff' in groups", "not you"),
            new AdmissionRule("true", "ä"));
    assertEquals(rules, read(RuleFile.text(rules)));
    assertEquals(List.of(), read("[]"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|it is no list of rules",
        "[3]|rule 1: it is no object",
        "[{\"rule\": \"true\"}]|rule 1: it has no text message",
        "[{\"rule\": true, \"message\": \"a\"}]|rule 1: it has no text rule",
        "[{\"rule\": \"a\", \"message\": \"b\", \"when\": \"c\"}]|rule 1: when is no field;",
        "[{\"rule\": \"a\", \"rule\": \"b\"}]|line 1: Duplicate field 'rule'",
        "[] []|line 1: Trailing token",
        "[|line 1: Unexpected end-of-input",
      })
  void whatIsNoRuleIsRefused(String text, String why) {
    String said = assertThrows(IOException.class, () -> read(text)).getMessage();
    assertTrue(said.startsWith(why), said);
    assertEquals(1, said.lines().count());
  }
}
