package io.millrace.connectors.bridge.command;

import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.util.Optional;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** The XML that commands of outside systems print, read element by element. */
public final class OutsideXml {

  /** What takes elements. */
  public interface XmlElementHandler {
    /** An element begins, with its attributes. */
    void begins(String name, XMLStreamReader at);

    /** An element has ended; its own text stands between its last child and its end. */
    void ends(String name, String text);
  }

  private OutsideXml() {}

  /** Reads a document; gives why it is none, or is not whole. */
  public static Optional<String> read(String xml, XmlElementHandler taker) {
    return read(new StringReader(xml), taker);
  }

  /** The same of what a command printed, which is never in memory as a whole. */
  public static Optional<String> read(OutsideText xml, XmlElementHandler taker) {
    try (Reader from = xml.reader()) {
      return read(from, taker);
    } catch (IOException e) {
      return Optional.of("broken text: " + e.getMessage());
    }
  }

  private static Optional<String> read(Reader xml, XmlElementHandler taker) {
    try {
      XMLStreamReader reader = factory().createXMLStreamReader(new CleanReader(xml));
      StringBuilder text = new StringBuilder();
      while (reader.hasNext()) {
        switch (reader.next()) {
          case XMLStreamConstants.START_ELEMENT -> {
            taker.begins(reader.getLocalName(), reader);
            text.setLength(0);
          }
          case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA ->
              text.append(reader.getText());
          case XMLStreamConstants.END_ELEMENT -> {
            taker.ends(reader.getLocalName(), text.toString());
            text.setLength(0);
          }
          default -> {
            // Comments and the like say nothing.
          }
        }
      }
      return Optional.empty();
    } catch (XMLStreamException e) {
      return Optional.of("broken XML: " + e.getMessage().lines().findFirst().orElse(""));
    }
  }

  private static XMLInputFactory factory() {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, false);
    return factory;
  }

  /** Words of users can have characters that no XML may have; they break nothing. */
  private static final class CleanReader extends FilterReader {
    CleanReader(Reader from) {
      super(from);
    }

    @Override
    public int read() throws IOException {
      int c = super.read();
      return c < 0 ? c : clean((char) c);
    }

    @Override
    public int read(char[] text, int begin, int length) throws IOException {
      int got = super.read(text, begin, length);
      for (int i = begin; i < begin + got; i++) {
        text[i] = clean(text[i]);
      }
      return got;
    }

    private static char clean(char c) {
      boolean wrong = c < ' ' && c != '\n' && c != '\t' && c != '\r';
      return wrong || c == '\uffff' || c == '\ufffe' ? '?' : c;
    }
  }
}
