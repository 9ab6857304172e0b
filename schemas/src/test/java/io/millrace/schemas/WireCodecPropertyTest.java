package io.millrace.schemas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/**
 * Encodes and decodes every record of the catalogue, filled at random. A failure names the seed.
 */
class WireCodecPropertyTest {

  private final WireCodec codec = WireCodec.local();

  @Test
  void whatIsEncodedIsDecoded() throws UndecodableRecord {
    for (long seed = 1; seed <= 40; seed++) {
      SampleRecords samples = new SampleRecords(new SplittableRandom(seed));
      for (Catalogue.CatalogueEntry entry : Catalogue.get().entries()) {
        SpecificRecord record = samples.record(entry.schema());
        assertEquals(
            record, codec.decode(codec.encode(record)), entry.fullName() + " seed " + seed);
      }
    }
  }

  @Test
  void damageIsRefusedOrReadButNothingElse() {
    SplittableRandom random = new SplittableRandom(7);
    SampleRecords samples = new SampleRecords(random);
    int refused = 0;
    int tried = 0;
    for (Catalogue.CatalogueEntry entry : Catalogue.get().entries()) {
      for (int i = 0; i < 60; i++) {
        byte[] bytes = codec.encode(samples.record(entry.schema()));
        for (int hits = 1 + random.nextInt(4); hits > 0 && bytes.length > 5; hits--) {
          bytes[5 + random.nextInt(bytes.length - 5)] = (byte) random.nextInt(256);
        }
        tried++;
        try {
          codec.decode(bytes);
        } catch (UndecodableRecord e) {
          refused++;
          assertTrue(e.getMessage().indexOf('\n') < 0, e.getMessage());
        }
      }
    }
    assertTrue(refused > tried / 10, refused + " of " + tried + " refused");
  }

  @Test
  void aCutRecordIsRefusedAndTheNextOneRead() throws UndecodableRecord {
    SampleRecords samples = new SampleRecords(new SplittableRandom(11));
    for (Catalogue.CatalogueEntry entry : Catalogue.get().entries()) {
      SpecificRecord record = samples.record(entry.schema());
      byte[] bytes = codec.encode(record);
      if (bytes.length > WireCodec.HEADER_BYTES) {
        byte[] cut = Arrays.copyOf(bytes, bytes.length - 1);
        assertThrows(UndecodableRecord.class, () -> codec.decode(cut), entry.fullName());
      }
      byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
      assertThrows(UndecodableRecord.class, () -> codec.decode(longer), entry.fullName());
      assertEquals(record, codec.decode(bytes));
    }
  }
}
