package io.millrace.schemas.oar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.oar.OarProperties.HostValue;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Expressions over what hosts show. */
final class OarPropertiesTest {

  private static final String PIECES =
      "a|b1|=|!=|<>|<|<=|>|>=|AND|or|NOT|in|LIKE|IS|NULL|(|)|,|'x y'|\"z\"|4|-4.5|r-1| |$|;|'|`|\\|--";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gpu = 'YES'",
        "gpu='YES' and not (mem < 4000 or mem >= -8000.5)",
        "host IN ('n1', 'n2') AND host NOT IN ('n3')",
        "cpu LIKE 'Xeon%' OR cpu not like '%AMD%'",
        "a IS NULL AND b is not null",
        "NOT NOT (((a <> 1)))",
        "a != '' AND b = 'x:y=(1,2)+'",
      })
  void whatIsTakenGoesThereUnchanged(String text) {
    assertEquals(text, OarProperties.of(text).text());
    assertTrue(OarAsked.areConditions(text));
  }

  @Test
  void valuesInOtherQuotesOrInNoneBecomeTexts() {
    String text = "gpu=yes AND rack IN (r-1, \"r 2\",3) OR x = \"4\"";
    String same = "gpu='yes' AND rack IN ('r-1', 'r 2',3) OR x = '4'";
    assertEquals(same, OarProperties.of(text).text());
    assertTrue(!OarAsked.areConditions(text), "double quotes would end the argument");
    assertTrue(OarAsked.areConditions(same));
  }

  @Test
  void valuesAloneAreKnownAndWhatIsMoreIsTold() {
    OarProperties values = OarProperties.of("(gpu = 'YES') AND (a=1 AND b = \"c\")");
    List<HostValue> all =
        List.of(new HostValue("gpu", "YES"), new HostValue("a", "1"), new HostValue("b", "c"));
    assertEquals(all, values.values());
    assertEquals(Optional.empty(), values.more());
    assertEquals(Optional.of("column 7: OR"), OarProperties.of("a = 1 OR b > 2").more());
    assertEquals(Optional.of("column 1: NOT"), OarProperties.of("not a = 1").more());
    assertEquals(Optional.of("column 3: IN"), OarProperties.of("a in (1)").more());
    assertEquals(Optional.of("column 3: NOT"), OarProperties.of("a not like 'b'").more());
    assertEquals(Optional.of("column 11: IS"), OarProperties.of("a=1 AND b IS NULL").more());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "^^|1: a property's name is missing before the end",
        "gpu|4: =, !=, <>, <, <=, >, >=, IN, LIKE or IS is missing before the end",
        "a =|4: a value is missing before the end",
        "a = AND|5: a value is missing before AND",
        "a = 1 b = 2|7: AND, OR or the end is missing before b",
        "a = 1)|6: AND, OR or the end is missing before )",
        "(a = 1|7: ) is missing before the end",
        "a IN 1|6: ( is missing before 1",
        "a IN ()|7: a value is missing before )",
        "a IS 1|6: NULL is missing before 1",
        "a BETWEEN 1 AND 2|3: =, !=, <>, <, <=, >, >=, IN, LIKE or IS is missing before BETWEEN",
        "1 = a|1: a property's name is missing before 1",
        "AND = 1|1: a property's name is missing before AND",
        "a = 'x|5: the text that begins here does not end",
        "a = 'it''s'|9: AND, OR or the end is missing before 's'",
        "a = $(id)|5: '$' has no meaning here",
        "a = 1; b|6: ';' has no meaning here",
        "a = '$x'|5: a text has at most 200 letters, digits, blanks and characters of _.@/%:+,=()-",
        "a = 1 -- b|7: AND, OR or the end is missing before --",
        "lower(a) = 1|6: =, !=, <>, <, <=, >, >=, IN, LIKE or IS is missing before (",
      })
  void whatIsNotTakenIsToldWithItsColumn(String text, String why) {
    assertEquals("column " + why, wrong(text));
  }

  private static String wrong(String text) {
    return assertThrows(IllegalArgumentException.class, () -> OarProperties.of(text)).getMessage();
  }

  @Test
  void lengthAndLevelsAreBounded() {
    assertEquals("more than 1000 characters", wrong("a".repeat(1_001)));
    assertTrue(OarAsked.areConditions("(".repeat(19) + "a=1" + ")".repeat(19)));
    assertEquals(
        "column 21: more than 20 levels", wrong("(".repeat(400) + "a=1" + ")".repeat(400)));
    assertEquals("column 81: more than 20 levels", wrong("NOT ".repeat(100) + "a=1"));
  }

  /** Whatever comes: what is taken has only what no shell reads between double quotes. */
  @Test
  void whatIsTakenHasNothingForAShell() {
    Random random = new Random(Long.getLong("millrace.day", 20261130L));
    String[] pieces = PIECES.split("\\|");
    int taken = 0;
    for (int i = 0; i < 200_000; i++) {
      StringBuilder text = new StringBuilder("a = 1");
      for (int n = random.nextInt(8); n > 0; n--) {
        text.append(random.nextBoolean() ? " " : "").append(pieces[random.nextInt(pieces.length)]);
      }
      try {
        String safe = OarProperties.of(text.toString()).text();
        assertTrue(safe.matches("[A-Za-z0-9_.@/%:+,=()<>!' -]*"), safe);
        assertEquals(0, safe.chars().filter(it -> it == '\'').count() % 2, safe);
        assertEquals(safe, OarProperties.of(safe).text());
        taken++;
      } catch (IllegalArgumentException e) {
        assertTrue(e.getMessage().startsWith("column "), e.getMessage());
      }
    }
    assertTrue(taken > 1_000, taken + " were taken");
  }
}
