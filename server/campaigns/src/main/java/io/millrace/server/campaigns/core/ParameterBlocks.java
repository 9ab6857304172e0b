package io.millrace.server.campaigns.core;

import io.millrace.schemas.campaign.ParameterBlock;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/** Collects lines of parameters into blocks. */
public final class ParameterBlocks {

  /** Lines of each block but the last. */
  static final int LINES = 1_000;

  private final List<ParameterBlock> blocks = new ArrayList<>();
  private final List<String> lines = new ArrayList<>();
  private int count;

  /** Adds the line of the next task; it has no line end. */
  public void add(String line) {
    lines.add(line);
    count++;
    if (lines.size() == LINES) {
      close();
    }
  }

  private void close() {
    blocks.add(pack(lines));
    lines.clear();
  }

  /** Lines that were added. */
  public int count() {
    return count;
  }

  /** All blocks; nothing is added afterwards. */
  public List<ParameterBlock> blocks() {
    if (!lines.isEmpty()) {
      close();
    }
    return blocks;
  }

  private static ParameterBlock pack(List<String> lines) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (DeflaterOutputStream out = new DeflaterOutputStream(packed)) {
      out.write(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new ParameterBlock(ByteBuffer.wrap(packed.toByteArray()));
  }

  static List<String> unpack(ParameterBlock block) {
    ByteBuffer bytes = block.getLines().duplicate();
    byte[] packed = new byte[bytes.remaining()];
    bytes.get(packed);
    try (InflaterInputStream in = new InflaterInputStream(new ByteArrayInputStream(packed))) {
      return List.of(new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n", -1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
