package io.millrace.server.gateway.query;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.UndecodableRecord;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;

/** Reads frames: 4 bytes of length, big-endian, and that many bytes of a record. */
public final class RecordFrames {

  private RecordFrames() {}

  /** All records of a stream, which is read to its end. */
  public static <T extends SpecificRecord> List<T> read(
      InputStream in, RecordCodec codec, Class<T> type) throws IOException {
    List<T> records = new ArrayList<>();
    DataInputStream frames = new DataInputStream(in);
    for (int length = length(frames); length >= 0; length = length(frames)) {
      byte[] bytes = new byte[length];
      frames.readFully(bytes);
      try {
        records.add(type.cast(codec.decode(bytes)));
      } catch (UndecodableRecord | ClassCastException e) {
        throw new IOException("a frame is no " + type.getSimpleName() + ": " + e.getMessage(), e);
      }
    }
    return records;
  }

  private static int length(DataInputStream in) throws IOException {
    int first = in.read();
    if (first < 0) {
      return -1;
    }
    int length = first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
    if (length < 0 || length > 2 * Topics.MESSAGE_BYTES_MAX) {
      throw new EOFException("a frame claims " + length + " bytes");
    }
    return length;
  }
}
