package io.millrace.server.campaigns.jdl;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * A document as it was sent, so that it can be shown again. Its list of parameters is left empty:
 * they are kept elsewhere, a block at a time.
 */
public final class JdlText {

  /** Characters that are kept. */
  public static final int CHARACTERS_MAX = 1 << 20;

  /** Of a document that is refused only the beginning is written, and stays so. */
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .disable(StreamWriteFeature.AUTO_CLOSE_CONTENT)
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          .build();

  private final StringWriter text = new StringWriter();
  private boolean tooLong;

  /** Gives each list of parameters, one after the other, and an empty one behind the last. */
  public interface Parameters {
    List<String> next() throws IOException;
  }

  /** A parser that keeps what is read with it. */
  JsonParser kept(JsonParser in) throws IOException {
    return new CopyingParser(in);
  }

  /** Whether it has more characters than are kept; then they are not. */
  public boolean tooLong() {
    return tooLong;
  }

  /** What was read, to be kept for long. */
  public byte[] packed() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (Writer out =
        new OutputStreamWriter(new DeflaterOutputStream(packed), StandardCharsets.UTF_8)) {
      out.append(text.getBuffer());
    }
    return packed.toByteArray();
  }

  /**
   * Writes what was kept, and a line end.
   *
   * @param pretty on several lines
   * @param parameters those of its list, if it has one
   */
  public static void write(byte[] packed, boolean pretty, Parameters parameters, Writer to)
      throws IOException {
    try (InputStream bytes = new InflaterInputStream(new ByteArrayInputStream(packed));
        JsonParser in = JSON.createParser(bytes);
        JsonGenerator out = JSON.createGenerator(to)) {
      if (pretty) {
        out.useDefaultPrettyPrinter();
      }
      while (in.nextToken() != null) {
        if (isList(in, JsonToken.END_ARRAY)) {
          for (List<String> some = parameters.next(); !some.isEmpty(); some = parameters.next()) {
            for (String line : some) {
              out.writeString(line);
            }
          }
        }
        out.copyCurrentEvent(in);
      }
      out.writeRaw('\n');
    }
  }

  /** Whether the parser stands at an end of the document's list of parameters. */
  private static boolean isList(JsonParser in, JsonToken end) throws IOException {
    if (!in.hasToken(end)) {
      return false;
    }
    JsonStreamContext place =
        end == JsonToken.START_ARRAY ? in.getParsingContext().getParent() : in.getParsingContext();
    return place.inObject()
        && place.getParent().inRoot()
        && JdlFields.PARAMS.equals(place.getCurrentName());
  }

  private final class CopyingParser extends JsonParserDelegate {
    private final JsonGenerator out = JSON.createGenerator(text);
    private boolean inList;

    CopyingParser(JsonParser in) throws IOException {
      super(in);
    }

    @Override
    public JsonToken nextToken() throws IOException {
      JsonToken token = super.nextToken();
      if (token == null) {
        out.flush();
        return null;
      }
      inList &= !isList(delegate, JsonToken.END_ARRAY);
      if (!inList && !tooLong) {
        out.copyCurrentEvent(delegate);
        tooLong = text.getBuffer().length() > CHARACTERS_MAX;
      }
      inList |= isList(delegate, JsonToken.START_ARRAY);
      return token;
    }

    @Override
    public void close() throws IOException {
      super.close();
      out.close();
    }
  }
}
