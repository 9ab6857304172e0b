package io.millrace.server.gridengine.stat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.StringReader;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

/** The list of all jobs can be read whatever one of their users calls his job. */
class XmlTest {
  @Test
  void anyNameMakesReadableXml() throws Exception {
    String name = "a\u001b[2J<&>\"'\0\r\u009b\uffff\ufffe\u007f";
    String xml = "<name>" + Xml.escaped(name) + "</name>";
    String read =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(xml)))
            .getDocumentElement()
            .getTextContent();
    assertEquals("a^[[2J<&>\"'^@^MM-^[??^?", read);
  }
}
