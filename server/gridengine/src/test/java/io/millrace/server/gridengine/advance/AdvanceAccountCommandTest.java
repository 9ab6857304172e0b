package io.millrace.server.gridengine.advance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.server.gridengine.advance.AdvanceAccountCommand.UsedTime;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What qacct -ar prints, beside recorded tables with whole seconds. */
class AdvanceAccountCommandTest {

  @Test
  void oneReservation() {
    TreeMap<Long, UsedTime> used = new TreeMap<>();
    used.put(7L, new UsedTime(5, 0));
    assertEquals(
        """
        AR       WALLCLOCK         UTIME         STIME           CPU             MEMORY                 IO                IOW
        =====================================================================================================================
            7            5         0.000         0.000         0.000              0.000              0.000              0.000
        """,
        AdvanceAccountCommand.table(used, true));
  }

  @Test
  void allOfThem() {
    TreeMap<Long, UsedTime> used = new TreeMap<>();
    used.put(0L, new UsedTime(1125, 3));
    used.put(7L, new UsedTime(5, 0).plus(new UsedTime(1, 12)));
    assertEquals(
        """
        AR        WALLCLOCK         UTIME         STIME           CPU             MEMORY                 IO                IOW
        ======================================================================================================================
            0          1125         3.000         0.000         3.000              0.000              0.000              0.000
            7             6        12.000         0.000        12.000              0.000              0.000              0.000
        """,
        AdvanceAccountCommand.table(used, false));
  }
}
