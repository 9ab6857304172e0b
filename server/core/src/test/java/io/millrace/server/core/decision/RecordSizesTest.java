package io.millrace.server.core.decision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.Catalogue;
import io.millrace.schemas.HostileRecords;
import io.millrace.schemas.Topics;
import io.millrace.schemas.WireCodec;
import io.millrace.schemas.command.HoldJob;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.AskHost;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

class RecordSizesTest {
  private static final CommandMeta META =
      new CommandMeta(new CommandId(new byte[16]), "ann", "users", "vm", Role.USER, 0, 0L);

  @Test
  void noRecordIsLongerThanWhatIsSaidOfIt() {
    WireCodec codec = WireCodec.local();
    HostileRecords records = new HostileRecords(new SplittableRandom(3), Map.of());
    for (Catalogue.CatalogueEntry entry : Catalogue.get().entries()) {
      for (int i = 0; i < 20; i++) {
        SpecificRecord record = records.record(entry.schema());
        int length = codec.encode(record).length - WireCodec.HEADER_BYTES;
        assertTrue(length <= RecordSizes.of(record), entry::fullName);
      }
    }
    assertEquals(10 + 2 + 3 + 6, RecordSizes.of("ab" + "€" + "äöü"));
  }

  @Test
  void allThatIsWrittenCounts() {
    String large = "x".repeat(Topics.MESSAGE_BYTES_MAX);
    HoldJob command = new HoldJob(META, large, "u");
    assertTrue(RecordSizes.fit(Decision.none().tell(0, new HoldJob(META, "1", "u"))));
    assertFalse(RecordSizes.fit(Decision.none().tell(0, command)));
    assertFalse(RecordSizes.fit(Decision.none().fact(command)));
    assertFalse(RecordSizes.fit(Decision.none().dispatch(new AskHost(large, 0))));
    assertFalse(RecordSizes.fit(Decision.none().answer(META, 0, List.of(large))));
    HoldJob half = new HoldJob(META, "x".repeat(Topics.MESSAGE_BYTES_MAX / 2), "u");
    assertTrue(RecordSizes.fit(Decision.none().fact(half)), "as long as it may seem at first");
    HoldJob wide = new HoldJob(META, "\u20ac".repeat(Topics.MESSAGE_BYTES_MAX / 2), "u");
    assertFalse(RecordSizes.fit(Decision.none().fact(wide)));
  }
}
