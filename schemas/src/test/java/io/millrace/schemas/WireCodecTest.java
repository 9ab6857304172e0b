package io.millrace.schemas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.output.KillRun;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobEvent;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Queue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;

class WireCodecTest {

  private final WireCodec codec = WireCodec.local();

  @Test
  void theHeaderIsMagicByteAndBigEndianId() throws UndecodableRecord {
    byte[] bytes = codec.encode(new KillRun("1.vm", 2, 3, "a", 10L, "", 0, false));
    assertEquals(0, bytes[0]);
    int id = SchemaIds.local().idOf("io.millrace.schemas.output.KillRun");
    assertEquals(id, ByteBuffer.wrap(bytes, 1, 4).getInt());
    assertEquals(id, WireCodec.schemaId(bytes));
    assertEquals("KillRun", codec.nameOf(bytes));
  }

  @Test
  void aLengthBeyondTheEndAllocatesNothing() {
    byte[] bytes = codec.encode(new KillRun("1.vm", 2, 3, "a", 10L, "", 0, false));
    byte[] huge = {
      0,
      bytes[1],
      bytes[2],
      bytes[3],
      bytes[4],
      (byte) 0xf0,
      (byte) 0xff,
      (byte) 0xff,
      (byte) 0xff,
      7
    };
    UndecodableRecord refused = assertThrows(UndecodableRecord.class, () -> codec.decode(huge));
    assertTrue(refused.getMessage().startsWith("no whole KillRun"), refused.getMessage());
  }

  /** The first {@code keep} bytes followed by a length or count that claims more data. */
  private static byte[] claiming(byte[] bytes, int keep, long count) {
    ByteBuffer claiming = ByteBuffer.allocate(keep + 12).put(bytes, 0, keep);
    for (long left = 2 * count; left != 0; left >>>= 7) {
      claiming.put((byte) (left > 0x7f || left < 0 ? left | 0x80 : left));
    }
    claiming.put((byte) 0);
    return Arrays.copyOf(claiming.array(), claiming.position());
  }

  @Test
  void lengthsAndCountsBeyondTheEndAllocateNothing() throws UndecodableRecord {
    byte[] queue = codec.encode(new Queue("", Map.of(), Map.of(), false, -1L, -1L));
    byte[] reply = codec.encode(new Reply(new CommandId(new byte[16]), 0, List.of(), false));
    GenericWire generic = new GenericWire(SchemaIds.local()::writerSchema);
    // Warm-up: objects that are created at the first use do not count.
    codec.decode(queue);
    codec.decode(reply);
    generic.decode(queue);
    generic.decode(reply);
    for (long count : new long[] {2, 10_000_000, 1 << 30, Integer.MAX_VALUE, 1L << 40}) {
      List<byte[]> all =
          List.of(
              claiming(queue, WireCodec.HEADER_BYTES, count),
              claiming(queue, WireCodec.HEADER_BYTES + 1, count),
              claiming(reply, reply.length - 2, count));
      for (byte[] bytes : all) {
        long before = allocatedBytes();
        UndecodableRecord refused =
            assertThrows(UndecodableRecord.class, () -> codec.decode(bytes));
        assertTrue(refused.getMessage().matches("no whole (Queue|Reply): .+"), refused.toString());
        assertThrows(UndecodableRecord.class, () -> generic.decode(bytes));
        assertTrue(allocatedBytes() - before < 1 << 20, count + " were made room for");
      }
    }
  }

