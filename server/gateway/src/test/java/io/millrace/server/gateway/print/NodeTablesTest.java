package io.millrace.server.gateway.print;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class NodeTablesTest {

  @Test
  void sizesFitTheirColumn() {
    assertEquals("2gb", NodeTables.shortened("2gb"));
    assertEquals("24105mb", NodeTables.shortened("24684084kb"));
    assertEquals("100000kb", NodeTables.shortened("100000kb"));
  }
}
