package io.millrace.schemas.folder;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A file that attributes name and that the server reads again and again. What it says counts for
 * all jobs, so that nobody may write it but root and the account of this process.
 */
public final class NamedText {

  private NamedText() {}

  /**
   * Its text.
   *
   * @throws IOException in one line, when it may not be read, is too long or no text
   */
  public static String read(String path, int bytesMax) throws IOException {
    Optional<String> refused = NamedProgram.refuseFile(path);
    if (refused.isPresent()) {
      throw new IOException(path + " " + refused.get());
    }
    byte[] bytes;
    try (InputStream in = Files.newInputStream(Path.of(path), LinkOption.NOFOLLOW_LINKS)) {
      bytes = in.readNBytes(bytesMax + 1);
    } catch (IOException e) {
      throw new IOException(path + " cannot be read", e);
    }
    if (bytes.length > bytesMax) {
      throw new IOException(path + " has more than " + (bytesMax >> 10) + " KiB");
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new IOException(path + " is no text in UTF-8", e);
    }
  }
}