  private static long allocatedBytes() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getCurrentThreadAllocatedBytes();
  }

  @Test
  void whatIsNoRecordIsRefusedInOneLine() {
    assertEquals(
        "3 bytes where a magic byte and a schema id of 4 bytes are due",
        assertThrows(UndecodableRecord.class, () -> codec.decode(new byte[3])).getMessage());
    assertEquals(
        "first byte is 103, not the magic byte 0",
        assertThrows(UndecodableRecord.class, () -> codec.decode("garbage".getBytes()))
            .getMessage());
    assertEquals(
        "schema id 999999 is not registered",
        assertThrows(
                UndecodableRecord.class,
                () -> codec.decode(ByteBuffer.allocate(6).put((byte) 0).putInt(999999).array()))
            .getMessage());
    assertEquals(
        "no value where a magic byte and a schema id of 4 bytes are due",
        assertThrows(UndecodableRecord.class, () -> codec.decode(null)).getMessage());
  }

  @Test
  void anOlderVersionGetsDefaultsAndANewerOneLosesItsNewFields() throws Exception {
    Schema other =
        SchemaBuilder.record("KillRun")
            .namespace("io.millrace.schemas.output")
            .fields()
            .requiredString("host")
            .requiredString("job_id")
            .requiredInt("run")
            .name("reason")
            .type()
            .stringType()
            .stringDefault("")
            .requiredInt("shard")
            .endRecord();
    GenericRecord written =
        new GenericRecordBuilder(other)
            .set("host", "h")
            .set("job_id", "7.vm")
            .set("run", 4)
            .set("reason", "new")
            .set("shard", 5)
            .build();
    WireCodec resolving = new WireCodec(new With(other));
    assertEquals(
        new KillRun("7.vm", 4, 5, "h", 10L, "", 0, false),
        resolving.decode(bytes(With.ID, other, written)));
  }

  @Test
  void aRegisteredRecordOutsideTheCatalogueIsNamed() throws IOException {
    Schema alien = SchemaBuilder.record("org.example.Alien").fields().requiredInt("x").endRecord();
    byte[] bytes = bytes(With.ID, alien, new GenericRecordBuilder(alien).set("x", 1).build());
    assertEquals(
        "schema id 7777 is org.example.Alien, which is no record of the catalogue",
        assertThrows(UndecodableRecord.class, () -> new WireCodec(new With(alien)).decode(bytes))
            .getMessage());
  }

  /**
   * Prints the cost of encoding and decoding a usual job; not asserted, since the machine is
   * shared.
   */
  @Test
  void aJobIsEncodedAndDecodedQuickly() throws UndecodableRecord {
    Job job = job();
    byte[] bytes = codec.encode(job);
    long encodeNs = Long.MAX_VALUE;
    long decodeNs = Long.MAX_VALUE;
    int calls = 5_000;
    for (int round = 0; round < 8; round++) {
      long start = System.nanoTime();
      for (int i = 0; i < calls; i++) {
        codec.encode(job);
      }
      encodeNs = Math.min(encodeNs, (System.nanoTime() - start) / calls);
      start = System.nanoTime();
      for (int i = 0; i < calls; i++) {
        codec.decode(bytes);
      }
      decodeNs = Math.min(decodeNs, (System.nanoTime() - start) / calls);
    }
    System.out.println(
        "codec: job of "
            + bytes.length
            + " bytes, encode "
            + encodeNs
            + " ns, decode "
            + decodeNs
            + " ns");
    assertEquals(job, codec.decode(bytes));
  }

  private static Job job() {
    List<Attribute> variables = new ArrayList<>();
    for (int i = 0; i < 15; i++) {
      variables.add(new Attribute("PBS_O_VARIABLE_" + i, "/home/user/some/where/" + i));
    }
    ResourceRequest request =
        new ResourceRequest(
            List.of(new Chunk(2, Map.of("ncpus", 4L, "mem", 1L << 32), Map.of())),
            "free",
            3600L,
            Map.of());
    JobSpec spec =
        JobSpec.newBuilder()
            .setName("sweep")
            .setOwner("user")
            .setSubmitHost("vm")
            .setQueue("workq")
            .setRequest(request)
            .setResourceList(List.of(new Attribute("select", "2:ncpus=4:mem=4gb")))
            .setOutputPath("vm:/home/user/sweep.o1")
            .setErrorPath("vm:/home/user/sweep.e1")
            .setVariables(variables)
            .setScriptHash(ByteBuffer.wrap(new byte[32]))
            .setArgv(List.of())
            .setExtra(List.of())
            .build();
    return Job.newBuilder()
        .setId("1234.vm")
        .setNumber(1234)
        .setSpec(spec)
        .setStatus(JobStatus.QUEUED)
        .setRank(17)
        .setCreatedMs(1_790_000_000_000L)
        .setQueuedMs(1_790_000_000_000L)
        .setModifiedMs(1_790_000_000_000L)
        .setEvents(List.of(new JobEvent(1_790_000_000_000L, "queued", "")))
        .build();
  }

  private static byte[] bytes(int id, Schema schema, GenericRecord record) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(ByteBuffer.allocate(5).put((byte) 0).putInt(id).array());
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    new GenericDatumWriter<GenericRecord>(schema).write(record, encoder);
    encoder.flush();
    return out.toByteArray();
  }

  /** The catalogue's ids plus one for another schema. */
  private record With(Schema schema) implements SchemaIds {
    static final int ID = 7777;
    private static final SchemaIds LOCAL = SchemaIds.local();

    @Override
    public int idOf(String fullName) {
      return LOCAL.idOf(fullName);
    }

    @Override
    public Optional<Schema> writerSchema(int id) {
      return id == ID ? Optional.of(schema) : LOCAL.writerSchema(id);
    }
  }
}
