package io.millrace.schemas;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;

/**
 * The Confluent wire format over generated classes. Buffers, encoders and resolvers are kept per
 * thread, so that no locks are needed. A record written with this build's own schema takes a faster
 * path; any other version is resolved by Avro's rules.
 */
public final class WireCodec implements RecordCodec {

  /** First byte of every value. */
  public static final byte MAGIC = 0;

  /** Magic byte and schema id. */
  public static final int HEADER_BYTES = 5;

  private final SchemaIds ids;
  private final Map<Integer, Schema> ownById = new HashMap<>();

  /** Those that were written: a part that writes few kinds loads the classes of no others. */
  private final Map<Class<?>, Own> writers = new ConcurrentHashMap<>();

  private final ThreadLocal<Scratch> scratch = ThreadLocal.withInitial(Scratch::new);

  /**
   * Looks up the ids of the whole catalogue at once: a record that is missing in the registry is
   * found when the process starts, not when the first such record is written.
   *
   * @throws IllegalArgumentException when a record of the catalogue is not registered
   */
  public WireCodec(SchemaIds ids) {
    this.ids = ids;
    for (Catalogue.CatalogueEntry entry : Catalogue.get().entries()) {
      ownById.put(ids.idOf(entry.fullName()), entry.schema());
    }
  }

  /** Ids from the catalogue's order, for tests and for processes that share no registry. */
  public static WireCodec local() {
    return new WireCodec(SchemaIds.local());
  }

  @Override
  public byte[] encode(SpecificRecord record) {
    Own own = writers.get(record.getClass());
    if (own == null) {
      own = own(record);
      writers.put(record.getClass(), own);
    }
    return scratch.get().encode(own, record);
  }

  private Own own(SpecificRecord record) {
    String name = record.getSchema().getFullName();
    return Catalogue.get()
        .find(name)
        .filter(entry -> entry.type() == record.getClass())
        .map(entry -> new Own(ids.idOf(name), entry.schema()))
        .orElseThrow(() -> new IllegalArgumentException(name + " is no record of the catalogue"));
  }

  @Override
  public SpecificRecord decode(byte[] bytes) throws UndecodableRecord {
    checkHeader(bytes);
    return scratch.get().decode(schemaId(bytes), bytes);
  }

  @Override
  public String nameOf(byte[] bytes) throws UndecodableRecord {
    checkHeader(bytes);
    Schema known = ownById.get(schemaId(bytes));
    return known != null ? known.getName() : scratch.get().readerOf(schemaId(bytes)).name;
  }

  static void checkHeader(byte[] bytes) throws UndecodableRecord {
    if (bytes == null || bytes.length < HEADER_BYTES) {
      throw new UndecodableRecord(
          (bytes == null ? "no value" : bytes.length + " bytes")
              + " where a magic byte and a schema id of 4 bytes are due");
    }
    if (bytes[0] != MAGIC) {
      throw new UndecodableRecord("first byte is " + bytes[0] + ", not the magic byte 0");
    }
  }

  /** The schema id of a value that has at least {@link #HEADER_BYTES} bytes. */
  public static int schemaId(byte[] bytes) {
    return (bytes[1] & 0xff) << 24
        | (bytes[2] & 0xff) << 16
        | (bytes[3] & 0xff) << 8
        | bytes[4] & 0xff;
  }

  private record Own(int id, Schema schema) {}

  /**
   * Records are written by their generated methods, without reflection. They are read by Avro's
   * fast reader, the only one that checks whether a list's items can be present before it allocates
   * the list: a few bytes of garbage must not lead to an allocation of gigabytes.
   */
  private static SpecificData generated() {
    SpecificData data = new SpecificData(SpecificRecord.class.getClassLoader());
    data.setCustomCoders(true);
    data.setFastReaderEnabled(true);
    return data;
  }

