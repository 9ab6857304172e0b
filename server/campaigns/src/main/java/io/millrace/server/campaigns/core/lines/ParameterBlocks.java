package io.millrace.server.campaigns.core.lines;

import io.millrace.schemas.Topics;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.ParameterBlock;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/** Collects lines of parameters into blocks. */
public final class ParameterBlocks {

  /** Lines of each block but the last. */
  public static final int LINES = 1_000;

  /** Characters of a block: who reads one line of it has all of it in memory. */
  static final int CHARACTERS_MAX = 4 << 20;

  /** Bytes of all blocks together: they go with one command, beside up to 1 MiB of other things. */
  public static final int BYTES_MAX = Topics.CAMPAIGN_BYTES_MAX - (2 << 20);

  /** Bytes of one: it is a record of the state. */
  private static final int BLOCK_BYTES_MAX = Topics.MESSAGE_BYTES_MAX / 2;

  /** What is said of lines that are too long. */
  public static final String TOO_LONG =
      "the parameters are too long: 1,000 lines may have 4 MiB, and 1 MiB when compressed; all of"
          + " them 12 MiB when compressed";

  private final List<ParameterBlock> blocks = new ArrayList<>();
  private final List<String> lines = new ArrayList<>();
  private int count;
  private long characters;
  private long bytes;
  private boolean tooLong;

  /** Lines that the block may have which is not closed yet. */
  private int room = LINES;

  public ParameterBlocks() {}

  /**
   * @param beside lines for which the first block leaves room; fewer than a block has
   */
  public ParameterBlocks(int beside) {
    room = LINES - beside;
  }

  /** Adds the line of the next task; it has no line end. */
  public void add(String line) {
    count++;
    characters += line.length();
    tooLong |= characters > CHARACTERS_MAX;
    if (tooLong) {
      // Nothing of it is kept, however much more comes.
      lines.clear();
      blocks.clear();
      return;
    }
    lines.add(line);
    if (lines.size() == room) {
      close();
    }
  }

  private void close() {
    ParameterBlock block = pack(lines);
    bytes += block.getLines().remaining();
    tooLong |= bytes > BYTES_MAX || block.getLines().remaining() > BLOCK_BYTES_MAX;
    blocks.add(block);
    lines.clear();
    room = LINES;
    characters = 0;
  }

  /** Lines that were added. */
  public int count() {
    return count;
  }

  /** Whether there is more than a command or a block may have; then not all blocks are there. */
  public boolean tooLong() {
    return tooLong;
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

  /** Lines of a campaign's last block that is not full; 0 when there is none. */
  public static int beside(Campaign campaign) {
    return (campaign.getTasks() - campaign.getLinesFrom()) % LINES;
  }

  /** The same lines in blocks of which the first leaves room for so many others. */
  public static ParameterBlocks again(List<ParameterBlock> blocks, int beside) {
    ParameterBlocks again = new ParameterBlocks(beside);
    blocks.forEach(block -> unpack(block).forEach(again::add));
    return again;
  }

  /** The lines of two blocks in one; empty when they are too long for one. */
  public static Optional<ParameterBlock> joined(ParameterBlock one, ParameterBlock other) {
    ParameterBlocks both = again(List.of(one, other), 0);
    List<ParameterBlock> blocks = both.blocks();
    return both.tooLong() || blocks.size() != 1 ? Optional.empty() : Optional.of(blocks.get(0));
  }

  /** The lines of a block. */
  public static List<String> unpack(ParameterBlock block) {
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
