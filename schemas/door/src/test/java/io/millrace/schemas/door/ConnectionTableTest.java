package io.millrace.schemas.door;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rows as kernels of several ages write them. */
class ConnectionTableTest {
  private static final String DOOR = "0100007F:1F90";
  private static final String OURS = "0100007F:94D2";
  private static final String MAPPED = "0000000000000000FFFF0000";
  private static final String ANY6 = "0".repeat(32);
  private static final String NOWHERE = "00000000:0000";

  @TempDir Path folder;
  private ConnectionTable table;

  @BeforeEach
  void open() throws IOException {
    Assumptions.assumeTrue(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN);
    table =
        new ConnectionTable(
            folder.toString(),
            new InetSocketAddress("127.0.0.1", 0x94d2),
            new InetSocketAddress("127.0.0.1", 0x1f90));
  }

  private static String row(String local, String far, String state, int uid, int inode) {
    return "   0: "
        + local
        + " "
        + far
        + " "
        + state
        + " 00000000:00000000 00:00000000 00000000  "
        + uid
        + "        0 "
        + inode
        + " 1 0000000064d856e2 100 0 0 10 0\n";
  }

  private void read(String four, String six) throws IOException {
    Files.writeString(folder.resolve("tcp"), "  sl  local_address\n" + four);
    Files.writeString(folder.resolve("tcp6"), "  sl  local_address\n" + six);
    table.read();
  }

  @Test
  void whoHasTakenTheConnectionIsNamedInEitherTable() throws Exception {
    read(row(DOOR, OURS, "01", 7, 12), "");
    assertEquals(7, table.taker());
    read("", row(MAPPED + DOOR, MAPPED + OURS, "01", 8, 12));
    assertEquals(8, table.taker());
    assertFalse(table.ended());
  }

  @Test
  void aConnectionThatWaitsIsNobodysWhateverItsRowSays() throws Exception {
    read(row(DOOR, OURS, "01", 0, 0) + row(DOOR, NOWHERE, "0A", 7, 11), "");
    assertEquals(ConnectionTable.NOBODY, table.taker());
    assertEquals(7, table.listener());
  }

  @Test
  void theNearestListenerCounts() throws Exception {
    String any = row(ANY6 + ":1F90", ANY6 + ":0000", "0A", 9, 13);
    read(row(DOOR, NOWHERE, "0A", 7, 11), any);
    assertEquals(7, table.listener());
    read(row("00000000:1F90", NOWHERE, "0A", 6, 11), any);
    assertEquals(6, table.listener());
    read("", any);
    assertEquals(9, table.listener());
    read(row("0200007F:1F90", NOWHERE, "0A", 7, 11), "");
    assertEquals(ConnectionTable.NOBODY, table.listener());
  }

  @Test
  void connectionsOfOthersAndOtherStatesDoNotCount() throws Exception {
    read(row(DOOR, "0100007F:94D3", "01", 7, 12) + row(DOOR, OURS, "06", 7, 12), "");
    assertEquals(ConnectionTable.NOBODY, table.taker());
    read(row(OURS, DOOR, "08", 7, 12), "");
    assertTrue(table.ended());
  }

  /** As with an Apache, whose connections nobody takes before something comes. */
  @Test
  void whatIsHalfOpenIsForWhoseListenerKeepsIt() throws Exception {
    int own = AccountNumbers.own();
    String listens = row(DOOR, NOWHERE, "0A", own, 11);
    read(listens + row(DOOR, OURS, "03", own, 0), "");
    assertEquals(ConnectionTable.NOBODY, table.taker());
    assertEquals(own, table.keeper());
    new DoorOwner(Set.of()).check(table);
    // The nearest listener is another one's: it has nothing of this connection.
    read(row(DOOR, NOWHERE, "0A", own + 7, 11) + row(DOOR, OURS, "03", own, 0), "");
    new DoorOwner(Set.of()).check(table);
    read(listens + row(DOOR, OURS, "03", own + 7, 0), "");
    assertThrows(StrangeDoor.class, () -> new DoorOwner(Set.of()).check(table));
    new DoorOwner(Set.of(own + 7)).check(table);
    read(listens + row(DOOR, "0100007F:94D3", "03", own, 0), "");
    assertEquals(ConnectionTable.NOBODY, table.keeper());
  }

  @Test
  void aHostThatDoesNotTellIsNoHostWithoutListeners() throws Exception {
    assertThrows(IOException.class, () -> table.read());
    Files.writeString(folder.resolve("tcp"), "");
    table.read();
    assertEquals(ConnectionTable.NOBODY, table.taker());
  }
}
