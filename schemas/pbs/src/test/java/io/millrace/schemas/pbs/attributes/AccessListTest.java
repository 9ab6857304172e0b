package io.millrace.schemas.pbs.attributes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.api.Test;

class AccessListTest {

  private static boolean user(String list, String who) {
    String[] parts = who.split("@");
    return AccessList.allowsUser(list, parts[0], parts[1]);
  }

  @Test
  void aUserIsNamedWithOrWithoutHosts() {
    for (String entry : new String[] {"ann", "+ann", "ann@*", "ann@h1.site", "ann@*.site"}) {
      assertTrue(user("bob," + entry, "ann@h1.site"), entry);
      assertFalse(user(entry, "anna@h1.site"), entry);
      assertFalse(user(entry, "an@h1.site"), entry);
    }
    assertTrue(user("ann@H1.Site", "ann@h1.site"), "hosts have no case");
    assertFalse(user("Ann", "ann@h1.site"), "users have");
    assertFalse(user("ann@h1.site", "ann@h2.site"));
    assertFalse(user("ann@*.site", "ann@site"));
    assertFalse(user("", "ann@h1.site"));
  }

  @Test
  void whatSaysMoreOfTheHostDecides() {
    String list = "ann@*,-ann@*.site,+ann@h1.site";
    assertTrue(user(list, "ann@h1.site"));
    assertFalse(user(list, "ann@h2.site"));
    assertTrue(user(list, "ann@h2.else"));
    assertFalse(user("-ann@*,ann", "ann@h1"), "of two that say as much the refusal");
    assertFalse(user("ann,-ann", "ann@h1"));
  }

  @Test
  void aSignAloneStandsForAllOthers() {
    assertTrue(user("-ann,+", "bob@h1"));
    assertFalse(user("-ann,+", "ann@h1"));
    assertFalse(user("ann,-", "bob@h1"));
  }

  @Test
  void hostsAndGroups() {
    assertTrue(AccessList.allowsHost("*", "h1"));
    assertTrue(AccessList.allowsHost("*.site,-h2.site", "h1.site"));
    assertFalse(AccessList.allowsHost("*.site,-h2.site", "h2.site"));
    assertFalse(AccessList.allowsHost("h1", "h1.site"));
    assertTrue(AccessList.allowsGroup("staff,guests", Set.of("users", "staff")));
    assertFalse(AccessList.allowsGroup("staff,-guests", Set.of("guests", "staff")));
    assertFalse(AccessList.allowsGroup("staff", Set.of("users")));
  }

  @Test
  void entriesThatCanMatchNobodyAreNoEntries() {
    assertTrue(AccessList.USERS.valid("a,+b@h,-c@*,d@*.x.y,+,-"));
    assertFalse(AccessList.USERS.valid("a@"));
    assertFalse(AccessList.USERS.valid("*@h"));
    assertFalse(AccessList.USERS.valid("a@h@i"));
    assertFalse(AccessList.USERS.valid("a b"));
    assertFalse(AccessList.HOSTS.valid("10.0.0.0/8"));
    assertFalse(AccessList.HOSTS.valid("a.*"));
    assertTrue(AccessList.HOSTS.valid("*,*.site,-h1"));
    assertFalse(AccessList.GROUPS.valid("g@h"));
    assertEquals(AccessList.USERS, AccessList.of("managers"));
    assertEquals(null, AccessList.of("comment"));
  }
}
