package io.millrace.server.gateway.print;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SizeUnitTest {

  @Test
  void asAskedUntilItIsTooLong() {
    assertEquals("200mb", SizeUnit.AS_ASKED.show("200mb"));
    assertEquals("9999kb", SizeUnit.AS_ASKED.show("9999kb"));
    assertEquals("10mb", SizeUnit.AS_ASKED.show("10000kb"));
    assertEquals("7b", SizeUnit.AS_ASKED.show("7"));
    assertEquals("16mw", SizeUnit.AS_ASKED.show("16mw"));
    assertEquals("10eb", SizeUnit.AS_ASKED.show("10000pb"));
  }

  @Test
  void inGigabytesAndMegawordsRoundedUp() {
    assertEquals("1gb", SizeUnit.GIGABYTES.show("1b"));
    assertEquals("2gb", SizeUnit.GIGABYTES.show("1025mb"));
    assertEquals("2048gb", SizeUnit.GIGABYTES.show("2tb"));
    assertEquals("1gb", SizeUnit.GIGABYTES.show("100mw"));
    assertEquals("25mw", SizeUnit.MEGAWORDS.show("200mb"));
    assertEquals("1mw", SizeUnit.MEGAWORDS.show("1kb"));
    assertEquals("128gw", SizeUnit.MEGAWORDS.show("1tb"));
  }

  @Test
  void whatIsNoSizeIsShownAsItIs() {
    assertEquals("much", SizeUnit.GIGABYTES.show("much"));
  }
}
