package io.millrace.schemas.oar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** OAR's own words, and what is none of them. */
class OarAskedTest {

  @ParameterizedTest
  @CsvSource({
    "/nodes=1/core=2, 2, /nodes=1/core=2",
    "core=1, 1, /network_address=1/core=1",
    "/cpu=2/core=4, 8, /network_address=1/cpu=2/core=4",
    "network_address=1/thread=16, 16, /network_address=1/thread=16",
  })
  void resourcesAreOnOneHost(String text, int processors, String asked) {
    assertEquals(processors, OarAsked.processors(text));
    assertEquals(asked, OarAsked.onOneHost(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "core",
        "core=",
        "core=0",
        "core=-1",
        "core=ALL",
        "/nodes=2/core=1",
        "core=1,walltime=1:0:0",
        "walltime=3",
        "core=1+core=2",
        "{gpu='YES'}/core=1",
        "/core=$(reboot)",
        "/core=`id`",
        "/core=1;reboot",
        "/core=1\nreboot",
        "/core=1\" -t besteffort",
        "/core=1 -t besteffort",
        "/core=9999999/cpu=9999999",
        "/core=99999999999999999999",
      })
  void whatIsNoneIsRefused(String text) {
    String why =
        assertThrows(IllegalArgumentException.class, () -> OarAsked.onOneHost(text)).getMessage();
    assertEquals(1, why.lines().count(), why);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "gpu",
        "gpu = 'YES' OR 1 = 1",
        "gpu = 'YES'; DROP TABLE jobs",
        "gpu = '$HOME'",
        "gpu = '`id`'",
        "gpu = 'a\"b'",
        "gpu = 'a\\'",
        "gpu = 'a' AND",
        "gpu = 'a'\nAND b = 'c'",
        "gpu = 'a' -t besteffort",
      })
  void whatAShellOrADatabaseCouldReadIsNoCondition(String text) {
    assertFalse(OarAsked.areConditions(text));
  }

  @Test
  void conditionsAreNamesWithValues() {
    assertTrue(OarAsked.areConditions("gpu = 'YES' AND network_address = 'n-1.example.org'"));
    assertTrue(OarAsked.looksLike("/nodes=1/core=2") && OarAsked.looksLike("nodes=1/core=2"));
    assertFalse(OarAsked.looksLike("ncpus=2") || OarAsked.looksLike("select=1:ncpus=2"));
  }
}
