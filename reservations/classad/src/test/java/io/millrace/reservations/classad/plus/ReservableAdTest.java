package io.millrace.reservations.classad.plus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.reservations.classad.text.ClassAdRefused;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is taken for a reservable.ad, and what is refused of it. */
class ReservableAdTest {

  private static String refused(String text) {
    return assertThrows(ClassAdRefused.class, () -> ReservableAd.parse(text)).getMessage();
  }

  @Test
  void aTextIsRecognised() {
    assertTrue(ReservableAd.describes(SamplePrograms.BY_STATE));
    assertTrue(ReservableAd.describes("// notes\n /* more\n */ [ a = 1 ]"));
    assertTrue(ReservableAd.describes("# old\nx = 1\n  plus_node_reservable = x == 1\n"));
    assertFalse(ReservableAd.describes("qname all.q\nslots 4\n"));
    assertFalse(ReservableAd.describes("hostlist [a=1]\n"));
    assertFalse(ReservableAd.describes("PLUS_NODE_RESERVABLE == 1\n"));
    assertFalse(ReservableAd.describes(""));
    assertFalse(ReservableAd.describes("/* open"));
    assertFalse(ReservableAd.describes("round_robin: True all\n"));
  }

  @Test
  void theProgramsOfTheManualAreTaken() {
    for (String each :
        List.of(
            SamplePrograms.BY_STATE,
            SamplePrograms.BY_NOTICE,
            SamplePrograms.BY_USE,
            SamplePrograms.BY_PROJECT)) {
      assertEquals(List.of(), ReservableAd.parse(each).notes());
    }
  }

  @Test
  void bothFormsMeanTheSame() {
    assertEquals(
        ReservableAd.parse("[ x = 1; PLUS_NODE_RESERVABLE = x == 1 ]"),
        ReservableAd.parse("x = 1\nPLUS_NODE_RESERVABLE = x == 1\n"));
  }

  @Test
  void whatCannotWorkIsRefused() {
    assertEquals(
        "line 1, column 1: PLUS_NODE_RESERVABLE is not defined: it says whether a node may be"
            + " reserved",
        refused("[ a = 1 ]"));
    assertEquals(
        "line 2, column 2: PLUS_RSV_OWNER is given by the scheduler and cannot be set",
        refused(
            "[ x = PLUS_RSV_OWNER == \"a\";\n PLUS_RSV_OWNER = \"b\"; PLUS_NODE_RESERVABLE = x ]"));
    assertEquals(
        "line 1, column 26: there is no function mebmer (nearest: member)",
        refused("[ PLUS_NODE_RESERVABLE = mebmer(1, {1}) ]"));
    assertEquals(
        "line 1, column 26: there is no function userHome",
        refused("[ PLUS_NODE_RESERVABLE = userHome(\"x\") == \"y\" ]"));
    assertEquals(
        "line 1, column 28: an expression is missing before ']'",
        refused("[ PLUS_NODE_RESERVABLE = 1+]"));
  }

  @Test
  void whatIsProbablyNotMeantIsTold() {
    ReservableAd read =
        ReservableAd.parse(
            "[ Users = {\"a\"}; ok = member(PLUS_RSV_OWNER, User); n = [ m = Users; o = Owner ];"
                + " c = 1; C = countMatches(x > 1, { [ x = y ] });"
                + " PLUS_NODE_RESERVABLE = ok && my.later && currentTime > 0 ]");
    assertEquals(
        List.of(
            "User in ok is defined nowhere: it is undefined",
            "Owner in n is defined nowhere: it is undefined",
            "y in c is defined nowhere: it is undefined",
            "C is defined more than once: the last one counts"),
        read.notes());
  }
}
