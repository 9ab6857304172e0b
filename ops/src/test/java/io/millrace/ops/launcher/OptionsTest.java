package io.millrace.ops.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class OptionsTest {

  private static Options options() {
    return new Options("up", "Starts it.")
        .value("--shards", "N", "number of shards")
        .flag("--durable", "safer");
  }

  private static String refusal(String... args) {
    return assertThrows(UsageException.class, () -> options().parse(List.of(args))).getMessage();
  }

  @Test
  void valuesAndFlagsInBothForms() throws UsageException {
    Options given = options().parse(List.of("--shards=4", "--durable"));
    assertEquals(4, given.number("--shards", 8, 1, 100));
    assertTrue(given.has("--durable"));
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
      Options given = options().parse(List.of("--shards", wrong));
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
}
