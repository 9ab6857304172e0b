package io.millrace.ops.bench.campaigns;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What gridstat's list says. */
final class CampaignCallsTest {

  private static String row(String state, String progress) {
    return "7           bench               ada              2026-01-02 03-04-05 "
        + state
        + " "
        + progress
        + "\n";
  }

  @Test
  void aListWithoutCampaignsThatGoOn() {
    String over = row("T ", "4/4 (100%)") + row("Ce", "0/4 (0%)");
    assertFalse(CampaignCalls.goesOn(over));
    assertTrue(CampaignCalls.goesOn(over + row("R ", "3/4 (75%)")));
    assertTrue(CampaignCalls.goesOn(row("Re", "3/4 (75%)") + over));
  }
}
