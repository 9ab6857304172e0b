package io.millrace.schedulers.dialects.plus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.policy.JobSequence;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random lines: nothing else is thrown than a refusal with the place, what is taken becomes
 * attributes as they are accepted by a scheduler object, and what is printed reads the same.
 */
class PlusTextsPropertyTest {

  private static final List<String> OTHERS =
      List.of("ann", "a.org", "", "#", ":", ",", "x y", "\u00e9", "JobSortkey", "12", "@", "\t");

  private static final int USUAL = 50_000;

  @Test
  void anyLineIsTakenOrRefused() {
    assertTrue(run(USUAL) > USUAL / 100, "too few texts were taken");
  }

  @Test
  @Tag("night")
  void aMillionLines() {
    assertTrue(run(1_000_000) > 0);
  }

  private static int run(int texts) {
    long seed = Long.getLong("millrace.day", 20261125L);
    Random random = new Random(seed);
    int taken = 0;
    for (int i = 0; i < texts; i++) {
      List<String> lines = new ArrayList<>();
      for (int n = random.nextInt(4); n >= 0; n--) {
        lines.add(line(random));
      }
      String text = String.join("\n", lines);
      try {
        check(PlusText.read("f", text).conf(), "seed " + seed + ", text:\n" + text);
        taken++;
      } catch (ConfigurationRefused e) {
        assertTrue(e.line() >= 1 && e.line() <= lines.size(), text);
        assertEquals(1, e.getMessage().lines().count(), text);
      }
    }
    return taken;
  }

  private static void check(PlusConf conf, String where) {
    assertEquals(conf.print(), PlusText.read("again", conf.print()).conf().print(), where);
    for (Attribute attribute : conf.attributes()) {
      if (!attribute.getValue().isEmpty()) {
        assertEquals(
            Optional.of(attribute.getValue()),
            AttributeTable.find(ObjectKind.SCHEDULER, attribute.getName())
                .orElseThrow()
                .normalise(attribute.getValue()),
            where);
      }
      if (attribute.getName().equals(AttributeTable.JOB_SORT_KEY)) {
        assertEquals(conf.jobKeys().size(), JobSequence.keys(attribute.getValue()).size(), where);
      }
    }
  }

  private static String line(Random random) {
    List<String> options = PlusOption.words();
    StringBuilder line = new StringBuilder();
    String option = options.get(random.nextInt(options.size()));
    line.append(random.nextInt(9) == 0 ? any(random) : option);
    line.append(random.nextInt(9) == 0 ? " " : ": ");
    for (int words = random.nextInt(4); words >= 0; words--) {
      List<String> likely =
          switch (option) {
            case "JobSortKey" -> PlusJobKey.words();
            case "NodeSortKey" -> PlusNodeKey.words();
            default -> List.of("ann", "bob", "a.org", "g1", "g2");
          };
      line.append(random.nextInt(9) == 0 ? any(random) : likely.get(random.nextInt(likely.size())));
      line.append(words == 0 && random.nextInt(9) > 0 ? "" : ", ");
    }
    return line.toString();
  }

  private static String any(Random random) {
    return random.nextInt(5) == 0
        ? String.valueOf((char) random.nextInt(0x3000))
        : OTHERS.get(random.nextInt(OTHERS.size()));
  }
}
