package io.millrace.server.gateway.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the system says of a user's groups, and what the log says when it does not. */
class OwnerGroupsTest {
  private final List<String> complaints = new ArrayList<>();

  private List<String> told(String... question) {
    return OwnerGroups.told(List.of(question), complaints::add);
  }

  @Test
  void groupsAreWordsOfOneLine() {
    assertEquals(List.of("staff", "physics"), told("echo", "staff physics"));
    assertTrue(told("id", "-Gn", "--", "root").contains("root"));
    assertEquals(List.of(), complaints);
  }

  @Test
  void aFailureIsSaidWithItsCause() {
    assertNull(told("id", "-Gn", "--", "nobody-has-this-name"));
    String first = complaints.get(0);
    assertTrue(first.startsWith("id -Gn -- nobody-has-this-name ended with 1: id: "), first);
    assertNull(told("/nowhere/id", "-Gn"));
    String second = complaints.get(1);
    assertTrue(second.startsWith("/nowhere/id -Gn failed: "), second);
    assertEquals(2, complaints.size());
  }
}