  /** An error for bytes that end too early, for which Avro's exception has no message. */
  private static UndecodableRecord broken(String name, Exception cause) {
    String why = cause.getMessage() == null ? "the bytes end before it does" : cause.getMessage();
    return new UndecodableRecord("no whole " + name + ": " + why, cause);
  }

  private record NamedReader(String name, SpecificDatumReader<SpecificRecord> datum) {}

  /** Objects that one thread reuses. */
  private final class Scratch {
    private static final int KEEP_BYTES_MAX = 1 << 16;
    private static final byte[] NOTHING = {};

    private final SpecificData data = generated();
    private final Map<Schema, SpecificDatumWriter<SpecificRecord>> datumWriters =
        new IdentityHashMap<>();
    private final Map<Integer, NamedReader> readers = new HashMap<>();
    private BinaryDecoder decoder = DecoderFactory.get().binaryDecoder(NOTHING, null);
    private ByteArrayOutputStream out = new ByteArrayOutputStream(1024);
    private BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);

    byte[] encode(Own own, SpecificRecord record) {
      out.reset();
      out.write(MAGIC);
      out.write(own.id >>> 24);
      out.write(own.id >>> 16);
      out.write(own.id >>> 8);
      out.write(own.id);
      try {
        datumWriters
            .computeIfAbsent(own.schema, s -> new SpecificDatumWriter<>(s, data))
            .write(record, encoder);
        encoder.flush();
        return out.toByteArray();
      } catch (IOException e) {
        throw new IllegalStateException("a byte array refused to be written", e);
      } catch (RuntimeException e) {
        renew();
        throw e;
      } finally {
        if (out.size() > KEEP_BYTES_MAX) {
          renew();
        }
      }
    }

    /**
     * Replaces the encoder when its buffer has become large or a failed record has left bytes in
     * it.
     */
    private void renew() {
      out = new ByteArrayOutputStream(1024);
      encoder = EncoderFactory.get().binaryEncoder(out, null);
    }

    SpecificRecord decode(int id, byte[] bytes) throws UndecodableRecord {
      NamedReader reader = readerOf(id);
      try {
        over(bytes, HEADER_BYTES);
        SpecificRecord record = reader.datum.read(null, decoder);
        if (decoder.remainingBytes() > 0) {
          throw new UndecodableRecord(
              decoder.remainingBytes() + " bytes are left after a whole " + reader.name);
        }
        return record;
      } catch (IOException | RuntimeException e) {
        // Avro has exceptions of many kinds for bytes that are no record.
        throw broken(reader.name, e);
      } finally {
        over(NOTHING, 0);
      }
    }

    private void over(byte[] bytes, int from) {
      decoder = DecoderFactory.get().binaryDecoder(bytes, from, bytes.length - from, decoder);
    }

    NamedReader readerOf(int id) throws UndecodableRecord {
      NamedReader reader = readers.get(id);
      if (reader == null) {
        reader = reader(id);
        readers.put(id, reader);
      }
      return reader;
    }

    private NamedReader reader(int id) throws UndecodableRecord {
      Schema known = ownById.get(id);
      if (known != null) {
        return new NamedReader(known.getName(), new SpecificDatumReader<>(known, known, data));
      }
      Schema writer =
          ids.writerSchema(id)
              .orElseThrow(() -> new UndecodableRecord("schema id " + id + " is not registered"));
      Schema own =
          Catalogue.get()
              .find(writer.getFullName())
              .orElseThrow(
                  () ->
                      new UndecodableRecord(
                          "schema id "
                              + id
                              + " is "
                              + writer.getFullName()
                              + ", which is no record of the catalogue"))
              .schema();
      Schema actual = sameBytes(writer, own) ? own : writer;
      return new NamedReader(own.getName(), new SpecificDatumReader<>(actual, own, data));
    }
  }

  private static boolean sameBytes(Schema writer, Schema own) {
    return SchemaNormalization.toParsingForm(writer).equals(SchemaNormalization.toParsingForm(own));
  }
}
