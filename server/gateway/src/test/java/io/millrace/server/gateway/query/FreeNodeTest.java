package io.millrace.server.gateway.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FreeNodeTest {

  @Test
  void aLineIsANode() {
    assertEquals(new FreeNode("n1", "h", List.of()), FreeNode.of("n1\th\t"));
    assertEquals(new FreeNode("vm[0]", "h.x", List.of(7L, 12L)), FreeNode.of("vm[0]\th.x\t7,12"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "n1", "n1\th", "n1\th\t7\t8", "n1\th\tseven"})
  void whatIsNoNodeIsRefused(String line) {
    assertThrows(IllegalArgumentException.class, () -> FreeNode.of(line));
  }
}
