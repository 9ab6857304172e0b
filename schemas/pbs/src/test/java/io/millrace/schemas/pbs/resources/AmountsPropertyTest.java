package io.millrace.schemas.pbs.resources;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.SeedSource;
import io.millrace.schemas.common.Attribute;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An amount that is printed and parsed again is the same. */
class AmountsPropertyTest {

  private static final int ROUNDS = 20_000;

  @ParameterizedTest
  @SeedSource(1)
  void amountsSurvivePrinting(long seed) throws RequestException {
    Random random = new Random(seed);
    for (ResourceKind kind : ResourceKind.values()) {
      if (kind == ResourceKind.STRING) {
        continue;
      }
      ResourceDefinition resource = new ResourceDefinition("r", kind, "");
      for (int i = 0; i < ROUNDS; i++) {
        long amount = random.nextLong() >>> 10 + random.nextInt(50);
        if (kind == ResourceKind.BOOLEAN) {
          amount &= 1;
        }
        if (random.nextInt(3) == 0 && kind == ResourceKind.SIZE) {
          amount = (amount >>> 20) << 20;
        }
        String text = Amounts.format(resource, amount);
        assertEquals(amount, Amounts.parse(resource, text), kind + " " + text);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0,00:00:00",
    "59,00:00:59",
    "3600,01:00:00",
    "36000,10:00:00",
    "359999,99:59:59",
    "360000,100:00:00",
    "-1,00:00:-1"
  })
  void durationsHaveTwoDigitsAtLeast(long seconds, String text) {
    assertEquals(text, Amounts.formatDuration(seconds));
  }

  @ParameterizedTest
  @SeedSource(1)
  void requestsSurvivePrinting(long seed) throws RequestException {
    Random random = new Random(seed);
    RequestParser parser = new RequestParser(ResourceTable.standard());
    for (int i = 0; i < 2000; i++) {
      List<Attribute> given = request(random);
      ParsedRequest once = parser.parse(given);
      ParsedRequest again = parser.alter(once.resourceList(), List.of());
      assertEquals(once, again, "seed " + seed + ": " + given);
      assertEquals(RequestClass.key("q", once.request()), RequestClass.key("q", again.request()));
    }
  }

  private static List<Attribute> request(Random random) {
    List<Attribute> list = new ArrayList<>();
    if (random.nextBoolean()) {
      StringBuilder select = new StringBuilder();
      for (int kinds = random.nextInt(3); kinds >= 0; kinds--) {
        select.append(1 + random.nextInt(4)).append(":ncpus=").append(random.nextInt(9));
        if (random.nextBoolean()) {
          select.append(":mem=").append(1 + random.nextInt(4000)).append("mb");
        }
        if (random.nextBoolean()) {
          select.append(":host=h").append(random.nextInt(3));
        }
        select.append(kinds > 0 ? "+" : "");
      }
      list.add(new Attribute("select", select.toString()));
      if (random.nextBoolean()) {
        list.add(new Attribute("place", random.nextBoolean() ? "scatter" : "pack:excl"));
      }
    } else {
      list.add(new Attribute("ncpus", Integer.toString(1 + random.nextInt(8))));
      if (random.nextBoolean()) {
        list.add(new Attribute("mem", random.nextInt(1 << 20) + "kb"));
      }
    }
    if (random.nextBoolean()) {
      list.add(new Attribute("walltime", Integer.toString(random.nextInt(1 << 20))));
    }
    return list;
  }

  @ParameterizedTest
  @CsvSource({
    "SIZE,4gb,4294967296",
    "SIZE,100kb,102400",
    "SIZE,2097152b,2097152",
    "SIZE,16mw,134217728",
    "SIZE,7,7",
    "DURATION,90,90",
    "DURATION,1:30,90",
    "DURATION,100:00:01,360001",
    "DURATION,1.5,2",
    "DURATION,1.000,1",
    "BOOLEAN,True,1",
    "BOOLEAN,f,0",
    "FLOAT,1.5,1500000",
    "FLOAT,-.25,-250000",
    "LONG,-3,-3"
  })
  void readsTheFormsOfPbs(ResourceKind kind, String text, long amount) throws RequestException {
    assertEquals(amount, Amounts.parse(new ResourceDefinition("r", kind, ""), text));
  }

  @ParameterizedTest
  @CsvSource({
    "SIZE,-1kb", "SIZE,9999999999pb", "SIZE,1.5gb", "DURATION,1:2:3:4", "DURATION,-1",
    "BOOLEAN,perhaps", "FLOAT,1e5", "LONG,99999999999999999999", "LONG,''", "STRING,x"
  })
  void refusesOtherForms(ResourceKind kind, String text) {
    assertThrows(
        RequestException.class, () -> Amounts.parse(new ResourceDefinition("r", kind, ""), text));
  }

  /** The greatest value of each kind, and one above. */
  @ParameterizedTest
  @CsvSource({
    "DURATION,2562047788015215:30:07,2562047788015215:30:08",
    "DURATION,99999999999999999,100000000000000000",
    "SIZE,9223372036854775807b,9223372036854775808b",
    "SIZE,9007199254740991kb,9007199254740992kb",
    "SIZE,8191pb,8192pb",
    "SIZE,1152921504606846975w,1152921504606846976w",
    "LONG,9223372036854775807,9223372036854775808",
    "FLOAT,9223372036854.775807,9223372036854.775808"
  })
  void whatIsBeyondTheRangeIsRefused(ResourceKind kind, String greatest, String above)
      throws RequestException {
    ResourceDefinition resource = new ResourceDefinition("r", kind, "");
    long amount = Amounts.parse(resource, greatest);
    assertEquals(amount, Amounts.parse(resource, Amounts.format(resource, amount)));
    assertEquals(amount - 1, Amounts.parse(resource, Amounts.format(resource, amount - 1)));
    assertThrows(RequestException.class, () -> Amounts.parse(resource, above));
  }

  @Test
  void theLongestTimeCanBeAddedToAnyTimeOfTheClock() {
    long yearsMs = 10_000L * 366 * 86_400_000;
    assertTrue(Amounts.milliseconds(Long.MAX_VALUE) + yearsMs > 0);
    assertTrue(Amounts.milliseconds(Long.MIN_VALUE) - yearsMs < 0);
    assertEquals(5_000, Amounts.milliseconds(5));
  }

  @Test
  void assignedSizesAreInKilobytes() throws RequestException {
    ResourceDefinition memory = ResourceTable.standard().find("mem").orElseThrow();
    assertEquals("102400kb", Amounts.formatAssigned(memory, Amounts.parse(memory, "100mb")));
    assertEquals("0kb", Amounts.formatAssigned(memory, 0));
  }
}
