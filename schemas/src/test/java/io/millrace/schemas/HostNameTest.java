package io.millrace.schemas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostNameTest {

  @TempDir Path folder;

  private static InetAddress unknown() throws UnknownHostException {
    throw new UnknownHostException("n7: Name or service not known");
  }

  @Test
  void aHostThatNobodyCanLookUpHasItsKernelsName() throws IOException {
    Path kernel = Files.writeString(folder.resolve("hostname"), "n7.site\n");
    assertEquals("n7.site", HostName.whole(HostNameTest::unknown, kernel));
    InetAddress known = InetAddress.getByAddress("n8.site", new byte[] {127, 0, 0, 1});
    assertEquals("n8.site", HostName.whole(() -> known, kernel));
  }

  @Test
  void aHostWithoutANameSaysSo() throws IOException {
    Path none = folder.resolve("none");
    IOException why =
        assertThrows(IOException.class, () -> HostName.whole(HostNameTest::unknown, none));
    assertEquals(
        "this host does not know its name: n7: Name or service not known", why.getMessage());
    Path empty = Files.writeString(folder.resolve("empty"), "\n");
    assertThrows(IOException.class, () -> HostName.whole(HostNameTest::unknown, empty));
  }

  @Test
  void whatStandsBehindTheDotIsLeftAway() throws IOException {
    assertEquals("n7", HostName.untilDot("n7.site.example"));
    assertEquals("n7", HostName.untilDot("n7"));
    assertEquals(HostName.untilDot(HostName.whole()), HostName.untilDot());
  }

  @Test
  void whatStandsBehindTheAtIsItsCluster() {
    assertEquals("c1", HostName.cluster("n7.site@c1"));
    assertEquals("", HostName.cluster("n7.site"));
  }
}
